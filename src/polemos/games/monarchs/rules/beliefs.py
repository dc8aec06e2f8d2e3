"""What may have happened in the fog: turns of the others that lead from one state to what was seen after it.

No paragraph of the book. Orders are guessed, the turn is played by the rules, and only what looks exactly as it was
seen is kept. Guessing well only makes that happen more often.
"""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.board import HEXES
from polemos.games.monarchs.rules.batch import copy_sheet, copy_state
from polemos.games.monarchs.rules.policies import write
from polemos.games.monarchs.rules.scripts import GENERAL, SCRIPTS, Mind, march, others_of, put_blessing, quick_order
from polemos.games.monarchs.rules.sight import look
from polemos.games.monarchs.rules.tables import border_between, degree, neighbour
from polemos.games.monarchs.rules.turn import turn
from polemos.games.monarchs.state import GOOD, MARCH, MAX_LINES, NATIONS, Sheet, Sheets, Sight, State, Work
from polemos.kernel.dice import Chance, mix, scatter
from polemos.kernel.log import Log
from polemos.kernel.record import Array, Many, Record, i8, i16, i32, size, u64
from polemos.kernel.rule import entry, rule

STRIDE: Final = 17  # through the 61 hexes: from any of them to all
QUICK: Final = len(SCRIPTS) - GENERAL  # scripts that are asked for guesses
REPAIRS: Final = 300  # of one guess, before it is given up,
HOPELESS: Final = 8  # and half of them if so much is still wrong then
WANDER: Final = 320  # further changes of a guess that agrees, which may lead to others,
FAMILIES: Final = 48  # of them and their guesses, for which there is room at least: one alone soon dies out


class Trace(Record):
    """Where a believed state comes from: the number of the state before it, and the key of the guess."""

    key: u64
    parent: i32
    more: i32  # changes that were tried after the guess agreed


class Desk(Record):
    """Scratch space of guessing."""

    chance: Chance
    sheets: Sheets
    work: Work
    mind: Mind
    sight: Sight
    need: Array[i16] = size(HEXES)  # regiments that must be brought where they were seen
    state: State  # after the turn that is tried
    luck: u64  # the key of its dice
    kept: Sheets  # the best guess so far: its sheets,
    shown: State  # and what they lead to
    wrong: i16
    at: Array[i8] = size(HEXES)  # hexes of it that do not look as they were seen


@entry
def agree(one: Sight, other: Sight) -> bool:
    """Whether two sights of a nation show the same. How many turns there are may be announced in between (10.4)."""
    me = one.who
    if one.turn != other.turn or one.reason != other.reason or me != other.who:
        return False
    if one.score[me] != other.score[me] or one.total[me] != other.total[me]:
        return False
    for hex in range(HEXES):
        if one.seen[hex] != other.seen[hex] or one.owner[hex] != other.owner[hex]:
            return False
        if one.regiments[hex] != other.regiments[hex] or one.battles[hex] != other.battles[hex]:
            return False
    return True


@rule
def fought(seen: Sight, hex: int) -> bool:
    """Whether the nation that looks fought on a hex."""
    return seen.battles[hex] >> seen.who & 9 != 0


@rule
def guess(state: State, nation: int, seen: Sight, key: u64, sheet: Sheet, desk: Desk) -> None:
    """Orders of a nation after which its armies might stand where they were seen. Void lines do no harm."""
    mind = desk.mind
    plan = mind.plan
    plan.marches = 0
    for hex in range(HEXES):
        mind.free[hex] = state.regiments[hex] if state.owner[hex] == nation else 0
        desk.need[hex] = seen.regiments[hex] if seen.seen[hex] and seen.owner[hex] == nation else 0
        plan.after[hex] = 0
        plan.threat[hex] = 0
    sheet.count = 0
    at = scatter(key, 1) % HEXES
    for stays in range(2):  # those who stood there, then whoever can come, then again those who stood there
        for i in range(HEXES):
            hex = (at + STRIDE * i) % HEXES
            bits = scatter(key, 100 + 100 * stays + i)
            if desk.need[hex] > 0 and mind.free[hex] > 0 and (stays == 1 or bits & 3 != 0):
                number = min(desk.need[hex], mind.free[hex])
                mind.free[hex] -= number
                desk.need[hex] -= number
        for i in range(HEXES):
            hex = (at + STRIDE * i) % HEXES
            if desk.need[hex] > 0:
                bring(hex, desk.need[hex], scatter(key, 300 + 100 * stays + i), desk)
    for i in range(HEXES):
        hex = (at + STRIDE * i) % HEXES
        bits = scatter(key, 500 + i)
        if fought(seen, hex) and state.owner[hex] != nation and desk.need[hex] == 0 and bits & 1 == 0:
            if seen.owner[hex] != nation:
                bring(hex, 1 + (bits >> 1 & 3), bits >> 3, desk)
    for i in range(HEXES):
        hex = (at + STRIDE * i) % HEXES
        if mind.free[hex] > 0:
            leave(hex, seen, scatter(key, 600 + i), desk)
    write(plan, sheet)
    bits = scatter(key, 2)
    if bits & 1 == 0:
        put_blessing((bits >> 1) % HEXES, sheet)
    elif bits & 2 == 0:
        for i in range(HEXES):
            hex = (at + STRIDE * i) % HEXES
            if fought(seen, hex):
                put_blessing(hex, sheet)
                return


