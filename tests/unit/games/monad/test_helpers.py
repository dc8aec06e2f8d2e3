"""The helpers for Monad, in every language: what they know about the board, and the orders that they write."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import pytest

from languages import TESTED
from polemos.games.monad.game import GAME
from polemos.games.monad.kit import Grid
from polemos.kernel.match import Match
from unit.kits.helping import Scene, board_of, differences, played, scene, texts

Tile = tuple[int, int]

# The map of 10.4, on which 4,1 4,2 3,5 and 3,6 are blocked, and one that a wall cuts in two.
PIT = """9 4 0 0 12 12 3 1/4 30 8 0 # 12 3 0/0 8 8 2 # 0 0 0/5 5 2 50 40 0 7 7
/7 7 0 40 50 2 5 5/0 0 0 # 2 8 8 0/0 3 12 # 0 8 30 4/1 3 12 12 0 0 4 9""".replace("\n", "")
POSITION = (
    f"rows {PIT}; starts 1,1 6,6; red 1,1 7; red 2,3 2; red 7,7 1; blue 6,6 4; blue 4,4 12; stock red 250 blue 9; "
    "building red 1,1 right points 3; building blue 6,6 left points 0; ore 1,1 12; ore 4,4 0"
)
WALLED = "size 8x8; starts 1,1 6,6; red 1,1 1; blue 6,6 1; " + "; ".join(f"field 4,{y} #" for y in range(1, 8))
STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}  # 1.2
TILES = [(x, y) for y in range(8) for x in range(8)]


def walk(blocked: set[Tile], start: Tile) -> dict[Tile, int]:
    """The number of steps to every tile that can be reached on a board of 8x8, by brute force."""
    found = {start: 0} if start not in blocked else {}
    queue = deque(found)
    while queue:
        x, y = queue.popleft()
        for dx, dy in STEPS.values():
            there = (x + dx, y + dy)
            if there in TILES and there not in blocked and there not in found:
                found[there] = found[x, y] + 1
                queue.append(there)
    return found


def ways(blocked: set[Tile]) -> list[tuple[Any, Any]]:
    """Neighbours, distances and directions for every pair of tiles."""
    table: list[tuple[Any, Any]] = []
    steps = {tile: walk(blocked, tile) for tile in TILES}
    for tile in TILES:
        near = {way: (tile[0] + dx, tile[1] + dy) for way, (dx, dy) in STEPS.items()}
        near = {way: there for way, there in near.items() if there in TILES and there not in blocked}
        table += [(("blocked", tile), tile in blocked)]
        table += [(("neighbours", tile), near)] if tile not in blocked else []
        for target in TILES:
            here = steps[target].get(tile)
            first = [way for way, there in near.items() if here is not None and steps[target].get(there) == here - 1]
            table += [(("distance", tile, target), here), (("towards", tile, target), first)]
    return table


