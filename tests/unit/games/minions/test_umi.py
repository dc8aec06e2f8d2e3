"""The UMI engine: conversations, a whole game over text alone, hostile lines, the process."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.games.minions import fen
from polemos.games.minions.game import GAME
from polemos.games.minions.lawful import options_in
from polemos.games.minions.notation import End, Spells, Tick, read_order
from polemos.games.minions.progress import Turn
from polemos.games.minions.state import State
from polemos.games.minions.umi import MAX_LINE, Engine, actions_of, orders_of
from polemos.games.minions.view import Setting, View, imagine
from polemos.kernel.errors import NotationError
from polemos.kernel.game import BotMaker
from polemos.kernel.log import SILENT
from polemos.kernel.match import AnyMatch, Match
from search import examples

pytestmark = pytest.mark.slow

UMI = "2 BlackenedShores,MidnightLake S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3"  # rules=umi-2025

ROOT = Path(__file__).parents[4]
LINE = "S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D"
CONFIG = f"config 1 MidnightLake {LINE}"
NONE = "L" * 22


class WildBot:
    """Gives any lawful orders, also such as no sensible player would; resigns boards, so that there are resets."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        self.setting, self.chance = setting, Random(seed)

    def orders(self, view: View, time_left: float) -> Sequence[object]:
        turn = Turn(imagine(self.setting, view))
        for _ in range(self.chance.randint(0, 12)):
            options = [option.text for option in options_in(turn.state) if option.text != "end"]
            if not options:
                break
            kind = self.chance.choice(sorted({re.sub(r"[0-9]+ ", "", text).split()[0] for text in options}))
            if kind == "resign" and self.chance.random() < 0.7:
                continue
            turn.give(self.chance.choice([text for text in options if kind in text]))
        return turn.given


class Raising:
    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        pass

    def orders(self, view: View, time_left: float) -> Sequence[object]:
        raise RuntimeError("no idea\nat all")


class Babbling(Raising):
    def orders(self, view: View, time_left: float) -> Sequence[object]:
        return ["1 move c3-c4", "2 move c3-c4", 17, "1 move a0-a1", "end", "1 move b3-b4"]


BOTS: dict[str, BotMaker] = {"wild": WildBot, "raising": Raising, "babbling": Babbling}


def engine(bot: str = "wild", seed: int = 0) -> Engine:
    return Engine(bot, seed, BOTS)


def say(to: Engine, *lines: str) -> list[str]:
    return [answer for line in lines for answer in to.answer(line)]


def board(to: Engine, at: int = 0) -> str:
    (text,) = say(to, "getfen")
    return text.split()[3 + at]


# ---- conversations


def test_introduction() -> None:
    answers = say(engine(seed=4), "umi", "isready", "")
    assert answers[0].startswith("id name Polemos ")
    assert " author " in answers[0]
    assert "option name bot type combo default wild var wild var raising var babbling" in answers
    assert "option name dialect type check default true" in answers
    assert "option name seed type spin default 4 min 0 max 2147483647" in answers
    assert answers[-2:] == ["umiok", "readyok"]


def test_positions_go_in_and_come_out() -> None:
    one = engine()
    assert say(one, f"config 2 BlackenedShores,MidnightLake {LINE}", "position startpos") == []
    start = "f|I|i|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0"
    assert say(one, "getfen") == [f"0|12 0|0 {NONE}|{NONE} {start} {start} 0 1"]
    later = f"3|12 1|0 U{'L' * 21}|{NONE} n|IZ||||0/0/2N7/0/0/0/0/7n2/0/0|Arcane,Basic {start.replace('f', 'n')} 1 8"
    assert say(one, f"position fen {later} used Arcane|-", "getfen") == [f"{later} used Arcane|-"]
    assert say(one, "setoption name dialect value false", "getfen") == [
        "info error This position cannot be written without the dialect."
    ]