@rule
def bring(hex: int, number: int, bits: int, desk: Desk) -> None:
    """Up to so many regiments from the neighbours of a hex."""
    mind = desk.mind
    first = bits % degree(hex)
    for i in range(degree(hex)):
        origin = neighbour(hex, (first + i) % degree(hex))
        if number > 0 and mind.free[origin] > 0:
            some = min(number, mind.free[origin])
            march(origin, hex, some, mind)
            number -= some
            desk.need[hex] -= some


@rule
def leave(hex: int, seen: Sight, bits: int, desk: Desk) -> None:
    """Regiments that nothing was seen of: they go into the fog, or stay there; in sight they stay to fight."""
    mind = desk.mind
    hidden = seen.seen[hex] == 0
    if hidden and bits & 1 != 0:
        return
    if not hidden and fought(seen, hex) and bits & 7 != 0:
        return
    first = (bits >> 3) % degree(hex)
    for i in range(degree(hex)):
        target = neighbour(hex, (first + i) % degree(hex))
        if seen.seen[target] == 0:
            number = mind.free[hex]
            if hidden:
                number = 1 + (bits >> 6) % number
            march(hex, target, number, mind)
            return


@rule
def first_guess(state: State, me: int, seen: Sight, key: u64, desk: Desk) -> None:
    """Sheets of the others that may lead to what was seen; every other time those of a script."""
    for which in range(2):
        nation = others_of(me, which)
        sheet = desk.sheets.of[nation]
        sheet.count = 0
        own = mix(key ^ (nation + 1))
        if state.dropped[nation] == 0:
            if scatter(own, 0) & 1 == 0:
                quick_order(GENERAL + scatter(own, 3) % QUICK, state, nation, own, sheet, desk.mind)
            else:
                guess(state, nation, seen, own, sheet, desk)


@rule
def try_out(state: State, me: int, mine: Sheet, seen: Sight, log: Log, desk: Desk) -> int:
    """Plays the turn with the guessed sheets; how much of it does not look as it was seen."""
    copy_state(state, desk.state)
    copy_sheet(mine, desk.sheets.of[me])
    desk.chance.key = desk.luck
    turn(desk.state, desk.sheets, desk.chance, log, desk.work)
    wrong = abs(desk.state.total[me] - seen.total[me])
    for hex in range(HEXES):
        wrong += error(desk.state, me, seen, hex)
    return wrong


@rule
def error(after: State, me: int, seen: Sight, hex: int) -> int:
    """How much a hex does not look as it was seen."""
    here = 0
    if seen.seen[hex]:
        here = abs(after.regiments[hex] - seen.regiments[hex])
        if after.owner[hex] != seen.owner[hex]:
            here = 3 + after.regiments[hex] + seen.regiments[hex]
    elif after.owner[hex] == me:
        here = 4
    if (after.battles[hex] ^ seen.battles[hex]) >> me & 9:
        here += 2
    return here


