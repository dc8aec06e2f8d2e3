"""Bots of the original competition: what they are told, key by key, and what their answers mean."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.games.demons.game import GAME
from polemos.games.demons.guests import Competition, read_action
from polemos.games.demons.imports import import_json
from polemos.games.demons.state import PLAYERS, State
from polemos.kernel.capabilities.dialects import Talk
from polemos.kernel.dice import chance_of
from polemos.kernel.log import Log

pytestmark = pytest.mark.slow

STRIP = "rows rrrrr...bbbbb/RoooooooooooB/rrrrr...bbbbb; symmetry mirror-x"
PASS = '{"action": "nothing", "x": 0, "y": 0}'


def position(text: str, rules: str = "classic") -> State:
    return GAME.read_position(f"{STRIP}; rules {rules}; {text}")


def guest(state: State, seat: str = "red") -> Competition:
    return Competition(GAME.setting(state), seat, PLAYERS, 0)


def follow(talk: Talk[Any], answers: Sequence[str]) -> tuple[list[str], Any]:
    """What the dialect said, and what it made of the answers; it must ask for exactly as many."""
    said, rest = [], list(answers)
    try:
        wanted = next(talk)
        while True:
            if wanted is None:
                wanted = talk.send(rest.pop(0))
            else:
                said.append(wanted)
                wanted = next(talk)
    except StopIteration as end:
        assert rest == []
        return said, end.value


def tell(bot: Competition, state: State, seat: str = "red", answers: Sequence[str] = (PASS,)) -> dict[str, Any]:
    """One turn; the state that the bot was told."""
    said, _ = follow(bot.turn(GAME.observe(state, seat), 1.0), answers)
    assert len(said) == 2
    found: dict[str, Any] = json.loads(said[0])
    return found


def first(state: State, seat: str = "red") -> dict[str, Any]:
    return tell(guest(state, seat), state, seat, ["Team", PASS])


def states(
    state: State, turns: int, orders: dict[str, list[str]] | None = None, said: str = PASS
) -> list[dict[str, Any]]:
    """What a bot is told on successive turns of passes; `orders` are those of the first, where the bot says `said`."""
    bot, found, chance = guest(state), [], chance_of("00" * 32)
    for turn in range(turns):
        found.append(tell(bot, state, answers=["Team", said] if turn == 0 else [PASS]))
        sheets = {seat: GAME.check(state, seat, (orders or {}).get(seat, []) if turn == 0 else []) for seat in PLAYERS}
        assert all(sheet.faults == () for sheet in sheets.values())
        GAME.resolve(state, sheets, chance, Log(limit=8192))
    return found


def row(told: dict[str, Any], kind: str) -> list[tuple[Any, ...]]:
    """Units in short: name, x, health, state."""
    return [(unit["Name"], unit["x"], unit["Health"], unit["State"]) for unit in told[kind]]


# ---- the state, key by key


def test_a_state_of_the_seed() -> None:
    state = position(
        "turn 12/1000; gold red 33 blue 8; health red 93 blue 86; portal 6,1 red; merc red 5,1 13 7 fighting;"
        " merc blue 6,1 20 7 waiting; demon blue 2,1 10 7 moving;"
        " tower cannon red 4,0 cd 2; tower house blue 12,2 cd 10"
    )
    assert first(state) == {
        "TeamNameR": "",
        "TeamNameB": "",
        "Victory": None,
        "VictoryReason": "",
        "TurnsRemaining": 988,
        "CurrentTurn": 12,
        "PlayerBaseR": {"Team": "r", "Health": 93, "Money": 33, "x": 0, "y": 1},
        "PlayerBaseB": {"Team": "b", "Health": 86, "Money": 8, "x": 12, "y": 1},
        "RedTeamMoney": 33,
        "BlueTeamMoney": 8,
        "FloorTiles": ["rrrrr   bbbbb", "OOOOOOOOOOOOO", "rrrrr   bbbbb"],
        "EntityGrid": [
            ["", "", "", "", "R_Cannon_1", "", "", "", "", "", "", "", ""],
            ["", "", "Demon-1", "", "", "Red-1", "Blue-1", "", "", "", "", "", ""],
            ["", "", "", "", "", "", "", "", "", "", "", "", "B_House_1"],
        ],
        "Towers": [
            {"Name": "R_Cannon_1", "Type": "Cannon", "Team": "r", "x": 4, "y": 0, "Targets": [], "Cooldown": 1},
            {"Name": "B_House_1", "Type": "House", "Team": "b", "x": 12, "y": 2, "Targets": [], "Cooldown": 9},
        ],
        "Mercenaries": [
            {"Name": "Red-1", "Team": "r", "x": 5, "y": 1, "Health": 13, "Damage": 7, "State": "fighting"},
            {"Name": "Blue-1", "Team": "b", "x": 6, "y": 1, "Health": 20, "Damage": 7, "State": "waiting"},
        ],
        "Demons": [{"Name": "Demon-1", "Team": "b", "x": 2, "y": 1, "Health": 10, "Damage": 7, "State": "moving"}],
        "DemonSpawners": [{"x": 6, "y": 1, "Target": "r", "ReloadTime": 8, "MaxReloadTime": 10}],
        "TowerPricesR": {"House": 10, "Crossbow": 8, "Cannon": 10, "Minigun": 25, "Church": 2147483647},
        "TowerPricesB": {"House": 10, "Crossbow": 8, "Cannon": 10, "Minigun": 25, "Church": 2147483647},
    }


def test_a_state_of_the_finals() -> None:
    state = position(
        "turn 40/300; gold red 1 blue 77; health red 200 blue 5; portal 6,1 blue fixed; portal 6,1 reload 3 released 2;"
        " prices red 12 8 10 20 22; merc blue 9,1 30 25; demon red 4,1 25 16; tower church red 0,0 cd 0;"
        " tower minigun blue 8,2 cd 0; tower crossbow blue 8,0 cd 4",
        "finals-2025",
    )
    told = first(state)
    assert (told["TurnsRemaining"], told["CurrentTurn"]) == (260, 40)
    assert told["PlayerBaseB"] == {"Team": "b", "Health": 5, "Money": 77, "x": 12, "y": 1}
    assert (told["RedTeamMoney"], told["BlueTeamMoney"]) == (1, 77)
    assert [(tower["Name"], tower["Type"], tower["Team"], tower["Cooldown"]) for tower in told["Towers"]] == [
        ("R_Church_1", "Church", "r", 0),
        ("B_Minigun_1", "Minigun", "b", 0),
        ("B_Crossbow_2", "Crossbow", "b", 4),
    ]
    assert [(unit["Health"], unit["Damage"], unit["State"]) for unit in told["Mercenaries"]] == [(30, 25, "moving")]
    assert [(unit["Health"], unit["Damage"], unit["Team"]) for unit in told["Demons"]] == [(25, 16, "r")]
    assert told["DemonSpawners"] == [{"x": 6, "y": 1, "Target": "b", "ReloadTime": 3, "MaxReloadTime": 10}]
    assert told["TowerPricesR"] == {"House": 12, "Crossbow": 8, "Cannon": 10, "Minigun": 20, "Church": 22}
    assert told["TowerPricesB"] == {"House": 10, "Crossbow": 8, "Cannon": 10, "Minigun": 20, "Church": 15}


@pytest.mark.parametrize("rules", ["classic", "finals-2025"])
def test_both_sides_are_told_the_same(rules: str) -> None:
    state = GAME.setup({"map": "pinwheel", "rules": rules, "first": "blue"}, 0)
    assert first(state, "red") == first(state, "blue")


@pytest.mark.parametrize("name", ["twin-gates", "far-colonies", "three-bridges"])
def test_the_floor_is_a_map_of_the_original(name: str) -> None:
    """What a guest is told can be read by the importer for the original's maps, and is our map again."""
    state = GAME.setup({"map": name, "rules": "finals-2025", "first": "red"}, 0)
    told = first(state)
    told["DemonSpawners"] = [
        {"x": gate["x"], "y": gate["y"], "initial_target": gate["Target"], "switch_target": True}
        for gate in told["DemonSpawners"]
    ]
    plain = str.maketrans("pqUVw", "rbuvu")
    ours = [line.translate(plain) for line in GAME.setting(state).rows]
    theirs = [line.translate(plain) for line in import_json(json.dumps(told), name).rows]
    assert [line.replace("v", "u") for line in theirs] == [line.replace("v", "u") for line in ours]


