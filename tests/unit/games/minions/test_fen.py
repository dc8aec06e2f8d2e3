"""The FEN of UMI engines: plain where plain is enough, loss-free always, and no text makes it stumble."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.games.minions import fen
from polemos.games.minions.game import GAME
from polemos.games.minions.maps import neighbours
from polemos.games.minions.progress import Turn
from polemos.games.minions.rules import play, turn
from polemos.games.minions.rules.pieces import is_of, put, type_of
from polemos.games.minions.state import HEXES, RESET0, STATES, State, Work
from polemos.games.minions.state import Order as OrderRecord
from polemos.games.minions.tables import load, write_table
from polemos.kernel.errors import BadPosition, NotationError
from polemos.kernel.log import SILENT
from search import examples

LINE = "S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D"
START_BOARD = "f|I|i|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0"
NONE = "L" * 22


def again(state: State) -> State:
    return fen.read_state(fen.read_config(fen.write_config(state)), fen.write_state(state))


def one(**more: object) -> State:
    return GAME.setup({"boards": 1, "maps": "Midnight Lake", "line": "sorted"} | more, 0)


# ---- plain


def test_the_start_of_two_boards_is_written_as_other_engines_write_it() -> None:
    state = GAME.setup({"boards": 2, "line": "sorted"}, 0)
    assert fen.write_config(state) == f"2 BlackenedShores,MidnightLake {LINE}"
    assert fen.write_state(state, dialect=False) == f"0|12 0|0 {NONE}|{NONE} {START_BOARD} {START_BOARD} 0 1"
    assert fen.starting(fen.read_config(f"2 BlackenedShores,MidnightLake {LINE}")) == state


def test_spells_zones_and_plies() -> None:
    state = GAME.read_position(
        "b1: map Midnight Lake; b1: units Nc2 nh7 Sd4 sa0; b1: zone SZ2I zi3; turn 3 blue; "
        "money 9/6; spells yellow 2 1; spells blue 1 2 1"
    )
    text = fen.write_state(state, dialect=False)
    board = "n|ISZZ|iiiz|||s9/0/2N7/0/3S6/0/0/7n2/0/0"
    assert text == f"9|6 0|0 AU{'L' * 20}|UAU{'L' * 19} {board} 1 6"
    assert again(state) == state


@pytest.mark.parametrize("name", ["AllLand", "allland", "open", "riverstyx", "RiverStyx", "Forbidden-Isle"])
def test_names_of_maps(name: str) -> None:
    written = fen.write_config(fen.read_config(f"1 {name} {LINE}"))
    assert written.split()[1] in ("AllLand", "RiverStyx", "ForbiddenIsle")


def test_a_map_without_a_name_is_written_by_rows() -> None:
    state = GAME.setup({"boards": 2, "maps": "random", "line": "sorted"}, 7)
    words = fen.write_config(state).split()
    assert len(words) == 3
    assert words[1].count("/") == 18
    assert again(state) == state


def test_no_game_begins_on_the_open_board() -> None:
    with pytest.raises(BadPosition) as refused:
        fen.starting(fen.read_config(f"1 AllLand {LINE}"))
    assert refused.value.rule == "15.3"


# ---- the dialect


def test_rules_are_written_only_if_they_are_not_the_usual_ones() -> None:
    assert fen.write_config(one(spell_price=4)).endswith("rules classic 4 2 2025-07")
    assert fen.write_config(one(turns=9, money=0)).endswith("rules classic 8 2 2025-07 turns 9 money 0")
    bids = one(bids="9,12")
    assert fen.write_config(bids).split()[3:8] == ["rules", "classic", "8", "2", "2025-07"]
    assert fen.write_config(bids).split()[-2:] == ["yellow", "second"]
    for state in (one(spell_price=4), one(turns=9, money=0), bids):
        assert again(state) == state


def test_a_table_of_ones_own() -> None:
    house = load("2025-07")
    other = msgspec.structs.replace(house, name="my own", fixed=5)
    state = one(units=write_table(other))
    assert len(fen.write_config(state).split()) == 8
    assert again(state) == state
    fixed = one(units=write_table(msgspec.structs.replace(house, fixed=5)))
    assert fen.write_config(fixed).endswith("rules classic 8 5 2025-07")
    assert again(fixed) == fixed


def test_necromancers_have_types_and_used_ones_are_listed() -> None:
    state = GAME.read_position("Arcane@c2 nh7; used yellow Arcane Zombie; turn 4 blue")
    words = fen.write_state(state).split()
    assert words[3].endswith("|Arcane,Basic")
    assert words[4:] == ["1", "8", "used", "Arcane,Zombie|-"]
    assert again(state) == state
    with pytest.raises(NotationError, match="dialect"):
        fen.write_state(state, dialect=False)


def test_a_board_between_kill_and_choice() -> None:
    """10.4 Yellow kills: reset+0 for Blue, then reset+1 for Yellow, reset+2 for Blue."""
    state = GAME.read_position("boards 2; to-win 2; b1: map Midnight Lake; b1: Nc2 nh7 Dg7; b2: Nc2 nh7")
    entered = Turn(state)
    entered.give("1 attack g7-h7")
    met = []
    state = entered.end(SILENT)
    for _ in range(4):
        met.append(fen.write_state(state).split()[3])
        assert again(state) == state
        state = Turn(state).end(SILENT)
    assert [board[0] for board in met] == ["0", "1", "2", "n"]
    assert met[0] == "0|DI|i|||0/2ZZ6/1Z1Z6/1ZZ7/0/0/7zz1/6z1z1/6zz2/0"  # one Initiate each (10.5)
    assert met[1] == met[0].replace("0|", "1|", 1)
    assert met[2].endswith("|Arcane,-")
    assert met[3].endswith("|Arcane,Arcane")


def test_many_units_of_a_type_are_counted() -> None:
    state = GAME.read_position("Nc2 nh7; zone Z99S100 z60000")
    assert fen.write_state(state).split()[3].startswith(f"n|S100{'Z' * 99}|z60000|||")
    assert again(state) == state


def test_a_turn_in_progress_and_a_game_that_is_over() -> None:
    state = GAME.setup({"boards": 2, "points": 1, "turns": 9}, 3)
    entered = Turn(state)
    for order in ("march", "1 move c3-c4", "1 move d2-e2", "2 resign"):
        entered.give(order)
    assert again(entered.state) == entered.state
    over = entered.end(SILENT)
    words = fen.write_state(over).split()
    assert words[-2:] == ["ended", "Blue,2"]
    assert words[3].endswith("||e2*moved,c4*moved")
    assert again(over) == over
    gone = state.copy()
    GAME.forfeit(gone, "yellow", SILENT)
    turn.end(gone, SILENT)
    assert "gaveup Yellow ended Blue,4" in fen.write_state(gone)
    assert again(gone) == gone


# ---- loss-free over random play


def stroke(state: State, at: int) -> None:
    """A Shadowlord beside the enemy necromancer strikes it down, so that there are resets to look at."""
    board, enemy = state.board[at], 1 - state.side
    units = state.types - state.necromancers
    for hex in range(HEXES):
        piece = board.hex[hex].piece
        if piece and is_of(piece, enemy) and type_of(piece) >= units:
            near = [there for there in neighbours(hex) if not board.hex[there].piece]
            if near and not board.killed and not board.due and not board.closed:
                put(board, near[0], state.side, units - 1)
                board.hex[near[0]].used = 1
                put(board, hex, enemy, 0)
                board.hex[hex].piece = 0
                board.killed = 1
            return


@examples(15)
@given(seed=st.integers(0, 10**9), boards=st.integers(1, 5))
def test_every_position_of_random_play_comes_back_the_same(seed: int, boards: int) -> None:
    chance = Random(seed)
    options = {
        "boards": boards,
        "points": chance.choice([1, 5, 99]),
        "turns": chance.choice([12, 200]),
        "maps": chance.choice(["", "random", "River Styx,random"]),
        "spell_price": chance.choice([0, 8]),
        "money": chance.choice([None, 0, 300]),
    }
    state = GAME.setup(options, seed)
    config = fen.write_config(state)
    assert fen.starting(fen.read_config(config)) == state
    order, work = OrderRecord(), Work()
    for step in range(24):
        if state.reason:
            break
        for at in range(boards):
            if chance.random() < 0.1:
                give_up_board(state, at)
        play.play_random_turn(state, order, seed + step, SILENT, work)
        for at in range(boards):
            if chance.random() < 0.1:
                stroke(state, at)
        if chance.random() < 0.3:
            assert again(state) == state  # in the middle of a turn
        turn.end(state, SILENT)
        assert again(state) == state
    assert fen.write_config(state) == config


def give_up_board(state: State, at: int) -> None:
    if state.board[at].state != RESET0:
        state.board[at].resigned = 1


def test_random_play_meets_all_states() -> None:
    """The test above would be worth little without resets."""
    met, chance = set(), Random(1)
    state = GAME.setup({"boards": 3, "points": 99}, 1)
    order, work = OrderRecord(), Work()
    for step in range(40):
        met |= {STATES[state.board[at].state] for at in range(3)}
        play.play_random_turn(state, order, step, SILENT, work)
        for at in range(3):
            if chance.random() < 0.1:
                stroke(state, at)
        turn.end(state, SILENT)
    assert met == set(STATES)


# ---- hostile texts

CONFIG = f"1 MidnightLake {LINE}"
STATE = f"0|6 0|0 {NONE}|{NONE} {START_BOARD} 0 1"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "1 MidnightLake",
        f"0 MidnightLake {LINE}",
        f"100 MidnightLake {LINE}",
        f"-1 MidnightLake {LINE}",
        f"² MidnightLake {LINE}",
        f"1 Atlantis {LINE}",
        f"1 random {LINE}",
        f"1 , {LINE}",
        f"1 {','.join(['MidnightLake'] * 9)} {LINE}",
        f"1 {'1/' * 50000} {LINE}",
        f"1 0/0/0/0/0/0/0/0/0 {LINE}",
        "1 MidnightLake S,P",
        "1 MidnightLake sorted",
        "1 MidnightLake s,o,r,t,e,d",
        f"1 MidnightLake {LINE},1,2",
        f"1 MidnightLake {LINE},1,2,3,4",
        f"1 MidnightLake {LINE},1,2,3 rules classic 8 2 2025-07",
        f"1 MidnightLake {LINE} rules umi-2025 4 25 umi-2025",
        f"1 MidnightLake {LINE},1,2,3 rules umi-2025:jumps 4 25 umi-2025",
        f"1 MidnightLake {LINE},S",
        f"1 MidnightLake {LINE} rules",
        f"1 MidnightLake {LINE} rules spooky 4 0 2025-07",
        f"1 MidnightLake {LINE} rules classic 1000 2 2025-07",
        f"1 MidnightLake {LINE} rules classic 8 23 2025-07",
        f"1 MidnightLake {LINE} rules classic 8 2 1999-01",
        f"1 MidnightLake {LINE} rules classic 8 2 %0A%ff%zz",
        f"1 MidnightLake {LINE} rules classic 8 2 2025-07 turns",
        f"1 MidnightLake {LINE} rules classic 8 2 2025-07 turns 0",
        f"1 MidnightLake {LINE} rules classic 8 2 2025-07 turns 9 turns 9",
        f"1 MidnightLake {LINE} rules classic 8 2 2025-07 weather fine",
        f"1 MidnightLake {LINE} rules classic 8 2 2025-07 yellow third",
        f"1 MidnightLake {LINE} extra",
        "x" * 500_000,
    ],
)
def test_a_bad_configuration_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        fen.read_config(text)
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (STATE, ""),
        ("0|6", "0"),
        ("0|6", "0|6|7"),
        ("0|6", "-1|6"),
        ("0|6", "0|2000000000"),
        ("0|6", "0|99999999999999999999"),
        ("0|0", "0|1"),  # the game would be won
        (NONE, "L" * 21),
        (NONE, "X" * 22),
        (f"{NONE}|{NONE}", f"A{'L' * 21}|A{'L' * 21}"),
        (f"{NONE}|{NONE}", f"LU{'L' * 20}|{NONE}"),
        ("f|", "q|"),
        ("f|", "|"),
        ("f|", "n|n|"),
        ("f|", "0|"),
        ("f|", "1|"),
        ("|I|", "|N|"),
        ("|I|", "|1|"),
        ("|I|", "|F|"),
        ("|I|", "|I0|"),
        ("|I|", "|I99999|"),
        ("|I|", "|I60000I|"),
        ("|||", "|fire||"),
        ("1ZNZ6", "1ZNZ5"),
        ("1ZNZ6", "1ZNZ7"),
        ("1ZNZ6", "1ZNZ60"),
        ("1ZNZ6", "1ZNF6"),
        ("1ZNZ6", "1ZNé6"),
        ("1ZNZ6", "1Z²Z6"),
        ("1ZNZ6", "1Z1Z6"),  # no necromancer
        ("1ZNZ6", "1NNZ6"),  # two
        ("1ZNZ6", "Z" * 100_000),
        ("/0/0/", "/0/"),
        ("/0/0/", "/0/4z5/0/" * 9),
        ("/0/0/", "/4z5/0/"),  # e4 is water
        ("zz2/0", "zz2/0|Arcane"),
        ("zz2/0", "zz2/0|Arcane,Zorro"),
        ("zz2/0", "zz2/0|-,Basic"),
        ("zz2/0", "zz2/0||a0*1"),
        ("zz2/0", "zz2/0||c2*1"),  # own units have no damage
        ("zz2/0", "zz2/0||h7*7"),
        ("zz2/0", "zz2/0||h7*300"),
        ("zz2/0", "zz2/0||h7*moved"),
        ("zz2/0", "zz2/0||due"),
        ("zz2/0", "zz2/0||closed"),
        ("zz2/0", "zz2/0|||"),
        (" 0 1", " 0 2"),
        (" 0 1", " 1 2"),  # turn 1 is Yellow's
        (" 0 1", " 2 1"),
        (" 0 1", " 0 0"),
        (" 0 1", " 0 401"),  # after the last turn
        (" 0 1", " 0 99999"),
        (" 0 1", " 0"),
        (" 0 1", " 0 1 used"),
        (" 0 1", " 0 1 used Basic|-"),
        (" 0 1", " 0 1 used Arcane"),
        (" 0 1", " 0 1 placed 1"),
        (" 0 1", " 0 1 placed 200"),
        (" 0 1", " 0 1 teched 22"),
        (" 0 1", " 0 1 teched 0"),
        (" 0 1", " 0 1 gaveup Yellow"),
        (" 0 1", " 0 1 gaveup Nobody"),
        (" 0 1", " 0 1 ended Green,1"),
        (" 0 1", " 0 1 ended Yellow,0"),
        (" 0 1", " 0 1 ended Yellow"),
        (" 0 1", " 0 1 weather fine"),
        (" 0 1", " 0 1" + " used -|-" * 2),
        (STATE, "y" * 500_000),
    ],
)  # fmt: skip
def test_a_bad_position_is_refused(old: str, new: str) -> None:
    assert old in STATE
    with pytest.raises((NotationError, BadPosition)) as refused:
        fen.read_state(fen.read_config(CONFIG), STATE.replace(old, new, 1))
    assert len(str(refused.value)) < 500


SAMPLES = [
    STATE,
    f"0|6 0|0 {NONE}|{NONE} 0|DI|i|||0/2ZZ6/1Z1Z6/1ZZ7/0/0/7zz1/6z1z1/6zz2/0 1 8 used Arcane|Zombie",
    f"9|6 0|0 AU{'L' * 20}|UAU{'L' * 19} n|ISZ100|iz|||s9/0/2N7/0/3S6/0/0/7n2/0/0|Arcane,Basic|closed,d4*moved 0 7"
    " placed 1",
    f"9|6 0|1 {NONE}|{NONE} n|I|i|||0/2ZZ6/1Z1Z6/1ZZ7/0/0/7zz1/6z1z1/6zz2/0||due 0 7 ended Blue,2",
]


@examples(300)
@given(data=st.data())
def test_a_slip_of_the_pen_is_read_or_refused(data: st.DataObject) -> None:
    config = fen.read_config(CONFIG)
    text = list(data.draw(st.sampled_from(SAMPLES)))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        signs = st.sampled_from(list("0129|/,*NnZzAfULdue -²\x00é")) | st.just("")
        text[at] = data.draw(signs)
    try:
        state = fen.read_state(config, "".join(text))
    except (NotationError, BadPosition):
        return
    assert again(state) == state


@examples(200)
@given(text=st.text(max_size=80), fields=st.lists(st.text(max_size=20), min_size=5, max_size=9))
def test_any_text_is_read_or_refused(text: str, fields: list[str]) -> None:
    for words in (text, " ".join(fields)):
        for read in (fen.read_config, lambda words: fen.read_state(fen.read_config(CONFIG), words)):
            with suppress(NotationError, BadPosition):
                read(words)
