"""`polemos series` as a user would call it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from polemos.cli.main import polemos


def call(*arguments: str) -> Result:
    return CliRunner().invoke(polemos, arguments, catch_exceptions=False)


def test_a_series_ends_with_its_verdict() -> None:
    arguments = ["series", "skerries", "settler", "random", "--seed", "s", "--workers", "1", "--elo1", "200"]
    said = call(*arguments)
    assert said.exit_code == 0
    assert said.stdout.splitlines()[-1].startswith("NEW settler is better than OLD random: +")
    assert "points per pair" in said.stdout
    assert "LLR" in said.stdout
    assert "2 games: " in said.stderr
    found = json.loads(call(*arguments, "--json").stdout)
    assert found["verdict"] == "better"
    assert found["sentence"] == said.stdout.splitlines()[-1]
    assert sum(found["pentanomial"]) * 2 == found["games"]
    assert found["llr"] >= found["llr_bounds"][1]
    assert found["forfeits"] == [0, 0]


def test_a_series_gives_up_after_so_many_games() -> None:
    said = call("series", "skerries", "random", "random", "--seed", "s", "--workers", "1", "--max-games", "5")
    assert said.stdout.splitlines()[-1].startswith("Undecided after 4 games between NEW random and OLD random: ")


def test_blocks_where_there_are_more_seats() -> None:
    arguments = ["series", "skerries", "settler", "random", "--seats", "3", "-o", "turns=1", "--workers", "1", "--json"]
    found = json.loads(call(*arguments, "--max-games", "12").stdout)
    assert (found["seats"], found["games_per_block"], found["games"]) == (3, 6, 12)
    assert found["pentanomial"] is None
    short = ["-o", "turns=2", "--workers", "1", "--json", "--max-games", "2"]
    two = json.loads(call("series", "skerries", "settler", "random", *short).stdout)
    three = json.loads(call("series", "skerries", "settler", "random", *short, "--seats", "3").stdout)
    assert (two["seats"], three["seats"]) == (2, 3)
    assert three["games"] == 6, "one block at least"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["skerries", "randm", "random"], "Did you mean random"),
        (["skerries", "human", "random"], "A person can't play in a series"),
        (["skerries", "bots.py:Mine", "random"], "Add --trust if you trust it"),
        (["skerries", "bots.py:Mine", "random", "--trust"], "There is no file bots.py"),
        (["skerries", "random", "random", "--elo0", "10"], "--elo0 must be below --elo1"),
        (["skerries", "random", "random", "--elo1", "nan"], "--elo0 must be below --elo1"),
        (["skerries", "random", "random", "--alpha", "0.5"], "0<x<0.5"),
        (["skerries", "random", "random", "--seats", "9"], "from 2 to 8"),
        (["skerries", "random"], "Missing argument 'OLD'"),
    ],
)
def test_what_makes_no_series_is_refused(arguments: list[str], why: str) -> None:
    result = CliRunner().invoke(polemos, ["series", *arguments])
    assert result.exit_code != 0
    assert why in f"{result.output}{result.exception}"


def test_ctrl_c_tells_what_is_known(tmp_path: Path) -> None:
    """With workers, which are not to print anything of their own."""
    command = [sys.executable, "-m", "polemos", "series", "skerries", "random", "random", "--workers", "2"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.default_int_handler
        ),  # the tests may run in the background
    ) as run:
        assert run.stderr is not None
        for line in run.stderr:
            if re.match(r"[0-9]+ games", line):  # whichever is told first
                break
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does
        out, err = run.communicate(timeout=60)
    assert run.returncode == 0
    assert out.splitlines()[-1].startswith("Stopped, undecided after ")
    assert "Traceback" not in err
