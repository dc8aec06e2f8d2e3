"""The bots of Minions: always lawful, always the same, at home in odd positions. How strong they are is measured
elsewhere."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from expectations.minions_tables import changed_table
from polemos.games.minions.bots import BOTS, LEVELS
from polemos.games.minions.bots.captain import CaptainBot
from polemos.games.minions.bots.champion import RATE, SIEGES, ChampionBot, wary_tastes
from polemos.games.minions.bots.draft import Draft
from polemos.games.minions.bots.racing import EDGE, edge, goal_of, race_for_spells, spells_to
from polemos.games.minions.bots.teching import next_spell, wanted
from polemos.games.minions.game import GAME
from polemos.games.minions.maps import distance
from polemos.games.minions.notation import Attack, Choose, Order, Spells
from polemos.games.minions.orders import record_of
from polemos.games.minions.rules import play, turn
from polemos.games.minions.rules.pieces import graveyards
from polemos.games.minions.search.records import DECIDES, Desk, Plan
from polemos.games.minions.search.tastes import tastes_of
from polemos.games.minions.search.turns import FAILED, foreseen, outlook
from polemos.games.minions.search.value import board_value
from polemos.games.minions.state import HEXES, MARCH, MAX_CARDS, RESET0, SIDES, State, Work
from polemos.games.minions.state import Order as OrderRecord
from polemos.games.minions.tables import load, write_table
from polemos.kernel.dice import number
from polemos.kernel.game import SPECTATOR, UMPIRE, Bot
from polemos.kernel.log import SILENT, Log
from polemos.kernel.mode import INTERPRETED
from polemos.kernel.record import many

pytestmark = pytest.mark.slow

every_bot = pytest.mark.parametrize("name", [*BOTS, "champion"])
HAUNT = -8  # Blue's

thinker = pytest.mark.parametrize("name", ["greedy", "captain", "champion"])

TABLE = write_table(
    changed_table(
        load("2025-07"),
        [
            "Zombie keywords Flying",
            "Warg speed 4",
            "Shrieker speed 8",
            "Horror attack flurry 99",
            "Void attack unsummon 3",
            "Initiate range 18",
            "Mounted necromancer range 2",
            "unit Golem F normal 99 99 0 3 1 1 Persistent",
            "card Golem",
            "ring Warg",
            "gift Golem",
            "first Arcane",
            "pool Deadly Mounted Battle",
        ],
    )
)
POOR = write_table(
    changed_table(
        load("2025-07"),
        [
            *(f"without {unit.name}" for unit in load("2025-07").units if unit.name not in ("Zombie", "Initiate")),
            "basic none",
            "cards Zombie Initiate",
            "pool Zombie",
            "fixed 0",
        ],
    )
)

OPTIONS: dict[str, dict[str, Any]] = {
    "one board": {"boards": 1, "points": 9, "turns": 12},
    "one board, to the first point": {"boards": 1, "turns": 16},
    "two boards, drawn maps": {"boards": 2, "maps": "random", "money": 60, "points": 9, "turns": 5},
    "three boards": {"boards": 3, "points": 9, "turns": 4, "spell_price": 1},
    "eight boards": {"boards": 8, "turns": 2, "spell_price": 999, "money": 9999},
    "free spells": {"boards": 2, "turns": 4, "spell_price": 0, "money": 99},
    "no money": {"boards": 1, "money": 0, "maps": "River Styx", "turns": 10, "line": "sorted"},
    "a table of one's own": {"boards": 2, "points": 20, "turns": 5, "units": TABLE, "money": 90},
    "a table with hardly anything": {"boards": 1, "points": 20, "turns": 12, "units": POOR, "money": 40},
}


def bot(name: str, state: State, side: int, seed: int = 0, samples: int = 6) -> Bot[Any]:
    """A bot; the captain and the champion think little, so that tests are quick."""
    setting = GAME.setting(state)
    if name == "captain":
        return CaptainBot(setting, SIDES[side], seed, samples=samples, pool=4, answers=4)
    if name == "champion":  # it has a second left in these tests
        return ChampionBot(setting, SIDES[side], seed, rate=60 * samples * setting.boards)
    return BOTS[name](setting, SIDES[side], seed)


def carry_out(state: State, orders: list[Order]) -> None:
    """Gives the orders; all must be accepted. The turn is not ended."""
    for order in orders:
        assert turn.apply(state, record_of(state, order), SILENT, Work()) == 0, order


def answer(name: str, state: State, seed: int = 0, samples: int = 6) -> list[Order]:
    """The orders of a fresh bot for the side to move, which are carried out."""
    view = GAME.observe(state, SIDES[state.side])
    orders = [GAME.read(line) for line in bot(name, state, state.side, seed, samples).orders(view, 1.0)]
    carry_out(state, orders)
    return orders


def played(names: tuple[str, str], options: dict[str, Any], seed: int) -> list[str]:
    """A whole game; its orders as text."""
    state = GAME.setup(options, seed)
    bots = [bot(name, state, side, number(seed, side)) for side, name in enumerate(names)]
    texts: list[str] = []
    while not state.reason:
        lines = bots[state.side].orders(GAME.observe(state, SIDES[state.side]), 1.0)
        sheet = GAME.check(state, SIDES[state.side], lines)
        assert sheet.faults == (), (names, options, seed, state.turn)
        texts += [line.text for line in sheet.lines]
        carry_out(state, list(sheet.orders))
        turn.end(state, SILENT)
    return texts


# ---- whole games and odd positions


@every_bot
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_all_orders_are_lawful(name: str, options: dict[str, Any]) -> None:
    played((name, "greedy"), options, 1)


def positions(options: dict[str, Any], seed: int) -> Iterator[State]:
    """Positions between turns and in the middle of them: Yellow plays well, Blue anyhow, so boards are often reset."""
    state = GAME.setup(options, seed)
    yellow, order, work = bot("greedy", state, 0, seed), OrderRecord(), Work()
    for step in range(36):
        if state.reason:
            return
        if step % 5 == seed % 5 or any(board.state.startswith("reset") for board in GAME.observe(state, UMPIRE).boards):
            yield state.copy()
        if state.side == 0:
            carry_out(state, [GAME.read(line) for line in yellow.orders(GAME.observe(state, "yellow"), 1.0)])
        else:
            play.play_random_turn(state, order, number(seed, step), SILENT, work)
        if step % 9 == 0:
            yield state.copy()
        turn.end(state, SILENT)


@every_bot
def test_all_orders_are_lawful_wherever_a_bot_is_asked(name: str) -> None:
    """A bot may be made in the middle of a match or of a turn; boards may be reset, due, closed or resigned."""
    states = set()
    for seed, options in enumerate(OPTIONS.values()):
        if name == "random" and options["boards"] > 2:
            continue
        for state in positions({**options, "turns": 30, "points": 30}, seed):
            states |= {board.state for board in GAME.observe(state, "yellow").boards}
            if state.boards == 2:
                state.board[1].resigned = int(state.board[1].state != RESET0)
            answer(name, state, seed, samples=3)
    assert len(states) == 5


@every_bot
def test_same_seed_same_game(name: str) -> None:
    options = {"boards": 2, "turns": 6}
    first = played((name, name), options, 7)
    assert played((name, name), options, 7) == first
    assert played((name, name), {**options, "line": "sorted"}, 8) != played((name, name), options, 9)


@every_bot
def test_seeds_of_bots_make_games_differ(name: str) -> None:
    turns = set()
    for seed in range(6):
        state = GAME.setup({"boards": 2}, 0)
        turns.add(tuple(GAME.write(order) for order in answer(name, state, seed, 30)))
    assert len(turns) > 1


@every_bot
def test_a_bot_can_be_asked_twice(name: str) -> None:
    state = GAME.setup({"boards": 1})
    asked = bot(name, state, 0)
    for _ in range(2):
        assert GAME.check(state, "yellow", asked.orders(GAME.observe(state, "yellow"), 0.0)).faults == ()


@every_bot
def test_nobody_orders_without_a_turn(name: str) -> None:
    state = GAME.setup({"boards": 1, "turns": 1})
    asked = bot(name, state, 0)
    assert not asked.orders(GAME.observe(state, SPECTATOR), 1.0)
    turn.end(state, SILENT)
    assert not asked.orders(GAME.observe(state, "yellow"), 1.0)
    turn.end(state, SILENT)
    assert not asked.orders(GAME.observe(state, "yellow"), 1.0)
    left = GAME.setup({"boards": 1})
    GAME.forfeit(left, "blue", Log())
    assert not asked.orders(GAME.observe(left, "yellow"), 1.0)


# ---- what a player with sense does


@thinker
@pytest.mark.parametrize("units", ["Nc2 Sg7 Sh6 nh7", "Nc2 Sg7 Se8 Pf6 nh7 zg8", "Nc2 Hf7 Hf6 Hg5 He7 nh7 zg7 zh6"])
def test_takes_a_kill(name: str, units: str) -> None:
    state = GAME.read_position(f"{units}; turn 9 yellow")
    answer(name, state, samples=40)
    assert state.board[0].killed


def test_makes_room_for_a_kill() -> None:
    """The Skeleton in front steps aside, so that the one behind comes near, too."""
    state = GAME.read_position("Nc2 Sg7 Sf7 nh7 zh6; turn 9 yellow")
    answer("captain", state, samples=200)
    assert state.board[0].killed


def test_brings_the_necromancer_into_safety() -> None:
    for seed in range(3):
        state = GAME.read_position("Nc2 se2 sd3 nh7; turn 9 yellow")
        answer("captain", state, seed, samples=40)
        hexes = {state.board[0].hex[hex].piece: hex for hex in range(HEXES)}
        necromancer, skeleton = hexes[state.first + 1], -3
        near = [
            hex for hex in range(HEXES) if state.board[0].hex[hex].piece == skeleton and distance(hex, necromancer) <= 2
        ]
        assert len(near) < 2  # two of them would kill


@thinker
def test_does_not_let_the_enemy_keep_eight_graveyards(name: str) -> None:
    held = "zb0 zi0 zj1 zd3 zg6 zd8 zj8 zg9"
    state = GAME.read_position(f"map Midnight Lake; Nc2 Sc4 Zb4 nh7 {held}; turn 9 yellow; money 0/0")
    assert graveyards(state.board[0], 1) == 8
    answer(name, state, samples=40)
    assert graveyards(state.board[0], 1) < 8


@thinker
def test_makes_a_sound_trade(name: str) -> None:
    """Two Skeletons take a Haunt."""
    state = GAME.read_position("Nc2 Se5 Sf4 hf5 nh7; turn 9 yellow")
    assert any(isinstance(order, Attack) for order in answer(name, state, samples=20))
    assert not any(state.board[0].hex[hex].piece == HAUNT for hex in range(HEXES))


@thinker
def test_places_its_free_spell(name: str) -> None:
    for texts in ("start", "Nc2 nh7; turn 5 blue; spells blue 2 1 1; spells yellow 1 2", "start; spell_price 0"):
        state = GAME.read_position(texts)
        orders = answer(name, state)
        assert any(isinstance(order, Spells) for order in orders)
        assert state.placed == 1 or state.spell_price == 0


@thinker
@pytest.mark.parametrize("which", ["reset+1", "reset+2"])
def test_chooses_a_necromancer_first(name: str, which: str) -> None:
    ring = "Arcane@c2 Zb2 zg7 zi7" if which == "reset+2" else "ring"
    state = GAME.read_position(f"state {which}; {ring}; turn 9 blue; zone SI szi; used blue Arcane")
    orders = [order for order in answer(name, state) if not isinstance(order, Spells)]
    assert isinstance(orders[0], Choose)
    assert orders[0].necromancer != "Arcane"
    assert orders[0].keep == "S"


@thinker
def test_spends_and_spawns(name: str) -> None:
    state = GAME.read_position("map Midnight Lake; Nc2 nh7; turn 9 yellow; money 20/0; zone I -")
    answer(name, state, samples=10)
    assert state.money[0] < 6  # six hexes are free
    assert sum(state.board[0].hex[hex].piece > 0 for hex in range(HEXES)) > 4


@thinker
def test_two_boards_take_two_necromancers(name: str) -> None:
    state = GAME.read_position("boards 2; b1: state reset+1; b2: state reset+1; zone I i; b2: zone I i; turn 9 blue")
    chosen = [order.necromancer for order in answer(name, state) if isinstance(order, Choose)]
    assert len(set(chosen)) == 2


# ---- their tools


def test_a_draft_takes_only_lawful_orders() -> None:
    state = GAME.setup({"boards": 1})
    draft = Draft(GAME.setting(state), GAME.observe(state, "yellow"))
    assert not draft.spell(0)
    assert draft.spell(MARCH)
    assert not draft.spell(0)  # it costs 8
    assert not draft.give(0, 0, 22, 23, 0)  # onto a friend
    assert draft.give(0, 0, 22, 23, 0, swap=1)
    assert [GAME.write(order) for order in draft.orders] == ["march", "1 tick c2-d2 d2-c2"]


def test_units_are_valued_by_their_figures() -> None:
    for options in ({"boards": 1}, {"boards": 1, "units": TABLE}, {"boards": 1, "units": POOR}):
        state = GAME.setup(options)
        tastes = tastes_of(state)
        assert all((tastes.worth[type] > 0) == (state.type[type].cost > 0) for type in range(state.types))
        assert tastes.ground[0].yards == 10


@pytest.mark.parametrize(
    ("units", "least", "most"),
    [
        ("Nc2 Sh9 Si8 Sj7 nj9", DECIDES, 2 * DECIDES),  # there is no way out of the corner
        ("Nc2 Sc3 nj9", -DECIDES // 2, DECIDES // 2),
        ("Na0 sc0 sb1 sa2 nj9", -2 * DECIDES, -DECIDES),  # the same for the other side
    ],
)
def test_the_search_sees_what_follows_the_enemys_answer(units: str, least: int, most: int) -> None:
    """Yellow lets its turn pass; what are its prospects after Blue's best answers?"""
    start = GAME.read_position(f"{units}; turn 9 yellow; money 0/0")
    state, after, later, log = start.copy(), start.copy(), start.copy(), SILENT
    idle, answer, desk, tastes, replies = Plan(), Plan(), Desk(), tastes_of(start), many(Plan, 4)
    foreseen(start, state, after, 0, idle, 30, 0, FAILED, 1, replies, answer, tastes, desk, log)
    assert desk.replied > 0
    assert least <= outlook(state, after, later, 0, 40, FAILED, 2, replies, answer, tastes, desk, log) <= most


