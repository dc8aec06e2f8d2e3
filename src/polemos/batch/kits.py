"""The compiled side of a game's batches, found in the game's `spaces.py` and compiled before threads want it."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from polemos.kernel import batching, cache
from polemos.kernel.batching import Kit
from polemos.kernel.errors import NoSimulation
from polemos.kernel.game import AnyGame
from polemos.kernel.mode import INTERPRETED
from polemos.kernel.rooms import package_of
from polemos.kernel.rule import signature

_STAMP = "batches"
_SCRIPTS = "scripts"


def kit_of(game: AnyGame) -> Kit:
    """The rules that a batch of this game calls."""
    module = f"{package_of(game)}.spaces"
    try:
        kit: Kit = import_module(module).KIT
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise NoSimulation(f"{game.title} cannot be played in batches: it has no `spaces.py`.") from None
    return kit


def compile_all(game: AnyGame, kit: Kit) -> None:
    """Compiles what a batch calls without scripts, or loads it; says so where that takes a while."""
    _compile(game, f"batches of {game.title}", _stamp(game, _STAMP), _entries(kit))


def compile_scripts(game: AnyGame, kit: Kit) -> None:
    """The same for what it calls where scripts play. They are compiled when somebody asks for one."""
    _compile(game, f"the scripts of {game.title}", _stamp(game, _SCRIPTS), (kit.scripted_many,))


def is_compiled(game: AnyGame) -> bool:
    """True if an earlier run left all compiled code of this version in the cache."""
    return all(_is_there(_stamp(game, name)) for name in (_STAMP, _SCRIPTS))


def _compile(game: AnyGame, what: str, stamp: Path | None, entries: tuple[Any, ...]) -> None:
    if INTERPRETED:
        return
    if not _is_there(stamp):
        print(f"polemos: compiling {what}, up to a minute, once for this version", file=sys.stderr)
    for entry in entries:
        if not entry.signatures:
            entry.compile(signature(entry.py_func))
    if stamp is not None:
        cache.touch(stamp)


def _is_there(stamp: Path | None) -> bool:
    return stamp is not None and stamp.exists()


def _stamp(game: AnyGame, name: str) -> Path | None:
    folder = cache.folder_for(f"{package_of(game)}.spaces")
    return None if folder is None else folder / name


def _entries(kit: Kit) -> tuple[Any, ...]:
    return (
        batching.sow, kit.start_many, kit.step_many, kit.random_many, kit.give_many, kit.look_many, kit.observe_many,
        kit.act_many,
    )  # fmt: skip
