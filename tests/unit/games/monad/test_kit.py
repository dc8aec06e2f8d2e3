"""The bot kit of Monad, on positions made by hand and against the umpire."""

from __future__ import annotations

import re
import textwrap
from random import Random
from typing import Any

import msgspec
import pytest

from polemos.games.monad import kit
from polemos.games.monad.game import GAME
from polemos.games.monad.ground import shipped
from polemos.games.monad.kit import NEAR, Grid, Tile, terrain_of
from polemos.games.monad.layout import ACROSS, blocks
from polemos.games.monad.notation import Build, Mine, Move
from polemos.games.monad.view import View
from polemos.kernel.dice import chance_of, derive
from polemos.kernel.game import SPECTATOR
from polemos.kernel.log import Log

pytestmark = pytest.mark.slow

WALL = "0 0 0 0 0 0 0 0/0 0 0 # 0 0 0 0/# # # # 0 0 0 0/0 0 0 0 0 0 0 0" + 4 * "/0 0 0 0 0 0 0 0"
HOLE = "0 # 0 0 0 0 0 0/# 0 0 0 0 0 0 0" + 6 * "/0 0 0 0 0 0 0 0"
MORE = "; red 5,5 8; blue 6,6 3; building red 5,5 left points 2; building blue 1,1; stock red 250 blue 0"


def grid_of(position: str, seat: str = "red") -> Grid:
    state = GAME.read_position(position)
    grid = Grid(GAME.setting(state), seat)
    grid.update(GAME.observe(state, seat))
    return grid


def lawful(position: str, grid: Grid) -> bool:
    return GAME.check(GAME.read_position(position), grid.seat, grid.orders).faults == ()


def test_who_is_where() -> None:
    grid = grid_of("size 8x8; red 1,5 2; blue 6,7 4; field 3,3 30; ore 3,3 9" + MORE)
    assert grid.mine() == [(1, 5), (5, 5)]
    assert grid.enemies() == [(6, 6), (6, 7)]
    assert (grid.units((5, 5)), grid.units((6, 6)), grid.units((0, 0))) == (8, 3, 0)
    assert (grid.owner((5, 5)), grid.owner((6, 6)), grid.owner((0, 0))) == ("red", "blue", None)
    assert (grid.total(), grid.total("blue"), dict(grid.army("blue"))) == (10, 7, {(6, 6): 3, (6, 7): 4})
    assert (grid.ore((3, 3)), grid.ore((3, 4)), grid.ore((99, 99))) == (9, 0, 0)
    assert (grid.stock, grid.turn) == (250, 1)


def test_buildings() -> None:
    grid = grid_of("size 8x8" + MORE)
    core = grid.building((5, 5))
    assert core is not None
    assert (core.owner, core.points) == ("red", 2)
    assert grid.building((4, 4)) is None
    assert [grid.covered(tile) for tile in ((5, 5), (4, 5), (5, 4), (4, 4), (6, 5), (5, 6))] == [True] * 4 + [False] * 2
    assert grid.cores() == grid.cores("red") == [(5, 5)]
    assert grid.cores("blue") == grid.cores("enemies") == [(1, 1)]


def test_strength_near_a_tile() -> None:
    grid = grid_of("size 8x8; red 0,7 1; blue 6,4 5; green 7,7 9; yellow 0,0 1; seats 4" + MORE)
    assert grid.strength_near((6, 6), 0) == 3
    assert grid.strength_near((6, 6), 2) == 3 + 5 + 9
    assert grid.strength_near((6, 6), 2, "blue") == 3 + 5
    assert grid.strength_near((6, 6), 2, "mine") == 8
    assert grid_of(f"rows {WALL}; red 2,3 5; blue 2,1 9").strength_near((2, 3), 3) == 0  # behind the wall


