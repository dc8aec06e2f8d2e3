"""Ratings: openskill's while a tournament runs, the fit over all games in the final report.

openskill goes game by game, so its ratings depend on the order of the games; they are only meant for watching. Games
are always taken in order of their numbers, whichever finished first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from openskill.models import PlackettLuce

from polemos.arena.tournament import fit
from polemos.arena.tournament.plan import Plan, Played, Rating

_SURE: Final = 3  # sigmas below mu in the shown rating: an entrant's lowest plausible strength


class _Skill(Struct, frozen=True):
    mu: float
    sigma: float
    games: int = 0


class _Taken(Struct, frozen=True):
    """A game that was counted, and its bots' ratings before it; empty if it was void or repeated another."""

    played: Played
    before: dict[int, _Skill]


class Live:
    """Ratings that follow a tournament. Whatever order games are taken in, the result is that of their numbers."""

    def __init__(self, plan: Plan) -> None:
        self._model = PlackettLuce()
        fresh = self._model.rating()
        self._skills = [_Skill(fresh.mu, fresh.sigma)] * len(plan.entrants)
        self._taken: list[_Taken] = []
        self._numbers: set[int] = set()
        self._courses: set[tuple[str, tuple[int, ...]]] = set()

    def take(self, played: Played) -> None:
        """Counts a game, once; games with higher numbers that came earlier are counted again after it."""
        if played.number in self._numbers:
            return
        self._numbers.add(played.number)
        later: list[Played] = []
        while self._taken and self._taken[-1].played.number > played.number:
            later.append(self._give_back())
        for game in (played, *reversed(later)):
            self._taken.append(self._rate(game))

    def ratings(self) -> list[Rating]:
        """By entrant, without the fit."""
        return [
            Rating(entrant, skill.games, skill.mu - _SURE * skill.sigma, skill.mu, skill.sigma, None, None, None)
            for entrant, skill in enumerate(self._skills)
        ]

    def _rate(self, game: Played) -> _Taken:
        course = (game.fingerprint, game.seating)
        if game.void or course in self._courses:
            return _Taken(game, {})
        self._courses.add(course)
        before = {entrant: self._skills[entrant] for entrant in game.seating}
        teams = [[self._model.rating(before[entrant].mu, before[entrant].sigma)] for entrant in game.seating]
        for entrant, (new,) in zip(game.seating, self._model.rate(teams, ranks=[*game.ranks]), strict=True):
            self._skills[entrant] = _Skill(new.mu, new.sigma, before[entrant].games + 1)
        return _Taken(game, before)

    def _give_back(self) -> Played:
        taken = self._taken.pop()
        for entrant, skill in taken.before.items():
            self._skills[entrant] = skill
        if taken.before:
            self._courses.remove((taken.played.fingerprint, taken.played.seating))
        return taken.played


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
