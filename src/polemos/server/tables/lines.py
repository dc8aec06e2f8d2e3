"""Lines of sheets from outside, reduced to values that can safely be stored and read again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from polemos.kernel.orders import shown

MAX_LINES: Final = 4096  # on a sheet; no game needs this many
LONGEST: Final = 1000  # bytes in a line
DEEPEST: Final = 4  # an order is an object, and may contain others


def sheet_of(lines: Sequence[Any]) -> list[Any]:
    return [plain(line) for line in lines[:MAX_LINES]]


def plain(line: object) -> Any:
    """A text or an object unchanged; anything that cannot be an order only as the text to show for it.

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


def _depth(line: object, limit: int = DEEPEST) -> int:
    """How deeply it is nested, counted up to just above `limit`."""
    if limit < 0 or not isinstance(line, dict | list):
        return 0
    inner = line.values() if isinstance(line, dict) else line
    return 1 + max((_depth(part, limit - 1) for part in inner), default=0)