def test_a_turn_entered_by_hand() -> None:
    one = engine()
    answers = say(
        one,
        CONFIG,
        "turn",
        "action board 0 move b3a3",
        "action board 0 move_cyclic c3 d2",
        "action board 0 tick c1b1 d1c1",
        "action tech 1",
        "endturn",
    )
    assert answers == []
    (text,) = say(one, "getfen")
    assert text == f"4|6 0|0 U{'L' * 21}|{NONE} n|I|i|||0/1ZZ7/1ZNZ6/Z1Z7/0/0/7zz1/6znz1/6zz2/0 1 2"


def test_our_rules_judge_every_action() -> None:
    one = engine()
    say(one, CONFIG, "turn")
    assert say(one, "action board 0 move b3b5") == ["info error That is too far for the unit's speed. Rule 5.8."]
    assert say(one, "action board 0 buy Z") == ["info error You can't buy or spawn on this board this turn. Rule 9.1."]
    assert say(one, "action board 0 setup Arcane")[0].endswith("Rule 10.7.")
    assert say(one, "action board 1 move b3b4") == ["info error Board: '1' is not a number from 0 to 0."]
    assert say(one, "action board 0 move b3b4") == []
    assert say(one, "action board 0 move b4b5")[0].endswith("Rule 5.4.")
    assert say(one, "endturn") == []
    assert board(one).split("/")[4] == "1Z8"


def test_a_later_tech_action_replaces_an_earlier_one() -> None:
    one = engine()
    say(one, CONFIG, "turn", "action tech 3", "action tech 1", "endturn")
    assert say(one, "getfen")[0].split()[2] == f"U{'L' * 21}|{NONE}"
    # Blue: marches first, then techs; two spells cost 8, and 6 are there.
    refused = say(one, "turn", "action tech 1 0", "endturn")
    assert refused == ["info error action tech 1 0: You don't have enough money for this spell. Rule 8.3."]
    assert say(one, "getfen")[0].split()[2] == f"U{'L' * 21}|{NONE}"
    say(one, "turn", "action tech 1", "action tech 0", "endturn")
    assert say(one, "getfen")[0].split()[2] == f"U{'L' * 21}|{NONE}"


def test_the_end_of_the_game() -> None:
    one = engine()
    assert say(one, CONFIG, "turn", "action board 0 resign", "endturn") == ["info result winner Blue"]
    for line in ("go", "play", "turn"):
        assert say(one, line) == ["info error The game is over. Rule 12.8."]
    (over,) = say(one, "getfen")
    assert over.endswith(" 0 1 ended Blue,2")
    two = engine()
    assert say(two, CONFIG, f"position fen {over}", "getfen") == [over]
    # What others say about the winner is compared, not believed.
    assert say(two, "position startpos", "turn", "action board 0 resign", "endturn winner Blue") == [
        "info result winner Blue"
    ]
    assert say(two, "position startpos", "turn", "endturn winner Blue") == [
        "info error Blue has not won by our rules. Rule 12.8."
    ]
    assert say(two, "getfen", "turn")[1].startswith("info error A turn is being entered"), "it has not ended"


@pytest.mark.parametrize("config", [CONFIG, f"config {UMI}"])
@pytest.mark.parametrize(
    "refused",
    [
        "endturn winner Green",
        "endturn winner Blue",
        "endturn winner Yellow",
        "endturn winner",
        "endturn now",
        "action tech 9 9",
        "action tech 99",
        "action board 0 move b3b9",
        "action board 0 blink b3",
        "action board 7 resign",
        "action board 0 setup N",
        "turn",
        "play",
        "position fen 0|0",
        "config 1 Nowhere S",
        "go movetime never",
        "setoption name seed value minus",
    ],
)
def test_a_refused_command_changes_nothing(config: str, refused: str) -> None:
    """Neither the position nor the turn that is being entered, its spells included."""
    entered = ["turn", "action tech 1", "action board 0 move b3a3"]
    rest = ["action board 0 move c3c4", "endturn", "getfen"]
    one, two = engine(), engine()
    say(one, config, *entered)
    say(two, config, *entered)
    before = say(one, "getfen", "display")
    answer = say(one, refused)
    if refused != "action tech 9 9" or "UMI" in config:  # plain spells are judged when the turn ends
        assert all(line.startswith("info error ") for line in answer)
    assert say(one, "getfen", "display") == before
    if refused == "action tech 9 9":
        say(one, "action tech 1")
    assert say(one, *rest) == say(two, *rest)


