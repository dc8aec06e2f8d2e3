"""What a view of Demons says about the map: ground, ranges, cooldowns, fights. Pure functions for the pictures."""

from __future__ import annotations

import re
from typing import Final

from polemos.games.demons.view import Setting, Tower, Unit, View
from polemos.pictures.squares import Tile
from polemos.pictures.svg import PictureError

SIDES: Final = ("red", "blue")
MERCENARY_HEALTH: Final = 20
_GROUND: Final = {"red": "rp", "blue": "bq"}
_PATH: Final = "oRBuvUVw"


def size_of(setting: Setting) -> tuple[int, int]:
    """Columns and rows of the map."""
    return max((len(row) for row in setting.rows), default=1), max(1, len(setting.rows))


def ground(setting: Setting, letters: str) -> frozenset[Tile]:
    """The tiles that the map marks with one of the letters."""
    return frozenset((x, y) for y, row in enumerate(setting.rows) for x, sign in enumerate(row) if sign in letters)


def territory(setting: Setting, side: str) -> frozenset[Tile]:
    return ground(setting, _GROUND[side])


def paths(setting: Setting) -> frozenset[Tile]:
    """All lanes and the two bases."""
    return ground(setting, _PATH)


def finals(setting: Setting) -> bool:
    """Whether the rules of the finals hold (11)."""
    return "finals-2025" in (setting.rules, setting.options.get("rules"))


def covers(setting: Setting, tower: Tower, tile: Tile) -> bool:
    """Whether a tile lies in the range of a tower (8.3, 11.6)."""
    reach = setting.towers[tower.kind].range
    dx, dy = tile[0] - tower.x, tile[1] - tower.y
    if not finals(setting):
        return abs(dx) + abs(dy) <= reach
    quirks = str(setting.options.get("quirks", ""))
    listed = re.findall(r"Q\d+", quirks)
    cut = "Q3" in listed if listed else quirks != "none"
    return dx * dx + dy * dy <= reach * reach and not (cut and reach in (dx, dy))


def tower_at(view: View, tile: Tile) -> Tower:
    for tower in view.towers:
        if (tower.x, tower.y) == tile:
            return tower
    raise PictureError(f"There is no tower at {tile[0]},{tile[1]}, so there is no range to show.")


def progress(setting: Setting, tower: Tower) -> tuple[int, int]:
    """How many turns a tower takes, and how many of them have come; all of them: it acts this turn (8.2)."""
    turns = max(1, setting.towers[tower.kind].cooldown)
    return turns, max(0, min(turns, turns + 1 - tower.cooldown))


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
