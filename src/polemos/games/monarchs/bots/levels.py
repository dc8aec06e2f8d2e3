"""Bots for people, from easy to strong: `champion` held back, and how each of them plays in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.bots.champion import ChampionBot
from polemos.games.monarchs.bots.sight import may_order
from polemos.games.monarchs.notation import Order
from polemos.games.monarchs.playouts import PLAYOUTS
from polemos.games.monarchs.view import Setting, View
from polemos.kernel.game import BotMaker
from polemos.search.levels import Level, LevelPlayer
from polemos.search.search import Settings

SETTINGS: Final = Settings()  # scripts look at one state that may be true


class LevelBot:
    def __init__(self, setting: Setting, seat: str, seed: int, level: Level) -> None:
        self._player = LevelPlayer(PLAYOUTS, setting, seat, NATIONS.index(seat), seed, level, SETTINGS)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        return self._player.orders(view) if may_order(view) else ()


HELD: Final = {
    "level-1": Level("holder", slips=8, other="marshal"),
    "level-2": Level("holder", slips=2, other="marshal"),
    "level-3": Level("marshal", slips=12, other="striker"),
    "level-4": Level("marshal", slips=3, other="striker"),
    "level-5": Level("steady", slips=2, other="marshal"),
}
LEVELS: Final[dict[str, BotMaker]] = {
    **{name: partial(LevelBot, level=level) for name, level in HELD.items()},
    "champion": ChampionBot,
}
OPPONENTS: Final = {
    "level-1": "sits on its hexes",
    "level-2": "attacks now and then",
    "level-3": "leads its army forward",
    "level-4": "leads its army, and strikes home bases",
    "level-5": "weighs every march, half of the time",
    "champion": "thinks ahead, our strongest",
}
