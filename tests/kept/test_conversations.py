"""Bots of protocol 1 that were written for an earlier version hear what they heard then, but for sentences.

All seats are played by what was said there, so that none of our own bots has a part in it.
"""

from __future__ import annotations

import gzip
import json
import shlex
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from kept.seen import HERE, REPLAYS, TALKS, changes, kept
from polemos import registry
from polemos.cli.main import polemos
from polemos.kernel import replay

AGAIN = HERE / "bots" / "again.py"
GAMES = sorted({path.name.partition("-")[0] for path in TALKS.glob("*.log.gz")} & set(registry.names()))
by_game = pytest.mark.parametrize("game", GAMES)

LOOSE = ("options", "setting", "time_left")  # compared otherwise: a setting may have grown
ADDED = {"budget.wall_bank", "budget.wall_turn", "wall_left"}  # told since then
Talk = list[tuple[str, Any]]  # hears and a message, says or dies and a text


def talk(log: bytes) -> Talk:
    words = (line.partition(" ") for line in log.decode().splitlines())
    return [(word, json.loads(text) if word == "hears" else text) for word, _, text in words]


def logs(game: str) -> dict[str, Path]:
    return {path.name.split(".")[0].partition("-")[2]: path for path in sorted(TALKS.glob(f"{game}-*.log.gz"))}


@cache
def talks(game: str) -> dict[str, tuple[Talk, Talk]]:
    """What was said then and what is said today, by seat. The course of the match must be the same."""
    made, before = kept(TALKS / f"{game}.json.gz"), logs(game)
    kept_replay = replay.read(REPLAYS / f"{game}-programs.jsonl.gz")
    bots = [shlex.join([sys.executable, str(AGAIN), str(before[seat])]) for seat in kept_replay.header.seats]
    wishes = [part for option in made["options"] for part in ("-o", option)]
    with TemporaryDirectory() as out:
        words = ["match", game, *bots, "--seed", made["seed"], "--out", out, *made["budget"], *wishes]
        CliRunner().invoke(polemos, words, catch_exceptions=False)
        played = replay.read(Path(out) / "game-00001.jsonl.gz")
        today = {seat: talk((Path(out) / f"game-00001-{seat}.log").read_bytes()) for seat in before}
    assert [step.digest for step in played.steps] == [step.digest for step in kept_replay.steps]
    assert [step.forfeits for step in played.steps] == [step.forfeits for step in kept_replay.steps]
    assert [step.strikes for step in played.steps] == [step.strikes for step in kept_replay.steps]
    assert replace(played.end, seeds={}) == kept_replay.end  # the seeds of bots were not kept then
    return {seat: (talk(gzip.decompress(path.read_bytes())), today[seat]) for seat, path in before.items()}


def heard(one: Talk) -> list[dict[str, Any]]:
    """The messages of the umpire but the result: whoever has dropped out may be gone before hearing it."""
    return [said for word, said in one if word == "hears" and said["type"] != "result"]


def without(message: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: unworded(value) for name, value in message.items() if name not in names}


def unworded(value: Any) -> Any:
    """Why a line is void is told to people, in better words every year; programs go by its rule and its word."""
    if isinstance(value, dict):
        return {name: unworded(of) for name, of in value.items() if not (name == "why" and "rule" in value)}
    return [unworded(one) for one in value] if isinstance(value, list) else value


@by_game
def test_a_bot_hears_what_it_heard(game: str) -> None:
    for seat, (before, today) in talks(game).items():
        assert len(heard(before)) == len(heard(today)) > 2
        for one, other in zip(heard(before), heard(today), strict=True):
            then, now = without(one, *LOOSE), without(other, *LOOSE)
            added = {change.partition(":")[0] for change in changes(now, then)}
            assert (list(changes(then, now)), added - ADDED) == ([], set()), (seat, one["type"])
            assert not list(changes(one.get("setting", {}), other.get("setting", {})))
            if one["type"] == "view":
                assert 0 < other["time_left"] <= 600.05


@by_game
def test_a_bot_is_offered_what_it_was_offered(game: str) -> None:
    """In the same order, too: bots that choose by chance choose the same again."""
    for seat, (before, today) in talks(game).items():
        offers = [[said.get("options") for said in heard(one)] for one in (before, today)]
        assert offers[0] == offers[1], seat
    assert any(said.get("options") for before, _ in talks(game).values() for said in heard(before))


@by_game
def test_a_bot_hears_how_it_ended(game: str) -> None:
    """Those that stayed are given time to hear it."""
    results = 0
    for before, today in talks(game).values():
        ends = [[said for word, said in one if word == "hears" and said["type"] == "result"] for one in (before, today)]
        if all(ends):
            assert ends[0] == ends[1]
            results += 1
    assert results


def test_between_them_they_have_every_message() -> None:
    before = [one for game in GAMES for path in logs(game).values() for one in talk(gzip.decompress(path.read_bytes()))]
    said = [text for word, text in before if word == "says"]
    assert {message["type"] for word, message in before if word == "hears"} == {"hello", "view", "update", "result"}
    assert {"ready", "orders", "order", "end"} <= {json.loads(text)["type"] for text in said if text[0] == "{"}
    assert any(word == "dies" for word, _ in before)
    updates = [message for word, message in before if word == "hears" and message["type"] == "update"]
    assert any(update["fault"] for update in updates)
    assert any(update["view"] for update in updates)
    assert any(message["faults"] for word, message in before if word == "hears" and message["type"] == "view")
