"""Scripted generals for playouts: they attack what they can win, and guard more or less. No paragraph of the book.

They see no more than a nation does, and draw from a key. A different key gives a different sheet, so they serve as
generators of candidates, too.
"""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.board import HEXES
from polemos.games.monarchs.rules.policies import (
    GOAL,
    MINE,
    NONE,
    Plan,
    count_onward,
    draw,
    holder,
    onward_one,
    read,
    send,
    write,
)
from polemos.games.monarchs.rules.schemes import TEMPERS, Scheme, scheme
from polemos.games.monarchs.rules.sight import look
from polemos.games.monarchs.rules.tables import border_between, degree, neighbour
from polemos.games.monarchs.state import BLESS, GOOD, NATIONS, NOBODY, Sheet, Sight, State
from polemos.kernel.dice import mix
from polemos.kernel.record import Array, Record, i8, i16, i32, size, table, u64
from polemos.kernel.rule import rule

SCRIPTS: Final = ("watchman", "sentry", "wary", "steady", "marshal", "striker", "warden", "holder")
GENERAL: Final = TEMPERS  # the scripts before this one scheme, those from here on are generals
HOLDER: Final = GENERAL + 3

# Columns of the tempers, all in hundredths.
GUARDS: Final = 0  # how much of the threat to a hex its own regiments stay to meet
SURE: Final = 1  # chance that one regiment more is sent than stands there
PASSES: Final = 2  # chance that a goal that could be won is left alone
FANCY: Final = 3  # hundredths of a regiment by which a goal may be stronger and still be taken first
DARES: Final = 4  # chance that a hex with foreign regiments is a goal at all

_TEMPERS: Final = table(
    (
        (50, 80, 10, 200, 90),  # marshal: half a guard, and most of what can be won
        (0, 80, 10, 200, 100),  # striker: no guard at all
        (100, 95, 20, 150, 60),  # warden: a full guard, and what is left attacks
    )
)


class Mind(Record):
    """What a general thinks of each hex."""

    scheme: Scheme
    plan: Plan
    free: Array[i32] = size(HEXES)  # regiments that nobody has sent anywhere yet
    price: Array[i32] = size(HEXES)  # of a goal, in hundredths of regiments; the cheapest is taken first
    goal: Array[i8] = size(HEXES)  # 1: a goal that was not thought about yet
    goals: i16
    row: Array[i8] = size(HEXES)  # all goals
    attack: Array[i8] = size(HEXES)  # 1: is attacked


@rule
def temper(script: int, what: int) -> int:
    return _TEMPERS[script][what]


@rule
def chance(hundredths: int, key: u64, plan: Plan) -> bool:
    return draw(key, 100, plan) < hundredths


@rule
def order_of(script: int, state: State, nation: int, key: u64, sheet: Sheet, mind: Mind) -> None:
    """What a script orders for a nation, from what the nation sees."""
    if script >= GENERAL:
        quick_order(script, state, nation, key, sheet, mind)
        return
    look(state, nation, mind.plan.sight)
    blessed = scheme(script, mind.plan.sight, mix(key ^ (nation + 1)), sheet, mind.scheme)
    if blessed >= 0:
        put_blessing(blessed, sheet)


@rule
def quick_order(script: int, state: State, nation: int, key: u64, sheet: Sheet, mind: Mind) -> None:
    """The same for scripts that do not scheme. Guesses by the thousand need no better ones."""
    look(state, nation, mind.plan.sight)
    own = mix(key ^ (nation + 1))
    if script == HOLDER:
        holder(mind.plan.sight, own, sheet, mind.plan)
    else:
        general(script - GENERAL, mind.plan.sight, own, sheet, mind)


