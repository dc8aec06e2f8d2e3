"""Game records of public UMI engines, written here by their format, and the rules under which they were played (17)."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from polemos.cli.main import polemos
from polemos.games.minions import fen
from polemos.games.minions.bots import BOTS
from polemos.games.minions.bots.champion import ChampionBot
from polemos.games.minions.game import GAME
from polemos.games.minions.game_records import CONFIG, BadRecord, follow
from polemos.games.minions.state import YELLOW
from polemos.kernel.errors import BadOptions
from polemos.kernel.match import Match
from polemos.kernel.playing import play
from polemos.kernel.positions import load_position, position_of
from polemos.kernel.simulate import simulate

pytestmark = pytest.mark.slow

NONE = "L" * 25
MINE = "U" * 14 + "A"  # Yellow owns card 14, Void, and has marched so far
RING = "0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0"
MOVED = RING.replace("6znz1", "5z1nz1")  # g7 to f7
THEN = f"{MINE}U{'L' * 9}|U{'L' * 24}"

# Yellow's Void unsummons a Zombie, blinks and is spawned again; two Skeletons destroy a necromancer, so that board 1 is
# reset and Blue opens it. Blue keeps its Horror, Yellow one Skeleton. Then Blue resigns the board, and Yellow has won.
RECORD = f"""\
fen 20|9 0|0 {MINE}{"L" * 10}|{NONE} n|||||0/0/2N7/0/3O1z4/0/0/7n2/0/0 n||qz|||0/0/2N7/0/0/0/6Sn2/6S3/0/0 0 21
turn [info eval winprob 0.5] [info nps 33.9 nodes 1 time 0.03]
action tech 1
action board 0 move d4e4
action board 0 attack e4f4
action board 0 blink e4
action board 0 spawn O c3
action board 1 attack g6h6
action board 1 attack g7h6
endturn

fen 27|9 1|0 {MINE}U{"L" * 9}|{NONE} n||z|||0/0/2N7/2O7/0/0/0/7n2/0/0 1|SS|qz|||{RING} 1 22
turn [info eval winprob 0.2] [info nps 40.5 nodes 1 time 0.02]
action tech 1
action board 0 spawn Z h8
action board 1 setup N Q
action board 1 move g7f7
endturn

fen 27|15 1|0 {THEN} n|||||0/0/2N7/2O7/0/0/0/7n2/7z2/0 2|SS|iq|||{MOVED} 0 23
turn
action tech 0
action board 0 blink c3
action board 0 spawn O d2
action board 1 setup N S
action board 1 move c3c4
action board 1 spawn S c3
endturn

fen 33|15 1|0 {THEN} n|||||0/0/2NO6/0/0/0/0/7n2/7z2/0 n|I|iq|||{MOVED.replace("1ZZ7/0", "1ZS7/2Z7")} 1 24
turn [info eval winprob 0.01]
action board 1 resign
endturn winner Yellow

