"""The bot `steady` in compiled code, and generals of other temper in the same manner, for playouts. No paragraph.

They imagine what the others may do, many times, and improve their marches step by step while that earns more against
it. They see no more than a nation does, draw from a key where the bot draws from a stream, count in thousandths of a
point, and do not learn habits. So they play like the bot, not the same games.
"""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.board import HEXES
from polemos.games.monarchs.rules.policies import GOAL, MINE, NONE, Plan, draw, read, threat, write
from polemos.games.monarchs.rules.tables import base, base_of, border_between, degree, neighbour
from polemos.games.monarchs.state import NATIONS, NOBODY, SIDES, Sheet, Sight
from polemos.kernel.record import Array, Record, i8, i16, i32, size, table, u64
from polemos.kernel.rule import rule

SAMPLES: Final = 24  # imagined turns of the others, at most
SIZES: Final = 24  # regiments of an army up to which its worth is reckoned exactly
POINT: Final = 1000  # worth is counted in thousandths
SURE: Final = 1536  # a chance of one
ROUNDS: Final = 8  # of changes; seldom more than four are needed
MAX_MOVED: Final = 8  # lumps of regiments in one change
MAX_OFFERS: Final = 7 * SIDES  # from a hex and its neighbours, wherever they go
LUMPS: Final = 60  # huge nations are moved in lumps, to bound the time
UNKNOWN_REST: Final = 4  # turns that are taken to remain while the last is not announced
STAY: Final = SIDES - 1  # the way of those who do not march
NO_ARMY: Final = -99
HOLD: Final = 0
ATTACK: Final = 1

# Columns of the tempers; what is not a number of something is in hundredths.
TRAITS: Final = (
    "keeps",  # chance that a hex held after this turn is still held a turn later
    "risk",  # chance that an army on new ground is attacked there next turn by all who stand around it
    "step",  # price of each step that a regiment stands behind the front, of a point
    "hold",  # how often another nation holds, ...
    "attack",  # attacks ...
    "roam",  # or roams, of all these
    "enough",  # chance that an attack sends one regiment more than it sees
    "fancy",  # of a regiment, by which a goal may be stronger than another and be taken first
    "aid",  # chance that a regiment comes out of the fog to a hex beside it
    "beaten",  # of a point, for each regiment beaten or lost
    "turns",  # that are imagined
)
KEEPS: Final = 0
RISK: Final = 1
STEP: Final = 2
MOODS: Final = 3
ENOUGH: Final = 6
FANCY: Final = 7
AID: Final = 8
BEATEN: Final = 9
TURNS: Final = 10
COLUMNS: Final = len(TRAITS)
TEMPERS: Final = 4

_TEMPERS: Final = table(
    (
        (65, 160, 40, 0, 5, 2, 80, 500, 60, 300, 12),  # watchman: expects to be attacked, and counts regiments more
        (50, 160, 40, 0, 3, 1, 80, 500, 30, 300, 12),  # sentry: the same, and looks less far
        (50, 70, 10, 1, 5, 1, 80, 200, 30, 200, 12),  # wary: expects to be attacked
        (65, 40, 10, 1, 5, 1, 80, 200, 30, 200, 24),  # steady: like the bot
    )
)


