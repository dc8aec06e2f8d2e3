"""A person at the terminal in the seat of a bot."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from polemos.kernel.capabilities.pictures import text_of


class Person:
    """Shows the position and reads one order a line; an empty line hands the sheet in."""

    def __init__(self, game: Any, setting: Any, seat: str) -> None:
        self._game, self._setting, self._seat = game, setting, seat

    def orders(self, view: Any, time_left: float, /) -> Sequence[object]:
        out = sys.stderr
        print(text_of(self._game, self._setting, view, out.isatty()), file=out)
        print(
            f"{self._seat}, turn {view.turn}: one order a line, an empty line hands in, ? TEXT lists options.", file=out
        )
        lines: list[object] = []
        for line in iter(self._line, ""):
            if line.startswith("?"):
                self._show(view, line[1:].strip())
            else:
                lines.append(line)
        return lines

    @staticmethod
    def _line() -> str:
        try:
            return input().strip()
        except EOFError:
            return ""

    def _show(self, view: Any, start: str) -> None:
        for option in self._game.options(self._setting, view):
            if option.text.lower().startswith(start.lower()):
                print(f"  {option.text}" + (f" to {option.most}" if option.most else ""), file=sys.stderr)
