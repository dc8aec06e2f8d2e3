"""What a view of Demons says about the map: ground, ranges, cooldowns, fights. Pure functions for the pictures."""

from __future__ import annotations

from typing import Final

from polemos.games.demons.layout import BASES, PATH, PLAYERS, TERRITORY
from polemos.games.demons.view import Guide, Setting, Tower, Unit, View
from polemos.pictures.squares import Tile
from polemos.pictures.svg import PictureError

SIDES: Final = PLAYERS


def size_of(setting: Setting) -> tuple[int, int]:
    """Columns and rows of the map."""
    return max((len(row) for row in setting.rows), default=1), max(1, len(setting.rows))


def ground(setting: Setting, letters: str) -> frozenset[Tile]:
    """The tiles that the map marks with one of the letters."""
    return frozenset((x, y) for y, row in enumerate(setting.rows) for x, sign in enumerate(row) if sign in letters)


def territory(setting: Setting, side: str) -> frozenset[Tile]:
    return ground(setting, TERRITORY[side])


def paths(setting: Setting) -> frozenset[Tile]:
    """All lanes and the two bases."""
    return ground(setting, PATH + BASES)


def guide(setting: Setting) -> Guide:
    """What the rules of this match say about figures and ranges."""
    if setting.guide is None:
        raise PictureError("This setting was written before settings had a guide, so its ranges are not known.")
    return setting.guide


def covers(setting: Setting, tower: Tower, tile: Tile) -> bool:
    """Whether a tile lies in the range of a tower (8.3, 11.6)."""
    return (tile[0] - tower.x, tile[1] - tower.y) in guide(setting).covers.get(tower.kind, ())


def tower_at(view: View, tile: Tile) -> Tower:
    for tower in view.towers:
        if (tower.x, tower.y) == tile:
            return tower
    raise PictureError(f"There is no tower at {tile[0]},{tile[1]}, so there is no range to show.")


def progress(setting: Setting, tower: Tower) -> tuple[int, int]:
    """Turns from act to act, and how many of them have come; all of them: it acts this turn (8.2, 11.5)."""
    most = setting.towers[tower.kind].cooldown
    turns = max(1, most + 1 - guide(setting).ready)
    return turns, max(0, min(turns, most + 1 - tower.cooldown))


def wait(setting: Setting, tower: Tower) -> int:
    """The turns before a tower acts; 0: it acts this turn."""
    return max(0, tower.cooldown - guide(setting).ready)


def fights(setting: Setting, view: View) -> list[tuple[Tile, Tile, bool]]:
    """Who fought: a unit's tile, the next one on its lane, and whether it struck across that tile (5.3, 5.4)."""
    at = {(unit.x, unit.y): unit for unit in view.units}
    bases = {(base.x, base.y) for base in view.bases.values()}
    found: dict[tuple[Tile, Tile], tuple[Tile, Tile, bool]] = {}
    for unit in view.units:
        ahead = _ahead(setting, view, unit) if unit.state == "fighting" else []
        if not ahead:
            continue
        here, front, beyond = (unit.x, unit.y), ahead[0], ahead[1] if len(ahead) > 1 else None
        other = at.get(beyond) if beyond else None
        rival = other is not None and other.kind == unit.kind and other.side != unit.side
        across = front not in at and front not in bases and (rival or beyond in bases)
        key = (front, front) if across else (min(here, front), max(here, front))
        found.setdefault(key, (here, front, across))
    return list(found.values())


def _ahead(setting: Setting, view: View, unit: Unit) -> list[Tile]:
    """The tiles before a unit on its lane, the base it walks to included."""
    home, goal = view.bases["red"], view.bases["blue"]
    onward = (unit.side == "red") == (unit.kind == "mercenary")  # from red's base to blue's
    ends = ((home.x, home.y), (goal.x, goal.y))
    for lane in setting.lanes:
        if (unit.x, unit.y) in lane:
            way = [ends[0], *(tile for tile in lane if tile not in ends), ends[1]]
            if not onward:
                way.reverse()
            return way[way.index((unit.x, unit.y)) + 1 :]
    return []
