"""Playouts for the search: scripted players play on from a state, and what they come to is judged. No paragraph.

The judgement of a position is a share of the game for each seat in millionths; all shares together are a whole game. A
game that has ended gives it to those who came first. In a game that goes on, a seat counts for its units, for its
buildings and for its stock, and shares go by the square of that: whoever has more grows faster, and wins fights at the
price of the smaller side. A judgement is never as good as a victory.
"""

from __future__ import annotations

from typing import Final

from polemos.games.monad.rules.board import core_of, neighbour
from polemos.games.monad.rules.checking import check, wipe
from polemos.games.monad.rules.choices import may_order
from polemos.games.monad.rules.end import is_in, rank
from polemos.games.monad.rules.judging import describe
from polemos.games.monad.rules.minds import Mind
from polemos.games.monad.rules.play import put
from polemos.games.monad.rules.policies import POLICIES, script
from polemos.games.monad.rules.sight import copy_match, copy_players
from polemos.games.monad.rules.turn import turn
from polemos.games.monad.state import BUILD, GOOD, MAX_TILES, MOVE, Order, State, Work
from polemos.kernel.dice import mix, scatter
from polemos.kernel.judgement import Facts, Net, Scales, score, share_out
from polemos.kernel.log import Log
from polemos.kernel.playouts import WHOLE, Trial, whims
from polemos.kernel.record import Array, Many, Record, i8, i16, i32, i64, size, u64
from polemos.kernel.rule import entry, rule

SCRIPTS: Final = POLICIES[1:]  # the random player is no help in a search
PARTS: Final = ("2 seats", "3 seats", "4 seats")  # that are judged by weights of their own
MAX_LINES: Final = 4096  # of a sheet: more than the stacks of a late war on the largest map need
SCALE: Final = 10_000  # the weight of the strongest seat
UNIT: Final = 20  # what a unit counts
BUILDING: Final = 100  # a building
STOCK: Final = 100  # and the price of one in stock, up to two of them
SURE: Final = WHOLE // 50  # what even the worst position is worth while the game goes on, and the best one lacks
PLAY: Final = 0  # tasks of `serve`
ASK: Final = 1
BLEND: Final = 2
VARY: Final = 3
TRIES: Final = 4  # to find a stack whose orders can be changed


class Line(Record):
    """One line of a sheet."""

    word: i8
    direction: i8
    tile: i16
    number: i32


class Sheet(Record):
    """The list of one seat. Lines behind the last one are zero."""

    count: i32
    line: Array[Line] = size(MAX_LINES)

    def extent(self) -> int:
        return Sheet.dtype.fields["line"][1] + self.count * Line.dtype.itemsize  # type: ignore[index]


class Desk(Record):
    """What one thread needs for playouts."""

    mind: Mind
    work: Work
    share: Array[i64] = size(4)
    guess: Array[i32] = size(MAX_TILES)  # where the units of a seat would be after a sheet
    orders: Many[Order] = size(4 * MAX_LINES + 8)
    others: Many[Order] = size(MAX_LINES + 8)
    nets: Array[Net] = size(len(PARTS))  # by the number of seats; empty ones are not asked
    scales: Scales
    state: State


# ---- judging


@rule
def weight(state: State, seat: int) -> int:
    """What a seat has, in one number."""
    if not is_in(state, seat):
        return 0
    stock = STOCK * min(state.stock[seat], 2 * state.cost) // state.cost
    return UNIT * state.units[seat] + BUILDING * state.buildings[seat] + stock


@rule
def judge(state: State, desk: Desk) -> None:
    """9 The share of each seat, as `desk.share`; of a game that has ended, of those who came first."""
    most = 1
    for seat in range(state.seats):
        most = max(most, weight(state, seat))
    whole = 0
    for seat in range(state.seats):
        if state.reason != 0:
            desk.share[seat] = 1 if rank(state, seat) == 1 else 0
        else:
            scaled = SCALE * weight(state, seat) // most
            desk.share[seat] = scaled * scaled
        whole += desk.share[seat]
    least = 0 if state.reason != 0 else SURE // state.seats
    given = 0
    first = 0
    for seat in range(state.seats):
        part = (WHOLE - least * state.seats) * desk.share[seat] // whole if whole > 0 else WHOLE // state.seats
        desk.share[seat] = min(WHOLE, least + part)
        given += desk.share[seat]
        if desk.share[seat] > desk.share[first]:
            first = seat
    desk.share[first] += WHOLE - given


