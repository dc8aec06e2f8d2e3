"""What a nation may believe: states with a past that shows at every turn what the nation saw (9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.rules.beliefs import Desk, Trace, agree, believe
from polemos.games.monarchs.sheets import enter
from polemos.games.monarchs.start import starting_position
from polemos.games.monarchs.state import MODES, SCORINGS, Sheet, Sight, State
from polemos.games.monarchs.view import Setting, View, imagine, look
from polemos.kernel.dice import number
from polemos.kernel.log import SILENT
from polemos.kernel.record import Many, many

KEPT: Final = 2000  # states
RATE: Final = 4000  # guesses that one core makes in a second, roughly
FEW: Final = 16  # guesses that are worth making; and if fewer agree, twice as many again are made, once,
AGAIN: Final = 0.05  # with so many seconds
HEXES_EACH: Final = 20  # that a nation owns at the beginning (1.5)
LOOSE: Final = 48  # states drawn from a view alone, where no past is known,
DRAWN: Final = 5000  # as many of them as one core draws in the time, at so many a second; one in any case


class Past:
    """The states of one turn, and how they came about."""

    def __init__(self, seen: Sight, states: Many[State], known: int, traces: Many[Trace] | None, sheet: Sheet) -> None:
        self.seen, self.states, self.known, self.traces = seen, states, known, traces
        self.sheet = sheet  # what the nation ordered before it


class Beliefs:
    """Follows a match through one nation's eyes. `since` is the turn from which on the states have a past."""

    def __init__(self, setting: Setting, seat: str, seed: int, kept: int = KEPT) -> None:
        self._setting, self._me, self._seed = setting, NATIONS.index(seat), seed
        self._kept = kept
        self._sheet: Sheet | None = None
        self._desk = Desk()
        self.past: list[Past] = []
        self.since = 0

    def see(self, view: View, seconds: float) -> None:
        if self.past and self.past[-1].seen.turn == view.turn:
            return
        state = imagine(self._setting, view, number(self._seed, view.turn, 0))
        seen = look(state, view.who)
        if not self._go_on(view, seen, seconds):
            self._begin(view, seen, state, max(1, min(LOOSE, int(seconds * DRAWN))))
        self._sheet = None

    def _go_on(self, view: View, seen: Sight, seconds: float) -> bool:
        """What may have happened since the last view, if that was a turn ago, and if there is time to guess."""
        attempts = int(seconds * RATE)
        if attempts < FEW or not self.past or self._sheet is None or self.past[-1].seen.turn != view.turn - 1:
            return False
        before = self.past[-1]
        for i in range(before.known):
            for nation, name in enumerate(NATIONS):
                before.states[i].dropped[nation] = name in view.dropped
        news, traces = many(State, self._kept), many(Trace, self._kept)
        found = 0
        for again in range(2 if seconds >= AGAIN else 1):
            if found < min(FEW, self._kept):
                found = believe(
                    before.states, before.known, news, traces, self._sheet, self._me, seen,
                    number(self._seed, "turn", view.turn, again), attempts << again, SILENT, self._desk,
                )  # fmt: skip
        if found == 0:
            return False
        self.past.append(Past(seen, news, found, traces, self._sheet))
        return True

    def _begin(self, view: View, seen: Sight, state: State, count: int) -> None:
        """States without a past: the starting position, or whatever agrees with the view."""
        setting = self._setting
        start = starting_position(setting.rules, MODES.index(setting.mode), SCORINGS.index(setting.scoring), view.turns)
        open_to_all = all(seen.seen)
        if agree(look(start, view.who), seen):
            drawn = [start]
        elif open_to_all:
            drawn = [state]
        else:
            drawn = [imagine(setting, view, number(self._seed, view.turn, i)) for i in range(count)]
        self._credit(view, drawn)
        states = many(State, len(drawn))
        for i, one in enumerate(drawn):
            states[i] = one
        self.past = [Past(seen, states, len(drawn), None, Sheet())]
        self.since = view.turn

    def _credit(self, view: View, drawn: Sequence[State]) -> None:
        """Gives the others the points that they may have: as far as was believed before, then a point for each hex."""
        before = self.past[-1] if self.past else None
        for i, state in enumerate(drawn):
            old = before.states[i % before.known] if before is not None else None
            for nation, name in enumerate(NATIONS):
                if name not in view.reports:
                    total, turn = (old.total[nation], old.turn) if old is not None else (0, 1)
                    state.total[nation] = total + (view.turn - turn) * HEXES_EACH

    def gave(self, orders: Sequence[Any]) -> None:
        self._sheet = Sheet()
        enter(self._sheet, orders)

    def states(self, count: int, key: int) -> Many[State]:
        """Some of the states, evenly taken."""
        now = self.past[-1]
        if now.known <= count:
            return now.states.part(0, now.known)
        some = many(State, count)
        for i in range(count):
            some[i] = now.states[(i * now.known + key % now.known) // count % now.known]
        return some
