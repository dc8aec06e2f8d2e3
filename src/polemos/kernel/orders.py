"""Sheets of orders: what was handed in, how it was read, and what is void."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from polemos.kernel.errors import NotationError, OrderError

O = TypeVar("O", bound=Struct)  # noqa: E741 - an order of the game


class Fault(Struct, frozen=True):
    """Why a line is void: the paragraph, and what would have been lawful."""

    line: int  # number of the line on its sheet, from 1
    order: str  # as it was handed in
    rule: str
    why: str
    word: str = "order/illegal"


class Line(Struct, Generic[O], frozen=True):
    """One line of a sheet: the text as handed in, the order it means (None: unreadable), and its fault, if any."""

    text: str
    order: O | None
    fault: Fault | None = None


class Sheet(Struct, Generic[O], frozen=True):
    """What one seat hands in for one step."""

    lines: tuple[Line[O], ...] = ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(line.fault for line in self.lines if line.fault is not None)

    @property
    def orders(self) -> tuple[O, ...]:
        """The orders that stand."""
        return tuple(line.order for line in self.lines if line.fault is None and line.order is not None)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(line.text for line in self.lines)


MOST_SHOWN = 80  # characters of a line that are repeated in messages


def shown(line: object) -> str:
    """A line as handed in, for messages and files: printable, and not too long."""
    if isinstance(line, str):
        text = line
    else:
        try:
            text = msgspec.json.encode(line).decode()
        except (TypeError, ValueError, RecursionError, OverflowError):
            text = repr(type(line))
    text = "".join(ch if ch.isprintable() else "�" for ch in text.strip())
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"


def fault_of(number: int, line: object, error: OrderError) -> Fault:
    """The fault that an error means for this line."""
    return Fault(number, shown(line), error.rule or "", error.why, error.word)


def lines_of(sheet: object) -> list[object]:
    """The lines of a sheet that came from outside: a list of texts or objects, or one text with a line per order."""
    if isinstance(sheet, str):
        return [line for part in sheet.splitlines() for line in part.split(";") if line.strip()]
    if isinstance(sheet, Sequence) and not isinstance(sheet, bytes | bytearray):
        return list(sheet)
    raise NotationError(f"A sheet is a list of orders, not {type(sheet).__name__}.")


def decode(line: Any, kind: Any, rule: str, example: str) -> Any:
    """An order handed in as an object, checked against its type."""
    try:
        return msgspec.convert(line, kind)
    except msgspec.ValidationError as error:
        raise NotationError(f"{error}. An order reads like {example}.", rule=rule) from None
