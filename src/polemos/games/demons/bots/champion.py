"""The bot `champion`: searches with playouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polemos.games.demons.bots.sight import may_order
from polemos.games.demons.notation import Order
from polemos.games.demons.playouts import PLAYOUTS
from polemos.games.demons.state import PLAYERS
from polemos.games.demons.view import Setting, View
from polemos.search.player import Player
from polemos.search.search import NEVER, Settings

SETTINGS: Final = Settings(
    method="model", horizon=NEVER, growth=0.6, candidates=30, rounds=4, variations=8, caution=0.5, worlds=2
)


class ChampionBot:
    """Plays out what it might order now against what the other might, and orders what does best."""

    def __init__(self, setting: Setting, seat: str, seed: int, settings: Settings = SETTINGS) -> None:
        self.player = Player(PLAYOUTS, setting, seat, PLAYERS.index(seat), seed, settings)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        return self.player.orders(view, time_left) if may_order(view) else ()
