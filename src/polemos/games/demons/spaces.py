"""Observations and numbered orders of Demons, for programs that learn.

**Observation.** `board` has a cell for every square of the map, row by row from the top, with `PLANES` for each.
`figures` are the numbers beside the board. Both are told from the seat that looks: 1 is its own, -1 the other player's.
Health, damage and turns above 127 are told as 127 on the board.

**Orders.** A sheet has up to three lines (3.2, 4.1, 11.10), so it is built line by line:

| number | order |
| --- | --- |
| 0 | the sheet is complete |
| 1 to 4 | hire a mercenary N, E, S, W |
| 5 | provoke |
| 6 + 6 * cell + kind | build a tower of this kind (0 house ... 4 church) there |
| 6 + 6 * cell + 5 | destroy the tower there |

A cell is y * width + x, so the numbers from 6 on are a board of six planes.
"""

from __future__ import annotations

from typing import Final

from polemos.games.demons.layout import MAX_SIDE
from polemos.games.demons.rules import batch
from polemos.games.demons.rules.batch import (
    POLICIES,
    Desk,
    Eyes,
    Mind,
    copy_order,
    play_one,
    reply,
    reply_by_chance,
    step_one,
    waits,
)
from polemos.games.demons.rules.choices import may_order
from polemos.games.demons.rules.dice import toss
from polemos.games.demons.rules.end import compare, red_wins_the_toss
from polemos.games.demons.rules.march import decide, march
from polemos.games.demons.rules.phases import judge_sheet, why_not_line
from polemos.games.demons.rules.scripts import keep
from polemos.games.demons.rules.sight import look
from polemos.games.demons.rules.towers import act
from polemos.games.demons.state import (
    BUILDER,
    COMPASS,
    DEMON,
    GOOD,
    HIRE,
    KINDS,
    MAX_PORTALS,
    MAX_TILES,
    MAX_UNITS,
    PARTS,
    PATH,
    PROVOKE,
    TOWERS,
    Order,
    Orders,
    Sight,
    State,
    Work,
)
from polemos.kernel.batching import ALL, BLIND, FILE, Given, Kit, Nothing, Place, clear_rewards
from polemos.kernel.device import Sizes
from polemos.kernel.dice import Chance
from polemos.kernel.log import Log
from polemos.kernel.record import Array, Many, Record, i8, i16, i32, i64, size
from polemos.kernel.rule import entry, rule
from polemos.kernel.spaces import Layout, Part

PLANES: Final = (
    "land: 1 mine, -1 theirs",
    "path",
    "base: 1 mine, -1 theirs",
    *(f"{tower}: 1 mine, -1 theirs" for tower in TOWERS),
    "cooldown of the tower",
    "mercenary: 1 mine, -1 theirs",
    "demon: 1 if it comes for me, -1 for them",
    "health of the unit",
    "damage of the unit",
    "portal: 1 + turns to its next wave",
    "target of its next demon: 1 me, -1 them",
    "demons queued there",
)
FIGURES: Final = (
    "turn",
    "turns",
    "step (2.4): 0 a whole sheet, 1 builders, 2 mercenaries",
    "rules: 0 seed, 1 finals",
    "my gold",
    "their gold",
    "health of my base",
    "health of their base",
    *(f"price of a {tower} for me" for tower in TOWERS),
    *(f"price of a {tower} for them" for tower in TOWERS),
    *(f"my mercenaries queued {letter}" for letter in COMPASS),
    *(f"their mercenaries queued {letter}" for letter in COMPASS),
    "price of a mercenary",
    "1 if my sheet has a builder",
    "1 if my sheet hires",
    "1 if my sheet provokes",
)

DEPTH: Final = len(PLANES)
MAX_CELLS: Final = MAX_SIDE * MAX_SIDE
MAX_MARKS: Final = MAX_TILES + MAX_UNITS + MAX_PORTALS
EACH: Final = KINDS + 1  # orders for a cell
FIRST_HIRE: Final = 1
PROVOKING: Final = 5
FIRST_CELL: Final = 6

