"""Sparring partners for the league: scripts of a game with traits that make them play in another style.

`python -m benchmarks.grow GAME` finds further ones; those found so far are the exploiters here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from math import inf
from typing import Any, Final

from polemos.kernel.dice import number
from polemos.kernel.log import SILENT
from polemos.kernel.playouts import SCRIPTED, Playouts, Trial
from polemos.kernel.record import many
from polemos.kernel.rooms import package_of
from polemos.search.habits import Habits
from polemos.search.player import SHARE
from polemos.search.search import Settings

NEVER: Final = 9999
MANY: Final = 1 << 30

Row = tuple[int, ...]

# The traits of each first row; the others say what is different.
USUAL: Final[dict[str, str]] = {
    "demons": (
        "floor=30 sure=16 cost=40 plenty=150 guns=4 more=150 weak_guns=3 meet=1 every=3 kind=2 houses=9999 save=0 "
        "wait=0 churches=0 early=0 provoke=9999 spread=0 sell=0 endure=0"
    ),
    "monarchs": "keeps=65 risk=40 step=10 hold=1 attack=5 roam=1 enough=80 fancy=200 aid=30 beaten=200 turns=24",
    "monad": (
        "most=1073741824 crowd=8 helper=48 fetch=5 alarm=3 sure=130 reserve=10 local=0 brave=0 wave=0 lead=100 "
        "press=100 ahead=0 walk=0 party=0 apart=0 poor=0 shy=0 greed=0 look=0 vein=0 grab=0 calm=105 dodge=0 rally=0 "
        "chase=0 prey=0"
    ),
}
STYLES: Final[dict[str, dict[str, dict[str, int]]]] = {
    "demons": {
        "keeper's twin": {},
        "turtle": {"sure": NEVER, "plenty": 40, "guns": 12, "more": 60, "weak_guns": 6, "early": 3, "meet": 2},
        "rush": {"sure": 0, "cost": 0, "houses": 6, "plenty": NEVER, "spread": 1},
        "economy": {"floor": -60, "sure": NEVER, "guns": 0, "more": 999, "weak_guns": 0, "meet": 0},
        "harasser": {"sure": 5, "cost": 0, "houses": 20, "spread": 1},
        "late game": {"wait": 150, "sure": 7, "cost": 0, "guns": 6},
    },
    "monarchs": {
        "steady's twin": {},
        "turtle": {"keeps": 40, "risk": 200, "beaten": 300, "aid": 60},
        "rush": {"keeps": 95, "risk": 0, "hold": 4, "attack": 2},
        "economy": {"beaten": 0, "keeps": 80},
        "harasser": {"beaten": 500, "risk": 0, "keeps": 40},
        "far-sighted": {"keeps": 100, "risk": 100, "turns": 12},
    },
    "monad": {
        "overlord's twin": {},
        "turtle": {"sure": 300, "reserve": 50, "brave": MANY, "alarm": 5},
        "rush": {"most": 1, "sure": 0, "reserve": 1, "local": 1, "alarm": 2},
        "economy": {"sure": 400, "reserve": 100, "crowd": 4, "helper": 96, "lead": 300},
        "harasser": {"sure": 100, "reserve": 0, "local": 1, "lead": 50},
        "waves": {"most": 6, "wave": 15, "brave": 80, "sure": 110},
    },
}

# Grown by `benchmarks/grow.py`. A nemesis was hunted for in games against `champion` itself; the others win where all
# other scripts lose, under finals-2025 on the side that the demons attack.
EXPLOITERS: Final[dict[str, dict[str, dict[str, int]]]] = {
    "monad": {
        "nemesis": {"crowd": 2, "helper": 96, "fetch": -1, "alarm": 3, "sure": 401, "reserve": 0, "lead": 50}
        | {"party": -1, "apart": -1, "look": 2, "grab": -1, "calm": 52, "rally": 1},
    },
    "monarchs": {
        "nemesis": {"keeps": 98, "risk": 98, "step": 4, "hold": 0, "attack": 40, "roam": 7, "enough": MANY}
        | {"fancy": 198, "aid": 21, "beaten": 199, "turns": 14},
    },
    "demons": {
        "nemesis": {"floor": 49, "sure": 2, "cost": 8, "plenty": 100, "guns": 0, "more": MANY, "weak_guns": MANY}
        | {"every": MANY, "houses": MANY, "save": 96, "wait": 46, "churches": 9, "provoke": MANY, "spread": 19}
        | {"sell": 1, "endure": 2},
        "crusade": {"floor": 44, "sure": 0, "cost": 0, "plenty": 54, "guns": 3, "more": 133, "weak_guns": 0, "meet": 0}
        | {"every": 2, "kind": 0, "churches": 10, "spread": 1},
        "storm": {"floor": 40, "sure": 0, "cost": 0, "plenty": 60, "guns": 6, "weak_guns": 2, "meet": 0, "houses": 6}
        | {"spread": 1},
    },
}

# Scripts by name for the first part of a game and from a turn on.
CHANGES: Final[dict[str, tuple[str, int, str]]] = {
    "demons": ("economist", 150, "rusher"),
    "monarchs": ("holder", 5, "striker"),
    "monad": ("holder", 120, "storm"),
}


def state_in(game: Any) -> Callable[[Any, Any], Any]:
    """(setting, view): a state that looks like the view; a script sees no more of it than the view shows."""
    package = package_of(game)
    if game.name == "demons":
        found: Callable[[Any, Any], Any] = import_module(f"{package}.imagine").restored
        return found
    imagine = import_module(f"{package}.view").imagine
    return (lambda setting, view: imagine(setting, view, 1)) if game.name == "monarchs" else imagine


class Partner:
    """Plays a script, with traits of its own if it is given some."""

    def __init__(
        self,
        game: Any,
        kit: Playouts,
        traits: Sequence[int] | None,
        setting: Any,
        seat: str,
        seed: int,
        script: int = 0,
    ) -> None:
        self._kit, self._setting, self._seed, self._traits = kit, setting, seed, traits
        self._game, self._name = game, seat
        self._state_in, self._desk, self._sheet = state_in(game), kit.desk(), kit.sheet
        self._script, self._ready = script, False

    def orders(self, view: Any, time_left: float) -> Sequence[Any]:
        state = self._state_in(self._setting, view)
        if view.outcome is not None or self._name not in self._game.to_act(state):
            return ()
        seat = self._game.seats(state).index(self._name)
        if not self._ready and self._traits is not None and self._kit.set_traits is not None:
            self._kit.set_traits(state, self._desk, self._script, self._traits)
            self._ready = True
        sheet = self._sheet()
        self._kit.ask(state, seat, self.choose(state, seat), number(self._seed, view.turn), sheet, self._desk)
        return self._kit.orders(state, seat, sheet)

    def choose(self, state: Any, seat: int) -> int:
        """The script of this turn."""
        return self._script


class Changer(Partner):
    """One script first, another one from a turn on."""

    def choose(self, state: Any, seat: int) -> int:
        first, turn, then = CHANGES[self._game.name]
        return self._kit.scripts.index(first if state.turn < turn else then)


class Mixture(Partner):
    """Every few turns another script."""

    def choose(self, state: Any, seat: int) -> int:
        every = 2 if self._game.name == "monarchs" else 25
        return number(self._seed, "mixture", state.turn // every) % len(self._kit.scripts)


class Copycat(Partner):
    """The script that the next seat seems to play; in fog, where that cannot be told, the likeliest one."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._habits: Habits | None = None

    def choose(self, state: Any, seat: int) -> int:
        if self._habits is None:
            self._habits = Habits(self._kit, seat, self._seed)
        self._habits.watch(state)
        model = self._habits.model(state)[(seat + 1) % self._kit.seats(state)]
        return max(range(len(model)), key=model.__getitem__)


