"""Every case of every game, and that the book and the cases cover each other."""

from __future__ import annotations

import pytest

from casefile import Case, all_cases, expectations
from polemos import registry
from polemos.kernel.book import paragraphs
from polemos.kernel.rooms import book_of

GAMES = registry.names()


@pytest.mark.parametrize(
    ("game", "case"),
    [(game, case) for game in GAMES for case in all_cases(game)],
    ids=lambda given: given if isinstance(given, str) else given.id,
)
def test_case(game: str, case: Case) -> None:
    expectations(game).run(case)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_cases(game: str) -> None:
    assert all_cases(game)


@pytest.mark.parametrize("game", GAMES)
def test_case_ids_are_unique(game: str) -> None:
    ids = [case.id for case in all_cases(game)]
    assert sorted(set(ids)) == sorted(ids)


@pytest.mark.parametrize("game", GAMES)
def test_every_case_names_existing_paragraphs(game: str) -> None:
    book = paragraphs(book_of(registry.load(game)) / "rules.md")
    for case in all_cases(game):
        assert case.rules, f"{case.id} ({case.where}) names no paragraph"
        assert not set(case.rules) - set(book), f"{case.id} names {set(case.rules) - set(book)}"


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_has_a_case_or_a_test(game: str) -> None:
    book = {number for number in paragraphs(book_of(registry.load(game)) / "rules.md") if "." in number}
    covered = {rule for case in all_cases(game) for rule in case.rules}
    elsewhere = set(expectations(game).TESTED_ELSEWHERE)
    assert not book - covered - elsewhere
    assert not elsewhere & covered, "these have cases now: take them off the list"
