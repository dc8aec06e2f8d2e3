"""A person at the terminal, playing a seat like a bot."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from polemos.kernel.capabilities.pictures import text_of
from polemos.pictures import screen


class Person:
    """Shows the position and reads one order per line, until the sheet is filed."""

    def __init__(self, game: Any, setting: Any, seat: str) -> None:
        self._game, self._setting, self._seat = game, setting, seat

    def orders(self, view: Any, time_left: float, /) -> Sequence[object]:
        out = sys.stderr
        print(screen.fit(out, lambda: text_of(self._game, self._setting, view, out.isatty())), file=out)
        print(
            f"{self._seat}, turn {view.turn}: type one order per line, then `done`. `? TEXT` lists legal orders.",
            file=out,
        )
        lines: list[object] = []
        with suppress(EOFError):  # the end of input files the lines so far
            while (line := input().strip()) != "done":
                if not line:
                    print(f"File {len(lines)} line{'s' * (len(lines) != 1)}? (y/n) ", file=out, end="", flush=True)
                    if input().strip().lower() in ("y", "yes"):
                        break
                elif line.startswith("?"):
                    self._show(view, line[1:].strip())
                else:
                    lines.append(line)
        return lines

    def _show(self, view: Any, start: str) -> None:
        found = [
            option
            for option in self._game.options(self._setting, view)
            if option.text.lower().startswith(start.lower())
        ]
        for option in found:
            print(f"  {option.text}" + (f" to {option.most}" if option.most else ""), file=sys.stderr)
        if not found:
            print(f"No legal order begins with {start!r}." if start else "You have no legal orders.", file=sys.stderr)
