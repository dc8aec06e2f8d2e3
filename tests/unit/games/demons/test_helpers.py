"""The helpers for Demons, in every language: what they know about the board, and the orders that they write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from languages import TESTED
from polemos.games.demons.game import GAME
from polemos.kernel.match import Match
from unit.kits.helping import Scene, board_of, differences, played, scene, texts

Tile = tuple[int, int]

# The map of 1.1.
ROWS = [
    "prrr....bbbb...",
    "rrooooouooooobb",
    "rrorr.bbb.bbobb",
    "rror.ooo.bb.obb",
    "rrRooo.o.oooBbb",
    "rro.rr.ooo.bobb",
    "rrorr.rrr.bbobb",
    "rrooooovooooobb",
    "...rrrr....bbbq",
]
SQUARES = [(x, y) for y in range(9) for x in range(15)]
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}  # 1.2
MEANING = {".": "abyss", "R": "base", "B": "base", "r": "red", "p": "red", "b": "blue", "q": "blue"}
POSITION = (
    "map twin-gates; turn 12/1000; gold red 31 blue 19; merc red 5,1 20; merc red 2,2 13; merc blue 7,3 6; "
    "demon red 6,7 10; demon blue 9,1 3; tower cannon red 3,0 cd 2; tower crossbow blue 8,2 cd 3; queue red E"
)


def letter(tile: Tile) -> str:
    return ROWS[tile[1]][tile[0]] if tile in SQUARES else "."


def near(tile: Tile) -> dict[str, Tile]:
    around = {way: (tile[0] + dx, tile[1] + dy) for way, (dx, dy) in STEPS.items()}
    return {way: there for way, there in around.items() if letter(there) != "."}


def lane_from(exit: Tile, base: Tile) -> list[Tile]:
    """1.4 The tiles of a lane: from its exit always on to the next tile of path."""
    lane = [exit]
    while True:
        onward = [there for there in near(lane[-1]).values() if letter(there) in "ouv" and there not in (*lane, base)]
        if not onward:
            return lane
        lane += onward


def scenes() -> list[Scene]:
    red, blue = (2, 4), (12, 4)
    lanes = [lane_from(exit, red) for exit in ((2, 3), (3, 4), (2, 5))]  # 1.8 N, E, S
    where = {tile: (number, place) for number, lane in enumerate(lanes) for place, tile in enumerate(lane, 1)}
    table: list[tuple[Any, Any]] = [(("ground", (-1, 0)), "abyss"), (("ground", (0, 9)), "abyss")]
    for tile in SQUARES:
        lane, steps = where.get(tile, (None, 0))
        table += [
            (("ground", tile), MEANING.get(letter(tile), "path")),
            (("neighbours", tile), near(tile)),
            (("lane", tile), lane),
            (("lane_steps", tile, "red"), None if lane is None else steps),
            (("lane_steps", tile, "blue"), None if lane is None else len(lanes[lane]) + 1 - steps),
        ]
        for kind, reach in (("crossbow", 4), ("cannon", 3), ("minigun", 3)):  # 8.1, 8.3
            table.append((("reaches", kind, (4, 0), tile), abs(tile[0] - 4) + abs(tile[1]) <= reach))
    table += [
        (("reaches", "house", (4, 0), (4, 0)), False),
        (("reaches", "cannon", (4, 0), (6, 1)), True),  # 8.3
        (("reaches", "cannon", (4, 0), (7, 1)), False),
        (("distance", (4, 0), (6, 1)), 3),
        (("distance", (4, 0), (7, 1)), 4),
        (("distance", red, blue), 10),
        (("gold",), 31),
        (("exits",), ["N", "E", "S"]),  # 1.8
        (("price", "house"), 10),
        (("price", "minigun"), 25),
        (("tower", (3, 0)), ["cannon", "red", 2]),
        (("tower", (8, 2)), ["crossbow", "blue", 3]),
        (("tower", (0, 0)), ["house", "red", 10]),  # 1.7
        (("tower", (5, 1)), None),
        (("unit", (5, 1)), ["mercenary", "red", 20, 7]),  # 5.7
        (("unit", (7, 3)), ["mercenary", "blue", 6, 7]),
        (("unit", (6, 7)), ["demon", "red", 10, 7]),
        (("unit", (3, 0)), None),
        (("demons", "red"), [(6, 7)]),
        (("demons", "blue"), [(9, 1)]),
        (("mercenaries", "blue"), [(7, 3)]),
        (("sites",), [tile for tile in SQUARES if letter(tile) in "pr" and tile not in ((0, 0), (3, 0))]),
        (("build_order", "cannon", (3, 4)), "build cannon 3,4"),  # 3.2
        (("build_order", "church", (3, 4)), "build church 3,4"),  # 11.4
        (("destroy_order", (3, 4)), "destroy 3,4"),
        (("hire_order", "N"), "hire N"),  # 4.1
        (("provoke_order",), "provoke"),  # 11.10
    ]
    beyond = [
        (("gold",), 19),
        (("exits",), ["N", "S", "W"]),
        (("towers", "blue"), [(14, 8), (8, 2)]),
        (("sites",), [tile for tile in SQUARES if letter(tile) in "bq" and tile not in ((14, 8), (8, 2))]),
    ]
    match = Match(GAME, position=POSITION)
    finals = Match(GAME, position="map twin-gates; rules finals-2025; gold red 30 blue 30")
    circle: list[tuple[Any, Any]] = [(("price", "church"), 15)]  # 11.4
    for tile in SQUARES:
        dx, dy = tile[0] - 7, tile[1] - 4
        inside = dx * dx + dy * dy <= 25 and dx != 5 and dy != 5  # 11.6
        circle.append((("reaches", "crossbow", (7, 4), tile), inside))
    return [scene(match, "red", table), scene(match, "blue", beyond), scene(finals, "red", circle), after_play()]


def after_play() -> Scene:
    """Everything on the board after twelve turns, as the view says it."""
    match = played(GAME, {"map": "pinwheel"}, 12)
    view: Any = match.view("blue")
    towers = {(tower.x, tower.y): tower for tower in view.towers}
    units = {(unit.x, unit.y): unit for unit in view.units}
    assert towers
    assert units
    table: list[tuple[Any, Any]] = [(("gold",), view.bases["blue"].gold)]
    for tile in ((x, y) for y, row in enumerate(match.setting.rows) for x in range(len(row))):
        tower, unit = towers.get(tile), units.get(tile)
        table += [(("tower", tile), tower and [tower.kind, tower.owner, tower.cooldown])]
        table += [(("unit", tile), unit and [unit.kind, unit.side, unit.health, unit.damage])]
    for side in ("red", "blue"):
        table += [(("towers", side), [tile for tile, tower in towers.items() if tower.owner == side])]
        for name, kind in (("mercenaries", "mercenary"), ("demons", "demon")):
            found = [tile for tile, unit in units.items() if (unit.kind, unit.side) == (kind, side)]
            table += [((name, side), found)]
    return scene(match, "blue", table)


@pytest.mark.slow
@pytest.mark.parametrize("language", TESTED)
def test_the_helper_answers_by_the_book(language: str, tmp_path: Path) -> None:
    assert differences(language, "demons", tmp_path / "bot", scenes()) == []


def test_lists_name_everything_that_is_there() -> None:
    _, board = board_of(Match(GAME, position=POSITION), "red", "demons")
    assert set(board.mercenaries("red")) == {(5, 1), (2, 2)}
    assert set(board.towers("red")) == {(0, 0), (3, 0)}


@pytest.mark.parametrize("seat", ["red", "blue"])
@pytest.mark.parametrize("rules", ["classic", "finals-2025"])
def test_the_orders_are_those_that_the_umpire_offers(seat: str, rules: str) -> None:
    """With enough gold for everything, and nobody queued but at red's eastern exit."""
    match = Match(GAME, position=f"{POSITION}; gold red 100 blue 100; rules {rules}")
    helper, board = board_of(match, seat, "demons")
    kinds = ["house", "crossbow", "cannon", "minigun"] + ["church"] * (rules != "classic")
    written = {helper.build_order(kind, tile) for kind in kinds for tile in board.sites()}
    assert written == texts(match, seat, order="build")
    written = {helper.destroy_order(tile) for tile in board.towers(seat)}
    assert written == texts(match, seat, order="destroy")
    full = {"E"} if seat == "red" and rules == "classic" else set()  # 4.4, 11.3
    written = {helper.hire_order(way) for way in board.exits() if way not in full}
    assert written == texts(match, seat, order="hire")
    written = {helper.provoke_order()} if rules != "classic" else set()
    assert written == texts(match, seat, order="provoke")
