"""Sheets: what a line is shown as, what counts as a sheet, and which orders stand."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct

from polemos.kernel.errors import IllegalOrder, NotationError
from polemos.kernel.orders import MAX_SHOWN, Fault, Line, Sheet, fault_of, lines_of, shown


class Odd:
    pass


class Move(Struct, frozen=True, tag="move"):
    to: str
    number: int = 1


# ---- shown


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("  bless G9 \t", "bless G9"),
        ("", ""),
        ("a\x00b\x1b[31mc", "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}[31mc"),
        ("one\ntwo", "one\N{REPLACEMENT CHARACTER}two"),
        ("\u202egnp", "\N{REPLACEMENT CHARACTER}gnp"),
        ("\ud800", "\N{REPLACEMENT CHARACTER}"),
        ("Grüße \N{SNOWMAN}", "Grüße \N{SNOWMAN}"),
        (None, "null"),
        (True, "true"),
        (7, "7"),
        ([1, "x"], '[1,"x"]'),
        ({"order": "march"}, '{"order":"march"}'),
        (Move("G9"), '{"type":"move","to":"G9","number":1}'),
    ],
)
def test_a_line_is_shown_as_it_was_handed_in_but_printable(line: object, text: str) -> None:
    assert shown(line) == text


def test_a_long_line_is_cut() -> None:
    assert shown("x" * MAX_SHOWN) == "x" * MAX_SHOWN
    assert shown("x" * (MAX_SHOWN + 1)) == "x" * (MAX_SHOWN - 1) + "…"
    assert len(shown(["abc"] * 1000)) == MAX_SHOWN


def test_what_cannot_be_written_is_shown_by_its_type() -> None:
    nest: list[Any] = []
    for _ in range(100_000):
        nest = [nest]
    assert "Odd" in shown(Odd())
    assert shown(nest) == "(list)"
    assert len(shown({object(): 1})) <= MAX_SHOWN
    assert shown(10**5000) == "(int)"


# ---- lines_of


@pytest.mark.parametrize(
    ("sheet", "lines"),
    [
        ("", []),
        ("bless G9", ["bless G9"]),
        ("bless G9; G5-H4 2 ;", ["bless G9", " G5-H4 2 "]),
        ("a\nb\r\nc\n\n  \n", ["a", "b", "c"]),
        ([], []),
        (["a", {"order": "b"}, None, 3], ["a", {"order": "b"}, None, 3]),
        (("a;b", ""), ["a;b", ""]),
        (range(2), [0, 1]),
    ],
)
def test_a_sheet_is_a_list_or_one_text_with_a_line_for_each_order(sheet: object, lines: list[object]) -> None:
    assert lines_of(sheet) == lines


@pytest.mark.parametrize("sheet", [None, 5, True, 1.5, {}, {"a": 1}, {1, 2}, b"bless G9", bytearray(b"x"), iter(())])
def test_anything_else_is_no_sheet(sheet: object) -> None:
    with pytest.raises(NotationError, match=f"A sheet must be a list of orders, not {type(sheet).__name__}"):
        lines_of(sheet)


# ---- sheets and faults


def test_the_orders_of_a_sheet_are_those_that_stand() -> None:
    fault = Fault(2, "G9", "3.7", "Why not.")
    sheet: Sheet[Move] = Sheet(
        (
            Line("move A1", Move("A1")),
            Line("move G9", Move("G9"), fault),
            Line("nonsense", None, fault),
            Line("odd", None),
        )
    )
    assert sheet.orders == (Move("A1"),)
    assert sheet.faults == (fault, fault)
    assert sheet.texts == ("move A1", "move G9", "nonsense", "odd")


def test_a_fault_says_which_line_which_paragraph_and_why() -> None:
    fault = fault_of(3, {"order": 1}, IllegalOrder("Too far.", rule="3.3"))
    assert fault == Fault(3, '{"order":1}', "3.3", "Too far.", "order/illegal")
    assert fault_of(1, "x", NotationError("No order.")) == Fault(1, "x", "", "No order.", "order/notation")
