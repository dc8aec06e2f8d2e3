"""Random play in compiled code: for measuring, for searching, for testing. No paragraph of the book."""

from __future__ import annotations

from polemos.games.minions.rules.attacking import attack_fault, spent_fault
from polemos.games.minions.rules.geometry import neighbour, outward, within
from polemos.games.minions.rules.pieces import has, in_zone, is_of, type_of
from polemos.games.minions.rules.sets import HALF, empty, exclude, holds, include, next_in
from polemos.games.minions.rules.spawning import can_be_bought, has_spawn_phase, spawner_on
from polemos.games.minions.rules.techline import next_to_march, spell_fault
from polemos.games.minions.rules.turn import finish_turn, give, give_kind, has_given_up
from polemos.games.minions.state import (
    ATTACK,
    BUY,
    CHOOSE,
    FLYING,
    HEXES,
    KEEP_DEAREST,
    MARCH,
    MAX_CARDS,
    MOVE,
    RESET0,
    RESETS,
    SPAWNING,
    SPELLS,
    WATER,
    Board,
    Choice,
    Hexes,
    Order,
    State,
    Work,
)
from polemos.kernel.dice import mix, scatter
from polemos.kernel.log import Log
from polemos.kernel.record import Many, u64
from polemos.kernel.rule import entry, rule


@rule
def random_turn(state: State, order: Order, key: u64, log: Log, work: Work) -> int:
    """A whole turn of legal random orders; says how many. The turn is not ended."""
    given = random_spell(state, order, scatter(key, 0), log, work)
    for at in range(state.boards):
        given += random_board(state, at, order, mix(key ^ (at + 1)), log, work)
    return given


@rule
def random_spell(state: State, order: Order, bits: int, log: Log, work: Work) -> int:
    """The free spell: a card that is half done, or a march."""
    order.kind = SPELLS
    order.count = 1
    order.start[0] = MARCH
    if bits & 1 and state.cards > 0:
        card = (bits >> 8 & 0xFFFF) * state.cards >> 16
        for i in range(state.cards):
            there = card + i if card + i < state.cards else card + i - state.cards
            if state.spells[state.side * MAX_CARDS + there] == 1 and spell_fault(state, there) == 0:
                order.start[0] = there
                break
    if order.start[0] == MARCH and next_to_march(state) < 0:
        return 0
    return 1 if give_kind(state, order, SPELLS, 1, log, work) == 0 else 0


@rule
def random_board(state: State, at: int, order: Order, key: u64, log: Log, work: Work) -> int:
    """The orders of one board: a choice if one is due, then units in turn, then purchases and spawns."""
    board = state.board[at]
    given = 0
    if board.state == RESET0 or board.resigned != 0:
        return 0
    if board.due != 0:
        given += random_choice(state, at, order, scatter(key, 200), log, work)
    survey(state, board, work)
    hex = next_in(work.rested, 0)
    while hex < HEXES:
        given += random_unit(state, at, hex, order, scatter(key, hex), log, work)
        hex = next_in(work.rested, hex + 1)
    if has_spawn_phase(board):
        given += random_purchases(state, at, order, mix(key ^ 300), log, work)
        given += random_spawns(state, at, order, mix(key ^ 400), log, work)
    return given


@rule
def survey(state: State, board: Board, work: Work) -> None:
    """Looks at a board once: units that have not moved, enemies, hexes that are taken or bar the way (5.9)."""
    for half in range(2):
        rested = 0
        enemies = 0
        taken = 0
        water = 0
        for i in range(HALF):
            here = board.hex[half * HALF + i]
            if here.ground == WATER:
                water |= 1 << i
            if here.piece != 0:
                taken |= 1 << i
                if not is_of(here.piece, state.side):
                    enemies |= 1 << i
                elif here.marks == 0:
                    rested |= 1 << i
        if half == 0:
            work.rested.low = rested
            work.enemies.low = enemies
            work.taken.low = taken
            work.barred.low = water | enemies
        else:
            work.rested.high = rested
            work.enemies.high = enemies
            work.taken.high = taken
            work.barred.high = water | enemies


