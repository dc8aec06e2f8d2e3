"""The bot `keeper` in compiled code, and players of other temper in the same manner, for playouts. No paragraph.

Like the other scripted players they see no more than a player does, draw from a key where the bot draws from a stream,
and reckon ahead more roughly. So they play like the bot, not the same games.
"""

from __future__ import annotations

from typing import Final

from polemos.games.demons.rules.arrivals import MERCENARY_HEALTH, health_to_come, turns_to_wave
from polemos.games.demons.rules.keeper import keeper
from polemos.games.demons.rules.lanes import goal_of, lane_of, steps_to
from polemos.games.demons.rules.phases import why_not_hire
from polemos.games.demons.rules.play import clear
from polemos.games.demons.rules.policies import economist, rusher
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
    distance,
    exit_of,
    first_place,
    gate,
    guards,
    hire,
    shortest,
    shots,
    site,
)
from polemos.games.demons.state import (
    BUILDERS,
    CANNON,
    CHURCH,
    CROSSBOW,
    GOOD,
    HIRING,
    HOUSE,
    KINDS,
    MAX_LANES,
    MAX_PORTALS,
    MAX_UNITS,
    MINIGUN,
    RED,
    Order,
    State,
)
from polemos.kernel.dice import scatter
from polemos.kernel.record import Array, Record, i16, i32, size, table, u64
from polemos.kernel.rule import rule

SCRIPTS: Final = ("steward", "flood", "miser", "storm", "bold", "keeper", "rusher", "economist")
TEMPERS: Final = 5  # the scripts before this one are keepers of one temper or another
KEEPER: Final = 5
RUSHER: Final = 6
SPARE: Final = 16  # further keepers, after the scripts with names, for tempers that a search tries

PAY: Final = 12  # gold of a house (8.7)
WAVE: Final = 10  # turns from one demon of a portal to the next (7.2)
EARLY: Final = 6  # turns before a foe strikes at which a weak base with gold to spare hires
WEAK: Final = 35  # health of a weak base
FIRST_BLOW: Final = 10  # of the first demon of a portal in the finals, and what each later one adds (11.12)
GROWTH: Final = 3
PERIODS: Final = 16  # no house pays less often

# Columns of the tempers.
TRAITS: Final = (
    "floor",  # health that the base must keep in the reckoning
    "sure",  # how much richer than the other one must be to attack, in tenths
    "cost",  # gold that an attack needs besides
    "plenty",  # gold from which on towers that shoot are built
    "guns",  # such towers at the beginning, ...
    "more",  # ... and one more each time so many turns are over
    "weak_guns",  # towers that a weak base wants besides
    "meet",  # turns before a foe can strike at which a mercenary must be hired
    "every",  # each so many-th tower that shoots is a minigun
    "kind",  # the kind of the others; 0: crossbow or cannon, whichever costs less
    "houses",  # no more of them than this
    "save",  # at the end so many turns are kept without attacks
    "wait",  # no attack before this turn
    "churches",  # that are built where there is plenty (11.9)
    "early",  # towers that shoot that are built before there is plenty, once there are twice as many houses
    "provoke",  # gold from which on it provokes, if more portals send to the other (11.10)
    "spread",  # 1: attacks down the lane where it has the fewest mercenaries
    "sell",  # at the end towers that shoot are sold for so many turns, and houses that will not pay any more
    "endure",  # 1: at the end blows are borne that the base can bear
)
FLOOR: Final = 0
SURE: Final = 1
COST: Final = 2
PLENTY: Final = 3
GUNS: Final = 4
MORE: Final = 5
WEAK_GUNS: Final = 6
MEET: Final = 7
EVERY: Final = 8
KIND: Final = 9
HOUSES: Final = 10
SAVE: Final = 11
WAIT: Final = 12
CHURCHES: Final = 13
EARLY_GUNS: Final = 14
PROVOKED: Final = 15
SPREAD: Final = 16
SELL: Final = 17
ENDURE: Final = 18
COLUMNS: Final = len(TRAITS)

NEVER: Final = 9999