def test_ways_on_open_ground() -> None:
    grid = grid_of("size 9x8; red 1,1 1; blue 7,6 1")
    assert dict(grid.neighbours((0, 0))) == {"right": (1, 0), "down": (0, 1)}
    assert (grid.distance((0, 0), (3, 4)), grid.distance((2, 2), (2, 2))) == (7, 0)
    assert grid.distance((0, 0), (9, 0)) is None
    assert grid.step((1, 1), (1, 1)) is None
    assert grid.step((1, 1), (4, 2)) == "right"
    assert grid.step((1, 1), (0, 5)) == "down"
    assert grid.path((1, 1), (3, 1)) == [(2, 1), (3, 1)]
    assert grid.path((1, 1), (1, 1)) == []
    assert grid.path((1, 1), (3, 1), avoid=[(2, 1)]) in (
        [(1, 0), (2, 0), (3, 0), (3, 1)],
        [(1, 2), (2, 2), (3, 2), (3, 1)],
    )
    assert grid.path((1, 1), (2, 1), avoid=[(2, 1)]) == [(2, 1)]  # a target is never avoided
    assert grid.path((0, 0), (5, 5), avoid=[(1, 0), (0, 1)]) is None
    assert grid.step((0, 0), (5, 5), avoid=[(1, 0)]) == "down"
    assert grid.step((0, 0), (5, 5), avoid=[(1, 0), (0, 1)]) is None


def test_ways_around_obstacles() -> None:
    grid = grid_of(f"rows {WALL}; red 2,3 1; blue 2,1 1")
    assert grid.distance((2, 3), (2, 1)) == grid.distance((2, 1), (2, 3)) == 8
    path = grid.path((2, 3), (2, 1))
    assert path is not None
    assert (len(path), path[0], path[-1]) == (8, (3, 3), (2, 1))
    assert grid.step((2, 3), (2, 1)) == "right"
    assert grid.nearest((2, 3), [(2, 1), (7, 4)]) == (7, 4)
    assert "right" not in grid.neighbours((2, 1))


def test_what_cannot_be_reached() -> None:
    grid = grid_of(f"rows {HOLE}; red 5,5 1; blue 7,7 1; field 0,0 50; field 7,0 50")
    assert grid.distance((5, 5), (0, 0)) is None
    assert grid.path((5, 5), (0, 0)) is None
    assert grid.step((5, 5), (0, 0)) is None
    assert grid.nearest((5, 5), [(0, 0)]) is None
    assert grid.nearest_ore((5, 5)) == (7, 0)
    assert (0, 0) not in grid.flood([(5, 5)])
    assert not grid.move_towards((5, 5), (0, 0))
    assert not grid.move_towards((5, 5), None)
    assert not grid.orders


def test_the_nearest_ore_is_free_of_enemies() -> None:
    grid = grid_of("size 30x8; red 1,1 1; blue 2,1 1; field 2,1 9; field 4,1 9; field 29,7 9")
    assert grid.nearest_ore((1, 1)) == (4, 1)
    assert grid.nearest_ore((20, 1)) == (29, 7)  # farther than what is looked at first
    assert grid.nearest_ore((1, 1)) == (4, 1)
    assert grid.nearest_ore((99, 1)) is None
    assert grid_of("size 30x8; red 1,1 1; blue 2,1 1").nearest_ore((1, 1)) is None


def test_nearest_is_the_first_of_equals() -> None:
    grid = grid_of("size 8x8; red 1,1 1; blue 7,6 1")
    assert grid.nearest((3, 3), [(3, 6), (5, 3), (3, 1)]) == (5, 3)
    assert grid.nearest((3, 3), []) is None
    found = grid.flood([(0, 0), (7, 7)], 3)
    assert found[1, 2] == ((0, 0), 3)
    assert (2, 2) not in found


