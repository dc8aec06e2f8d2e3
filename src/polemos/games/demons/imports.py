"""Maps of the original competition (1.1 to 1.7), from its JSON to ours.

`FloorTiles` are rows of r, b, O (path) and blank (abyss); `PlayerBaseR` and `PlayerBaseB` and each of `DemonSpawners`
have x and y; a spawner has `initial_target` r or b, and `switch_target`. Spawners keep the order of the file. There are
no start houses: they are added.
"""

from __future__ import annotations

import json
from typing import Any

from polemos.games.demons import layout
from polemos.games.demons.ground import BadMap, Ground, plain_name, sound
from polemos.games.demons.layout import MAX_SIDE, Tile

MAX_JSON = 200_000
_FLOOR = {"r": "r", "b": "b", "O": "o", " ": "."}
_PORTAL = {("r", True): "u", ("b", True): "v", ("r", False): "U", ("b", False): "V"}


def import_json(text: str, name: str = "") -> Ground:
    """The ground that a file of the original means; raises BadMap. Symmetry is found, start houses are added (1.7)."""
    data = _loaded(text)
    rows = _floor(data)
    taken: dict[Tile, str] = {}
    for key, base, colour in (("PlayerBaseR", "R", "r"), ("PlayerBaseB", "B", "b")):
        x, y = _place(data.get(key), key, rows)
        if rows[y][x] not in ("o", colour):
            raise BadMap(f"{key} stands on ({x}, {y}), which is neither path nor its own land.", rule="1.3")
        _take(taken, (x, y), base, key)
    spawners = data.get("DemonSpawners", [])
    if not isinstance(spawners, list):
        raise BadMap("DemonSpawners must be a list of portals.", rule="1.6")
    for number, spawner in enumerate(spawners):
        where = f"DemonSpawners[{number}]"
        x, y = _place(spawner, where, rows)
        if rows[y][x] != "o":
            raise BadMap(f"{where} stands on ({x}, {y}), which is not a path tile.", rule="1.6")
        _take(taken, (x, y), _portal(spawner, where), where)
    portals = [tile for tile, letter in taken.items() if letter not in "RB"]
    for (x, y), letter in taken.items():
        rows[y] = rows[y][:x] + letter + rows[y][x + 1 :]
    ground = sound(Ground(plain_name(name), layout.symmetry_of(rows), tuple(rows)))
    houses = layout.house_places(ground)
    return ground.put({there: "p" if who == "red" else "q" for who, there in houses.items()}).ordered(portals)


def _loaded(text: str) -> dict[str, Any]:
    if not isinstance(text, str):
        raise BadMap("A map file must be a text.")
    if len(text) > MAX_JSON:
        raise BadMap(f"A map file can have at most {MAX_JSON} characters.")
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise BadMap(f"This is not JSON: {str(error)[:80]}.") from None
    if not isinstance(data, dict):
        raise BadMap("A map file must be an object with FloorTiles, PlayerBaseR, PlayerBaseB and DemonSpawners.")
    return data


def _floor(data: dict[str, Any]) -> list[str]:
    """1.1 The tiles in our letters, without bases and portals."""
    floor = data.get("FloorTiles")
    if not isinstance(floor, list) or not floor or not all(isinstance(row, str) for row in floor):
        raise BadMap("FloorTiles must be a list of rows, each a text of r, b, O and blanks.", rule="1.1")
    if len(floor) > MAX_SIDE or max(map(len, floor)) > MAX_SIDE:
        raise BadMap(f"A map can be at most {MAX_SIDE} tiles wide and high.", rule="1.1")
    for y, row in enumerate(floor):
        if len(row) != len(floor[0]):
            raise BadMap(f"FloorTiles[{y}] has {len(row)} tiles, the first row {len(floor[0])}.", rule="1.1")
        if strange := next((c for c in row if c not in _FLOOR), None):
            raise BadMap(f"FloorTiles[{y}]: {strange!r} is not a tile. Tiles are r, b, O and blank.", rule="1.1")
    return ["".join(_FLOOR[c] for c in row) for row in floor]


def _place(value: object, where: str, rows: list[str]) -> Tile:
    if not isinstance(value, dict):
        raise BadMap(f"{where} must be an object with x and y.", rule="1.1")
    x, y = value.get("x"), value.get("y")
    if type(x) is not int or type(y) is not int:
        raise BadMap(f"{where}: x and y must be whole numbers.", rule="1.1")
    if not (0 <= y < len(rows) and 0 <= x < len(rows[y])):
        raise BadMap(f"{where} is beyond the edge of the map.", rule="1.1")
    return x, y


def _take(taken: dict[Tile, str], tile: Tile, letter: str, where: str) -> None:
    if tile in taken:
        raise BadMap(f"{where}: something else stands on {tile}.", rule="1.6")
    taken[tile] = letter


def _portal(spawner: dict[str, Any], where: str) -> str:
    """1.6 The letter of a portal; one that does not switch keeps its target for ever."""
    target, switch = spawner.get("initial_target"), spawner.get("switch_target")
    if target not in ("r", "b"):
        raise BadMap(f"{where}: initial_target must be r or b.", rule="1.6")
    if not isinstance(switch, bool):
        raise BadMap(f"{where}: switch_target must be true or false.", rule="1.6")
    return _PORTAL[target, switch]