def test_errors_count_boards_as_the_sender_does() -> None:
    """From 0, in positions as in actions."""
    one = engine()
    say(one, f"config {UMI}")
    good, bad = "n|||||0/0/2N7/0/0/0/0/7n2/0/0", "n|||||0/0/2N7/0/0/0/0/0/0/0"
    (first,) = say(one, f"position fen 0|0 0|0 {NONE}LLL|{NONE}LLL {bad} {good} 0 5")
    (second,) = say(one, f"position fen 0|0 0|0 {NONE}LLL|{NONE}LLL {good} {bad} 0 5")
    assert first.startswith("info error Board 0: ")
    assert second == first.replace("Board 0", "Board 1")
    (unreadable,) = say(one, f"position fen 0|0 0|0 {NONE}LLL|{NONE}LLL {good} x 0 5")
    assert unreadable.startswith("info error Board 1: ")
    (missing,) = say(one, f"config {UMI}", "turn", "action board 2 move b3b4")
    assert missing == "info error Board: '2' is not a number from 0 to 1."


def test_orders_of_our_own_bot_are_refused_in_the_words_of_umi() -> None:
    class Wrong:
        def __init__(self, setting: object, seat: str, seed: int) -> None:
            pass

        def orders(self, view: object, time_left: float) -> list[str]:
            return ["2 move a0-a1", "tech 3", "nonsense"]

    one = Engine("wrong", 0, {"wrong": Wrong})
    say(one, f"config {UMI}")
    refused = [line.partition(":")[0] for line in say(one, "go") if line.startswith("info refused")]
    assert refused == [
        "info refused action board 1 move a0a1",
        "info refused action tech 0 2",
        "info refused nonsense",
    ]


def test_setup_with_a_name_with_the_letter_alone_and_not_at_all() -> None:
    position = f"0|0 0|0 {NONE}|{NONE} 1|DIZ|iiz|||0/2ZZ6/1Z1Z6/1ZZ7/0/0/7zz1/6z1z1/6zz2/0 0 7"
    for actions, kind, zone in (
        (["action board 0 setup Mounted Z"], "Mounted", "IZ"),
        (["action board 0 setup mounted"], "Mounted", "DI"),
        (["action board 0 setup N I"], "Ranged", "II"),
        ([], "Ranged", "DI"),
    ):
        one = engine()
        say(one, CONFIG, f"position fen {position} used Arcane|-")
        assert say(one, "turn", *actions, "endturn") == []
        assert board(one).startswith(f"2|{zone}|iiz|||")
        assert board(one).endswith(f"|{kind},-")
    one = engine()
    say(one, CONFIG, f"position fen {position} used Arcane|-", "turn")
    assert say(one, "action board 0 setup Arcane")[0].endswith("Rule 10.8.")
    assert say(one, "action board 0 setup Basic")[0].endswith("Rule 10.7.")
    assert say(one, "action board 0 setup Mounted S")[0].endswith("Rule 10.10.")
    assert say(one, "action board 0 move c3c4")[0].endswith("Rule 4.6.")