@pytest.mark.parametrize("name", shipped())
def test_distances_agree_with_floods_and_neighbourhoods(name: str) -> None:
    grid = Grid(GAME.setting(GAME.setup({"map": name}, 0)), "red")
    chance = Random(name)
    for target in chance.sample(grid.terrain.tiles, 3):
        found = grid.flood([target])
        for tile in chance.sample(grid.terrain.tiles, 20):
            assert grid.distance(tile, target) == (found[tile][1] if tile in found else None)
        assert dict(grid.terrain.near(target)) == {tile: steps for tile, (_, steps) in found.items() if steps <= NEAR}


def test_blocks_are_those_of_the_book() -> None:
    found = {way: set(tiles) for way, tiles in grid_of("size 11x11").terrain.blocks[5, 5].items()}
    assert found == {
        "right": {(5, 5), (6, 5), (5, 6), (6, 6)},
        "down": {(5, 5), (4, 5), (5, 6), (4, 6)},
        "left": {(5, 5), (4, 5), (5, 4), (4, 4)},
        "up": {(5, 5), (6, 5), (5, 4), (6, 4)},
    }
    assert set(map(frozenset, found.values())) == set(blocks((5, 5)))


def test_sites() -> None:
    grid = grid_of("size 8x8; red 0,0 1" + MORE)
    assert grid.site((2, 7)) == "up"  # left would do as well, but this block lies on even tiles
    assert grid.site((3, 3)) == "down"  # 4,4 belongs to red, 2,2 to blue
    assert grid.site((7, 7)) == "left"
    assert grid.site((0, 0)) is None
    assert grid.site((1, 1)) is None
    assert grid.site((5, 5)) is None
    assert grid.site((9, 9)) is None


def test_orders_use_every_unit_once() -> None:
    text = "size 8x8; field 5,5 30" + MORE
    grid = grid_of(text)
    assert grid.free((5, 5)) == 8
    assert grid.work((5, 5)) == 5
    assert grid.move((5, 5), 1, "right") == 1
    assert grid.mine_ore((5, 5), 9) == 2
    assert grid.free((5, 5)) == 0
    assert grid.move((5, 5), 1, "right") == grid.work((5, 5)) == grid.mine_ore((5, 5)) == grid.build((5, 5)) == 0
    assert grid.orders == [Build(5, 5, 5), Move(5, 5, 1, "right"), Mine(5, 5, 2)]
    assert grid.ore((5, 5)) == 28
    assert lawful(text, grid)


def test_what_would_be_void_is_refused() -> None:
    grid = grid_of("size 8x8; red 0,0 4; red 7,7 2" + MORE)
    assert not grid.move((0, 0), 1, "up")
    assert not grid.move((0, 0), 1, "north")
    assert not grid.move((0, 0), 0, "right")
    assert not grid.move((0, 0), -3, "right")
    assert not grid.move((6, 6), 1, "up")
    assert not grid.move((40, 40), 1, "up")
    assert not grid.mine_ore((0, 0))
    assert not grid.work((0, 0))
    assert not grid.work((1, 1))
    assert not grid.build((0, 0), "left")
    assert not grid.build((0, 0), "north")
    assert not grid.build((5, 5))
    assert not grid.orders
    assert grid.free((0, 0)) == 4
    assert grid.rest((0, 0), 3) == 3
    assert grid.move((0, 0), None, "right") == 1


def test_building_spends_stock_and_space() -> None:
    text = "size 8x8; red 0,4 3; red 1,6 3; red 7,0 3" + MORE
    grid = grid_of(text)
    assert grid.build((0, 4), "right") == 1
    assert grid.covered((1, 5))
    assert not grid.build((1, 6), "up")
    assert not grid.build((1, 6), "left")
    assert grid.build((1, 6), "right", 2) == 2
    assert grid.stock == 50
    assert not grid.build((7, 0))
    assert grid.orders == [Build(0, 4, 1, "right"), Build(1, 6, 2, "right")]
    assert lawful(text, grid)


def test_without_a_limit_everybody_works() -> None:
    assert grid_of("size 8x8; slots none" + MORE).work((5, 5)) == 8


