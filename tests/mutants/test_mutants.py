"""Deliberate errors in the rules: each must be noticed by a case. What no case notices is not pinned down by any."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mutants import apply
from mutants.apply import Mutant
from polemos.kernel.book import paragraphs

GAMES = apply.games()
FEWEST = 30  # of a game
LIMIT = 1800  # seconds for a process; `apply` itself limits each case

each_game = pytest.mark.parametrize("game", GAMES)


def chapter(rule: str) -> str:
    return rule.split(".")[0]


CHAPTERS = sorted({(game, int(chapter(mutant.rule))) for game in GAMES for mutant in apply.mutants(game)})


def tried(game: str, *numbers: int | str) -> dict[str, tuple[str, str]]:
    """What became of each mutant, and which case noticed it, as `apply` tells it."""
    command = [sys.executable, apply.__file__, game, *map(str, numbers)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    found = [line.split("\t") for line in done.stdout.splitlines()]
    assert [number for number, _, _ in found] == list(map(str, numbers)), done.stdout + done.stderr
    return {number: (verdict, said) for number, verdict, said in found}


def book(game: str) -> set[str]:
    return {number for number in paragraphs(apply.folder(game) / "book" / "rules.md") if "." in number}


def fault_of(mutant: Mutant, lawful: set[str]) -> str | None:
    """Why this is not one error against one paragraph; None if it is."""
    if "\n" in mutant.old + mutant.new:
        return "more than one line"
    if mutant.new == mutant.old:
        return "changes nothing"
    if mutant.rule not in lawful:
        return "against a paragraph that the book does not have"
    if not mutant.why:
        return "does not say what it gets wrong"
    try:
        compile(mutant.applied(), mutant.file, "exec")
    except (LookupError, SyntaxError) as error:
        return f"does not fit the source: {error}"
    return None


@each_game
def test_every_error_fits_the_source_and_is_against_a_paragraph(game: str) -> None:
    lawful = book(game)
    faults = {f"{mutant.number} {mutant.rule}": fault_of(mutant, lawful) for mutant in apply.mutants(game)}
    assert {name: fault for name, fault in faults.items() if fault is not None} == {}


@each_game
def test_no_error_twice(game: str) -> None:
    errors = [(mutant.file, mutant.applied()) for mutant in apply.mutants(game)]
    assert len(set(errors)) == len(errors)


@each_game
def test_what_mutants_share_does_not_load_the_error(game: str) -> None:
    """Neither the module with the error nor anything that would load it."""
    for module in sorted({mutant.module for mutant in apply.mutants(game)}):
        shared = set(apply.unaffected(game, module))
        assert module not in shared
        for name in shared:
            path = apply.folder(game).parents[2] / Path(*name.split("."))
            source = path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py"
            needs = set(apply.imported(ast.parse(source.read_text(encoding="utf-8"))))
            assert module not in needs, f"{name} loads {module}"


@each_game
def test_without_an_error_all_cases_pass(game: str) -> None:
    assert tried(game, apply.NONE) == {apply.NONE: ("survived", "all cases pass")}


@pytest.mark.parametrize(("game", "number"), CHAPTERS)
def test_a_case_notices(game: str, number: int, record_property: Callable[[str, object], None]) -> None:
    """Every error against this chapter."""
    mutants = {str(m.number): m for m in apply.mutants(game) if chapter(m.rule) == str(number)}
    verdicts = tried(game, *mutants)
    record_property("noticed by", verdicts)
    unnoticed = [
        f"{number}: {mutants[number].rule} {mutants[number].why}: {verdict}, {said}"
        for number, (verdict, said) in verdicts.items()
        if verdict != "dead"
    ]
    assert not unnoticed, "\n".join(unnoticed)


@each_game
def test_errors_are_spread_over_the_book(game: str) -> None:
    found = apply.mutants(game)
    assert len(found) >= FEWEST
    elsewhere = set(importlib.import_module(f"expectations.{game}").TESTED_ELSEWHERE)
    chapters = {chapter(rule) for rule in book(game) - elsewhere}
    assert not chapters - {chapter(mutant.rule) for mutant in found}
