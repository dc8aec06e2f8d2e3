"""What the pictures of Monad show, read from the setting and a view."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from typing import Final

from polemos.games.monad.layout import ACROSS
from polemos.games.monad.view import Building, Setting, Stack, View
from polemos.pictures.squares import Tile

PIPS: Final = 5
STEPS: Final = 5  # of sand
_STEP: Final = 10  # ore to a step
LARGEST: Final = 0.42  # of a tile: larger pieces would hide their neighbours
_UNITS: Final = (("t", 10**12), ("g", 10**9), ("m", 10**6), ("k", 10**3))
_MAX: Final = 10**15 - 1


@dataclass(frozen=True)
class Holding:
    """What a player has in all."""

    units: int
    tiles: int  # with units
    buildings: int
    stock: int


def holding(view: View, seat: str) -> Holding:
    tiles = sum(stack.owner == seat for stack in view.stacks)
    buildings = sum(building.owner == seat for building in view.buildings)
    return Holding(view.units.get(seat, 0), tiles, buildings, view.stock.get(seat, 0))


def far(building: Building) -> Tile:
    """The tile of a building that lies across from its core."""
    dx, dy = ACROSS[building.direction]
    return building.x + dx, building.y + dy


def block(building: Building) -> tuple[Tile, Tile, Tile, Tile]:
    """The tiles of a building in reading order."""
    (x, y), (fx, fy) = (building.x, building.y), far(building)
    left, top = min(x, fx), min(y, fy)
    return (left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)


def blocked(setting: Setting) -> frozenset[Tile]:
    return frozenset((x, y) for y, row in enumerate(setting.ore) for x, ore in enumerate(row) if ore < 0)


def ore_left(setting: Setting, view: View) -> dict[Tile, int]:
    """The ore of every tile that is not blocked, in reading order."""
    left = {(x, y): ore for y, row in enumerate(setting.ore) for x, ore in enumerate(row) if ore >= 0}
    left.update(((ore.x, ore.y), ore.left) for ore in view.ore if (ore.x, ore.y) in left)
    return left


def step(ore: int) -> int:
    """The step of sand, from 0; the last one takes all that is more.

    >>> [step(ore) for ore in (0, 9, 10, 39, 40, 50, 9999)]
    [0, 0, 1, 3, 4, 4, 4]
    """
    return min(STEPS - 1, max(0, ore) // _STEP)


def short(number: int) -> str:
    """A number in at most four signs, cut and not rounded, so that nobody has less than is said.

    >>> [short(number) for number in (999, 1000, 1290, 34567, 999_999, 2**31 - 1)]
    ['999', '1.0k', '1.2k', '34k', '999k', '2.1g']
    """
    number = min(number, _MAX)
    for letter, unit in _UNITS:
        if number >= 10 * unit:
            return f"{number // unit}{letter}"
        if number >= unit:
            return f"{number // unit}.{number * 10 // unit % 10}{letter}"
    return str(number)


def radius(units: int, figured: bool = True) -> float:
    """The radius of a stack's piece in tiles; without figures sizes differ more, since they alone tell the strength."""
    size = log10(max(1, units))
    return min(LARGEST, 0.27 + 0.05 * size if figured else 0.2 + 0.075 * size)


def pips(points: int, cost: int) -> int:
    """How many of five pips are filled; one at least where there is any point.

    >>> [pips(points, 5) for points in range(5)], [pips(points, 20) for points in (0, 1, 4, 10, 19)]
    ([0, 1, 2, 3, 4], [0, 1, 1, 2, 4])
    """
    return 0 if points <= 0 else max(1, min(PIPS, PIPS * points // max(1, cost)))


def largest(view: View, seat: str) -> list[Stack]:
    """The stacks of a player, the largest first."""
    return sorted((one for one in view.stacks if one.owner == seat), key=lambda one: (-one.units, one.y, one.x))
