"""A finished match, looked at again: who was ahead when, what orders cost, and what would have been better.

A value is a seat's share of the game, from 0 to 1, if the game's scripts play on from a position; the seats of a match
share one. Playouts of long games are cut off and judged as in a search; short ones go to the end. Every estimate comes
with its margin, half of a 95 % interval, and what is said about orders comes from fresh playouts that the search for
better ones did not see: the best of many noisy estimates is a lucky one.

In fog, a seat's orders are judged by what it could know; values are those of somebody who sees everything.

Where seats take turns, who moves next decides much of what the scripts make of a position. So only positions with the
same side to move are compared and told: one for each round.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import hypot, inf
from typing import Any, Final

import numpy as np
from msgspec import Struct

from polemos.kernel.batching import MAX_SEATS
from polemos.kernel.dice import number
from polemos.kernel.errors import PolemosError
from polemos.kernel.game import UMPIRE
from polemos.kernel.judgement import furnish
from polemos.kernel.log import SILENT
from polemos.kernel.match import AnyMatch
from polemos.kernel.playouts import SCRIPTED, WHOLE, Playouts, Trial
from polemos.kernel.record import Many, Record, many
from polemos.kernel.rooms import playouts_of
from polemos.kernel.verdict import in_words
from polemos.search.advice import Plan, Tried, advise, margins
from polemos.search.budget import Budget
from polemos.search.choosing import Numbers
from polemos.search.player import load
from polemos.search.search import Search, Settings

FORMAT: Final = 2  # 1: without the share of the orders that were given
BELIEVING: Final = 0.05  # CPU seconds for what a seat could know at a turn
MAX_PLANS: Final = 4  # that are told for one turn of one seat
MAX_POINTS: Final = 6
COSTLY: Final = 0.05  # a share of the game that makes orders a mistake,
BLUNDER: Final = 0.15  # a blunder,
SWING: Final = 0.12  # and a change of the value a turning point, whoever caused it
SHORT: Final = 30  # steps left, from which on playouts go to the end
VALUING: Final = 0.5  # part of the time that goes into values at most; the rest is for looking closely
STATES: Final = 40  # that are searched, of those that agree with what a seat has seen
CHUNK: Final = 8  # playouts between two looks at the clock

Progress = Callable[[int, int], None]  # (playouts made, of so many)


class NoAnalysis(PolemosError):
    word = "analysis/none"


class Depth(Struct, frozen=True):
    """How much to look at. A match gets the same analysis for the same depth, unless the time is up before."""

    positions: int = 160  # whose value is estimated; of longer matches evenly spread ones, and those around turns
    worlds: int = 64  # playouts for each
    turns: int = 12  # that are looked at closely: those where the value changed most
    playouts: int = 800  # for the search for better orders of one seat
    checks: int = 160  # further playouts for each plan, to see what it is worth
    seconds: float = inf  # of CPU time, after which nothing more is looked at
    seed: int = 0


class Standing(Struct, frozen=True):
    """Who was ahead after so many steps."""

    step: int
    turn: int  # that orders were due for, as the rule book counts
    values: dict[str, float]  # by seat, from 0 to 1; together 1
    margins: dict[str, float]  # half of the 95 % intervals; 0: the match is over


class Look(Struct, frozen=True):
    """The orders of one seat in one step, and better ones."""

    step: int  # steps before it: the position that the orders were given in
    turn: int
    seat: str
    given: tuple[str, ...]
    value: float  # of the orders that were given
    share: float  # how often to choose them all the same; with the shares of the plans, 1
    cost: float  # how much the first plan would have brought more; 0: that it is better could not be shown
    margin: float  # of `cost`
    plans: tuple[Plan, ...]  # what brings most first, without what brings less than the orders that were given


class TurningPoint(Struct, frozen=True):
    """Where the match turned."""

    step: int  # steps before it, as in `Look`
    turn: int
    seat: str  # that it went against
    change: float  # of this seat's share; negative
    kind: str  # "blunder", "mistake", or "swing": luck, the others, somebody who gave up, or an agreed draw
    words: str


class Analysis(Struct, frozen=True):
    """One match, turn by turn. This is also its JSON form."""

    analysis: int  # the number of the form
    game: str
    edition: int
    seats: tuple[str, ...]
    steps: int
    scripts: tuple[str, ...]  # that played on
    playouts: int  # that were made
    whole: bool  # otherwise the time was up before everything had been looked at
    standings: tuple[Standing, ...]  # in order of steps; where seats take turns, all with the same side to move
    looks: tuple[Look, ...]  # in order of steps
    points: tuple[TurningPoint, ...]  # in order of steps


def analyse(
    match: AnyMatch,
    depth: Depth | None = None,
    *,
    step: int | None = None,
    turn: int | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """Looks at a match again. With `step`, at the orders of this step alone, closely; the first step is 1.

    With `turn`, at all steps of this turn, as the rule book counts. A turning point and a `Look` tell their turn, and
    as `step` how many steps were played before.
    """
    if step is not None and turn is not None:
        raise NoAnalysis(f"Give step={step} or turn={turn}, not both.")
    kit = playouts_of(match.game)
    if kit is None:
        raise NoAnalysis(f"{match.game.title} can't be analysed: it has no playouts yet.")
    if not match.steps:
        raise NoAnalysis("Nothing was played, so there is nothing to analyse.")
    if step is not None and not 1 <= step <= len(match.steps):
        raise NoAnalysis(f"There is no step {step}: the match has {len(match.steps)}.")
    analyst = _Analyst(match, kit, depth or Depth(), progress or (lambda done, of: None))
    chosen = None if turn is None else analyst.steps_of(turn)
    load(kit)
    _warm(kit, match)
    return analyst.run(chosen if step is None else [step - 1])


def _warm(kit: Playouts, match: AnyMatch) -> None:
    """One playout before any clock runs: some games compile theirs when it is first called."""
    states, trials = many(kit.state, 1), many(Trial, 1)
    states[0] = match.state_at(0)
    trials[0].steps = 1
    trials.numbers()["sheet"] = SCRIPTED
    kit.play(states, many(kit.sheet, 1), trials, 0, 1, SILENT, kit.desk())


def _furnished(kit: Playouts, desk: Any) -> Any:
    """A desk that judges as was learned, also where bots do not: here it is the forecast that counts."""
    if kit.judgement is not None:
        furnish(kit.judgement, desk)
    return desk


class _Analyst:
    def __init__(self, match: AnyMatch, kit: Playouts, depth: Depth, progress: Progress) -> None:
        self._match, self._game, self._kit, self._depth, self._tell = match, match.game, kit, depth, progress
        self._seats = match.seats
        self._began = 0.0
        self._made = self._plan = 0
        self._standings: dict[int, Standing] = {}
        self._turns: dict[int, int] = {}
        self._places = self._comparable()
        self._index = {at: i for i, at in enumerate(self._places)}

    def _comparable(self) -> list[int]:
        """The positions whose values can be compared: those with the same side to move as the first, and the end."""
        steps = len(self._match.steps)
        if self._game.facts.simultaneous:
            return list(range(steps + 1))
        first = self._game.to_act(self._match.state_at(0))
        found = [at for at in range(steps) if self._game.to_act(self._match.state_at(at)) == first]
        if self._match.outcome is not None or self._game.to_act(self._match.state) == first:
            found.append(steps)
        return found

    def steps_of(self, turn: int) -> list[int]:
        """The positions that the orders of this turn were given in."""
        turns = [self._turn(at) for at in range(len(self._match.steps))]
        if turn not in turns:
            raise NoAnalysis(f"There is no turn {turn}: the match has turns {turns[0]} to {turns[-1]}.")
        return [at for at, other in enumerate(turns) if other == turn]

    def run(self, chosen: Sequence[int] | None) -> Analysis:
        self._desk = _furnished(self._kit, self._kit.desk())
        self._began = time.thread_time()
        depth, steps, places = self._depth, len(self._match.steps), self._places
        each = (depth.playouts + depth.checks * (MAX_PLANS + 1)) * len(self._seats)
        if chosen is not None:
            around = self._around(chosen[0], chosen[-1] + 1)
            self._plan = len(around) * depth.worlds + len(chosen) * each
            valued = self._value(around)
        else:
            count = min(len(places), depth.positions)
            self._plan = count * depth.worlds + min(depth.turns, len(places) - 1) * each
            self._value([places[0], places[-1]])
            spread = [places[round(i * (len(places) - 1) / max(1, count - 1))] for i in range(count)]
            valued = self._value([spread[i] for i in _coarse_first(count)], VALUING * depth.seconds)
            valued = valued and self._value(self._between(), VALUING * depth.seconds)
            chosen = self._turns_to_look_at()
        looks, looked = self._look(chosen)
        self._tell(self._plan, self._plan)
        standings = tuple(self._standings[at] for at in sorted(self._standings))
        return Analysis(
            FORMAT,
            self._game.name,
            self._game.edition,
            self._seats,
            steps,
            self._kit.scripts,
            self._made,
            valued and looked,
            standings,
            looks,
            self._points(looks),
        )

    # ---- values

    def _value(self, numbers: Sequence[int], seconds: float = inf) -> bool:
        """Estimates the values of these positions. All of them get the same worlds. False: the time was up."""
        for at in numbers:
            if at in self._standings:
                continue
            if self._is_late(seconds):
                return False
            state = self._match.state_at(at)
            over = at == len(self._match.steps) and self._match.outcome
            if over:
                total = sum(over.points.values())
                values = {seat: over.points[seat] / total if total else 1 / len(self._seats) for seat in self._seats}
                self._standings[at] = Standing(at, self._turn(at), values, dict.fromkeys(self._seats, 0.0))
                continue
            found = self._valued(state, seconds)
            if found is None:
                return False
            means, doubts = found.mean(axis=0), margins(found)
            self._standings[at] = Standing(
                at,
                self._turn(at),
                {seat: round(float(means[i]), 4) for i, seat in enumerate(self._seats)},
                {seat: round(float(doubts[i]), 4) for i, seat in enumerate(self._seats)},
            )
        return True

    def _valued(self, state: Any, seconds: float) -> Numbers | None:
        """The shares of the seats in playouts from a position. None: the time was up.

        If the board can be turned, each playout has a twin in every direction with the same luck, in which scripts play
        for the seats in whose place they are, and counts together with them: what scripts do better in one seat than in
        another is no merit of a position.
        """
        if self._kit.images is None:
            made = self._played(self._one(state), [{}] * self._depth.worlds, "value", seconds)
            return None if made is None else self._shares(made)
        images = self._kit.images(state)
        states = many(self._kit.state, len(images))
        for i, (image, _) in enumerate(images):
            states[i] = image
        worlds = max(1, self._depth.worlds // len(images)) * len(images)
        made = self._played(states, [{}] * worlds, "value", seconds, twins=len(images))
        if made is None:
            return None
        shares = self._shares(made)
        found: Numbers = np.mean([shares[i :: len(images), list(places)] for i, (_, places) in enumerate(images)], 0)
        return found

    def _around(self, first: int, last: int) -> list[int]:
        """The comparable positions from the one before or at `first` to the one at or after `last`."""
        before = max(at for at in self._places if at <= first)
        after = min((at for at in self._places if at >= last), default=before)
        return [at for at in self._places if before <= at <= after]

    def _is_late(self, seconds: float) -> bool:
        return time.thread_time() - self._began > seconds

    def _one(self, state: Any) -> Many[Any]:
        states = many(self._kit.state, 1)
        states[0] = state
        return states

    def _played(
        self,
        states: Many[Any],
        wishes: Sequence[dict[int, int]],
        purpose: str,
        seconds: float,
        pool: Any = None,
        twins: int = 1,
    ) -> Numbers | None:
        """A playout for each wish (by seat: the number of its first sheet in the pool). So many share a world.

        None: the time was up before all of them were made.
        """
        count = len(wishes)
        trials = many(Trial, count)
        rows = trials.numbers()
        rows["sheet"] = SCRIPTED
        for at, wish in enumerate(wishes):
            world = at // twins
            rows["start"][at] = at % len(states)
            rows["key"][at] = number(self._depth.seed, purpose, world)
            rows["script"][at, :MAX_SEATS] = [self._script(purpose, world, seat) for seat in range(MAX_SEATS)]
            for seat, sheet in wish.items():
                rows["sheet"][at, seat] = sheet
        rows["steps"] = 0 if self._kit.steps_left(states[0]) <= SHORT else self._kit.horizon
        sheets = many(self._kit.sheet, 1) if pool is None else pool
        for first in range(0, count, CHUNK):
            if self._is_late(seconds):
                return None
            after = min(count, first + CHUNK)
            self._kit.play(states, sheets, trials, first, after, SILENT, self._desk)
            self._count(after - first)
        found: Numbers = rows["value"][:, : len(self._seats)] / WHOLE
        return found

    def _count(self, playouts: int) -> None:
        """So many more were made."""
        self._made += playouts
        self._tell(min(self._made, self._plan), self._plan)

    def _script(self, purpose: str, world: int, seat: int) -> int:
        """Half of the time the best all-round script, otherwise any of them."""
        luck = number(self._depth.seed, purpose, "script", world, seat)
        return 0 if luck & 1 else (luck >> 8) % len(self._kit.scripts)

    def _shares(self, values: Numbers) -> Numbers:
        """Of one game, whatever rounding or judging leaves over."""
        found: Numbers = values / np.maximum(values.sum(axis=1, keepdims=True), 1e-9)
        return found

    def _turn(self, at: int) -> int:
        if at not in self._turns:
            self._turns[at] = self._game.observe(self._match.state_at(at), UMPIRE).turn
        return self._turns[at]

    # ---- which turns to look at

    def _gaps(self) -> list[tuple[float, int, int]]:
        """How much the value changed from one known position to the next, with both; the largest changes first."""
        known = sorted(self._standings)
        found = [(self._change(first, last), first, last) for first, last in pairwise(known)]
        return sorted(found, key=lambda gap: (-gap[0], gap[1]))

    def _change(self, first: int, last: int) -> float:
        before, after = self._standings[first].values, self._standings[last].values
        return max(abs(after[seat] - before[seat]) for seat in self._seats)

    def _between(self) -> list[int]:
        """The positions between those where the value changed most."""
        return [
            at
            for _, first, last in self._gaps()[: self._depth.turns]
            for at in self._places[self._index[first] + 1 : self._index[last]]
        ]

    def _are_next(self, first: int, last: int) -> bool:
        """Whether no comparable position lies between these two."""
        return self._index[last] == self._index[first] + 1

    def _turns_to_look_at(self) -> list[int]:
        """The positions between the first and last of which the value changed most, where somebody gave orders."""
        narrow = [range(first, last) for _, first, last in self._gaps() if self._are_next(first, last)]
        worth = [steps for steps in narrow if any(self._orders(at) for at in steps)]
        return sorted(at for steps in worth[: self._depth.turns] for at in steps)

    # ---- orders

    def _look(self, chosen: Sequence[int]) -> tuple[tuple[Look, ...], bool]:
        """Looks closely at the orders of all seats in these steps. False: not all of them, for lack of time."""
        found: list[Look] = []
        minds = {seat: self._mind(seat) for seat in self._seats} if self._game.facts.fog else {}
        for at in range(max(chosen, default=-1) + 1):
            for seat, given in self._orders(at).items():
                if at not in chosen and seat not in minds:
                    continue
                if self._is_late(self._depth.seconds):
                    return tuple(found), False
                self._count(0)
                if seat in minds:
                    minds[seat].see(self._game.observe(self._match.state_at(at), seat), BELIEVING)
                if at in chosen:
                    states = (
                        minds[seat].states(STATES, number(self._depth.seed, "states", at))
                        if seat in minds
                        else self._one(self._match.state_at(at))
                    )
                    look = self._judged(at, seat, given, states)
                    if look is None:
                        return tuple(found), False
                    found.append(look)
                if seat in minds:
                    minds[seat].gave(given)
        return tuple(found), True

    def _mind(self, seat: str) -> Any:
        return self._kit.beliefs(self._match.setting, seat, number(self._depth.seed, "beliefs", seat))

    def _orders(self, at: int) -> dict[str, list[Any]]:
        """What each seat ordered in the step after this position, without its void lines.

        Nothing, if the match ended there because somebody gave up: then no orders of the others could cost anything.
        """
        step = self._match.steps[at]
        if step.forfeits and at + 1 == len(self._match.steps) and self._match.outcome is not None:
            return {}
        found = {}
        for seat, lines in self._match.orders_at(at + 1).items():
            void = {fault.line for fault in step.void_of(seat)}
            found[seat] = [line for i, line in enumerate(lines or (), 1) if line is not None and i not in void]
        return {seat: lines for seat, lines in found.items() if seat not in step.forfeits}

    def _judged(self, at: int, seat: str, given: list[Any], states: Many[Any]) -> Look | None:
        """Better orders than these, and what these cost. None: the time was up before that was known."""
        kit, depth, place = self._kit, self._depth, self._seats.index(seat)
        played = kit.enter(states[0], place, given)
        seed = number(depth.seed, "look", at, place)
        search = Search(kit, place, seed, Settings(states=len(states), mixed=True))
        _furnished(kit, search.desk)
        left = max(0.0, depth.seconds - (time.thread_time() - self._began))
        choices = search.decide(states, Budget(depth.playouts, left), (played,), told=self._count).choices
        if self._is_late(depth.seconds):
            return None
        shares = {choice.sheet.raw(): choice.share for choice in choices}
        fresh: dict[bytes, Record] = {}
        for choice in (choices[0], *sorted(choices, key=lambda one: -one.share)):
            if len(fresh) < MAX_PLANS and choice.sheet.raw() != played.raw():
                fresh.setdefault(choice.sheet.raw(), choice.sheet)
        pool = many(kit.sheet, len(fresh) + 1)
        tried: list[Tried] = []
        for i, sheet in enumerate((played, *fresh.values())):
            pool[i] = sheet
        for i, sheet in enumerate((played, *fresh.values())):
            made = self._played(states, [{place: i}] * depth.checks, f"check {at} {seat}", depth.seconds, pool)
            if made is None:
                return None
            orders = given if i == 0 else kit.orders(states[0], place, sheet)
            lines = tuple(self._game.write(order) for order in orders)
            tried.append(Tried(lines, shares.get(sheet.raw(), 0.0), self._shares(made)[:, place]))
        found = advise(tried[0], tried[1:])
        value = round(float(tried[0].brought.mean()), 4)
        return Look(
            at, self._turn(at), seat, tried[0].orders, value, found.share, found.cost, found.margin, found.plans
        )

    # ---- turning points

    def _points(self, looks: Sequence[Look]) -> tuple[TurningPoint, ...]:
        found = [self._mistake(look) for look in looks if look.cost >= COSTLY]
        costs = {(look.step, look.seat): look.cost for look in looks}
        for change, first, last in self._gaps():
            if change < SWING or not self._is_sure(first, last):
                continue
            seat = self._loser(first, last)
            # A mistake of the seat that falls explains it; one of somebody else does not.
            if all(costs.get((at, seat), 0.0) < COSTLY for at in range(first, last)):
                found.append(self._swing(first, last, seat, costs))
        found.sort(key=lambda point: (point.change, point.step))
        return tuple(sorted(found[:MAX_POINTS], key=lambda point: (point.step, point.seat)))

    def _is_sure(self, first: int, last: int) -> bool:
        """Whether a change is more than the estimates may be wrong by."""
        return any(abs(self._rise(seat, first, last)) > self._doubt(seat, first, last) for seat in self._seats)

    def _loser(self, first: int, last: int) -> str:
        """The seat that it went against."""
        return min(self._seats, key=lambda seat: self._rise(seat, first, last))

    def _rise(self, seat: str, first: int, last: int) -> float:
        return self._standings[last].values[seat] - self._standings[first].values[seat]

    def _doubt(self, seat: str, first: int, last: int) -> float:
        return hypot(self._standings[last].margins[seat], self._standings[first].margins[seat])

    def _mistake(self, look: Look) -> TurningPoint:
        kind = "blunder" if look.cost >= BLUNDER else "mistake"
        best = "; ".join(look.plans[0].orders) or "no orders"
        words = (
            f"{look.seat.capitalize()}'s orders cost {_of_hundred(look.cost)} (± {_hundredths(look.margin)})"
            f"{self._in_spite(look)}. Better: {best}."
        )
        return TurningPoint(look.step, look.turn, look.seat, -look.cost, kind, words)

    def _in_spite(self, look: Look) -> str:
        """A seat may gain although its orders were not the best ones: whoever sees its value rise is told so."""
        first = max((at for at in self._standings if at <= look.step), default=None)
        last = min((at for at in self._standings if at > look.step), default=None)
        if first is None or last is None or not self._are_next(first, last):
            return ""
        if self._rise(look.seat, first, last) <= self._doubt(look.seat, first, last):
            return ""
        return f", though {look.seat.capitalize()} {self._moved('rises', look.seat, first, last)}"

    def _moved(self, verb: str, seat: str, first: int, last: int) -> str:
        before, after = self._standings[first].values[seat], self._standings[last].values[seat]
        return f"{verb} from {_hundredths(before)} to {_hundredths(after)}"

    def _swing(self, first: int, last: int, seat: str, costs: dict[tuple[int, str], float]) -> TurningPoint:
        """A change that no mistake explains. `costs` are those of the orders that were looked at."""
        fall = f"{seat.capitalize()} {self._moved('falls', seat, first, last)}"
        if not self._are_next(first, last):
            fall += f" by turn {self._turn(last)}"
        why = [
            f"{other.capitalize()} {in_words(verdict)}."
            for at in range(first, last)
            for other, verdict in self._match.steps[at].forfeits.items()
        ]
        if self._match.agreed is not None and last == len(self._match.steps):
            why.append("A draw was agreed.")
        given = [at for at in range(first, last) if seat in self._orders(at)]
        searched = bool(given) and all(costs.get((at, seat)) == 0.0 for at in given)
        words = [*why, f"{fall}."]
        if searched and not why:
            words.append("No better orders were found.")
        change = round(self._rise(seat, first, last), 4)
        return TurningPoint(first, self._turn(first), seat, change, "swing", " ".join(words))


def _coarse_first(count: int) -> list[int]:
    """The numbers below `count` in such an order that the first ones are always evenly spread.

    >>> _coarse_first(5)
    [0, 4, 2, 1, 3]
    """
    bits = max(1, (count - 1).bit_length())
    found = [int(f"{i:0{bits}b}"[::-1], 2) for i in range(1 << bits)]
    return [i for i in found if i < count]


def _hundredths(value: float) -> int:
    return round(100 * value)


def _of_hundred(value: float) -> str:
    found = _hundredths(value)
    return f"{found} point{'' if found == 1 else 's'} of 100"
