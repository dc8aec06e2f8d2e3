"""The attack phase of a plan: enemies are struck down one by one, then everybody else walks."""

from __future__ import annotations

from polemos.games.minions.rules.geometry import gap as distance
from polemos.games.minions.rules.geometry import outward, within
from polemos.games.minions.rules.moving import flood, rest_fault
from polemos.games.minions.rules.pieces import has, is_enemy, is_of, type_of
from polemos.games.minions.search.records import FAR, MONEY, Desk, Ground, Plan, Tastes, draw
from polemos.games.minions.search.steps import keep_board, restore_board, step
from polemos.games.minions.search.value import hit_of, necromancer_of, reach_of, strikes_of, way_to
from polemos.games.minions.state import (
    ATTACK,
    DEATHTOUCH,
    FLYING,
    GRAVEYARD,
    HEXES,
    LUMBERING,
    MOVE,
    MOVED,
    NECROMANCER,
    SPAWN,
    UNSUMMON,
    Board,
    State,
)
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def strike_all(state: State, at: int, plan: Plan, tastes: Tastes, desk: Desk, log: Log) -> None:
    """Every enemy is a target once, the dearest first as far as chance allows; the necromancer first and last."""
    board = state.board[at]
    goal = necromancer_of(state, board, 1 - state.side)
    if goal >= 0 and strike(state, at, goal, plan, desk, log):
        return
    for hex in range(HEXES):
        desk.tried[hex] = 0 if is_enemy(board.hex[hex].piece, state.side) and hex != goal else 1
    lazy = draw(desk, 3) == 0
    for _ in range(HEXES):
        target = next_target(state, board, tastes, desk)
        if target < 0:
            break
        desk.tried[target] = 1
        if not (lazy and draw(desk, 3) == 0):
            strike(state, at, target, plan, desk, log)
    if goal >= 0:
        strike(state, at, goal, plan, desk, log)


@rule
def next_target(state: State, board: Board, tastes: Tastes, desk: Desk) -> int:
    """The enemy most worth striking that was not tried yet, or -1."""
    best = -1
    most = 0
    for hex in range(HEXES):
        if desk.tried[hex] == 0 and board.hex[hex].piece != 0:
            type = type_of(board.hex[hex].piece)
            gain = 1 + max(0, tastes.worth[type] - MONEY * state.type[type].rebate)
            gain += 260 if board.hex[hex].ground == GRAVEYARD else 0
            gain += draw(desk, 1 + 3 * desk.wild)
            if gain > most:
                best = hex
                most = gain
    return best


@rule
def strike(state: State, at: int, target: int, plan: Plan, desk: Desk, log: Log) -> bool:
    """Attacks until the target is gone; if it cannot be done, nothing has happened."""
    board = state.board[at]
    victim = type_of(board.hex[target].piece)
    if not within_reach(state, board, target, victim):
        return False
    keep_board(state, at, desk)
    count = plan.count + 0
    while board.hex[target].piece != 0:
        striker = best_striker(state, board, target, victim, desk)
        if striker < 0:
            break
        stand = striker
        if distance(striker, target) > state.type[type_of(board.hex[striker].piece)].range:
            stand = best_stand(state, board, striker, target, desk)
            if stand < 0 or not step(state, at, MOVE, striker, stand, 0, plan, desk, log):
                break
        if not step(state, at, ATTACK, stand, target, 0, plan, desk, log):
            break
    if board.hex[target].piece == 0:
        return True
    restore_board(state, at, desk)
    plan.count = count
    return False


@rule
def within_reach(state: State, board: Board, target: int, victim: int) -> bool:
    """Whether all who can strike it would be enough, as the crow flies."""
    need = state.type[victim].defence - board.hex[target].damage
    for hex in range(HEXES):
        if is_of(board.hex[hex].piece, state.side):
            type = type_of(board.hex[hex].piece)
            if distance(hex, target) <= reach_of(state, type):
                need -= hit_of(state, type, victim) * (strikes_of(state, type) - board.hex[hex].used)
                if need <= 0:
                    return True
    return False


