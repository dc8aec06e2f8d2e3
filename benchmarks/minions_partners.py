"""Sparring partners of Minions: `captain` with other tastes, and with other habits at the techline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from polemos.games.minions.bots.captain import CaptainBot
from polemos.games.minions.bots.draft import Draft, may_order
from polemos.games.minions.bots.teching import place_spells
from polemos.games.minions.search.records import (
    CLOSER,
    DEATH,
    HELD,
    LATE_YARD,
    LOSS,
    PRESSURE,
    SCARE,
    YARD,
    Tastes,
)
from polemos.games.minions.search.tastes import tastes_of
from polemos.games.minions.state import MARCH, MAX_CARDS, State, Type
from polemos.kernel.dice import number

# What boards are valued by, where it is not as usual.
WEIGHTS: Final[dict[str, dict[int, int]]] = {
    "turtle": {CLOSER: 0, PRESSURE: 100, LOSS: 100, DEATH: 5_400, SCARE: 900},
    "rush": {CLOSER: 30, PRESSURE: 2_000, LOSS: 25, YARD: 130},
    "economy": {YARD: 520, LATE_YARD: 400, HELD: 300, CLOSER: 0},
    "harasser": {CLOSER: 12, PRESSURE: 1_000},
    "swarm": {},
    "giants": {},
}
# Whose units count for more.
FAVOURITES: Final[dict[str, Callable[[Type], bool]]] = {
    "harasser": lambda row: row.speed + row.range >= 4,
    "swarm": lambda row: row.cost <= 3,
    "giants": lambda row: row.cost >= 5,
}
MORE: Final = 140  # hundredths of its worth that a favourite has
PATIENCE: Final = 7  # the turn from which on the late game techs


def liked(style: str, state: State) -> Tastes:
    tastes = tastes_of(state)
    for place, weight in WEIGHTS[style].items():
        tastes.weight[place] = weight
    is_liked = FAVOURITES.get(style)
    for type in range(state.types):
        if is_liked is not None and is_liked(state.type[type]):
            tastes.worth[type] = tastes.worth[type] * MORE // 100
    return tastes


class Stylist(CaptainBot):
    """Likes what its style likes."""

    def __init__(self, style: str, setting: Any, seat: str, seed: int) -> None:
        super().__init__(setting, seat, seed)
        self._planner.like(partial(liked, style))


class Mixture(CaptainBot):
    """Another style in every turn."""

    def __init__(self, setting: Any, seat: str, seed: int) -> None:
        super().__init__(setting, seat, seed)
        self._seed = seed

    def orders(self, view: Any, time_left: float) -> Sequence[Any]:
        styles = sorted(WEIGHTS)
        self._planner.like(partial(liked, styles[number(self._seed, "mixture", view.turn) % len(styles)]))
        return super().orders(view, time_left)


class Marcher(CaptainBot):
    """Marches as long as its habit says so, and techs what `captain` would afterwards."""

    def __init__(self, marches: Callable[[State], bool], setting: Any, seat: str, seed: int) -> None:
        super().__init__(setting, seat, seed)
        self._marches = marches

    def orders(self, view: Any, time_left: float) -> Sequence[Any]:
        if not may_order(view):
            return ()
        draft = Draft(self._setting, view)
        if not (self._marches(draft.state) and draft.spell(MARCH)):
            place_spells(draft)
        self._planner.play_all(draft)
        return draft.orders


def is_early(state: State) -> bool:
    return state.turn < PATIENCE


def has_as_many(state: State) -> bool:
    """Whether the mover has teched as many cards as the opponent."""
    teched = [sum(state.spells[side * MAX_CARDS + card] == 2 for card in range(state.cards)) for side in range(2)]
    return teched[state.side] >= teched[1 - state.side]


def partners() -> dict[str, Any]:
    """Makers of bots by name."""
    return {style: partial(Stylist, style) for style in WEIGHTS} | {
        "late game": partial(Marcher, is_early),
        "copycat": partial(Marcher, has_as_many),
        "mixture": Mixture,
    }
