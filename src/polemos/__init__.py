"""Polemos: an umpire for games of war.

    >>> import polemos
    >>> match = polemos.Match(polemos.load("monarchs"), seed=7)
    >>> sheet = match.submit("green", ["bless G9", "G9-F8 2", "H8-F8 1"])
    >>> match.run().step
    1

Importing this package does not load the compiler; loading the first game does.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from polemos.kernel.errors import PolemosError
    from polemos.kernel.game import SPECTATOR, UMPIRE
    from polemos.kernel.match import Match
    from polemos.kernel.outcome import Outcome
    from polemos.kernel.playing import play
    from polemos.kernel.replay import read as read_replay
    from polemos.kernel.replay import verify as verify_replay
    from polemos.kernel.simulate import simulate
    from polemos.registry import load
    from polemos.registry import names as games
    from polemos.search.analysis import analyse

__version__ = "0.1.0"

_HOMES = {
    "SPECTATOR": "polemos.kernel.game:SPECTATOR",
    "UMPIRE": "polemos.kernel.game:UMPIRE",
    "Match": "polemos.kernel.match:Match",
    "Outcome": "polemos.kernel.outcome:Outcome",
    "PolemosError": "polemos.kernel.errors:PolemosError",
    "analyse": "polemos.search.analysis:analyse",
    "games": "polemos.registry:names",
    "load": "polemos.registry:load",
    "play": "polemos.kernel.playing:play",
    "read_replay": "polemos.kernel.replay:read",
    "simulate": "polemos.kernel.simulate:simulate",
    "verify_replay": "polemos.kernel.replay:verify",
}

__all__ = [
    "SPECTATOR",
    "UMPIRE",
    "Match",
    "Outcome",
    "PolemosError",
    "analyse",
    "games",
    "load",
    "play",
    "read_replay",
    "simulate",
    "verify_replay",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'polemos' has no attribute {name!r}")
    module, _, attribute = _HOMES[name].partition(":")
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
