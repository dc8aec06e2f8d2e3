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
    WEIGHTS,
    YARD,
    Tastes,
)
from polemos.games.minions.search.tastes import tastes_of
from polemos.games.minions.state import MARCH, MAX_CARDS, State, Type
from polemos.kernel.dice import number

# What boards are valued by, where it is not as usual.
STYLES: Final[dict[str, dict[int, int]]] = {
    "turtle": {CLOSER: 0, PRESSURE: 100, LOSS: 100, DEATH: 5_400, SCARE: 900},
    "rush": {CLOSER: 30, PRESSURE: 2_000, LOSS: 25, YARD: 130},
    "economy": {YARD: 520, LATE_YARD: 400, HELD: 300, CLOSER: 0},
    "harasser": {CLOSER: 12, PRESSURE: 1_000},
    "swarm": {},
    "giants": {},
}
# Whose units count for more, and how many hundredths of their worth.
FAVOURITES: Final[tuple[Callable[[Type], bool], ...]] = (
    lambda row: row.speed + row.range >= 4,
    lambda row: row.cost <= 3,
    lambda row: row.cost >= 5,
)
FAVOURED: Final = {"harasser": (140, 100, 100), "swarm": (100, 140, 100), "giants": (100, 100, 140)}
EVEN: Final = (100, 100, 100)
PATIENCE: Final = 7  # the turn from which on the late game techs

Row = tuple[int, ...]  # weights, and the hundredths that favourites are worth

# Grown against `champion` by `python -m benchmarks.grow minions`.
EXPLOITERS: Final[dict[str, Row]] = {
    "nemesis": (520, 399, 12, 0, 0, 60, 600, 3_599, 600, 500, 0, 100, 100, 100),
}


def rows() -> dict[str, Row]:
    """All styles and exploiters."""
    styles = {
        style: (*(changes.get(place, weight) for place, weight in enumerate(WEIGHTS)), *FAVOURED.get(style, EVEN))
        for style, changes in STYLES.items()
    }
    return styles | EXPLOITERS


def liked(row: Row, state: State) -> Tastes:
    tastes = tastes_of(state)
    for place, weight in enumerate(row[: len(WEIGHTS)]):
        tastes.weight[place] = weight
    for type in range(state.types):
        for is_favourite, hundredths in zip(FAVOURITES, row[len(WEIGHTS) :], strict=True):
            if is_favourite(state.type[type]):
                tastes.worth[type] = tastes.worth[type] * hundredths // 100
    return tastes


class Weighted(CaptainBot):
    """Likes what its row says."""

    def __init__(self, row: Row, setting: Any, seat: str, seed: int) -> None:
        super().__init__(setting, seat, seed)
        self._planner.like(partial(liked, row))


class Mixture(CaptainBot):
    """Another style in every turn."""

    def __init__(self, setting: Any, seat: str, seed: int) -> None:
        super().__init__(setting, seat, seed)
        self._seed = seed

    def orders(self, view: Any, time_left: float) -> Sequence[Any]:
        styles = sorted(rows().items())
        _, row = styles[number(self._seed, "mixture", view.turn) % len(styles)]
        self._planner.like(partial(liked, row))
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
    return {name: partial(Weighted, row) for name, row in rows().items()} | {
        "late game": partial(Marcher, is_early),
        "copycat": partial(Marcher, has_as_many),
        "mixture": Mixture,
    }
