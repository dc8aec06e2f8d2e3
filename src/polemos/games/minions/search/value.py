"""What a board is worth to the side that has just played on it, with the other side about to move."""

from __future__ import annotations

from typing import Final

from polemos.games.minions.rules.attacking import attacks_of
from polemos.games.minions.rules.geometry import gap as distance
from polemos.games.minions.rules.geometry import neighbour
from polemos.games.minions.rules.pieces import has, in_zone, is_of, type_of
from polemos.games.minions.search.records import (
    CLOSER,
    COIN,
    DEATH,
    DECIDES,
    HELD,
    LATE_YARD,
    LOSS,
    MONEY,
    NEARER,
    POINT,
    PRESSURE,
    SCARE,
    SIEGE,
    SPAWNER,
    YARD,
    Desk,
    Ground,
    Tastes,
)
from polemos.games.minions.state import (
    DEATHTOUCH,
    FLYING,
    GRAVEYARD,
    GRAVEYARDS,
    HEXES,
    LUMBERING,
    NECROMANCER,
    NORMAL_ATTACK,
    PERSISTENT,
    SOUL,
    SPAWN,
    UNSUMMON,
    WATER,
    Board,
    State,
)
from polemos.kernel.rule import rule

# All in eighths of a blow.
WHOLE: Final = 8
NEST: Final = 16  # new units may come from one with Spawn
GUARD: Final = 12  # those who strike at what comes near hold up so much
NEAR: Final = 4  # steps to the necromancer at which a nest counts
APPROACH: Final = 2  # steps from the necromancer at which guards can meet an enemy


@rule
def reach_of(state: State, type: int) -> int:
    """How far a unit strikes in a turn, as the crow flies; 0 if it never attacks."""
    row = state.type[type]
    if row.range == 0:
        return 0
    return row.range + 0 if row.keywords & LUMBERING else row.range + row.speed


@rule
def blow_of(state: State, type: int, victim: int) -> int:
    """The most damage that a type can do in a turn to a victim of another type."""
    row = state.type[type]
    if row.attack == DEATHTOUCH:
        return 0 if state.type[victim].keywords & NECROMANCER else 99
    if row.attack == UNSUMMON and state.type[victim].keywords & PERSISTENT == 0:
        return 99
    return row.number + 0


@rule
def board_value(state: State, at: int, side: int, tastes: Tastes, desk: Desk) -> int:
    """The whole: a point won or lost, or else units, graveyards, dangers and places; and both purses."""
    board = state.board[at]
    purses = COIN * (min(state.money[side], 10_000) - min(state.money[1 - side], 10_000))
    if board.killed != 0:
        return prize(state, side) + purses
    mine = list_units(board, side, desk, True)
    foes = list_units(board, 1 - side, desk, False)
    own_yards = yards_of(board, desk, mine, True)
    foe_yards = yards_of(board, desk, foes, False)
    if foe_yards >= GRAVEYARDS:
        return purses - prize(state, 1 - side)
    value = purses + yards_worth(own_yards, tastes) - yards_worth(foe_yards, tastes)
    value += army(state, board, side, tastes, desk, mine, True)
    value -= army(state, board, 1 - side, tastes, desk, foes, False)
    value += places(state, board, side, at, tastes, desk, mine, True)
    value -= places(state, board, 1 - side, at, tastes, desk, foes, False)
    value -= losses(state, board, tastes, desk, mine, foes)
    if tastes.weight[SIEGE] > 0:
        value += siege(state, board, side, tastes, desk, mine, foes, True)
        value -= siege(state, board, 1 - side, tastes, desk, foes, mine, False)
    return value + pressure(state, board, side, tastes, desk, mine)


@rule
def prize(state: State, side: int) -> int:
    """What a board won is worth to a side: everything, if it wins the game."""
    return DECIDES if state.points[side] + 1 >= state.to_win else POINT


@rule
def list_units(board: Board, side: int, desk: Desk, own: bool) -> int:
    """The hexes of a side's units, onto the desk; says how many."""
    count = 0
    for hex in range(HEXES):
        if is_of(board.hex[hex].piece, side):
            if own:
                desk.mine[count] = hex
            else:
                desk.foes[count] = hex
            count += 1
    return count


@rule
def listed(desk: Desk, i: int, own: bool) -> int:
    return desk.mine[i] if own else desk.foes[i]


@rule
def yards_of(board: Board, desk: Desk, count: int, own: bool) -> int:
    yards = 0
    for i in range(count):
        yards += board.hex[listed(desk, i, own)].ground == GRAVEYARD
    return yards


@rule
def yards_worth(yards: int, tastes: Tastes) -> int:
    """Each pays in every turn; the last ones before eight win the board."""
    return tastes.weight[YARD] * yards + tastes.weight[LATE_YARD] * max(0, yards - 5) * max(0, yards - 5)


