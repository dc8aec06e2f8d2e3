"""The bots of Monad: always lawful, always the same, at home in odd positions. How strong they are is measured
elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from polemos.games.monad.bots import BOTS
from polemos.games.monad.game import GAME
from polemos.games.monad.ground import load, shipped
from polemos.games.monad.layout import ACROSS
from polemos.games.monad.layout import block as block_of
from polemos.games.monad.notation import Build, Mine, Move, Order
from polemos.games.monad.state import SEATS, State
from polemos.kernel.dice import chance_of, derive, number
from polemos.kernel.errors import BadPosition
from polemos.kernel.game import SPECTATOR
from polemos.kernel.log import Log

pytestmark = pytest.mark.slow

every_bot = pytest.mark.parametrize("name", BOTS)
SMALL = [name for name in shipped() if load(name).width * load(name).height <= 30 * 30]


def play(names: Sequence[str], seed: int, state: State, call: Callable[[State], None] | None = None) -> list[list[str]]:
    """Plays a game to its end; all sheets as text."""
    chance, log = chance_of(derive(seed, "chance")), Log(limit=1 << 15)
    setting, seats = GAME.setting(state), GAME.seats(state)
    bots = {seat: BOTS[name](setting, seat, number(seed, seat)) for seat, name in zip(seats, names, strict=True)}
    played = []
    while GAME.outcome(state) is None:
        if call is not None:
            call(state)
        log.count = 0
        sheets = {}
        for seat in GAME.to_act(state):
            sheets[seat] = GAME.check(state, seat, bots[seat].orders(GAME.observe(state, seat), 1.0))
            assert sheets[seat].faults == (), (seat, names, seed, state.turn)
            played.append([line.text for line in sheets[seat].lines])
        GAME.resolve(state, sheets, chance, log)
    return played


def orders_of(name: str, position: str, seat: str = "red", seed: int = 0) -> list[Order]:
    """The orders of a fresh bot, which must be lawful."""
    state = GAME.read_position(position)
    orders = list(BOTS[name](GAME.setting(state), seat, seed).orders(GAME.observe(state, seat), 1.0))
    assert GAME.check(state, seat, orders).faults == ()
    return [GAME.read(order) for order in orders]


def workers(orders: Sequence[Order], x: int, y: int) -> int:
    return sum(order.number for order in orders if isinstance(order, Build) and (order.x, order.y) == (x, y))


# ---- whole games


@pytest.mark.parametrize("map", SMALL)
def test_all_orders_are_lawful_on_every_map(map: str) -> None:
    seats, names = load(map).seats, list(BOTS)
    for seed in range(2):
        start = Random(f"{map} {seed}").randrange(len(names))
        line_up = [names[(start + i * (1 + seed)) % len(names)] for i in range(seats - 1)]
        play(["overlord", *line_up], seed, GAME.setup({"map": map, "turns": 50}, seed))


@every_bot
@pytest.mark.parametrize(
    "options",
    [
        {"slots": "none"},
        {"slots": 1, "base": 1},
        {"unit_cost": 1},
        {"cost": 50, "defence": 1},
        {"units": 50},
        {"stock": 0, "units": 3},
        {"map": "random", "size": "8x11", "obstacles": "many"},
        {"map": "random", "size": "9x9", "seats": 3, "character": "veins"},
        {"map": "random", "size": "12x12", "seats": 4, "obstacles": "few"},
    ],
    ids=str,
)
def test_all_orders_are_lawful_under_all_options(name: str, options: dict[str, Any]) -> None:
    for seed, other in enumerate(("overlord", "random")):
        state = GAME.setup({"map": "crossing", "turns": 40, **options}, seed)
        play([name, other, "pathfinder", "streamer"][: len(GAME.seats(state))], seed, state)


@every_bot
def test_same_seed_same_game(name: str) -> None:
    options = {"map": "crossing", "turns": 90}
    first = play([name, "random"], 7, GAME.setup(options, 0))
    assert play([name, "random"], 7, GAME.setup(options, 0)) == first
    assert play([name, "random"], 8, GAME.setup(options, 0)) != first


@every_bot
def test_seeds_make_games_differ(name: str) -> None:
    games = {str(play([name, "waiter"], seed, GAME.setup({"map": "duel", "turns": 80}, 0))) for seed in range(6)}
    assert len(games) > 1


@every_bot
def test_others_may_drop_out(name: str) -> None:
    def drop(state: State) -> None:
        if state.turn == 20:
            GAME.forfeit(state, "green", Log())

    play([name, "random", "streamer", "waiter"], 6, GAME.setup({"map": "crown", "turns": 60}, 0), drop)


@every_bot
def test_a_bot_can_take_over_a_seat(name: str) -> None:
    """It may be made in the middle of a match, and be asked twice about one view."""
    state = GAME.setup({"map": "duel", "turns": 60}, 0)

    def change(now: State) -> None:
        for seat in SEATS[:2] if now.turn % 20 == 10 else ():
            bot, view = BOTS[name](GAME.setting(now), seat, 1), GAME.observe(now, seat)
            sheets = [GAME.check(now, seat, bot.orders(view, 0.0)) for _ in range(3)]
            assert not any(sheet.faults for sheet in sheets)

    play(["fortifier", "overlord"], 3, state, change)


@every_bot
def test_nobody_orders_without_a_seat_at_the_table(name: str) -> None:
    state = GAME.setup({"map": "crown", "turns": 1}, 0)
    bot = BOTS[name](GAME.setting(state), "red", 0)
    assert bot.orders(GAME.observe(state, "red"), 1.0)
    assert not bot.orders(GAME.observe(state, SPECTATOR), 1.0)
    GAME.forfeit(state, "red", Log())
    assert not bot.orders(GAME.observe(state, "red"), 1.0)
    GAME.resolve(state, {}, chance_of(derive(0)), Log())
    assert not BOTS[name](GAME.setting(state), "blue", 0).orders(GAME.observe(state, "blue"), 1.0)


# ---- odd positions


def any_position(chance: Random) -> str:
    """Stacks, buildings, ore and blocked tiles anywhere."""
    width, height, seats = chance.randint(8, 14), chance.randint(8, 14), SEATS[: chance.randint(2, 4)]
    tiles = [(x, y) for y in range(height) for x in range(width)]
    ends = (0, 0), (width - 1, height - 1), (width - 1, 0), (0, height - 1)
    starts = ends[: len(seats)]
    blocked = {tile for tile in tiles if chance.random() < 0.1} - set(starts)
    words = [f"size {width}x{height}", f"seats {len(seats)}", "starts " + " ".join(f"{x},{y}" for x, y in starts)]
    words += [f"field {x},{y} #" for x, y in tiles if (x, y) in blocked]
    words += [
        f"field {x},{y} {chance.randint(1, 50)}" for x, y in tiles if (x, y) not in blocked and chance.random() < 0.5
    ]
    taken, cores = set(blocked), dict[tuple[int, int], str]()
    for x, y in chance.sample(tiles, 12):
        way = chance.choice(list(ACROSS))
        block = set(block_of((x, y), way))
        if block <= set(tiles) and not block & taken:
            cores[x, y] = chance.choice(seats)
            taken |= block
            words.append(f"building {cores[x, y]} {x},{y} {way} points {chance.randrange(5)}")
    for x, y in chance.sample(tiles, len(tiles) // 3):
        if (x, y) not in blocked:
            owner = cores.get((x, y)) or chance.choice(seats)
            words.append(f"{owner} {x},{y} {chance.choice((1, 2, 5, 17, 400, 2**31 - 1))}")
    stocks = " ".join(f"{seat} {chance.choice((0, 99, 100, 1234))}" for seat in seats)
    return "; ".join([*words, f"stock {stocks}", f"played {chance.randrange(2000)}/2000"])


@every_bot
@pytest.mark.parametrize("seed", range(12))
def test_all_orders_are_lawful_in_any_position(name: str, seed: int) -> None:
    text = any_position(Random(seed))
    try:
        state = GAME.read_position(text)
    except BadPosition as error:  # pragma: no cover
        pytest.fail(f"{error}: {text}")
    for seat in GAME.seats(state):
        orders_of(name, text, seat, seed)


@every_bot
def test_a_bot_has_an_answer_when_nothing_can_be_built(name: str) -> None:
    """No tile is free for a building: each second one is blocked."""
    row, gap = " ".join(["9"] * 9), " ".join(["9", "#"] * 4 + ["9"])
    text = f"rows {'/'.join([row, gap] * 4 + [row])}; starts 0,0 8,8; red 0,0 4; blue 8,8 4; stock red 500 blue 500"
    orders = orders_of(name, text)
    assert not any(isinstance(order, Build) for order in orders)
    assert orders


@every_bot
def test_a_lonely_unit_finds_room(name: str) -> None:
    """The tile has no room for a building, a neighbour has; whoever wanders may take longer."""
    text = "size 8x8; red 0,0 1; blue 7,7 1; building blue 1,1 right; field 0,0 50; stock red 100 blue 0"
    state = GAME.read_position(text)
    bot, log = BOTS[name](GAME.setting(state), "red", 1), Log(limit=4096)
    for _ in range(12):
        log.count = 0
        sheet = GAME.check(state, "red", bot.orders(GAME.observe(state, "red"), 1.0))
        GAME.resolve(state, {"red": sheet}, chance_of(derive(0)), log)
    assert state.buildings[0] == 1


@every_bot
def test_a_bot_plays_on_without_enemies(name: str) -> None:
    orders_of(name, "size 8x8; red 3,3 40; building red 3,3; field 4,4 9; stock red 500 blue 0")


# ---- what each is for


@every_bot
def test_the_first_turn_founds_and_the_second_works(name: str) -> None:
    for seat, (x, y) in (("red", (1, 1)), ("blue", (18, 18))):
        state = GAME.setup({"map": "quarry"}, 0)
        bot = BOTS[name](GAME.setting(state), seat, 1)
        for _ in range(2):
            sheet = GAME.check(state, seat, bot.orders(GAME.observe(state, seat), 1.0))
            assert [(order.x, order.y, type(order)) for order in sheet.orders] == [(x, y, Build)]
            GAME.resolve(state, {seat: sheet}, chance_of(derive(0)), Log(limit=4096))


@every_bot
def test_five_workers_stay_on_a_core(name: str) -> None:
    text = (
        "size 20x20; red 5,5 9; building red 5,5; blue 15,15 1; building blue 15,15; field 5,5 40; stock red 0 blue 0"
    )
    assert workers(orders_of(name, text), 5, 5) == 5


@every_bot
def test_without_stock_it_digs_first(name: str) -> None:
    text = "size 8x8; red 1,1 1; blue 6,6 1; field 1,1 40; stock red 0 blue 0"
    seen = {type(order) for seed in range(20) for order in orders_of(name, text, seed=seed)}
    assert Mine in seen


def test_waiter_waits_until_it_is_many() -> None:
    base = "size 12x8; building red 1,1; blue 10,6 1; building blue 10,6; stock red 0 blue 0"
    assert orders_of("waiter", base + "; red 1,1 20") == [Build(1, 1, 5)]
    assert Move(1, 1, 75, "right") in orders_of("waiter", base + "; red 1,1 80")


def test_streamer_streams() -> None:
    base = "size 12x8; building red 1,1; blue 10,1 1; building blue 10,1 left; stock red 0 blue 0"
    assert Move(1, 1, 25, "right") in orders_of("streamer", base + "; red 1,1 30")
    assert Move(6, 1, 1, "right") in orders_of("streamer", base + "; red 6,1 1")


def test_fortifier_builds_towards_the_enemy() -> None:
    text = "size 12x8; building red 1,1; red 1,1 5; red 6,4 1; red 3,4 1; blue 10,6 1; building blue 10,6 left"
    orders = orders_of("fortifier", text + "; stock red 100 blue 0")
    assert [(order.x, order.y) for order in orders if isinstance(order, Build) and order.x != 1] == [(6, 4)]


def test_pathfinder_attacks_whom_it_outweighs() -> None:
    text = (
        "size 12x8; building red 1,1; red 1,1 5; blue 9,3 4; building blue 10,6 left; stock red 0 blue 0; field 6,3 9"
    )
    assert Move(6, 3, 30, "right") in orders_of("pathfinder", text + "; red 6,3 30")
    assert Mine(6, 3, 3) in orders_of("pathfinder", text + "; red 6,3 3")


def test_overlord_strikes_a_core_only_if_it_must_fall() -> None:
    text = "size 12x8; building red 1,1; red 1,1 5; blue 9,3 5; building blue 9,3; stock red 0 blue 0"
    assert Move(8, 3, 15, "right") in orders_of("overlord", text + "; red 8,3 15")
    assert orders_of("overlord", text + "; red 8,3 14") == [Build(1, 1, 5)]
    both = orders_of("overlord", text + "; red 8,3 8; red 9,2 7")
    assert {Move(8, 3, 8, "right"), Move(9, 2, 7, "down")} <= set(both)
    helped = orders_of("overlord", text + "; red 8,3 15; blue 10,3 1")
    assert Move(8, 3, 15, "right") not in helped


def test_overlord_guards_its_cores() -> None:
    """Twenty at the gate: a garrison of eleven holds, and those beside come in."""
    text = "size 12x8; building red 1,1; building blue 10,6 left; blue 2,1 20; stock red 0 blue 0"
    orders = orders_of("overlord", text + "; red 1,1 7; red 1,2 9")
    assert workers(orders, 1, 1) == 5
    assert not any(isinstance(order, Move) and (order.x, order.y) == (1, 1) for order in orders)
    assert Move(1, 2, 4, "up") in orders


def test_overlord_fetches_workers_and_ends_the_game() -> None:
    text = "size 12x8; building red 1,1; red 1,1 1; red 1,4 9; field 1,4 50; stock red 0 blue 0; blue 10,6 1"
    assert Move(1, 4, 4, "up") in orders_of("overlord", text + "; building blue 10,6 left")
    state = GAME.read_position(text + "; red 5,5 60; building blue 10,6 left")
    play(["overlord", "fortifier"], 0, state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.winner, outcome.rule) == ("red", "9.1")
    assert state.turn < 60
