"""UMI engines as guests: what they are told, what their answers mean, and that a bad one hurts only itself."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.games.minions import fen
from polemos.games.minions.game import GAME
from polemos.games.minions.guests import MAX_HEARD, movetime, orders_heard
from polemos.games.minions.notation import Attack, Blink, Buy, Choose, Move, Resign, Spells, Tick
from polemos.games.minions.state import State
from polemos.games.minions.tables import load, write_table
from polemos.games.minions.umi import Engine, actions_of
from polemos.games.minions.view import View
from polemos.hosts import specs
from polemos.kernel.capabilities.dialects import Dialect, Talk
from polemos.kernel.errors import BotFault
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playing import play
from polemos.kernel.verdict import Verdict
from polemos.wire.bot import Budget
from search import examples
from unit.games.minions.test_umi import engine as wild_engine

pytestmark = pytest.mark.slow

T = TypeVar("T")
Answering = Callable[[str], list[str]]  # the lines that answer one line
LINE = "S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D"
NONE = "L" * 22
START = f"0|6 0|0 {NONE}|{NONE} f|I|i|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 0 1"
ONE = {"boards": 1, "maps": "Midnight Lake", "line": "sorted"}


# ---- a host without pipes


class Unanswered(Exception):
    """The guest would be waited for until its time is up."""


def follow(talk: Talk[T], answer: Answering, told: list[str]) -> T:
    """Drives a talk; what is said to the engine is kept in `told`."""
    waiting: deque[str] = deque()
    try:
        wanted = next(talk)
        while True:
            if wanted is None:
                if not waiting:
                    raise Unanswered(told[-1])
                wanted = talk.send(waiting.popleft())
            else:
                told.append(wanted)
                waiting.extend(answer(wanted))
                wanted = next(talk)
    except StopIteration as end:
        found: T = end.value
        return found


class Plain:
    """A plain engine: it knows nothing of our dialect, and answers `go` with the lines it was made with."""

    def __init__(self, *go: str, umi: Sequence[str] = ("umiok",), config: Sequence[str] = ()) -> None:
        self.answers = {"umi": list(umi), "isready": ["readyok"], "config": list(config), "go": list(go)}

    def __call__(self, line: str) -> list[str]:
        return self.answers.get(line.split()[0], [])


class Seated:
    """A guest in a seat of a match, without pipes."""

    def __init__(self, match: AnyMatch, answer: Answering, seat: str = "yellow", seed: int = 7) -> None:
        self.match, self.answer = match, answer
        self.said: list[str] = []
        self.dialect: Dialect = GAME.dialects["umi"](match.setting, seat, match.seats, seed)
        follow(self.dialect.open(), answer, self.said)

    def orders(self, view: View, time_left: float) -> Sequence[object]:
        return follow(self.dialect.turn(view, time_left), self.answer, self.said)

    def now(self, time_left: float = 1.0) -> list[object]:
        """What it orders in the position as it stands."""
        return list(self.orders(self.match.view(self.match.to_act[0]), time_left))


def match(**options: object) -> AnyMatch:
    return Match(GAME, ONE | options, seed=3)


def started(*go: str, **options: object) -> Seated:
    return Seated(match(**options), Plain(*go))


# ---- the opening


def test_the_opening_with_an_engine_that_knows_the_dialect() -> None:
    guest = Seated(match(spell_price=1, turns=30), Engine("random").answer, seed=2**40 + 5)
    assert guest.said == [
        "umi",
        "isready",
        f"config 1 MidnightLake {LINE} rules classic 1 2 2025-07 turns 30",
        "setoption name dialect value true",
        "setoption name spells value false",
        "setoption name strictmode value false",
        f"setoption name seed value {(2**40 + 5) % 2**31}",
        "isready",
    ]
    assert guest.dialect.close() == "quit"


def test_the_opening_with_a_plain_engine() -> None:
    guest = started()
    assert guest.said == ["umi", "isready", f"config 1 MidnightLake {LINE}", "isready"]


def test_only_options_that_were_announced_are_set_and_after_the_configuration() -> None:
    umi = [
        "Hello, I am an engine!",
        "",
        "id name Tiny author me",
        "option name strictmode type check default true",
        "option name seed type spin default 1 min 1 max 10",
        "option name heuristic type combo default naive var naive var smart",
        "option name spells",
        "option",
        "umiok and so on",
    ]
    guest = Seated(match(), Plain(umi=umi), seed=25)
    assert guest.said[3:-1] == ["setoption name strictmode value false", "setoption name seed value 6"]


@pytest.mark.parametrize("bounds", ["min 5 max 4", "min x max y", "min -3 max -3", "max", "min " + "9" * 5000, ""])
def test_odd_bounds_of_a_seed(bounds: str) -> None:
    guest = Seated(match(), Plain(umi=[f"option name seed type spin {bounds}", "umiok"]))
    for line in guest.said[3:-1]:
        assert re.fullmatch(r"setoption name seed value -?[0-9]{1,18}", line)


def test_a_greeting_without_end_is_a_fault() -> None:
    for hello in (["hello"] * (MAX_HEARD + 2), ["x" * 400_000] * 20):
        with pytest.raises(BotFault, match="too much and not umiok"):
            Seated(match(), Plain(umi=[*hello, "umiok"]))
    assert Seated(match(), Plain(umi=["hello"] * 5000 + ["umiok"])).said[-1] == "isready"


def test_an_engine_that_refuses_the_match_says_why() -> None:
    with pytest.raises(BotFault, match=r"not ready for this match: info error There is no map called 'MidnightLake'"):
        Seated(match(), Plain(config=["info error There is no map called 'MidnightLake'"]))


@pytest.mark.parametrize("silent", ["umi", "isready"])
def test_an_engine_that_does_not_answer_is_waited_for(silent: str) -> None:
    plain = Plain()
    plain.answers[silent] = []
    with pytest.raises(Unanswered):
        Seated(match(), plain)


# ---- what plain UMI has no words for

OUR_OWN = write_table(load("2025-07")).replace("2025-07", "our own")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"boards": 3}, "points=1, not 3."),
        ({"spell_price": 2}, "spell_price=8 or 4, not 2."),
        ({"units": OUR_OWN}, "units=2025-07, not others."),
        ({"maps": "random"}, "maps with names, such as Blackened Shores, not others."),
        ({"boards": 2, "spell_price": 1}, "points=1, not 2; spell_price=8 or 4, not 1."),
    ],
)
def test_a_plain_engine_is_told_which_option_it_cannot_play(options: dict[str, Any], says: str) -> None:
    with pytest.raises(BotFault) as refused:
        Seated(match(**options), Plain())
    plain = "An engine is plain that does not announce `option name dialect`."
    assert refused.value.why == f"umi: a plain engine can play {says} {plain}"
    Seated(match(**options), Engine("random").answer)  # and one that knows the dialect can


@pytest.mark.parametrize(
    "options",
    [
        {"boards": 3, "points": 1},
        {"turns": 5},
        {"money": 40},
        {"bids": "9,12"},
        {"spell_price": 4},
        {"fixed": 5, "line": "shuffled"},
    ],
)
def test_what_a_plain_engine_need_not_know_is_not_said(options: dict[str, Any]) -> None:
    guest = started("turn", "endturn", **options)
    assert len(guest.said[2].split()) == 4
    assert guest.now() == []
    config = fen.read_config(guest.said[2].removeprefix("config "))
    told = fen.read_state(config, guest.said[-3].removeprefix("position fen "))
    assert GAME.observe(told, "yellow") == guest.match.view("yellow")


# ---- the rules of plain engines themselves


class Undialect:
    """Our own engine as a plain one: it does not announce its dialect, and refuses what plain FEN cannot hold."""

    def __init__(self, bot: str) -> None:
        self.engine = Engine(bot)

    def __call__(self, line: str) -> list[str]:
        said = [each for each in self.engine.answer(line) if "option name dialect" not in each]
        if line.startswith("config"):
            self.engine.answer("setoption name dialect value false")
        if line.startswith("position"):
            assert self.engine.answer("getfen") == [line.removeprefix("position fen ")]
        return said


def test_a_plain_engine_plays_whole_games_under_its_own_rules() -> None:
    """Resets included, with the configuration that public engines know."""
    seen = set()
    for seed in range(3):
        played = Match(GAME, {"rules": "umi-2025", "boards": 2, "points": 4, "turns": 15}, seed=seed)
        guests = {seat: Seated(played, Undialect("greedy"), seat) for seat in played.seats}
        config = "config 2 BlackenedShores,MidnightLake".replace("2", "4", 1)
        assert guests["blue"].said[2] == f"{config} {LINE},1,2,3"
        while played.outcome is None:
            (seat,) = played.to_act
            seen |= {board.state for board in played.view(seat).boards}
            orders = list(guests[seat].orders(played.view(seat), 1.0))
            if played.clock == 5:
                orders = ["1 resign"]  # so that there are resets whatever the bots do
            assert played.submit(seat, orders).faults == ()
            played.run()
    assert seen == {"turn1", "normal", "reset+1", "reset+2"}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"switches": "blinks"}, "switches=blinks resets chains at-once, not blinks; points=1, not 2"),
        ({"spell_price": 8}, "spell_price=4, not 8."),
        ({"maps": "random"}, "maps with names, such as Blackened Shores, not others."),
    ],
)
def test_a_plain_engine_is_told_what_else_its_own_rules_ask_for(options: dict[str, Any], says: str) -> None:
    public = {"rules": "umi-2025", "boards": 2, "maps": "", "line": "shuffled"}
    with pytest.raises(BotFault) as refused:
        Seated(match(**(public | options)), Plain())
    assert refused.value.why.startswith(f"umi: a plain engine can play {says}")


def test_blinks_set_ups_and_spells_of_a_plain_engine() -> None:
    """Spells come first where their cards can be bought at once."""
    set_up = Match(
        GAME,
        position="boards 2; switches all; table umi-2025; spell_price 4; spells yellow 1; money 20/0; turn 3 yellow; "
        "b1: map Blackened Shores; b1: units Nc2 Od4 nh7; b2: map Midnight Lake; b2: state reset+1; b2: zone SZ -",
    )
    answer = ["turn", "action board 0 blink d4", "action board 0 buy S", "action board 1 setup N S", "action tech 1 0"]
    orders = Seated(set_up, Plain(*answer, "endturn")).now()
    assert orders == [
        Spells(("march", "tech 1")),
        Blink(1, "d4"),
        Buy(1, "S"),
        Choose(2, "Basic", "S"),
    ]
    assert actions_of(set_up.state, map(GAME.read, orders)) == [answer[-1], *answer[1:-1]]
    assert set_up.submit("yellow", orders).faults == ()


@pytest.mark.parametrize(
    "position",
    [
        "b1: map Midnight Lake; b1: units Arcane@c2 nh7; turn 3 yellow",
        "b1: map Midnight Lake; b1: state reset+0; turn 3 yellow",
        "b1: map Midnight Lake; b1: units Nc2 nh7; used yellow Arcane; turn 3 yellow",
    ],
)
def test_a_position_that_a_plain_engine_cannot_be_told_of(position: str) -> None:
    set_up = Match(GAME, position=position)
    guest = Seated(set_up, Plain("turn", "endturn"))
    with pytest.raises(BotFault, match=r"without reset\+0 and advanced necromancers, not this"):
        guest.now()
    told = Seated(set_up, Engine("random").answer)
    told.now()
    assert told.said[-3] == f"position fen {fen.write_state(set_up.state)}"


def test_a_crowd_in_a_zone_is_plain() -> None:
    set_up = Match(GAME, position="b1: map Midnight Lake; b1: units Nc2 nh7; b1: zone Z120I z; turn 3 yellow")
    guest = Seated(set_up, Plain("turn", "endturn"))
    guest.now()
    assert f" n|I{'Z' * 120}|z|||0/" in guest.said[-3]
    config = fen.read_config(fen.write_config(set_up.state))
    assert fen.read_state(config, guest.said[-3].removeprefix("position fen ")) == set_up.state


# ---- a turn


def test_a_turn_with_infos_and_a_winner_of_its_own_making() -> None:
    guest = started(
        "info eval winprob 0.97",
        "info string action board 0 resign",
        "thinking...",
        "turn",
        "info nps 12.5 nodes 100 time 8.0",
        "action board 0 move b3a3",
        "",
        "action tech 3",
        "action board 0 move_cyclic c3 d2",
        "  action   board 0 attack c1h7",
        "action tech 1",
        "endturn winner Blue",
        "action board 0 resign",
    )
    found = guest.now(2.1)
    assert guest.said[-3:] == [f"position fen {START}", "isready", "go movetime 100"]
    assert found == [
        Move(1, "b3", "a3"),
        Tick(1, ("c3-d2", "d2-c3")),
        Attack(1, "c1", "h7"),
        Spells(("march",)),
    ]
    sheet = guest.match.submit("yellow", found)
    assert [line.fault is None for line in sheet.lines] == [True, True, False, True]
    guest.match.run()
    assert guest.match.outcome is None


def test_bad_actions_are_void_and_the_others_count() -> None:
    guest = started(
        "turn",
        "action board 0 move b3a3",
        "action board 0 fly c3",
        "action",
        "march",  # an order of ours, but no UMI
        "end",
        "action board 7 resign",
        "action board 0 move a0a1",
        "turn",
        "\x00\x1b[31m" + "é" * 5000,
        "action board 0 move c3c4",
        "endturn",
    )
    sheet = guest.match.submit("yellow", guest.now())
    assert [line.text for line in sheet.lines if line.fault is None] == ["1 move b3-a3", "1 move c3-c4"]
    assert [fault.order for fault in sheet.faults][:6] == [
        "umi: action board 0 fly c3",
        "umi: action",
        "umi: march",
        "umi: end",
        "umi: action board 7 resign",
        "1 move a0-a1",
    ]
    assert len(sheet.faults) == 8
    again = guest.match.submit("yellow", list(sheet.texts))  # as a replay reads it
    assert again.texts == sheet.texts
    assert [line.fault is None for line in again.lines] == [line.fault is None for line in sheet.lines]


def test_an_answer_without_the_word_turn_counts() -> None:
    assert started("info x", "action board 0 move b3a3", "endturn").now() == [Move(1, "b3", "a3")]


def test_a_later_tech_action_replaces_an_earlier_one() -> None:
    assert started("turn", "action tech 2", "action tech 0", "endturn").now() == []
    assert started("turn", "action tech 2 1", "action tech", "endturn").now()[-1] == Spells(
        ("march", "march", "tech 2")
    )


def test_necromancers_are_chosen_by_letter_by_name_or_not_at_all() -> None:
    reset = "boards 2; to-win 9; b1: state reset+1; b1: zone IZ iz; b2: state reset+1; b2: zone I i; turn 5 yellow"
    set_up = Match(GAME, position=reset)
    state: State = set_up.state
    assert orders_heard(state, ["action board 0 setup N", "action board 1 setup N I"]) == [
        Choose(1, "Arcane"),
        Choose(2, "Ranged", "I"),  # the first one is taken by then
    ]
    named = orders_heard(state, ["action board 1 setup Mounted", "action board 0 resign"])
    assert named == [Choose(2, "Mounted"), Resign(1)]
    for orders in (named, []):
        sheet = set_up.submit("yellow", orders)
        assert not sheet.faults
    set_up.run()
    assert set_up.view("yellow").used["yellow"] == ("Arcane", "Ranged")


def test_too_much_said_is_a_fault() -> None:
    for line in ("info nps 1", "action board 0 move b3a3", "nonsense"):
        with pytest.raises(BotFault, match="too much and not endturn"):
            started(*["turn", *[line] * (MAX_HEARD + 1), "endturn"]).now()
    assert started(*["info nps 1"] * 9000, "turn", "endturn").now() == []


def test_a_missing_end_is_waited_for() -> None:
    with pytest.raises(Unanswered, match="go movetime"):
        started("turn", "action board 0 move b3a3").now()


def test_an_error_about_the_position_is_a_fault_and_what_was_said_before_is_not_heard() -> None:
    guest = started("turn", "endturn")
    assert isinstance(guest.answer, Plain)
    guest.answer.answers["position"] = ["turn", "action board 0 resign", "endturn"]  # nobody asked
    assert guest.now() == []
    guest.answer.answers["position"] = ["info error Board 0: There are 10 rows."]
    with pytest.raises(BotFault, match="not ready for this position: info error Board 0: There are 10 rows"):
        guest.now()


def test_who_is_not_to_move_is_not_asked() -> None:
    guest = Seated(match(), Plain(), seat="blue")
    before = list(guest.said)
    assert guest.now() == []
    over = match(turns=1)
    over.forfeit("yellow", Verdict("late"))
    over.run()
    assert Seated(over, Plain()).orders(over.view("yellow"), 1.0) == ()
    assert guest.said == before


@pytest.mark.parametrize(
    ("time_left", "turns", "wanted"),
    [
        (10.05, 200, 478),
        (10.0, 1, 5000),  # the last turn: half of it
        (10.0, 4, 2000),
        (0.05, 200, 2),
        (0.0, 10, 1),
        (float("inf"), 10, 1000),
        (1e12, 10, 24 * 3600 * 1000),
    ],
)
def test_the_time_for_a_turn(time_left: float, turns: int, wanted: int) -> None:
    assert movetime(time_left, turns) == wanted


def test_the_time_of_a_whole_match_is_never_used_up() -> None:
    bank = 10.0
    for turn in range(200):
        left = bank + 0.05
        spent = movetime(left, 200 - turn) / 1000
        assert 0 < spent <= left / 2 or left < 0.002
        bank = min(10.0, left - spent)
    assert bank > 0


WORDS = st.sampled_from(
    [
        "turn", "info", "error", "action", "tech", "board", "setup", "move", "move_cyclic", "tick", "attack", "buy",
        "spawn", "resign", "winner", "Blue", "0", "1", "2", "9", "c3", "c3c4", "b3b4", "b3a3", "Z", "N", "Arcane",
        "march", "end", "-", "x", "1 move c3-c4",
    ]
)  # fmt: skip


@examples(60)
@given(lines=st.lists(st.lists(WORDS | st.text(max_size=5), max_size=6).map(" ".join), max_size=12))
def test_no_answer_makes_the_guest_stumble(lines: list[str]) -> None:
    guest = started(*[line for line in lines if line.split()[:1] != ["endturn"]], "endturn")
    sheet = guest.match.submit("yellow", guest.now())
    assert not [line for line in sheet.lines if line.text.startswith("umi: ") and line.fault is None]
    guest.match.run()


# ---- whole games without pipes


def whole_game(game: AnyMatch, engines: Sequence[Engine]) -> set[str]:
    """Plays to the end; every position told is read back. Returns the states of boards that were met."""
    bots = {seat: Seated(game, one.answer, seat) for seat, one in zip(game.seats, engines, strict=True)}
    met: set[str] = set()
    while game.outcome is None:
        seat = game.to_act[0]
        guest = bots[seat]
        sheet = game.submit(seat, guest.orders(game.view(seat), 1.0))
        assert not sheet.faults
        config, position = (line.split(maxsplit=1)[1] for line in (guest.said[2], guest.said[-3]))
        assert fen.read_state(fen.read_config(config), position.removeprefix("fen ")) == game.state
        met |= {board.state for board in game.view(seat).boards}
        game.run()
    return met


@pytest.mark.parametrize(
    ("options", "seed"),
    [
        ({"boards": 1, "turns": 20}, 1),
        ({"boards": 2, "turns": 15, "points": 20, "money": 50}, 2),
        ({"boards": 3, "maps": "random", "spell_price": 1, "turns": 12}, 3),
        ({"boards": 2, "bids": "9,12", "turns": 12, "units": OUR_OWN}, 4),
    ],
)
def test_positions_told_are_the_state_whatever_is_ordered(options: dict[str, Any], seed: int) -> None:
    """Both engines give any lawful orders, resign boards and choose necromancers."""
    whole_game(Match(GAME, options, seed=seed), (wild_engine(seed=seed), wild_engine(seed=seed + 1)))


def test_positions_told_are_the_state_after_boards_are_won_and_lost() -> None:
    game = Match(GAME, {"boards": 2, "points": 4}, seed=3)
    assert whole_game(game, (Engine("greedy", 1), Engine("greedy", 2))) >= {"reset+0", "reset+1", "reset+2"}


# ---- real pipes

ROOM = Budget(start=300, bank=300, memory=4 << 30)  # the first one to start may have to compile the rules
BUSY = Budget(start=30, bank=0.1, turn=0.01, wall_extra=30)
HASTY = Budget(start=30, bank=0.3, turn=0.01, wall_factor=1, wall_extra=0.2)


def polemos(folder: Path, bot: str) -> str:
    """A second Polemos."""
    file = folder / f"second_{bot}.py"
    code = f"from polemos.games.minions.umi import command\ncommand(['--bot', {bot!r}])\n"
    file.write_text(code, encoding="utf-8")
    return f"umi:{file}"


def played(
    seats: Sequence[str], options: dict[str, Any], budget: Budget = ROOM, trust: bool = True
) -> tuple[AnyMatch, int]:
    """A match of two bots, yellow's first, to its end; and how many lines were void."""
    game = Match(GAME, options, seed=11)
    bots: dict[str, Any] = {}
    try:
        for seat, spec in zip(game.seats, seats, strict=True):
            bots[seat] = specs.make(GAME, spec, game.setting, seat, 5, seats=game.seats, budget=budget, trust=trust)
        play(game, bots)
    finally:
        specs.close(list(bots.values()), game.outcome)
    return game, sum(len(faults) for step in game.steps for faults in step.faults.values())


