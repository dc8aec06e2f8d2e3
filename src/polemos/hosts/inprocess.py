"""Bots in this process: ours by name, others as `file.py:name`."""

from __future__ import annotations

import importlib.util
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from polemos.kernel.errors import BotFault
from polemos.kernel.game import BotMaker


def maker(game: Any, spec: str) -> BotMaker:
    """The maker of a bot. Only trusted files: they run with all rights of this process."""
    if ".py:" in spec:
        return _from_file(spec)
    bots = game.bots
    if spec in bots:
        return bots[spec]  # type: ignore[no-any-return]
    near = get_close_matches(spec, bots, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise BotFault(f"{game.title} has no bot {spec[:60]!r}. Bots: {', '.join(bots)}, or file.py:name.{hint}")


def _from_file(spec: str) -> BotMaker:
    file, _, name = spec.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise BotFault(f"There is no file {file}.")
    module_spec = importlib.util.spec_from_file_location(f"polemos_bot_{path.stem}", path)
    assert module_spec is not None
    assert module_spec.loader is not None
    module = importlib.util.module_from_spec(module_spec)
    try:
        module_spec.loader.exec_module(module)
    except Exception as error:  # a bot's file may raise anything when it is loaded
        raise BotFault(f"{file} cannot be loaded: {type(error).__name__}: {error}") from None
    found = getattr(module, name, None)
    if not callable(found):
        raise BotFault(f"{file} has no bot {name!r}: a class or function of (setting, seat, seed) is wanted.")
    return found  # type: ignore[no-any-return]
