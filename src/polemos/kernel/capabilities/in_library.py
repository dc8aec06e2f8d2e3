"""The rules can be linked into programs in other languages, as a part of `libpolemos`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from polemos.kernel.record import Record


class Library(Struct, frozen=True):
    """The part of a game in `libpolemos`.

    `folder` holds `calls.h`, the functions for users, and `calls.c`, which puts them together from compiled rules.
    Neither knows a rule: both only pass records on. `lookahead.c`, if it is there, is a starter bot that uses them.
    """

    folder: Path
    records: tuple[type[Record], ...]  # declared in the header, with the records they hold
    rules: Mapping[str, Any]  # the compiled rules that `calls.c` uses, by the names it uses
    constants: Mapping[str, int]
    names: Mapping[str, Sequence[str]]  # tables of words


@runtime_checkable
class InLibrary(Protocol):
    @property
    def library(self) -> Library: ...


def constants_in(module: Any) -> dict[str, int]:
    """The whole numbers that a module names in capitals."""
    return {name: value for name, value in vars(module).items() if name.isupper() and type(value) is int}
