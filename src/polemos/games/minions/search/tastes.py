"""What a bot thinks of the units and maps of a match, from their figures alone: any table, any map."""

from __future__ import annotations

from collections import deque
from functools import lru_cache

from polemos.games.minions.rules.geometry import neighbour
from polemos.games.minions.search.records import FAR, MAX_YARDS, MONEY, WEIGHTS, Ground, Tastes
from polemos.games.minions.state import (
    DEATHTOUCH,
    FLYING,
    GRAVEYARD,
    HEXES,
    LUMBERING,
    NORMAL_ATTACK,
    PERSISTENT,
    SOUL,
    SPAWN,
    UNSUMMON,
    WATER,
    Board,
    State,
    Type,
)


def tastes_of(state: State) -> Tastes:
    tastes = Tastes()
    for at in range(state.boards):
        tastes.ground[at] = ground_of(state.board[at])
    units = [type for type in range(state.types) if state.type[type].cost > 0]
    scale = sum(state.type[type].cost for type in units) / sum(power(state.type[type]) for type in units)
    for type in range(state.types):
        row = state.type[type]
        tastes.worth[type] = round(MONEY * (row.cost + scale * power(row)) / 2) if row.cost else 0
        tastes.zeal[type] = round(20 * row.defence + 60 * bool(row.keywords & SOUL) + 10 * power(row))
    for place, weight in enumerate(WEIGHTS):
        tastes.weight[place] = weight
    return tastes


def power(row: Type) -> float:
    """How much a unit does on a board, whatever it costs."""
    blows = {NORMAL_ATTACK: min(row.number, 7), UNSUMMON: 2 * min(row.number, 4), DEATHTOUCH: 5}
    blow = blows.get(row.attack, 1 + 0.8 * min(row.number, 6)) if row.range else 0.5
    reach = row.range + row.speed / 2 if row.keywords & LUMBERING else row.range + row.speed
    figures: float = blow**0.5 * row.defence**0.4 * max(reach, 0.5) ** 0.6
    for keyword, share in ((FLYING, 0.15), (PERSISTENT, 0.1), (SPAWN, 0.2)):
        figures *= 1 + share * bool(row.keywords & keyword)
    return figures


def worth_it(state: State, type: int) -> float:
    """What a unit does for its price; dear ones save room."""
    row = state.type[type]
    return power(row) / row.cost**0.8 if row.cost else 0.0


def ground_of(board: Board) -> Ground:
    """The graveyards of a board, and the steps by land to each of them."""
    return _survey(bytes(board.hex[hex].ground for hex in range(HEXES)))


@lru_cache(maxsize=64)
def _survey(kinds: bytes) -> Ground:
    """It takes a millisecond, and bots change their tastes in the middle of a match, but never its maps."""
    ground = Ground()
    yards = [hex for hex in range(HEXES) if kinds[hex] == GRAVEYARD][:MAX_YARDS]
    ground.yards = len(yards)
    for place, yard in enumerate(yards):
        ground.yard[place] = yard
        steps = {yard: 0}
        queue = deque([yard])
        while queue:
            here = queue.popleft()
            for way in range(6):
                there = neighbour(here, way)
                if there >= 0 and there not in steps and kinds[there] != WATER:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        for hex in range(HEXES):
            ground.steps[place * HEXES + hex] = min(steps.get(hex, FAR), FAR)
    return ground
