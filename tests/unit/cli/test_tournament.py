"""`polemos tournament` as a user would call it."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from polemos import registry
from polemos.arena.tournament.journal import NAME
from polemos.cli import tournament
from polemos.cli.main import polemos
from polemos.kernel import replay

SHORT = ["-o", "turns=6", "--seed", "s", "--workers", "2"]


def call(*arguments: str) -> Result:
    return CliRunner().invoke(polemos, ["tournament", *arguments], catch_exceptions=False)


def plain(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    for name in ("games_now", "seconds", "cores", "cores_busy", "at_work", "report", "used"):
        del found[name]
    return found


def test_a_tournament_in_the_same_second_gets_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would otherwise be taken for one to resume, whatever else was asked for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(time, "strftime", lambda _: "20261118-120000")
    made = []
    for _ in range(3):
        made.append(tournament._new_folder("skerries"))
        made[-1].mkdir(parents=True)
    name = "tournament-skerries-20261118-120000"
    assert [folder.name for folder in made] == [name, f"{name}-2", f"{name}-3"]


def table(text: str) -> list[Any]:
    """What must be the same in every run."""
    found = json.loads(text)
    return [found["table"], found["notices"], found["settled"], found["counted"], found["finished"]]


# ---- a whole one


def test_a_round_robin_from_nothing_to_a_report(tmp_path: Path) -> None:
    out = tmp_path / "t"
    result = call("skerries", "random", "mine=settler", "random", "--out", str(out), *SHORT)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split()[:3] == ["bot", "points", "tie-break"]
    assert any("mine" in line for line in lines[1:4])
    assert any("random (2)" in line for line in lines[1:4])
    assert lines[4].startswith("6 of 6 games settled, 6 of them played; 6 in this run in ")
    assert lines[5] == f"Report: {out}/index.html"
    assert "Starting: round-robin of 3 bots, 3 rounds, 2 games per meeting" in result.stderr
    assert "mine" in (out / "index.html").read_text()
    with (out / "games.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 6
    for number in range(1, 7):
        replay.verify(replay.read(out / "replays" / f"game-{number:05d}.jsonl.gz"), registry.load("skerries"))


def test_the_same_again_says_the_same_and_plays_nothing(tmp_path: Path) -> None:
    arguments = ["skerries", "random", "settler", "--json", "--out", str(tmp_path / "t"), *SHORT]
    first = call(*arguments)
    again = call(*arguments)
    assert json.loads(again.stdout)["games_now"] == 0
    assert plain(first) == plain(again) == plain(call("--resume", str(tmp_path / "t"), "--json"))
    other = CliRunner().invoke(polemos, ["tournament", *arguments, "--games", "4"])
    assert "a different plan (games)" in str(other.exception)
    elsewhere = call("skerries", "random", "settler", "--json", "--out", str(tmp_path / "other"), *SHORT)
    assert plain(elsewhere) == plain(first)


def test_three_seats_and_swiss(tmp_path: Path) -> None:
    arguments = ["skerries", "all", "a=random", "b=settler", "--seats", "3", "--system", "swiss", "--rounds", "2"]
    arguments += ["-o", "turns=2", "--workers", "2"]
    found = plain(call(*arguments, "--out", str(tmp_path / "t"), "--json"))
    assert (found["seats"], found["rounds"], found["games_per_meeting"], found["settled"]) == (3, 2, 3, 6)
    assert sorted(row["byes"] for row in found["table"]) == [0, 0, 1, 1]
    assert sum(row["points"] for row in found["table"]) == 6 + 2
    assert all(row["rating"]["games"] == row["played"] for row in found["table"])


def test_four_seats_where_a_game_leaves_it_open(tmp_path: Path) -> None:
    arguments = ["skerries", "random", "settler", "random", "settler", "--seats", "4", "-o", "turns=3"]
    found = plain(call(*arguments, "--games", "2", "--out", str(tmp_path / "t"), "--json", "--workers", "2"))
    assert (found["seats"], found["settled"]) == (4, 2)


def test_knock_out(tmp_path: Path) -> None:
    found = plain(
        call(
            "skerries",
            "all",
            "a=random",
            "b=settler",
            "--system",
            "knock-out",
            "--json",
            "--out",
            str(tmp_path / "t"),
            *SHORT,
        )
    )
    assert [row["place"] for row in found["table"]] == [1, 2, 3, 3]
    assert found["finished"]


def test_a_failing_bot_is_paused_with_notice(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "class Bad:\n"
        "    def __init__(self, *given): pass\n"
        "    def orders(self, view, time_left): raise ValueError('slip')\n"
    )
    bots = ["random", f"bad={tmp_path}/bad.py:Bad", "settler", "--trust", "--pause-after", "2"]
    result = call("skerries", *bots, "--out", str(tmp_path / "t"), *SHORT)
    assert re.search(
        r"notice: bad is paused: it dropped out of 2 games in a row \(game \d+: crash: ValueError", result.stdout
    )
    assert re.search(r"bad .* paused", result.stdout)
    assert "walkover" in result.stdout


CRASHES = """
import json, sys
for line in sys.stdin:
    if json.loads(line)["type"] == "hello":
        print('{"type":"ready","name":"settler"}', flush=True)
    else:
        raise ValueError("the wax has melted, as father said, and as everybody knew but Icarus himself")
