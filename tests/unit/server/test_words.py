"""What comes from outside, cut to what can be kept and shown: lines of sheets, names, talk."""

from __future__ import annotations

import doctest
from types import ModuleType
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.server import words
from polemos.server.tables import crews, lines
from polemos.server.tables.lines import DEEPEST, LONGEST, MAX_LINES, plain, sheet_of
from polemos.server.words import tidy

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=30,
)


@pytest.mark.parametrize("module", [words, lines, crews], ids=lambda module: module.__name__)
def test_examples_in_docstrings_run(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


@given(JSON)
def test_any_line_can_be_stored_and_is_the_same_when_read(line: Any) -> None:
    kept = plain(line)
    written = msgspec.json.encode(kept)
    assert len(written) <= 6 * LONGEST + 2
    assert plain(msgspec.json.decode(written)) == kept


@given(JSON.filter(lambda line: not isinstance(line, str)))
def test_objects_that_an_order_can_be_stay_as_they_are(line: Any) -> None:
    try:
        small = len(msgspec.json.encode(line)) <= LONGEST
    except (OverflowError, ValueError):
        small = False
    deep = str(line).count("[") + str(line).count("{") > DEEPEST
    if small and not deep:
        assert plain(line) == line


def test_a_sheet_has_so_many_lines() -> None:
    assert len(sheet_of(["x"] * (MAX_LINES + 10))) == MAX_LINES


def test_lines_that_no_order_can_be_are_kept_as_text() -> None:
    deep: Any = []
    for _ in range(950):
        deep = [deep]
    for line in (deep, "x" * 5000, {"a": "x" * 5000}, {str(i): i for i in range(500)}):
        assert isinstance(plain(line), str)
        assert len(plain(line)) <= 100


@given(st.text(max_size=300), st.integers(1, 60))
def test_tidied_text_is_tidy(text: str, most: int) -> None:
    kept = tidy(text, most)
    assert len(kept) <= most
    assert all(sign.isprintable() for sign in kept)
    assert kept == kept.strip()
    assert "  " not in kept
    assert tidy(kept, most) == kept