def test_numbers_are_whole_and_nothing_else_is_null() -> None:
    def values(part: Any) -> list[Any]:
        if isinstance(part, dict):
            return [value for each in part.values() for value in values(each)]
        return [value for each in part for value in values(each)] if isinstance(part, list) else [part]

    for told in states(GAME.setup({"map": "hornets"}, 0), 30):
        assert told.pop("Victory") is None
        assert {type(value) for value in values(told)} == {int, str}


# ---- time


@pytest.mark.parametrize(
    ("rules", "options"), [("classic", {}), ("finals-2025", {}), ("finals-2025", {"quirks": "none"})]
)
def test_a_tower_with_cooldown_0_acts_this_turn(rules: str, options: dict[str, str]) -> None:
    state = GAME.setup({"map": "serpent", "rules": rules, **options}, 0)
    told = states(state, 26, {"red": ["build house 2,0"]})
    paid = 0
    for before, after in pairwise(told[1:]):
        ready = sum(tower["Team"] == "r" and tower["Cooldown"] == 0 for tower in before["Towers"])
        assert after["RedTeamMoney"] - before["RedTeamMoney"] == 12 * ready
        paid += ready
    assert paid >= 2


@pytest.mark.parametrize("rules", ["classic", "finals-2025"])
def test_a_portal_with_reload_0_opens_this_turn(rules: str) -> None:
    told = states(GAME.setup({"map": "serpent", "rules": rules}, 0), 24)
    waves = 0
    for before, after in pairwise(told):
        due = {(gate["x"], gate["y"], gate["Target"]) for gate in before["DemonSpawners"] if gate["ReloadTime"] == 0}
        known = {unit["Name"] for unit in before["Demons"]}
        assert {(u["x"], u["y"], u["Team"]) for u in after["Demons"] if u["Name"] not in known} == due
        waves += len(due)
    assert waves >= 2


