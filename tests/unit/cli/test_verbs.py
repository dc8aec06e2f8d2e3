"""Verbs of the command line, each as a user would call it."""

from __future__ import annotations

import json
import re
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from polemos import registry
from polemos.cli.main import main, polemos
from polemos.kernel import replay as replays
from polemos.kernel.match import Match
from polemos.kernel.verdict import Verdict


def call(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(polemos, arguments, input=typed, catch_exceptions=False)


def test_games_lists_facts() -> None:
    said = call("games").output
    assert "skerries  Crews row" in said
    assert "options  seats=2, turns=8" in said
    seats = json.loads(call("games", "--json").stdout)["skerries"]["seats"]
    assert seats == ["red", "blue", "green", "yellow", "violet", "brown", "grey", "white"]


def test_rules_shows_a_paragraph_a_chapter_and_the_book() -> None:
    assert call("rules", "skerries", "3.2").output.startswith("3.2 Meeting")
    assert "3.4 Home" in call("rules", "skerries", "3").output
    assert "# Skerries" in call("rules", "skerries").output


@pytest.mark.needs("monarchs", "demons")
def test_rules_shows_a_ruling_a_test_of_the_book_and_a_quirk() -> None:
    assert call("rules", "monarchs", "6.3").output.startswith("6.3 Home ground")
    assert "Rulings on 6.3: R23" in call("rules", "monarchs", "6.3").output
    assert call("rules", "monarchs", "r21").output.startswith("R21 ")
    assert call("rules", "demons", "T12").output.startswith("T12 ")
    assert call("rules", "demons", "q3").output.startswith("Q3 ")


def test_match_counts_every_distinct_game_once_and_writes_replays(tmp_path: Path) -> None:
    arguments = ["match", "skerries", "settler", "settler", "random", "--games", "6", "--seed", "s", "--json"]
    table = json.loads(call(*arguments, "--out", str(tmp_path)).stdout)
    assert table["games"] == table["distinct"] == 6
    assert sum(table["wins"]) + table["draws"] == 6
    assert table["void_lines"] == [0, 0, 0]
    assert table["steps"] == 48
    files = sorted(tmp_path.glob("*.gz"))
    assert len(files) == 6
    assert "Verified: 8 turns" in call("replay", str(files[0]), "--verify-only").output
    again = json.loads(call(*arguments, "--workers", "1").stdout)
    assert again["wins"] == table["wins"]


@pytest.mark.parametrize("who", ["RED", "Red", "r", "Spectator", "UMPIRE"])
def test_whoever_is_drawn_goes_by_name_in_any_case(tmp_path: Path, who: str) -> None:
    name = "red" if who == "r" else who.lower()
    assert call("draw", "skerries", "--who", who, "--out", str(tmp_path)).exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == [f"skerries-{name}-01.svg"]
    call("match", "skerries", *["random"] * 3, "--seed", "1", "--out", str(tmp_path / "g"))
    shown = call("replay", str(tmp_path / "g" / "game-00001.jsonl.gz"), "--turn", "2", "--who", who)
    assert f"Skerries, {name}, " in shown.output


def test_a_map_from_a_replay_is_called_after_its_turn(tmp_path: Path) -> None:
    call("match", "skerries", *["random"] * 3, "--seed", "1", "--out", str(tmp_path))
    replay = str(tmp_path / "game-00001.jsonl.gz")
    for turn, name in ((0, "00"), (3, "03"), (8, "08")):
        call("draw", "skerries", "--replay", replay, "--turn", str(turn), "--who", "red", "--out", str(tmp_path / name))
        assert [path.name for path in (tmp_path / name).iterdir()] == [f"skerries-red-{name}.svg"]
    call("draw", "skerries", "--replay", replay, "--who", "red", "--out", str(tmp_path / "last"))
    assert [path.name for path in (tmp_path / "last").iterdir()] == ["skerries-red-08.svg"]


@pytest.mark.needs("monad")
def test_turn_300_of_a_replay_is_written_as_300(tmp_path: Path) -> None:
    match = Match(registry.load("monad"), {"map": "duel", "turns": 305}, seed=1)
    while match.outcome is None:
        match.run()
    replays.write(tmp_path / "long.jsonl.gz", match, dict.fromkeys(match.seats, "nobody"))
    said = call("draw", "monad", "--replay", str(tmp_path / "long.jsonl.gz"), "--turn", "300", "--out", str(tmp_path))
    assert [Path(line).name for line in said.output.splitlines()] == [
        f"monad-{who}-300.svg" for who in ("red", "blue", "umpire")
    ]


def test_a_bot_from_a_file_plays_and_its_failures_are_its_own(tmp_path: Path) -> None:
    bots = tmp_path / "bots.py"
    bots.write_text(
        "class Quiet:\n"
        "    def __init__(self, setting, seat, seed): pass\n"
        "    def orders(self, view, time_left): return []\n"
        "class Broken(Quiet):\n"
        "    def orders(self, view, time_left): raise RuntimeError('no')\n"
        "class Babble(Quiet):\n"
        "    def orders(self, view, time_left): return ['A1-A1 1', 7, None, {'a': 1}]\n"
    )
    names = [f"{bots}:{name}" for name in ("Quiet", "Broken", "Babble")]
    refused = CliRunner().invoke(polemos, ["match", "skerries", *names])
    assert "Add --trust if you trust it" in str(refused.exception)
    table = json.loads(call("match", "skerries", *names, "--trust", "--games", "3", "--json").stdout)
    assert table["forfeits"] == {f"Broken in game {n}": "crash: RuntimeError: no" for n in (1, 2, 3)}
    assert (table["bots"], table["names"]) == (names, ["Quiet", "Broken", "Babble"])
    assert (table["strikes"], table["dropped"]) == ([0, 0, 0], [0, 3, 0])
    assert table["wins"][1] == 0
    assert table["void_lines"][2] == 3 * 8 * 4


CRASHES = """
import json, sys
for line in sys.stdin:
    if json.loads(line)["type"] == "hello":
        print('{"type":"ready","name":"Icarus"}', flush=True)
    else:
        print("thinking about wings", file=sys.stderr)
        raise ValueError("%s")
"""
LONG = "the wax has melted, " * 5 + "as father said"


def crashing(folder: Path) -> str:
    folder.mkdir()
    (folder / "bot.py").write_text(CRASHES % LONG)
    return str(folder / "bot.py")


def test_the_table_of_a_match_names_strikes_forfeits_times_and_the_useful_line_of_a_log(tmp_path: Path) -> None:
    said = call("match", "skerries", crashing(tmp_path / "mine"), "settler", "settler", "--seed", "s").stdout
    head, icarus, _, second, *rest = said.splitlines()
    columns = "bot wins draws losses as red as blue as green void lines strikes forfeits CPU/game clock/game slowest"
    assert " ".join(head.split()) == columns
    assert icarus.startswith("Icarus ")
    assert second.startswith("settler (2) ")
    assert icarus.split()[7:10] == ["0", "0", "1"]
    assert re.fullmatch(r"(<?[\d.]+ m?s\s*){3}", icarus.split(maxsplit=10)[10])
    assert f"forfeit: Icarus in game 1: crash: exit code 1: ValueError: {LONG}" in rest


def test_a_replay_shows_strikes_the_reason_of_a_crash_and_times(tmp_path: Path) -> None:
    bot = crashing(tmp_path / "mine")
    call("match", "skerries", bot, "settler", "settler", "--seed", "s", "--out", str(tmp_path))
    said = call("replay", str(tmp_path / "game-00001.jsonl.gz"), "--turn", "1").output
    assert said.startswith("Skerries: red Icarus, blue settler, green settler (2)")
    assert f"red      forfeits: crash: exit code 1: ValueError: {LONG}" in said
    assert re.search(r"time     red <?[\d.]+ m?s of CPU time and <?[\d.]+ m?s on the clock, blue ", said)
    match = Match(registry.load("skerries"), {"turns": 1}, seed=1)
    match.run({}, {"blue": Verdict("late", "no answer in time")})
    replays.write(tmp_path / "late.jsonl", match, {"red": "a", "blue": "b"})
    assert "blue     strike: late: no answer in time" in call("replay", str(tmp_path / "late.jsonl")).output


def test_the_table_of_a_series_names_them_too(tmp_path: Path) -> None:
    arguments = ["series", "skerries", crashing(tmp_path / "mine"), "settler", "--max-games", "2", "--workers", "1"]
    said = call(*arguments).stdout
    assert said.startswith("NEW Icarus  against  OLD settler")
    for row in (r"strikes\s+NEW 0, OLD 0", r"forfeits\s+NEW 2, OLD 0", r"slowest\s+NEW <?[\d.]+ m?s, OLD <?[\d.]+ m?s"):
        assert re.search(row, said), row
    assert f"forfeit: NEW Icarus in pair 1: crash: exit code 1: ValueError: {LONG}" in said
    plain = json.loads(call(*arguments, "--json").stdout)
    assert plain["names"] == ["Icarus", "settler"]
    assert plain["strikes"] == [0, 0]
    assert [used["games"] for used in plain["used"]] == [2, 2]


def test_replay_shows_the_game(tmp_path: Path) -> None:
    call("match", "skerries", "settler", "settler", "settler", "--seed", "1", "--out", str(tmp_path), "-o", "turns=2")
    file = str(tmp_path / "game-00001.jsonl.gz")
    said = call("replay", file).output
    assert "Before the first turn" in said
    assert "After turn 2" in said
    assert "Rule 4.1." in said
    assert "Verified: 2 turns" in said
    only = call("replay", file, "--turn", "1", "--who", "red").output
    assert "After turn 1" in only
    assert "After turn 2" not in only
    assert ": mist" in only


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
@pytest.mark.parametrize("form", ["page", "board"])
def test_draw_makes_files(tmp_path: Path, kind: str, form: str) -> None:
    out = str(tmp_path)
    result = call("draw", "skerries", "-o", "seats=3", "--form", form, "--format", kind, "--out", out, "--width", "300")
    files = [Path(line) for line in result.stdout.split()]
    assert [file.name for file in files] == [f"skerries-{who}-01.{kind}" for who in ("red", "blue", "green", "umpire")]
    magic = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}[kind]
    assert all(file.read_bytes().startswith(magic) for file in files)


