"""The parts that every game has: its package, its rule book, its bots, its helpers for authors."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polemos.kernel.game import BotMaker


def package_of(game: object) -> str:
    """The package of a game's adapter."""
    return type(game).__module__.rpartition(".")[0]


def book_of(game: object) -> Path:
    """The folder of the rule book."""
    here = sys.modules[type(game).__module__].__file__
    assert here is not None
    return Path(here).parent / "book"


def helpers_of(game: object) -> Path:
    """The folder with helpers for authors of bots, a file for each language; not every game has one."""
    return book_of(game).parent / "helpers"


def bots_of(game: object) -> Mapping[str, BotMaker]:
    """The game's own bots, by name."""
    found: Mapping[str, BotMaker] = import_module(f"{package_of(game)}.bots").BOTS
    return found
