"""The bot `champion`: `captain`'s thoughts, and as many changes of its best turns as the clock allows."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Final

from polemos.games.minions.bots.draft import Draft, may_order
from polemos.games.minions.bots.planner import Planner
from polemos.games.minions.bots.racing import edge, race_for_spells, teched
from polemos.games.minions.notation import Order
from polemos.games.minions.search.records import SIEGE, Tastes
from polemos.games.minions.search.tastes import tastes_of
from polemos.games.minions.state import RESET0, State
from polemos.games.minions.view import Setting, View

TURN: Final = 0.1  # seconds for a turn where no clock runs
LENGTH: Final = 11  # turns of a usual game, and one more for each point: the clock is shared among those to come
AHEAD: Final = 6  # turns that are always expected to come
MOST: Final = 2.0  # seconds that are of use in a turn on one board
RATE: Final = 85_000  # tries that are planned for a second; the last comparison comes on top
LEAST: Final = 6  # of them on each board, however little time there is
READING: Final = 0.0025  # seconds that a turn takes beside them: to read the view, to choose spells,
EACH: Final = 0.0007  # and on each board
POOL: Final = 16  # best turns that are worked on
SIEGES: Final = 4_000  # what a siege counts


def wary_tastes(state: State) -> Tastes:
    """With an eye on who is on the way to a necromancer, long before it can be struck, and on what beats the enemy's
    cards."""
    tastes = tastes_of(state)
    tastes.weight[SIEGE] = SIEGES
    for type in range(state.types):
        tastes.worth[type] = round(tastes.worth[type] * edge(state, state.side, type))
    return tastes


class ChampionBot:
    """Samples turns, then changes the best ones and keeps what leaves more two turns later.

    It counts turns that it tries, not seconds: at equal clocks and seeds it gives equal orders on every machine.
    With `tries` it tries so many on each board, whatever the clock says.
    """

    def __init__(
        self,
        setting: Setting,
        seat: str,
        seed: int,
        turn: float = TURN,
        rate: int = RATE,
        tries: int = 0,
    ) -> None:
        self._setting, self._turn, self._rate, self._fixed = setting, turn, rate, tries
        self._planner = Planner(seed, 1, POOL, 1)
        self._cards: tuple[int, ...] | None = None  # of both sides, when its tastes were formed

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if not may_order(view):
            return ()
        draft = Draft(self._setting, view)
        race_for_spells(draft)
        if (cards := teched(draft.state)) != self._cards:
            self._cards = cards
            self._planner.like(wary_tastes)
        tries = self._fixed or self._tries(draft.state, time_left)
        answers, looks = min(40 + tries // 250, 6 + tries // 50), min(16 + tries // 1500, 4 + tries // 100)
        self._planner.think(tries // 6, answers, looks, tries)
        self._planner.play_all(draft)
        return draft.orders

    def _tries(self, state: State, time_left: float) -> int:
        """How many turns can be tried on each board."""
        boards = sum(state.board[at].state != RESET0 for at in range(state.boards))
        ahead = max(AHEAD, LENGTH + state.to_win - state.turn)
        seconds = max(0.0, time_left) / ahead if isfinite(time_left) else self._turn
        seconds = min(seconds, MOST * boards) - READING - EACH * boards
        return max(LEAST, int(seconds * self._rate / max(1, boards)))