def test_go_leaves_the_position_and_play_makes_the_turn() -> None:
    one, two = engine(seed=5), engine(seed=5)
    for both in (one, two):
        say(both, CONFIG.replace("1", "9", 1))
    before = say(one, "getfen")
    answers = say(one, "go movetime 200 nodes 10")
    assert answers[0] == "turn"
    assert answers[-1].startswith("endturn")
    assert all(answer.startswith("action ") for answer in answers[1:-1])
    assert say(one, "getfen") == before
    assert say(two, "play") == answers
    assert say(one, *answers) == []
    assert say(one, "getfen") == say(two, "getfen") != before


def test_a_bot_that_fails_ends_its_turn() -> None:
    one = engine("raising")
    say(one, CONFIG)
    error, *rest = say(one, "play")
    assert error.startswith("info error The bot raising failed: RuntimeError")
    assert rest == ["turn", "endturn"]
    assert say(one, "getfen")[0].endswith(" 1 2")


def test_orders_of_a_bot_that_are_refused_are_not_passed_on() -> None:
    one = engine("babbling")
    say(one, CONFIG)
    answers = say(one, "go")
    assert [answer[:12] for answer in answers[:3]] == ["info refused"] * 3
    assert answers[3:] == ["turn", "action board 0 move c3c4", "endturn"]


def test_options() -> None:
    one = engine()
    assert say(one, CONFIG, "setoption name bot value raising", "setoption name seed value 9") == []
    assert say(one, "go")[0].startswith("info error")
    say(one, CONFIG)  # wipes the options
    assert say(one, "go")[0] == "turn"
    assert say(one, "setoption name spells value false") == []
    for line in (
        "name bot value napoleon",
        "name seed value x",
        "name spells value true",
        "name x value y",
        "name",
        "",
    ):
        (answer,) = say(one, f"setoption {line}")
        assert answer.startswith("info error ")


def test_strict_mode_ends_the_conversation_at_the_first_error() -> None:
    one = engine()
    assert say(one, "nonsense")[0].startswith("info error")
    assert not one.over
    say(one, "setoption name strictmode value true")
    assert say(one, "nonsense", "isready")[0].startswith("info error")
    assert one.over
    assert one.failed


def test_no_game_begins_on_the_open_board_but_positions_can_be_set() -> None:
    one = engine()
    assert say(one, f"config 1 AllLand {LINE}") == []
    assert say(one, "position startpos")[0].startswith("info error A game can't start on the map of board 0")
    for line in ("getfen", "go", "turn", "display"):
        assert say(one, line)[0].startswith("info error No position is set")
    assert say(one, f"position fen 0|0 0|0 {NONE}|{NONE} n|||||0/0/2N7/0/0/0/0/7n2/0/0 0 7") == []
    assert say(one, "go")[0] == "turn"


def test_display_shows_the_turn_that_is_being_entered() -> None:
    one = engine()
    say(one, CONFIG)
    before = say(one, "display")
    assert any("Midnight Lake" in line for line in before)
    say(one, "turn", "action board 0 move b3b4")
    assert say(one, "display") != before


def test_a_bot_is_tried_before_it_is_ready() -> None:
    """What has to be compiled or read is done before the clock of a search runs."""
    made = []

    class Counting(WildBot):
        def __init__(self, setting: Setting, seat: str, seed: int) -> None:
            super().__init__(setting, seat, seed)
            made.append(setting.boards)

    one = Engine("counting", 0, {"counting": Counting, "raising": Raising})
    assert say(one, "isready", "isready") == ["readyok"] * 2
    assert made == [1]
    assert say(one, "setoption name bot value raising", "isready") == ["readyok"]


def test_quit() -> None:
    one = engine()
    assert say(one, "quit", "isready") == []
    assert one.over
    assert not one.failed


# ---- orders and actions


def start(boards: int = 2) -> State:
    return GAME.setup({"boards": boards, "line": "sorted"}, 0)


