"""What happened, as messages and in words. Everything of an ended turn is open (2.7)."""

from __future__ import annotations

from msgspec import Struct

from polemos.games.minions.maps import hex_name
from polemos.games.minions.rules import events as kinds
from polemos.games.minions.rules.events import KINDS
from polemos.games.minions.setup import table_in
from polemos.games.minions.state import BY_GIVING_UP, BY_LIMIT, BY_LOSSES, BY_WINS, NOBODY, REASONS, SIDES, State
from polemos.kernel.log import EventRecord, Log


class Event(Struct, frozen=True, omit_defaults=True):
    """One event. Fields that a kind does not need are left out."""

    kind: str
    rule: str
    side: str | None = None
    board: int = 0  # from 1
    hex: str | None = None
    to: str | None = None
    unit: str | None = None
    number: int = 0
    place: int = 0  # of a card, from 1
    reason: str | None = None


_INDEX = {word: index for index, (word, _) in enumerate(KINDS)}
_ON_CARDS = (kinds.MARCHED, kinds.TECHED)
_ENDS = {BY_WINS: "12.6", BY_LOSSES: "12.7", BY_LIMIT: "12.9", BY_GIVING_UP: "13.6"}


def event_of(state: State, record: EventRecord) -> Event:
    """The event that a record of the log means."""
    kind = record.kind
    word, rule = KINDS[kind]
    if kind == kinds.ENDED:
        side = None if record.seat == NOBODY else SIDES[record.seat]
        return Event(kind=word, rule=_ENDS[record.number], side=side, reason=REASONS[record.number])
    if kind == kinds.LOST and record.number:
        rule = "13.1"
    types = table_in(state).types
    named = record.number >= 0 and kind not in (kinds.INCOME, kinds.LOST, kinds.WON)
    return Event(
        kind=word,
        rule=rule,
        side=SIDES[record.seat],
        board=record.other + 1,
        hex=hex_name(record.place) if record.place >= 0 and kind not in _ON_CARDS else None,
        to=hex_name(record.target) if record.target >= 0 else None,
        unit=_named(types[record.number].name, types[record.number].letter) if named else None,
        number=record.value,
        place=record.place + 1 if kind in _ON_CARDS else 0,
    )


def _named(name: str, letter: str) -> str:
    return f"{name} necromancer" if letter == "N" else name


def happened(state: State, log: Log) -> list[Event]:
    return [event_of(state, log.events[i]) for i in range(log.count)]


def words(event: Event) -> str:
    """The event as a sentence, without its paragraph."""
    who = (event.side or "nobody").capitalize()
    on = f"board {event.board}"
    unit, n = event.unit, event.number
    match _INDEX[event.kind]:
        case kinds.MOVED:
            return f"On {on} {who}'s {unit} goes from {event.hex} to {event.to}."
        case kinds.HIT:
            return f"On {on} {who} attacks from {event.hex}: the {unit} on {event.to} has {n} damage."
        case kinds.DESTROYED:
            return f"On {on} {who}'s {unit} on {event.hex} is destroyed."
        case kinds.UNSUMMONED:
            return f"On {on} {who}'s {unit} on {event.hex} is unsummoned."
        case kinds.REBATE:
            return f"{who} gets {n} back for the {unit}."
        case kinds.BOUGHT:
            return f"On {on} {who} buys {_a(unit)} for {n}."
        case kinds.SPAWNED:
            return f"On {on} {who} spawns {_a(unit)} on {event.hex}."
        case kinds.CHOSEN:
            return f"On {on} {who} chooses the {unit}."
        case kinds.KEPT:
            return f"On {on} {who} keeps {_a(unit)}."
        case kinds.MARCHED:
            return f"{who} marches to card {event.place}, {unit}."
        case kinds.TECHED:
            return f"{who} techs card {event.place}, {unit}."
        case kinds.PAID:
            return f"{who} pays {n} for spells."
        case kinds.RESIGNED:
            return f"{who} resigns {on}."
        case kinds.INCOME:
            return f"{who} gets {n} from {on}."
        case kinds.WON:
            return f"{who} wins {on} and has {_points(n)}."
        case kinds.LOST:
            other = SIDES[1 - SIDES.index(event.side or "yellow")].capitalize()
            return f"{who} loses {on}; {other} has {_points(n)}."
        case kinds.RESET:
            return f"{on.capitalize()} is reset."
        case kinds.GAVE_UP:
            return f"{who} gives up the game."
        case kinds.LEFT_OPEN:
            return f"On {on} {who} has not chosen: it will be the {unit}."
        case _:
            return f"{who} wins: {event.reason}." if event.side else f"A draw: {event.reason}."


def _a(unit: str | None) -> str:
    return f"{'an' if (unit or '')[:1] in 'AEIOU' else 'a'} {unit}"


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"