_LAND: Final = 0
_PATH: Final = 1
_BASE: Final = 2
_TOWER: Final = 3
_COOLDOWN: Final = 8
_MERCENARY: Final = 9
_DEMON: Final = 10
_HEALTH: Final = 11
_DAMAGE: Final = 12
_WAVE: Final = 13
_TARGET: Final = 14
_QUEUED: Final = 15


class Observation(Record):
    """What was written last is kept: the ground stays, and only cells with pieces are wiped before the next writing."""

    figures: Array[i32] = size(len(FIGURES))
    ground: i64  # the stamp of the ground on the board, 0 for none
    marks: i16
    mark: Array[i16] = size(MAX_MARKS)  # cells with a portal, a unit or a tower
    board: Array[i8] = size(MAX_CELLS * DEPTH)


class Limits(Record):
    """What was written last is kept here as well, so that a turn changes a few entries only."""

    ground: i64  # the stamp of the ground, 0 for none
    kinds: i8  # bits of the towers that can be built
    towers: i16
    tower: Array[i16] = size(MAX_TILES)  # cells with a tower of the seat
    most: Array[i8] = size(FIRST_CELL + MAX_CELLS * EACH)


# ---- observations


@rule
def cell_of(state: State, tile: int) -> int:
    return state.tile[tile].y * state.width + state.tile[tile].x


@rule
def stamp_of(state: State) -> int:
    """A number for the ground: other lands have another, but for a chance of one in billions."""
    stamp = 1 + state.width
    for player in range(2):
        stamp = stamp * 4096 + 64 * state.base_y[player] + state.base_x[player]
    for i in range(state.tiles):
        tile = state.tile[i]
        stamp += (4096 * tile.kind + 64 * tile.y + tile.x) * (i * 0x9E3779B1 & 0xFFFFFFFF | 1)
    return stamp


@rule
def observe(sight: Sight, draft: Order, ground: int, seen: Observation) -> None:
    """10.1 What a player sees, in numbers, and the parts that its sheet has already."""
    state = sight.state
    if seen.ground != ground:
        observe_ground(state, sight.who, seen)
        seen.ground = ground
    for i in range(seen.marks):
        at = seen.mark[i] * DEPTH
        for plane in range(_TOWER, DEPTH):
            seen.board[at + plane] = 0
    was = seen.marks
    seen.marks = 0
    observe_towers(state, sight.who, seen)
    observe_units(state, sight.who, seen)
    observe_portals(sight, seen)
    for i in range(seen.marks, was):  # equal sights have equal bytes
        seen.mark[i] = 0
    observe_figures(state, sight.who, draft, seen)


@rule
def mark(state: State, tile: int, seen: Observation) -> int:
    """Notes that there is something on a tile; says where its planes begin."""
    cell = cell_of(state, tile)
    seen.mark[seen.marks] = cell
    seen.marks += 1
    return cell * DEPTH


@rule
def observe_ground(state: State, who: int, seen: Observation) -> None:
    for i in range(state.width * state.height * DEPTH):
        seen.board[i] = 0
    for tile in range(state.tiles):
        kind = state.tile[tile].kind
        at = cell_of(state, tile) * DEPTH
        seen.board[at + _PATH] = kind == PATH
        seen.board[at + _LAND] = 0 if kind == PATH else 1 if kind == who else -1
    for player in range(2):
        at = (state.base_y[player] * state.width + state.base_x[player]) * DEPTH
        seen.board[at + _BASE] = 1 if player == who else -1


@rule
def observe_towers(state: State, who: int, seen: Observation) -> None:
    for i in range(state.towers):
        tower = state.tower[i]
        at = mark(state, tower.tile, seen)
        seen.board[at + _TOWER + tower.kind] = 1 if tower.owner == who else -1
        seen.board[at + _COOLDOWN] = max(-128, min(tower.cooldown, 127))


