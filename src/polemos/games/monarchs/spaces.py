"""Observations and numbered orders of Monarchs, for programs that learn.

**Observation.** `hexes` has a row for each of the 61 hexes, as a page is read from E9 to M1, with `PLANES` for each.
`figures` are the numbers beside the board. Nations are told from the one that looks: it comes first, then the others in
the order red, green, blue, red. What is not seen is 0. More than 127 regiments are told as 127.

**Orders.** A sheet has a line for every group that marches, so it is built line by line: the numbers of whole sheets
would be beyond counting.

| number | order | amount |
| --- | --- | --- |
| 0 | the sheet is complete | |
| 1 + 6 * hex + direction | march to the neighbour there | regiments |
| 367 + hex | bless this hex | |

Directions are left, upper left, upper right, right, lower right, lower left. Lines over the same border add up.
"""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.board import CENTRE, DIRECTIONS, HEXES
from polemos.games.monarchs.rules import batch
from polemos.games.monarchs.rules.batch import (
    POLICIES,
    Desk,
    Eyes,
    may_order,
    play_one,
    reply,
    reply_by_chance,
    step_one,
    waits,
)
from polemos.games.monarchs.rules.choices import stand_in
from polemos.games.monarchs.rules.orders import bless_fault, march_fault, read_sheet
from polemos.games.monarchs.rules.scripts import Mind
from polemos.games.monarchs.rules.sight import look
from polemos.games.monarchs.rules.tables import base, behind, beyond, border_at, border_between, direction_of
from polemos.games.monarchs.state import (
    BLESS,
    BORDERS,
    GOOD,
    MARCH,
    MAX_LINES,
    NATIONS,
    NOBODY,
    Sheet,
    Sheets,
    Sight,
    State,
    Work,
)
from polemos.kernel.batching import BLIND, FILE, Given, Kit, Nothing, Place, clear_rewards
from polemos.kernel.device import Sizes
from polemos.kernel.dice import Chance
from polemos.kernel.log import Log
from polemos.kernel.record import Array, Many, Record, i8, i16, i32, size
from polemos.kernel.rule import entry, rule
from polemos.kernel.spaces import Layout, Part

_WHO: Final = ("mine", "the second's", "the third's")
PLANES: Final = (
    "seen",
    *_WHO,
    "regiments",
    *(f"home base: {whose}" for whose in _WHO),
    "centre",
    "victories here last turn, as bits by nation",
    "defeats here last turn, as bits by nation",
    *(f"regiments on my sheet that leave in direction {direction}" for direction in range(DIRECTIONS)),
    "blessed by my sheet",
)
FIGURES: Final = (
    "turn",
    "turns, 0 while the last is not announced",
    "rules",
    "mode",
    "scoring",
    *(f"results told: {whose}" for whose in _WHO),
    *(f"score of the last turn: {whose}" for whose in _WHO),
    *(f"total: {whose}" for whose in _WHO),
    *(f"has left the game: {whose}" for whose in _WHO),
)

DEPTH: Final = len(PLANES)
FIRST_MARCH: Final = 1
FIRST_BLESSING: Final = FIRST_MARCH + BORDERS
NUMBERS: Final = FIRST_BLESSING + HEXES

_SEEN: Final = 0
_OWNER: Final = 1
_REGIMENTS: Final = 4
_HOME: Final = 5
_CENTRE: Final = 8
_WON: Final = 9
_LOST: Final = 10
_LEAVING: Final = 11
_BLESSED: Final = 17


class Observation(Record):
    figures: Array[i32] = size(len(FIGURES))
    hexes: Array[i8] = size(HEXES * DEPTH)


class Limits(Record):
    most: Array[i16] = size(NUMBERS)


# ---- observations


@rule
def seen_from(who: int, nation: int) -> int:
    """A nation as the one that looks counts: itself 0, then 1 and 2."""
    return nation - who if nation >= who else nation - who + NATIONS


@rule
def bits_from(who: int, bits: int) -> int:
    """Bits by nation, turned so that the one that looks is the lowest."""
    turned = 0
    for nation in range(NATIONS):
        turned |= (bits >> nation & 1) << seen_from(who, nation)
    return turned