Winner: yellow engine
"""


def test_a_record_with_blinks_and_resets_is_followed_whole() -> None:
    found = follow(RECORD)
    assert (found.plies, found.actions, found.positions, found.winner) == (4, 18, 4, "yellow engine")
    assert (found.state.winner, list(found.state.points)) == (YELLOW, [2, 0])


def test_a_record_may_begin_with_the_start_and_leave_positions_out() -> None:
    moves = "turn\naction tech 1\naction board 0 move b3a4\naction board 1 move_cyclic c3 d2\nendturn\n\n"
    start = f"fen 0|12 0|0 {NONE}|{NONE} f|I|i|||{RING} f|I|i|||{RING} 0 1\n"
    found = follow(moves)
    assert (found.plies, found.positions, found.winner) == (1, 0, "")
    assert follow(start + moves).state == found.state
    after = f"fen 7|12 0|0 U{'L' * 24}|{NONE} n|I|i|||{RING.replace('1ZZ7/0', '2Z7/Z9')} n|I|i|||{RING} 1 2\n"
    assert follow(start + moves + after).positions == 2


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("blink e4", "blink c2", "Line 6: 'action board 0 blink c2': That unit can't blink. Rule 17.3."),
        ("attack g7h6", "attack g7h5", "Line 9: 'action board 1 attack g7h5'"),
        ("fen 27|9 1|0", "fen 28|9 1|0", "Line 12: The position is 27|9 1|0"),
        ("n||z|||", "n||Q|||", "Line 12: The position is 27|9 1|0"),
        ("setup N Q", "setup N W", "Line 16: 'action board 1 setup N W': You must keep exactly one"),
        ("action board 0 spawn Z h8", "action board 2 spawn Z h8", "Board: '2' is not a number from 0 to 1."),
        (
            "action board 1 setup N S\n",
            "",
            "Line 25: 'action board 1 move c3c4': You have to choose",
        ),
        ("endturn winner Yellow", "endturn winner Blue", "Line 33: By our rules the winner is Yellow."),
        ("endturn\n\nfen 33", "endturn winner Blue\n\nfen 33", "By our rules the winner is not known yet."),
        ("action tech 0\n", "action tech 0 15\naction tech 2 15 15\n", "You can tech a card only if"),
        ("endturn\n\nfen 33", "\nfen 33", "The turn before it has not ended."),
        ("turn\naction tech 0", "action tech 0", "An action stands outside a turn."),
        ("turn [info eval winprob 0.01]", "turns", "'turns' is not a line of a record."),
        ("Winner: yellow engine", "Winner: yellow engine\nturn", "Nothing goes after the winner."),
        ("endturn winner Yellow\n\nWinner: yellow engine\n", "", "The last turn has not ended."),
    ],
)
def test_a_record_that_does_not_fit_names_its_line(old: str, new: str, says: str) -> None:
    with pytest.raises(BadRecord) as refused:
        follow(RECORD.replace(old, new, 1))
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("switches", "says"),
    [("resets,chains,at-once", "blink"), ("blinks,chains,at-once", "'fen ")],
)
def test_without_a_switch_the_record_does_not_fit(switches: str, says: str) -> None:
    with pytest.raises(BadRecord, match=says):
        follow(RECORD, f"{CONFIG} rules umi-2025:{switches} 4 25 umi-2025")


def test_chains_and_cards_of_the_same_turn_are_followed() -> None:
    """Card 0 is teched and its Skeleton bought in one turn; the Initiate just spawned serves to spawn it."""
    record = f"""\