@rule
def army(state: State, board: Board, side: int, tastes: Tastes, desk: Desk, count: int, own: bool) -> int:
    """Units on the board, those of the zone for a little less, and the soul that pays."""
    value = 0
    for i in range(count):
        type = type_of(board.hex[listed(desk, i, own)].piece)
        value += tastes.worth[type]
        if state.type[type].keywords & SOUL:
            value += 2 * MONEY
    for type in range(state.types):
        value += min(in_zone(board, side, type), 20) * tastes.worth[type] * 2 // 3
    return value


@rule
def places(state: State, board: Board, side: int, at: int, tastes: Tastes, desk: Desk, count: int, own: bool) -> int:
    """Units are better near graveyards that their side does not hold, and near the enemy's necromancer."""
    ground = tastes.ground[at]
    goal = necromancer_of(state, board, 1 - side)
    value = 0
    for i in range(count):
        hex = listed(desk, i, own)
        piece = board.hex[hex].piece
        row = state.type[type_of(piece)]
        necromancer = row.keywords & NECROMANCER != 0
        if board.hex[hex].ground != GRAVEYARD:
            nearest = 10
            for yard in range(ground.yards):
                if not is_of(board.hex[ground.yard[yard]].piece, side):
                    nearest = min(nearest, way_to(ground, yard, hex, row.keywords & FLYING))
            value += (tastes.weight[NEARER] + tastes.weight[SPAWNER] * (row.keywords & SPAWN != 0)) * (10 - nearest)
        if goal >= 0 and not necromancer:
            value += tastes.weight[CLOSER] * max(0, 14 - distance(hex, goal))
    return value


@rule
def way_to(ground: Ground, yard: int, hex: int, flying: int) -> int:
    return distance(hex, ground.yard[yard]) if flying else ground.steps[yard * HEXES + hex] + 0


@rule
def necromancer_of(state: State, board: Board, side: int) -> int:
    """Where the necromancer of a side stands, or -1."""
    for hex in range(HEXES):
        if is_of(board.hex[hex].piece, side) and has(state, board.hex[hex].piece, NECROMANCER):
            return hex
    return -1


@rule
def losses(state: State, board: Board, tastes: Tastes, desk: Desk, mine: int, foes: int) -> int:
    """What the enemy can take in its turn: the necromancer, or else the dearest units that its blows are enough for."""
    loss = 0
    for i in range(mine):
        if has(state, board.hex[desk.mine[i]].piece, NECROMANCER):
            loss += danger(state, board, tastes, desk, desk.mine[i], foes)
    return loss + spoils(state, board, tastes, desk, mine, foes)


@rule
def spoils(state: State, board: Board, tastes: Tastes, desk: Desk, mine: int, foes: int) -> int:
    """What the enemy can take apart from the necromancer: the dearest units that its blows are enough for."""
    for i in range(foes):
        desk.blows[i] = 1 if reach_of(state, type_of(board.hex[desk.foes[i]].piece)) > 0 else 0
    loss = 0
    for i in range(mine):
        desk.done[i] = has(state, board.hex[desk.mine[i]].piece, NECROMANCER)
    for _ in range(mine):
        best = -1
        dearest = 0
        for i in range(mine):
            if desk.done[i] == 0 and stake(state, board, tastes, desk.mine[i]) > dearest:
                best = i
                dearest = stake(state, board, tastes, desk.mine[i])
        if best < 0:
            break
        desk.done[best] = 1
        if is_taken(state, board, desk, desk.mine[best], foes):
            loss += dearest * tastes.weight[LOSS] // 100
    return loss


@rule
def stake(state: State, board: Board, tastes: Tastes, hex: int) -> int:
    """What the enemy gains by taking the unit there."""
    type = type_of(board.hex[hex].piece)
    worth = tastes.worth[type] - MONEY * state.type[type].rebate
    return max(worth, 20) + (tastes.weight[HELD] if board.hex[hex].ground == GRAVEYARD else 0)


@rule
def is_taken(state: State, board: Board, desk: Desk, hex: int, foes: int) -> bool:
    """Whether foes with blows left can destroy the unit there; if so, their blows are spent."""
    victim = type_of(board.hex[hex].piece)
    need = state.type[victim].defence + 0
    for i in range(foes):
        if desk.blows[i] > 0:
            foe = type_of(board.hex[desk.foes[i]].piece)
            if distance(desk.foes[i], hex) <= reach_of(state, foe):
                need -= blow_of(state, foe, victim)
    if need > 0:
        return False
    need = state.type[victim].defence + 0
    for i in range(foes):
        if desk.blows[i] > 0 and need > 0:
            foe = type_of(board.hex[desk.foes[i]].piece)
            if distance(desk.foes[i], hex) <= reach_of(state, foe):
                need -= blow_of(state, foe, victim)
                desk.blows[i] = 0
    return True


