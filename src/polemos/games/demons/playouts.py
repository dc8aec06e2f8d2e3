"""Demons for the search: who plays its playouts, and sheets as orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from polemos.games.demons.ground import shipped
from polemos.games.demons.imagine import restored
from polemos.games.demons.notation import Build, Destroy, Hire, Order, Provoke
from polemos.games.demons.orders import entered
from polemos.games.demons.rules import playouts
from polemos.games.demons.rules.judging import FEATURES
from polemos.games.demons.rules.scripts import SCRIPTS, SPARE, TEMPERS, TRAITS, recall, row_of
from polemos.games.demons.state import COMPASS, RED, RULES, TOWERS, State
from polemos.games.demons.state import Order as OrderRecord
from polemos.games.demons.view import Setting
from polemos.kernel.dice import number
from polemos.kernel.judgement import Judgement, furnish
from polemos.kernel.playouts import Plain, Playouts
from polemos.kernel.record import Many

# Seconds of a turn in a playout, by rule set: in any case, and for each tile of land and each lane. Under the classic
# rules all land is built on sooner or later.
STEP: Final = (0.4e-6, 1e-6)
LAND: Final = (9e-9, 0.0)
LANE: Final = (0.15e-6, 0.0)
START: Final = 4e-5  # and of its beginning


def orders_in(state: State, player: int, sheet: OrderRecord) -> list[Order]:
    """The lines of a sheet."""
    lines: list[Order] = []
    if sheet.build >= 0:
        tile = state.tile[sheet.build_at]
        lines.append(Build(TOWERS[sheet.build], tile.x, tile.y))
    elif sheet.destroy_at >= 0:
        tile = state.tile[sheet.destroy_at]
        lines.append(Destroy(tile.x, tile.y))
    if sheet.hire >= 0:
        lines.append(Hire(COMPASS[sheet.hire]))
    if sheet.provoke:
        lines.append(Provoke())
    return lines


def sheet_of(state: State, player: int, orders: Sequence[Order]) -> OrderRecord:
    """The sheet with these lines, as scripts would write it."""
    sheet = entered(state, player, orders)
    for part in range(len(sheet.lines)):
        sheet.lines[part] = sheet.line[part] = 0
    return sheet


def believe(setting: Setting, seat: str, seed: int) -> Plain:
    """10.1 Nothing is hidden."""
    return Plain(State, restored, setting)


def explain(before: State, after: State, player: int, script: int, key: int, desk: playouts.Desk) -> float:
    """How well a script explains a step of a player; with orders in two steps, one of them."""
    sheet = OrderRecord()
    playouts.ask(before, player, script, number(key, before.turn), sheet, desk)
    return playouts.resemble(before, after, player, sheet) / 2


def set_traits(state: State, desk: playouts.Desk, script: int, values: Sequence[int]) -> None:
    """Another temper for a script, in this desk."""
    playouts.ask(state, RED, script, 0, OrderRecord(), desk)  # it learns the map, and the usual tempers
    for column, value in enumerate(values):
        desk.purse.temper[row_of(script) * len(TRAITS) + column] = value


# The values of each trait that are tried when a script is grown during a match.
CHOICES: Final = {
    "floor": (-60, -20, 0, 15, 30, 45, 60, 90, 120, 160),
    "sure": (0, 5, 9, 13, 16, 20, 30, 9999),
    "cost": (0, 20, 40, 80, 160, 300),
    "plenty": (30, 40, 54, 75, 100, 150, 250, 400, 1000),
    "guns": (0, 1, 2, 3, 4, 6, 8, 12),
    "more": (30, 50, 75, 100, 150, 200, 300, 1000),
    "weak_guns": (0, 2, 3, 5, 8, 12),
    "meet": (0, 1, 2, 3, 4),
    "every": (1, 2, 3, 4, 99),
    "kind": (0, 1, 2),
    "houses": (4, 6, 10, 15, 20, 30, 9999),
    "save": (0, 30, 60, 100, 150),
    "wait": (0, 30, 60, 100, 150, 250, 400),
    "churches": (0, 1, 2, 4, 6, 8, 10, 14),
    "early": (0, 1, 2, 3, 5),
    "provoke": (5, 20, 50, 100, 9999),
    "spread": (0, 1),
    "sell": (0, 6, 12, 20),
    "endure": (0, 1),
}


# The first rows of a match, by rule set, grown on all shipped maps from both sides for a mean that is high against all
# scripts and not low against any. They aren't scripts, so nobody has them by name.
SEEDS: Final = (
    (
        (30, 0, 79, 1000, 0, 300, 12, 2, 2, 2, 9999, 60, 100, 0, 0, 9999, 0, 12, 1),  # few guns, attacks when it can
        (45, 20, 160, 1000, 0, 200, 12, 1, 4, 2, 9999, 100, 0, 0, 0, 9999, 0, 12, 1),  # few guns, attacks if it is safe
    ),
    (
        (60, 0, 0, 54, 0, 1000, 0, 2, 1, 2, 30, 100, 30, 14, 0, 9999, 1, 20, 1),  # fourteen churches, for several lanes
        (120, 5, 300, 250, 6, 300, 0, 1, 1, 1, 9999, 0, 400, 2, 0, 9999, 1, 12, 0),  # miniguns and gold, for one lane
    ),
)


def rows(state: State) -> list[tuple[int, ...] | None]:
    """The tempers of the scripts under these rules, and the first rows of a match."""
    purse = playouts.Desk().purse
    recall(state, purse)
    width = len(TRAITS)
    found = [tuple(int(purse.temper[row * width + column]) for column in range(width)) for row in range(TEMPERS)]
    named = [found[script] if script < TEMPERS else None for script in range(len(SCRIPTS))]
    return [*named, *SEEDS[state.rules]]


def price(states: Many[State], steps: int) -> float:
    """By the turns that are left, and by the map."""
    state = states[0]
    left = (state.turns - state.turn) * (1 + bool(state.two_decisions))
    land, lanes = state.tiles - state.path, state.lanes
    turn = STEP[state.rules] + LAND[state.rules] * land + LANE[state.rules] * lanes
    return turn * min(left, steps or left) + START


WEIGHTS: Final = Path(__file__).parent / "data" / "judgement.weights"


def fresh_desk() -> playouts.Desk:
    """A desk with what was learned."""
    desk = playouts.Desk()
    furnish(JUDGEMENT, desk)
    return desk


def starts() -> list[Mapping[str, Any]]:
    """All shipped maps and as many drawn ones, under both rule sets."""
    maps = [*shipped(), *["random"] * len(shipped())]
    return [{"map": name, "rules": rules} for rules in RULES for name in maps]


JUDGEMENT: Final = Judgement(
    file=WEIGHTS,
    features=FEATURES,
    parts=RULES,
    part=lambda state: state.rules,
    describe=playouts.describe_for,
    nets=lambda desk: desk.nets,
    position=lambda desk: desk.state,
    starts=starts,
)

PLAYOUTS = Playouts(
    state=State,
    sheet=OrderRecord,
    desk=fresh_desk,
    scripts=SCRIPTS,
    horizon=60,
    rate=4000,
    seats=lambda state: 2,
    steps_left=lambda state: (state.turns - state.turn) * (1 + bool(state.two_decisions)),
    play=playouts.play_trials,
    ask=playouts.ask,
    propose=playouts.propose,
    vary=playouts.vary,
    orders=orders_in,
    enter=sheet_of,
    beliefs=believe,
    price=price,
    likely=(2.0, 1.0, 1.0, 1.0, 1.0, 4.0, 1.0, 1.0),
    explain=explain,
    entries=(playouts.resemble,),
    traits=TRAITS,
    set_traits=set_traits,
    spare=SPARE,
    choices=tuple(CHOICES[trait] for trait in TRAITS),
    rows=rows,
    judgement=JUDGEMENT,
)
