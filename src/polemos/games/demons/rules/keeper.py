"""The scripted player `keeper` in compiled code, for batches: line for line what the bot orders. No paragraph.

As many houses as its base can bear, a mercenary for every foe at the gate, then a flood.
"""

from __future__ import annotations

from typing import Final

from polemos.games.demons.rules.arrivals import health_to_come, turns_to_wave
from polemos.games.demons.rules.lanes import goal_of, lane_of, steps_to
from polemos.games.demons.rules.play import clear
from polemos.games.demons.rules.scouting import (
    BLOW,
    FAR,
    LOOK,
    NONE,
    POST,
    SHARE,
    Survey,
    build,
    count_houses,
    count_towers,
    first_place,
    guards,
    hire,
    shortest,
    shots,
    site,
    watch,
)
from polemos.games.demons.state import CANNON, HIRING, HOUSE, KINDS, MINIGUN, Order, State
from polemos.kernel.dice import scatter
from polemos.kernel.record import u64
from polemos.kernel.rule import rule

PAY: Final = 12  # gold of a house (8.7)
WAVE: Final = 10  # turns from one demon of a portal to the next (7.2)
MEET: Final = 1  # turns before a foe can strike at which a mercenary must be hired
EARLY: Final = 6  # the same for a weak base with gold to spare
FLOOR: Final = 30  # health that the base must keep when the purse is reckoned ahead
COST: Final = 40  # gold that an attack needs, beside eight for five of the other's
PLENTY: Final = 150  # gold from which on towers that shoot are built
GUNS: Final = 4  # such towers at the beginning, ...
MORE: Final = 150  # ... and one more each time so many turns are over
WEAK: Final = 35  # health of a weak base
WEAK_GUNS: Final = 3  # the towers that it wants besides


@rule
def keeper(state: State, player: int, key: u64, order: Order, found: Survey) -> None:
    """Reckons what the foes in sight would cost its base if it built a house now, and builds it if that is bearable."""
    clear(order)
    first = first_place(state, player, key)
    gold = state.gold[player]
    weak = state.health[player] < WEAK
    if weak and gold >= PLENTY:
        nearest = watch(state, player, EARLY, False, found)
        before = FAR
    else:
        nearest = watch(state, player, MEET + 2, True, found)
        before = MEET + met_by(state, FAR, found)
    if nearest >= 0 and found.due[nearest] < before:
        if gold < state.book.mercenary_price:
            gold = scrape(state, player, nearest, met_by(state, before, found), first, gold, order, found)
        for due in range(min(before, EARLY + 1)):
            for lane in range(state.lanes):
                if found.due[lane] == due:
                    gold = hire(state, player, lane, gold, order)
    gold = raise_towers(state, player, weak, first, gold, order, found)
    if state.turns - state.turn > state.lane[shortest(state)].length and richer(state, player, gold, found):
        attack(state, player, scatter(key, 10 + player) % state.lanes, gold, order, found)


@rule
def met_by(state: State, before: int, found: Survey) -> int:
    """The lanes on which an unstopped foe strikes before then."""
    count = 0
    for lane in range(state.lanes):
        count += found.due[lane] < before
    return count


