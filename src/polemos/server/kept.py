"""Frames as they were sent, kept for the next who asks: many people open the record of the same match."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import Final

from msgspec import Raw

from polemos.server.tables.table import Table
from polemos.wire import frames

MAX_BYTES: Final = 32 << 20
SPELL: Final = 0.01  # seconds of building frames, after which others have their turn

_Key = tuple[str, int, int, str, tuple[bool, ...]]


class KeptFrames:
    """The frames that were asked for last. Threads share it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, Raw] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def some(self, table: Table, who: str, numbers: range, how: tuple[bool, ...]) -> list[Raw]:
        """The first of these frames, as many as can be built quickly; at least one. `how`: packed, pictured, small."""
        until = time.perf_counter() + SPELL
        found: list[Raw] = []
        for number in numbers:
            found.append(self._frame(table, who, number, how))
            if time.perf_counter() > until:
                break
        return found

    def _frame(self, table: Table, who: str, number: int, how: tuple[bool, ...]) -> Raw:
        # The difference changes whenever a turn is taken back, and other frames get the same numbers.
        key = (table.id, table.positions - len(table.match.steps), number, who, how)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = frames.written_frame(table.match, number, who, *how)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = made
                self._bytes += len(bytes(made))
            while self._bytes > MAX_BYTES:
                self._bytes -= len(bytes(self._kept.popitem(last=False)[1]))
        return made