@rule
def random_choice(state: State, at: int, order: Order, bits: int, log: Log, work: Work) -> int:
    order.kind = CHOOSE
    order.board = at
    order.keep = KEEP_DEAREST
    place = (bits & 0xFFFF) * state.pools >> 16
    while state.used[state.side] >> place & 1:
        place = place + 1 if place + 1 < state.pools else 0
    order.type = state.first if state.switches & RESETS else state.pool[place]
    return 1 if give_kind(state, order, CHOOSE, 1, log, work) == 0 else 0


@rule
def random_unit(state: State, at: int, hex: int, order: Order, bits: int, log: Log, work: Work) -> int:
    """Perhaps a walk, then attacks as long as there is somebody in range."""
    board = state.board[at]
    order.board = at
    given = 0
    here = hex
    if bits & 7 != 0:
        there = walk(state, board, hex, bits >> 8, work)
        if there == hex:
            there = walk(state, board, hex, bits >> 24, work)
        if there != hex:
            order.kind = MOVE
            order.count = 1
            order.start[0] = hex
            order.target[0] = there
            if give_kind(state, order, MOVE, 1, log, work) == 0:
                given += 1
                here = there
                exclude(work.taken, hex)
                include(work.taken, there)
    order.kind = ATTACK
    target = victim(state, board, here, bits >> 40, work)
    while target >= 0:
        order.start[0] = here
        order.target[0] = target
        if give_kind(state, order, ATTACK, 1, log, work) != 0:
            break
        given += 1
        if board.hex[target].piece == 0:
            vacate(board, target, work)
        target = victim(state, board, here, bits >> 40, work)
    return given


@rule
def vacate(board: Board, hex: int, work: Work) -> None:
    """The enemy there is gone."""
    exclude(work.enemies, hex)
    exclude(work.taken, hex)
    if board.hex[hex].ground != WATER:
        exclude(work.barred, hex)


@rule
def walk(state: State, board: Board, hex: int, bits: int, work: Work) -> int:
    """Where a random walk ends: a legal destination, or the hex itself."""
    piece = board.hex[hex].piece
    speed = state.type[type_of(piece)].speed
    flying = has(state, piece, FLYING)
    here = hex
    end = hex
    for step in range(speed):
        there = neighbour(here, (bits >> (4 * step) & 15) * 6 >> 4)
        if there < 0 or not (flying or not holds(work.barred, there)):
            break
        here = there
        if not holds(work.taken, here):
            end = here
    return end


@rule
def victim(state: State, board: Board, hex: int, bits: int, work: Work) -> int:
    """A unit that this one may attack, searched from a random hex on; -1 for nobody."""
    here = board.hex[hex]
    type = state.type[type_of(here.piece)]
    reach = type.range
    if reach == 0 or spent_fault(type, here.marks, here.used) != 0:
        return -1
    if reach == 1:
        first = (bits & 15) * 6 >> 4
        for i in range(6):
            there = neighbour(hex, first + i if first + i < 6 else first + i - 6)
            if there >= 0 and holds(work.enemies, there) and attack_fault(state, board, hex, there) == 0:
                return there
        return -1
    count = within(hex, reach) - 1
    first = (bits & 0xFF) * count >> 8
    for i in range(count):
        there = outward(hex, 1 + (first + i if first + i < count else first + i - count))
        if holds(work.enemies, there) and attack_fault(state, board, hex, there) == 0:
            return there
    return -1


@rule
def random_purchases(state: State, at: int, order: Order, key: u64, log: Log, work: Work) -> int:
    """As much as a share of the purse allows, of random types."""
    order.kind = BUY
    order.board = at
    given = 0
    for i in range(8):
        bits = scatter(key, i)
        first = (bits & 0xFFFF) * state.types >> 16
        bought = 0
        for j in range(state.types):
            type = first + j if first + j < state.types else first + j - state.types
            if (
                state.type[type].cost > 0
                and state.type[type].cost <= state.money[state.side]
                and can_be_bought(state, type)
            ):
                order.type = type
                bought = 1 if give_kind(state, order, BUY, 1, log, work) == 0 else 0
                break
        if bought == 0:
            return given
        given += 1
    return given


