"""Records: layout, what is refused, saving, batches, and strictness when interpreted."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from polemos.kernel.mode import INTERPRETED
from polemos.kernel.record import Array, Record, i8, i16, i32, i64, many, size, table, u64


class Coin(Record):
    side: i8
    worth: i16


class Purse(Record):
    open: bool
    gold: i32
    key: u64
    grid: Array[Array[i16]] = size(2, 3)
    coins: Array[Coin] = size(3)
    best: Coin


class Other(Record):
    up: i8
    down: i16


class Scroll(Record):
    """A record of which only a part is in use."""

    used: i16
    words: Array[i8] = size(10)

    def extent(self) -> int:
        return 2 + self.used


def purse() -> Purse:
    full = Purse(open=True, gold=-7, key=2**64 - 1)
    full.grid[1][2] = 300
    full.coins[2].worth = -5
    full.best.side = 1
    return full


# ---- layout


def test_a_record_begins_zeroed() -> None:
    assert not any(Purse().raw())
    assert Purse().to_dict() == {
        "open": False,
        "gold": 0,
        "key": 0,
        "grid": [[0, 0, 0], [0, 0, 0]],
        "coins": [{"side": 0, "worth": 0}] * 3,
        "best": {"side": 0, "worth": 0},
    }


def test_the_array_type_is_derived_from_the_annotations() -> None:
    assert Coin.dtype == np.dtype({"names": ["side", "worth"], "formats": ["i1", "<i2"], "offsets": [0, 2]})
    assert Purse.dtype.names == ("open", "gold", "key", "grid", "coins", "best")
    assert Purse.dtype["grid"].shape == (2,)
    assert Purse.dtype.itemsize == len(Purse().raw())


def test_arrays_know_their_length_and_refuse_what_lies_beyond() -> None:
    full = purse()
    assert len(full.grid) == 2
    assert len(full.grid[0]) == 3
    assert list(full.grid[1]) == [0, 0, 300]
    with pytest.raises(IndexError):
        full.grid[2]
    with pytest.raises(IndexError):
        full.coins[3] = Coin()


LAYOUT: Any = type(Record)


def define(name: str, hint: Any, value: Any = None) -> Any:
    """A record class with one field."""
    body = {"__annotations__": {name: hint}, "__module__": __name__}
    return LAYOUT("Bad", (Record,), body if value is None else {**body, name: value})


def test_arrays_of_bool_are_refused_because_they_do_not_compile() -> None:
    with pytest.raises(TypeError, match=r"Bad\.flags: arrays of bool do not compile, use i8"):
        define("flags", Array[bool], size(3))
    with pytest.raises(TypeError, match="arrays of bool"):
        define("flags", Array[Array[bool]], size(3, 2))
    assert define("flag", bool).dtype.names == ("flag",)


@pytest.mark.parametrize("hint", [int, str, float, list, Any, list[int], object, None], ids=str)
def test_types_without_a_fixed_size_are_refused(hint: Any) -> None:
    with pytest.raises(TypeError, match=r"Bad\.field"):
        define("field", hint)


@pytest.mark.parametrize(
    "name",
    ["copy", "raw", "digest", "data", "dtype", "extent", "from_raw", "to_dict", "from_dict", "from_buffer", "_fields_"],
)
def test_names_that_records_use_themselves_are_refused(name: str) -> None:
    with pytest.raises(TypeError, match="the name is taken by Record"):
        define(name, i8)


def test_a_record_of_a_record_is_refused_or_has_all_fields() -> None:
    """What must not be: a class whose dictionary leaves out the fields of its parent."""
    try:
        heir: Any = LAYOUT("Heir", (Coin,), {"__annotations__": {"extra": i64}, "__module__": __name__})
    except TypeError:
        return
    assert set(heir().to_dict()) == {"side", "worth", "extra"}
    assert heir.dtype.itemsize == len(heir().raw())


def test_a_misspelt_field_raises() -> None:
    full: Any = purse()
    with pytest.raises(AttributeError):
        full.golf = 1
    with pytest.raises(AttributeError):
        _ = full.golf
    with pytest.raises(AttributeError):
        full.coins[0].wort = 1
    with pytest.raises(AttributeError):
        Purse(golf=1)


def test_a_fraction_fits_no_field() -> None:
    full: Any = purse()
    with pytest.raises(TypeError):
        full.gold = 1.5
    with pytest.raises(TypeError):
        full.grid[0][0] = 0.5


# ---- keeping


def test_a_copy_is_equal_and_independent() -> None:
    full = purse()
    other = full.copy()
    assert other == full
    other.coins[2].worth = 1
    assert other != full
    assert full.coins[2].worth == -5


def test_the_digest_is_that_of_the_raw_bytes() -> None:
    full = purse()
    assert full.digest() == hashlib.blake2b(full.raw(), digest_size=16).hexdigest()
    assert len(full.digest()) == 32
    assert full.digest() != Purse().digest()


def test_equality_asks_for_the_same_class_and_the_same_bytes() -> None:
    assert Coin(side=1) == Coin(side=1)
    assert Coin(side=1) != Coin(side=2)
    assert Coin().raw() == Other().raw()
    assert Coin() != Other()
    assert Coin() != Coin().raw()
    with pytest.raises(TypeError):
        hash(Coin())


def test_raw_bytes_make_the_record_again_and_missing_ones_are_zero() -> None:
    full = purse()
    assert Purse.from_raw(full.raw()) == full
    assert Purse.from_raw(b"") == Purse()
    assert Coin.from_raw(b"\x01") == Coin(side=1)
    with pytest.raises(ValueError, match=r"Coin has 4 bytes, got 5"):
        Coin.from_raw(bytes(5))


def test_only_the_bytes_in_use_count() -> None:
    scroll = Scroll(used=3)
    scroll.words[0] = 1
    other = scroll.copy()
    other.words[5] = 9  # beyond what is in use
    assert len(scroll.raw()) == 5
    assert other == scroll
    assert other.digest() == scroll.digest()
    assert Scroll.from_raw(other.raw()).words[5] == 0


def test_a_dictionary_makes_the_record_again() -> None:
    full = purse()
    assert Purse.from_dict(full.to_dict()) == full
    assert full.to_dict()["coins"][2] == {"side": 0, "worth": -5}
    assert full.to_dict()["key"] == 2**64 - 1


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "too large": ({"gold": 2**31}, r"Purse\.gold: 2147483648 does not fit"),
    "too small": ({"gold": -(2**31) - 1}, r"does not fit"),
    "negative key": ({"key": -1}, r"Purse\.key: -1 does not fit"),
    "key too large": ({"key": 2**64}, r"does not fit"),
    "bool for a number": ({"gold": True}, r"Purse\.gold: expected int, got True"),
    "number for a bool": ({"open": 1}, r"Purse\.open: expected bool, got 1"),
    "fraction": ({"gold": 1.0}, r"expected int"),
    "text": ({"gold": "1"}, r"expected int"),
    "nothing": ({"gold": None}, r"expected int"),
    "too long": ({"grid": [[0, 0, 0]] * 3}, r"Purse\.grid: expected a list of 2 values"),
    "too short inside": ({"grid": [[0, 0, 0], [0, 0]]}, r"Purse\.grid\[1\]: expected a list of 3 values"),
    "text for a list": ({"coins": "abc"}, r"Purse\.coins: expected a list of 3 values"),
    "too large inside": ({"grid": [[0, 0, 0], [0, 2**15, 0]]}, r"32768 does not fit"),
    "unknown inside": ({"best": {"side": 0, "worth": 0, "age": 1}}, r"Purse\.best: .*unknown: age"),
    "missing inside": ({"coins": [{"side": 0, "worth": 0}] * 2 + [{"side": 0}]}, r"Purse\.coins\[2\]: .*worth"),
    "list for a record": ({"best": [0, 0]}, r"Purse\.best: expected an object with fields, got list"),
    "unknown": ({"silver": 1}, r"Purse: fields missing or unknown: silver"),
}


@pytest.mark.parametrize(("change", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_a_dictionary_that_does_not_fit_is_refused(change: dict[str, Any], why: str) -> None:
    with pytest.raises((ValueError, OverflowError), match=why):
        Purse.from_dict({**purse().to_dict(), **change})


def test_a_dictionary_without_a_field_or_none_at_all_is_refused() -> None:
    fields = purse().to_dict()
    del fields["gold"]
    with pytest.raises(ValueError, match="fields missing or unknown: gold"):
        Purse.from_dict(fields)
    wrong: Any = [1, 2]
    with pytest.raises(ValueError, match="expected an object with fields, got list"):
        Purse.from_dict(wrong)


# ---- many


def test_a_batch_is_zeroed_and_its_records_are_windows_into_it() -> None:
    coins = many(Coin, 5)
    assert len(coins) == 5
    window = coins[2]
    assert isinstance(window, Coin)
    window.worth = 77
    assert coins[2].worth == 77
    assert coins.numbers()["worth"].tolist() == [0, 0, 77, 0, 0]
    coins.numbers()["worth"][4] = 5
    assert coins[-1].worth == 5


def test_assigning_copies_the_record_into_the_batch() -> None:
    coins, coin = many(Coin, 3), Coin(side=1, worth=9)
    coins[1] = coin
    coin.worth = 1
    assert coins[1] == Coin(side=1, worth=9)
    coins[-1] = coins[1]
    assert coins[2].worth == 9
    coins[1].worth = 4
    assert coins[2].worth == 9


def test_a_part_shares_memory_with_its_batch() -> None:
    coins = many(Coin, 6)
    part = coins.part(2, 5)
    assert len(part) == 3
    part[0].worth = 3
    part[2] = Coin(side=1)
    assert coins[2].worth == 3
    assert coins[4].side == 1
    assert part.part(1, 3)[1].side == 1
    assert len(coins.part(6, 6)) == 0


def test_a_batch_keeps_a_window_alive() -> None:
    window = many(Coin, 2)[1]
    window.worth = 8
    assert window.worth == 8


@pytest.mark.parametrize("index", [3, -4, 100])
def test_an_index_outside_the_batch_raises_an_index_error(index: int) -> None:
    coins = many(Coin, 3)
    with pytest.raises(IndexError):
        coins[index] = Coin()
    with pytest.raises(IndexError):
        coins[index]


def test_a_batch_refuses_a_record_of_another_class() -> None:
    coins: Any = many(Coin, 3)
    for wrong in (purse(), Other(up=1, down=2)):
        with pytest.raises(TypeError):
            coins[0] = wrong
    assert coins[0] == Coin()


# ---- tables


def test_a_table_reads_the_same_by_row_and_column() -> None:
    rows = table([[1, -2, 300], [4, 5, 6]])
    assert [[rows[i][j] for j in range(3)] for i in range(2)] == [[1, -2, 300], [4, 5, 6]]


@pytest.mark.skipif(INTERPRETED, reason="tables are tuples then")
@pytest.mark.parametrize(("most", "kind"), [(127, "int8"), (128, "int16"), (32768, "int32"), (2**31, "int64")])
def test_a_table_is_as_narrow_as_its_largest_number_allows(most: int, kind: str) -> None:
    array: Any = table([[0, most]])
    assert array.dtype == kind
    assert array[0][1] == most


# ---- strictness of interpreted rules

STRICT = """
from polemos.kernel.record import Array, Record, i8, i16, size

