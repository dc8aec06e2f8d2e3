"""Lines of sheets as they came from outside, cut to what can be stored and read again whatever they hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from polemos.kernel.orders import shown

MAX_LINES: Final = 4096  # of a sheet; no game has a use for as many
LONGEST: Final = 1000  # bytes of a line
DEEPEST: Final = 4  # an order is an object, and may hold some


def sheet_of(lines: Sequence[Any]) -> list[Any]:
    return [plain(line) for line in lines[:MAX_LINES]]


def plain(line: object) -> Any:
    """A text or an object as it is; anything that no order can be, only as it will be shown.

    >>> plain({"order": "bless", "hex": "H4"})
    {'order': 'bless', 'hex': 'H4'}
    >>> plain([[[[[[]]]]]])
    '[[[[[[]]]]]]'
    """
    if isinstance(line, str):
        return line if len(line) <= LONGEST else shown(line)
    try:
        fits = _depth(line) <= DEEPEST and len(msgspec.json.encode(line)) <= LONGEST
    except (TypeError, ValueError, RecursionError, OverflowError):
        fits = False
    return line if fits else shown(line)


def _depth(line: object, most: int = DEEPEST) -> int:
    """How deep it is nested; more than `most` is not counted."""
    if most < 0 or not isinstance(line, dict | list):
        return 0
    inner = line.values() if isinstance(line, dict) else line
    return 1 + max((_depth(part, most - 1) for part in inner), default=0)
