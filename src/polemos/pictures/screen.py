"""The screen that a text is for: how wide it is, and what to do with rows that are wider. Knows no game."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Final, TextIO

from polemos.pictures import terminal

MIN_COLUMNS: Final = 20
_PAINT: Final = re.compile(r"\x1b\[[0-9;]*m")


def columns(stream: TextIO) -> int | None:
    """The width of the screen that a stream goes to; None where there is none, such as in a file."""
    said = os.environ.get("COLUMNS", "")
    if said.isascii() and said.isdecimal() and 0 < int(said) < 10_000:
        return max(MIN_COLUMNS, int(said))
    try:
        return max(MIN_COLUMNS, os.get_terminal_size(stream.fileno()).columns) if stream.isatty() else None
    except (OSError, ValueError):
        return None


def fit(stream: TextIO, make: Callable[[], str]) -> str:
    """The text that `make` makes for this screen; what does not fit is cut, and said."""
    wide = columns(stream)
    with terminal.fitted(wide):
        text = make()
    return text if wide is None else cut(text, wide)


def cut(text: str, wide: int) -> str:
    """The text with what is beyond the edge cut off, and a line that says so: rows that wrap are noise.

    >>> print(cut("a row of a board\\nanother", 10))
    a row of …
    another
    This board needs a screen of 16 columns; yours has 10.
    """
    lines = text.split("\n")
    needed = max(len(_PAINT.sub("", line)) for line in lines)
    if needed <= wide:
        return text
    note = f"This board needs a screen of {needed} columns; yours has {wide}."
    return "\n".join([*(_cut_line(line, wide) for line in lines), note])


def _cut_line(line: str, wide: int) -> str:
    if len(_PAINT.sub("", line)) <= wide:
        return line
    kept, used, painted = "", 0, False
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if _PAINT.fullmatch(part):
            kept, painted = kept + part, not part.endswith("[0m")
        else:
            kept += part[: wide - 1 - used]
            used = min(wide - 1, used + len(part))
    return f"{kept}\x1b[0m…" if painted else f"{kept}…"
