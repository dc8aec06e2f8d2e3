"""A bot that searches: it believes, decides within its clock, and remembers what it ordered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, Final

from polemos.kernel.dice import number
from polemos.kernel.playouts import Playouts
from polemos.kernel.record import Many, Record
from polemos.kernel.rule import wake
from polemos.search.budget import Budget, rate_of
from polemos.search.growing import Growth
from polemos.search.habits import Habits
from polemos.search.search import Found, Search, Settings

TURN: Final = 0.05  # seconds for a step where no clock runs: what the ladder adds for each
SHARE: Final = 80  # a step gets such a part of the clock, or more if fewer steps are left
EARLY: Final = 16  # the same in the opening, if scripts are grown: what is found there serves the whole match
OPENING: Final = 16  # steps
SCRIPTS: Final = 4  # that were grown or kept, the best ones, whose sheets are compared with others
SPARE: Final = 4  # a search is stopped when it has taken so many times as long as was planned,
MOST: Final = 0.25  # or this part of what is left on the clock
BELIEVING: Final = 0.3  # part of a step's time that goes into beliefs
CALM: Final = 0.1  # of a step's time is enough where the game is as good as won; the rest stays on the clock
LEAST: Final = 0.002  # with less time than this per step, or than a playout takes, the first script answers alone

Ideas = Callable[[Many[Any], float, int, Any], Sequence[Record]]  # (states, seconds, key, desk): sheets from elsewhere


class Player:
    """Plays one seat. At equal clocks and seeds it gives equal orders, unless the machine is much too slow."""

    def __init__(
        self,
        playouts: Playouts,
        setting: Any,
        seat: str,
        number_of_seat: int,
        seed: int,
        settings: Settings,
        pace: float = 1.0,
        turn: float = TURN,
    ) -> None:
        load(playouts)
        self._kit, self._seat, self._settings = playouts, number_of_seat, settings
        self._beliefs = playouts.beliefs(setting, seat, number(seed, "beliefs"))
        self.search = Search(playouts, number_of_seat, number(seed, "search"), settings)
        self._seed, self._pace, self._turn = seed, pace, turn
        self._steps = 0
        self._planned = LEAST
        self._first = 0.0  # seconds of the first step
        self._habits = Habits(playouts, number_of_seat, number(seed, "habits"))
        self._growth: Growth | None = None
        if settings.growth > 0 and playouts.spare > 0:
            self._growth = Growth(playouts, number_of_seat, number(seed, "growth"), self.search.desk)
        self.last: Found | None = None

    def orders(self, view: Any, time_left: float, ideas: Ideas | None = None) -> Sequence[Any]:
        self._steps += 1
        self._beliefs.see(view, BELIEVING * self._planned)
        states = self._beliefs.states(self._settings.states, number(self._seed, "states", self._steps))
        state = states[0]
        self._planned = seconds = self.plan(state, time_left)
        if len(states) == 1:
            self._habits.watch(state)
        playouts = self._playouts(states, seconds)
        if seconds < LEAST or playouts < 1:
            sheet: Record = self._kit.sheet()
            script = 0 if self._growth is None else self._growth.best
            self._kit.ask(state, self._seat, script, number(self._seed, "alone", self._steps), sheet, self.search.desk)
        else:
            budget = Budget(playouts, min(SPARE * seconds, MOST * time_left))
            found = (
                ()
                if ideas is None
                else tuple(ideas(states, seconds, number(self._seed, "ideas", self._steps), self.search.desk))
            )
            model = self._habits.model(state)
            scripts: Sequence[int] = ()
            if self._growth is not None and self._kit.seats(state) == 2:
                part = Budget(max(1, int(budget.playouts * self._settings.growth)), budget.seconds)
                scripts = self._growth.grow(states, part, model)[:SCRIPTS]
                left = max(0.0, budget.seconds - self._growth.seconds)
                budget = Budget(max(1, budget.playouts - part.playouts), left)
                model = [self._growth.mixture(shares) for shares in model]
            self.last = self.search.decide(states, budget, found, model, scripts)
            sheet = self.last.best
        lines = self._kit.orders(state, self._seat, sheet)
        self._beliefs.gave(lines)
        return lines

    def _playouts(self, states: Many[Any], seconds: float) -> int:
        """How many playouts such a time is good for, by what the game says they cost: the same on every machine."""
        return int(seconds * rate_of(self._kit, states, self._settings.steps(self._kit, states)))

    def plan(self, state: Any, time_left: float) -> float:
        """This step's part of the clock. A part of what is left settles down to what each step adds."""
        if not isfinite(time_left):
            return self._turn * self._pace
        share = EARLY if self._growth is not None and self._steps <= OPENING else SHARE
        steps = min(share, self._kit.steps_left(state) + 2)
        seconds = max(0.0, time_left) / steps * self._pace
        self._first = self._first or seconds
        if self._growth is not None and self._growth.is_sure:
            return max(min(seconds, LEAST), min(seconds, self._first) * CALM)
        return seconds


def load(playouts: Playouts) -> None:
    """Compiles what a search calls, or loads it, before any clock runs."""
    wake(playouts.play, playouts.ask, playouts.propose, playouts.vary, *playouts.entries)