@rule
def observe_units(state: State, who: int, seen: Observation) -> None:
    for i in range(state.units):
        unit = state.unit[i]
        at = mark(state, unit.tile, seen)
        if unit.kind < DEMON:
            seen.board[at + _MERCENARY] = 1 if unit.kind == who else -1
        else:
            seen.board[at + _DEMON] = 1 if unit.kind - DEMON == who else -1
        seen.board[at + _HEALTH] = max(-128, min(unit.health, 127))
        seen.board[at + _DAMAGE] = max(-128, min(unit.damage, 127))


@rule
def observe_portals(sight: Sight, seen: Observation) -> None:
    state = sight.state
    for i in range(state.portals):
        portal = state.portal[i]
        at = mark(state, portal.tile, seen)
        seen.board[at + _WAVE] = min(1 + sight.next_in[i], 127)
        seen.board[at + _TARGET] = 1 if portal.target == sight.who else -1
        seen.board[at + _QUEUED] = min(portal.queued, 127)


@rule
def observe_figures(state: State, who: int, draft: Order, seen: Observation) -> None:
    other = 1 - who
    seen.figures[0] = state.turn
    seen.figures[1] = state.turns
    seen.figures[2] = state.step
    seen.figures[3] = state.rules
    seen.figures[4] = state.gold[who]
    seen.figures[5] = state.gold[other]
    seen.figures[6] = state.health[who]
    seen.figures[7] = state.health[other]
    for kind in range(KINDS):
        seen.figures[8 + kind] = state.price[who * KINDS + kind]
        seen.figures[8 + KINDS + kind] = state.price[other * KINDS + kind]
    for direction in range(4):
        seen.figures[18 + direction] = state.queue[who * 4 + direction]
        seen.figures[22 + direction] = state.queue[other * 4 + direction]
    seen.figures[26] = state.book.mercenary_price
    for part in range(len(PARTS)):
        seen.figures[27 + part] = draft.lines[part]


# ---- numbered orders


@rule
def limit(sight: Sight, may: bool, draft: Order, ground: int, limits: Limits, work: Work) -> None:
    """3, 4, 11 Which single orders are lawful beside the draft: those that are good, and void nothing in it.

    `may` is false once the sheet is filed: then none is.
    """
    state = sight.state
    who = sight.who
    if limits.ground != ground:
        for number in range(FIRST_CELL + state.width * state.height * EACH):
            limits.most[number] = 0
        clear_towers(limits, 0)
        limits.kinds = 0
        limits.ground = ground
    for number in range(FIRST_CELL):
        limits.most[number] = 0
    kinds = 0
    destroys = False
    if may and may_order(state, who):
        limits.most[FILE] = 1
        judge_sheet(state, who, draft)
        for direction in range(4):
            limits.most[FIRST_HIRE + direction] = fits(state, who, HIRE, direction, draft, work)
        limits.most[PROVOKING] = fits(state, who, PROVOKE, 0, draft, work)
        kinds = kinds_to_build(state, who, draft, work)
        destroys = may_destroy(state, who, draft, work)
    limit_sites(state, who, kinds, destroys, limits)


@rule
def kinds_to_build(state: State, who: int, draft: Order, work: Work) -> int:
    """Bits of the towers that fit: judged on one tile of all that they could stand on."""
    for tile in range(state.path, state.tiles):
        if state.tile[tile].kind == who and state.tile[tile].tower == 0:
            kinds = 0
            for kind in range(KINDS):
                kinds |= fits(state, who, BUILDER, kind * MAX_TILES + tile, draft, work) << kind
            return kinds
    return 0


@rule
def may_destroy(state: State, who: int, draft: Order, work: Work) -> bool:
    """Whether the seat can destroy a tower: judged on one of them."""
    for i in range(state.towers):
        if state.tower[i].owner == who:
            return fits(state, who, BUILDER, -1 - state.tower[i].tile, draft, work)
    return False