def test_orders_become_plain_actions() -> None:
    orders = [
        *("tech 2", "1 move c3-c4", "march", "2 attack d4-e4", "1 buy zombie", "1 spawn Initiate c3"),
        *("2 choose zombie keep skeleton", "2 resign", "tech warg", "end"),
    ]
    assert actions_of(start(), map(read_order, orders)) == [
        "action tech 1 1 2",
        "action board 0 move c3c4",
        "action board 1 attack d4e4",
        "action board 0 buy Z",
        "action board 0 spawn I c3",
        "action board 1 setup Zombie S",
        "action board 1 resign",
    ]
    back = orders_of(start(), actions_of(start(), map(read_order, orders)))
    assert back[-1] == Spells(("march", "tech 2", "tech 3"))
    assert actions_of(start(), back) == actions_of(start(), map(read_order, orders))


@pytest.mark.parametrize(
    ("tick", "actions"),
    [
        ("d4-e4", ["move d4e4"]),
        ("d4-e4 e4-d4", ["move_cyclic d4 e4"]),
        ("d4-e4 e4-f4 f4-g4", ["move f4g4", "move e4f4", "move d4e4"]),
        ("d4-e4 e4-d5 d5-d4", ["move_cyclic d4 e4 d5"]),
        ("a1-a2 d4-e4 a2-a3 e4-d4", ["move a2a3", "move a1a2", "move_cyclic d4 e4"]),
        ("d4-e4 f4-e4", ["tick d4e4 f4e4"]),
        ("d4-e4 d4-f4", ["tick d4e4 d4f4"]),
        ("d4-d4 d5-e5", ["tick d4d4 d5e5"]),
    ],
)
def test_a_tick_is_parted_into_moves_and_rings(tick: str, actions: list[str]) -> None:
    found = actions_of(start(1), [read_order(f"1 tick {tick}")])
    assert found == [f"action board 0 {action}" for action in actions]
    if len(actions) == 1 and actions[0].startswith(("move_cyclic", "tick")):
        (back,) = orders_of(start(1), found)
        assert isinstance(back, Tick)
        assert sorted(back.moves) == sorted(tick.split())


def test_unknown_names_have_no_action() -> None:
    for order in ("3 move c3-c4", "1 buy Unicorn", "tech 99", "1 choose Merlin"):
        with pytest.raises(NotationError):
            actions_of(start(), [read_order(order)])
    with pytest.raises(NotationError):
        orders_of(start(), ["endturn"])


@examples(10)
@given(seed=st.integers(0, 10**6), boards=st.integers(1, 3))
def test_a_turn_ends_the_same_after_the_way_there_and_back(seed: int, boards: int) -> None:
    state = GAME.setup({"boards": boards, "points": 99, "money": 60}, seed)
    for step in range(4):
        turn = Turn(state)
        seat = turn.side
        for order in WildBot(GAME.setting(state), seat, seed + step).orders(GAME.observe(state, seat), 1):
            turn.give(order)
        actions = actions_of(state, turn.given)
        other = Turn(state)
        for order in orders_of(state, actions):
            other.give(order)
        state = turn.end(SILENT)
        assert other.end(SILENT) == state


# ---- a whole game over text alone


def play_over_text(bots: tuple[Engine, Engine], match: AnyMatch) -> None:
    """Two engines that know nothing of each other but text, and our own umpire beside them."""
    config = fen.write_config(match.state)
    for one in bots:
        assert say(one, f"config {config}", "position startpos") == []
    for _ in range(1000):
        mover, other = bots if match.state.side == 0 else bots[::-1]
        before = match.state.copy()
        answers = say(mover, "go movetime 50")
        assert answers[0] == "turn", answers
        # The mover makes its own turn by hand; the other one is told the position.
        result = say(mover, *answers)
        (position,) = say(mover, "getfen")
        assert say(other, f"position fen {position}", "getfen") == [position]
        sheet = match.submit(match.to_act[0], orders_of(before, answers[1:-1]))
        assert not sheet.faults
        match.run()
        assert position == fen.write_state(match.state)
        if match.outcome is not None:
            winner = (match.outcome.winner or "nobody").capitalize()
            assert answers[-1] == f"endturn winner {winner}"
            assert result == [f"info result winner {winner}"]
            assert say(other, "go") == ["info error The game is over. Rule 12.8."]
            return
        assert answers[-1] == "endturn"
        assert result == []
    raise AssertionError("The game does not end.")