def test_the_champion_spends_its_clock_evenly_on_the_turns_that_are_to_come() -> None:
    state = GAME.setup({"boards": 1})
    champion, left, spent = ChampionBot(GAME.setting(state), "yellow", 1), 10.0, []
    for turns in range(12):
        state.turn = turns + 1
        spent.append(champion._tries(state, left) / RATE)
        left += 0.05 - spent[-1]
    assert max(spent[:6]) < 1.1 * min(spent[:6])
    assert 0 < left < 3.5
    for _ in range(100):
        left += 0.05 - champion._tries(state, left) / RATE
    assert left > 0.25


def test_a_champion_with_a_fixed_number_of_tries_does_not_look_at_the_clock() -> None:
    found = []
    for left in (0.001, 100.0):
        state = GAME.setup({"boards": 1, "maps": "River Styx"}, 5)
        held_back = ChampionBot(GAME.setting(state), "yellow", 3, tries=200)
        found.append([GAME.write(order) for order in held_back.orders(GAME.observe(state, "yellow"), left)])
    assert found[0] == found[1]


def test_the_wanted_card_is_marched_to_and_then_teched() -> None:
    state = GAME.read_position("start")
    assert next_spell(state) == MARCH
    card = wanted(state)
    assert card is not None
    for place in range(card + 1):
        state.spells[place] = 1
    assert next_spell(state) == wanted(state)
    for place in range(state.cards):
        state.spells[place] = 2
    assert next_spell(state) is None


