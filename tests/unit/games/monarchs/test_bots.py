"""The bots of Monarchs: always lawful, always the same, at home in odd positions. How strong they are is measured
elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import pytest

from polemos.games.monarchs.board import BASES, NAMES, NATIONS
from polemos.games.monarchs.bots import BOTS
from polemos.games.monarchs.bots.foes import Habits
from polemos.games.monarchs.bots.sight import Sight, sheet
from polemos.games.monarchs.bots.worth import NO_ARMY, winning
from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.notation import Bless, March, Order
from polemos.games.monarchs.odds import chance as odds_of_two
from polemos.games.monarchs.state import MAX_LINES, State
from polemos.kernel.dice import chance_of, derive, number
from polemos.kernel.game import SPECTATOR
from polemos.kernel.log import Log

pytestmark = pytest.mark.slow

every_bot = pytest.mark.parametrize("name", BOTS)


def orders_of(name: str, state: State, seat: str, seed: int = 0) -> list[Order]:
    """The orders of a fresh bot, which must be lawful."""
    orders = list(BOTS[name](GAME.setting(state), seat, seed).orders(GAME.observe(state, seat), 1.0))
    assert GAME.check(state, seat, orders).faults == ()
    return [GAME.read(order) for order in orders]


def play(names: Sequence[str], seed: int, state: State, call: Callable[[State], None] | None = None) -> list[list[str]]:
    """Plays a game to its end; all sheets as text."""
    chance, log = chance_of(derive(seed, "chance")), Log(limit=8192)
    setting = GAME.setting(state)
    bots = {seat: BOTS[name](setting, seat, number(seed, seat)) for seat, name in zip(NATIONS, names, strict=True)}
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


# ---- whole games


@pytest.mark.parametrize("options", GAME.examples)
def test_all_orders_are_lawful(options: dict[str, object]) -> None:
    for seed, names in enumerate(product(BOTS, repeat=3)):
        if seed % 4 == len(options):  # a different quarter of all line-ups for each
            play(names, seed, GAME.setup(options))


@every_bot
def test_orders_are_lawful_against_itself(name: str) -> None:
    for seed in range(3):
        play([name] * 3, seed, GAME.setup({}))


@every_bot
def test_last_turn_may_be_announced_late(name: str) -> None:
    def announce(state: State) -> None:
        if state.turn == 12:
            GAME.call(state, "last")

    assert len(play([name] * 3, 5, GAME.setup({"turns": 0}), announce)) == 36


@every_bot
def test_others_may_drop_out(name: str) -> None:
    def drop(state: State) -> None:
        if state.turn in (2, 5):
            GAME.forfeit(state, NATIONS[state.turn % 3], Log())

    play([name] * 3, 6, GAME.setup({}), drop)


@every_bot
def test_same_seed_same_game(name: str) -> None:
    line_up = [name, "random", "raider"]
    first = play(line_up, 7, GAME.setup({}))
    assert play(line_up, 7, GAME.setup({})) == first
    assert play(line_up, 8, GAME.setup({})) != first


# ---- odd positions

LAND = [name for hex, name in enumerate(NAMES) if hex not in BASES and name != "I5"]
RED, GREEN, BLUE = (NAMES[base] for base in BASES)

ODD = {
    "only a base left": f"red {RED} 21; green {GREEN} 3, {', '.join(LAND)}, I5 9; blue {BLUE} 3",
    "base surrounded": f"red {RED} 21; green {GREEN} 3, B6 5, C5 5, I5 9; blue {BLUE} 3, B4 9, {', '.join(LAND)}",
    "everything owned": f"red {RED} 3, {', '.join(LAND)} 18, I5; green {GREEN} 21; blue {BLUE} 21",
    "armies everywhere": f"red {RED} 3, {', '.join(hex + ' 15' for hex in LAND)}, I5; green {GREEN} 21; blue {BLUE} 21",
    "huge armies": f"red {RED} 3, G5 400, H6 400; green {GREEN} 500, J6 400; blue {BLUE} 1000, {', '.join(LAND)}, I5",
    "no regiments": f"red {RED}; green {GREEN}; blue {BLUE}, {', '.join(LAND)}",
}


def position(text: str) -> State:
    """A position in which the first mention of a hex counts."""
    ground: dict[str, tuple[str, str]] = {}
    for clause in text.split("; "):
        nation, _, hexes = clause.partition(" ")
        for hex in hexes.split(", "):
            ground.setdefault(hex.split()[0], (nation, hex))
    clauses = [f"{n} " + ", ".join(hex for owner, hex in ground.values() if owner == n) for n in NATIONS]
    return GAME.read_position("; ".join(["turn 3/8", *clauses]))


@every_bot
@pytest.mark.parametrize("odd", ODD)
def test_odd_positions(name: str, odd: str) -> None:
    for turns in (8, 0, 3):
        state = position(ODD[odd])
        state.turns = turns
        for seat in NATIONS:
            orders_of(name, state, seat)


@every_bot
def test_odd_positions_played_on(name: str) -> None:
    for seed, odd in enumerate(ODD.values()):
        play([name, "steady", "raider"], seed, position(odd))


@every_bot
def test_a_bot_can_take_over_a_seat(name: str) -> None:
    """It may be made in the middle of a match, and be asked twice about one view."""
    state = position(ODD["huge armies"])
    bot, view = BOTS[name](GAME.setting(state), "red", 1), GAME.observe(state, "red")
    for _ in range(3):
        assert GAME.check(state, "red", bot.orders(view, 0.0)).faults == ()


@every_bot
def test_nobody_orders_without_a_seat_at_the_table(name: str) -> None:
    state = GAME.setup({"turns": 1})
    bot = BOTS[name](GAME.setting(state), "red", 0)
    GAME.forfeit(state, "red", Log())
    assert not bot.orders(GAME.observe(state, "red"), 1.0)
    assert not bot.orders(GAME.observe(state, SPECTATOR), 1.0)
    GAME.resolve(state, {}, chance_of(derive(0)), Log())
    assert not bot.orders(GAME.observe(state, "green"), 1.0)


# ---- what each is for


def test_holder_attacks_nobody() -> None:
    state = GAME.setup({})
    for order in orders_of("holder", state, "green"):
        if isinstance(order, March):
            ground = GAME.observe(state, "umpire").hexes[order.target]
            assert ground.owner == "green" or ground.regiments == 0


def test_raider_attacks_the_weakest() -> None:
    empty_land = ", ".join(LAND)
    state = position(
        f"red {RED} 3, G5 3; green {GREEN} 3, H6 3, I5 2; blue {BLUE} 3, E5 9, F6 9, F4 9, H4 9, {empty_land}"
    )
    marches = [order for order in orders_of("raider", state, "red") if isinstance(order, March)]
    assert March("G5", "I5", 3) in marches
    assert all(order.origin != "G5" or order.target == "I5" for order in marches)


@pytest.mark.parametrize("name", ["holder", "raider", "steady"])
def test_nobody_storms_a_base(name: str) -> None:
    state = position(f"red {RED} 1, K9 9, L8 9, N8 2; green {GREEN} 21; blue {BLUE} 21, {', '.join(LAND)}, I5")
    for seed in range(20):
        assert GREEN not in {order.target for order in orders_of(name, state, "red", seed) if isinstance(order, March)}


def test_steady_takes_what_nobody_can_hold() -> None:
    """The last turn, next to a nation that dropped out: one regiment for each empty hex, and a battle that is sure."""
    state = position(f"red {RED} 1, D2 3; green {GREEN} 21, E3 1, {', '.join(LAND)}, I5; blue {BLUE} 21")
    state.turns = state.turn
    GAME.forfeit(state, "green", Log())
    orders = orders_of("steady", state, "red")
    GAME.resolve(state, {"red": GAME.check(state, "red", orders)}, chance_of(derive(0)), Log(limit=8192))
    assert state.score[0] == 7  # A5, D2, a hex beside each, E3 blessed and so won without dice, and its regiment


# ---- their tools


def test_habits_tell_the_calm_from_the_warlike() -> None:
    before, after = GAME.setup({}), GAME.setup({})
    for origin, target in (("H4", "I3"), ("G3", "H2"), ("F2", "H2"), ("E1", "G1")):
        blue = before.regiments[NAMES.index(origin)]
        after.regiments[NAMES.index(origin)] -= blue
        after.regiments[NAMES.index(target)] += blue
    habits, setting = Habits(["green", "blue"]), GAME.setting(before)
    for turn, state in enumerate((before, after)):
        habits.watch(turn, Sight(setting, GAME.observe(state, "red")), ())
    assert habits.calm["blue"] == 0
    assert 0.5 < habits.calm["green"] < 1


def test_habits_tell_nothing_where_there_was_fighting_or_a_turn_is_missing() -> None:
    habits, state = Habits(["green", "blue"]), GAME.setup({})
    sight = Sight(GAME.setting(state), GAME.observe(state, "red"))
    habits.watch(1, sight, ())
    habits.watch(2, sight, NAMES)
    habits.watch(4, sight, ())
    assert set(habits.calm.values()) == {0}


def test_a_long_sheet_keeps_its_blessing_and_its_largest_groups() -> None:
    marches = {(a, b): size for size, (a, b) in enumerate(product(NAMES[:20], NAMES[20:30]))}
    lines = sheet(marches, "I5")
    assert len(lines) == MAX_LINES
    assert lines[0] == Bless("I5")
    assert min(line.number for line in lines[1:] if isinstance(line, March)) == 200 - (MAX_LINES - 1)


def test_a_sheet_has_no_march_to_nowhere() -> None:
    assert sheet({("G5", "G5"): 2, ("G5", "H4"): 0}, None) == []


def test_chances_of_two_armies_are_those_of_the_book() -> None:
    for quarters in range(-6, 7):
        assert winning(8 + quarters, 8, NO_ARMY) == float(odds_of_two(quarters))


def test_chances_of_three_armies_add_up() -> None:
    for a, b, c in product(range(5), repeat=3):
        assert winning(a, b, c) + winning(b, a, c) + winning(c, a, b) == pytest.approx(1)
    assert winning(2, 1, 0) == pytest.approx(2 / 3)
    assert winning(3, 2, 0) == pytest.approx(17 / 24)