# ---- names and the dead


def test_the_dead_are_listed_once_and_names_stay() -> None:
    told = states(position("merc red 5,1 7; merc blue 6,1"), 4)
    assert [row(each, "Mercenaries") for each in told] == [
        [("Red-1", 5, 7, "moving"), ("Blue-1", 6, 20, "moving")],
        [("Red-1", 5, 0, "dead"), ("Blue-1", 6, 13, "fighting")],
        [("Blue-1", 5, 13, "moving")],
        [("Blue-1", 4, 13, "moving")],
    ]
    assert told[1]["EntityGrid"][1][4:7] == ["", "", "Blue-1"]
    assert told[2]["EntityGrid"][1][4:7] == ["", "Blue-1", ""]


def test_a_file_that_walks_keeps_its_names() -> None:
    told = states(position("turn 1; demon red 5,1 10; demon red 6,1 10; merc red 8,1; merc red 9,1"), 2)
    assert row(told[1], "Demons") == [("Demon-1", 4, 10, "moving"), ("Demon-2", 5, 10, "moving")]
    assert row(told[1], "Mercenaries") == [("Red-1", 9, 20, "moving"), ("Red-2", 10, 20, "moving")]


def test_somebody_else_may_stand_where_one_died() -> None:
    told = states(position("turn 1; merc red 5,1 7; merc blue 6,1; demon blue 4,1 10"), 2)[1]
    assert row(told, "Mercenaries") == [("Red-1", 5, 0, "dead"), ("Blue-1", 6, 13, "fighting")]
    assert row(told, "Demons") == [("Demon-1", 5, 10, "moving")]
    assert told["EntityGrid"][1][5] == "Demon-1"


def test_newcomers_get_names_nobody_had() -> None:
    state = position("turn 10; gold red 20 blue 20; portal 6,1 red; merc red 10,1 7; merc blue 11,1 7")
    told = states(state, 3, {"red": ["hire E"], "blue": ["hire W"]})
    assert row(told[1], "Mercenaries") == [
        ("Red-1", 10, 0, "dead"),
        ("Blue-1", 11, 0, "dead"),
        ("Red-2", 1, 20, "moving"),
        ("Blue-2", 11, 20, "moving"),
    ]
    assert row(told[1], "Demons") == [("Demon-1", 6, 10, "moving")]
    assert row(told[2], "Mercenaries") == [("Red-2", 2, 20, "moving"), ("Blue-2", 10, 20, "moving")]


def test_nobody_is_taken_for_somebody_else_when_the_umpire_jumps() -> None:
    """Turns can be taken back, so a view need not follow from the last one."""
    bot = guest(state := position("merc red 5,1 20 7 fighting; merc red 7,1"))
    tell(bot, state, answers=["Team", PASS])
    told = tell(bot, position("merc blue 5,1 20 7 fighting; merc red 7,1 20 7 fighting; merc red 8,1 20 7 moving"))
    assert row(told, "Mercenaries") == [
        ("Red-1", 5, 0, "dead"),
        ("Red-2", 7, 20, "fighting"),
        ("Blue-1", 5, 20, "fighting"),
        ("Red-3", 8, 20, "moving"),
    ]