def test_draw_takes_a_position_as_text_or_file(tmp_path: Path) -> None:
    position = tmp_path / "position.txt"
    position.write_text("turn 3/8\nred 17: M 5; blue 2: B1 5\n")
    for given in (str(position), "turn 3/8; red 17: M 5; blue 2: B1 5"):
        result = call("draw", "skerries", "--position", given, "--who", "red", "--out", str(tmp_path))
        assert "red: 17 points" in Path(result.stdout.strip()).read_text()


def test_adjudicate_serves_line_after_line() -> None:
    typed = (
        '{"setup": {"turns": 2}, "seed": 1}\n'
        "rubbish\n"
        '{"position": "turn 1/8; red 0: M 2, A1 3; blue 0: B3 5", "orders": {"b": ["B3-M 2"]},'
        ' "dice": {"M": {"red": 4, "blue": 3}}, "id": "D1"}\n'
    )
    first, bad, second = [json.loads(line) for line in call("adjudicate", "skerries", typed=typed).stdout.splitlines()]
    assert first["to_act"] == ["red", "blue"]
    assert bad["error"]["word"] == "request/bad"
    assert second["id"] == "D1"
    assert second["position"]["view"]["crews"] == {
        "red": {"points": 3, "boats": {"M": 2, "A1": 3}},
        "blue": {"points": 1, "boats": {"B1": 2, "B3": 3}},
    }


