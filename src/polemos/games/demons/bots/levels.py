"""Bots for people, from easy to strong: `champion` held back, and how each of them plays in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from polemos.games.demons.bots.champion import SETTINGS, ChampionBot
from polemos.games.demons.bots.sight import may_order
from polemos.games.demons.notation import Order
from polemos.games.demons.playouts import PLAYOUTS
from polemos.games.demons.state import PLAYERS
from polemos.games.demons.view import Setting, View
from polemos.kernel.game import BotMaker
from polemos.search.levels import Level, LevelPlayer


class LevelBot:
    def __init__(self, setting: Setting, seat: str, seed: int, level: Level) -> None:
        self._player = LevelPlayer(PLAYOUTS, setting, seat, PLAYERS.index(seat), seed, level, SETTINGS)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        return self._player.orders(view) if may_order(view) else ()


HELD: Final = {
    "level-1": Level("economist", slips=2),
    "level-2": Level("economist", slips=3),
    "level-3": Level("keeper", slips=3),
    "level-4": Level("keeper", slips=5),
    "level-5": Level("steward", slips=7),
}
LEVELS: Final[dict[str, BotMaker]] = {
    **{name: partial(LevelBot, level=level) for name, level in HELD.items()},
    "champion": ChampionBot,
}
OPPONENTS: Final = {
    "level-1": "saves its gold, and makes many mistakes",
    "level-2": "saves its gold, with mistakes",
    "level-3": "guards its lanes, with many mistakes",
    "level-4": "guards its lanes, with mistakes",
    "level-5": "counts every piece of gold, with mistakes",
    "champion": "thinks ahead, our strongest",
}
