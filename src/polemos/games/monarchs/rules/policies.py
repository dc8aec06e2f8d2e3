"""A scripted player in compiled code: the bot `holder`, order for order. No paragraph of the book.

It sees no more than a nation does. Where the bot draws from a stream, this draws from a key of the turn.
"""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.board import HEXES
from polemos.games.monarchs.rules.tables import base, base_of, behind, beyond, border_between, degree, neighbour
from polemos.games.monarchs.state import (
    BLESS,
    BORDERS,
    GOOD,
    MARCH,
    MAX_LINES,
    NATIONS,
    NOBODY,
    SIDES,
    Sheet,
    Sight,
)
from polemos.kernel.dice import scatter
from polemos.kernel.record import Array, Record, i8, i16, i32, size, u64
from polemos.kernel.rule import rule

MAX_SENT: Final = 40  # regiments of one army; no front needs more in a turn
NONE: Final = -1

# What a hex is to the nation that looks. Foreign home bases are no goals (7.1), and others lie in the fog.
MINE: Final = 1
GOAL: Final = 2


class Plan(Record):
    """A position as a general reads it, and what he has ordered so far."""

    sight: Sight
    part: Array[i8] = size(HEXES)
    threat: Array[i32] = size(HEXES)  # the most regiments that one nation in sight could bring there in one turn
    after: Array[i32] = size(HEXES)  # regiments when the marches are done
    steps: Array[i8] = size(HEXES)  # to the nearest goal, over own land; NONE without a way
    queue: Array[i8] = size(HEXES)
    sum: Array[i32] = size(NATIONS)
    draws: i16
    marches: i16
    march: Array[i16] = size(BORDERS)  # borders that are crossed, in the order in which they were thought of
    sent: Array[i16] = size(HEXES * SIDES)  # regiments that cross; all zero between turns


@rule
def holder(sight: Sight, key: u64, sheet: Sheet, plan: Plan) -> None:
    """Evens out its front against what stands before it, and enters only empty land, with regiments to spare."""
    sheet.count = 0
    if sight.reason != 0 or sight.dropped[sight.who]:
        return
    read(sight, plan)
    plan.draws = 0
    plan.marches = 0
    for origin in range(HEXES):
        if plan.part[origin] == MINE:
            for _ in range(min(sight.regiments[origin], MAX_SENT)):
                target = target_from(sight, key, origin, plan)
                if target < 0:
                    break
                send(border_between(origin, target), plan)
                plan.after[origin] -= 1
                plan.after[target] += 1
    write(plan, sheet)


@rule
def read(sight: Sight, plan: Plan) -> None:
    """Where the armies stand, what lies before them, how far the rear is from the front."""
    for hex in range(HEXES):
        plan.part[hex] = 0
        if sight.seen[hex]:
            if sight.owner[hex] == sight.who:
                plan.part[hex] = MINE
            elif base_of(hex) == NOBODY or base_of(hex) == sight.who:
                plan.part[hex] = GOAL
    for hex in range(HEXES):
        mine = plan.part[hex] == MINE
        plan.after[hex] = sight.regiments[hex] if mine else 0
        plan.threat[hex] = threat(sight, hex, plan) if mine and hex != base(sight.who) else 0
    measure(plan)


@rule
def threat(sight: Sight, hex: int, plan: Plan) -> int:
    for nation in range(NATIONS):
        plan.sum[nation] = 0
    most = 0
    for i in range(degree(hex)):
        other = neighbour(hex, i)
        owner = sight.owner[other]
        if sight.seen[other] and owner != sight.who and owner != NOBODY:
            plan.sum[owner] += sight.regiments[other]
            most = max(most, plan.sum[owner])
    return most


@rule
def measure(plan: Plan) -> None:
    """Steps to the goals, from near to far."""
    waiting = 0
    for hex in range(HEXES):
        plan.steps[hex] = NONE
        if plan.part[hex] == GOAL:
            plan.steps[hex] = 0
            plan.queue[waiting] = hex
            waiting += 1
    at = 0
    while at < waiting:
        here = plan.queue[at]
        at += 1
        for i in range(degree(here)):
            hex = neighbour(here, i)
            if plan.part[hex] == MINE and plan.steps[hex] < 0:
                plan.steps[hex] = plan.steps[here] + 1
                plan.queue[waiting] = hex
                waiting += 1


