"""Sparring partners of Monarchs that foresee marches: in worlds that agree with what they have seen, they ask scripts
what the others will order. Two of a kind leave each other alone, and squeeze a third.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

from polemos.games.monarchs.board import NAMES, NATIONS
from polemos.games.monarchs.bots.foes import Forces, Guesses
from polemos.games.monarchs.bots.plans import Plan
from polemos.games.monarchs.bots.sight import Sight, may_order, sheet
from polemos.games.monarchs.bots.worth import NO_ARMY, RISK, UNKNOWN_REST, Worth, winning
from polemos.games.monarchs.notation import Order
from polemos.games.monarchs.playouts import PLAYOUTS
from polemos.games.monarchs.state import BLESS, Sheet
from polemos.games.monarchs.view import Setting, View
from polemos.kernel.dice import number
from polemos.kernel.log import SILENT
from polemos.kernel.playouts import SCRIPTED, Trial
from polemos.kernel.record import many
from polemos.search.player import load

FOLLOWING: Final = 0.12  # seconds of CPU time a turn for beliefs
WORLDS: Final = 36  # in which the others are asked
MODELS: Final = ("watchman", "watchman", "sentry", "wary", "steady", "steady", "marshal", "striker")
LATE: Final = 3  # turns from the end in which the patient one attacks
JUDGED: Final = 200  # playouts for each plan that the sniper compares


class Taste(NamedTuple):
    keeps: float  # chance that a hex held after this turn is still held a turn later
    risk: float  # chance that an army on new ground is attacked there next turn
    loss: float  # how much more a defeat counts than a victory
    wary: float = 1.0  # it leaves ground alone where somebody will stand in more of the worlds, unless it wins there


DEFENDS: Final = Taste(0.75, 1.2, 2.5, wary=0.5)
ATTACKS: Final = Taste(1.0, 0.15, 0.9)
SNIPES: Final = Taste(0.7, 0.5, 1.8, wary=0.4)
DARES: Final = Taste(0.8, 0.2, 1.0)


class TastedWorth(Worth):
    """What armies are worth to somebody of another taste than `steady`."""

    def __init__(self, sight: Sight, guesses: Guesses, imagined: int, rest: int | None, by_battles: bool, taste: Taste):
        super().__init__(sight, guesses, imagined, rest, by_battles, dict.fromkeys(NATIONS, 0.0))
        self._taste = taste
        turns = range(rest or UNKNOWN_REST)
        self._hex = sum((1 + (turn + 1 == rest)) * taste.keeps**turn for turn in turns)

    def _worth(self, hex: str, regiments: int, blessed: bool) -> float:
        worth, sight = super()._worth(hex, regiments, blessed), self._sight
        if not regiments or hex in sight.mine:
            return worth
        guesses = self._guesses.get(hex, Counter())
        if sum(guesses.values()) > self._taste.wary * self._imagined:
            strongest = max(strength for forces in guesses for _, strength in forces)
            if 4 * regiments < strongest + 5:
                return -self._beaten / 2
        if not self._last:
            short = (max(sight.threats(hex).values(), default=0) - regiments + 1) / 3
            worth -= (self._taste.risk - RISK) * (self._hex + self._beaten) * min(1.0, max(0.0, short))
        return worth

    def _battle(self, hex: str, regiments: int, blessed: bool, forces: Forces) -> float:
        sight, own = self._sight, hex in self._sight.mine
        owner = sight.who if own else sight.strange[hex].owner
        first, second = ([strength + (name == owner) for name, strength in forces] + [NO_ARMY])[:2]
        chance = winning(4 * regiments + own + 2 * blessed, first, second)
        lost = self._beaten * self._toll(hex, sight.who, regiments) + own * self._hex
        return super()._battle(hex, regiments, blessed, forces) - (self._taste.loss - 1) * (1 - chance) * lost


class PatientBot:
    """Keeps what it has and takes what will be empty, until three turns are left; then it takes what is held weakly."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        load(PLAYOUTS)
        self._setting, self._nation, self._seed = setting, NATIONS.index(seat), seed
        self._beliefs = PLAYOUTS.beliefs(setting, seat, seed)
        self._desk = PLAYOUTS.desk()

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if not may_order(view):
            return ()
        self._beliefs.see(view, FOLLOWING)
        self._states = self._beliefs.states(WORLDS, number(self._seed, "states", view.turn))
        chosen = self.choose(view, Sight(self._setting, view))
        self._beliefs.gave(chosen)
        return chosen

    def choose(self, view: View, sight: Sight) -> Sequence[Order]:
        is_late = view.turns > 0 and view.turns - view.turn < LATE
        return self.plan(view, sight, ATTACKS if is_late else DEFENDS)

    def plan(self, view: View, sight: Sight, taste: Taste) -> Sequence[Order]:
        rest = view.turns - view.turn + 1 if view.turns else None
        guesses = self.foreseen(view.turn, sight)
        worth = TastedWorth(sight, guesses, WORLDS, rest, self._setting.scoring == "battles", taste)
        plan = Plan(sight, worth)
        for _ in range(2):  # the marches depend on the blessing, and it on them
            plan.improve()
            plan.bless()
        return sheet(plan.marches, plan.blessed)

    def foreseen(self, turn: int, sight: Sight) -> Guesses:
        """By hex in sight: who will stand there in how many of the worlds, if the others play scripts."""
        found: Guesses = {}
        for world in range(WORLDS):
            state = self._states[world % len(self._states)]
            there: dict[str, list[tuple[str, int]]] = {}
            for nation, name in enumerate(NATIONS):
                if nation != self._nation:
                    key = number(self._seed, "foreseen", turn, world, nation)
                    for hex, strength in self._marched(state, nation, key):
                        there.setdefault(hex, []).append((name, strength))
            for hex, forces in there.items():
                if hex in sight.mine or hex in sight.strange:
                    found.setdefault(hex, Counter())[tuple(forces)] += 1
        return found

    def _marched(self, state: Any, nation: int, key: int) -> list[tuple[str, int]]:
        """Where a nation would stand after its marches, with its strength there in quarters."""
        after = [
            regiments if owner == nation else 0 for owner, regiments in zip(state.owner, state.regiments, strict=True)
        ]
        blessed, orders = -1, Sheet()
        if not state.dropped[nation]:
            script = PLAYOUTS.scripts.index(MODELS[key % len(MODELS)])
            PLAYOUTS.ask(state, nation, script, key, orders, self._desk)
        for line in (orders.lines[i] for i in range(orders.count)):
            if line.kind == BLESS:
                blessed = line.target
            else:
                after[line.origin] -= line.number
                after[line.target] += line.number
        return [(NAMES[hex], 4 * number + 2 * (hex == blessed)) for hex, number in enumerate(after) if number > 0]