class Portfolio(Partner):
    """What strangers write first: plays all scripts out from here against all scripts, and plays the best one's sheet.

    It has a part of the clock, counted in playouts, so that it takes about as long as `champion`.
    """

    def orders(self, view: Any, time_left: float) -> Sequence[Any]:
        self._left = time_left
        return super().orders(view, time_left)

    def choose(self, state: Any, seat: int) -> int:
        kit, count = self._kit, len(self._kit.scripts)
        seconds = 0.05 if self._left == inf else max(0.0, self._left) / min(SHARE, kit.steps_left(state) + 2)
        states = many(kit.state, 1)
        states[0] = state
        steps = Settings().steps(kit, states) if self._game.name == "monad" else 0  # its games are too long
        each = 1 / kit.rate if kit.price is None else kit.price(states, steps)
        seats = kit.seats(state)
        worlds = max(1, min(4 * count, int(seconds / each / count)))
        trials = many(Trial, worlds * count)
        numbers = trials.numbers()
        numbers["sheet"], numbers["steps"], numbers["start"] = SCRIPTED, steps, 0
        for at in range(len(trials)):
            world, script = divmod(at, count)
            key = number(self._seed, "portfolio", state.turn, world)
            numbers["key"][at] = key
            for other in range(seats):
                numbers["script"][at][other] = (
                    (world + state.turn) % count if seats == 2 else (key >> 4 * other) % count
                )
            numbers["script"][at][seat] = script
        kit.play(states, many(kit.sheet, 1), trials, 0, len(trials), SILENT, self._desk)
        means = numbers["value"][:, seat].reshape(worlds, count).mean(axis=0)
        return int(means.argmax())


def kit_of(game: Any) -> Playouts | None:
    """What a game gives to the search, if it gives anything."""
    name = f"{package_of(game)}.playouts"
    try:
        kit = import_module(name).PLAYOUTS
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None
    return kit if isinstance(kit, Playouts) and kit.traits else None


def rows_of(game: Any) -> dict[str, Row]:
    """The traits of all styles and exploiters; in Minions, what they value boards by."""
    kit = kit_of(game)
    if kit is None:
        found: dict[str, Row] = _minions().rows() if game.name == "minions" else {}
        return found
    styles = {**STYLES[game.name], **EXPLOITERS.get(game.name, {})}
    usual = {name: int(value) for name, value in (pair.split("=") for pair in USUAL[game.name].split())}
    return {name: tuple((usual | traits)[trait] for trait in kit.traits) for name, traits in styles.items()}


def guest_of(game: Any, row: Row) -> Any:
    """A maker of bots with these traits."""
    kit = kit_of(game)
    return partial(_minions().Weighted, row) if kit is None else partial(Partner, game, kit, row)


def _minions() -> Any:
    return import_module("benchmarks.minions_partners")


def partners_of(game: Any) -> dict[str, Any]:
    """Makers of bots by name."""
    if game.name == "minions":  # its scripts have no traits
        minions: dict[str, Any] = _minions().partners()
        return minions
    kit = kit_of(game)
    if kit is None:
        return {}
    found: dict[str, Any] = {name: partial(Partner, game, kit, row) for name, row in rows_of(game).items()}
    if game.name in ("monad", "monarchs"):
        found |= import_module(f"benchmarks.{game.name}_partners").partners()
    return found | {
        "changer" if "late game" in found else "late game": partial(Changer, game, kit, None),
        "mixture": partial(Mixture, game, kit, None),
        "copycat": partial(Copycat, game, kit, None),
        "portfolio": partial(Portfolio, game, kit, None),
    }