@rule
def target_from(sight: Sight, key: u64, origin: int, plan: Plan) -> int:
    """Where the next regiment is of most use; NONE if it had better stay."""
    spare = plan.after[origin] - plan.threat[origin]
    if spare <= 0:
        return NONE
    best = NONE
    for i in range(degree(origin)):
        hex = neighbour(origin, i)
        lack = plan.threat[hex] - plan.after[hex]
        if plan.threat[hex] > 0 and -lack < spare - 1:
            if best < 0 or lack > plan.threat[best] - plan.after[best]:
                best = hex
    if best >= 0:
        return best
    empty = count_empty(sight, origin, plan)
    if empty > 0:
        return empty_one(sight, origin, draw(key, empty, plan), plan)
    onward = count_onward(origin, plan)
    if onward > 0 and plan.threat[origin] == 0:
        return onward_one(origin, draw(key, onward, plan), plan)
    return NONE


@rule
def draw(key: u64, count: int, plan: Plan) -> int:
    """One of so many."""
    bits = scatter(key, plan.draws)
    plan.draws += 1
    return (bits & 0xFFFF) * count >> 16


@rule
def is_empty(sight: Sight, hex: int, plan: Plan) -> bool:
    return plan.part[hex] == GOAL and sight.regiments[hex] == 0 and plan.after[hex] == 0


@rule
def count_empty(sight: Sight, origin: int, plan: Plan) -> int:
    count = 0
    for i in range(degree(origin)):
        count += is_empty(sight, neighbour(origin, i), plan)
    return count


@rule
def empty_one(sight: Sight, origin: int, which: int, plan: Plan) -> int:
    for i in range(degree(origin)):
        if is_empty(sight, neighbour(origin, i), plan):
            if which == 0:
                return neighbour(origin, i)
            which -= 1
    return NONE


@rule
def is_onward(origin: int, hex: int, plan: Plan) -> bool:
    """Whether this is own land, one step nearer to the goals."""
    return plan.part[hex] == MINE and 0 <= plan.steps[hex] < plan.steps[origin]


@rule
def count_onward(origin: int, plan: Plan) -> int:
    count = 0
    for i in range(degree(origin)):
        count += is_onward(origin, neighbour(origin, i), plan)
    return count


@rule
def onward_one(origin: int, which: int, plan: Plan) -> int:
    for i in range(degree(origin)):
        if is_onward(origin, neighbour(origin, i), plan):
            if which == 0:
                return neighbour(origin, i)
            which -= 1
    return NONE


@rule
def send(border: int, plan: Plan) -> None:
    """One regiment more over this border."""
    if plan.sent[border] == 0:
        plan.march[plan.marches] = border
        plan.marches += 1
    plan.sent[border] += 1


@rule
def write(plan: Plan, sheet: Sheet) -> None:
    """The blessing first, then the largest groups, so that the limit of lines costs least."""
    blessed = blessing(plan)
    if blessed >= 0:
        line = sheet.lines[0]
        line.kind = BLESS
        line.fault = GOOD
        line.origin = 0
        line.target = blessed
        line.number = 0
        sheet.count = 1
    for i in range(1, plan.marches):  # equal groups keep their order
        border = plan.march[i]
        at = i
        while at > 0 and plan.sent[plan.march[at - 1]] < plan.sent[border]:
            plan.march[at] = plan.march[at - 1]
            at -= 1
        plan.march[at] = border
    for i in range(plan.marches):
        border = plan.march[i]
        if sheet.count < MAX_LINES:
            line = sheet.lines[sheet.count]
            line.kind = MARCH
            line.fault = GOOD
            line.origin = behind(border)
            line.target = beyond(border)
            line.number = plan.sent[border]
            sheet.count += 1
        plan.sent[border] = 0


@rule
def blessing(plan: Plan) -> int:
    """Where the numbers decide, a blessing changes nothing: it belongs where they come closest."""
    best = NONE
    for hex in range(HEXES):
        if plan.after[hex] > 0 and plan.threat[hex] > 0:
            gap = abs(plan.threat[hex] - plan.after[hex])
            least = 0 if best < 0 else abs(plan.threat[best] - plan.after[best])
            if best < 0 or gap < least or (gap == least and plan.threat[hex] > plan.threat[best]):
                best = hex
    return best
