"""The three systems: each decides who meets next, once all earlier games are settled, and how to order its table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from math import comb
from typing import Final

from msgspec import Struct

from polemos.arena.tournament import knock_out, round_robin, swiss
from polemos.arena.tournament.accounts import Account, Key, opposition, quality
from polemos.arena.tournament.knock_out import Slot
from polemos.arena.tournament.plan import Meeting, Plan
from polemos.arena.tournament.seats import balanced

MAX_EXTRA: Final = 8  # pairs of games added to a tied meeting before the higher seed goes through

Notify = Callable[[str, int | None], None]


class Stage(Struct, frozen=True):
    """Games that do not depend on each other: the same number for every meeting."""

    meetings: tuple[Meeting, ...]
    games: int
    begin: int = 0  # index of the first of these games in its meeting

    def __len__(self) -> int:
        return len(self.meetings) * self.games


class System(ABC):
    """The base class of the systems."""

    def __init__(self, plan: Plan, accounts: Sequence[Account], notify: Notify) -> None:
        self.plan = plan
        self.accounts = accounts
        self.notify = notify
        self.round = 0
        self._meetings = 0

    @abstractmethod
    def next(self) -> Stage | None:
        """The next stage, after all games of the last one; None at the end."""

    @abstractmethod
    def expected(self) -> int:
        """The number of games in the whole tournament, as far as we can tell."""

    @abstractmethod
    def tie_break(self, entrant: int) -> float:
        """The figure that decides between equal points."""

    def key(self, entrant: int) -> Key:
        """The sort key in the table: higher is better."""
        return (self.accounts[entrant].points, self.tie_break(entrant))

    def scored(self, meeting: int, entrant: int, points: float) -> None:  # noqa: B027 - most need not know
        """Points of a game, played or not."""

    def _meeting(self, round: int, players: tuple[int, ...]) -> Meeting:
        self._meetings += 1
        return Meeting(self._meetings, round, players)


class RoundRobin(System):
    def next(self) -> Stage | None:
        if self.round:
            return None
        self.round = self.plan.rounds
        found = round_robin.rounds(len(self.accounts), self.plan.seats, self.plan.seed)[: self.plan.rounds]
        meetings = [self._meeting(n, group) for n, groups in enumerate(found, 1) for group in groups]
        return Stage(tuple(meetings), self.plan.games)

    def expected(self) -> int:
        return self._meetings * self.plan.games

    def tie_break(self, entrant: int) -> float:
        return quality(self.accounts, entrant)


class Swiss(System):
    def __init__(self, plan: Plan, accounts: Sequence[Account], notify: Notify) -> None:
        super().__init__(plan, accounts, notify)
        self._met: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self._lot = {entrant: lot for lot, entrant in enumerate(round_robin.lots(len(accounts), plan.seed))}

    def next(self) -> Stage | None:
        plan, accounts = self.plan, self.accounts
        if self.round == plan.rounds:
            return None
        order = sorted((e for e, account in enumerate(accounts) if not account.paused), key=self._standing)
        if len(order) < plan.seats:
            left = {0: "no bot is", 1: "only one bot is"}.get(len(order), f"only {len(order)} bots are")
            self.notify(f"The tournament ended before round {self.round + 1}, because {left} left to play.", None)
            self.round = plan.rounds
            return None
        self.round += 1
        for entrant in (out := swiss.byes(order, plan.seats, {e: accounts[e].byes for e in order})):
            accounts[entrant].byes += 1
            accounts[entrant].points += bye_points(plan)
        groups = swiss.groups([entrant for entrant in order if entrant not in out], plan.seats, self._met)
        sat = {e: accounts[e].sat for e in order}
        for group in groups:
            for entrant in group:
                self._met[entrant].update(other for other in group if other != entrant)
        return Stage(tuple(self._meeting(self.round, balanced(g, plan.games, sat)) for g in groups), plan.games)

    def _standing(self, entrant: int) -> tuple[float, ...]:
        return (*(-round(part, 6) for part in self.key(entrant)), self._lot[entrant])

    def expected(self) -> int:
        left = len(self.accounts) - sum(account.paused for account in self.accounts)
        to_come = (self.plan.rounds - self.round) * (left // self.plan.seats)
        return (self._meetings + to_come) * self.plan.games

    def tie_break(self, entrant: int) -> float:
        return opposition(self.accounts, self._met[entrant])


def bye_points(plan: Plan) -> float:
    """A bye counts like winning a meeting of two; with more seats it counts an even share of the games."""
    return plan.games / (1 if plan.seats == 2 else plan.seats)


class KnockOut(System):
    """Entrants are seeded in the order in which they were named."""

    def __init__(self, plan: Plan, accounts: Sequence[Account], notify: Notify) -> None:
        super().__init__(plan, accounts, notify)
        self._slots: list[Slot] = knock_out.bracket(len(accounts))  # the entrants still in, and empty places
        self._out: dict[int, int] = {}  # the round in which each entrant was knocked out
        self._open: list[Meeting] = []  # meetings of this round
        self._scores: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self._won: Counter[int] = Counter()
        self._extra = 0

    def next(self) -> Stage | None:
        tied = [meeting for meeting in self._open if self._is_tied(meeting)]
        if tied and self._extra < MAX_EXTRA:
            self._extra += 1
            return Stage(tuple(tied), 2, self.plan.games + 2 * (self._extra - 1))
        if self._open:
            self._close()
        if len(self._slots) == 1:
            return None
        self.round += 1
        self._extra = 0
        for one, other in self._pairs():
            if one is not None and other is not None:
                self._open.append(self._meeting(self.round, (one, other)))
            elif one is not None:
                self.accounts[one].byes += 1
        return Stage(tuple(self._open), self.plan.games)

    def _pairs(self) -> list[tuple[Slot, Slot]]:
        return list(zip(self._slots[::2], self._slots[1::2], strict=True))

    def _points(self, meeting: Meeting) -> tuple[float, float]:
        score = self._scores[meeting.number]
        one, other = meeting.players
        return round(score[one], 6), round(score[other], 6)

    def _is_tied(self, meeting: Meeting) -> bool:
        one, other = self._points(meeting)
        return one == other and not any(self.accounts[player].paused for player in meeting.players)

    def _close(self) -> None:
        """Ends the round: winners go through, in order."""
        by_pair = {meeting.players: meeting for meeting in self._open}
        slots: list[Slot] = []
        for one, other in self._pairs():
            if one is None or other is None:
                slots.append(one if other is None else other)
                continue
            winner = self._winner(by_pair[one, other])
            self._out[other if winner == one else one] = self.round
            self._won[winner] += 1
            slots.append(winner)
        self._slots, self._open = slots, []
        self._scores.clear()

    def _winner(self, meeting: Meeting) -> int:
        there = [player for player in meeting.players if not self.accounts[player].paused]
        if len(there) == 1:
            return there[0]
        points = self._points(meeting)
        if there and points[0] != points[1]:
            return meeting.players[points[1] > points[0]]
        higher, lower = sorted(meeting.players)
        why = f"tied after {self.plan.games + 2 * self._extra} games" if there else "both paused"
        names = [self.plan.entrants[player].name for player in (higher, lower)]
        self.notify(f"{names[0]} goes through as the higher seed: {why} with {names[1]}.", higher)
        return higher

    def expected(self) -> int:
        left = sum(slot is not None for slot in self._slots) - len(self._open) - 1
        return (self._meetings + left) * self.plan.games

    def tie_break(self, entrant: int) -> float:
        """Meetings won, not counting byes."""
        return self._won[entrant]

    def key(self, entrant: int) -> Key:
        """Entrants knocked out later are placed higher; those knocked out in the same round share a place."""
        return (self._out.get(entrant, self.plan.rounds + 1),)

    def scored(self, meeting: int, entrant: int, points: float) -> None:
        self._scores[meeting][entrant] += points  # type: ignore[assignment]  # counts in halves


SYSTEMS: Final[dict[str, type[System]]] = {"round-robin": RoundRobin, "swiss": Swiss, "knock-out": KnockOut}


def full_rounds(system: str, count: int, seats: int) -> int:
    """The rounds of a whole tournament; for Swiss, enough to leave one unbeaten in meetings of two."""
    if system != "round-robin":
        return max(1, knock_out.rounds(count))
    if seats == 2:
        return count - 1 + count % 2
    return len(round_robin.rounds(count, seats, 0))


def max_meetings(system: str, count: int, seats: int, rounds: int) -> int:
    """A cheap upper bound, so that absurdly large tournaments are refused before they are drawn."""
    if system == "round-robin":
        return min(comb(count, seats), rounds * count)
    return rounds * (count // seats) if system == "swiss" else count - 1