@rule
def weigh(state: State, desk: Desk) -> None:
    """The shares of a game that goes on, as they were learned."""
    scales = desk.scales
    net = desk.nets[state.seats - 2]
    for seat in range(state.seats):
        describe(state, seat, scales.facts)
        scales.score[seat] = score(net, scales)
    share_out(state.seats, scales)
    for seat in range(state.seats):
        desk.share[seat] = scales.share[seat]


@entry
def describe_for(state: State, seat: int, facts: Facts, desk: Desk) -> None:
    """The features of a position, for learning."""
    describe(state, seat, facts)


# ---- sheets


@rule
def write(orders: Many[Order], count: int, sheet: Sheet) -> None:
    """So many orders as a sheet."""
    used = sheet.count + 0
    sheet.count = min(count, MAX_LINES)
    for i in range(sheet.count):
        line = sheet.line[i]
        line.word = orders[i].word
        line.direction = orders[i].direction
        line.tile = orders[i].tile
        line.number = orders[i].number
    for i in range(sheet.count, used):
        line = sheet.line[i]
        line.word = 0
        line.direction = 0
        line.tile = 0
        line.number = 0


@rule
def read(state: State, seat: int, sheet: Sheet, orders: Many[Order], count: int) -> int:
    """Puts the lines of a sheet behind `count` orders; says how many there are then."""
    for i in range(sheet.count):
        line = sheet.line[i]
        put(orders, count + i, seat, line.word, line.direction, line.tile, line.tile % state.width, line.number)
    return count + sheet.count


@rule
def prune(state: State, orders: Many[Order], count: int, log: Log, work: Work) -> int:
    """2.7 Takes out what would be void and cuts what asks for too many; says how many orders are left."""
    check(state, orders, count, log, work)
    wipe(state, orders, work)
    kept = 0
    for i in range(count):
        if orders[i].fault == GOOD:
            of = orders[i]
            put(orders, kept, of.seat, of.word, of.direction, of.tile, of.x, of.taken)
            kept += 1
    return kept


# ---- what the search asks for


@rule
def start(of: State, to: State) -> None:
    """Part by part, and no more tiles than there are."""
    copy_match(of, to)
    copy_players(of, to)
    for tile in range(of.width * of.height):
        to.cell[tile] = of.cell[tile]


@rule
def play_one(states: Many[State], sheets: Many[Sheet], trial: Trial, log: Log, desk: Desk) -> None:
    """One playout, from its state to its value for each seat."""
    state = desk.state
    start(states[trial.start], state)
    manner = whims(trial.key, -1)
    step = 0
    while state.reason == 0 and (trial.steps == 0 or step < trial.steps):
        count = 0
        for seat in range(state.seats):
            if not may_order(state, seat):
                continue
            if step == 0 and trial.sheet[seat] >= 0:
                count = read(state, seat, sheets[trial.sheet[seat]], desk.orders, count)
            else:
                policy = trial.script[seat] + 1
                count = script(policy, state, seat, manner, count, count + MAX_LINES, desk.mind, desk.orders)
        turn(state, desk.orders, count, log, desk.work)
        step += 1
    trial.played = step
    trial.over = state.reason != 0
    if state.reason == 0 and desk.nets[state.seats - 2].features > 0:
        weigh(state, desk)
    else:
        judge(state, desk)
    for seat in range(state.seats):
        trial.value[seat] = desk.share[seat]