@pytest.mark.parametrize(
    ("units", "eighths"),
    [
        ("Nc2 nh7 se4", 3 * 5),  # four steps away, of which it flies one and reaches one: two are left, two turns
        ("Nc2 nh7 sd3", 8 * 5),  # it strikes next turn
        ("Nc2 nh7 sg7", 0),  # too far away
        ("Nc2 nh7 ie3", 2 * 5 + 16),  # an Initiate walks one turn before it strikes, and others may come from it
        ("Nc2 nh7 sd3 Zb2", 8 * 5 - 12),  # a Zombie meets it
        ("Nc2 nh7 ie3 Zb2 Zc1 Zd1", 0),  # so many that nothing is left
        ("Nc2 nh7 sd3 sd2 sc3 sb3", 2 * 8 * 7),  # four Skeletons are more than twice of what is enough
    ],
)
def test_a_siege_is_felt_long_before_the_blow(units: str, eighths: int) -> None:
    """Yellow has just played; what `champion` sees and `captain` does not, for both sides the same."""
    state, desk = GAME.read_position(f"{units}; turn 9 yellow; money 0/0"), Desk()
    wary, usual = wary_tastes(state), tastes_of(state)
    felt = SIEGES * eighths * eighths // (16 * 7) ** 2
    for side, sign in ((0, -1), (1, 1)):
        more = board_value(state, 0, side, wary, desk) - board_value(state, 0, side, usual, desk)
        assert more == sign * felt


