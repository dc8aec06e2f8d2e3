"""7 Arrivals: mercenaries beside their base, demons on their portals."""

from __future__ import annotations

from polemos.games.demons.rules import events
from polemos.games.demons.rules.lanes import put_unit, sort_of, unit_on
from polemos.games.demons.state import DEMON, Q11, Q12, RED, State, Work
from polemos.kernel.log import Log
from polemos.kernel.rule import rule

MERCENARY_HEALTH = 20
DEMON_DAMAGE = 7


@rule
def mercenaries_arrive(state: State, log: Log) -> None:
    """7.1 Part 3.3: who is queued appears on the tile next to the base, if nobody stands there."""
    for player in range(2):
        for direction in range(4):
            if state.queue[player * 4 + direction] > 0:
                tile = exit_tile(state, player, direction)
                if unit_on(state, tile) < 0:
                    lost = arrive(state, player * 4 + direction)
                    put_unit(state, tile, player, MERCENARY_HEALTH, state.book.mercenary_damage)
                    events.arrived(log, player, direction, tile, MERCENARY_HEALTH, lost)


@rule
def arrive(state: State, queue: int) -> int:
    """11.3 In the finals all hired beside the one that appears are lost; without the quirk they wait."""
    beside = state.queue[queue] - 1
    if state.rules == 1 and not state.quirks & Q11:
        state.queue[queue] = beside
        return 0
    state.queue[queue] = 0
    return beside


@rule
def exit_tile(state: State, player: int, direction: int) -> int:
    lane = state.lane[state.exit_lane[player * 4 + direction]]
    return lane.first if player == RED else lane.first + lane.length - 1


@rule
def demons_arrive(state: State, log: Log, work: Work) -> None:
    """7.2, 7.3 Part 3.4: portals queue on their turns and release when their tile is free."""
    for i in range(state.portals):
        portal = state.portal[i]
        if state.rules == 1:
            tick(state, i)
            portal.queued += work.provoked
        elif state.turn % 10 == 0:
            portal.queued = 1
        if portal.queued > 0 and unit_on(state, portal.tile) < 0:
            release(state, i, log)
        if wave_next_turn(state, i):
            events.announced(log, portal.tile, portal.target, next_health(state, i, state.turn + 1))


@rule
def wave_next_turn(state: State, i: int) -> bool:
    """7.5 The turn before a wave is announced, if there is a next turn."""
    due = state.portal[i].reload == 0 if state.rules == 1 else state.turn % 10 == 9
    return due and state.turn + 1 < state.turns


@rule
def tick(state: State, i: int) -> None:
    """11.12 The first wave on turn 10, then every 11th; without the quirk every 10th."""
    portal = state.portal[i]
    if portal.reload > 0:
        portal.reload -= 1
    else:
        portal.queued += 1
        portal.reload = 10 if state.quirks & Q12 else 9


@rule
def next_health(state: State, i: int, turn: int) -> int:
    """7.4 By the turn on which it appears; 11.12 in the finals by how many were released before."""
    if state.rules == 1:
        return 15 + 5 * state.portal[i].released
    return 10 + 10 * (turn // 100)


@rule
def turns_to_wave(state: State, i: int) -> int:
    """7.2, 11.12 Turns until a portal queues its next demon; 0: this very turn."""
    return state.portal[i].reload if state.rules == 1 else -state.turn % 10


@rule
def health_to_come(state: State, i: int) -> int:
    """7.5 The health of the next demon: of one that waits already, or of the next wave."""
    turn = state.turn if state.portal[i].queued > 0 else state.turn + turns_to_wave(state, i)
    return next_health(state, i, turn)


@rule
def release(state: State, i: int, log: Log) -> None:
    """7.3 A demon appears; only then the target changes."""
    portal = state.portal[i]
    health = next_health(state, i, state.turn)
    damage = 10 + 3 * portal.released if state.rules == 1 else DEMON_DAMAGE
    put_unit(state, portal.tile, DEMON + portal.target, health, damage)
    events.demon_arrived(log, portal.target, sort_of(DEMON), portal.tile, health)
    portal.queued -= 1
    portal.released += 1
    if portal.fixed == 0 and state.rules == 0:
        portal.target = 1 - portal.target