@rule
def limit_sites(state: State, who: int, kinds: int, destroys: bool, limits: Limits) -> None:
    """Tower by tower what has changed: a site without one is as free as all others."""
    for i in range(limits.towers):
        at = FIRST_CELL + limits.tower[i] * EACH
        for kind in range(KINDS):
            limits.most[at + kind] = limits.kinds >> kind & 1
        limits.most[at + KINDS] = 0
    changed = kinds ^ limits.kinds
    if changed != 0:
        for tile in range(state.path, state.tiles):
            if state.tile[tile].kind == who:
                at = FIRST_CELL + cell_of(state, tile) * EACH
                for kind in range(KINDS):
                    limits.most[at + kind] = kinds >> kind & 1
    limits.kinds = kinds
    towers = 0
    for i in range(state.towers):
        if state.tower[i].owner == who:
            cell = cell_of(state, state.tower[i].tile)
            at = FIRST_CELL + cell * EACH
            for kind in range(KINDS):
                limits.most[at + kind] = 0
            limits.most[at + KINDS] = destroys
            limits.tower[towers] = cell
            towers += 1
    clear_towers(limits, towers)


@rule
def clear_towers(limits: Limits, towers: int) -> None:
    """The list of towers ends here; behind it nothing is left, so that equal limits have equal bytes."""
    for i in range(towers, limits.towers):
        limits.tower[i] = 0
    limits.towers = towers


@rule
def fits(state: State, who: int, part: int, what: int, draft: Order, work: Work) -> bool:
    """Whether the draft can have this line too: it is good, and all that was good before stays good."""
    if draft.lines[part] != 0 or why_not_line(state, part, 1) != GOOD:
        return False
    trial = work.trial
    copy_order(draft, trial)
    write(part, what, trial)
    judge_sheet(state, who, trial)
    for other in range(len(PARTS)):
        if trial.fault[other] != GOOD and (other == part or draft.fault[other] == GOOD):
            return False
    return True


@rule
def write(part: int, what: int, order: Order) -> None:
    """One more line. `what`: a direction; kind * MAX_TILES + tile to build, -1 - tile to destroy."""
    order.lines[part] += 1
    order.line[part] = order.lines[BUILDER] + order.lines[HIRE] + order.lines[PROVOKE]
    if part == HIRE:
        order.hire = what
    elif part == PROVOKE:
        order.provoke = 1
    elif what < 0:
        order.destroy_at = -1 - what
    else:
        order.build = what // MAX_TILES
        order.build_at = what % MAX_TILES


