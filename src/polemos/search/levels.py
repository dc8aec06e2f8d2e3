"""Levels for people: a champion that is held back honestly.

It sees less far, plays out less, or leaves it to a script; and in some of its decisions it slips: another script orders
instead, or what it has chosen is changed a little, lawfully, without a look at what that leads to. It never stalls, and
never plays at random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from polemos.kernel.dice import number
from polemos.kernel.playouts import Playouts
from polemos.kernel.record import Record
from polemos.search.budget import Budget
from polemos.search.player import load
from polemos.search.search import Search, Settings

BELIEVING: Final = 0.01  # CPU seconds for what may be true in the fog, where more than one state is looked at
CHANGES: Final = 3  # of a sheet in a slip

Ideas = Callable[[Any, Any], Sequence[Record]]  # (state, view): sheets from elsewhere


class Level(Struct, frozen=True):
    """How a champion is held back."""

    script: str = ""  # plays alone; without one, the search decides
    playouts: int = 0  # of the search, for each decision
    horizon: int = 0  # steps that it looks ahead; 0: as far as the champion
    slips: int = 0  # one decision in so many is a slip; 0: none
    other: str = ""  # the script that orders in a slip; without one, the sheet is changed


class LevelPlayer:
    """Plays one seat at a level. The same seed gives the same orders on every machine: no clock is looked at."""

    def __init__(
        self,
        playouts: Playouts,
        setting: Any,
        seat: str,
        number_of_seat: int,
        seed: int,
        level: Level,
        settings: Settings,
    ) -> None:
        load(playouts)
        self._kit, self._seat, self._seed, self._level = playouts, number_of_seat, seed, level
        self._settings = replace(settings, horizon=level.horizon or settings.horizon)
        self._beliefs = playouts.beliefs(setting, seat, number(seed, "beliefs"))
        self._search = Search(playouts, number_of_seat, number(seed, "search"), self._settings)
        self._steps = 0

    def orders(self, view: Any, ideas: Ideas | None = None) -> Sequence[Any]:
        self._steps += 1
        self._beliefs.see(view, BELIEVING if self._level.playouts else 0.0)
        states = self._beliefs.states(self._settings.states, number(self._seed, "states", self._steps))
        slips = self._level.slips > 0 and number(self._seed, "slip", self._steps) % self._level.slips == 0
        if slips and self._level.other:
            sheet = self._asked(states[0], self._level.other)
        else:
            sheet = self._choose(states, view, ideas)
            if slips:
                sheet = self._changed(states[0], sheet)
        lines = self._kit.orders(states[0], self._seat, sheet)
        self._beliefs.gave(lines)
        return lines

    def _choose(self, states: Any, view: Any, ideas: Ideas | None) -> Record:
        if self._level.script:
            return self._asked(states[0], self._level.script)
        found = () if ideas is None else tuple(ideas(states[0], view))
        return self._search.decide(states, Budget(self._level.playouts), found).best

    def _asked(self, state: Any, script: str) -> Record:
        sheet: Record = self._kit.sheet()
        key = number(self._seed, "alone", self._steps)
        self._kit.ask(state, self._seat, self._kit.scripts.index(script), key, sheet, self._search.desk)
        return sheet

    def _changed(self, state: Any, sheet: Record) -> Record:
        """The sheet after a few changes that nobody has thought about."""
        for i in range(CHANGES):
            other: Record = self._kit.sheet()
            luck = number(self._seed, "change", self._steps, i)
            self._kit.vary(state, self._seat, luck, sheet, other, self._search.desk)
            sheet = other
        return sheet
