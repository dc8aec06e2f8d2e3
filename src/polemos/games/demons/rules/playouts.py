"""Playouts for the search: scripts play on from a state, and what they come to is judged. No paragraph of the book."""

from __future__ import annotations

from typing import Final

from polemos.games.demons.rules.arrivals import MERCENARY_HEALTH
from polemos.games.demons.rules.batch import blank, copy_order, copy_state
from polemos.games.demons.rules.judging import describe
from polemos.games.demons.rules.lanes import lane_of, steps_to
from polemos.games.demons.rules.phases import judge_sheet
from polemos.games.demons.rules.scouting import NONE, Survey, exit_of, first_place, site, survey
from polemos.games.demons.rules.scripts import PAY, Purse, order_of, period_of, recall
from polemos.games.demons.rules.turn import turn
from polemos.games.demons.state import (
    BLUE,
    BUILDER,
    CANNON,
    CHURCH,
    CROSSBOW,
    GOOD,
    HIRE,
    HOUSE,
    KINDS,
    NOBODY,
    PARTS,
    PROVOKE,
    REASONS,
    RED,
    RULES,
    Order,
    Orders,
    State,
    Work,
)
from polemos.kernel.dice import Chance, mix, scatter
from polemos.kernel.judgement import Facts, Net, Scales, score, share_out
from polemos.kernel.log import Log
from polemos.kernel.playouts import WHOLE, Trial, whims
from polemos.kernel.record import Array, Many, Record, size, u64
from polemos.kernel.rule import entry, rule

ROUNDS: Final = 8  # pays of a house that count when it is judged; what comes later is too far away
MORE_GOLD: Final = REASONS.index("more gold")
CLOSE: Final = 50  # a lead of one in so many of both players' gold is half of a lead that leaves the other nothing
SOUND: Final = 20  # health that is added to both bases when they are compared
REST: Final = WHOLE // 10  # of a game that has ended, what goes by the margin
TRIES: Final = 4  # to find a lawful change of a sheet


class Desk(Record):
    """What one thread needs for the playouts of one match."""

    chance: Chance
    orders: Orders
    work: Work
    survey: Survey
    purse: Purse
    trial: Order
    nets: Array[Net] = size(len(RULES))  # by rule set; empty ones are not asked
    scales: Scales
    state: State


@rule
def know(state: State, desk: Desk) -> None:
    """Learns the map, once for a match."""
    if desk.survey.of != 1:
        survey(state, 1, desk.survey)
        recall(state, desk.purse)


