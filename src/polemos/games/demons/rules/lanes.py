"""Where a unit stands on its lane, and who is next to it there. No paragraph of its own: 5 and 6 build on it."""

from __future__ import annotations

from polemos.games.demons.state import BLUE, DEMON, RED, State, Work
from polemos.kernel.rule import rule


@rule
def lane_of(state: State, tile: int) -> int:
    lane = 0
    while lane + 1 < state.lanes and tile >= state.lane[lane + 1].first:
        lane += 1
    return lane


@rule
def goal_of(kind: int) -> int:
    """The player whose base a unit walks to: the other one for a mercenary, its target for a demon."""
    return kind - DEMON if kind >= DEMON else 1 - kind


@rule
def side_of(kind: int) -> int:
    """The owner of a mercenary, the target of a demon."""
    return kind % DEMON


@rule
def sort_of(kind: int) -> int:
    """0 for mercenaries, 1 for demons."""
    return kind // DEMON


@rule
def heading(kind: int) -> int:
    """+1 towards blue's base, -1 towards red's, in tiles of the lane."""
    return 1 if goal_of(kind) == BLUE else -1


@rule
def steps_to(state: State, tile: int, player: int) -> int:
    """Lane steps from a tile to a player's base."""
    lane = state.lane[lane_of(state, tile)]
    if player == RED:
        return tile - lane.first + 1
    return lane.first + lane.length - tile


@rule
def unit_beside(state: State, i: int, tile: int, heading: int) -> int:
    """The unit on `tile`, which lies at most two tiles ahead of unit i; -1 if none. Units are sorted by tile."""
    j = i + heading
    while 0 <= j < state.units:
        there = state.unit[j].tile
        if there == tile:
            return j
        if (there - tile) * heading > 0:
            return -1
        j += heading
    return -1


@rule
def unit_on(state: State, tile: int) -> int:
    """The unit on a tile, or -1."""
    for i in range(state.units):
        if state.unit[i].tile == tile:
            return i
    return -1


@rule
def put_unit(state: State, tile: int, kind: int, health: int, damage: int) -> None:
    """A new unit, at its place among the sorted ones."""
    i = state.units
    while i > 0 and state.unit[i - 1].tile > tile:
        state.unit[i] = state.unit[i - 1]
        i -= 1
    unit = state.unit[i]
    unit.tile = tile
    unit.kind = kind
    unit.act = 0
    unit.health = health
    unit.damage = damage
    state.units += 1


@rule
def keep_units(state: State, kept: int) -> None:
    """The first `kept` units stay; what is behind them is wiped, so that equal positions have equal bytes."""
    for i in range(kept, state.units):
        unit = state.unit[i]
        unit.tile = 0
        unit.kind = 0
        unit.act = 0
        unit.health = 0
        unit.damage = 0
    state.units = kept


@rule
def clear_hurt(state: State, work: Work) -> None:
    for i in range(state.units):
        work.hurt[i] = 0