@pytest.mark.parametrize(
    ("options", "seed"),
    [
        ({"boards": 1, "turns": 8}, 1),
        ({"boards": 2, "turns": 10, "points": 20, "money": 50}, 2),
        ({"boards": 3, "maps": "random", "spell_price": 1}, 3),
    ],
)
def test_two_engines_play_a_game_over_text(options: dict[str, object], seed: int) -> None:
    play_over_text((engine(seed=seed), engine(seed=seed + 1)), Match(GAME, options, seed=seed))


def test_our_own_bot_plays_a_game_over_text() -> None:
    match = Match(GAME, {"boards": 2, "turns": 6}, seed=5)
    play_over_text((Engine("greedy", 1), Engine("random", 2)), match)


# ---- hostile lines

ODD = [
    "config", "config 1", f"config 9 Atlantis {LINE}", "position", "position fen", "position fen 0|0", "position x",
    "go movetime", "go movetime 0", "go movetime -5", "go movetime 99999999999999", "go spells a,b", "go x y",
    "action", "action tech", "action board 0", "endturn", "turn spells a b", "getfen now", "display all",
    "setoption name strictmode value maybe", "\0", "�" * 50, "ACTION", "auto 3", "x" * (MAX_LINE + 5),
    "position fen " + "0|0 " * 50_000,
]  # fmt: skip
ODD_ACTIONS = [
    "tech", "tech x", "tech -1", "tech 999", "tech 1 " + "1 " * 200, "tech 1 -1", "tech 1 999", "tech ²",
    "board", "board 0", "board x move c3c4", "board 8 move c3c4", "board 99999999999 resign", "board 0 move",
    "board 0 move c3", "board 0 move c3c4d5", "board 0 move k3c4", "board 0 move_cyclic", "board 0 move_cyclic c3",
    "board 0 move_cyclic " + "c3 " * 200, "board 0 tick", "board 0 tick " + "c3c4 " * 200, "board 0 attack c3",
    "board 0 buy", "board 0 buy Q9", "board 0 buy \x01", "board 0 spawn Z", "board 0 spawn Z k9", "board 0 setup",
    "board 0 setup Merlin", "board 0 setup Arcane Z Z", "board 0 resign now", "board 0 blink c3", "buy_spell fire",
    "give_spell 0 fire", "march", "board 0 choose Arcane",
]  # fmt: skip


@pytest.mark.parametrize("line", ODD, ids=lambda line: line[:20].encode("unicode_escape").decode())
def test_an_odd_line_is_answered_by_one_line_of_error(line: str) -> None:
    one = engine()
    before = say(one, CONFIG, "getfen")
    (answer,) = say(one, line)
    assert answer.startswith("info error ")
    assert len(answer) < 600
    assert answer.isprintable()
    assert say(one, "getfen", "isready") == [*before, "readyok"]


@pytest.mark.parametrize("action", ODD_ACTIONS, ids=lambda line: line[:20].encode("unicode_escape").decode())
def test_an_odd_action_is_refused_and_the_turn_goes_on(action: str) -> None:
    one = engine()
    say(one, CONFIG, "turn")
    refused = say(one, f"action {action}", "endturn")
    assert len(refused) == 1
    assert refused[0].startswith("info error ")
    assert refused[0].isprintable()
    assert say(one, "getfen")[0].endswith(" 1 2")