def verdict(game: AnyMatch) -> str:
    """Why somebody dropped out of the match."""
    return next((str(verdict) for verdict in game.steps[-1].forfeits.values()), "")


@pytest.mark.parametrize("boards", [1, 3])
@pytest.mark.parametrize(("bot", "other"), [("random", "greedy"), ("greedy", "random")])
@pytest.mark.parametrize("first", [True, False])
def test_a_second_polemos_plays_whole_games(tmp_path: Path, boards: int, bot: str, other: str, first: bool) -> None:
    guest = polemos(tmp_path, bot)
    seats = [guest, other] if first else [other, guest]
    game, void = played(seats, {"boards": boards})
    assert verdict(game) == ""
    assert game.outcome is not None
    assert len(game.steps) > 5
    assert void == 0


def test_the_same_seed_is_the_same_game(tmp_path: Path) -> None:
    one, two = (played([polemos(tmp_path, "random"), "random"], {"boards": 1, "turns": 10})[0] for _ in range(2))
    assert len(one.steps) > 5
    assert [step.digest for step in one.steps] == [step.digest for step in two.steps]


TINY = """
import sys
from functools import partial
print = partial(print, flush=True)  # what `GO` writes comes in this order, whatever Python is told in the environment
print("A tiny engine, (c) nobody")
for line in sys.stdin:
    words = line.split()
    if words[0] == "umi":
        print("id name Tiny author nobody\\noption name strictmode type check default true\\numiok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "go":
        print("info eval winprob 0.5\\nturn")
        GO
        print("endturn")
    elif words[0] == "quit":
        break
    elif words[0] not in ("config", "position", "setoption"):
        sys.exit("what?")
    sys.stdout.flush()
"""