def test_an_answer_can_be_sent_back() -> None:
    first = json.loads(call("adjudicate", "skerries", typed='{"setup": {}, "seed": 1}\n').stdout)
    for position in (first["position"], first["text"]):
        request = json.dumps({"position": position, "orders": {"red": ["A1-A3 1"]}, "seed": 1})
        second = json.loads(call("adjudicate", "skerries", typed=request + "\n").stdout)
        assert second["views"]["red"]["crews"]["red"]["boats"] == {"A1": 4, "A3": 1}


def test_schema_describes_all_messages() -> None:
    schema = json.loads(call("schema", "skerries").stdout)
    assert {"view", "order", "setting", "event", "request"} <= set(schema["messages"])
    assert schema["$defs"]["View"]["required"] == ["who", "turn", "seen", "crews"]


def test_bench_gives_one_object() -> None:
    figures = json.loads(call("bench", "skerries", "--json", "--seconds", "0.05", "--no-compile").stdout)
    assert figures["turns_per_second"] > 0
    assert figures["bytes_per_state"] < 1024


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["games"], 0),
        (["replay", "{}"], 1),
        (["gamse"], 2),
        (["upload", "{}", "--server", "http://127.0.0.1:9"], 3),
    ],
)
def test_the_program_ends_with_the_code_of_its_verb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int
) -> None:
    (tmp_path / "bot.py").write_text("pass")
    monkeypatch.setenv("POLEMOS_TOKEN", "polemos_x")
    monkeypatch.setattr(sys, "argv", ["polemos", *(word.format(tmp_path / "bot.py") for word in arguments)])
    with pytest.raises(SystemExit) if code else nullcontext() as ended:
        main()
    assert code == 0 or (ended is not None and ended.value.code == code)
