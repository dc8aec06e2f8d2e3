"""Which habits pay from here: the next turns are played out with each of them, against what the others seem to be.

Monad has no dice and no fog, so a playout is off only as far as the others do something else than their models.
Choosing again every turn is worth more than any of the habits alone: it storms, raids, waits or digs when that pays.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import isfinite
from typing import Final

import numpy as np

from polemos.games.monad.playouts import PLAYOUTS
from polemos.games.monad.rules.minds import COLUMNS, GUESTS, HABITS
from polemos.games.monad.rules.playouts import Desk, Sheet
from polemos.games.monad.state import State
from polemos.kernel.dice import number
from polemos.kernel.log import SILENT
from polemos.kernel.playouts import SCRIPTED, WHOLE, Trial
from polemos.kernel.record import many
from polemos.search.habits import Habits

FIRST: Final = 16  # the turn of the first choice; before it, all habits do the same
HORIZON: Final = 40  # turns of a playout
SHARE: Final = 40  # a turn has one part in so many of the clock
ALONE: Final = 0.05  # seconds of a turn where there is no clock
MOST: Final = 0.3  # of the clock, for one choice
KEPT: Final = 0.5  # seconds of it that are kept for the orders themselves
PRICE: Final = 5e-8  # seconds that a turn of a playout takes, for each tile and seat
SPARE: Final = 3  # times the planned time after which it stops
WORLDS: Final = 12  # at most
FADES: Final = 0.5  # what the last turn's choice counts for the next one
MARGIN: Final = 0.002  # by how much other habits must be better than those that it has now
EARLY: Final = 10.0  # units that a building is worth while there is ore,
LATE: Final = 40.0  # when there is none,
LASTS: Final = 3.0  # and how fast it goes from one to the other, with the turns for which there is ore
STOCK: Final = 12.0  # stock that is worth a unit
SPEED: Final = 0.1  # of a game's value goes by how soon it is won, or how late lost

_SHEETS: Final = many(Sheet, 1)


class Portfolio:
    """The habits of one seat in one match. `rows` are tried; the first one is played until something else is known."""

    def __init__(self, seat: int, seed: int, rows: Sequence[Sequence[int]], manner: int) -> None:
        assert len(rows) <= GUESTS
        self._seat, self._seed, self._rows, self._manner = seat, seed, rows, manner
        self.desk = Desk()
        self._told = False
        self._habits = Habits(PLAYOUTS, seat, number(seed, "habits"))
        self._states = many(State, 1)
        self._trials = many(Trial, 1)
        self._trials.numbers()["sheet"] = SCRIPTED
        self._sums = np.zeros(len(rows))
        self._counts = np.zeros(len(rows))
        self._building = EARLY
        self._waited = 0  # turns since the last choice
        self.chosen = 0
        self.tried = 0  # playouts so far

    @property
    def script(self) -> int:
        """The number of the habits that are played, behind those of the scripts."""
        return HABITS + self.chosen

    def look(self, state: State, time_left: float) -> None:
        """The position at each turn. The habits are chosen again if the clock is good for a look at all of them."""
        if not self._told:
            self._tell(state)
        time_left -= KEPT
        if time_left <= 0:
            return
        self._habits.watch(state)
        if state.turn + 1 < FIRST:
            return
        self._waited += 1
        seconds = time_left / SHARE if isfinite(time_left) else ALONE
        steps = min(HORIZON, max(1, PLAYOUTS.steps_left(state) + 1))
        price = PRICE * state.seats * state.width * state.height * steps
        planned = min(seconds * self._waited, MOST * time_left)
        if planned >= price * len(self._rows):
            self._waited = 0
            self._choose(state, steps, planned, price)

    def _tell(self, state: State) -> None:
        self._told = True
        PLAYOUTS.ask(state, self._seat, 0, 0, Sheet(), self.desk)  # the scripts learn their habits first
        for i, row in enumerate(self._rows):
            for column, value in enumerate(row):
                self.desk.mind.temper[(HABITS + i) * COLUMNS + column] = value

    def _choose(self, state: State, steps: int, seconds: float, price: float) -> None:
        """Rounds of playouts in equal worlds; after each the worse half of the habits is left out."""
        latest = time.thread_time() + SPARE * seconds
        self._states[0] = state
        self._weigh(state)
        model = self._habits.model(state)
        self._sums *= FADES
        self._counts *= FADES
        running = list(range(len(self._rows)))
        for world in range(WORLDS):
            if seconds < price * len(running) or len(running) < 2:
                break
            for which in running:
                self._sums[which] += self._play(which, world, steps, model)
                self._counts[which] += 1
            seconds -= price * len(running)
            if time.thread_time() > latest:
                break
            means = self._means()
            running.sort(key=lambda which: -means[which])
            running = running[: max(3, (len(running) + 1) // 2)]
            if self.chosen not in running:
                running.append(self.chosen)
        means = self._means()
        best = int(np.argmax(means))
        if means[best] > means[self.chosen] + MARGIN:
            self.chosen = best

    def _means(self) -> np.ndarray:
        return self._sums / np.maximum(self._counts, 1e-9)

    def _weigh(self, state: State) -> None:
        """While there is ore a building is worth what it costs; then it makes units for the rest of the war."""
        ore = int(self._states.numbers()[0]["cell"]["ore"][: state.width * state.height].sum())
        units = max(1, sum(state.units[seat] for seat in range(state.seats)))
        self._building = max(EARLY, LATE - LASTS * ore / units)

    def _play(self, which: int, world: int, steps: int, model: list[list[float]]) -> float:
        """The value of one playout for the seat."""
        state, trial = self._states[0], self._trials[0]
        self.tried += 1
        trial.key = self._manner if world == 0 else number(self._seed, "world", state.turn, world)
        trial.steps = steps
        for seat in range(state.seats):
            trial.script[seat] = HABITS + which if seat == self._seat else self._guess(model[seat], world, seat)
        PLAYOUTS.play(self._states, _SHEETS, self._trials, 0, 1, SILENT, self.desk)
        if trial.over:
            value, late = trial.value[self._seat] / WHOLE, trial.played / HORIZON
            return (1 - SPEED) * value + SPEED * (value * (1 - late) + (1 - value) * late)
        after = self.desk.state
        worth = [
            after.units[seat] + self._building * after.buildings[seat] + after.stock[seat] / STOCK
            for seat in range(after.seats)
        ]
        return worth[self._seat] / max(1.0, sum(worth))

    def _guess(self, likely: list[float], world: int, seat: int) -> int:
        """The script of another seat in a world: in every second one the likeliest, else as likely as they are."""
        if world % 2 == 0:
            return max(range(len(likely)), key=likely.__getitem__)
        at = number(self._seed, "guess", self._states[0].turn, world, seat) / 2**63 * sum(likely)
        for script, share in enumerate(likely):
            at -= share
            if at < 0:
                return script
        return 0