"""


def test_the_table_tells_names_strikes_times_and_the_useful_line_of_a_log(tmp_path: Path) -> None:
    (tmp_path / "icarus").mkdir()
    (tmp_path / "icarus" / "bot.py").write_text(CRASHES)
    arguments = ["skerries", "settler", str(tmp_path / "icarus" / "bot.py"), "--pause-after", "1", "--games", "2"]
    said = call(*arguments, "--out", str(tmp_path / "t"), *SHORT).stdout
    head, *_ = said.splitlines()
    assert re.search(r"void lines +strikes +forfeits +CPU/game +clock/game +slowest", head)
    assert re.search(r"2  settler \(icarus\) .* 1  +<?[\d.]+ m?s +<?[\d.]+ m?s +<?[\d.]+ m?s", said), said
    assert (
        "crash: exit code 1: ValueError: the wax has melted, as father said, and as everybody knew but Icarus" in said
    )
    page = (tmp_path / "t" / "index.html").read_text()
    assert "as everybody knew but Icarus himself" in page
    found = json.loads(call("--resume", str(tmp_path / "t"), "--json").stdout)
    assert {one["name"]: one["games"] for one in found["used"]} == {"settler": 1, "settler (icarus)": 1}
    assert [row["strikes"] for row in found["table"]] == [0, 0]


def test_programs_play_with_a_name_of_their_own(tmp_path: Path) -> None:
    CliRunner().invoke(polemos, ["new-bot", "skerries", str(tmp_path / "ann"), "--language", "python"])
    bots = ["random", f"Team Ann={tmp_path}/ann/bot.py", "--trust"]
    result = call("skerries", *bots, "--out", str(tmp_path / "t"), *SHORT)
    assert re.search(r"\d  Team Ann +\d", result.stdout)
    assert "Limits for programs: start 5 s" in result.stderr
    assert (tmp_path / "t" / "replays" / "game-00001.jsonl.gz").exists()
    assert len(list((tmp_path / "t" / "replays").glob("*.log"))) == 2


# ---- what is refused


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "Name a game:"),
        (["skerries"], "2 seats need at least 2 bots"),
        (["skerries", "random"], "2 seats need at least 2 bots"),
        (["skerries", "random", "randm"], "Did you mean random"),
        (["skerries", "random", "human"], "A person can't play in a tournament"),
        (["skerries", "random", "@nowhere.txt"], "nowhere.txt"),
        (["skerries", "all", "--seats", "9"], "from 2 to 8"),
        (["skerries", "all", "a=random", "--seats", "3", "--system", "knock-out"], "needs two seats"),
        (["skerries", "all", "--system", "knock-out", "--games", "3"], "even number of games"),
        (["skerries", "all", "a=random", "b=random", "--rounds", "9"], "has 3"),
        (["skerries", "all", "--system", "ladder"], "'ladder' is not one of"),
        (["skerries", "all", "--ray", "auto", "--workers", "2"], "--workers is only for this machine"),
        (["--resume", "nowhere"], "There is no tournament in nowhere"),
        (["skerries", "--resume", "nowhere"], "--resume takes the whole plan"),
        (["--resume", "nowhere", "--games", "3"], "--resume takes the whole plan"),
    ],
)
def test_what_makes_no_tournament_is_refused(
    arguments: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(polemos, ["tournament", *arguments])
    assert result.exit_code != 0
    assert why in f"{result.output}{result.exception}"
    assert not list(tmp_path.iterdir()), "what is refused leaves nothing behind"


def test_a_bot_that_changed_does_not_go_on(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("class Bot:\n    def __init__(self, *a): pass\n    def orders(self, view, left): return []\n")
    out = str(tmp_path / "t")
    call("skerries", "random", f"{bot}:Bot", "--trust", "--out", out, *SHORT)
    bot.write_text(bot.read_text() + "# better\n")
    refused = CliRunner().invoke(polemos, ["tournament", "--resume", out])
    assert "have changed since this tournament began" in str(refused.exception)


def test_another_edition_does_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call("skerries", "random", "settler", "--out", str(tmp_path / "t"), *SHORT)
    monkeypatch.setattr(type(registry.load("skerries")), "edition", 999)
    refused = CliRunner().invoke(polemos, ["tournament", "--resume", str(tmp_path / "t")])
    assert "uses edition 1 of Skerries, but this is edition 999" in str(refused.exception)


# ---- killed


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "polemos", "tournament", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.default_int_handler
        ),  # the tests may run in the background
    )


def until(condition: Any, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def lines(out: Path) -> list[bytes]:
    """The whole lines of the journal."""
    path = out / NAME
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []


def is_gone(group: int) -> bool:
    with suppress(ChildProcessError):  # orphans come to this process if it has built boxes before: it buries them
        os.waitpid(-group, os.WNOHANG)
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


FIELD = [
    "skerries",
    "random",
    "settler",
    "other=random",
    "fourth=settler",
    "--games",
    "60",
    "-o",
    "turns=12",
    "--seed",
    "s",
    "--json",
]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    out = tmp_path_factory.mktemp("unbroken") / "t"
    return table(call(*FIELD, "--out", str(out), "--workers", "2").stdout)


@pytest.mark.long
def test_killed_at_any_moment_it_goes_on_with_the_same_table(tmp_path: Path, unbroken: list[Any]) -> None:
    """Killed outright when the plan is written, and after more and more games; the same folder goes on every time."""
    out = tmp_path / "t"
    before: list[bytes] = []
    for moment in (1, 2, 60, 120):  # it goes on until we are let to kill it
        run = start(*FIELD, "--out", str(out), "--workers", "2")
        with run:
            until(lambda moment=moment: len(lines(out)) >= moment)
            run.kill()
        assert run.returncode == -signal.SIGKILL
        now = lines(out)
        assert now[: len(before)] == before, "nothing that was written is lost"
        before = now
        until(lambda run=run: is_gone(run.pid))  # workers notice that nobody waits for them
    assert len(before) < 361, "it was not over yet"
    result = call("--resume", str(out), "--json", "--workers", "2")
    assert table(result.stdout) == unbroken
    assert json.loads(result.stdout)["games_now"] == 361 - len(before)
    numbers = [json.loads(line)["number"] for line in lines(out)[1:]]
    assert sorted(numbers) == [*range(1, 361)], "none twice, none lost"
    for number in numbers:
        replay.read(out / "replays" / f"game-{number:05d}.jsonl.gz")
    assert not list((out / "replays").glob(".*"))


def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(tmp_path: Path, unbroken: list[Any]) -> None:
    out = tmp_path / "t"
    with start(*FIELD, "--out", str(out), "--workers", "2") as run:
        until(lambda: len(lines(out)) > 10)
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does
        said, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "Traceback" not in err
    assert f"tournament --resume {out}" in err.splitlines()[-1]
    assert not json.loads(said)["finished"]
    assert "index.html" in {path.name for path in out.iterdir()}
    until(lambda: is_gone(run.pid))
    assert table(call("--resume", str(out), "--json", "--workers", "2").stdout) == unbroken


def test_two_runs_of_one_folder_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "t"
    with start(*FIELD, "--out", str(out), "--workers", "1") as run:
        until(lambda: len(lines(out)) > 0)
        refused = CliRunner().invoke(polemos, ["tournament", "--resume", str(out)])
        assert "this tournament is already running" in str(refused.exception)
        os.killpg(run.pid, signal.SIGKILL)