@rule
def danger(state: State, board: Board, tastes: Tastes, desk: Desk, hex: int, foes: int) -> int:
    """How near the necromancer there is to its death: most of a point if enough blows can reach it."""
    total = blows_at(state, board, desk, hex, foes)
    defence = state.type[type_of(board.hex[hex].piece)].defence + 0
    if total >= defence:
        return tastes.weight[DEATH] + 40 * min(total - defence, 20)
    return tastes.weight[SCARE] * total * total // (defence * defence)


@rule
def blows_at(state: State, board: Board, desk: Desk, hex: int, foes: int) -> int:
    """The damage that foes can do in a turn to the necromancer there, as far as there is room around it."""
    victim = type_of(board.hex[hex].piece)
    room = 1  # a blocker may fall first
    for way in range(6):
        there = neighbour(hex, way)
        if there >= 0 and not is_same_side(board.hex[hex].piece, board.hex[there].piece):
            room += board.hex[there].ground != WATER
    near = 0
    total = 0
    for i in range(foes):
        foe = type_of(board.hex[desk.foes[i]].piece)
        if distance(desk.foes[i], hex) <= reach_of(state, foe):
            blow = blow_of(state, foe, victim)
            if state.type[foe].range > 1:
                total += blow
            elif near < room and blow > 0:
                near += 1
                total += blow
    return total


@rule
def is_same_side(one: int, other: int) -> bool:
    return (one > 0 and other > 0) or (one < 0 and other < 0)


@rule
def pressure(state: State, board: Board, side: int, tastes: Tastes, desk: Desk, mine: int) -> int:
    """Own units that can strike the enemy's necromancer next turn."""
    goal = necromancer_of(state, board, 1 - side)
    if goal < 0:
        return 0
    victim = type_of(board.hex[goal].piece)
    total = 0
    for i in range(mine):
        type = type_of(board.hex[desk.mine[i]].piece)
        if distance(desk.mine[i], goal) <= reach_of(state, type):
            total += blow_of(state, type, victim)
    defence = state.type[victim].defence + 0
    return tastes.weight[PRESSURE] * min(total, defence) * min(total, defence) // (defence * defence)


@rule
def siege(state: State, board: Board, side: int, tastes: Tastes, desk: Desk, count: int, others: int, own: bool) -> int:
    """What a side's units will do to the enemy's necromancer in the next turns, beyond what its guards hold up."""
    goal = necromancer_of(state, board, 1 - side)
    if goal < 0:
        return 0
    most = 2 * WHOLE * state.type[type_of(board.hex[goal].piece)].defence
    total = min(max(onslaught(state, board, desk, goal, count, others, own), 0), most)
    return tastes.weight[SIEGE] * total * total // (most * most)


@rule
def onslaught(state: State, board: Board, desk: Desk, goal: int, count: int, others: int, own: bool) -> int:
    """Eighths of blows that are on their way to the necromancer there, less what its guards hold up."""
    victim = type_of(board.hex[goal].piece)
    total = 0
    for i in range(count):
        total += onset(state, board, listed(desk, i, own), goal, victim)
    for i in range(others):
        hex = listed(desk, i, not own)
        reach = reach_of(state, type_of(board.hex[hex].piece))
        if hex != goal and reach > 0 and distance(hex, goal) - reach <= APPROACH:
            total -= GUARD
    return total


@rule
def onset(state: State, board: Board, hex: int, goal: int, victim: int) -> int:
    """The blow that a unit brings to a necromancer, less of it the later it comes, and what it may spawn there."""
    type = type_of(board.hex[hex].piece)
    row = state.type[type]
    if row.keywords & NECROMANCER:
        return 0
    gap = distance(hex, goal)
    total = NEST if row.keywords & SPAWN and gap <= NEAR else 0
    if row.range > 0:
        way = gap - row.range if row.keywords & LUMBERING else gap - row.range - row.speed
        total += min(blow_of(state, type, victim), 7) * coming(way, row.speed + 0)
    return total


@rule
def coming(way: int, speed: int) -> int:
    """How much a blow counts that is so many steps from its victim: the whole of it if it can be struck next turn."""
    if way <= 0:
        return WHOLE
    if way > 3 * speed:
        return 0
    return 5 if way <= speed else 3 if way <= 2 * speed else 1


@rule
def strikes_of(state: State, type: int) -> int:
    """How often a unit may still be used in a turn."""
    return attacks_of(state.type[type].attack, state.type[type].number)


@rule
def hit_of(state: State, type: int, victim: int) -> int:
    """The damage of a single attack; 99 removes the victim at once."""
    row = state.type[type]
    if row.attack == NORMAL_ATTACK or row.attack == DEATHTOUCH:
        return blow_of(state, type, victim)
    return 99 if row.attack == UNSUMMON and state.type[victim].keywords & PERSISTENT == 0 else 1
