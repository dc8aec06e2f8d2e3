"""The facts in a report, counted once for all its files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from polemos import registry
from polemos.arena.times import Used
from polemos.arena.tournament.fit import distinct
from polemos.arena.tournament.plan import Notice, Plan, Played, Rating, Row
from polemos.arena.tournament.report_words import names, tame
from polemos.kernel.errors import NoSuchGame
from polemos.kernel.verdict import Verdict

_MAX_TITLE: Final = 40  # characters


class Cell(Struct):
    """A row of the cross-table against a column."""

    points: float = 0.0  # of the row
    games: int = 0

    @property
    def mean(self) -> float:
        return self.points / self.games


class Fault(Struct):
    """One kind of fault by one entrant: how often, in how many games, and where it was first seen."""

    kind: str
    first: Played
    example: str = ""
    times: int = 0
    games: int = 0


class Facts(Struct, dict=True):
    """A tournament so far. Games are in order of their numbers, without void ones."""

    plan: Plan
    played: Sequence[Played]
    rows: Sequence[Row]
    notices: Sequence[Notice]
    ratings: dict[int, Rating]
    done: int
    due: int
    running: bool

    @property
    def is_duel(self) -> bool:
        return self.plan.seats == 2

    @cached_property
    def title(self) -> str:
        """The display name of the game."""
        try:
            return tame(registry.load(self.plan.game).title, _MAX_TITLE)
        except NoSuchGame:  # a report can be rewritten even if the game is not installed
            return tame(self.plan.game, _MAX_TITLE).capitalize()

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats."""
        try:
            known = registry.load(self.plan.game).facts.seats[: self.plan.seats]
        except NoSuchGame:
            known = ()
        return (*known, *(f"seat {i + 1}" for i in range(len(known), self.plan.seats)))

    @cached_property
    def names(self) -> list[str]:
        """Names by entrant; cleaned up, but not yet escaped."""
        return names([entrant.name for entrant in self.plan.entrants])

    @cached_property
    def distinct(self) -> int:
        """The number of different games."""
        return len(distinct(self.played))

    @cached_property
    def cells(self) -> dict[tuple[int, int], Cell]:
        """The cross-table: (row, column) to the row's results in games that both played."""
        found: dict[tuple[int, int], Cell] = {}
        for game in self.played:
            for one, points in zip(game.seating, game.points, strict=True):
                for other in game.seating:
                    if one != other:
                        at = found.setdefault((one, other), Cell())
                        at.points += points
                        at.games += 1
        return found

    @cached_property
    def meetings(self) -> dict[int, list[Played]]:
        """The games of every meeting, in order."""
        found: dict[int, list[Played]] = defaultdict(list)
        for game in self.played:
            found[game.meeting].append(game)
        return dict(found)

    @cached_property
    def rounds(self) -> dict[int, list[int]]:
        """The meetings of every round."""
        found: dict[int, list[int]] = defaultdict(list)
        for meeting, games in self.meetings.items():
            found[games[0].round].append(meeting)
        return dict(sorted(found.items()))

    @cached_property
    def pairs(self) -> dict[tuple[int, int], list[int]]:
        """The meetings of every pair of entrants, the lower number first."""
        found: dict[tuple[int, int], list[int]] = defaultdict(list)
        for meeting, games in self.meetings.items():
            players = sorted(set(games[0].seating))
            for i, one in enumerate(players):
                for other in players[i + 1 :]:
                    found[one, other].append(meeting)
        return dict(found)

    @cached_property
    def used(self) -> dict[int, Used]:
        """The time that each entrant took, in games that were timed."""
        found: dict[int, Used] = defaultdict(Used)
        for game in self.played:
            for entrant, used in zip(game.seating, game.used, strict=False):
                found[entrant] = found[entrant].plus(used)
        return dict(found)

    @cached_property
    def faults(self) -> dict[int, list[Fault]]:
        """Faults by entrant, in order of the standings: drop-outs and bots that were gone by kind, then strikes and
        void lines."""
        kinds: dict[int, dict[str, Fault]] = defaultdict(dict)
        counted: dict[str, dict[int, Fault]] = {"strikes": {}, "void lines": {}}
        for game in self.played:
            for seat, text in sorted([*game.forfeits.items(), *game.gone.items()]):
                kind = Verdict.read(text).word or ("other" if text else "no verdict")
                kind += ", passed to the end" if seat in game.gone else ""
                fault = kinds[game.seating[seat]].setdefault(kind, Fault(kind, game, tame(text)))
                fault.times += 1
                fault.games += 1
            for kind, by_seat in (("strikes", game.strikes), ("void lines", game.void_lines)):
                for entrant, times in _by_entrant(game, by_seat).items():
                    fault = counted[kind].setdefault(entrant, Fault(kind, game))
                    fault.times += times
                    fault.games += 1
        ordered = {row.entrant: [*kinds[row.entrant].values()] for row in self.rows}
        for faults in counted.values():
            for entrant, fault in faults.items():
                ordered.setdefault(entrant, []).append(fault)
        return {entrant: found for entrant, found in ordered.items() if found}


def _by_entrant(game: Played, by_seat: Sequence[int]) -> dict[int, int]:
    """Counts of a game by entrant, without zeros."""
    found: dict[int, int] = {}
    for entrant, times in zip(game.seating, by_seat, strict=False):
        if times:
            found[entrant] = found.get(entrant, 0) + times
    return found


def gather(
    plan: Plan,
    played: Sequence[Played],
    rows: Sequence[Row],
    notices: Sequence[Notice],
    ratings: Sequence[Rating],
    *,
    done: int,
    due: int,
    running: bool,
) -> Facts:
    """The facts of a report."""
    return Facts(
        plan=plan,
        played=sorted((game for game in played if not game.void), key=lambda game: game.number),
        rows=rows,
        notices=notices,
        ratings={rating.entrant: rating for rating in ratings},
        done=done,
        due=due,
        running=running,
    )