class Scheme(Record):
    """What a general reckons with in one turn. Lists of another nation stand behind each other by `which`, 0 or 1."""

    plan: Plan
    told: i8  # 1: the tempers are there
    temper: Array[i32] = size(TEMPERS * COLUMNS)
    samples: i16
    forces: Array[i16] = size(2 * SAMPLES * HEXES)  # strength in quarters, by nation, imagined turn and hex
    met: Array[i8] = size(HEXES)  # in how many of the imagined turns somebody stands there
    enough: Array[i16] = size(HEXES)  # from this size on more regiments add nothing
    refuge: Array[i8] = size(HEXES)  # bit by nation: a beaten army may have somewhere to go
    around: Array[i32] = size(HEXES)  # regiments that one nation could bring there
    known: Array[i8] = size(HEXES * SIZES * 2)
    worth: Array[i32] = size(HEXES * SIZES * 2)
    here: Array[i16] = size(HEXES)  # regiments of a nation, as far as they are in sight
    edges: i16
    edge: Array[i8] = size(HEXES)  # its armies beside the nation that looks
    brinks: i16
    brink: Array[i8] = size(HEXES)  # its hexes beside the fog
    free: Array[i16] = size(HEXES)  # of an imagined nation
    stands: Array[i16] = size(HEXES)
    price: Array[i16] = size(HEXES)
    goals: i16
    goal: Array[i8] = size(HEXES)
    row: Array[i8] = size(HEXES)  # the goals of an imagined turn, the first one first
    flow: Array[i16] = size(HEXES * SIDES)  # regiments by origin and way
    after: Array[i32] = size(HEXES)
    target: Array[i8] = size(HEXES)
    offers: i16  # regiments that could be brought to a hex:
    offer_from: Array[i16] = size(MAX_OFFERS)  # whence they come,
    offer_way: Array[i8] = size(MAX_OFFERS)  # where they go so far,
    offer_old: Array[i16] = size(MAX_OFFERS)
    offer_loss: Array[i32] = size(MAX_OFFERS)  # and how much they would be missed there
    undo_from: Array[i16] = size(MAX_MOVED)
    undo_way: Array[i8] = size(MAX_MOVED)
    undo_to: Array[i8] = size(MAX_MOVED)
    undo_by: Array[i16] = size(MAX_MOVED)
    blessed: i16
    lump: i32
    hex: i32  # worth of a hex
    beaten: i32  # and of a regiment beaten
    last: i8
    step: i32
    risk: i32


@rule
def recall(scheme: Scheme) -> None:
    """Gives every general its temper, once."""
    if scheme.told == 0:
        scheme.told = 1
        for general in range(TEMPERS):
            for what in range(COLUMNS):
                scheme.temper[general * COLUMNS + what] = _TEMPERS[general][what]


@rule
def other(nation: int, which: int) -> int:
    return (nation + 1 + which) % NATIONS


# ---- what the others may do


@rule
def expect(general: int, sight: Sight, key: u64, s: Scheme) -> None:
    """Imagines turns of the other nations."""
    s.samples = min(SAMPLES, max(1, s.temper[general * COLUMNS + TURNS]))
    for which in range(2):
        nation = other(sight.who, which)
        list_goals(sight, nation, s)
        list_armies(sight, nation, s)
        for sample in range(s.samples):
            imagine(general, sight, nation, key, s)
            note(which, sample, s)


@rule
def note(which: int, sample: int, s: Scheme) -> None:
    """The forces of an imagined turn."""
    at = (which * SAMPLES + sample) * HEXES
    for hex in range(HEXES):
        n = s.stands[hex] + 0
        s.forces[at + hex] = 4 * n + 2 * (hex == s.blessed) if n > 0 else 0


@rule
def list_goals(sight: Sight, nation: int, s: Scheme) -> None:
    """What a nation might attack, as far as that is in sight."""
    s.goals = 0
    for hex in range(HEXES):
        if sight.seen[hex] == 0 or sight.owner[hex] == nation or base_of(hex) != NOBODY:
            continue
        for i in range(degree(hex)):
            near = neighbour(hex, i)
            if sight.seen[near] != 0 and sight.owner[near] == nation and sight.regiments[near] > 0:
                s.goal[s.goals] = hex
                s.goals += 1
                break


@rule
def list_armies(sight: Sight, nation: int, s: Scheme) -> None:
    """What is the same in all imagined turns of a nation: where it stands, and who its neighbours are."""
    s.edges = 0
    s.brinks = 0
    for hex in range(HEXES):
        s.here[hex] = 0
        if sight.seen[hex] != 0 and sight.owner[hex] == nation:
            s.here[hex] = sight.regiments[hex]
            if sight.regiments[hex] > 0 and touches(sight, hex):
                s.edge[s.edges] = hex
                s.edges += 1
            if is_by_fog(sight, hex):
                s.brink[s.brinks] = hex
                s.brinks += 1