@rule
def keep_best(me: int, seen: Sight, desk: Desk) -> None:
    """What was just tried is the best guess from now on; lists the hexes that still look wrong."""
    copy_state(desk.state, desk.shown)
    for which in range(2):
        nation = others_of(me, which)
        copy_sheet(desk.sheets.of[nation], desk.kept.of[nation])
    desk.wrong = 0
    for hex in range(HEXES):
        if error(desk.shown, me, seen, hex) > 0:
            desk.at[desk.wrong] = hex
            desk.wrong += 1


@rule
def repair(state: State, me: int, seen: Sight, bits: int, desk: Desk) -> None:
    """Changes one thing about a hex that looks wrong: who comes there, who leaves it, or the luck of the battle."""
    hex = desk.at[(bits & 0xFF) * desk.wrong >> 8] if desk.wrong > 0 else bits % HEXES
    what = bits >> 8 & 15
    if what == 0:
        desk.luck = mix(desk.luck)
        return
    nation = others_of(me, bits >> 12 & 1)
    shown = desk.shown.owner[hex]
    wanted = seen.owner[hex] if seen.seen[hex] else me
    if what < 13:  # mostly whose regiments are there and should not be, or the other way round
        if wanted != me and wanted < NATIONS and (shown == wanted or bits >> 13 & 1):
            nation = wanted
        elif shown != me and shown < NATIONS:
            nation = shown
    sheet = desk.sheets.of[nation]
    if what == 1:
        put_blessing(hex, sheet)
        return
    gap = (seen.regiments[hex] if wanted == nation else 0) - (desk.shown.regiments[hex] if shown == nation else 0)
    number = 1 if bits >> 14 & 1 else max(1, abs(gap))
    few = gap > 0 if gap != 0 and what < 13 else bits >> 15 & 1 == 0
    other = neighbour(hex, (bits >> 16 & 0xFF) * degree(hex) >> 8)
    if few:
        if not shift(sheet, hex, other, number, bits >> 24, True):
            add(sheet, source(state, nation, hex, other, bits >> 28 & 7), hex, number, state, nation)
    elif not shift(sheet, hex, other, number, bits >> 24, False):
        add(sheet, hex, other, number, state, nation)


@rule
def source(state: State, nation: int, hex: int, first: int, turn: int) -> int:
    """A neighbour of a hex with regiments of a nation; `first` if there is none."""
    for i in range(degree(hex)):
        other = neighbour(hex, (i + turn) % degree(hex))
        if state.owner[other] == nation and state.regiments[other] > 0:
            return other
    return first


@rule
def shift(sheet: Sheet, hex: int, other: int, number: int, bits: int, few: bool) -> bool:
    """Takes regiments off a march: one that leaves a hex where they are too few, or one that comes where they are many.

    Half of the time they march somewhere else instead. False: there is no such march, or chance forbids it.
    """
    if bits & 3 == 0:
        return False
    for i in range(sheet.count):
        line = sheet.lines[i]
        if line.kind == MARCH and (line.origin if few else line.target) == hex:
            if bits & 4 and border_between(line.origin, other) >= 0 and not few:
                line.target = other
            elif line.number > number:
                line.number -= number
            else:
                sheet.count -= 1
                last = sheet.lines[sheet.count]
                line.kind = last.kind
                line.fault = last.fault
                line.origin = last.origin
                line.target = last.target
                line.number = last.number
            return True
    return False


@rule
def add(sheet: Sheet, origin: int, target: int, number: int, state: State, nation: int) -> None:
    """One more march; regiments that already march elsewhere from there come along from the first such line."""
    if state.owner[origin] != nation or state.regiments[origin] == 0:
        return
    used = 0
    for i in range(sheet.count):
        line = sheet.lines[i]
        if line.kind == MARCH and line.origin == origin:
            if line.target == target:
                line.number = min(line.number + number, state.regiments[origin])
                return
            used += line.number
    if used >= state.regiments[origin]:
        for i in range(sheet.count):
            line = sheet.lines[i]
            if line.kind == MARCH and line.origin == origin:
                line.target = target
                return
    if sheet.count < MAX_LINES:
        line = sheet.lines[sheet.count]
        line.kind = MARCH
        line.fault = GOOD
        line.origin = origin
        line.target = target
        line.number = min(number, state.regiments[origin] - used)
        sheet.count += 1