class SniperBot(PatientBot):
    """Steps on ground that will be empty, or where it wins for certain, and defends its own with what is left; unless
    playouts say that this turn daring is worth more."""

    def choose(self, view: View, sight: Sight) -> Sequence[Order]:
        plans = [self.plan(view, sight, taste) for taste in (SNIPES, DARES)]
        sheets = many(PLAYOUTS.sheet, len(plans))
        for i, plan in enumerate(plans):
            sheets[i] = PLAYOUTS.enter(self._states[0], self._nation, plan)
        trials = many(Trial, JUDGED * len(plans))
        rows = trials.numbers()
        rows["sheet"], rows["steps"] = SCRIPTED, 0
        for at, (world, which) in enumerate(product(range(JUDGED), range(len(plans)))):
            key = number(self._seed, "judged", view.turn, world)
            rows["start"][at], rows["key"][at] = world % len(self._states), key
            rows["sheet"][at][self._nation] = which
            for nation in range(len(NATIONS)):
                rows["script"][at][nation] = (key >> 8 * nation) % len(PLAYOUTS.scripts) * (nation != self._nation)
        PLAYOUTS.play(self._states, sheets, trials, 0, len(trials), SILENT, self._desk)
        means = rows["value"][:, self._nation].reshape(JUDGED, len(plans)).mean(axis=0)
        return plans[int(means.argmax())]


def partners() -> dict[str, Callable[[Any, str, int], Any]]:
    return {"patient": PatientBot, "sniper": SniperBot}
