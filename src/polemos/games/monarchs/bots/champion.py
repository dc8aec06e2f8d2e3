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
FOES: Final = tuple(PLAYOUTS.scripts.index(name) for name in ("watchman", "steady"))  # what others are taken for there


class ChampionBot:
    """Believes, plays out what it might order, and orders what does best on average."""

    def __init__(self, setting: Setting, seat: str, seed: int, settings: Settings = SETTINGS) -> None:
        self._nation = NATIONS.index(seat)
        self.player = Player(PLAYOUTS, setting, seat, self._nation, seed, settings, turn=TURN)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        return self.player.orders(view, time_left, self._ideas) if may_order(view) else ()

    def _ideas(self, states: Many[State], seconds: float, key: int, desk: Desk) -> list[Sheet]:
        """What its own scripts would order, also if they knew that the others are like each of `FOES`.

        With little time it is the first script alone: a few playouts prove too little to play like another one.
        """
        if seconds < ENOUGH:
            found = [Sheet()]
            PLAYOUTS.ask(states[0], self._nation, 0, key, found[0], desk)
            return found
        found = [Sheet() for _ in range(IDEAS * (1 + len(FOES)))]
        for i, sheet in enumerate(found):
            about, script = divmod(i, IDEAS)
            if about == 0:
                PLAYOUTS.ask(states[0], self._nation, script, key, sheet, desk)
            else:
                counsel(states, self._nation, script, FOES[about - 1], key, sheet, desk)
        return found