@rule
def enter(state: State, who: int, number: int, draft: Order, work: Work) -> bool:
    """Puts the order of this number on the draft; False, and nothing happens, if it is not lawful beside it."""
    part = BUILDER
    what = 0
    if number < FIRST_CELL:
        part = PROVOKE if number == PROVOKING else HIRE
        what = number - FIRST_HIRE
    else:
        kind = (number - FIRST_CELL) % EACH
        tile = tile_in(state, (number - FIRST_CELL) // EACH)
        if tile < 0:
            return False
        what = -1 - tile if kind == KINDS else kind * MAX_TILES + tile
    judge_sheet(state, who, draft)
    if not fits(state, who, part, what, draft, work):
        return False
    write(part, what, draft)
    return True


@rule
def tile_in(state: State, cell: int) -> int:
    """The tile of a cell, or -1 for the abyss."""
    for tile in range(state.tiles):
        if cell_of(state, tile) == cell:
            return tile
    return -1


# ---- batches


@rule
def observe_one(
    states: Many[State],
    places: Many[Place],
    at: int,
    orders: Many[Orders],
    seen: Many[Observation],
    limits: Many[Limits],
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> None:
    """What each player sees, and what it may order beside its draft; nothing once its sheet is filed.

    10.1 Everybody sees the same, so one look serves both.
    """
    look(states[at], 0, eyes.sight)
    ground = stamp_of(eyes.sight.state)
    for player in range(2):
        observe_as(player, places, at, orders, ground, seen, limits, desk, eyes)


@rule
def observe_as(
    player: int,
    places: Many[Place],
    at: int,
    orders: Many[Orders],
    ground: int,
    seen: Many[Observation],
    limits: Many[Limits],
    desk: Desk,
    eyes: Eyes,
) -> None:
    """The same through the eyes of one player."""
    eyes.sight.who = player
    draft = orders[at].of[player]
    observe(eyes.sight, draft, ground, seen[2 * at + player])
    limit(eyes.sight, places[at].filed[player] == 0, draft, ground, limits[2 * at + player], desk.work)


@rule
def take(
    states: Many[State],
    places: Many[Place],
    at: int,
    orders: Many[Orders],
    given: Many[Given],
    each: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> bool:
    """Orders by number, `each` for every player; says whether all sheets are filed then."""
    for player in range(2):
        for i in range(0 if places[at].scripted[player] != 0 else each):
            number = given[(2 * at + player) * each + i].number
            if places[at].filed[player] != 0 or number < 0 or not may_order(states[at], player):
                continue
            if number == FILE:
                places[at].filed[player] = 1
            elif not enter(states[at], player, number, orders[at].of[player], desk.work):
                places[at].refused += 1
    clear_rewards(places[at])
    return not waits(states, places, at)


@rule
def give_one(
    states: Many[State],
    places: Many[Place],
    at: int,
    starts: Many[State],
    orders: Many[Orders],
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
    orders: Many[Orders],
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
        reply(states, places, at, starts, orders, desk, mind)
        step_one(states, places, at, starts, orders, log, desk)


@entry
def observe_many(
    states: Many[State],
    places: Many[Place],
    orders: Many[Orders],
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
    orders: Many[Orders],
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
    orders: Many[Orders],
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
        if seat < 0:
            observe_one(states, places, at, orders, seen, limits, log, desk, eyes)
        else:
            look(states[at], seat, eyes.sight)
            observe_as(seat, places, at, orders, stamp_of(eyes.sight.state), seen, limits, desk, eyes)


@entry
def scripted_many(
    states: Many[State],
    places: Many[Place],
    starts: Many[State],
    orders: Many[Orders],
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
            if seat == ALL:
                observe_one(states, places, at, orders, seen, limits, log, desk, eyes)
            elif seat != BLIND:
                look(states[at], seat, eyes.sight)
                observe_as(seat, places, at, orders, stamp_of(eyes.sight.state), seen, limits, desk, eyes)


def _seats(start: State) -> int:
    return 2


def _orders_extent(start: State) -> int:
    return Orders.dtype.itemsize


def layout(start: State) -> Layout:
    """The layout of matches on this map."""
    cells = (start.height, start.width)
    return Layout(
        parts=(
            Part("board", (*cells, DEPTH), PLANES, "board"),
            Part("figures", (len(FIGURES),), FIGURES, "figures"),
        ),
        numbers=FIRST_CELL + start.width * start.height * EACH,
        amounts=False,
    )


def _sizes(start: State) -> Sizes:
    return {(Chance, "rolls"): 1}


_CALLED: Final = (toss, red_wins_the_toss, compare, act, decide, march)

KIT: Final = Kit(
    state=State,
    orders=Orders,
    sight=Sight,
    observation=Observation,
    limits=Limits,
    desk=Desk,
    eyes=Eyes,
    mind=Mind,
    lore=Nothing,
    learn=None,
    packs=True,
    policies=POLICIES,
    seats=_seats,
    orders_extent=_orders_extent,
    layout=layout,
    sizes=_sizes,
    registers=56,
    called=_CALLED,
    called_by_scripts=(*_CALLED, keep),
    checks=({"map": "hourglass", "turns": 120}, {"map": "pinwheel", "rules": "finals-2025", "turns": 120}),
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