def tiny(folder: Path, go: str = "pass") -> str:
    file = folder / "tiny.py"
    file.write_text(TINY.replace("GO", go.replace("\n", "\n        ")), encoding="utf-8")
    return f"umi:{file}"


@pytest.mark.parametrize("boards", [1, 3])
def test_a_plain_engine_that_only_ends_its_turns(tmp_path: Path, boards: int) -> None:
    game, void = played(["random", tiny(tmp_path)], {"boards": boards, "points": 1, "turns": 40})
    assert game.outcome is not None
    assert verdict(game) == ""
    assert void == 0


def test_a_plain_engine_in_the_box_may_write_where_it_is(tmp_path: Path) -> None:
    spec = tiny(tmp_path, "open('graph.dot', 'w').write(line)")
    game, _ = played([spec, "random"], {"boards": 1, "turns": 3}, trust=False)
    assert verdict(game) == ""
    assert len(game.steps) == 6
    assert [file.name for file in tmp_path.iterdir()] == ["tiny.py"]


@pytest.mark.parametrize(
    ("go", "budget", "says"),
    [
        ("while True: print('info nodes 1')", ROOM, "dialect: umi: it says too much and not endturn"),
        ("while True: print('action board 0 move b3a3')", ROOM, "dialect: umi: it says too much and not endturn"),
        ("print('x' * 3000000)", ROOM, "output: a line longer than"),
        ("sys.exit('I am lost')", ROOM, "crash: exit code 1: I am lost"),
        ("sys.exit()", ROOM, "crash"),
        ("print('endturn', flush=True); import os; os.kill(os.getpid(), 9)", ROOM, "crash: SIGKILL"),
        ("while True: pass", BUSY, "time: the bank is empty"),
        ("import time; time.sleep(60)", HASTY, "late: no answer in time"),
        ("continue", HASTY, "late: no answer in time"),
    ],
)
def test_a_bad_engine_loses_and_nothing_else_happens(tmp_path: Path, go: str, budget: Budget, says: str) -> None:
    game, _ = played([tiny(tmp_path, go), "random"], {"boards": 1, "turns": 5}, budget)
    assert game.outcome is not None
    assert game.outcome.winner == "blue"
    assert verdict(game).startswith(says)


def test_an_engine_that_cannot_play_the_match_is_told_why(tmp_path: Path) -> None:
    game, _ = played([tiny(tmp_path), "random"], {"boards": 3})
    assert len(game.steps) == 1
    assert verdict(game).startswith("dialect: umi: a plain engine can play points=1, not 3.")


@pytest.mark.parametrize(
    ("go", "void"),
    [
        ("print('endturn winner Yellow'); continue", 0),
        ("print('action board 0 resign now\\naction board 0 buy Q9\\nI win\\xff')", 3),
        ("sys.stdout.buffer.write(bytes(range(128, 256)) + b'\\n')", 1),
    ],
)
def test_lies_and_nonsense_are_not_believed(tmp_path: Path, go: str, void: int) -> None:
    game, count = played([tiny(tmp_path, go), "random"], {"boards": 1, "turns": 4})
    assert game.outcome is not None
    assert game.outcome.reason == "limit of turns"
    assert verdict(game) == ""
    assert count == 4 * void
