"""Observations and numbered orders for programs that learn: how a game lays them out, in words and in bytes.

A game's `spaces.py` fills two records for a seat, from its sight and its draft alone. An observation is a few arrays
of small whole numbers. Limits have an entry for each numbered order: how many units it may have, 0 where it is not
lawful.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from polemos.kernel.record import Record


class Part(Struct, frozen=True):
    """One array of an observation; `axis` says what the entries of its last axis mean."""

    name: str
    shape: tuple[int, ...]
    axis: tuple[str, ...]
    field: str  # of the record; its first entries are in use


class Layout(Struct, frozen=True):
    """How a match lays out observations and orders. Matches with other maps may have other shapes."""

    parts: tuple[Part, ...]
    numbers: int  # orders 0 to numbers - 1; 0 files the sheet
    amounts: bool  # whether orders have a number of units; where they do not, every limit is 0 or 1


def extent_of(record: type[Record], field: str, count: int) -> int:
    """The bytes of a record up to so many entries of its last array."""
    kind, offset = field_of(record.dtype, field)
    return offset + count * int(kind.itemsize)


def field_of(layout: np.dtype[Any], field: str) -> tuple[Any, int]:
    """The kind of number in a field, and where it begins."""
    kind, offset = layout.fields[field][:2]  # type: ignore[index]
    return kind.base, offset