_CLASSIC: Final = table(
    (
        (30, 13, 80, 1000, 2, 150, 12, 1, 3, 2, NEVER, 0, 0, 0, 0, NEVER, 0, 12, 1),  # steward: gold before towers
        (25, 9, 0, 150, 3, 200, 3, 1, 3, 2, NEVER, 0, 0, 0, 0, NEVER, 0, 0, 0),  # flood: attacks when as rich
        (30, NEVER, 0, 150, 4, 150, 3, 1, 3, 2, NEVER, 0, 0, 0, 0, NEVER, 0, 0, 0),  # miser: never attacks
        (45, 18, 60, 60, 8, 60, 5, 2, 3, 2, NEVER, 0, 0, 0, 0, NEVER, 0, 0, 0),  # fortress: towers before anything else
        (-60, 16, 40, 250, 2, 200, 2, 0, 3, 2, NEVER, 0, 0, 0, 0, NEVER, 0, 0, 0),  # bold: houses at any price
    )
)
# The numbers of `steward` and `flood` were found by playing many games against `keeper` and the others; in the finals
# those of `storm` and `bold` by looking for what wins where all others lose, mostly on the side that the demons attack.
_FINALS: Final = table(
    (
        (30, NEVER, 300, 150, 4, 300, 3, 1, 1, 2, NEVER, 0, 0, 0, 0, NEVER, 0, 12, 1),  # steward: four miniguns
        (30, 0, 40, 150, 0, 60, 3, 1, 3, 1, NEVER, 150, 60, 6, 0, NEVER, 1, 12, 1),  # flood: behind churches
        (30, NEVER, 0, 150, 4, 150, 3, 1, 3, 2, NEVER, 0, 0, 0, 0, NEVER, 0, 0, 0),  # miser: never attacks
        (40, 0, 0, 60, 6, 150, 2, 0, 3, 2, 6, 0, 0, 0, 0, NEVER, 1, 0, 0),  # storm: six houses, then mercenaries only
        (44, 0, 0, 54, 3, 133, 0, 0, 2, 0, NEVER, 0, 0, 10, 0, NEVER, 1, 0, 0),  # bold: ten churches, and attacks
    )
)


class Purse(Record):
    """What comes in, and what comes along the lanes, at one moment."""

    pays: Array[i16] = size(PERIODS)  # houses by the turns until they pay
    due: Array[i32] = size(MAX_LANES)  # turns until a foe strikes whom nobody stops, or FAR
    foes: i16
    foe_due: Array[i16] = size(MAX_UNITS + 2 * MAX_PORTALS)
    foe_lack: Array[i32] = size(MAX_UNITS + 2 * MAX_PORTALS)  # health that the guards nearer to the base leave it
    temper: Array[i32] = size((TEMPERS + SPARE) * COLUMNS)


@rule
def recall(state: State, purse: Purse) -> None:
    """Gives every script its temper, and those to spare that of the first."""
    for row in range(TEMPERS + SPARE):
        script = row if row < TEMPERS else 0
        for what in range(COLUMNS):
            of = _CLASSIC[script][what] if state.rules == 0 else _FINALS[script][what]
            purse.temper[row * COLUMNS + what] = of


@rule
def row_of(script: int) -> int:
    """Where the temper of a keeper is kept: those without a name come after those with one."""
    return script if script < TEMPERS else script - len(SCRIPTS) + TEMPERS


@rule
def temper(script: int, what: int, purse: Purse) -> int:
    return purse.temper[script * COLUMNS + what]


@rule
def period_of(state: State) -> int:
    """Turns from one pay of a house to the next; 11.5 in the finals one more than its cooldown."""
    return state.book.cooldown[HOUSE] + (1 if state.rules == 1 else 0)


@rule
def blow_of(state: State) -> int:
    """What a foe takes with a blow, roughly; 11.12 in the finals the demons grow."""
    if state.rules == 0:
        return BLOW
    released = 0
    for i in range(state.portals):
        released = max(released, state.portal[i].released)
    return FIRST_BLOW + GROWTH * max(0, released - 1)