@rule
def imagine(general: int, sight: Sight, nation: int, key: u64, s: Scheme) -> None:
    """One turn of a nation: `stands` is where its regiments are then, `blessed` what it blesses."""
    plan = s.plan
    s.blessed = NONE
    for hex in range(HEXES):
        s.free[hex] = s.here[hex]
        s.stands[hex] = s.here[hex]
    for i in range(s.edges):
        if draw(key, i + 1, plan) == 0:
            s.blessed = s.edge[i]
    if sight.dropped[nation] != 0:
        s.blessed = NONE
        return
    moods = general * COLUMNS + MOODS
    mood = draw(key, s.temper[moods] + s.temper[moods + 1] + s.temper[moods + 2], plan)
    if mood >= s.temper[moods] + s.temper[moods + 1]:
        roam(key, s)
    elif mood >= s.temper[moods]:
        assail(general, sight, key, s)
    for i in range(s.brinks):
        s.stands[s.brink[i]] += draw(key, 100, plan) < s.temper[general * COLUMNS + AID]


@rule
def touches(sight: Sight, hex: int) -> bool:
    for i in range(degree(hex)):
        near = neighbour(hex, i)
        if sight.seen[near] != 0 and sight.owner[near] == sight.who:
            return True
    return False


@rule
def is_by_fog(sight: Sight, hex: int) -> bool:
    for i in range(degree(hex)):
        if sight.seen[neighbour(hex, i)] == 0:
            return True
    return False


@rule
def assail(general: int, sight: Sight, key: u64, s: Scheme) -> None:
    """Marches against as many goals as it can win, the weak ones first."""
    plan = s.plan
    for i in range(s.goals):
        goal = s.goal[i] + 0
        price = 100 * sight.regiments[goal] + draw(key, 1 + s.temper[general * COLUMNS + FANCY], plan)
        at = i
        while at > 0 and s.price[at - 1] > price:
            s.price[at] = s.price[at - 1]
            s.row[at] = s.row[at - 1]
            at -= 1
        s.price[at] = price
        s.row[at] = goal
    attacked = 0
    for i in range(s.goals):
        goal = s.row[i] + 0
        need = max(1, sight.regiments[goal] + (draw(key, 100, plan) < s.temper[general * COLUMNS + ENOUGH]))
        there = 0
        for j in range(degree(goal)):
            there += s.free[neighbour(goal, j)]
        if there < need or draw(key, 10, plan) == 0:
            continue
        s.stands[goal] += need
        for j in range(degree(goal)):
            near = neighbour(goal, j)
            number = min(need, s.free[near])
            s.free[near] -= number
            s.stands[near] -= number
            need -= number
        if sight.regiments[goal] > 0:
            attacked += 1
            if draw(key, attacked, plan) == 0 and draw(key, 10, plan) < 7:
                s.blessed = goal


@rule
def roam(key: u64, s: Scheme) -> None:
    for hex in range(HEXES):
        if s.free[hex] > 0 and draw(key, 10, s.plan) < 6:
            number = 1 + draw(key, s.free[hex], s.plan)
            s.stands[hex] -= number
            s.stands[neighbour(hex, draw(key, degree(hex), s.plan))] += number


# ---- what armies are worth


@rule
def winning(mine: int, first: int, second: int) -> int:
    """6.6 The chance of the first of three armies, by strength in quarters, as `winning` of the bot reckons it."""
    if mine >= first + 4 and mine >= second + 4:
        return SURE
    if mine <= first - 4 or mine <= second - 4:
        return 0
    total = 0
    for eighth in range(9):
        weight = 1 if eighth in (0, 8) else 4 if eighth & 1 else 2
        above = max(0, min(8, eighth + 2 * (mine - first)))
        total += weight * above * max(0, min(8, eighth + 2 * (mine - second)))
    return total


