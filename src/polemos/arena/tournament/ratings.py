"""Ratings: openskill's while a tournament runs, the fit over all games in the final report.

openskill goes game by game, so its ratings depend on the order of the games; they are only meant for watching. Games
are always taken in order of their numbers, whichever finished first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from openskill.models import PlackettLuce

from polemos.arena.tournament import fit
from polemos.arena.tournament.plan import Plan, Played, Rating

_SURE: Final = 3  # sigmas below mu in the shown rating: an entrant's lowest plausible strength


class Skill(Struct, frozen=True):
    """What openskill knows about an entrant."""

    mu: float
    sigma: float
    games: int = 0


class _Taken(Struct, frozen=True):
    """A game that was counted, and its bots' ratings before and after; empty if it was void or repeated another."""

    played: Played
    before: dict[int, Skill]
    after: dict[int, Skill]


class InOrder:
    """Ratings of games in order of their numbers, whatever order they are taken in.

    `known` are ratings after games that nothing can come before any more; `is_old` says whether a game repeats one of
    those.
    """

    def __init__(
        self, known: Mapping[int, Skill] | None = None, is_old: Callable[[Played], bool] = lambda played: False
    ) -> None:
        self._model = PlackettLuce()
        fresh = self._model.rating()
        self._fresh = Skill(fresh.mu, fresh.sigma)
        self._is_old = is_old
        self._skills = dict(known or {})
        self._taken: list[_Taken] = []
        self._numbers: set[int] = set()
        self._courses: set[tuple[str, tuple[int, ...]]] = set()

    def skill(self, entrant: int) -> Skill:
        return self._skills.get(entrant, self._fresh)

    def take(self, played: Played) -> set[int]:
        """Counts a game, once; games with higher numbers that came earlier are counted again after it.

        Returns the entrants whose ratings may have changed.
        """
        if played.number in self._numbers:
            return set()
        self._numbers.add(played.number)
        later: list[Played] = []
        while self._taken and self._taken[-1].played.number > played.number:
            later.append(self._give_back())
        for game in (played, *reversed(later)):
            self._taken.append(self._rate(game))
        return {entrant for game in (played, *later) for entrant in game.seating}

    def settle(self, number: int) -> dict[int, Skill]:
        """Nothing will come before any game up to this number. Returns the ratings after those that it dropped."""
        count = sum(taken.played.number <= number for taken in self._taken)
        dropped = self._taken[:count]
        del self._taken[:count]
        found: dict[int, Skill] = {}
        for taken in dropped:
            found |= taken.after
            self._numbers.discard(taken.played.number)
        # A later game that repeats one of these must still be known as a repetition when it is counted again.
        self._courses -= {_course(taken.played) for taken in dropped} - {_course(taken.played) for taken in self._taken}
        return found

    def _rate(self, game: Played) -> _Taken:
        course = _course(game)
        if game.void or course in self._courses or self._is_old(game):
            return _Taken(game, {}, {})
        self._courses.add(course)
        before = {entrant: self.skill(entrant) for entrant in game.seating}
        teams = [[self._model.rating(before[entrant].mu, before[entrant].sigma)] for entrant in game.seating]
        rated = self._model.rate(teams, ranks=[*game.ranks])
        after = {
            entrant: Skill(new.mu, new.sigma, before[entrant].games + 1)
            for entrant, (new,) in zip(game.seating, rated, strict=True)
        }
        self._skills |= after
        return _Taken(game, before, after)

    def _give_back(self) -> Played:
        taken = self._taken.pop()
        self._skills |= taken.before
        if taken.before:
            self._courses.remove(_course(taken.played))
        return taken.played


def _course(game: Played) -> tuple[str, tuple[int, ...]]:
    """Equal for games that repeat each other."""
    return game.fingerprint, game.seating


class Live(InOrder):
    """Ratings that follow a tournament."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self._entrants = len(plan.entrants)

    def ratings(self) -> list[Rating]:
        """By entrant, without the fit."""
        found = enumerate(self.skill(entrant) for entrant in range(self._entrants))
        return [
            Rating(entrant, skill.games, skill.mu - _SURE * skill.sigma, skill.mu, skill.sigma, None, None, None)
            for entrant, skill in found
        ]


def rate(plan: Plan, played: Iterable[Played]) -> list[Rating]:
    """All ratings by entrant; identical games with the same seating count once."""
    games = sorted(played, key=lambda game: game.number)
    live = Live(plan)
    for game in games:
        live.take(game)
    found = fit.estimates(len(plan.entrants), games)
    return [
        rating if of is None else replace(rating, elo=of.elo, low=of.low, high=of.high)
        for rating, of in zip(live.ratings(), found, strict=True)
    ]
