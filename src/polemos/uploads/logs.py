"""Logs of programs that may write without end: the beginning and the end are kept, and one line is found in it."""

from __future__ import annotations

import re
from typing import Final

from polemos.kernel.tame import readable
from polemos.uploads.refusals import LogLine

KEPT: Final = 64 << 10  # bytes of the beginning, and as many of the end
MAX_LINE: Final = 1000  # characters
AROUND: Final = 4  # lines before the cause, and after it
_COLOURS: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


class Log:
    """What a program wrote, within limits."""

    def __init__(self) -> None:
        self.written = 0  # bytes
        self._head, self._tail = bytearray(), bytearray()

    def add(self, chunk: bytes) -> None:
        self.written += len(chunk)
        room = KEPT - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:] if room > 0 else chunk
        if len(self._tail) > 4 * KEPT:
            del self._tail[:-KEPT]

    def text(self) -> str:
        """The log with a note in the middle if something is missing there."""
        tail = self._tail[-KEPT:]
        missing = self.written - len(self._head) - len(tail)
        if not missing:
            return plain(bytes(self._head + tail))
        return f"{plain(bytes(self._head))}\n[{missing:,} bytes left out]\n{plain(bytes(tail))}"


def plain(raw: bytes) -> str:
    """A log as text that shows what it says: no colours, no control characters, no endless lines.

    >>> plain(b"\\x1b[31mbad\\x1b[0m news\\r\\nend\\x07")
    'bad news\\nend '
    """
    text = _COLOURS.sub("", raw.decode(errors="replace"))
    return "\n".join(_cut(readable(line)) for line in text.replace("\r\n", "\n").split("\n"))


def _cut(line: str) -> str:
    return line if len(line) <= MAX_LINE else line[: MAX_LINE - 1] + "…"


def around(log: str, line: str) -> tuple[LogLine, ...]:
    """The lines of a log around the one that says why, numbered from 1; the last ones if it isn't found."""
    lines = log.rstrip("\n").split("\n") if log.strip() else []
    key = re.sub(r" \([^()]*\)$|…$", "", line).strip()[:120]
    at = max((number for number, text in enumerate(lines) if key and key in text), default=None)
    if at is None and (rest := key.partition(": ")[2]):  # two lines of the log in one
        at = max((number for number, text in enumerate(lines) if rest in text), default=None)
    middle = len(lines) - 1 if at is None else at
    shown = range(max(0, middle - AROUND), min(len(lines), middle + AROUND + 1))
    return tuple(LogLine(number + 1, lines[number], number == at) for number in shown)