@rule
def prepare(general: int, sight: Sight, s: Scheme) -> None:
    """What this turn is about: the worth of a hex, who may come where, and who can get away."""
    temper = general * COLUMNS
    rest = sight.turns - sight.turn + 1 if sight.turns > 0 else UNKNOWN_REST
    s.last = rest == 1 and sight.turns > 0
    s.hex = 0
    share = POINT
    for turn in range(rest):
        s.hex += 2 * share if sight.turns > 0 and turn == rest - 1 else share
        share = share * s.temper[temper + KEEPS] // 100
    s.beaten = s.temper[temper + BEATEN] * POINT // 100 // (2 if sight.scoring == 1 else 1) * (2 if s.last else 1)
    s.step = 0 if s.last else s.temper[temper + STEP] * POINT // 100
    s.risk = s.temper[temper + RISK] + 0
    armies = 0
    for hex in range(HEXES):
        most = 0
        s.met[hex] = 0
        for sample in range(s.samples):
            first = s.forces[sample * HEXES + hex] + 0
            second = s.forces[(SAMPLES + sample) * HEXES + hex] + 0
            most = max(most, first, second)
            s.met[hex] += first > 0 or second > 0
        s.enough[hex] = min(SIZES - 1, most // 4 + 3 if most > 0 else 3)
        for i in range(2 * SIZES):
            s.known[hex * 2 * SIZES + i] = 0
        s.around[hex] = threat(sight, hex, s.plan) if sight.seen[hex] != 0 else 0
        s.refuge[hex] = refuges(sight, hex)
        if s.plan.part[hex] == MINE:
            armies += sight.regiments[hex]
    s.lump = 1 + armies // LUMPS


@rule
def refuges(sight: Sight, hex: int) -> int:
    """8.3 Which nations may have a friendly hex beside this one. Refuge may lie in the fog."""
    bits = 0
    for i in range(degree(hex)):
        near = neighbour(hex, i)
        if sight.seen[near] == 0:
            bits |= 7 & ~(1 << sight.who)
        elif sight.owner[near] < NATIONS:
            bits |= 1 << sight.owner[near]
    return bits


@rule
def toll(sight: Sight, hex: int, nation: int, regiments: int, s: Scheme) -> int:
    """8.1, 8.5 What a beaten army loses."""
    return 1 if sight.scoring == 1 or s.refuge[hex] >> nation & 1 else regiments


@rule
def battle(sight: Sight, hex: int, regiments: int, blessed: bool, first: int, second: int, s: Scheme) -> int:
    """6, 8 The hex and the regiments won or lost in one battle, weighed by the chances."""
    me = sight.who
    own = sight.owner[hex] == me
    win = 0
    if first > 0:
        win += toll(sight, hex, other(me, 0), first // 4, s)
        first += sight.owner[hex] == other(me, 0)
    else:
        first = NO_ARMY
    if second > 0:
        win += toll(sight, hex, other(me, 1), second // 4, s)
        second += sight.owner[hex] == other(me, 1)
    else:
        second = NO_ARMY
    chance = winning(4 * regiments + own + 2 * blessed, first, second)
    win = s.beaten if sight.scoring == 1 else win * s.beaten
    lose = -s.beaten * toll(sight, hex, me, regiments, s)
    if own:
        lose -= s.hex
    else:
        win += s.hex
    return (chance * win + (SURE - chance) * lose) // SURE


@rule
def reckon(sight: Sight, hex: int, regiments: int, blessed: bool, s: Scheme) -> int:
    """What so many regiments on a hex are worth, against all imagined turns."""
    own = s.plan.part[hex] == MINE
    if hex == base(sight.who) or (not own and regiments == 0):
        return 0
    sum = 0 if own else (s.samples - s.met[hex]) * s.hex
    if s.met[hex] > 0:
        for sample in range(s.samples):
            first = s.forces[sample * HEXES + hex] + 0
            second = s.forces[(SAMPLES + sample) * HEXES + hex] + 0
            if first > 0 or second > 0:
                sum += battle(sight, hex, regiments, blessed, first, second, s) if regiments > 0 else -s.hex
    sum //= s.samples
    if regiments > 0 and not own and s.last == 0:
        short = max(0, min(3, s.around[hex] - regiments + 1))
        sum -= s.risk * (s.hex + s.beaten) * short // 300
    return sum


@rule
def worth(sight: Sight, hex: int, regiments: int, s: Scheme) -> int:
    """The same, remembered, with the place in the rear if it has none at the front."""
    number = min(regiments, s.enough[hex])
    blessed = hex == s.blessed
    at = (hex * SIZES + number) * 2 + blessed
    if s.known[at] == 0:
        s.known[at] = 1
        s.worth[at] = reckon(sight, hex, number, blessed, s)
    return s.worth[at] - s.step * regiments * max(0, s.plan.steps[hex])


# ---- the plan


@rule
def way_to(origin: int, way: int) -> int:
    """Where a way leads, or NONE."""
    if way == STAY:
        return origin
    return neighbour(origin, way) if way < degree(origin) else NONE


@rule
def send(origin: int, old: int, new: int, number: int, s: Scheme) -> None:
    """Regiments from a hex go another way than before."""
    s.flow[origin * SIDES + old] -= number
    s.flow[origin * SIDES + new] += number
    s.after[way_to(origin, old)] -= number
    s.after[way_to(origin, new)] += number


@rule
def way_between(origin: int, target: int) -> int:
    if origin == target:
        return STAY
    for way in range(degree(origin)):
        if neighbour(origin, way) == target:
            return way
    return NONE


@rule
def remember(done: int, origin: int, old: int, new: int, number: int, s: Scheme) -> None:
    s.undo_from[done] = origin
    s.undo_way[done] = old
    s.undo_to[done] = new
    s.undo_by[done] = number


@rule
def take_back(done: int, keep: int, s: Scheme) -> None:
    """Undoes the changes from `keep` on."""
    at = done - 1
    while at >= keep:
        send(s.undo_from[at], s.undo_to[at], s.undo_way[at], s.undo_by[at], s)
        at -= 1


@rule
def is_mine(sight: Sight, hex: int, s: Scheme) -> bool:
    return s.plan.part[hex] == MINE and sight.regiments[hex] > 0


@rule
def list_offers(sight: Sight, target: int, s: Scheme) -> None:
    """Whoever could come to a hex, and goes elsewhere or stays so far."""
    s.offers = 0
    for i in range(-1, degree(target)):
        origin = target if i < 0 else neighbour(target, i)
        if is_mine(sight, origin, s):
            for way in range(SIDES):
                if s.flow[origin * SIDES + way] > 0 and way_to(origin, way) != target:
                    s.offer_from[s.offers] = origin
                    s.offer_way[s.offers] = way
                    s.offer_old[s.offers] = way_to(origin, way)
                    price_offer(sight, s.offers, s)
                    s.offers += 1


@rule
def price_offer(sight: Sight, i: int, s: Scheme) -> None:
    """How much is lost where the regiments of an offer go so far."""
    old = s.offer_old[i] + 0
    number = min(s.flow[s.offer_from[i] * SIDES + s.offer_way[i]], s.lump)
    s.offer_loss[i] = worth(sight, old, s.after[old], s) - worth(sight, old, s.after[old] - number, s)


@rule
def gather(sight: Sight, target: int, s: Scheme) -> bool:
    """Brings to a hex the regiments that are missed least elsewhere, as many as pay best."""
    here = s.after[target] + 0
    before = worth(sight, target, here, s)
    best = 0
    keep = 0
    price = 0
    moved = 0
    done = 0
    list_offers(sight, target, s)
    while done < MAX_MOVED:
        best_offer = NONE
        for i in range(s.offers):
            if s.flow[s.offer_from[i] * SIDES + s.offer_way[i]] > 0:
                if best_offer < 0 or s.offer_loss[i] < s.offer_loss[best_offer]:
                    best_offer = i
        if best_offer < 0:
            break
        found = s.offer_from[best_offer] + 0
        found_way = s.offer_way[best_offer] + 0
        least = s.offer_loss[best_offer] + 0
        number = min(s.flow[found * SIDES + found_way], s.lump)
        new = way_between(found, target)
        send(found, found_way, new, number, s)
        remember(done, found, found_way, new, number, s)
        for i in range(s.offers):
            if s.offer_old[i] == s.offer_old[best_offer]:
                price_offer(sight, i, s)
        done += 1
        price += least
        moved += number
        gain = worth(sight, target, here + moved, s) - before - price
        if gain > best:
            best = gain
            keep = done
    take_back(done, keep, s)
    return keep > 0


@rule
def leave(sight: Sight, target: int, s: Scheme) -> bool:
    """Sends the regiments meant for a hex to better places, as many as pay best."""
    here = s.after[target] + 0
    before = worth(sight, target, here, s)
    best = 0
    keep = 0
    won = 0
    moved = 0
    done = 0
    for i in range(-1, degree(target)):
        origin = target if i < 0 else neighbour(target, i)
        if not is_mine(sight, origin, s):
            continue
        way = way_between(origin, target)
        while done < MAX_MOVED and s.flow[origin * SIDES + way] > 0:
            number = min(s.flow[origin * SIDES + way], s.lump)
            most = 0
            new = NONE
            for other_way in range(SIDES):
                hex = way_to(origin, other_way)
                if hex >= 0 and hex != target and s.target[hex] != 0:
                    gain = worth(sight, hex, s.after[hex] + number, s) - worth(sight, hex, s.after[hex], s)
                    if new < 0 or gain > most:
                        most = gain
                        new = other_way
            if new < 0:
                break
            send(origin, way, new, number, s)
            remember(done, origin, way, new, number, s)
            done += 1
            won += most
            moved += number
            gain = won + worth(sight, target, here - moved, s) - before
            if gain > best:
                best = gain
                keep = done
    take_back(done, keep, s)
    return keep > 0


@rule
def bless(sight: Sight, s: Scheme) -> None:
    """Blesses where it helps most."""
    best = 0
    found = NONE
    for hex in range(HEXES):
        if s.target[hex] != 0 and s.after[hex] > 0 and s.met[hex] > 0:
            s.blessed = NONE
            without = worth(sight, hex, s.after[hex], s)
            s.blessed = hex
            gain = worth(sight, hex, s.after[hex], s) - without
            if gain > best:
                best = gain
                found = hex
    s.blessed = found


@rule
def arrange(sight: Sight, s: Scheme) -> None:
    """Improves the marches while that gains anything, and chooses the blessing, against what is expected."""
    s.blessed = NONE
    for hex in range(HEXES):
        s.target[hex] = 0
        s.after[hex] = 0
        for way in range(SIDES):
            s.flow[hex * SIDES + way] = 0
    for hex in range(HEXES):
        if is_mine(sight, hex, s):
            s.flow[hex * SIDES + STAY] = sight.regiments[hex]
            s.after[hex] = sight.regiments[hex]
            s.target[hex] = 1
            for i in range(degree(hex)):
                near = neighbour(hex, i)
                s.target[near] = s.plan.part[near] in (MINE, GOAL)
    for _ in range(2):  # the marches depend on the blessing, and it on them
        for _ in range(ROUNDS):
            changed = False
            for hex in range(HEXES):
                if s.target[hex] != 0 and gather(sight, hex, s):
                    changed = True
            for hex in range(HEXES):
                if s.target[hex] != 0 and leave(sight, hex, s):
                    changed = True
            if not changed:
                break
        bless(sight, s)


@rule
def put_down(sight: Sight, sheet: Sheet, s: Scheme) -> int:
    """Writes the marches; the hex that is blessed, or NONE."""
    plan = s.plan
    plan.marches = 0
    sheet.count = 0
    for hex in range(HEXES):
        plan.after[hex] = 0  # so that nothing else is blessed
        if is_mine(sight, hex, s):
            for way in range(degree(hex)):
                if s.flow[hex * SIDES + way] > 0:
                    border = border_between(hex, neighbour(hex, way))
                    plan.march[plan.marches] = border
                    plan.marches += 1
                    plan.sent[border] = s.flow[hex * SIDES + way]
    write(plan, sheet)
    return s.blessed


@rule
def scheme(general: int, sight: Sight, key: u64, sheet: Sheet, s: Scheme) -> int:
    """The sheet of a general without its blessing; the hex that is blessed, or NONE."""
    sheet.count = 0
    if sight.reason != 0 or sight.dropped[sight.who] != 0:
        return NONE
    recall(s)
    read(sight, s.plan)
    s.plan.draws = 0
    expect(general, sight, key, s)
    prepare(general, sight, s)
    arrange(sight, s)
    return put_down(sight, sheet, s)


@rule
def answer(general: int, sight: Sight, sheet: Sheet, s: Scheme) -> int:
    """The same against forces that are known better than by what is in sight: `s.forces` has them."""
    recall(s)
    read(sight, s.plan)
    s.plan.draws = 0
    s.samples = SAMPLES
    prepare(general, sight, s)
    arrange(sight, s)
    return put_down(sight, sheet, s)