def test_banished_demons_are_gone() -> None:
    """The original took them out of the list at once."""
    state = position("turn 1/300; gold red 5 blue 5; demon red 5,1 15; demon blue 9,1 15", "finals-2025")
    provoke = PASS[:-1] + ', "provoke_demons": true}'
    told = states(state, 3, {"red": ["provoke"], "blue": ["provoke"]}, said=provoke)
    assert row(told[0], "Demons") == [("Demon-1", 5, 15, "moving"), ("Demon-2", 9, 15, "moving")]
    assert told[1]["Demons"] == []
    assert told[2]["Demons"] == []


def test_towers_keep_their_names_and_new_ones_get_new_ones() -> None:
    bot = guest(state := position("gold red 50 blue 0; tower house red 0,0; tower cannon red 4,0"))
    names = []
    for turn, orders in enumerate([["destroy 0,0"], ["build house 0,0"], []]):
        told = tell(bot, state, answers=["Team", PASS] if turn == 0 else [PASS])
        names.append([tower["Name"] for tower in told["Towers"]])
        GAME.resolve(state, {"red": GAME.check(state, "red", orders)}, chance_of("00" * 32), Log(limit=8192))
    assert names == [["R_House_1", "R_Cannon_2"], ["R_Cannon_2"], ["R_Cannon_2", "R_House_3"]]


# ---- the talk


@pytest.mark.parametrize("seat", PLAYERS)
def test_what_is_said_in_which_order(seat: str) -> None:
    bot = guest(state := position("gold red 20 blue 20"), seat)
    assert follow(bot.open(), []) == ([f"--YOU ARE {seat.upper()}--"], None)
    build = json.dumps({"action": "build", "x": 4 if seat == "red" else 8, "y": 0, "tower_type": "House"})
    said, orders = follow(bot.turn(GAME.observe(state, seat), 1.0), ["  The Best\t", build])
    assert said[1:] == ["--END INITIAL GAME STATE--"]
    assert "\n" not in said[0]
    sheet = GAME.check(state, seat, orders)
    assert sheet.texts == (f"build house {'4,0' if seat == 'red' else '8,0'}",)
    assert sheet.faults == ()
    said, orders = follow(bot.turn(GAME.observe(state, seat), 1.0), [PASS])
    assert said[1:] == ["--END OF TURN--"]
    assert orders == []
    told = json.loads(said[0])
    teams = {"red": "Red", "blue": "Blue"} | {seat: "The Best"}
    assert (told["TeamNameR"], told["TeamNameB"]) == (teams["red"], teams["blue"])
    assert bot.close() is None


def test_a_name_is_whatever_the_bot_says_but_not_endless() -> None:
    for name in ("", "Zoë \N{SNOWMAN}", "\ud800", '"}', "x" * 10**6):
        bot = guest(state := position("gold red 20 blue 20"))
        tell(bot, state, answers=[name, PASS])
        assert tell(bot, state)["TeamNameR"] == name[:80]


def test_whoever_decides_twice_is_asked_once() -> None:
    state = position("step builders; gold red 40 blue 40")
    bot = guest(state)
    answer = '{"action": "build", "x": 0, "y": 0, "tower_type": "house", "merc_direction": "e"}'
    _, orders = follow(bot.turn(GAME.observe(state, "red"), 1.0), ["Team", answer])
    assert GAME.check(state, "red", orders).texts == ("build house 0,0",)
    GAME.resolve(state, {"red": GAME.check(state, "red", orders)}, chance_of("00" * 32), Log(limit=8192))
    said, orders = follow(bot.turn(GAME.observe(state, "red"), 1.0), [])
    assert said == []
    sheet = GAME.check(state, "red", orders)
    assert sheet.texts == ("hire E",)
    assert sheet.faults == ()
    GAME.resolve(state, {"red": sheet}, chance_of("00" * 32), Log(limit=8192))
    told = tell(bot, state)
    assert row(told, "Mercenaries") == [("Red-1", 1, 20, "moving")]
    assert told["RedTeamMoney"] == 10


# ---- answers