@rule
def random_spawns(state: State, at: int, order: Order, key: u64, log: Log, work: Work) -> int:
    """Units of the zone, one to each free hex next to a spawner, as long as there are both."""
    board = state.board[at]
    waiting = 0
    for type in range(state.types):
        waiting += in_zone(board, state.side, type)
    order.kind = SPAWNING
    order.board = at
    given = 0
    first = scatter(key, 0) & 63
    if waiting == 0:
        return 0
    find_sites(state, board, work)
    i = next_site(work.sites, first, 0)
    while i < HEXES and waiting > 0:
        order.type = some_waiting(state, board, scatter(key, i + 1))
        order.target[0] = first + i if first + i < HEXES else first + i - HEXES
        if give_kind(state, order, SPAWNING, 1, log, work) == 0:
            waiting -= 1
            given += 1
            if spawner_on(state, board, order.target[0]) == 2:
                add_sites(board, order.target[0], work)
        i = next_site(work.sites, first, i + 1)
    return given


@rule
def find_sites(state: State, board: Board, work: Work) -> None:
    """9.5, 9.6 The free hexes next to spawners.

    Spawners first: on a GPU all games of a warp search together, and then each looks around its next one.
    """
    spawners = work.rested  # they have all had their turn
    empty(spawners)
    for hex in range(HEXES):
        if spawner_on(state, board, hex) == 2:
            include(spawners, hex)
    empty(work.sites)
    hex = next_in(spawners, 0)
    while hex < HEXES:
        add_sites(board, hex, work)
        hex = next_in(spawners, hex + 1)


@rule
def add_sites(board: Board, spawner: int, work: Work) -> None:
    for way in range(6):
        there = neighbour(spawner, way)
        if there >= 0 and board.hex[there].piece == 0:
            include(work.sites, there)


@rule
def next_site(sites: Hexes, first: int, i: int) -> int:
    """How many hexes behind the first one, at least i, the next site is, or HEXES; a0 follows on j9."""
    if first + i < HEXES:
        hex = next_in(sites, first + i)
        if hex < HEXES:
            return hex - first
        hex = next_in(sites, 0)
    else:
        hex = next_in(sites, first + i - HEXES)
    return hex + HEXES - first if hex < first else HEXES


@rule
def some_waiting(state: State, board: Board, bits: int) -> int:
    """A type of which units wait in the zone."""
    first = (bits & 0xFFFF) * state.types >> 16
    for j in range(state.types):
        type = first + j if first + j < state.types else first + j - state.types
        if in_zone(board, state.side, type) > 0:
            return type
    return 0


@rule
def renew(state: State, start: State) -> None:
    """A new game. Only what can change is copied, and no more than there are boards."""
    state.turn = start.turn
    state.side = start.side
    state.reason = start.reason
    state.winner = start.winner
    state.placed = start.placed
    for side in range(2):
        state.money[side] = start.money[side]
        state.points[side] = start.points[side]
        state.used[side] = start.used[side]
        state.gave_up[side] = start.gave_up[side]
    for card in range(MAX_CARDS):
        state.spells[card] = start.spells[card]
        state.spells[MAX_CARDS + card] = start.spells[MAX_CARDS + card]
        state.teched[card] = start.teched[card]
    for at in range(state.boards):
        state.board[at] = start.board[at]


@entry
def rollout(states: Many[State], start: State, key: u64, steps: int, order: Order, log: Log, work: Work) -> int:
    """Plays `steps` turns of random games, state by state; a finished game starts again. Counts the games."""
    count = len(states)
    games = 0
    at = 0
    for step in range(steps):
        if states[at].reason != 0:
            renew(states[at], start)
            games += 1
        if not has_given_up(states[at], log):
            random_turn(states[at], order, mix(key ^ step), log, work)
            finish_turn(states[at], log)
        at += 1
        if at == count:
            at = 0
    return games


@entry
def try_all(state: State, scratch: State, found: Many[Choice], count: int, order: Order, log: Log, work: Work) -> int:
    """Copies the first board and applies one order to the copy, for every order of a list; says how many stood."""
    stood = 0
    for i in range(count):
        choice = found[i]
        if choice.swap != 0 or choice.kind == CHOOSE:
            continue
        scratch.board[0] = state.board[0]
        scratch.money[state.side] = state.money[state.side]
        order.kind = choice.kind
        order.board = 0
        order.count = 1
        order.type = choice.type
        order.start[0] = choice.start
        order.target[0] = choice.target
        stood += 1 if give(scratch, order, log, work) == 0 else 0
    return stood


@entry
def play_random_turn(state: State, order: Order, key: u64, log: Log, work: Work) -> int:
    """A random turn without its end, for callers from Python; says how many orders were given."""
    return random_turn(state, order, key, log, work)