@rule
def observe(sight: Sight, draft: Sheet, seen: Observation) -> None:
    """9 What a nation sees, in numbers, and what is on its sheet already."""
    for i in range(HEXES * DEPTH):
        seen.hexes[i] = 0
    seen.hexes[CENTRE * DEPTH + _CENTRE] = 1
    for nation in range(NATIONS):
        seen.hexes[base(nation) * DEPTH + _HOME + seen_from(sight.who, nation)] = 1
    for hex in range(HEXES):
        if sight.seen[hex]:
            at = hex * DEPTH
            seen.hexes[at + _SEEN] = 1
            if sight.owner[hex] != NOBODY:
                seen.hexes[at + _OWNER + seen_from(sight.who, sight.owner[hex])] = 1
                seen.hexes[at + _REGIMENTS] = min(sight.regiments[hex], 127)
        if sight.battles[hex] != 0:
            seen.hexes[hex * DEPTH + _WON] = bits_from(sight.who, sight.battles[hex])
            seen.hexes[hex * DEPTH + _LOST] = bits_from(sight.who, sight.battles[hex] >> NATIONS)
    observe_draft(draft, seen)
    observe_figures(sight, seen)


@rule
def observe_draft(draft: Sheet, seen: Observation) -> None:
    for i in range(draft.count):
        line = draft.lines[i]
        if line.kind == BLESS:
            seen.hexes[line.target * DEPTH + _BLESSED] = 1
        else:
            border = border_between(line.origin, line.target)
            at = line.origin * DEPTH + _LEAVING + direction_of(border)
            seen.hexes[at] = min(seen.hexes[at] + line.number, 127)


@rule
def observe_figures(sight: Sight, seen: Observation) -> None:
    seen.figures[0] = sight.turn
    seen.figures[1] = sight.turns
    seen.figures[2] = sight.rules
    seen.figures[3] = sight.mode
    seen.figures[4] = sight.scoring
    for nation in range(NATIONS):
        at = 5 + seen_from(sight.who, nation)
        seen.figures[at] = sight.reported[nation]
        seen.figures[at + NATIONS] = sight.score[nation]
        seen.figures[at + 2 * NATIONS] = sight.total[nation]
        seen.figures[at + 3 * NATIONS] = sight.dropped[nation]


# ---- numbered orders


@rule
def limit(sight: Sight, may: bool, draft: Sheet, limits: Limits, state: State, work: Work) -> None:
    """3 With how many regiments each march is lawful beside the draft, and what may be blessed.

    `may` is false once the sheet is filed: then nothing is.
    """
    for number in range(NUMBERS):
        limits.most[number] = 0
    nation = sight.who
    if not may or sight.reason != 0 or sight.dropped[nation]:
        return
    limits.most[FILE] = 1
    if draft.count >= MAX_LINES:
        return
    if draft.count == 0:
        for origin in range(HEXES):
            if sight.owner[origin] == nation and sight.seen[origin]:
                limit_marches(origin, sight.regiments[origin], limits)
        limit_blessings(limits)
        return
    stand_in(sight, state)
    read_draft(state, nation, draft, work)
    for origin in range(HEXES):
        if state.owner[origin] == nation:
            limit_marches(origin, state.regiments[origin], limits)
    if bless_fault(nation, work) == GOOD:
        limit_blessings(limits)
    wipe(work)


@rule
def limit_marches(origin: int, regiments: int, limits: Limits) -> None:
    """3.3 to 3.6 Regiments may cross every border of their hex."""
    if regiments > 0:
        for direction in range(DIRECTIONS):
            if beyond(border_at(origin, direction)) >= 0:
                limits.most[FIRST_MARCH + origin * DIRECTIONS + direction] = regiments


@rule
def limit_blessings(limits: Limits) -> None:
    """3.7 Any hex may be blessed."""
    for hex in range(HEXES):
        limits.most[FIRST_BLESSING + hex] = 1