@rule
def guard(state: State, health: int, blow: int) -> int:
    """What a mercenary can take from a demon until it falls."""
    return state.book.mercenary_damage * ((health + blow - 1) // blow)


@rule
def survey_lanes(state: State, player: int, within: int, shooting: bool, purse: Purse) -> int:
    """Notes when the first unstopped enemy of each lane strikes; how many lanes have one within so many turns."""
    found = 0
    blow = blow_of(state)
    at = 0 if player == RED else state.units - 1
    ahead = 1 if player == RED else -1
    for turn in range(state.lanes):
        lane = turn if player == RED else state.lanes - 1 - turn
        purse.due[lane] = FAR
        stopped = NONE if shooting else 0  # counted when it matters
        strength = state.queue[player * 4 + exit_of(state, lane, player)] * guard(state, MERCENARY_HEALTH, blow)
        wounds = 0
        # Units are sorted by tile, and so by lane: the nearest to the base come first.
        while 0 <= at < state.units and lane_of(state, state.unit[at].tile) == lane:
            unit = state.unit[at]
            if unit.kind == player:
                strength += guard(state, unit.health, blow)
            elif goal_of(unit.kind) == player:
                due = max(0, steps_to(state, unit.tile, player) - POST)
                if due <= within and purse.due[lane] == FAR:
                    if stopped < 0:
                        stopped = shots(state, lane, player)
                    wounds += max(0, SHARE * unit.health - stopped * min(4, due))
                    if wounds > SHARE * strength:
                        purse.due[lane] = due
                        found += 1
            at += ahead
    return found


@rule
def urgent_lane(state: State, player: int, before: int, gold: int, purse: Purse) -> int:
    """The lane that needs a mercenary soonest, of those down which one can be hired; NONE if there are none."""
    best = NONE
    for lane in range(state.lanes):
        if purse.due[lane] < before and why_not_hire(state, player, exit_of(state, lane, player), gold) == GOOD:
            if best < 0 or purse.due[lane] < purse.due[best]:
                best = lane
    return best


@rule
def soonest_lane(state: State, before: int, purse: Purse) -> int:
    """The lane on which a foe strikes first, whether anybody can be hired or not, or NONE."""
    best = NONE
    for lane in range(state.lanes):
        if purse.due[lane] < before and (best < 0 or purse.due[lane] < purse.due[best]):
            best = lane
    return best


@rule
def count_pays(state: State, player: int, purse: Purse) -> int:
    """Sorts the houses by the turns until they pay, and counts them."""
    for i in range(PERIODS):
        purse.pays[i] = 0
    houses = 0
    period = period_of(state)
    for i in range(state.towers):
        tower = state.tower[i]
        if tower.owner == player and tower.kind == HOUSE:
            purse.pays[tower.cooldown % period] += 1
            houses += 1
    return houses


@rule
def count_foes(state: State, player: int, purse: Purse) -> None:
    """Lists who strikes within the reckoning, and what of each the guards leave."""
    purse.foes = 0
    blow = blow_of(state)
    at = 0 if player == RED else state.units - 1
    ahead = 1 if player == RED else -1
    for turn in range(state.lanes):
        lane = turn if player == RED else state.lanes - 1 - turn
        strength = state.queue[player * 4 + exit_of(state, lane, player)] * guard(state, MERCENARY_HEALTH, blow)
        while 0 <= at < state.units and lane_of(state, state.unit[at].tile) == lane:
            unit = state.unit[at]
            if unit.kind == player:
                strength += guard(state, unit.health, blow)
            elif goal_of(unit.kind) == player:
                note_foe(steps_to(state, unit.tile, player), 0, unit.health - strength, purse)
            at += ahead
    for i in range(state.portals):
        portal = state.portal[i]
        delay = 1 if portal.queued > 0 else 1 + turns_to_wave(state, i)
        steps = steps_to(state, portal.tile, player)
        lack = health_to_come(state, i) - guards(state, lane_of(state, portal.tile), player, steps)
        if portal.fixed != 0 or state.rules != 0:
            if portal.target == player:
                note_foe(steps, delay, lack, purse)
                note_foe(steps, delay + WAVE, lack, purse)
        else:
            note_foe(steps, delay if portal.target == player else delay + WAVE, lack, purse)


@rule
def note_foe(steps: int, delay: int, lack: int, purse: Purse) -> None:
    due = max(0, steps - POST) + delay
    if due <= LOOK and lack > 0:
        purse.foe_due[purse.foes] = due
        purse.foe_lack[purse.foes] = lack
        purse.foes += 1


@rule
def loss(state: State, gold: int, period: int, purse: Purse) -> int:
    """What the base would lose if every foe were met by mercenaries as soon as they can be paid."""
    fee = state.book.mercenary_price
    blow = blow_of(state)
    fresh = guard(state, MERCENARY_HEALTH, blow)
    lost = 0
    now = 0
    for due in range(LOOK + 1):
        for i in range(purse.foes):
            if purse.foe_due[i] == due:
                lack = purse.foe_lack[i]
                while lack > 0:
                    lack -= fresh
                    while gold < fee and now < LOOK:
                        now += 1
                        gold += PAY * purse.pays[now % period]
                    gold -= fee
                    lost += blow * max(0, now - due + 1)
    return lost


@rule
def scrape(
    state: State, player: int, lane: int, gold: int, floor: int, first: int, order: Order, found: Survey, purse: Purse
) -> int:
    """No gold for a mercenary. If that lasts, a cannon may be quicker, or a house must go for its refund."""
    fee = state.book.mercenary_price
    period = period_of(state)
    count_pays(state, player, purse)
    wait = 0
    purseful = gold
    while purseful < fee and wait < LOOK:
        wait += 1
        purseful += PAY * purse.pays[wait % period]
    shot = state.book.cooldown[CANNON] * (
        (MERCENARY_HEALTH + state.book.damage[CANNON] - 1) // state.book.damage[CANNON]
    )
    if shot <= wait + 2:
        gold = build(state, player, CANNON, site(state, player, CANNON, False, first, found), gold, order)
    refund = state.book.price[HOUSE] if state.rules == 1 else state.book.price[HOUSE] // 2
    if order.build >= 0 or state.step == HIRING or gold + refund < fee:
        return gold
    if state.health[player] - blow_of(state) * wait >= floor or count_towers(state, player, True) < 2:
        return gold
    last = NONE
    for i in range(state.towers):
        tower = state.tower[i]
        if tower.owner == player and tower.kind == HOUSE:
            if last < 0 or tower.cooldown > state.tower[last].cooldown:
                last = i
    order.destroy_at = state.tower[last].tile
    return gold + (refund if state.rules == 0 else 0)


@rule
def richer(state: State, player: int, script: int, gold: int, found: Survey, purse: Purse) -> bool:
    """Whether an attack can be paid that the other cannot stop."""
    cost = temper(script, COST, purse)
    if gold < state.book.mercenary_price + cost:
        return False
    period = period_of(state)
    count_houses(state, found)
    mine = gold * period + 2 * PAY * found.houses[player]
    other = state.gold[1 - player] * period + 2 * PAY * found.houses[1 - player]
    return 10 * mine >= temper(script, SURE, purse) * other + 10 * cost * period


@rule
def attack_lane(state: State, player: int, gold: int, key: u64, spread: bool) -> int:
    """The lane on which the other's towers do least, of those that can be hired for; NONE if there is none."""
    best = NONE
    least = 0
    first = scatter(key, 14 + player) % state.lanes
    for i in range(state.lanes):
        lane = (first + i) % state.lanes
        if why_not_hire(state, player, exit_of(state, lane, player), gold) == GOOD:
            price = shots(state, lane, 1 - player) * 20 + SHARE * state.lane[lane].length
            if state.rules == 1:
                price -= SHARE * 30 * churches_at(state, player, lane)
            if spread:
                price += SHARE * 40 * mercenaries_on(state, player, lane)
            if best < 0 or price < least:
                best = lane
                least = price
    return best


@rule
def sell(state: State, player: int, left: int, within: int, order: Order) -> None:
    """3.8, 11.4 Tears down what is of no more use: what brings most back first."""
    best = NONE
    most = 0
    if state.step == HIRING:
        return
    for i in range(state.towers):
        tower = state.tower[i]
        useless = tower.cooldown > left if tower.kind == HOUSE else left <= within
        if tower.owner == player and useless and state.book.price[tower.kind] > most:
            most = state.book.price[tower.kind] + 0
            best = i
    if best >= 0:
        order.destroy_at = state.tower[best].tile


@rule
def count_guns(state: State, player: int) -> int:
    """Towers that shoot."""
    count = 0
    for i in range(state.towers):
        count += state.tower[i].owner == player and CROSSBOW <= state.tower[i].kind <= MINIGUN
    return count


@rule
def count_churches(state: State, player: int) -> int:
    count = 0
    for i in range(state.towers):
        count += state.tower[i].owner == player and state.tower[i].kind == CHURCH
    return count


@rule
def churches_at(state: State, player: int, lane: int) -> int:
    """A player's churches that reach the tile before their base."""
    count = 0
    for i in range(state.towers):
        tower = state.tower[i]
        if tower.owner == player and tower.kind == CHURCH:
            count += distance(state, tower.tile, gate(state, lane, player)) <= state.book.range[CHURCH]
    return count


@rule
def mercenaries_on(state: State, player: int, lane: int) -> int:
    count = state.queue[player * 4 + exit_of(state, lane, player)] + 0
    for i in range(state.units):
        count += state.unit[i].kind == player and lane_of(state, state.unit[i].tile) == lane
    return count


@rule
def portals_against(state: State, player: int) -> int:
    """How many more portals send to the other than to this player."""
    count = 0
    for i in range(state.portals):
        count += -1 if state.portal[i].target == player else 1
    return count


@rule
def keep(state: State, player: int, script: int, key: u64, order: Order, found: Survey, purse: Purse) -> None:
    """As many houses as its base can bear, a mercenary for every foe at the gate, then a flood."""
    clear(order)
    gold = state.gold[player]
    left = state.turns - state.turn
    first = first_place(state, player, key)
    weak = state.health[player] < WEAK
    plenty = temper(script, PLENTY, purse)
    before = EARLY + 1
    if weak and gold >= plenty:
        survey_lanes(state, player, EARLY, False, purse)
    else:
        meet = temper(script, MEET, purse)
        before = meet + survey_lanes(state, player, meet + 2, True, purse)
    soonest = soonest_lane(state, before, purse)
    if temper(script, ENDURE, purse) != 0 and blow_of(state) * left * state.lanes < state.health[player]:
        soonest = NONE
    if left <= max(temper(script, SELL, purse), period_of(state)) and temper(script, SELL, purse) > 0:
        sell(state, player, left, temper(script, SELL, purse), order)
    if soonest >= 0:
        if gold < state.book.mercenary_price and order.destroy_at < 0:
            gold = scrape(state, player, soonest, gold, temper(script, FLOOR, purse), first, order, found, purse)
        gold = hire(state, player, urgent_lane(state, player, before, gold, purse), gold, order)
    if order.destroy_at < 0:
        gold = raise_one(state, player, script, gold, left, first, order, found, purse)
    late = max(temper(script, SAVE, purse), state.lane[shortest(state)].length)
    if order.hire < 0 and state.step != BUILDERS and left > late and state.turn >= temper(script, WAIT, purse):
        if richer(state, player, script, gold, found, purse):
            spread = temper(script, SPREAD, purse) != 0
            gold = hire(state, player, attack_lane(state, player, gold, key, spread), gold, order)
    if state.rules == 1 and gold >= temper(script, PROVOKED, purse) and portals_against(state, player) > 0:
        order.provoke = 1


@rule
def raise_one(
    state: State,
    player: int,
    script: int,
    gold: int,
    left: int,
    first: int,
    order: Order,
    found: Survey,
    purse: Purse,
) -> int:
    """A tower that shoots, where there is plenty; a house, if the base can bear it. The gold that is left."""
    if state.step == HIRING or order.build >= 0:
        return gold
    plenty = temper(script, PLENTY, purse)
    early = temper(script, EARLY_GUNS, purse)
    # Towers are many: they are counted if it matters only.
    guns = count_guns(state, player) if early > 0 or (gold >= plenty and left > 100) else 0
    houses = count_pays(state, player, purse) if early > 0 else 0
    if (gold >= plenty and left > 100) or (guns < early and houses >= 2 * guns + 2 and left > 50):
        weak = temper(script, WEAK_GUNS, purse) if state.health[player] < WEAK else 0
        if guns < max(early, temper(script, GUNS, purse) + state.turn // temper(script, MORE, purse) + weak):
            every = temper(script, EVERY, purse)
            kind = MINIGUN if guns % every == every - 1 else temper(script, KIND, purse)
            if kind == 0:
                cheaper = state.price[player * KINDS + CROSSBOW] < state.price[player * KINDS + CANNON]
                kind = CROSSBOW if cheaper else CANNON
            gold = build(state, player, kind, site(state, player, kind, False, first, found), gold, order)
    if state.rules == 1 and gold >= plenty and left > 50 and order.build < 0:
        if count_churches(state, player) < temper(script, CHURCHES, purse):
            gold = build(state, player, CHURCH, site(state, player, CANNON, False, first, found), gold, order)
    period = period_of(state)
    price = state.price[player * KINDS + HOUSE]
    if order.build >= 0 or price > gold or price >= PAY * ((left - 1) // period):
        return gold
    if count_pays(state, player, purse) >= temper(script, HOUSES, purse):
        return gold
    if gold - price < plenty:
        count_foes(state, player, purse)
        without = loss(state, gold, period, purse)
        purse.pays[0] += 1  # the new house pays after a whole period
        with_it = loss(state, gold - price, period, purse)
        purse.pays[0] -= 1
        if state.health[player] - with_it < temper(script, FLOOR, purse) and with_it > without:
            return gold
    return build(state, player, HOUSE, site(state, player, CANNON, True, first, found), gold, order)


@rule
def order_of(
    script: int, state: State, player: int, manner: u64, key: u64, order: Order, found: Survey, purse: Purse
) -> None:
    """What a script orders. `found` knows the map."""
    if script < TEMPERS or script >= len(SCRIPTS):
        keep(state, player, row_of(script), key, order, found, purse)
    elif script == KEEPER:
        keeper(state, player, key, order, found)
    elif script == RUSHER:
        rusher(state, player, manner, key, order, found)
    else:
        economist(state, player, manner, key, order, found)
