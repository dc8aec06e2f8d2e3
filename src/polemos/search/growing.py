"""Scripts that are grown during a match: rows of traits that do best from here against those who may be playing.

Scripts that are good on all maps are rarely the best ones on this map, from this side, at this moment. So every step
tries changes of the best rows so far in whole playouts, and what beats the others stays. A row must do well against all
scripts that the other may play, above all against those that explain best what it has done, and not badly against any:
whoever can choose among scripts would choose that one.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from polemos.kernel.dice import number
from polemos.kernel.log import SILENT
from polemos.kernel.playouts import SCRIPTED, WHOLE, Playouts, Trial
from polemos.kernel.record import Many, many
from polemos.search.budget import Budget, Meter, rate_of
from polemos.search.choosing import Numbers
from polemos.search.traits import Row, changed, crossed

World = tuple[int, int]  # the script of the other, and a key

MEMORY: Final = 12  # worlds of one kind after which what was seen in one of them has mostly faded
TRUST: Final = 3  # worlds of each kind that a child is believed to have seen, with what its parent brought
FEAR: Final = 0.5  # how much the worst of the likely opponents counts, beside the mean over all
LIKELY: Final = 0.25  # of an even share: an opponent less likely than this frightens nobody
LOYAL: Final = 0.001  # by which another row must be better than the one that plays
TEST: Final = 3  # worlds in which changes are tried first
FRESH: Final = 4  # members that are looked at again every step, the best ones
SLACK: Final = 0.001  # by which a change may be worse there and still be looked at closely
SURE: Final = 0.9  # of a game, that the best row must have brought against everybody, if the game is won
CROSS: Final = 0.25  # of all changes, those that have two parents
OLD: Final = 0.15  # of all changes, those that bring back a script or a row from the beginning


class Member:
    """A script of the game, or a row in one of the spare places, and what it has brought against each opponent."""

    def __init__(self, script: int, row: Row | None, foes: int, parent: Member | None = None) -> None:
        self.script, self.row = script, row
        self.value: Numbers = np.zeros(foes) if parent is None else parent.value.copy()
        self.worlds: Numbers = np.zeros(foes) if parent is None else np.minimum(parent.worlds, TRUST)
        self.last: Numbers = np.zeros(0)  # what it brought in the worlds in which changes are tried now

    def learn(self, foe: int, value: float) -> None:
        self.worlds[foe] = min(self.worlds[foe] + 1, MEMORY)
        self.value[foe] += (value - self.value[foe]) / self.worlds[foe]

    def worth(self, weights: Numbers) -> float:
        """By the mean over the opponents, and by the worst of those that are likely."""
        known = self.worlds > 0
        if not known.any():
            return -1.0
        mean = float(weights[known] @ self.value[known] / weights[known].sum())
        feared = known & (weights * len(weights) >= LIKELY)
        worst = float(self.value[feared].min()) if feared.any() else mean
        return (1 - FEAR) * mean + FEAR * worst


class Growth:
    """The members of one seat in one match. Rows are kept in the spare places of the desk that its search uses."""

    def __init__(self, playouts: Playouts, seat: int, seed: int, desk: Any) -> None:
        self._kit, self._seat, self._desk = playouts, seat, desk
        self._chance = random.Random(seed)
        self._seed = seed
        self._names = self._foes = len(playouts.scripts)
        self._members: list[Member] = []
        self._old: list[Row] = []
        self._steps = 0
        self._states: Any = None
        self._meter = Meter(Budget(1), 1)
        self._none = many(playouts.sheet, 1)  # no first sheets: scripts write them
        self._entered = 0
        self._saved = 0  # playouts that were not used, or if there are too few of them, owed
        self.used = 0  # playouts in this match
        self.seconds = 0.0  # of CPU time in the last step

    @property
    def best(self) -> int:
        """The script or row that would play now, by number."""
        return self._members[0].script if self._members else 0

    @property
    def is_sure(self) -> bool:
        """Whether the best row has won nearly all that was played out lately, whoever the other was."""
        best = self._members[0] if self._members else None
        return best is not None and bool(best.worlds.all()) and float(best.value.min()) >= SURE

    @property
    def keeps(self) -> int:
        """Rows that are kept; the other half of the places is for changes."""
        return (self._kit.spare - self._foes + self._names) // 2

    def grow(self, states: Many[Any], budget: Budget, model: Sequence[Sequence[float]]) -> list[int]:
        """Spends the budget; the scripts and rows that are kept, by number, the best one first."""
        self._steps += 1
        self._saved += budget.playouts
        self.seconds = 0.0
        if self._members and self._saved < TEST * FRESH:
            return [member.script for member in self._members]
        rate = rate_of(self._kit, states, 0)
        self._states, self._meter = states, Meter(Budget(max(1, self._saved), budget.seconds), rate)
        if not self._members:
            self._begin()
        weights = self._weights(model[1 - self._seat])
        self._sort(weights)
        del self._members[self.keeps :]
        worlds = self._worlds(weights)
        if self._test(self._members[:FRESH], worlds):
            self._sort(weights)
            while self._meter.left >= TEST * self.keeps and self._change(worlds, weights):
                pass
        self._sort(weights)
        self._saved -= self._meter.used
        self.used += self._meter.used
        self.seconds = self._meter.seconds
        return [member.script for member in self._members]

    def mixture(self, model: Sequence[float]) -> list[float]:
        """Whom a sheet should do well against, by script: as rows, against the likely ones and the worst of them."""
        weights = self._weights(model)[: self._names]
        worst = self._worst(weights)
        weights = (1 - FEAR) * weights / weights.sum()
        weights[worst] += FEAR
        return [float(weight) for weight in weights]

    def _worst(self, weights: Numbers) -> int:
        """Of these opponents the likely one against whom the best member does worst."""
        return int(np.argmin(self._members[0].value[: len(weights)] + (weights * self._foes < LIKELY)))

    def _begin(self) -> None:
        """All scripts and all rows that the game begins with, against each other."""
        assert self._kit.rows is not None
        rows = self._kit.rows(self._states[0])
        self._old = [tuple(row) for row in rows if row is not None]
        self._foes = len(rows)
        self._members = [Member(script, row, self._foes) for script, row in enumerate(rows)]
        for member in self._members[self._names :]:
            assert member.row is not None
            self._put(member.script, member.row)
        for foe in range(self._foes):  # one after the other: if time runs out, what was seen counts
            if not self._test(self._members, [(foe, number(self._seed, "begin", foe))]):
                return

    def _weights(self, model: Sequence[float]) -> Numbers:
        """How much each opponent counts: half by what explains it, half evenly. The rows that the game begins with are
        as likely as scripts are on the average; whether somebody plays them cannot be told."""
        weights = np.array(model, float)
        weights = np.append(weights / weights.sum(), np.full(self._foes - self._names, 1 / self._names))
        found: Numbers = (weights / weights.sum() + 1 / self._foes) / 2
        return found

    def _worlds(self, weights: Numbers) -> list[World]:
        """The opponent against whom the best member does worst, and others as likely as they are."""
        foes = [self._worst(weights), *self._chance.choices(range(self._foes), weights.tolist(), k=TEST - 1)]
        return [(foe, number(self._seed, "world", self._steps, i)) for i, foe in enumerate(foes)]

    def _sort(self, weights: Numbers) -> None:
        """The best first; the one that played last needs to be beaten."""
        last = self._members[0]
        self._members.sort(key=lambda member: -member.worth(weights) - LOYAL * (member is last))

    def _test(self, members: Sequence[Member], worlds: Sequence[World]) -> bool:
        """Plays all of them in all of these worlds, and lets them learn. False: no time."""
        wide, deep = len(worlds), len(members)
        trials = many(Trial, wide * deep)
        numbers = trials.numbers()
        numbers["sheet"], numbers["steps"], numbers["start"] = SCRIPTED, 0, 0
        numbers["key"] = np.repeat(np.array([key for _, key in worlds], np.uint64), deep)
        numbers["script"][:, 1 - self._seat] = np.repeat([foe for foe, _ in worlds], deep)
        numbers["script"][:, self._seat] = np.tile([member.script for member in members], wide)
        after = 0
        while after < len(trials):
            if self._meter.is_over():
                return False
            first, after, began = after, min(len(trials), after + self._meter.chunk), time.thread_time()
            self._kit.play(self._states, self._none, trials, first, after, SILENT, self._desk)
            self._meter.note(after - first, time.thread_time() - began)
        values = numbers["value"][:, self._seat].reshape(wide, deep) / WHOLE
        for at, member in enumerate(members):
            member.last = values[:, at]
            for (foe, _), value in zip(worlds, member.last, strict=True):
                member.learn(foe, float(value))
        return True

    def _change(self, worlds: Sequence[World], weights: Numbers) -> bool:
        """Changed rows, as many as there is room for. Those that are not worse than the best are looked at closely."""
        taken = {member.script for member in self._members}
        free = [place for place in range(self._foes, self._names + self._kit.spare) if place not in taken]
        fresh = [self._child(place) for place in free[: self.keeps]]
        if not self._test(fresh, worlds):
            return False
        bar = self._bar(worlds)
        fresh.sort(key=lambda member: -float(member.last.mean()))
        for member in fresh[:2]:
            if self._meter.left < self._foes or member.last.mean() < bar - SLACK:
                break
            if not self._enter(member, weights):
                return False
        return True

    def _bar(self, worlds: Sequence[World]) -> float:
        """What the best member has brought in these worlds."""
        best = self._members[0]
        return float(best.last.mean()) if len(best.last) == len(worlds) else 0.0

    def _enter(self, member: Member, weights: Numbers) -> bool:
        """Against everybody; it stays if it is better than the worst that is kept. False: no time."""
        self._entered += 1
        last = member.last
        if not self._test(
            [member], [(foe, number(self._seed, "enter", self._entered, foe)) for foe in range(self._foes)]
        ):
            return False
        member.last = last
        if len(self._members) < self.keeps or member.worth(weights) > self._members[-1].worth(weights):
            del self._members[self.keeps - 1 :]
            self._members.append(member)
            self._sort(weights)
        return True

    def _put(self, place: int, row: Row, parent: Member | None = None) -> Member:
        assert self._kit.set_traits is not None
        self._kit.set_traits(self._states[0], self._desk, place, row)
        return Member(place, row, self._foes, parent)

    def _child(self, place: int) -> Member:
        """An old row again, traits of two parents, or one with a few traits changed. It is taken to be like its parent,
        since the best of many that were tried in a few worlds has mostly been lucky."""
        chance = self._chance
        parents = [member for member in self._members if member.row is not None]
        if not parents or chance.random() < OLD:
            return self._put(place, chance.choice(self._old), self._members[-1])
        parent = parents[min(int(chance.expovariate(1.0)), len(parents) - 1)]
        assert parent.row is not None
        if chance.random() < CROSS:
            other = chance.choice([member.row for member in parents if member.row is not None] + self._old)
            row = crossed(parent.row, other, chance)
        else:
            row = changed(parent.row, self._kit.choices, chance)
        return self._put(place, row, parent)
