"""Which habits pay from here: the next turns are played out with each of them, against what the others seem to be.

Monad has no dice and no fog, so a playout is off only as far as the others do something else than their models.
Choosing again every turn is worth more than any of the habits alone: it storms, raids, waits or digs when that pays.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from math import isfinite
from typing import Final

from polemos.games.monad.playouts import PLAYOUTS
from polemos.games.monad.rules.minds import COLUMNS, GUESTS, HABITS
from polemos.games.monad.rules.playouts import Desk, Sheet
from polemos.games.monad.state import State
from polemos.kernel.dice import number
from polemos.kernel.log import SILENT
from polemos.kernel.playouts import SCRIPTED, WHOLE, Trial
from polemos.kernel.record import many
from polemos.search.growing import SURE
from polemos.search.habits import Habits
from polemos.search.player import CALM
from polemos.search.traits import Row, changed, crossed

FIRST: Final = 16  # the turn of the first choice; before it, all habits do the same
HORIZON: Final = 40  # turns of a playout
SHARE: Final = 40  # a turn has one part in so many of the clock
ALONE: Final = 0.05  # seconds of a turn where there is no clock
MOST: Final = 0.3  # of the clock, for one choice
KEPT: Final = 0.5  # seconds of it that are kept for the orders themselves
PRICE: Final = 5e-8  # seconds that a turn of a playout takes, for each tile and seat,
CHEAP: Final = 1.8e-8  # and when there is hardly any ore to look for:
SCARCE: Final = 10  # units for each
SPARE: Final = 3  # times the planned time after which it stops
WORLDS: Final = 12  # at most, for those that stay longest;
DEEP: Final = 6  # and so many times as many for all of them, where there is time
FADES: Final = 0.8  # what the last turn's choice counts for the next one
MARGIN: Final = 0.002  # by how much other habits must be better than those that it has now
EARLY: Final = 10.0  # units that a building is worth while there is ore,
LATE: Final = (40.0, 160.0)  # when there is none, with two seats and with more,
LASTS: Final = (3.0, 12.0)  # and how fast it goes from one to the other, with the turns for which there is ore
WEIGHT: Final = (1.0, 3.0)  # of all buildings beside all units, where armies have grown for long
STOCK: Final = 12.0  # stock that is worth a unit
SPEED: Final = 0.1  # of a game's value goes by how soon it is won, or how late lost
LEAST: Final = 4  # playouts; fewer are no choice
ROUNDS: Final = 2  # worlds for each of the habits that are compared, on the average
NEW: Final = 0.25  # of those that are compared, those that are new, where there isn't time for all
PARENTS: Final = 4  # that are changed, the best ones;
LOYAL: Final = 0.6  # but of all changes, so many are of those that are played,
CROSS: Final = 0.2  # and so many have two parents
SETTLED: Final = 4  # places where changes stay that do well, whatever comes

_SHEETS: Final = many(Sheet, 1)


def units_for(seats: int, ore: int, units: int, buildings: int) -> float:
    """What a building is worth, by what there is on the map.

    While there is ore it is worth what it costs; then it makes units for the rest of the war. Of two, who destroys the
    other's army has won. Of several, those with more buildings win most: the more units there are, the less these say.
    """
    crowd = int(seats > 2)
    late = max(LATE[crowd], WEIGHT[crowd] * units / max(1, buildings))
    return max(EARLY, late - LASTS[crowd] * ore / max(1, units))


def depth(playouts: float, count: int) -> int:
    """Worlds of a round, after which the worse half of so many rows is left out: one, or more if there is time.

    All rounds with one world each take twice as many playouts as there are rows, and one in each round for the row that
    they are compared with.
    """
    return max(1, min(DEEP, int(playouts / (2 * count + count.bit_length() + 1))))


class Member:
    """A row of habits in one of the places for guests, and how it has done beside the one that is played."""

    def __init__(self, place: int, row: Row) -> None:
        self.place, self.row = place, row
        self.ahead = 0.0  # of the row that is played, in the same worlds
        self.worlds = 0.0  # in which it was compared, the latest ones most

    def learn(self, ahead: float) -> None:
        self.worlds += 1
        self.ahead += (ahead - self.ahead) / self.worlds


class Portfolio:
    """The habits of one seat in one match. `rows` are tried, and changes of those that do well; the first one is played
    until something else is known.

    A playout says little by itself, because worlds differ more than habits do. So habits are compared with those that
    are played, in the same worlds: it is the difference that is remembered, and that fades as the war goes on.
    """

    def __init__(self, seat: int, seed: int, rows: Sequence[Sequence[int]], manner: int) -> None:
        assert len(rows) <= GUESTS
        self._seat, self._seed, self._manner = seat, seed, manner
        self.desk = Desk()
        self._told = False
        self._habits = Habits(PLAYOUTS, seat, number(seed, "habits"))
        self._chance = random.Random(number(seed, "chance"))
        self._states = many(State, 1)
        self._trials = many(Trial, 1)
        self._trials.numbers()["sheet"] = SCRIPTED
        self.members = [Member(place, tuple(row)) for place, row in enumerate(rows)]
        self._given = len(rows)
        self._chosen = self.members[0]
        self._building = EARLY
        self._price = PRICE
        self._waited = 0  # turns since the last choice
        self._sure = False  # that the game is won
        self.tried = 0  # playouts so far

    @property
    def chosen(self) -> int:
        """The place of the habits that are played."""
        return self._chosen.place

    @property
    def row(self) -> Row:
        """The habits that are played."""
        return self._chosen.row

    @property
    def script(self) -> int:
        """Their number, behind those of the scripts."""
        return HABITS + self.chosen

    def look(self, state: State, time_left: float) -> None:
        """The position at each turn. The habits are chosen again as soon as the clock is good for a few playouts."""
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
        if self._sure:
            seconds *= CALM
        steps = min(HORIZON, max(1, PLAYOUTS.steps_left(state) + 1))
        self._weigh(state)
        price = self._price * state.seats * state.width * state.height * steps
        planned = min(seconds * self._waited, MOST * time_left)
        if planned >= price * LEAST:
            self._waited = 0
            self._choose(state, steps, planned, price)

    def _tell(self, state: State) -> None:
        self._told = True
        PLAYOUTS.ask(state, self._seat, 0, 0, Sheet(), self.desk)  # the scripts learn their habits first
        for member in self.members:
            self._write(member)

    def _write(self, member: Member) -> None:
        for column, value in enumerate(member.row):
            self.desk.mind.temper[(HABITS + member.place) * COLUMNS + column] = value

    def _choose(self, state: State, steps: int, seconds: float, price: float) -> None:
        """Rounds of playouts in equal worlds; after each the worse half of those that are compared is left out."""
        latest = time.thread_time() + SPARE * seconds
        model = self._habits.model(state)
        for member in self.members:
            member.worlds *= FADES
        running = self._entrants(int(seconds / price / ROUNDS))
        deep = depth(seconds / price, len(running))
        usual = 0.0
        for world in range(WORLDS * deep):
            if seconds < price * (len(running) + 1) or not running:
                break
            floor = self._play(self._chosen, world, steps, model)
            usual += (floor - usual) / (world + 1)
            for member in running:
                member.learn(self._play(member, world, steps, model) - floor)
            seconds -= price * (len(running) + 1)
            if time.thread_time() > latest:
                break
            if (world + 1) % deep == 0:
                running.sort(key=lambda member: -member.ahead)
                running = running[: (len(running) + 1) // 2]
        self._sure = usual > SURE
        best = max(self.members, key=lambda member: (member.ahead, -member.place))
        if best.ahead > MARGIN:
            self._play_from_now_on(best)

    def _play_from_now_on(self, best: Member) -> None:
        """Who was ahead of the former choice is now compared with this one."""
        ahead = best.ahead
        for member in self.members:
            member.ahead -= ahead
        self._chosen.worlds = best.worlds
        best.ahead = 0.0
        self._chosen = best

    def _entrants(self, count: int) -> list[Member]:
        """Who is compared with those that are played: the best, who has waited longest, and changes of the best."""
        fresh = self._grown(max(1, int(count * NEW), count - len(self.members)))
        others = [member for member in self.members if member is not self._chosen and member not in fresh]
        others.sort(key=lambda member: -member.ahead)
        count = max(1, count - len(fresh))
        best, rest = others[: count // 2], others[count // 2 :]
        rest.sort(key=lambda member: member.worlds)
        return best + rest[: count - len(best)] + fresh

    def _grown(self, count: int) -> list[Member]:
        """Changes of the best, in places that are free or else of those that did worst."""
        losers = [member for member in self.members[self._given :] if member is not self._chosen]
        losers.sort(key=lambda member: -member.ahead)
        free = list(range(len(self.members), GUESTS))
        fresh: list[Member] = []
        for _ in range(min(count, GUESTS - self._given - SETTLED)):
            parent, row = self._child()
            if any(row == member.row for member in self.members):
                continue
            if not free and not losers:
                break
            member = Member(free.pop(0) if free else losers.pop().place, row)
            member.ahead = parent.ahead  # the best guess until it has played
            self.members[member.place : member.place + 1] = [member]
            self._write(member)
            fresh.append(member)
        return fresh

    def _child(self) -> tuple[Member, Row]:
        """Changed habits, and whose they were."""
        best = sorted(self.members, key=lambda member: -member.ahead)[:PARENTS]
        parent = self._chosen if self._chance.random() < LOYAL else self._chance.choice(best)
        if self._chance.random() < CROSS:
            return parent, crossed(parent.row, self._chance.choice(self.members).row, self._chance)
        return parent, changed(parent.row, PLAYOUTS.choices, self._chance)

    def _weigh(self, state: State) -> None:
        """What playouts cost from here, and what a building is worth."""
        self._states[0] = state
        ore = int(self._states.numbers()[0]["cell"]["ore"][: state.width * state.height].sum())
        units, buildings = (
            sum(counts[seat] for seat in range(state.seats)) for counts in (state.units, state.buildings)
        )
        self._price = PRICE if SCARCE * ore > units else CHEAP
        self._building = units_for(state.seats, ore, units, buildings)

    def _play(self, member: Member, world: int, steps: int, model: list[list[float]]) -> float:
        """The value of one playout for the seat."""
        state, trial = self._states[0], self._trials[0]
        self.tried += 1
        trial.key = self._manner if world == 0 else number(self._seed, "world", state.turn, world)
        trial.steps = steps
        for seat in range(state.seats):
            trial.script[seat] = HABITS + member.place if seat == self._seat else self._guess(model[seat], world, seat)
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