class Row(Record):
    small: i8
    cells: Array[i8] = size(3)
    grid: Array[Array[i16]] = size(2, 2)

def refused(error, act):
    try:
        act()
    except error:
        return
    raise AssertionError("accepted")

row = Row()
refused(IndexError, lambda: row.cells[-1])
refused(IndexError, lambda: row.cells[3])
refused(IndexError, lambda: row.grid[0][-1])
refused(IndexError, lambda: row.grid.__getitem__(-1))
refused(IndexError, lambda: row.cells.__setitem__(-1, 0))
refused(IndexError, lambda: row.grid[1].__setitem__(2, 0))
refused(OverflowError, lambda: row.cells.__setitem__(0, 128))
refused(OverflowError, lambda: row.grid[0].__setitem__(0, -40000))
refused(OverflowError, lambda: setattr(row, "small", -129))
refused(OverflowError, lambda: Row(small=200))
row = Row()
row.cells[2], row.grid[1][1], row.small = 127, -32768, -128
assert row.to_dict() == {"small": -128, "cells": [0, 0, 127], "grid": [[0, 0], [0, -32768]]}
assert Row.from_dict(row.to_dict()) == row
for value in (128, -129):
    refused((ValueError, OverflowError), lambda: Row.from_dict({**row.to_dict(), "small": value}))
print("strict")
"""


def test_records_are_strict_when_rules_run_interpreted() -> None:
    result = subprocess.run(
        [sys.executable, "-c", STRICT],
        env={**os.environ, "POLEMOS_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout == "strict\n", result.stderr