def test_a_card_that_the_enemy_is_after_is_taken_from_it() -> None:
    """Blue is three spells from the Wight, and so is Yellow after its free one: it pays for another."""
    text = "Nc2 nh7; turn 4 yellow; line SPGWTKHAXUJVLMCORBQEDY; spells yellow 2 1; spells blue 1 1 1; money {}/0"
    for money, placed in ((7, 1), (8, 2)):
        state = GAME.read_position(text.format(money))
        assert goal_of(state) == (4, True)
        assert (spells_to(state, 0, 4), spells_to(state, 1, 4)) == (4, 3)
        draft = Draft(GAME.setting(state), GAME.observe(state, "yellow"))
        race_for_spells(draft)
        assert draft.state.placed == placed
        assert spells_to(draft.state, 0, 4) == 4 - placed


def test_a_first_card_that_beats_the_enemys_is_taken_at_once() -> None:
    """A Serpent strikes three hexes away, the Skeleton two; a Warg strikes further, but does not destroy it."""
    state = GAME.read_position("Nc2 nh7; turn 3 blue; line SPGWTKHAXUJVLMCORBQEDY; spells yellow 2 1; spells blue 1 1")
    skeleton, serpent, warg = (state.card[card] for card in (0, 1, 3))
    assert goal_of(state) == (1, False)
    assert [edge(state, 1, type) for type in (skeleton, serpent, warg)] == [1, EDGE, 1]
    assert wary_tastes(state).worth[serpent] == round(EDGE * tastes_of(state).worth[serpent])
    assert edge(state, 0, serpent) == 1  # Blue has nothing to beat
    state.spells[MAX_CARDS + 1] = 2
    assert goal_of(state)[0] != 1


