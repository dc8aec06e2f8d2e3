"""The parts that every game has: its package, its rule book, its bots, its helpers for authors."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from polemos.kernel.game import BotMaker
    from polemos.kernel.playouts import Playouts

CHAMPION: Final = "champion"  # its place is at the end of `LEVELS`, beside the levels that are cut from it


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


def opponents_of(game: object) -> Mapping[str, str]:
    """The bots that people are offered to play, from easy to strong, and how each plays in a few words.

    A game says so once, as `OPPONENTS` beside its bots. Without that, they are all its bots but the first of several:
    bots are listed from the simplest up, and the first one usually plays at random.
    """
    bots = list(bots_of(game))
    known: Mapping[str, str] = vars(import_module(f"{package_of(game)}.bots")).get("OPPONENTS", {})
    return known or dict.fromkeys(bots[1:] or bots, "")


def levels_of(game: object) -> Mapping[str, BotMaker]:
    """Bots made for people to play, from easy to strong. They are not on ladders, where they would prove nothing."""
    return {name: maker for name, maker in _beside(game).items() if name != CHAMPION}


def champion_of(game: object) -> Mapping[str, BotMaker]:
    """The bot that thinks longest, under its name; not every game has one.

    It plays wherever it is asked for by name, but never by itself, on a ladder or in an exhibition, say: a game of it
    may take a minute of CPU time.
    """
    return {name: maker for name, maker in _beside(game).items() if name == CHAMPION}


def _beside(game: object) -> Mapping[str, BotMaker]:
    found: Mapping[str, BotMaker] = vars(import_module(f"{package_of(game)}.bots")).get("LEVELS", {})
    return found


def built_in(game: object) -> Mapping[str, BotMaker]:
    """All bots that come with the game: its own ones, the levels for people, and its champion."""
    return {**bots_of(game), **_beside(game)}


def playouts_of(game: object) -> Playouts | None:
    """What the game gives to the search; None if it can't be searched."""
    module = f"{package_of(game)}.playouts"
    if find_spec(module) is None:
        return None
    found: Playouts = import_module(module).PLAYOUTS
    return found
