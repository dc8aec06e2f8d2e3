"""10 What is seen: everybody sees everything but the orders of this turn."""

from __future__ import annotations

from polemos.games.demons.rules.arrivals import health_to_come, turns_to_wave
from polemos.games.demons.rules.lanes import keep_units
from polemos.games.demons.rules.phases import keep_towers
from polemos.games.demons.state import KINDS, MAX_NAME, Q14, Sight, State
from polemos.kernel.rule import entry, rule


@entry
def look(state: State, who: int, sight: Sight) -> None:
    """10.1 Fills what `who` sees. The sight is empty, or one of this match.

    Copied row by row: of a state in a batch no more is there than its rows in use.
    """
    sight.who = who
    clock(state, sight.state)
    players(state, sight.state)
    ground(state, sight.state)
    pieces(state, sight.state)
    for i in range(state.portals):
        sight.next_in[i] = turns_to_wave(state, i)
        sight.next_health[i] = health_to_come(state, i)


@rule
def clock(state: State, seen: State) -> None:
    """The turn, the rules that are played, and how it ended."""
    seen.turn = state.turn
    seen.turns = state.turns
    seen.step = state.step
    seen.rules = state.rules
    seen.two_decisions = state.two_decisions
    seen.coin = state.coin
    seen.limit_by_hp = state.limit_by_hp
    seen.reason = state.reason
    seen.winner = state.winner
    seen.first = state.first
    seen.quirks = state.quirks
    seen.book.mercenary_price = state.book.mercenary_price
    seen.book.mercenary_damage = state.book.mercenary_damage
    for kind in range(KINDS):
        seen.book.price[kind] = state.book.price[kind]
        seen.book.cooldown[kind] = state.book.cooldown[kind]
        seen.book.range[kind] = state.book.range[kind]
        seen.book.damage[kind] = state.book.damage[kind]


@rule
def players(state: State, seen: State) -> None:
    """Bases, gold, prices, queues; the fallen where they count (11.13)."""
    for player in range(2):
        seen.gold[player] = state.gold[player]
        seen.health[player] = state.health[player]
        seen.dropped[player] = state.dropped[player]
        seen.base_x[player] = state.base_x[player]
        seen.base_y[player] = state.base_y[player]
        seen.house[player] = state.house[player]
        seen.fallen[player] = state.fallen[player] if state.quirks & Q14 else 0
        seen.fallen_health[player] = state.fallen_health[player] if state.quirks & Q14 else 0
    for i in range(2 * KINDS):
        seen.price[i] = state.price[i]
    for i in range(2 * 4):
        seen.queue[i] = state.queue[i]
        seen.exit_lane[i] = state.exit_lane[i]


@rule
def ground(state: State, seen: State) -> None:
    """The map."""
    seen.symmetry = state.symmetry
    seen.facing = state.facing
    seen.width = state.width
    seen.height = state.height
    for i in range(MAX_NAME):
        seen.name[i] = state.name[i]
    seen.lanes = state.lanes
    for i in range(state.lanes):
        lane = state.lane[i]
        seen.lane[i].first = lane.first
        seen.lane[i].length = lane.length
        seen.lane[i].red_exit = lane.red_exit
        seen.lane[i].blue_exit = lane.blue_exit
        seen.lane[i].blue_number = lane.blue_number
    seen.path = state.path
    seen.tiles = state.tiles
    for i in range(state.tiles):
        tile = state.tile[i]
        seen.tile[i].x = tile.x
        seen.tile[i].y = tile.y
        seen.tile[i].kind = tile.kind
        seen.tile[i].tower = tile.tower


@rule
def pieces(state: State, seen: State) -> None:
    """Portals, units, towers."""
    seen.portals = state.portals
    for i in range(state.portals):
        portal = state.portal[i]
        seen.portal[i].tile = portal.tile
        seen.portal[i].first = portal.first
        seen.portal[i].fixed = portal.fixed
        seen.portal[i].target = portal.target
        seen.portal[i].queued = portal.queued
        seen.portal[i].released = portal.released
        seen.portal[i].reload = portal.reload
    keep_units(seen, min(seen.units, state.units))
    seen.units = state.units
    for i in range(state.units):
        unit = state.unit[i]
        seen.unit[i].tile = unit.tile
        seen.unit[i].kind = unit.kind
        seen.unit[i].act = unit.act
        seen.unit[i].health = unit.health
        seen.unit[i].damage = unit.damage
    keep_towers(seen, min(seen.towers, state.towers))
    seen.towers = state.towers
    for i in range(state.towers):
        tower = state.tower[i]
        seen.tower[i].tile = tower.tile
        seen.tower[i].kind = tower.kind
        seen.tower[i].owner = tower.owner
        seen.tower[i].cooldown = tower.cooldown
