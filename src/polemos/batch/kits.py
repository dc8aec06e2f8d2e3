"""The compiled side of a game's batches, found in the game's `spaces.py` and compiled before threads want it."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from polemos.kernel import batching, cache
from polemos.kernel.batching import Kit
from polemos.kernel.errors import NoSimulation
from polemos.kernel.game import AnyGame
from polemos.kernel.mode import INTERPRETED
from polemos.kernel.rooms import package_of
from polemos.kernel.rule import signature

_STAMP = "batches"


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
    """Compiles what a batch calls, or loads it; says so where that takes a while."""
    if INTERPRETED:
        return
    folder = cache.folder_for(f"{package_of(game)}.spaces")
    stamp = None if folder is None else folder / _STAMP
    if stamp is None or not stamp.exists():
        print(f"polemos: compiling batches of {game.title}, up to a minute, once for this version", file=sys.stderr)
    for entry in _entries(kit):
        if not entry.signatures:
            entry.compile(signature(entry.py_func))
    if stamp is not None:
        cache.touch(stamp)


def _entries(kit: Kit) -> tuple[Any, ...]:
    return (
        batching.sow, kit.start_many, kit.step_many, kit.play_many, kit.give_many, kit.look_many, kit.observe_many,
        kit.act_many,
    )  # fmt: skip