@rule
def wealth(state: State, player: int) -> int:
    """What a player owns, in gold: the purse, what houses will still pay, half of the towers, the mercenaries."""
    left = state.turns - state.turn
    rounds = min(ROUNDS, left // period_of(state))
    gold = state.gold[player]
    for i in range(state.towers):
        tower = state.tower[i]
        if tower.owner == player:
            gold += PAY * rounds if tower.kind == HOUSE else state.book.price[tower.kind] * min(left, 100) // 200
    health = 0
    for i in range(state.units):
        if state.unit[i].kind == player:
            health += state.unit[i].health
    return gold + state.book.mercenary_price * health * min(left, 100) // 4000


@rule
def margin(state: State, player: int) -> int:
    """The share of a player by wealth and by the health of the bases, of a whole game."""
    mine = wealth(state, player)
    rich = 1000 * (mine + 10) // (mine + wealth(state, 1 - player) + 20)
    poor = 1000 - rich
    sound = max(0, state.health[player]) + SOUND
    other = max(0, state.health[1 - player]) + SOUND
    for_me = rich * rich * rich * sound
    against = poor * poor * poor * other
    return WHOLE * (for_me >> 10) // max(1, (for_me + against) >> 10)


@rule
def lead(state: State, player: int) -> int:
    """9.5 The share of a player by gold alone, of a whole game: after a thousand turns 1 in 1000 is a clear lead."""
    mine = wealth(state, player)
    ahead = mine - wealth(state, 1 - player)
    both = 2 * mine - ahead
    return WHOLE // 2 + WHOLE // 2 * ahead // (abs(ahead) + both // CLOSE + 1)


@rule
def judge(state: State, player: int) -> int:
    """9 The share of the game that is a player's: nearly all goes to the winner, the rest by the margin.

    The margin tells sheets apart that all win, or all lose. Whoever is beaten late has done better.
    """
    if state.reason == 0:
        # A judgement is never as good as a victory.
        return WHOLE // 50 + (WHOLE - WHOLE // 25) * margin(state, player) // WHOLE
    if state.winner == NOBODY:
        return WHOLE // 2
    late = state.turn * REST // max(1, 2 * state.turns)
    by_gold = state.reason == MORE_GOLD and state.turn >= state.turns
    clear = lead(state, state.winner) if by_gold else margin(state, state.winner)
    share = clear * (REST // 2) // WHOLE + REST // 2 - late
    return WHOLE - REST + share if state.winner == player else REST - share


@rule
def weigh(state: State, desk: Desk) -> int:
    """What is red's of a game that goes on, as it was learned."""
    scales = desk.scales
    net = desk.nets[state.rules]
    for player in range(2):
        describe(state, player, scales.facts, desk.purse)
        scales.score[player] = score(net, scales)
    share_out(2, scales)
    return scales.share[RED]


@rule
def play_one(states: Many[State], sheets: Many[Order], trials: Many[Trial], at: int, log: Log, desk: Desk) -> None:
    """One playout, from its state to its value for each player."""
    trial = trials[at]
    state = desk.state
    copy_state(states[trial.start], state)
    know(state, desk)
    desk.chance.key = mix(trial.key)
    manner = whims(trial.key, -1)
    step = 0
    while state.reason == 0 and (trial.steps == 0 or step < trial.steps):
        key = whims(trial.key, step)
        for player in range(2):
            order = desk.orders.of[player]
            if step == 0 and trial.sheet[player] >= 0:
                copy_order(sheets[trial.sheet[player]], order)
            else:
                order_of(trial.script[player], state, player, manner, key, order, desk.survey, desk.purse)
        turn(state, desk.orders, desk.chance, log, desk.work)
        step += 1
    trial.played = step
    trial.over = state.reason != 0
    is_learned = state.reason == 0 and desk.nets[state.rules].features > 0
    trial.value[RED] = weigh(state, desk) if is_learned else judge(state, RED)
    trial.value[BLUE] = WHOLE - trial.value[RED]  # each judged alone, rounding would leave some over


@entry
def play_trials(
    states: Many[State], sheets: Many[Order], trials: Many[Trial], first: int, after: int, log: Log, desk: Desk
) -> None:
    """These of the trials, one after the other."""
    for at in range(first, after):
        play_one(states, sheets, trials, at, log, desk)


@entry
def ask(state: State, player: int, script: int, key: u64, order: Order, desk: Desk) -> None:
    """What a script orders here."""
    know(state, desk)
    blank(order)
    order_of(script, state, player, whims(key, -1), whims(key, 0), order, desk.survey, desk.purse)


@entry
def describe_for(state: State, player: int, facts: Facts, desk: Desk) -> None:
    """The features of a position, for learning."""
    describe(state, player, facts, desk.purse)


@entry
def resemble(before: State, after: State, player: int, order: Order) -> int:
    """How far a sheet explains what a player has done between two states: 1 for the builder's part, 1 for hiring."""
    built = -1
    for i in range(after.towers):
        tower = after.tower[i]
        if tower.owner == player and before.tile[tower.tile].tower == 0:
            built = tower.kind
    for i in range(before.towers):
        tower = before.tower[i]
        if tower.owner == player and after.tile[tower.tile].tower == 0:
            built = -2
    wish = -2 if order.destroy_at >= 0 else order.build + 0
    hired = -1
    for i in range(after.units):
        unit = after.unit[i]
        if unit.kind == player and unit.health == MERCENARY_HEALTH and steps_to(after, unit.tile, player) == 1:
            hired = exit_of(after, lane_of(after, unit.tile), player)
    for direction in range(4):
        if after.queue[player * 4 + direction] > before.queue[player * 4 + direction]:
            hired = direction
    return (built == wish) + (hired == order.hire)


@rule
def is_lawful(state: State, player: int, order: Order, desk: Desk) -> bool:
    """Whether every part of a sheet is good."""
    trial = desk.trial
    blank(trial)
    copy_order(order, trial)
    trial.lines[BUILDER] = order.build >= 0 or order.destroy_at >= 0
    trial.lines[HIRE] = order.hire >= 0
    trial.lines[PROVOKE] = order.provoke
    judge_sheet(state, player, trial)
    for part in range(len(PARTS)):
        if trial.fault[part] != GOOD:
            return False
    return True


@rule
def youngest_house(state: State, player: int) -> int:
    """The tile of the house that pays last, or NONE."""
    found = NONE
    latest = 0
    for i in range(state.towers):
        tower = state.tower[i]
        if tower.owner == player and tower.kind == HOUSE and tower.cooldown > latest:
            latest = tower.cooldown
            found = tower.tile
    return found


@entry
def propose(state: State, player: int, key: u64, sheets: Many[Order], desk: Desk) -> int:
    """Every kind of tower on its best tile, or a house for its refund, with a mercenary down each lane, or none."""
    know(state, desk)
    first = first_place(state, player, key)
    count = 0
    for provoke in range(2 if state.rules == 1 else 1):
        for direction in range(-1, 4):
            for kind in range(-1, KINDS + 1):
                if count == len(sheets):
                    return count
                order = sheets[count]
                blank(order)
                order.provoke = provoke
                order.hire = direction
                if kind == KINDS:
                    order.destroy_at = youngest_house(state, player)
                elif kind >= 0:
                    order.build = kind
                    gun = CANNON if kind in (HOUSE, CHURCH) else kind
                    order.build_at = site(state, player, gun, kind == HOUSE, first, desk.survey)
                none = (kind == KINDS and order.destroy_at < 0) or (0 <= kind < KINDS and order.build_at < 0)
                if not none and is_lawful(state, player, order, desk):
                    count += 1
    return count


@entry
def vary(state: State, player: int, key: u64, of: Order, to: Order, desk: Desk) -> None:
    """Another tile, another tower, another lane, or one part less; the same sheet if nothing lawful was found."""
    for i in range(TRIES):
        copy_order(of, to)
        bits = scatter(key, 16 + i)
        land = state.path + (bits >> 8 & 0xFFFF) * (state.tiles - state.path) // 0x10000
        what = bits & 7
        if what < 3 and of.build >= 0:
            to.build_at = land
        elif what < 5:
            to.build = CROSSBOW + (bits >> 24 & 1)
            to.build_at = land
            to.destroy_at = -1
        elif what == 5:
            to.hire = (bits >> 26 & 3) if of.hire < 0 else -1
        elif what == 6:
            to.hire = bits >> 26 & 3
        else:
            to.build = -1
            to.build_at = -1
            to.destroy_at = -1
        if is_lawful(state, player, to, desk):
            return
    copy_order(of, to)