def sheet_of(line: str, rules: str = "finals-2025") -> tuple[tuple[str, ...], tuple[bool, ...]]:
    """The lines that an answer means, and which of them stand."""
    state = position("gold red 99 blue 99; tower house red 4,0", rules)
    sheet = GAME.check(state, "red", [*(parts := read_action(line))[0], *parts[1]])
    return sheet.texts, tuple(each.fault is None for each in sheet.lines)


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        ({"action": "nothing"}, ()),
        ({"action": "build", "tower_type": "cannon"}, ("build cannon 1,2",)),
        ({"action": " BUILD ", "tower_type": "  ChuRch\n"}, ("build church 1,2",)),
        ({"action": "Destroy", "x": 4, "y": 0}, ("destroy 4,0",)),
        ({"action": "destroy", "x": 4, "y": 0, "tower_type": "cannon"}, ("destroy 4,0",)),
        ({"action": "nothing", "merc_direction": " e "}, ("hire E",)),
        ({"action": "wait for it", "merc_direction": "E"}, ("hire E",)),
        ({"action": "", "merc_direction": "E"}, ("hire E",)),
        ({"action": "nothing", "x": None, "y": "?", "merc_direction": "E"}, ("hire E",)),
        ({"action": "nothing", "provoke_demons": True}, ("provoke",)),
        ({"action": "nothing", "provoke_demons": False, "merc_direction": "", "tower_type": ""}, ()),
        (
            {"action": "build", "tower_type": "House", "merc_direction": "E", "provoke_demons": True, "more": [1]},
            ("build house 1,2", "hire E", "provoke"),
        ),
    ],
)
def test_answers_that_stand(fields: dict[str, Any], texts: tuple[str, ...]) -> None:
    assert sheet_of(json.dumps({"x": 1, "y": 2, **fields})) == (texts, (True,) * len(texts))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "build house 1,2",
        "null",
        "[]",
        "7",
        '"build"',
        "{}",
        '{"action": "build", "x": 1, "tower_type": "house"}',
        '{"action": "build", "y": 1, "tower_type": "house"}',
        '{"x": 1, "y": 2, "merc_direction": "E"}',
        '{"action": null, "x": 1, "y": 2, "merc_direction": "E"}',
        '{"action": "nothing", "x": 1, "y": 2, "merc_direction": null}',
        '{"action": "nothing", "x": 1, "y": 2, "merc_direction": "E", "tower_type": 5}',
        '{"action": "nothing", "x": 1, "y": 2, "merc_direction": "E"} and more',
        '{"action": "nothing", "x": 1, "y": 2, "merc_direction": "E", "more": "' + "x" * 10_000 + '"}',
        "[" * 9000,
        '{"x":' * 1500,
        '{"action": "build", "y": 1, "tower_type": "house", "x": ' + "9" * 5000 + "}",
        "\ufeff" + PASS,
        "\ud800",
        "\x00",
    ],
)
def test_answers_that_are_a_pass(line: str) -> None:
    assert read_action(line) == ([], [])


@pytest.mark.parametrize(
    "value", ["1.5", "1.0", '"1"', "null", "true", "NaN", "-Infinity", "[1]", '{"x": 1}', "9" * 999]
)
@pytest.mark.parametrize("action", ["build", "destroy"])
def test_places_that_are_none_void_their_part_alone(action: str, value: str) -> None:
    line = f'{{"action": "{action}", "x": {value}, "y": 0, "tower_type": "house", "merc_direction": "E"}}'
    texts, stand = sheet_of(line)
    assert stand == (False, True)
    assert texts[1] == "hire E"


@pytest.mark.parametrize("tower", ["", "castle", "house 1", "cannon 1", "\u212aeep", "x" * 5000])
def test_towers_that_are_none_are_void(tower: str) -> None:
    line = json.dumps({"action": "build", "x": 1, "y": 2, "tower_type": tower})
    assert sheet_of(line)[1] == (False,)


@pytest.mark.parametrize("way", ["left", "ahead", "NE", "Q", "E E", "\u017f", "'", "x" * 5000])
def test_directions_that_are_none_are_void(way: str) -> None:
    line = json.dumps({"action": "nothing", "x": 1, "y": 2, "merc_direction": way})
    assert sheet_of(line)[1] == (False,)


def test_what_the_seed_does_not_know_is_void() -> None:
    line = '{"action": "build", "x": 1, "y": 2, "tower_type": "church", "merc_direction": "E", "provoke_demons": true}'
    assert sheet_of(line, "classic") == (("build church 1,2", "hire E", "provoke"), (False, True, False))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda part: st.lists(part) | st.dictionaries(st.text(), part),
)
_FIELDS = st.dictionaries(
    st.sampled_from(["action", "x", "y", "tower_type", "merc_direction", "provoke_demons"]),
    _JSON | st.sampled_from(["build", "destroy", "nothing", "house", "N", 0, 1, True]),
)


@given(st.text() | _FIELDS.map(json.dumps) | _JSON.map(json.dumps))
def test_no_answer_whatsoever_raises(line: str) -> None:
    texts, stand = sheet_of(line)
    assert len(texts) == len(stand) <= 3
