"""The course of a tournament as a pure function of its plan and of the games played.

Games may arrive in any order; they are settled in order of their numbers. So the table, the pauses and the next
pairings depend only on the plan and the games, never on which core was faster. No clocks or files are used here, so
with made-up results a whole tournament can be simulated in a moment.

A game is settled in one of four ways:

    played      its points count
    void        it could not be played: nobody gets points
    walkover    someone in it is paused, or may not play any more: the others share its point
    dead        everyone in it is paused, or may not play any more: nobody gets points
"""

from __future__ import annotations

from collections.abc import Iterator

from polemos.arena.times import Used
from polemos.arena.tournament import seats
from polemos.arena.tournament.accounts import Account, count, rows
from polemos.arena.tournament.plan import Notice, Pairing, Plan, Played, Row
from polemos.arena.tournament.systems import SYSTEMS, Stage
from polemos.kernel.errors import PolemosError
from polemos.kernel.tame import tame

_MAX_WHY = 200  # characters of a verdict: it ends with the useful line of a bot's log
_MAX_DROPS = 3  # verdicts in one notice


class OtherCourse(PolemosError):
    """A game that does not belong to this plan."""

    word = "tournament/other"


class Tournament:
    """Takes games as they are played, and knows the table and the games that are due."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.notices: list[Notice] = []
        self.counted: list[Played] = []  # by number
        self.settled = 0  # all games up to this number
        self._waiting: dict[int, Played] = {}  # arrived before their turn
        self._accounts = [Account(sat=[0] * plan.seats) for _ in plan.entrants]
        self._system = SYSTEMS[plan.system](plan, self._accounts, self._notify)
        self._before = 0  # games in all earlier stages
        self._absent: set[int] = set()
        self._stage: Stage | None = Stage((), 0)
        self._advance()

    # ---- the state so far

    @property
    def is_over(self) -> bool:
        return self._stage is None

    @property
    def round(self) -> int:
        """The round of the next game to settle."""
        following = self._pairing(self.settled + 1) if self._stage else None
        return self._system.round if following is None else following.round

    @property
    def expected(self) -> int:
        """The number of games in the whole tournament, as far as we can tell now."""
        return max(self._system.expected(), self.settled)

    @property
    def arrived(self) -> int:
        """The number of games that are settled or waiting for their turn."""
        return self.settled + len(self._waiting)

    def rows(self) -> list[Row]:
        """The table from first to last."""
        return rows(self._accounts, self._system.tie_break, self._system.key)

    def used(self) -> list[Used]:
        """The time that each entrant took. Nothing else here depends on the machine."""
        return [account.used for account in self._accounts]

    def due(self, after: int = 0) -> Iterator[Pairing]:
        """Games numbered above `after` that can be played now and have not arrived, in order."""
        if self._stage is None:
            return
        for number in range(max(after, self.settled) + 1, self._before + len(self._stage) + 1):
            pairing = self._pairing(number)
            if number not in self._waiting and not self._paused(pairing):
                yield pairing

    def left(self, after: int) -> int:
        """How many games of this stage have numbers above `after`."""
        return 0 if self._stage is None else self._before + len(self._stage) - max(after, self.settled)

    # ---- arriving games

    def take(self, played: Played) -> None:
        """Takes a game that has arrived. One that is already here changes nothing."""
        if played.number > self.settled:
            self._waiting.setdefault(played.number, played)
            self._advance()

    def _advance(self) -> None:
        """Settles as many games as possible, and draws the next stage when this one is complete."""
        while self._stage is not None:
            while self.settled < self._before + len(self._stage):
                if not self._settle(self._pairing(self.settled + 1)):
                    return
                self.settled += 1
            self._before += len(self._stage)
            self._stage = self._system.next()

    def _pairing(self, number: int) -> Pairing:
        assert self._stage is not None
        meeting, index = divmod(number - self._before - 1, self._stage.games)
        return seats.pairing(self.plan, self._stage.meetings[meeting], self._stage.begin + index, number)

    def _paused(self, pairing: Pairing) -> bool:
        return any(self._accounts[entrant].paused for entrant in pairing.seating)

    def _settle(self, pairing: Pairing) -> bool:
        """Settles the next game; False if it must be played first."""
        played = self._waiting.get(pairing.number)
        if self._paused(pairing):
            self._walk_over(pairing)
        elif played is None:
            return False
        else:
            self._check(pairing, played)
            if played.absent:
                self._enter_absent(pairing, played)
            elif played.void:
                self._enter_void(played)
            else:
                self._enter(played)
        self._waiting.pop(pairing.number, None)
        return True

    def _check(self, pairing: Pairing, played: Played) -> None:
        given = (played.meeting, played.round, played.seating)
        if given != (pairing.meeting, pairing.round, pairing.seating):
            raise OtherCourse(
                f"Game {played.number} was played by {played.seating} in meeting {played.meeting}, but under this plan"
                f" it is {pairing.seating} in meeting {pairing.meeting}. Use the version that started this tournament."
            )

    def _enter(self, played: Played) -> None:
        self.counted.append(played)
        count(self._accounts, played)
        for entrant, points in zip(played.seating, played.points, strict=True):
            self._system.scored(played.meeting, entrant, points)
        limit = self.plan.pause_after
        for entrant in played.seating:
            drops = self._accounts[entrant].drops
            if limit and len(drops) >= limit:
                games = "; ".join(f"game {number}: {tame(why, _MAX_WHY)}" for number, why in drops[-_MAX_DROPS:])
                self._pause(entrant, played.number, f"dropped out of {_in_a_row(len(drops))} ({games})")

    def _enter_void(self, played: Played) -> None:
        """A void game may be anyone's fault; a bot is only blamed once it is the only one present every time."""
        self._notice(played.number, f"Game {played.number} is void: {tame(played.reason, _MAX_WHY)}", None)
        limit = self.plan.pause_after
        for entrant in played.seating:
            voids = self._accounts[entrant].voids
            voids.append(frozenset(played.seating))
            if limit and len(voids) >= limit and frozenset.intersection(*voids) == {entrant}:
                self._pause(entrant, played.number, f"was in {_in_a_row(len(voids))} that could not be played")

    def _enter_absent(self, pairing: Pairing, played: Played) -> None:
        """Some may not play any more, for a reason that lies outside the tournament."""
        for entrant in set(played.absent) - self._absent:
            name = self.plan.entrants[entrant].name
            self._notice(played.number, f"{name} plays no more: {tame(played.reason, _MAX_WHY)}", entrant)
        self._absent.update(played.absent)
        self._walk_over(pairing, played.absent)

    def _walk_over(self, pairing: Pairing, absent: tuple[int, ...] = ()) -> None:
        there = [entrant for entrant in pairing.seating if not self._accounts[entrant].paused and entrant not in absent]
        for entrant in there:
            self._accounts[entrant].points += 1 / len(there)
            self._accounts[entrant].walkovers += 1
            self._system.scored(pairing.meeting, entrant, 1 / len(there))

    def _pause(self, entrant: int, number: int, why: str) -> None:
        self._accounts[entrant].paused = True
        name = self.plan.entrants[entrant].name
        self._notice(number, f"{name} is paused: it {why}. Its remaining games are not played.", entrant)

    def _notify(self, text: str, entrant: int | None) -> None:
        self._notice(self.settled, text, entrant)

    def _notice(self, number: int, text: str, entrant: int | None) -> None:
        self.notices.append(Notice(number, text, entrant))


def _in_a_row(number: int) -> str:
    return "a game" if number == 1 else f"{number} games in a row"