@rule
def best_striker(state: State, board: Board, target: int, victim: int, desk: Desk) -> int:
    """The unit that wastes least on this target: -1 if nobody can strike it."""
    need = state.type[victim].defence - board.hex[target].damage
    best = -1
    most = -1_000_000
    for hex in range(HEXES):
        here = board.hex[hex]
        if is_of(here.piece, state.side):
            type = type_of(here.piece)
            row = state.type[type]
            gap = distance(hex, target)
            if gap <= reach_of(state, type) and here.used < strikes_of(state, type):
                hit = hit_of(state, type, victim)
                moves = gap > row.range
                able = not moves or (rest_fault(board, hex) == 0 and best_stand(state, board, hex, target, desk) >= 0)
                if row.keywords & LUMBERING and here.marks & MOVED:
                    able = False
                if able and hit > 0:
                    merit = -20 * abs(hit - need) if hit < 99 else -90
                    merit -= 60 if row.attack in (UNSUMMON, DEATHTOUCH) else 0
                    merit -= (30 if moves else 0) + (60 if moves and board.hex[hex].ground == GRAVEYARD else 0)
                    merit -= 50 if moves and row.keywords & NECROMANCER else 0
                    merit += draw(desk, 1 + desk.wild)
                    if merit > most:
                        best = hex
                        most = merit
    return best


@rule
def walks(state: State, board: Board, hex: int, desk: Desk) -> int:
    """Where a unit can go, into the queue of the work, its own hex first; says how many."""
    piece = board.hex[hex].piece
    speed = state.type[type_of(piece)].speed + 0
    if has(state, piece, FLYING):
        count = within(hex, speed)
        for i in range(count):
            desk.work.queue[i] = outward(hex, i)
        return count
    return flood(state, board, hex, -1, speed, desk.work)


@rule
def best_stand(state: State, board: Board, hex: int, target: int, desk: Desk) -> int:
    """The hex from which a unit best strikes the target after a move, or -1."""
    row = state.type[type_of(board.hex[hex].piece)]
    if row.speed == 0 or row.keywords & LUMBERING:
        return -1
    best = -1
    most = -1_000_000
    for i in range(1, walks(state, board, hex, desk)):
        there = desk.work.queue[i] + 0
        gap = distance(there, target)
        if board.hex[there].piece == 0 and gap <= row.range:
            merit = 25 * gap + (80 if board.hex[there].ground == GRAVEYARD else 0) - 4 * desk.threat[there]
            merit += there % 7 if desk.wild == 0 else draw(desk, 1 + desk.wild)
            if merit > most:
                best = there
                most = merit
    return best


@rule
def feel_threats(state: State, board: Board, desk: Desk) -> None:
    """What the enemies as they stand could do on every hex next turn."""
    for hex in range(HEXES):
        desk.threat[hex] = 0
        desk.grasp[hex] = 0
    for foe in range(HEXES):
        if is_enemy(board.hex[foe].piece, state.side):
            type = type_of(board.hex[foe].piece)
            row = state.type[type]
            reach = reach_of(state, type)
            blow = 0 if row.attack == DEATHTOUCH else row.number + 0
            grasp = 99 if row.attack == DEATHTOUCH else blow
            if reach > 0:
                for i in range(1, within(foe, reach)):
                    hex = outward(foe, i)
                    desk.threat[hex] = min(desk.threat[hex] + blow, 999)
                    desk.grasp[hex] = min(desk.grasp[hex] + grasp, 999)


@rule
def claim_held(state: State, board: Board, ground: Ground, desk: Desk) -> None:
    """Nobody else need go to graveyards that are held."""
    for yard in range(ground.yards):
        desk.claimed[yard] = 1 if is_of(board.hex[ground.yard[yard]].piece, state.side) else 0


