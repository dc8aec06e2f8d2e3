"""Bots in empty places (12.26): monarchs and courtiers who do what people do, from what their role may know.

A bot is asked for its next act again and again and remembers nothing, so a server that was killed resumes with it. What
it leaves to chance it draws from the key with its role and the round: it does not change its mind when asked twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Final, Literal, cast

from polemos.games.monarchs.board import BASES, INDEX, LETTERS, NATIONS, NEIGHBOURS
from polemos.games.monarchs.notation import Bless, March, read_order, write_order
from polemos.games.monarchs.party import acts
from polemos.games.monarchs.party.acts import AnyAct, Nation, Role
from polemos.games.monarchs.party.draws import draw
from polemos.games.monarchs.party.roles import DESK, court_of, others
from polemos.games.monarchs.party.sight import Sight
from polemos.games.monarchs.party.state import Lines
from polemos.kernel.errors import OrderError

# A monarch is always `loyal`. A clumsy courtier miscopies; a treacherous one serves whoever the card names.
Temperament = Literal["loyal", "clumsy", "treacherous"]

IDLE: Final = 2  # courtiers of a court who wait in it: the third place is for one who brings a map
BESIDE_PEOPLE: Final = 1  # of them, where people are courtiers of this court


def chance(key: str, *purpose: object) -> Random:
    """Chance that stays the same however often it is asked for."""
    return Random(draw(key, "bot", *purpose))


# ---- monarchs


def monarch_acts(sight: Sight, is_time: bool, orders: Lines | None, key: str) -> Iterable[AnyAct]:
    """What a monarch would like to do now, best first. `orders` are for the newest map; `is_time` to give them away."""
    court = cast(Nation, sight.role)  # a monarch is known by their court
    assert sight.errand is not None
    errand, round = sight.errand, sight.times.round
    near = [role for role in sight.may_carry if role in sight.here]
    wanted = max(round - 1, 0)
    if near and wanted not in sight.maps:
        yield acts.Send(court, near[0])
    if round and errand.given is None and near:
        if orders is not None and orders != errand.written:
            yield acts.Write(court, orders)
        if is_time:
            yield acts.Give(court, chance(key, court, round).choice(near))
    if not near and sight.may_carry:
        # Somebody who has not come when the sheet is to be given is not waited for: another one is called, once.
        carrier = chance(key, court, round, "summons", is_time).choice(sight.may_carry)
        if not sight.summons:
            yield acts.Summon(court, carrier)
        elif is_time and any(call.until is None and call.role != carrier for call in sight.summons):
            yield acts.CallOff(court)
    if errand.given is not None and near and not sight.times.is_last:
        yield acts.Send(court, near[0])
    if sight.times.is_last and sight.guess is None:
        yield guess(sight, key)


def guess(sight: Sight, key: str) -> AnyAct:
    """12.17 Two of the court's courtiers, at a guess."""
    court = cast(Nation, sight.role)  # a monarch is known by their court
    own = [person.role for person in sight.people if person.court == court and person.role != court]
    named = chance(key, court, "guess").sample(own, 2)
    return acts.Guess(court, cast(dict[Nation, Role | None], dict(zip(others(court), named, strict=True))))


# ---- courtiers


def courtier_acts(sight: Sight, temperament: Temperament, is_on_duty: bool, hall: str, key: str) -> Iterable[AnyAct]:
    """What a courtier would like to do now, best first."""
    role, court = sight.role, court_of(sight.role)
    assert court is not None
    if sight.waiting is not None:
        if sight.sheet is not None and sight.sheet.lines == sight.sheet.given:
            # Here and not before: whoever changed the sheet in the court would leave it later than whoever did not.
            changed = as_delivered(sight, temperament, key)
            if changed != sight.sheet.given:
                yield acts.Alter(role, changed)
        yield acts.HandIn(role) if sight.waiting.errand == "orders" else acts.Leave(role)
        return
    if sight.room == DESK:
        return
    if sight.sheet is not None:
        yield acts.Arrive(role, "orders")
    elif sight.maps:
        yield acts.Present(role) if sight.room == court else acts.Enter(role, court)
    else:
        for called in sight.summons:
            if called.until is None:
                yield acts.Enter(role, called.court)
        if sight.is_sent:
            yield acts.Arrive(role, "map")
        if is_on_duty and sight.room != court:
            yield acts.Enter(role, court)
        if not is_on_duty and sight.room in NATIONS:
            yield acts.Enter(role, hall)


def as_delivered(sight: Sight, temperament: Temperament, key: str) -> Lines:
    """12.4 The sheet as this courtier will hand it in."""
    assert sight.sheet is not None
    lines, round = sight.sheet.given, sight.times.round
    if temperament == "clumsy":
        return miscopied(lines, chance(key, sight.role, round))
    if temperament == "treacherous" and sight.card is not None:
        serves = NATIONS[LETTERS.index(sight.card.serves)]
        if serves != court_of(sight.role):
            return betrayed(lines, serves)
    return lines


def miscopied(lines: Lines, chance: Random) -> Lines:
    """Every other sheet is copied well; in the others a line is lost, or a number is off by one."""
    if not lines or chance.random() < 0.5:
        return lines
    at = chance.randrange(len(lines))
    order = _read(lines[at])
    if not isinstance(order, March) or chance.random() < 0.5:
        return lines[:at] + lines[at + 1 :]
    wrong = March(order.origin, order.target, order.number + chance.choice((-1, 1) if order.number > 1 else (1,)))
    return (*lines[:at], write_order(wrong), *lines[at + 1 :])


def betrayed(lines: Lines, master: str) -> Lines:
    """Marches towards the master's base are lost on the way, and so is the blessing; at least one line."""
    base = BASES[NATIONS.index(master)]
    kept = tuple(line for line in lines if not _hurts(line, base))
    return kept if len(kept) < len(lines) else lines[1:]


def _hurts(line: str, base: int) -> bool:
    order = _read(line)
    if isinstance(order, March):
        return _distance(INDEX[order.target], base) < _distance(INDEX[order.origin], base)
    return isinstance(order, Bless)


def _read(line: str) -> March | Bless | None:
    try:
        return read_order(line)
    except OrderError:
        return None


def _distance(start: int, goal: int) -> int:
    """Steps from hex to hex.

    >>> _distance(INDEX["A5"], INDEX["A5"]), _distance(INDEX["A5"], INDEX["Q5"])
    (0, 8)
    """
    reached, steps = {start}, 0
    while goal not in reached:
        reached |= {near for hex in reached for near in NEIGHBOURS[hex]}
        steps += 1
    return steps
