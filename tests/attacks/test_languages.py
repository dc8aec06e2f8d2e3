"""The starter kits play in the box, those with large runtimes as well, with a control group and without."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import built
from attacks.harness import PROGRAMS, start
from languages import TESTED
from polemos import registry
from polemos.hosts import groups, specs
from polemos.hosts.memory import is_hasty
from polemos.hosts.pipe import Broken, Child
from polemos.kernel.match import Match
from polemos.kernel.playing import play
from polemos.wire.bot import Budget

GAME = registry.load("skerries")
OPTIONS = {"turns": 5}
CALM = Budget(start=30, wall_extra=30)  # all else as ever; this machine may be busy


@pytest.fixture
def kit(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[str]]:
    """The command line of a kit."""
    return lambda language: built.command(language, built.kit(language, tmp_path_factory))


def course(words: list[str], *, trust: bool = False, log: Path | None = None) -> list[str]:
    """Plays it against our own bot; what happened, step by step."""
    match = Match(GAME, OPTIONS, seed="kits")
    bots: dict[str, Any] = {}
    outcome = None
    try:
        for seat in match.seats:
            spec = shlex.join(words) if seat == match.seats[0] else "random"
            bots[seat] = specs.make(
                GAME, spec, match.setting, seat, 5, seats=match.seats, budget=CALM, trust=trust, log=log
            )
        outcome = play(match, bots)
    finally:
        specs.close(list(bots.values()), outcome)
    assert {seat: why for step in match.steps for seat, why in step.forfeits.items()} == {}
    assert not any(step.strikes or step.faults.get(match.seats[0]) for step in match.steps)
    return [step.digest for step in match.steps]


@pytest.mark.parametrize("grouped", [True, False], ids=["grouped", "watched"])
@pytest.mark.parametrize("language", TESTED)
def test_a_kit_plays_in_the_box_as_it_does_without(
    language: str, grouped: bool, kit: Callable[[str], list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not grouped:
        monkeypatch.setattr(groups, "make", lambda *limits: None)
    log = tmp_path / "out" / "log"
    log.parent.mkdir()
    boxed = course(kit(language), log=log)
    assert boxed == course(kit(language), trust=True)
    assert log.read_text() == "", "nothing was complained of"


@pytest.mark.parametrize("grouped", [True, False], ids=["grouped", "watched"])
@pytest.mark.parametrize("language", [language for language in TESTED if language == "go"])
def test_a_runtime_that_reserves_can_use_its_memory_and_no_more(
    language: str, grouped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not grouped:
        monkeypatch.setattr(groups, "make", lambda *limits: None)
    program = tmp_path / "taking"
    subprocess.run([language, "build", "-o", str(program), str(PROGRAMS / "taking.go")], check=True)
    assert taking(program, 128) == "taken 128"
    assert taking(program, 256) == "memory: over the limit"


def taking(program: Path, megabytes: int) -> str:
    """What it says, or why it could no longer be spoken to; it may use 192 MB."""
    child = Child(
        start([str(program), str(megabytes)], box=True, budget=Budget(memory=192 << 20)),
        max_line=100,
        log=None,
        max_log=0,
    )
    try:
        return child.hear(child.patience(30), float("inf")).decode()
    except Broken as error:
        return str(error)
    finally:
        child.close()


@pytest.mark.parametrize("language", TESTED)
def test_the_kernel_bounds_what_a_kit_can_write_to(language: str, kit: Callable[[str], list[str]]) -> None:
    assert is_hasty(kit(language)) == (language in {"javascript", "java"})
