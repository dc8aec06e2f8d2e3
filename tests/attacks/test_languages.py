"""The starter kits play in the box, those with large runtimes as well, with a control group and without."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from languages import ALWAYS, TESTED
from polemos import registry
from polemos.cli.new_bot import LANGUAGES, words_of, write_kit
from polemos.hosts import groups, specs
from polemos.hosts.process import ROOM, _is_roomy
from polemos.kernel.match import Match
from polemos.kernel.playing import play
from polemos.wire.bot import Budget

GAME = registry.load("skerries")
OPTIONS = {"turns": 5}
CALM = Budget(start=30, wall_extra=30)  # all else as ever; this machine may be busy


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[str]]:
    """The command line of a kit, built when it is first wanted."""

    @cache
    def built(language: str) -> list[str]:
        folder = tmp_path_factory.mktemp("kits") / f"a {language} bot"
        commands = write_kit(language, GAME, folder)
        if "build" in commands:
            subprocess.run(commands["build"], shell=True, check=True, capture_output=True)
        return words_of(LANGUAGES[language].run, folder)

    return built


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


def test_large_runtimes_have_room_but_not_memory(kit: Callable[[str], list[str]]) -> None:
    assert Budget().memory == 512 << 20
    assert ROOM == 2 << 30
    assert [language for language in ALWAYS if _is_roomy(kit(language))] == ["javascript", "java"]