@rule
def general(script: int, sight: Sight, key: u64, sheet: Sheet, mind: Mind) -> None:
    """Takes goals one by one, the weakest first, with one regiment more than it sees, and moves the rear up."""
    plan = mind.plan
    sheet.count = 0
    if sight.reason != 0 or sight.dropped[sight.who]:
        return
    read(sight, plan)
    plan.draws = 0
    plan.marches = 0
    consider(script, sight, key, mind)
    for _ in range(mind.goals):
        goal = cheapest(mind)
        mind.goal[goal] = 0
        if not chance(temper(script, PASSES), key, plan):
            gather(goal, sight.regiments[goal] + chance(temper(script, SURE), key, plan), mind)
    for hex in range(HEXES):
        if mind.free[hex] > 0 and plan.part[hex] == MINE and plan.threat[hex] == 0:
            onward = count_onward(hex, plan)
            if onward > 0:
                march(hex, onward_one(hex, draw(key, onward, plan), plan), mind.free[hex], mind)
            else:
                follow(hex, mind)
    bless(sight, mind)
    write(plan, sheet)
    if mind.plan.queue[0] >= 0:
        put_blessing(mind.plan.queue[0], sheet)


@rule
def consider(script: int, sight: Sight, key: u64, mind: Mind) -> None:
    """How many regiments are free, which goals there are, and what each would cost."""
    plan = mind.plan
    guards = temper(script, GUARDS)
    mind.goals = 0
    for hex in range(HEXES):
        mind.goal[hex] = 0
        mind.attack[hex] = 0
        mind.free[hex] = 0
        if plan.part[hex] == MINE:
            stay = (plan.threat[hex] * guards + 50) // 100
            mind.free[hex] = max(0, sight.regiments[hex] - stay)
        elif plan.part[hex] == GOAL:
            foes = sight.regiments[hex]
            if foes == 0 or chance(temper(script, DARES), key, plan):
                mind.goal[hex] = 1
                mind.price[hex] = 100 * foes + draw(key, 1 + temper(script, FANCY), plan)
                mind.row[mind.goals] = hex
                mind.goals += 1


@rule
def cheapest(mind: Mind) -> int:
    best = NONE
    for i in range(mind.goals):
        hex = mind.row[i] + 0
        if mind.goal[hex] != 0 and (best < 0 or mind.price[hex] < mind.price[best]):
            best = hex
    return best


@rule
def gather(goal: int, wanted: int, mind: Mind) -> None:
    """Sends so many regiments from the neighbours of a goal, if they have them; one to empty land."""
    need = max(1, wanted)
    there = 0
    for i in range(degree(goal)):
        hex = neighbour(goal, i)
        if mind.plan.part[hex] == MINE:
            there += mind.free[hex]
    if there < need:
        return
    mind.attack[goal] = 1
    for i in range(degree(goal)):
        hex = neighbour(goal, i)
        if need > 0 and mind.plan.part[hex] == MINE and mind.free[hex] > 0:
            number = min(need, mind.free[hex])
            march(hex, goal, number, mind)
            need -= number


@rule
def follow(hex: int, mind: Mind) -> None:
    """Regiments that are left over at the front join an attack beside them."""
    for i in range(degree(hex)):
        goal = neighbour(hex, i)
        if mind.attack[goal] != 0:
            march(hex, goal, mind.free[hex], mind)
            return


@rule
def march(origin: int, target: int, number: int, mind: Mind) -> None:
    border = border_between(origin, target)
    for _ in range(number):
        send(border, mind.plan)
    mind.free[origin] -= number
    mind.plan.after[origin] -= number
    mind.plan.after[target] += number


@rule
def bless(sight: Sight, mind: Mind) -> None:
    """Blesses the attack that is nearest to failing, if there is one; `queue[0]` is the hex, or NONE."""
    plan = mind.plan
    best = NONE
    least = 0
    for hex in range(HEXES):
        if mind.attack[hex] != 0 and sight.regiments[hex] > 0 and sight.owner[hex] != NOBODY:
            gap = plan.after[hex] - sight.regiments[hex]
            if best < 0 or gap < least:
                best = hex
                least = gap
    plan.queue[0] = best


@rule
def put_blessing(hex: int, sheet: Sheet) -> None:
    """The blessing of a sheet that has one is moved; one that has none, and room, gets it as its last line."""
    at = sheet.count
    for i in range(sheet.count):
        if sheet.lines[i].kind == BLESS:
            at = i
    if at < len(sheet.lines):
        line = sheet.lines[at]
        line.kind = BLESS
        line.fault = GOOD
        line.origin = 0
        line.target = hex
        line.number = 0
        sheet.count = max(sheet.count, at + 1)


@rule
def others_of(nation: int, which: int) -> int:
    """The first or second of the two other nations."""
    return (nation + 1 + which) % NATIONS
