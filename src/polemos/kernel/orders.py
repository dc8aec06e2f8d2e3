"""Sheets of orders: the lines as written, the orders read from them, and their faults."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from polemos.kernel.errors import NotationError, OrderError

O = TypeVar("O", bound=Struct)  # noqa: E741 - an order of the game


class Fault(Struct, frozen=True):
    """Why a line is void: the paragraph that forbids it, and what would be legal."""

    line: int  # line number on its sheet, from 1
    order: str  # as written
    rule: str
    why: str
    word: str = "order/illegal"


class Line(Struct, Generic[O], frozen=True):
    """One line of a sheet: the text as written, the order it means (None: unreadable), and its fault, if any."""

    text: str
    order: O | None
    fault: Fault | None = None


MAX_VOID = 20  # void lines of a sheet that records keep and messages tell; of more they say how many there were


class Sheet(Struct, Generic[O], frozen=True):
    """The lines that one seat files for one step."""

    lines: tuple[Line[O], ...] = ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(line.fault for line in self.lines if line.fault is not None)

    @property
    def orders(self) -> tuple[O, ...]:
        """The orders that are not void."""
        return tuple(line.order for line in self.lines if line.fault is None and line.order is not None)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(line.text for line in self.lines)

    @property
    def record(self) -> tuple[str, ...]:
        """The lines as a record keeps them: of unreadable ones the first few, and nothing of the others.

        They keep their places. What can be read stays, also if it is void: it may be what makes another line void.
        """
        nonsense = [number for number, line in enumerate(self.lines) if line.order is None]
        if len(nonsense) <= MAX_VOID:
            return self.texts
        emptied = set(nonsense[MAX_VOID:])
        return tuple("" if number in emptied else line.text for number, line in enumerate(self.lines))


MAX_SHOWN = 80  # characters of a line that messages quote


def printable(text: str) -> str:
    """The text without signs that would move the cursor or worse."""
    return "".join(ch if ch.isprintable() else "�" for ch in text)


def shown(line: object) -> str:
    """A line as written, for messages and files: printable, and not too long."""
    if isinstance(line, str):
        text = line
    else:
        try:
            text = msgspec.json.encode(line).decode()
        except Exception:  # a foreign object may raise anything; then it has no text
            text = f"({type(line).__name__})"
    text = printable(text.strip())
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


def fault_of(number: int, line: object, error: OrderError) -> Fault:
    """The fault that an error means for this line."""
    return Fault(number, shown(line), error.rule or "", error.why, error.word)


MAX_READ = 1000  # lines of a sheet that are read, unless a game reads more


def lines_of(sheet: object, limit: int = MAX_READ) -> list[object]:
    """The lines of a sheet from outside: a list of texts or objects, or one text with a line per order.

    From a longer sheet, takes the first `limit` lines and one more that stands for the rest.
    """
    if isinstance(sheet, str):
        parts = (part for line in sheet.splitlines() for part in line.split(";") if part.strip())
        return list(islice(parts, limit + 1))
    if isinstance(sheet, Sequence) and not isinstance(sheet, bytes | bytearray):
        return list(islice(sheet, limit + 1))
    raise NotationError(f"A sheet must be a list of orders, not {type(sheet).__name__}.")
