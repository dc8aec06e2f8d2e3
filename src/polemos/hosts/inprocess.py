"""Bots in this process: ours by name, others as `file.py:Name`."""

from __future__ import annotations

import importlib.util
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from polemos.kernel.errors import BotFault
from polemos.kernel.game import Bot, BotMaker
from polemos.kernel.orders import shown
from polemos.kernel.rooms import built_in


def require_trust(spec: str, trust: bool) -> None:
    """Raises a BotFault for a class in a file without --trust, because loading it would run it."""
    if ".py:" in spec and not trust:
        raise BotFault(f"{spec[:60]!r} runs inside Polemos with your permissions. Add --trust if you trust it.")


def maker(game: Any, spec: str) -> BotMaker:
    """The factory for a bot. For trusted files only: they run with the permissions of this process."""
    if ".py:" in spec:
        return _from_file(spec)
    bots = built_in(game)
    if spec in bots:
        return bots[spec]
    near = get_close_matches(spec, bots, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise BotFault(
        f"{game.title} has no bot called {spec[:60]!r}.{hint} Choose one of {', '.join(bots)}, or file.py:Name."
    )


def make(game: Any, spec: str, setting: Any, seat: str, seed: int) -> Bot[Any]:
    """A bot for one match. If it cannot be created, it fails whenever it is asked for orders."""
    try:
        return maker(game, spec)(setting, seat, seed)
    except (BotFault, KeyboardInterrupt):
        raise
    except BaseException as error:  # anything a bot raises is the bot's fault
        return _Unmade(error)


class _Unmade:
    def __init__(self, error: BaseException) -> None:
        self._error = error

    def orders(self, view: Any, time_left: float, /) -> list[object]:
        raise self._error


def _from_file(spec: str) -> BotMaker:
    file, _, name = spec.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise BotFault(f"There is no file {file}.")
    module_spec = importlib.util.spec_from_file_location(f"polemos_bot_{path.stem}", path)
    assert module_spec is not None
    assert module_spec.loader is not None
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[module_spec.name] = module  # dataclasses look up their module there
    if (folder := str(path.parent.resolve())) not in sys.path:
        sys.path.append(folder)  # for modules next to the bot
    try:
        module_spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # loading a bot's file may raise anything
        raise BotFault(f"{file} cannot be loaded: {type(error).__name__}: {shown(str(error))}") from None
    found = vars(module).get(name)
    if not callable(found):
        raise BotFault(
            f"{file} has no bot called {name!r}. It needs a class or function that takes (setting, seat, seed)."
        )
    return found  # type: ignore[no-any-return]