@rule
def scrape(
    state: State, player: int, nearest: int, foes: int, first: int, gold: int, order: Order, found: Survey
) -> int:
    """No gold for a mercenary. If that lasts, a cannon may be quicker, or a house must go for its refund."""
    fee = state.book.mercenary_price
    refund = state.book.price[HOUSE] // 2
    wait = 0
    then = gold
    while then < fee and wait < LOOK:
        wait += 1
        then += PAY * houses_paying(state, player, wait)
    damage = state.book.damage[CANNON]
    if state.book.cooldown[CANNON] * ((found.health[nearest] + damage - 1) // damage) <= wait + 2:
        gold = build(state, player, CANNON, site(state, player, CANNON, False, first, found), gold, order)
    bearable = state.health[player] - BLOW * foes * wait >= FLOOR
    if not bearable and count_towers(state, player, True) > 1 and gold + refund >= fee:
        if order.build < 0 and state.step != HIRING:
            order.destroy_at = latest_house(state, player)
            gold += refund if state.rules == 0 else 0  # 3.8, 11.2 in the finals it cannot be spent at once
    return gold


@rule
def houses_paying(state: State, player: int, turns: int) -> int:
    """How many houses pay next after so many turns."""
    count = 0
    for i in range(state.towers):
        tower = state.tower[i]
        count += tower.owner == player and tower.kind == HOUSE and tower.cooldown == turns
    return count


@rule
def latest_house(state: State, player: int) -> int:
    """The tile of the house that pays last."""
    best = NONE
    for i in range(state.towers):
        tower = state.tower[i]
        if tower.owner == player and tower.kind == HOUSE:
            if best < 0 or tower.cooldown > state.tower[best].cooldown:
                best = i
    return state.tower[best].tile


@rule
def raise_towers(state: State, player: int, weak: bool, first: int, gold: int, order: Order, found: Survey) -> int:
    """A tower that shoots if there is plenty, otherwise a house if the base can bear it."""
    left = state.turns - state.turn
    if gold >= PLENTY and left > 100:
        guns = count_towers(state, player, False)
        if guns < GUNS + state.turn // MORE + (WEAK_GUNS if weak else 0):
            kind = MINIGUN if guns % 3 == 2 else CANNON
            gold = build(state, player, kind, site(state, player, kind, False, first, found), gold, order)
    price = state.price[player * KINDS + HOUSE]
    if order.build >= 0 or order.destroy_at >= 0 or price > gold or price >= PAY * ((left - 1) // period(state)):
        return gold
    list_foes(state, player, found)
    list_pay(state, player, found)
    cost = loss(state, player, gold - price, True, found)
    if state.health[player] - cost >= FLOOR or cost <= loss(state, player, gold, False, found):
        gold = build(state, player, HOUSE, site(state, player, CANNON, True, first, found), gold, order)
    return gold


@rule
def period(state: State) -> int:
    """8.7, 11.5 Turns from one pay of a house to the next."""
    return state.book.cooldown[HOUSE] + (1 if state.rules == 1 else 0)


@rule
def list_foes(state: State, player: int, found: Survey) -> None:
    """All who can strike within sight of the purse, those first who strike first; then the demons to come."""
    found.foes = 0
    for i in range(state.units):
        unit = state.unit[i]
        if goal_of(unit.kind) == player:
            steps = steps_to(state, unit.tile, player)
            note(lane_of(state, unit.tile), steps, unit.health, max(0, steps - POST), True, found)
    for i in range(state.portals):
        portal = state.portal[i]
        steps = steps_to(state, portal.tile, player)
        due = max(0, steps - POST) + 1
        if portal.queued == 0:
            due += turns_to_wave(state, i)
        alternates = portal.fixed == 0 and state.rules == 0
        lane = lane_of(state, portal.tile)
        health = health_to_come(state, i)
        if portal.target == player:
            note(lane, steps, health, due, False, found)
        if (portal.target == player) != alternates:
            note(lane, steps, health, due + WAVE, False, found)


@rule
def note(lane: int, steps: int, health: int, due: int, here: bool, found: Survey) -> None:
    """One foe more, at its place in the list. Of those here the nearer ones come first."""
    if due > LOOK:
        return
    at = found.foes
    found.foes += 1
    while at > 0 and (
        found.foe[at - 1].due > due or (here and found.foe[at - 1].due == due and found.foe[at - 1].steps > steps)
    ):
        found.foe[at].lane = found.foe[at - 1].lane
        found.foe[at].steps = found.foe[at - 1].steps
        found.foe[at].health = found.foe[at - 1].health
        found.foe[at].due = found.foe[at - 1].due
        at -= 1
    found.foe[at].lane = lane
    found.foe[at].steps = steps
    found.foe[at].health = health
    found.foe[at].due = due


@rule
def list_pay(state: State, player: int, found: Survey) -> None:
    """What the houses bring in each of the next turns."""
    every = period(state)
    for turn in range(LOOK + 1):
        found.pay[turn] = 0
    for i in range(state.towers):
        tower = state.tower[i]
        if tower.owner == player and tower.kind == HOUSE:
            turn = tower.cooldown
            while turn <= LOOK:
                if turn > 0:
                    found.pay[turn] += PAY
                turn += every


@rule
def loss(state: State, player: int, gold: int, one_more: bool, found: Survey) -> int:
    """What the base would lose if every foe were met by mercenaries as soon as they can be paid."""
    if gold >= PLENTY:
        return 0
    fee = state.book.mercenary_price
    every = period(state)
    lost = 0
    now = 0
    for i in range(found.foes):
        foe = found.foe[i]
        lacking = foe.health - guards(state, foe.lane, player, foe.steps)
        while lacking > 0:
            lacking -= 3 * state.book.mercenary_damage
            while gold < fee and now < LOOK:
                now += 1
                gold += found.pay[now]
                if one_more and now % every == 0:
                    gold += PAY
            gold -= fee
            lost += BLOW * max(0, now - foe.due + 1)
    return lost


@rule
def richer(state: State, player: int, gold: int, found: Survey) -> bool:
    """Whether an attack can be paid that the other cannot stop: 1.6 times what it has, with two pays of all houses."""
    if gold < state.book.mercenary_price + COST:
        return False
    every = period(state)
    count_houses(state, found)
    mine = every * gold + 2 * PAY * found.houses[player]
    theirs = every * state.gold[1 - player] + 2 * PAY * found.houses[1 - player]
    return 5 * mine >= 8 * theirs + 5 * COST * every


@rule
def attack(state: State, player: int, first: int, gold: int, order: Order, found: Survey) -> None:
    """Down the lane on which the other's towers do least, of those that are free; equals in an order of chance."""
    tried = 0
    for lane in range(state.lanes):
        found.cost[lane] = 20 * shots(state, lane, 1 - player) + SHARE * state.lane[lane].length
    for _ in range(state.lanes):
        best = NONE
        least = 0
        for i in range(state.lanes):
            lane = first + i if first + i < state.lanes else first + i - state.lanes
            length = state.lane[lane].length
            cost = found.cost[lane]
            shorter = best >= 0 and cost == least and length < state.lane[best].length
            if tried >> lane & 1 == 0 and (best < 0 or cost < least or shorter):
                best = lane
                least = cost
        tried |= 1 << best
        gold = hire(state, player, best, gold, order)