@rule
def read_draft(state: State, nation: int, draft: Sheet, work: Work) -> None:
    """3.5 The lines so far; the regiments that they send have left the board."""
    work.groups = 0
    read_sheet(state, nation, draft, work)


@rule
def wipe(work: Work) -> None:
    """Leaves the scratch space as it was before a draft was read."""
    for i in range(work.groups):
        work.heads[behind(work.group_at[i])] = 0
    work.groups = 0


@rule
def enter(nation: int, number: int, amount: int, draft: Sheet, state: State, board: State, work: Work) -> bool:
    """Puts the order of this number on the draft; False, and nothing happens, if it is not lawful beside it.

    3.6 Only hexes of the nation itself decide that, which it always sees. `board` is scratch space.
    """
    if draft.count >= MAX_LINES or number >= NUMBERS:
        return False
    for hex in range(HEXES):
        board.owner[hex] = state.owner[hex]
        board.regiments[hex] = state.regiments[hex]
    read_draft(board, nation, draft, work)
    march = number - FIRST_MARCH
    border = border_at(march // DIRECTIONS, march % DIRECTIONS)
    fault = GOOD
    if number >= FIRST_BLESSING:
        fault = bless_fault(nation, work)
    elif beyond(border) < 0:
        fault = -1
    else:
        fault = march_fault(board, nation, behind(border), beyond(border), amount, work)
    wipe(work)
    if fault != GOOD:
        return False
    line = draft.lines[draft.count]
    line.fault = GOOD
    if number >= FIRST_BLESSING:
        line.kind = BLESS
        line.origin = 0
        line.target = number - FIRST_BLESSING
        line.number = 0
    else:
        line.kind = MARCH
        line.origin = behind(border)
        line.target = beyond(border)
        line.number = amount
    draft.count += 1
    return True


# ---- batches


@rule
def observe_one(
    states: Many[State],
    places: Many[Place],
    at: int,
    orders: Many[Sheets],
    seen: Many[Observation],
    limits: Many[Limits],
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> None:
    """What each nation sees, and what it may order beside its draft; nothing once its sheet is filed."""
    for nation in range(NATIONS):
        observe_as(nation, states, places, at, orders, seen, limits, desk, eyes)


@rule
def observe_as(
    nation: int,
    states: Many[State],
    places: Many[Place],
    at: int,
    orders: Many[Sheets],
    seen: Many[Observation],
    limits: Many[Limits],
    desk: Desk,
    eyes: Eyes,
) -> None:
    """The same for one nation."""
    look(states[at], nation, eyes.sight)
    draft = orders[at].of[nation]
    observe(eyes.sight, draft, seen[NATIONS * at + nation])
    may = places[at].filed[nation] == 0
    limit(eyes.sight, may, draft, limits[NATIONS * at + nation], eyes.board, desk.work)


@rule
def take(
    states: Many[State],
    places: Many[Place],
    at: int,
    orders: Many[Sheets],
    given: Many[Given],
    each: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> bool:
    """Orders by number, `each` for every nation; says whether all sheets are filed then."""
    for nation in range(NATIONS):
        draft = orders[at].of[nation]
        for i in range(0 if places[at].scripted[nation] != 0 else each):
            order = given[(NATIONS * at + nation) * each + i]
            if places[at].filed[nation] != 0 or order.number < 0 or not may_order(states[at], nation):
                continue
            if order.number == FILE:
                places[at].filed[nation] = 1
            elif not enter(nation, order.number, order.amount, draft, states[at], eyes.board, desk.work):
                places[at].refused += 1
    clear_rewards(places[at])
    return not waits(states, places, at)


@rule
def give_one(
    states: Many[State],
    places: Many[Place],
    at: int,
    starts: Many[State],
    orders: Many[Sheets],
    given: Many[Given],
    each: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> None:
    """Orders by number; when all sheets are filed the turn is played. Policies are `random`."""
    if take(states, places, at, orders, given, each, log, desk, eyes):
        reply_by_chance(states, places, at, orders, desk)
        step_one(states, places, at, starts, orders, log, desk)


@rule
def oppose_one(
    states: Many[State],
    places: Many[Place],
    at: int,
    starts: Many[State],
    orders: Many[Sheets],
    given: Many[Given],
    each: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
    lore: Many[Nothing],
    mind: Mind,
) -> None:
    """The same beside any policies."""
    if take(states, places, at, orders, given, each, log, desk, eyes):
        reply(states, places, at, orders, desk, mind)
        step_one(states, places, at, starts, orders, log, desk)


@entry
def observe_many(
    states: Many[State],
    places: Many[Place],
    orders: Many[Sheets],
    seen: Many[Observation],
    limits: Many[Limits],
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> None:
    for at in range(len(states)):
        observe_one(states, places, at, orders, seen, limits, log, desk, eyes)


@entry
def give_many(
    states: Many[State],
    places: Many[Place],
    starts: Many[State],
    orders: Many[Sheets],
    given: Many[Given],
    each: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> None:
    for at in range(len(states)):
        give_one(states, places, at, starts, orders, given, each, log, desk, eyes)


@entry
def act_many(
    states: Many[State],
    places: Many[Place],
    starts: Many[State],
    orders: Many[Sheets],
    given: Many[Given],
    each: int,
    seen: Many[Observation],
    limits: Many[Limits],
    seat: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> None:
    """Orders by number, and what this seat sees then; all seats if it is -1."""
    for at in range(len(states)):
        give_one(states, places, at, starts, orders, given, each, log, desk, eyes)
        for nation in range(NATIONS):
            if seat < 0 or seat == nation:
                observe_as(nation, states, places, at, orders, seen, limits, desk, eyes)


@entry
def scripted_many(
    states: Many[State],
    places: Many[Place],
    starts: Many[State],
    orders: Many[Sheets],
    given: Many[Given],
    each: int,
    steps: int,
    seen: Many[Observation],
    limits: Many[Limits],
    seat: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
    lore: Many[Nothing],
    mind: Mind,
) -> None:
    """So many steps by policies; or orders by number beside policies, and what this seat sees then."""
    for at in range(len(states)):
        if steps > 0:
            play_one(states, places, at, starts, steps, log, desk, lore, mind)
        else:
            oppose_one(states, places, at, starts, orders, given, each, log, desk, eyes, lore, mind)
            for nation in range(0 if seat == BLIND else NATIONS):
                if seat < 0 or seat == nation:
                    observe_as(nation, states, places, at, orders, seen, limits, desk, eyes)


def _seats(start: State) -> int:
    return NATIONS


def _orders_extent(start: State) -> int:
    return Sheets.dtype.itemsize


def layout(start: State) -> Layout:
    """The layout of all matches."""
    return Layout(
        parts=(
            Part("hexes", (HEXES, DEPTH), PLANES, "hexes"),
            Part("figures", (len(FIGURES),), FIGURES, "figures"),
        ),
        numbers=NUMBERS,
        amounts=True,
    )


def _sizes(start: State) -> Sizes:
    return {(Chance, "rolls"): 1}


KIT: Final = Kit(
    state=State,
    orders=Sheets,
    sight=Sight,
    observation=Observation,
    limits=Limits,
    desk=Desk,
    eyes=Eyes,
    mind=Mind,
    lore=Nothing,
    learn=None,
    packs=False,
    policies=POLICIES,
    seats=_seats,
    orders_extent=_orders_extent,
    layout=layout,
    sizes=_sizes,
    registers=80,
    called=(),
    called_by_scripts=None,
    checks=({"mode": "open", "rules": "2022-04", "scoring": "battles"}, {"mode": "party", "turns": 3}),
    start_one=batch.start_one,
    step_one=step_one,
    play_one=batch.play_one,
    random_one=batch.random_one,
    give_one=give_one,
    oppose_one=oppose_one,
    look_one=batch.look_one,
    observe_one=observe_one,
    start_many=batch.start_many,
    step_many=batch.step_many,
    random_many=batch.random_many,
    give_many=give_many,
    look_many=batch.look_many,
    observe_many=observe_many,
    act_many=act_many,
    scripted_many=scripted_many,
)