WORDS = st.sampled_from(
    [
        "umi", "isready", "setoption", "config", "position", "startpos", "fen", "go", "play", "turn", "action", "tech",
        "board", "setup", "move", "move_cyclic", "tick", "attack", "buy", "spawn", "resign", "endturn", "winner",
        "Blue", "getfen", "display", "0", "1", "2", "7", "c3", "c3c4", "b3b4", "Z", "N", "Arcane", "name", "value",
        "bot", "wild", "movetime", "0|6", "-", "x",
    ]
)  # fmt: skip


@examples(60)
@given(lines=st.lists(st.lists(WORDS | st.text(max_size=5), max_size=6).map(" ".join), max_size=12))
def test_no_conversation_makes_the_engine_stumble(lines: list[str]) -> None:
    one = engine()
    say(one, CONFIG)
    for line in lines:
        for answer in one.answer(line):
            assert "\n" not in answer
    assert say(one, "isready") == ["readyok"]


def test_too_many_refusals_end_the_orders_of_a_turn() -> None:
    one = engine()
    say(one, CONFIG, "turn")
    for _ in range(1000):
        say(one, "action board 0 move a0a1")
    assert say(one, "action board 0 move b3b4")[0].endswith("Rule 13.5.")
    assert say(one, "endturn") == []


def test_an_end_among_the_orders_is_no_action() -> None:
    assert actions_of(start(), [End()]) == []


# ---- the document


def conversation() -> list[tuple[str, list[str]]]:
    """What docs/reference/umi.md says: lines with > in front are sent, those after it are the answer."""
    text = (ROOT / "docs" / "reference" / "umi.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```umi\n(.*?)```", text, re.DOTALL)
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("> "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def test_the_conversation_in_the_document_is_true() -> None:
    one = Engine()
    said = conversation()
    assert len(said) > 10
    for line, wanted in said:
        answers = one.answer(line)
        pattern = "\n".join(".*" if want == "..." else re.escape(want) for want in wanted)
        assert re.fullmatch(pattern, "\n".join(answers), re.DOTALL), (line, answers)
    assert one.over


# ---- the process


def run(text: bytes, *args: str) -> subprocess.CompletedProcess[bytes]:
    code = "from polemos.games.minions.umi import command; command()"
    return subprocess.run(
        [sys.executable, "-c", code, *args], input=text, capture_output=True, check=False, timeout=600
    )


def test_the_process_answers_until_quit() -> None:
    said = f"umi\r\n\xff\xfe nonsense\n{CONFIG}\n\nturn\naction board 0 resign\nendturn\nquit\nisready\n"
    done = run(said.encode("latin-1"), "--bot", "random", "--seed", "3")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith("id name Polemos")
    assert "option name seed type spin default 3 min 0 max 2147483647" in lines
    assert lines[-2].startswith("info error ")
    assert lines[-1] == "info result winner Blue"
    assert b"Traceback" not in done.stderr


def test_the_process_ends_with_its_input_and_refuses_an_endless_line() -> None:
    done = run(b"x" * (4 * MAX_LINE + 10_000) + b"\nisready", "--bot", "random")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().splitlines()
    assert lines == [f"info error A line can have at most {MAX_LINE} characters.", "readyok"]


def test_strict_mode_ends_the_process() -> None:
    done = run(b"setoption name strictmode value true\nnonsense\nisready\n")
    assert done.returncode == 1
    assert done.stdout.startswith(b"info error ")
    assert b"readyok" not in done.stdout
    assert b"Traceback" not in done.stderr


def test_an_unknown_bot_is_a_usage_error() -> None:
    done = run(b"", "--bot", "napoleon")
    assert done.returncode == 2
    assert b"There is no bot called 'napoleon'" in done.stderr


def test_answers_come_at_once() -> None:
    """The other side waits for an answer before it goes on."""
    code = "from polemos.games.minions.umi import command; command()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "--bot", "random"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write("isready\n")
            process.stdin.flush()
            assert process.stdout.readline() == "readyok\n"
        process.stdin.close()
        assert process.wait(timeout=600) == 0
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