@entry
def serve(
    task: int,
    states: Many[State],
    sheets: Many[Sheet],
    trials: Many[Trial],
    first: int,
    after: int,
    state: State,
    seat: int,
    which: int,
    key: u64,
    sheet: Sheet,
    log: Log,
    desk: Desk,
) -> int:
    """All that the search asks for, in one rule: scripts take long to compile, and each entry compiles them again.

    PLAY plays the trials from `first` to before `after`. The other tasks write a sheet for one seat in one state: ASK
    what the script `which` orders, BLEND what two scripts do, of which one orders the stacks near an enemy and the
    other all others, and VARY the same sheet with other orders for one stack.
    """
    if task == PLAY:
        for at in range(first, after):
            play_one(states, sheets, trials[at], log, desk)
        return after - first
    mind = desk.mind
    count = 0
    if not may_order(state, seat):
        write(desk.orders, 0, sheet)
        return 0
    manner = whims(key, -1)
    bits = scatter(mix(key), 1)
    home = which if task == ASK else which % len(SCRIPTS) if task == BLEND else bits % len(SCRIPTS)
    listed = script(1 + home, state, seat, manner, 0, MAX_LINES, mind, desk.others)
    if task == VARY:
        count = change_stack(state, seat, mix(key), sheet, listed, desk)
    else:
        reach = 2 + (bits >> 8 & 3)
        for i in range(listed):
            if task == ASK or not is_near_foe(state, desk.others[i].tile, reach, mind):
                copy_line(desk.others[i], desk.orders, count)
                count += 1
        if task == BLEND:
            near = 1 + which // len(SCRIPTS)
            listed = script(near, state, seat, manner, 0, MAX_LINES, mind, desk.others)
            for i in range(listed):
                if is_near_foe(state, desk.others[i].tile, reach, mind) and count < MAX_LINES:
                    copy_line(desk.others[i], desk.orders, count)
                    count += 1
    if task != ASK:  # what a script orders is lawful as it is
        count = prune(state, desk.orders, count, log, desk.work)
    write(desk.orders, count, sheet)
    return 1


@entry
def resemble(before: State, after: State, seat: int, sheet: Sheet, desk: Desk) -> int:
    """How far a sheet explains what a seat has done between two states, in thousandths: where its units are now."""
    tiles = before.width * before.height
    for tile in range(tiles):
        cell = before.cell[tile]
        desk.guess[tile] = cell.units if cell.units > 0 and cell.owner == seat else 0
    founded = 0
    for i in range(sheet.count):
        line = sheet.line[i]
        if line.word == MOVE:
            there = neighbour(before, line.tile, line.direction)
            if there >= 0:
                desk.guess[line.tile] -= line.number
                desk.guess[there] += line.number
        founded += line.word == BUILD
    common = 0
    guessed = 0
    real = 0
    for tile in range(tiles):
        cell = after.cell[tile]
        here = cell.units + 0 if cell.units > 0 and cell.owner == seat else 0
        common += min(here, desk.guess[tile])
        guessed += desk.guess[tile]
        real += here
    alike = 1000 * common // max(1, guessed, real)
    return alike if before.buildings[seat] + founded == after.buildings[seat] else alike * 3 // 4


@rule
def copy_line(of: Order, orders: Many[Order], at: int) -> None:
    put(orders, at, of.seat, of.word, of.direction, of.tile, of.x, of.number)


@rule
def is_near_foe(state: State, tile: int, reach: int, mind: Mind) -> bool:
    """Whether foreign units or a foreign core are within so many steps, as the crow flies."""
    x = mind.x[tile] + 0
    y = mind.y[tile] + 0
    for row in range(max(0, y - reach), min(state.height, y + reach + 1)):
        wide = reach - abs(row - y)
        for there in range(row * state.width + max(0, x - wide), row * state.width + min(state.width, x + wide + 1)):
            cell = state.cell[there]
            if cell.units > 0 and cell.owner != mind.seat:
                return True
            owner = core_of(cell.building)
            if owner >= 0 and owner != mind.seat:
                return True
    return False


@rule
def change_stack(state: State, seat: int, key: u64, of: Sheet, listed: int, desk: Desk) -> int:
    """The sheet with other orders for one stack: a step of all its units, what is listed for it elsewhere, or none.

    Stacks near an enemy are taken first: there one turn decides.
    """
    mind = desk.mind
    tile = -1
    for i in range(TRIES):
        if mind.stacks > 0:
            tile = mind.stack[scatter(key, 2 + i) % mind.stacks] + 0
            if is_near_foe(state, tile, 3, mind):
                break
    count = 0
    for i in range(of.count):
        line = of.line[i]
        if line.tile != tile:
            put(desk.orders, count, seat, line.word, line.direction, line.tile, line.tile % state.width, line.number)
            count += 1
    bits = scatter(key, 0)
    if tile >= 0 and bits & 7 < 4:
        way = bits >> 16 & 3
        if mind.near[4 * tile + way] >= 0:
            put(desk.orders, count, seat, MOVE, way, tile, tile % state.width, state.cell[tile].units)
            count += 1
    elif bits & 7 < 7:
        for i in range(listed):
            if desk.others[i].tile == tile:
                copy_line(desk.others[i], desk.orders, count)
                count += 1
    return count