def scenes() -> list[Scene]:
    """The answers follow from the positions above and from the paragraphs named."""
    pit = [
        *ways({(4, 1), (4, 2), (3, 5), (3, 6)}),
        (("blocked", (-1, 0)), True),  # 4.1
        (("blocked", (0, 8)), True),
        (("distance", (4, 1), (0, 0)), None),
        (("owner", (1, 1)), "red"),
        (("owner", (4, 4)), "blue"),
        (("owner", (0, 0)), None),
        (("units", (1, 1)), 7),
        (("units", (4, 4)), 12),
        (("units", (0, 0)), 0),
        (("ore", (3, 3)), 50),  # 10.4
        (("ore", (1, 1)), 12),
        (("ore", (4, 4)), 0),
        (("ore", (4, 1)), 0),  # 1.4
        (("ore", (9, 9)), 0),
        (("stacks", "red"), [(1, 1), (2, 3), (7, 7)]),
        (("stacks", "blue"), [(4, 4), (6, 6)]),
        (("stacks", "green"), []),
        (("building", (1, 1)), ["red", "right", 3]),
        (("building", (6, 6)), ["blue", "left", 0]),
        (("building", (2, 2)), None),  # covered, but not the core (5.1)
        (("cores", "red"), [(1, 1)]),
        (("cores", "blue"), [(6, 6)]),
        (("stock",), 250),
        *((("covered", tile), tile in {(1, 1), (2, 1), (1, 2), (2, 2)}) for tile in TILES[:32]),  # 5.2
        *((("covered", tile), tile in {(5, 5), (6, 5), (5, 6), (6, 6)}) for tile in TILES[32:]),
        # 5.2, 5.3: red's building covers 2,2; upwards to the right of 2,3 lies 2,2, to the left too.
        (("sites", (2, 3)), ["right", "down"]),
        (("sites", (1, 1)), []),  # 5.8
        (("sites", (7, 7)), []),  # to the left and up lies 6,6, everything else is off the board
        (("sites", (4, 4)), ["up", "left"]),  # blue's building covers 5,5, and 3,5 is blocked
        (("sites", (5, 0)), ["right"]),  # 4,1 is blocked, and there is no row above
        (("sites", (3, 0)), []),  # red's building covers 2,1
        (("move_order", (5, 5), "right", 8), "move 5,5 right 8"),  # 2.2
        (("move_order", (0, 12), "up", 1), "move 0,12 up 1"),
        (("build_order", (5, 5), "left", 3), "build 5,5 left 3"),
        (("build_order", (5, 5), "down", 1), "build 5,5 down 1"),
        (("work_order", (5, 5), 4), "work 5,5 4"),
        (("mine_order", (5, 5), 4), "mine 5,5 4"),
    ]
    pit_match = Match(GAME, position=POSITION)
    return [
        scene(pit_match, "red", pit),
        scene(pit_match, "blue", [(("stock",), 9)]),
        scene(Match(GAME, position=WALLED), "red", ways({(4, y) for y in range(1, 8)})),
        after_play(),
    ]


def after_play() -> Scene:
    """Everything on a big map after forty turns, as the view says it."""
    match = played(GAME, {"map": "twin-rivers"}, 40)
    view: Any = match.view("blue")
    stacks = {(stack.x, stack.y): stack for stack in view.stacks}
    ore = {(x, y): max(0, ore) for y, row in enumerate(match.setting.ore) for x, ore in enumerate(row)}
    ore |= {(left.x, left.y): left.left for left in view.ore}
    assert len(stacks) > 8
    table: list[tuple[Any, Any]] = [(("stock",), view.stock["blue"])]
    for tile, left in ore.items():
        stack = stacks.get(tile)
        table += [(("ore", tile), left), (("owner", tile), stack and stack.owner)]
        table += [(("units", tile), stack.units if stack else 0)]
    for seat in ("red", "blue"):
        table += [(("stacks", seat), [tile for tile, stack in stacks.items() if stack.owner == seat])]
        table += [(("cores", seat), [(core.x, core.y) for core in view.buildings if core.owner == seat])]
    return scene(match, "blue", table)


@pytest.mark.slow
@pytest.mark.parametrize("language", TESTED)
def test_the_helper_answers_by_the_book(language: str, tmp_path: Path) -> None:
    assert differences(language, "monad", tmp_path / "bot", scenes()) == []


def test_the_kit_inside_polemos_answers_the_same() -> None:
    """`polemos.games.monad.kit.Grid` knows everything that the helper knows, under the same names."""
    for one in scenes():
        grid: Any = Grid(one.setting, one.seat)  # type: ignore[arg-type]
        grid.update(one.view)
        for (name, *arguments), answer in one.table:
            if not name.endswith("_order"):
                found = getattr(grid, name)
                found = found(*arguments) if callable(found) else found
                if name == "building" and found is not None:
                    found = [found.owner, found.direction, found.points]
                assert found == answer, (name, arguments)


@pytest.mark.parametrize("seat", ["red", "blue"])
def test_the_orders_are_those_that_the_umpire_offers(seat: str) -> None:
    match = Match(GAME, position=POSITION)
    helper, board = board_of(match, seat, "monad")
    for tile in board.stacks(seat):
        written = {helper.move_order(tile, way, 1) for way in board.neighbours(tile)}
        written.add(helper.mine_order(tile, 1))
        if board.stock >= 100:  # 5.4
            written |= {helper.build_order(tile, way, 1) for way in board.sites(tile)}
        if tile in board.cores(seat):
            written.add(helper.work_order(tile, 1))
        assert written == texts(match, seat, x=tile[0], y=tile[1])