@rule
def dream(state: State, me: int, mine: Sheet, seen: Sight, key: u64, log: Log, desk: Desk) -> bool:
    """Guesses what the others ordered and repairs the guess until it shows what was seen. False: in vain."""
    first_guess(state, me, seen, key, desk)
    desk.luck = mix(key)
    wrong = try_out(state, me, mine, seen, log, desk)
    keep_best(me, seen, desk)
    for step in range(REPAIRS):
        if wrong == 0 or (step == REPAIRS // 2 and wrong > HOPELESS):
            break
        luck = desk.luck
        for again in range(1 + (scatter(key, 5000 + step) & 1)):
            repair(state, me, seen, scatter(key, 1000 + 2 * step + again), desk)
        now = try_out(state, me, mine, seen, log, desk)
        if now <= wrong or (now < wrong + 3 and scatter(key, 6000 + step) & 31 == 0):
            wrong = now
            keep_best(me, seen, desk)
        else:
            desk.luck = luck
            for which in range(2):
                nation = others_of(me, which)
                copy_sheet(desk.kept.of[nation], desk.sheets.of[nation])
    if wrong != 0:
        return False
    look(desk.shown, me, desk.sight)
    return agree(desk.sight, seen)


@rule
def is_other(desk: Desk) -> bool:
    """Whether what was just tried leads elsewhere than the guess that was kept."""
    for nation in range(NATIONS):
        if desk.state.total[nation] != desk.shown.total[nation]:
            return True
    for hex in range(HEXES):
        if desk.state.owner[hex] != desk.shown.owner[hex] or desk.state.regiments[hex] != desk.shown.regiments[hex]:
            return True
    return False


@rule
def wander(state: State, me: int, mine: Sheet, seen: Sight, key: u64, step: int, log: Log, desk: Desk) -> bool:
    """Changes a guess that agrees a little; whether it still agrees, and something that is not seen is different.

    Guesses that agree are rare, but from each of them many others are a march in the fog away.
    """
    luck = desk.luck
    for again in range(1 + (scatter(key, 9000 + step) & 1)):
        repair(state, me, seen, scatter(key, 7000 + 2 * step + again), desk)
    if try_out(state, me, mine, seen, log, desk) == 0 and is_other(desk):
        keep_best(me, seen, desk)
        return True
    desk.luck = luck
    for which in range(2):
        nation = others_of(me, which)
        copy_sheet(desk.kept.of[nation], desk.sheets.of[nation])
    return False


@entry
def dream_up(
    state: State,
    me: int,
    mine: Sheet,
    seen: Sight,
    key: u64,
    more: int,
    sheets: Sheets,
    chance: Chance,
    log: Log,
    desk: Desk,
) -> None:
    """The sheets and the luck that the guess with this key came to, after so many more changes."""
    dream(state, me, mine, seen, key, log, desk)
    for step in range(more):
        wander(state, me, mine, seen, key, step, log, desk)
    for nation in range(NATIONS):
        copy_sheet(mine if nation == me else desk.sheets.of[nation], sheets.of[nation])
    chance.key = desk.luck


@entry
def believe(
    olds: Many[State],
    known: int,
    news: Many[State],
    traces: Many[Trace],
    mine: Sheet,
    me: int,
    seen: Sight,
    key: u64,
    attempts: int,
    log: Log,
    desk: Desk,
) -> int:
    """Guesses so often what happened after the first `known` states; how many guesses agree with what was seen."""
    found = 0
    for attempt in range(attempts):
        if found == len(news):
            break
        own = mix(key ^ attempt)
        parent = scatter(own, 7) % known
        if not dream(olds[parent], me, mine, seen, own, log, desk):
            continue
        note(news, traces, found, seen, own, parent, 0, desk)
        found += 1
        last = min(len(news), found + len(news) // FAMILIES)
        for step in range(WANDER):
            if found < last and wander(olds[parent], me, mine, seen, own, step, log, desk):
                look(desk.shown, me, desk.sight)
                if agree(desk.sight, seen):
                    note(news, traces, found, seen, own, parent, step + 1, desk)
                    found += 1
    return found


@rule
def note(
    news: Many[State], traces: Many[Trace], at: int, seen: Sight, key: u64, parent: int, more: int, desk: Desk
) -> None:
    """One more state that may be true."""
    copy_state(desk.shown, news[at])
    news[at].turns = seen.turns
    traces[at].parent = parent
    traces[at].key = key
    traces[at].more = more