@rule
def walk_all(state: State, at: int, plan: Plan, tastes: Tastes, desk: Desk, log: Log) -> None:
    """Everybody who may still move goes where it is best, in a random order."""
    board = state.board[at]
    ground = tastes.ground[at]
    goal = necromancer_of(state, board, 1 - state.side)
    claim_held(state, board, ground, desk)
    for hex in range(HEXES):
        desk.tried[hex] = 0 if is_of(board.hex[hex].piece, state.side) and rest_fault(board, hex) == 0 else 1
    first = draw(desk, HEXES)
    stride = 1 + 2 * draw(desk, 50)
    if stride % 5 == 0:
        stride += 2
    for i in range(HEXES):
        hex = (first + i * stride) % HEXES
        if desk.tried[hex] == 0:
            desk.tried[hex] = 1
            walk(state, at, hex, goal, ground, plan, tastes, desk, log)


@rule
def walk(
    state: State, at: int, hex: int, goal: int, ground: Ground, plan: Plan, tastes: Tastes, desk: Desk, log: Log
) -> None:
    board = state.board[at]
    type = type_of(board.hex[hex].piece)
    best = hex
    most = merit_of(state, board, hex, type, goal, ground, tastes, desk) + draw(desk, 1 + desk.wild)
    if board.hex[hex].ground == GRAVEYARD:
        most += 100
    if state.type[type].speed > 0:
        for i in range(1, walks(state, board, hex, desk)):
            there = desk.work.queue[i] + 0
            if board.hex[there].piece == 0:
                merit = merit_of(state, board, there, type, goal, ground, tastes, desk) + draw(desk, 1 + desk.wild)
                if merit > most:
                    best = there
                    most = merit
    claim(state, board, best, type, ground, desk)
    if best != hex:
        step(state, at, MOVE, hex, best, 0, plan, desk, log)
        desk.tried[best] = 1


@rule
def merit_of(
    state: State, board: Board, hex: int, type: int, goal: int, ground: Ground, tastes: Tastes, desk: Desk
) -> int:
    """How good a hex is for a unit: on a graveyard, on the way to one, near the enemy's necromancer, out of danger."""
    row = state.type[type]
    merit = 0
    if board.hex[hex].ground == GRAVEYARD:
        merit += 300
    else:
        merit -= 22 * nearest_yard(ground, hex, row.keywords & FLYING, desk)
    if row.keywords & NECROMANCER:
        merit -= 70 * desk.threat[hex]
        if desk.threat[hex] >= row.defence:
            merit -= 3000
        return merit
    if goal >= 0 and row.range > 0:
        merit -= (6 + row.number) * distance(hex, goal)
    if desk.grasp[hex] >= row.defence:
        merit -= (tastes.worth[type] - MONEY * row.rebate) * (100 - desk.bold) // 200
    if row.keywords & SPAWN:
        merit -= 10 * desk.threat[hex]
    return merit


@rule
def nearest_yard(ground: Ground, hex: int, flying: int, desk: Desk) -> int:
    """Steps to the nearest graveyard that nobody of its own side holds or goes for."""
    nearest = FAR
    for yard in range(ground.yards):
        if desk.claimed[yard] == 0:
            nearest = min(nearest, way_to(ground, yard, hex, flying))
    return nearest if nearest < FAR else 8


@rule
def claim(state: State, board: Board, hex: int, type: int, ground: Ground, desk: Desk) -> None:
    """The graveyard that a unit goes for is left to it."""
    best = -1
    nearest = FAR
    for yard in range(ground.yards):
        gap = way_to(ground, yard, hex, state.type[type].keywords & FLYING)
        if (desk.claimed[yard] == 0 or gap == 0) and gap < nearest:
            best = yard
            nearest = gap
    if best >= 0:
        desk.claimed[best] = 1