def test_nobody_races_for_a_card_that_is_lost() -> None:
    state = GAME.read_position(
        "Nc2 nh7; turn 4 yellow; line SPGWTKHAXUJVLMCORBQEDY; spells yellow 2; spells blue 1 1 1 1; money 20/0"
    )
    assert not goal_of(state)[1]


def test_level_one_forgets_blows_or_purchases_and_nothing_else() -> None:
    """Its turns are those of level 2 without one kind of order, and what would follow from it."""
    kinds: set[str] = set()
    for seed in range(12):
        state = GAME.read_position("Nc2 Sd2 ie2 nh7; turn 4 yellow; money 9/0; line SPGWTKHAXUJVLMCORBQEDY")
        setting, view = GAME.setting(state), GAME.observe(state, "yellow")
        sound, level = (LEVELS[name](setting, "yellow", seed).orders(view, 1.0) for name in ("level-2", "level-1"))
        assert all(order in sound for order in level)
        kinds |= {type(order).__name__ for order in sound if order not in level}
    assert {"Attack", "Buy"} <= kinds <= {"Attack", "Buy", "Spawn", "Move"}


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled then")
def test_compiled_rules_are_loaded_before_the_clock_runs() -> None:
    code = """
from polemos.games.minions.bots.champion import ChampionBot
from polemos.games.minions.game import GAME
from polemos.games.minions.rules import turn
from polemos.games.minions.search.turns import best_turn
ChampionBot(GAME.setting(GAME.setup({"boards": 1}, 1)), "yellow", 1)
print(len(best_turn.signatures), len(turn.apply.signatures))
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["1", "1"]
