"""Deliberate errors in the rules: each must be noticed by a case. What no case notices is not pinned down by any."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable

import pytest

from mutants import apply
from mutants.apply import Mutant
from polemos.kernel.book import paragraphs

GAMES = apply.games()
MUTANTS = [mutant for game in GAMES for mutant in apply.mutants(game)]
FEWEST = 30  # of a game
LIMIT = 120  # seconds for a process; `apply` itself limits each case

each_game = pytest.mark.parametrize("game", GAMES)
each_mutant = pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: f"{m.game}-{m.number}-{m.rule}")


def tried(game: str, number: int | str) -> tuple[int, str]:
    """The exit code of `apply` and what it printed."""
    command = [sys.executable, apply.__file__, game, str(number)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    return done.returncode, (done.stdout + done.stderr).strip()


def book(game: str) -> set[str]:
    return {number for number in paragraphs(apply.folder(game) / "book" / "rules.md") if "." in number}


@each_mutant
def test_the_error_fits_the_source(mutant: Mutant) -> None:
    assert "\n" not in mutant.old + mutant.new
    assert mutant.new != mutant.old
    compile(mutant.applied(), mutant.file, "exec")


@each_mutant
def test_the_error_is_against_a_paragraph(mutant: Mutant) -> None:
    assert mutant.rule in book(mutant.game)
    assert mutant.why


@each_game
def test_no_error_twice(game: str) -> None:
    errors = [(mutant.file, mutant.applied()) for mutant in apply.mutants(game)]
    assert len(set(errors)) == len(errors)


@each_game
def test_without_an_error_all_cases_pass(game: str) -> None:
    code, said = tried(game, "none")
    assert code == apply.SURVIVED, said


@each_mutant
def test_a_case_notices(mutant: Mutant, record_property: Callable[[str, object], None]) -> None:
    code, said = tried(mutant.game, mutant.number)
    record_property("noticed by", said)
    assert code == apply.DEAD, f"{mutant.rule} {mutant.why}: {said}"


@each_game
def test_errors_are_spread_over_the_book(game: str) -> None:
    found = apply.mutants(game)
    assert len(found) >= FEWEST
    elsewhere = set(importlib.import_module(f"expectations.{game}").TESTED_ELSEWHERE)
    chapters = {number.split(".")[0] for number in book(game) - elsewhere}
    assert not chapters - {mutant.rule.split(".")[0] for mutant in found}
