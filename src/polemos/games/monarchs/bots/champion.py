"""The bot `champion`: searches with playouts, in many states that agree with all it has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.bots.sight import may_order
from polemos.games.monarchs.notation import Order
from polemos.games.monarchs.playouts import PLAYOUTS, counsel
from polemos.games.monarchs.rules.playouts import Desk
from polemos.games.monarchs.state import Sheet, State
from polemos.games.monarchs.view import Setting, View
from polemos.kernel.record import Many
from polemos.search.player import Player
from polemos.search.search import Settings

SETTINGS: Final = Settings(method="model", states=200, candidates=16, rounds=4, variations=12, caution=1.0)
TURN: Final = 0.3  # seconds without a clock: a game is short, so there is more time for a turn than elsewhere

IDEAS: Final = 3  # scripts that bring ideas
ENOUGH: Final = 0.2  # seconds for a turn from which on they do: it takes some hundredths; with less, only the first
STEADY: Final = PLAYOUTS.scripts.index("steady")


class ChampionBot:
    """Believes, plays out what it might order, and orders what does best on average."""

    def __init__(self, setting: Setting, seat: str, seed: int, settings: Settings = SETTINGS) -> None:
        self._nation = NATIONS.index(seat)
        self.player = Player(PLAYOUTS, setting, seat, self._nation, seed, settings, turn=TURN)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        return self.player.orders(view, time_left, self._ideas) if may_order(view) else ()

    def _ideas(self, states: Many[State], seconds: float, key: int, desk: Desk) -> list[Sheet]:
        """What its own scripts would order, also if they knew that the others are like `steady`.

        With little time it is the first script alone: a few playouts prove too little to play like another one.
        """
        found = [Sheet() for _ in range(2 * IDEAS if seconds >= ENOUGH else 1)]
        for i, sheet in enumerate(found):
            if i < IDEAS:
                PLAYOUTS.ask(states[0], self._nation, i, key, sheet, desk)
            else:
                counsel(states, self._nation, i - IDEAS, STEADY, key, sheet, desk)
        return found
