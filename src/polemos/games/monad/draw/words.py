"""A position of Monad in words, for captions, the printed page, the terminal and people who cannot see the picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polemos.games.monad.draw.facts import block, holding, largest, ore_left
from polemos.games.monad.view import Building, Setting, View
from polemos.pictures.squares import Tile
from polemos.pictures.svg import clean

_LONGEST: Final = 40  # characters of a map's name
_FEW: Final = 8  # buildings that are told one by one
_STACKS: Final = 3


def map_name(setting: Setting) -> str:
    """The name of the map, which people gave: without control characters, and not too long."""
    name = clean(setting.name[: 4 * _LONGEST])
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def name(setting: Setting, view: View) -> str:
    return f"Monad, {map_name(setting)}. {moment(view)} {verdict(view)}".rstrip()


def moment(view: View) -> str:
    """The turn in progress, or how the game ended."""
    played = max(0, view.turn - 1)
    return f"Over after turn {played}." if view.outcome else f"Turn {view.turn} of {view.turns}."


def note(view: View) -> str:
    """Who won; empty before the end."""
    if view.outcome is None:
        return ""
    return f"{view.outcome.winner.capitalize()} wins" if view.outcome.winner else "A draw"


def verdict(view: View) -> str:
    """How it ended and by which paragraph; empty before the end."""
    return f"{note(view)}: {view.outcome.reason}. Rule {view.outcome.rule}." if view.outcome else ""


def position(setting: Setting, view: View) -> str:
    """The map, and after which turn it is drawn."""
    if view.outcome is not None:
        return f"{map_name(setting)}: {view.outcome.reason}. Rule {view.outcome.rule}."
    if view.turn <= 1:
        return f"{map_name(setting)}. Starting position."
    return f"{map_name(setting)}. Position after turn {view.turn - 1}."


def survivor(setting: Setting, view: View) -> str:
    """Who alone has units, and for how long; empty if nobody does."""
    if view.alone is None or view.outcome is not None:
        return ""
    seat, ends = view.alone
    return f"Only {seat.capitalize()} has units, at {ends} of {setting.survival} turn ends."


def fate(view: View, seat: str) -> str:
    """Whether a player is out or has forfeited, and since when."""
    if seat in view.forfeited:
        return f"forfeited on turn {view.forfeited[seat]}"
    return f"out on turn {view.out[seat]}" if seat in view.out else ""


def some(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def belongings(view: View, seat: str) -> tuple[str, str]:
    """What a player has, in two short lines."""
    has = holding(view, seat)
    return (
        f"{some(has.units, 'unit')} on {some(has.tiles, 'tile')}",
        f"{some(has.buildings, 'building')}, stock {has.stock:,}",
    )


def tile_told(setting: Setting, view: View, tile: Tile) -> tuple[str, str]:
    """Which tile it is; what stands on it and what it holds."""
    x, y = tile
    ore = ore_left(setting, view).get(tile)
    if ore is None:
        return f"Tile {x},{y}.", "Blocked."
    said = [
        f"{stack.owner.capitalize()} has {some(stack.units, 'unit')} here."
        for stack in view.stacks
        if (stack.x, stack.y) == tile
    ]
    for building in view.buildings:
        if (building.x, building.y) == tile:
            points = f"{building.points} of {setting.unit_cost} points"
            said.append(f"Core of a building of {building.owner.capitalize()}, {points}.")
        elif tile in block(building):
            said.append(f"Part of the building of {building.owner.capitalize()} at {building.x},{building.y}.")
    said.append(f"{ore} of {setting.ore[y][x]} ore left.")
    return f"Tile {x},{y}.", " ".join(said)


def stacks_told(view: View, seat: str, most: int = _STACKS) -> str:
    """The largest stacks of a player, the exact number and the tile of each."""
    found = largest(view, seat)
    told = "; ".join(f"{stack.units:,} at {stack.x},{stack.y}" for stack in found[:most])
    return f"{told}; {len(found) - most} more" if len(found) > most else told


def building_told(building: Building) -> str:
    """Core, direction, points if there are any."""
    points = f" {some(building.points, 'point')}" if building.points else ""
    return f"{building.x},{building.y} {building.direction}{points}"


def describe(setting: Setting, view: View) -> str:
    """The position in words, for people who cannot see the picture."""
    parts = [name(setting, view), f"{setting.width} by {setting.height} tiles."]
    for seat in setting.seats:
        parts.append(f"{seat.capitalize()}{_ended(view, seat)}: {', '.join(belongings(view, seat))}.")
        if largest(view, seat):
            parts.append(f"Largest stacks: {stacks_told(view, seat)}.")
        cores = [f"{one.x},{one.y}" for one in view.buildings if one.owner == seat]
        if cores:
            parts.append(f"Cores at {_list(cores)}.")
    if survivor(setting, view):
        parts.append(survivor(setting, view))
    return " ".join(parts)


def _ended(view: View, seat: str) -> str:
    return f", {fate(view, seat)}" if fate(view, seat) else ""


def _list(items: Sequence[str]) -> str:
    """The first of many."""
    more = len(items) - _FEW
    return "; ".join(items[:_FEW]) + (f"; {more} more" if more > 0 else "")
