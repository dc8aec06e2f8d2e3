"""The bots of Demons: always lawful, always the same, at home in odd positions. How strong they are is measured
elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from random import Random

import pytest

from polemos.games.demons.bots import BOTS
from polemos.games.demons.bots.front import Front
from polemos.games.demons.bots.sight import Draft, Terrain
from polemos.games.demons.game import GAME
from polemos.games.demons.ground import shipped
from polemos.games.demons.notation import Build, Hire, Order
from polemos.games.demons.state import PLAYERS, State
from polemos.kernel.dice import chance_of, derive, number
from polemos.kernel.game import SPECTATOR
from polemos.kernel.log import Log

pytestmark = pytest.mark.slow

every_bot = pytest.mark.parametrize("name", BOTS)


def play(names: Sequence[str], seed: int, state: State, call: Callable[[State], None] | None = None) -> list[list[str]]:
    """Plays a game to its end; all sheets as text."""
    chance, log = chance_of(derive(seed, "chance")), Log(limit=8192)
    setting = GAME.setting(state)
    bots = {seat: BOTS[name](setting, seat, number(seed, seat)) for seat, name in zip(PLAYERS, names, strict=True)}
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


def orders_of(name: str, state: State, seat: str, seed: int = 0) -> list[Order]:
    """The orders of a fresh bot, which must be lawful."""
    orders = list(BOTS[name](GAME.setting(state), seat, seed).orders(GAME.observe(state, seat), 1.0))
    assert GAME.check(state, seat, orders).faults == ()
    return [GAME.read(order) for order in orders]


# ---- whole games


@pytest.mark.parametrize("name", shipped())
def test_all_orders_are_lawful_on_every_map(name: str) -> None:
    for seed, names in enumerate(product(BOTS, repeat=2)):
        if seed % 6 == shipped().index(name) % 6:  # a different sixth of all line-ups for each
            play(names, seed, GAME.setup({"map": name, "turns": 120}, seed))


@every_bot
@pytest.mark.parametrize(
    "options",
    [
        {"rules": "finals-2025"},
        {"rules": "finals-2025", "quirks": "none", "map": "pinwheel"},
        {"decisions": "two"},
        {"decisions": "two", "map": "long-march", "limit_by_hp": "on"},
        {"map": "random"},
    ],
)
def test_all_orders_are_lawful_under_all_rules(name: str, options: dict[str, object]) -> None:
    for seed, other in enumerate(BOTS):
        play([name, other], seed, GAME.setup({"turns": 120, **options}, seed))


@every_bot
def test_same_seed_same_game(name: str) -> None:
    options = {"map": "far-colonies", "turns": 60, "first": "red"}
    first = play([name, "random"], 7, GAME.setup(options))
    assert play([name, "random"], 7, GAME.setup(options)) == first
    assert play([name, "random"], 8, GAME.setup(options)) != first


@every_bot
def test_the_other_may_drop_out(name: str) -> None:
    def drop(state: State) -> None:
        if state.turn == 5:
            GAME.forfeit(state, "blue", Log())

    play([name, "random"], 6, GAME.setup({"turns": 20}), drop)


@every_bot
def test_a_bot_can_take_over_a_seat(name: str) -> None:
    """It may be made in the middle of a match, and be asked twice about one view."""
    state = GAME.setup({"map": "hornets"})
    state.turn, state.gold[0], state.gold[1] = 777, 100_000, 0
    for seat in PLAYERS:
        bot, view = BOTS[name](GAME.setting(state), seat, 1), GAME.observe(state, seat)
        for _ in range(3):
            assert GAME.check(state, seat, bot.orders(view, 0.0)).faults == ()


@every_bot
def test_a_bot_has_an_answer_when_all_land_is_built_up(name: str) -> None:
    full = GAME.setup({"map": "skirmish"})
    towers = {(tower.x, tower.y) for tower in GAME.observe(full, "red").towers}
    for x, y in Terrain(GAME.setting(full), "red", Random(0)).land:
        if (x, y) not in towers:
            full.gold[0], full.health[0], full.health[1] = 9999, 100, 100
            sheet = GAME.check(full, "red", [f"build house {x},{y}"])
            GAME.resolve(full, {"red": sheet}, chance_of(derive(0)), Log(limit=8192))
    full.gold[0] = 9999
    assert not any(isinstance(order, Build) for order in orders_of(name, full, "red"))


@every_bot
def test_nobody_orders_without_a_seat_at_the_table(name: str) -> None:
    state = GAME.setup({"turns": 1})
    bot = BOTS[name](GAME.setting(state), "red", 0)
    GAME.forfeit(state, "red", Log())
    assert not bot.orders(GAME.observe(state, "red"), 1.0)
    assert not bot.orders(GAME.observe(state, SPECTATOR), 1.0)
    GAME.resolve(state, {}, chance_of(derive(0)), Log())
    assert not bot.orders(GAME.observe(state, "blue"), 1.0)


# ---- what each is for


def test_the_first_thought_of_each() -> None:
    state = GAME.setup({"map": "long-march"})
    for seat in PLAYERS:
        assert [type(order) for order in orders_of("economist", state, seat)] == [Build]
        assert [type(order) for order in orders_of("rusher", state, seat)] == [Hire]
        assert [type(order) for order in orders_of("keeper", state, seat)] == [Build]


@every_bot
def test_two_decisions_are_kept_apart(name: str) -> None:
    state = GAME.setup({"map": "long-march", "decisions": "two"})
    state.gold[0] = 500
    assert not any(isinstance(order, Hire) for order in orders_of(name, state, "red"))
    GAME.resolve(state, {}, chance_of(derive(0)), Log())
    assert not any(isinstance(order, Build) for order in orders_of(name, state, "red"))


# ---- their tools


@pytest.mark.parametrize("seat", PLAYERS)
def test_lanes_are_counted_from_the_own_base(seat: str) -> None:
    state = GAME.setup({"map": "twin-gates"})
    terrain = Terrain(GAME.setting(state), seat, Random(0))
    base = GAME.observe(state, seat).bases[seat]
    assert sorted(terrain.exits) == sorted(base.queued)
    assert all(abs(lane[0][0] - base.x) + abs(lane[0][1] - base.y) == 1 for lane in terrain.lanes)
    assert terrain.shortest[0] == 1


def test_a_draft_takes_only_lawful_lines() -> None:
    state = GAME.setup({"map": "twin-gates"})
    draft = Draft(Terrain(GAME.setting(state), "red", Random(0)), GAME.observe(state, "red"))
    assert not draft.build("house", (0, 0))
    assert not draft.build("church", draft.free[0])
    assert not draft.build("minigun", draft.free[0])
    assert not draft.build("house", None)
    assert not draft.provoke()
    assert draft.build("house", draft.free[0])
    assert not draft.build("house", draft.free[1])
    assert not draft.destroy((0, 0))
    assert not draft.hire(0)
    assert GAME.check(state, "red", draft.orders).faults == ()


def test_foes_are_those_who_want_the_own_base() -> None:
    state = GAME.setup({"map": "twin-gates"})
    for turn in range(4):
        sheet = GAME.check(state, "blue", ["hire N"] if turn == 0 else [])
        GAME.resolve(state, {"blue": sheet}, chance_of(derive(0)), Log(limit=8192))
    setting = GAME.setting(state)
    red = Front(Terrain(setting, "red", Random(0)), GAME.observe(state, "red"))
    blue = Front(Terrain(setting, "blue", Random(0)), GAME.observe(state, "blue"))
    assert [(foe.lane, foe.steps, foe.demon) for foe in red.foes] == [(0, 5, True), (0, 12, False)]
    assert [foe.demon for foe in blue.foes] == [True]
    assert blue.guards == [[(4, 20)], [], []]
    assert blue.strength(0, 5) == 21
    assert [foe.due for foe in red.unmet(5, [0.0] * 3)] == [3]
    assert not red.unmet(2, [0.0] * 3)
