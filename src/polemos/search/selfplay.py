"""Games of scripts against each other, and positions of them with what came of it: what a judgement is learned from.

All seats are played by scripts drawn by lot, which may take over from one another. At the beginning, and now and then
later, a seat gives orders that the game proposes or that differ a little from a proposal, as in a search. So the
positions are of the kind in which playouts are cut off, not only those of good play.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from polemos.kernel.dice import number
from polemos.kernel.judgement import Facts, Judgement, empty
from polemos.kernel.log import SILENT
from polemos.kernel.playouts import SCRIPTED, WHOLE, Playouts, Trial
from polemos.kernel.record import many

Setup = Callable[[Mapping[str, Any], str], Any]  # (options, seed): the state in which a match begins

POSITIONS: Final = 12  # of a game that are kept, roughly
OPENING: Final = 6  # single steps at the beginning, at most, in which orders may be odd ones
ODD: Final = 0.3  # how often a seat's orders at the beginning of a stretch are not a script's
VARIED: Final = 0.5  # how often those differ from what was proposed
PROPOSALS: Final = 6  # of which one is drawn
CHANGE: Final = 0.1  # how often another script takes over a seat


class Position(NamedTuple):
    """One position, as the seats see it."""

    step: int
    facts: Any  # an array: by seat and feature
    by_hand: list[float]  # the share of each seat as the game judges it without having learned anything


class Played(NamedTuple):
    """A whole game."""

    number: int
    part: int
    steps: int
    shares: list[float]  # by seat, at the end
    positions: list[Position]


class Ground:
    """Where games begin: a match as it is set up, with a desk that knows its map."""

    def __init__(self, kit: Playouts, judgement: Judgement, start: Any) -> None:
        self.kit, self.judgement, self.start = kit, judgement, start
        self.seats = kit.seats(start)
        self.part = judgement.part(start)
        self.desk = kit.desk()
        empty(judgement.nets(self.desk))
        self._seen = Facts()
        length = judgement.length or kit.steps_left(start)
        self._span = max(1, 2 * length // POSITIONS)  # steps between two positions, at most
        self._states, self._sheets, self._trials = many(kit.state, 1), many(kit.sheet, MAX_SHEETS), many(Trial, 1)

    def play(self, at: int, seed: int) -> Played:
        """Game number `at`, to its end."""
        chance = random.Random(number(seed, "game", at))
        kit, trial, count = self.kit, self._trials[0], len(self.kit.scripts)
        self._states[0] = self.start
        scripts = [chance.randrange(count) for _ in range(self.seats)]
        opening, step = chance.randrange(OPENING + 1), 0
        positions: list[Position] = []
        while True:
            trial.key = chance.getrandbits(64)
            trial.start, trial.steps = 0, 1 if step < opening else 1 + chance.randrange(self._span)
            for seat in range(len(trial.sheet)):
                trial.sheet[seat] = SCRIPTED
            for seat in range(self.seats):
                if chance.random() < CHANGE:
                    scripts[seat] = chance.randrange(count)
                trial.script[seat] = scripts[seat]
                if chance.random() < ODD:
                    trial.sheet[seat] = self._odd(seat, chance)
            kit.play(self._states, self._sheets, self._trials, 0, 1, SILENT, self.desk)
            step += trial.played
            shares = [trial.value[seat] / WHOLE for seat in range(self.seats)]
            if trial.over:
                return Played(at, self.part, step, shares, positions)
            self._states[0] = self.judgement.position(self.desk)
            if step >= opening:
                positions.append(Position(step, self._facts(), shares))

    def _odd(self, seat: int, chance: random.Random) -> int:
        """The number of a sheet that was proposed, or nearly; SCRIPTED if nothing was."""
        kit, state, key = self.kit, self._states[0], chance.getrandbits(64)
        first = seat * ROOM
        found = kit.propose(state, seat, key, self._sheets.part(first, first + PROPOSALS), self.desk)
        if found == 0:
            return SCRIPTED
        at = first + chance.randrange(found)
        if chance.random() >= VARIED:
            return at
        kit.vary(state, seat, key, self._sheets[at], self._sheets[first + PROPOSALS], self.desk)
        return first + PROPOSALS

    def _facts(self) -> Any:
        found, width = [], len(self.judgement.features)
        for seat in range(self.seats):
            self.judgement.describe(self._states[0], seat, self._seen, self.desk)
            found.append(np.frombuffer(self._seen.raw(), np.int32)[:width])
        return np.array(found)


ROOM: Final = PROPOSALS + 1  # sheets of a seat: proposals, and one that is varied
MAX_SHEETS: Final = ROOM * len(Trial().sheet)


def grounds_of(kit: Playouts, setup: Setup, seed: int) -> list[Ground]:
    """One for each of the matches that the game wants to be learned from."""
    assert kit.judgement is not None
    return [
        Ground(kit, kit.judgement, setup(options, f"training {seed} {at}"))
        for at, options in enumerate(kit.judgement.starts())
    ]
