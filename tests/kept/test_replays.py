"""Replays of an earlier version: each is adjudicated again, and shows everybody what it showed then."""

from __future__ import annotations

import doctest
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kept import seen
from kept.seen import REPLAYS, changes, floored, kept, position, told_changes
from polemos import registry
from polemos.cli.main import polemos
from polemos.kernel import replay

FILES = sorted(
    path
    for path in REPLAYS.iterdir()
    if ".jsonl" in path.suffixes and path.name.partition("-")[0] in registry.names()  # a game may have gone
)
of_all_games = pytest.mark.needs("demons", "minions", "monad", "monarchs")
by_file = pytest.mark.parametrize("path", FILES, ids=[path.name.partition(".")[0] for path in FILES])


def then(path: Path) -> dict[str, Any]:
    """What the replay showed when it was kept."""
    found: dict[str, Any] = kept(path.with_name(f"{path.name.partition('.')[0]}.seen.json.gz"))
    return found


def told(position: dict[str, Any], who: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = position["told"].get(who, position["told"]["umpire"])
    return found


@by_file
def test_a_kept_replay_is_verified(path: Path) -> None:
    result = CliRunner().invoke(polemos, ["replay", str(path), "--verify-only"], catch_exceptions=False)
    steps = len(then(path)["positions"]) - 1
    turns = "1 turn" if steps == 1 else f"{steps} turns"
    assert f"Verified: {turns}, every digest and every turn adjudicated again." in result.stdout


@by_file
def test_a_kept_replay_shows_what_it_showed(path: Path) -> None:
    """Views to the letter; what is told may have more fields than then."""
    game, before = then(path)["game"], then(path)["positions"]
    found: list[str] = []
    for match in replay.replayed(replay.read(path), registry.load(game)):
        number = len(match.steps)
        old, new = before[number], position(match, number)
        assert old["views"] == new["views"], f"the views of position {number}"
        for who in old["views"]:
            found += told_changes(game, told(old, who), told(new, who), f"position {number}, {who}")
        found += changes(floored(game, old["figures"]), new["figures"], f"position {number}, figures")
        for name in ("turn", "dropped"):
            found += changes(old[name], new[name], f"position {number}, {name}")
    assert found == []


@of_all_games
def test_between_them_they_have_everything() -> None:
    """Otherwise the two tests above would hold less than they say."""
    headers, steps = Counter[str](), Counter[str]()
    for path in FILES:
        read = replay.read(path)
        options = read.header.options
        headers[f"{read.header.game} {options['rules']}"] += 1
        headers[f"seats {len(read.header.seats)}"] += 1
        headers.update(f"{name} {options[name]}" for name in ("mode", "boards", "decisions", "coin") if name in options)
        headers.update(["bids"] if options.get("bids") or options.get("yellow") else [])
        headers.update(["position"] if read.header.position else [])
        headers.update(["agreed"] if read.end.agreed else [])
        for step in read.steps:
            steps.update({"faults": len(step.faults), "forfeits": len(step.forfeits), "strikes": len(step.strikes)})
            steps.update(call.partition(" ")[0] for call in step.calls)
            steps.update(str(why).partition(":")[0] for why in step.forfeits.values())
            steps["absent"] += sum(lines is None for lines in step.orders.values())
    wanted = {"demons seed", "demons finals-2025", "monarchs seed", "monarchs 2022-04", "seats 2", "seats 3", "seats 4"}
    wanted |= {"mode party", "mode online", "mode open", "boards 1", "boards 2", "boards 3", "decisions two", "coin on"}
    assert wanted | {"bids", "position", "agreed"} <= set(headers)
    wanted = {"faults", "forfeits", "strikes", "absent", "last", "turns"}
    assert wanted | {"3 strikes", "crash", "time", "resigned", "dropped out"} <= set(+steps)


@of_all_games
def test_between_them_they_have_every_kind_of_event() -> None:
    kinds = Counter(
        (shown["game"], one["event"]["kind"])
        for shown in map(then, FILES)
        for of in shown["positions"]
        for one in of["told"]["umpire"]
    )
    assert Counter(game for game, _ in kinds) == {"demons": 18, "minions": 20, "monad": 15, "monarchs": 19}


def test_comparing_finds_what_has_gone_and_lets_things_grow() -> None:
    assert doctest.testmod(seen).failed == 0
    ended = {"event": {"kind": "ended", "rule": "10.5"}}
    dice = [{"event": {"kind": "die for the game", "die": die}} for die in ("0.1", "0.2", "0.3")]
    before = [ended, dice[0], dice[1], dice[0]]
    assert list(seen.told_changes("monarchs", before, [dice[0], dice[1], ended], "")) == []
    assert len(list(seen.told_changes("monarchs", before, [dice[0], ended], ""))) == 1, "one has gone"
    assert len(list(seen.told_changes("monarchs", before, [*dice, ended], ""))) == 1, "one is new"
