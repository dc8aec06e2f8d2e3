"""5 The mercenaries' turn and 6 the demons' turn: who fights, who waits, who moves; blows; the fallen."""

from __future__ import annotations

from polemos.games.demons.rules import events
from polemos.games.demons.rules.lanes import (
    clear_hurt,
    goal_of,
    heading,
    keep_units,
    side_of,
    sort_of,
    steps_to,
    unit_beside,
)
from polemos.games.demons.state import (
    DEMON,
    FIGHTING,
    MOVING,
    Q8,
    Q9,
    Q10,
    Q14,
    Q15,
    WAITING,
    State,
    Work,
)
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def mercenaries(state: State, log: Log, work: Work) -> None:
    """5 Part 3.1: all decide on the board as it is, then move, then strike."""
    march(state, 0, log, work)


@rule
def demons(state: State, log: Log, work: Work) -> None:
    """6.1 Part 3.2: the same for demons."""
    march(state, DEMON, log, work)


@rule
def march(state: State, kinds: int, log: Log, work: Work) -> None:
    # Those in front decide first: whoever waits must know what the one before it does.
    for i in range(state.units - 1, -1, -1):
        if state.unit[i].kind - kinds in (0, 1) and heading(state.unit[i].kind) > 0:
            decide(state, i, work)
    for i in range(state.units):
        if state.unit[i].kind - kinds in (0, 1) and heading(state.unit[i].kind) < 0:
            decide(state, i, work)
    step(state, kinds, log)
    strike(state, kinds, log, work)
    bury(state, sort_of(kinds), log)


@rule
def decide(state: State, i: int, work: Work) -> None:
    """5.2 to 5.6, 6.2 to 6.5 Fighting, waiting or moving, on the board before anybody moved."""
    unit = state.unit[i]
    goal = goal_of(unit.kind)
    way = heading(unit.kind)
    left = steps_to(state, unit.tile, goal)
    unit.act = MOVING
    if left == 1:
        # Only positions made by hand come here; 11.11 in the finals such a unit never attacks.
        unit.act = WAITING if state.quirks & Q15 else FIGHTING
        work.opponent[i] = -1 - goal
        return
    ahead = unit_beside(state, i, unit.tile + way, way)
    if ahead >= 0:
        unit.act = facing(state, unit.kind, ahead)
        work.opponent[i] = ahead
    elif left == 2:
        unit.act = FIGHTING
        work.opponent[i] = -1 - goal
    else:
        beyond = unit_beside(state, i, unit.tile + 2 * way, way)
        if beyond >= 0 and contends(unit.kind, state.unit[beyond].kind):
            unit.act = FIGHTING
            work.opponent[i] = beyond


@rule
def facing(state: State, kind: int, ahead: int) -> int:
    """What a unit does with somebody on its next tile."""
    other = state.unit[ahead].kind
    if kind < DEMON and other >= DEMON:
        # 5.2 any demon; 11.11 in the finals one that walks the same way is waited for
        same_way = goal_of(other) == goal_of(kind)
        return WAITING if same_way and state.quirks & Q8 else FIGHTING
    if kind != other:
        return FIGHTING  # 5.2 a rival, 6.2 any mercenary, 6.4 a demon of the other target
    act = state.unit[ahead].act
    if kind >= DEMON and state.quirks & Q10 and act == FIGHTING:
        return FIGHTING  # 11.11
    return WAITING if act in (FIGHTING, WAITING) else MOVING  # 5.5, 6.3


@rule
def contends(kind: int, other: int) -> bool:
    """5.3, 6.4 Rivals of the same sort that both want the one tile between them."""
    return kind != other and (kind < DEMON) == (other < DEMON)


@rule
def step(state: State, kinds: int, log: Log) -> None:
    """5.6 All moving ones step at once."""
    for i in range(state.units):
        unit = state.unit[i]
        if unit.kind - kinds in (0, 1) and unit.act == MOVING:
            unit.tile += heading(unit.kind)
            left = unit.tile - heading(unit.kind)
            events.moved(log, side_of(unit.kind), sort_of(unit.kind), left, unit.tile, unit.health)


@rule
def strike(state: State, kinds: int, log: Log, work: Work) -> None:
    """5.7 Every fighting one hurts its opponent, even if mortally wounded itself."""
    clear_hurt(state, work)
    for i in range(state.units):
        unit = state.unit[i]
        if unit.kind - kinds in (0, 1) and unit.act == FIGHTING:
            foe = work.opponent[i]
            if foe >= 0:
                other = state.unit[foe]
                work.hurt[foe] += unit.damage
                events.hit(log, side_of(unit.kind), sort_of(unit.kind), unit.tile, other.tile, other.kind, unit.damage)
            else:
                blow = unit.damage
                if unit.kind < DEMON and state.quirks & Q9:
                    blow = state.book.mercenary_damage  # 11.11 what a church gave counts against units only
                host = -1 - foe
                state.health[host] -= blow
                events.hit_base(
                    log, side_of(unit.kind), sort_of(unit.kind), unit.tile, host, host, blow, state.health[host]
                )
    for i in range(state.units):
        state.unit[i].health -= work.hurt[i]


@rule
def bury(state: State, part: int, log: Log) -> None:
    """5.8, 6.6, 8.8 Units without health are removed at the end of a part of the world (WORLD)."""
    kept = 0
    for i in range(state.units):
        unit = state.unit[i]
        if unit.health > 0:
            if kept < i:
                state.unit[kept] = unit
            kept += 1
        else:
            if unit.kind < DEMON and state.quirks & Q14:
                state.fallen[unit.kind] += 1
                state.fallen_health[unit.kind] += unit.health
            events.fell(log, side_of(unit.kind), sort_of(unit.kind), unit.tile, part, unit.health)
    keep_units(state, kept)