def test_an_update_begins_anew() -> None:
    state = GAME.read_position("size 8x8; field 5,5 30" + MORE)
    view = GAME.observe(state, "red")
    grid = Grid(GAME.setting(state), "red")
    for _ in range(2):
        grid.update(view)
        assert (grid.ore((5, 5)), grid.stock, grid.free((5, 5)), grid.orders) == (30, 250, 8, [])
        grid.mine_ore((5, 5))
        grid.nearest_ore((5, 5))


def test_nobody_orders_for_others_or_after_the_end() -> None:
    state = GAME.read_position("size 8x8" + MORE)
    grid, view = Grid(GAME.setting(state), "red"), GAME.observe(state, "red")
    grid.update(GAME.observe(state, SPECTATOR))
    assert grid.mine()
    assert not grid.free((5, 5))
    grid.update(msgspec.structs.replace(view, forfeited={"red": 3}))
    assert not grid.move((5, 5), 1, "right")


def test_matches_on_one_map_share_their_ways() -> None:
    first, second = (GAME.setting(GAME.setup({"map": "crossing"}, seed)) for seed in (1, 2))
    assert terrain_of(first) is terrain_of(second)
    assert terrain_of(first) is not terrain_of(GAME.setting(GAME.setup({"map": "duel"}, 1)))


@pytest.mark.parametrize("seed", range(8))
def test_whatever_the_kit_accepts_is_lawful(seed: int) -> None:
    chance = Random(seed)
    words = ["size 9x8", f"stock red {chance.randrange(400)} blue 100"]
    tiles: list[Tile] = [(x, y) for x in range(9) for y in range(8)]
    stacks = chance.sample(tiles, 20)
    words += [f"{chance.choice(('red', 'blue'))} {x},{y} {chance.randint(1, 9)}" for x, y in stacks]
    words += [f"field {x},{y} {chance.randint(1, 50)}" for x, y in chance.sample(tiles, 30)]
    text = "; ".join(words)
    grid, ways = grid_of(text), [*ACROSS, "north"]
    for _ in range(300):
        tile = chance.randint(-1, 9), chance.randint(-1, 8)
        number = chance.choice((None, -1, 0, 1, 2, 50))
        chance.choice(
            (
                lambda tile=tile, number=number: grid.move(tile, number, chance.choice(ways)),
                lambda tile=tile, number=number: grid.build(tile, chance.choice([None, *ways]), number or 1),
                lambda tile=tile, number=number: grid.work(tile, number),
                lambda tile=tile, number=number: grid.mine_ore(tile, number),
                lambda tile=tile, number=number: grid.move_towards(tile, chance.choice(tiles), number),
            )
        )()
    assert grid.orders
    assert lawful(text, grid)


def test_the_first_bot_of_the_page_plays() -> None:
    """The one in the text of the module."""
    code = re.search(r"^    class FirstBot:.*?return grid.orders$", kit.__doc__ or "", re.DOTALL | re.MULTILINE)
    assert code is not None
    names: dict[str, Any] = {"Grid": Grid}
    exec(textwrap.dedent(code[0]), names)
    state = GAME.setup({"map": "duel"}, 0)
    bot = names["FirstBot"](GAME.setting(state), "red", 0)
    for _ in range(60):
        sheet = GAME.check(state, "red", bot.orders(GAME.observe(state, "red"), 1.0))
        assert sheet.faults == ()
        GAME.resolve(state, {"red": sheet}, chance_of(derive(0)), Log(limit=4096))
    assert state.buildings[0] > 2
    assert state.units[0] > 50


def test_views_need_no_umpire() -> None:
    """A view that was sent over a wire is as good."""
    state = GAME.setup({"map": "duel"}, 0)
    setting, view = GAME.setting(state), GAME.observe(state, "blue")
    again = msgspec.json.decode(msgspec.json.encode(view), type=View)
    grid = Grid(msgspec.json.decode(msgspec.json.encode(setting), type=type(setting)), "blue")
    grid.update(again)
    assert grid.build(grid.mine()[0]) == 1
