"""Every case of the folder `cases`, and that each paragraph of the book has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from case_words import run
from polemos.kernel.book import paragraphs
from polemos.kernel.casefile import Case, read_all
from polemos.kernel.rooms import book_of
from skerries.game import GAME

CASES = read_all(Path(__file__).parent / "cases")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case: Case) -> None:
    run(case)


def test_every_paragraph_has_a_case() -> None:
    book = {number for number in paragraphs(book_of(GAME) / "rules.md") if "." in number}
    assert book == {rule for case in CASES for rule in case.rules}