fen 30|9 0|0 U{"L" * 24}|{NONE} n|I||||0/0/2N7/0/0/0/0/7n2/0/0 n|||||0/0/2N7/0/0/0/0/7n2/0/0 0 5
turn
action tech 1 0
action board 0 buy S
action board 0 spawn I c3
action board 0 spawn S c4
endturn
fen 24|9 0|0 AU{"L" * 23}|{NONE} n|||||0/0/2N7/2I7/2S7/0/0/7n2/0/0 n|||||0/0/2N7/0/0/0/0/7n2/0/0 1 6
"""
    assert follow(record).positions == 2
    for switches in ("blinks,resets,chains", "blinks,resets,at-once"):
        with pytest.raises(BadRecord):
            follow(record, f"{CONFIG} rules umi-2025:{switches} 4 25 umi-2025")


def test_records_at_the_terminal(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.minions", tmp_path / "bad.minions"
    good.write_text(RECORD)
    bad.write_text(RECORD.replace("blink e4", "blink e5"))
    result = CliRunner().invoke(polemos, ["umi", "--record", str(good)])
    assert result.exit_code == 0, result.output
    assert "4 turns, 18 actions, all legal; 4 positions, all equal; winner: yellow engine" in result.output
    result = CliRunner().invoke(polemos, ["umi", "--record", str(good), "--record", str(bad)])
    assert result.exit_code == 1
    assert "Line 6" in result.output
    result = CliRunner().invoke(polemos, ["umi", "--record", str(good), "--config", "2 nowhere S"])
    assert result.exit_code == 1
    assert "Configuration:" in result.output


# ---- the options


def test_the_public_engines_need_no_words_beyond_their_cards() -> None:
    state = GAME.setup({"rules": "umi-2025", "boards": 2}, 3)
    assert fen.write_config(state) == CONFIG
    assert fen.starting(fen.read_config(CONFIG)) == state
    assert fen.write_state(state, dialect=False) == f"0|12 0|0 {NONE}|{NONE} f|I|i|||{RING} f|I|i|||{RING} 0 1"


@pytest.mark.parametrize("switches", ["all", "none", "blinks", "resets chains", "at-once, blinks"])
def test_switches_are_kept_by_options_views_positions_and_configurations(switches: str) -> None:
    state = GAME.setup({"rules": "umi-2025", "boards": 2, "switches": switches, "turns": 9}, 3)
    assert GAME.setup(GAME.options_of(state), 8) == state
    assert GAME.imagine(GAME.setting(state), GAME.observe(state, "yellow"), 0) == state
    assert load_position(GAME, position_of(GAME, state)) == state
    assert fen.starting(fen.read_config(fen.write_config(state))) == state


@pytest.mark.parametrize("switches", ["", "jumps", "blinks jumps", ","])
def test_switches_that_do_not_exist_are_refused(switches: str) -> None:
    for rules in ("classic", "umi-2025"):
        with pytest.raises(BadOptions, match="Write all, none, or some of blinks, resets, chains, at-once"):
            GAME.setup({"rules": rules, "switches": switches}, 0)


def test_the_classic_rules_know_no_switches() -> None:
    classic = GAME.setup({"boards": 2}, 3)
    assert GAME.setup({"boards": 2, "switches": "all"}, 3) == classic
    assert (classic.switches, classic.spell_price) == (0, 8)
    assert "switches" not in GAME.options_of(classic)


@pytest.mark.parametrize("position", ["state reset+1; zone S zi", "state reset+2; zone S zi; turn 5 blue"])
def test_a_choice_that_was_made_is_kept_by_positions_and_fen(position: str) -> None:
    for chosen in ("", "; chosen"):
        state = GAME.read_position(f"switches resets; {position}{chosen}")
        assert state.board[0].due == (not chosen)
        assert load_position(GAME, position_of(GAME, state)) == state
        assert fen.read_state(state, fen.write_state(state)) == state
        assert GAME.imagine(GAME.setting(state), GAME.observe(state, "yellow"), 0) == state


def test_figures_of_units_that_blink_and_of_special_cards_in_words() -> None:
    setting = GAME.setting(GAME.setup({"rules": "umi-2025"}, 0))
    assert "Blink" in str(GAME.about(setting, "Haunt"))
    assert GAME.about(setting, "Copycat") == "Copycat: a special card, no unit can be bought with it (17.2)"


# ---- play


def test_random_play_in_compiled_code() -> None:
    found = simulate(GAME, 60_000, options={"rules": "umi-2025", "boards": 1, "points": 2, "turns": 20})
    assert found.games > 0


@pytest.mark.parametrize("name", [*BOTS, "champion"])
def test_our_bots_play_under_these_rules_to_the_end(name: str) -> None:
    match = Match(GAME, {"rules": "umi-2025", "boards": 2, "turns": 12, "points": 9}, seed=4)
    hasty = {"champion": partial(ChampionBot, rate=5_000)}  # 48 turns would take five seconds
    play(match, {seat: (BOTS | hasty)[name](match.setting, seat, 1) for seat in match.seats})
    assert match.outcome is not None
    assert not any(step.forfeits for step in match.steps)


def test_random_games_meet_resets_and_blinks_and_no_reset_0() -> None:
    """Every legal order of these games is accepted, views tell the whole state, and boards begin anew."""
    met, orders, dice = set(), set(), random.Random(1)
    for _ in range(3):
        match = Match(
            GAME, position="switches all; table umi-2025; to-win 9; turns 12; turn 3 yellow; Nc2 Hd4 Od5 nh7 qg5 hg6"
        )
        while match.outcome is None:
            (seat,) = match.to_act
            met.add(match.view(seat).boards[0].state)
            assert GAME.imagine(match.setting, match.view(seat), 0) == match.state
            given: list[str] = []
            for _ in range(8):
                found = GAME.options(match.setting, match.view(seat), [GAME.read(line) for line in given])
                wanted = [
                    each.text for each in found if each.text != "end" and ("resign" not in each.text or given[3:])
                ]
                given += [dice.choice(wanted)] if wanted else []
            given += ["1 resign"] if dice.random() < 0.15 and "1 resign" not in given else []
            assert match.submit(seat, given).faults == ()
            orders |= {line.split()[1] for line in given if line[0].isdigit()}
            match.run()
    assert met == {"normal", "reset+1", "reset+2"}
    assert {"blink", "choose", "resign"} <= orders
