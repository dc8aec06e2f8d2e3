"""Bots for people, from easy to strong: `champion` held back, and how each of them plays in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from polemos.games.monad.bots.champion import SETTINGS, ChampionBot
from polemos.games.monad.notation import Order
from polemos.games.monad.playouts import PLAYOUTS
from polemos.games.monad.state import SEATS
from polemos.games.monad.view import Setting, View
from polemos.kernel.game import BotMaker
from polemos.search.levels import Level, LevelPlayer


class LevelBot:
    def __init__(self, setting: Setting, seat: str, seed: int, level: Level) -> None:
        self._seat = seat
        self._player = LevelPlayer(PLAYOUTS, setting, seat, SEATS.index(seat), seed, level, SETTINGS)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if view.who != self._seat or view.outcome is not None or self._seat in view.forfeited:
            return ()
        return self._player.orders(view)


HELD: Final = {
    "level-1": Level("holder", slips=4),
    "level-2": Level("holder", slips=7),
    "level-3": Level("holder", slips=20),
    "level-4": Level("holder", slips=6, other="lord"),
    "level-5": Level("lord", slips=2, other="holder"),
}
LEVELS: Final[dict[str, BotMaker]] = {
    **{name: partial(LevelBot, level=level) for name, level in HELD.items()},
    "champion": ChampionBot,
}
OPPONENTS: Final = {
    "level-1": "stays at home, and makes many mistakes",
    "level-2": "stays at home, and makes some mistakes",
    "level-3": "stays at home, and grows well",
    "level-4": "grows, and goes to war now and then",
    "level-5": "grows, and is at war half of the time",
    "champion": "plays out what comes of each plan, every turn",
}
