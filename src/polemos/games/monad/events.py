"""What happened, as messages and in words. Nothing is hidden (1.8)."""

from __future__ import annotations

from msgspec import Struct, structs

from polemos.games.monad.rules import events as kinds
from polemos.games.monad.rules.events import KINDS
from polemos.games.monad.state import BY_FORFEIT, DIRECTIONS, NOBODY, REASONS, SEATS, WORDS, State
from polemos.kernel.log import EventRecord, Log
from polemos.kernel.phrases import filled


class Event(Struct, frozen=True, omit_defaults=True):
    """One event. Fields that a kind does not need are left out."""

    kind: str
    rule: str
    seat: str | None = None
    other: str | None = None  # the enemy
    at: tuple[int, int] | None = None
    to: tuple[int, int] | None = None
    number: int = 0
    of: int = 0  # units ordered; units of an assault; ore left
    direction: str | None = None
    word: str | None = None  # of an order that was cut
    reason: str | None = None
    sharing: tuple[str, ...] = ()  # who shares a draw


_INDEX = {word: index for index, (word, _) in enumerate(KINDS)}
_COUNTED_BY_VALUE = (kinds.LOST, kinds.CAPPED, kinds.PRODUCED)


def event_of(state: State, record: EventRecord) -> Event:
    """The event that a record of the log means."""
    kind = record.kind
    word, rule = KINDS[kind]
    if kind == kinds.ENDED:
        return _ended(record)
    built = kind in (kinds.FOUNDED, kinds.CLASHED)
    return Event(
        kind=word,
        rule=rule,
        seat=SEATS[record.seat],
        other=SEATS[record.other] if kind in (kinds.COLLIDED, kinds.REPELLED, kinds.DESTROYED) else None,
        at=_tile(state, record.place),
        to=_tile(state, record.target) if kind in (kinds.COLLIDED, kinds.MOVED) else None,
        number=record.value if kind in _COUNTED_BY_VALUE else record.number,
        of=record.value if kind in (kinds.CUT, kinds.REPELLED, kinds.DESTROYED, kinds.MINED) else 0,
        direction=DIRECTIONS[record.other if kind == kinds.MOVED else record.target]
        if built or kind == kinds.MOVED
        else None,
        word=WORDS[record.other] if kind == kinds.CUT else None,
    )


def _ended(record: EventRecord) -> Event:
    rule = {1: "9.1", 2: "9.2", 3: "9.3", 4: "9.7"}[record.number]
    draw = record.seat == NOBODY
    return Event(
        kind=KINDS[record.kind][0],
        rule=rule,
        seat=None if draw else SEATS[record.seat],
        reason="all forfeited" if draw and record.number == BY_FORFEIT else REASONS[record.number],
        sharing=tuple(SEATS[seat] for seat in range(4) if record.value >> seat & 1),
    )


def _tile(state: State, tile: int) -> tuple[int, int] | None:
    return (tile % state.width, tile // state.width) if tile >= 0 else None


def happened(state: State, log: Log) -> list[Event]:
    return [event_of(state, log.events[i]) for i in range(log.count)]


def words(event: Event) -> str:
    """The event as a sentence, without its paragraph."""
    if found := phrase(event):
        return filled(found, structs.asdict(event))
    who, other = (event.seat or "nobody").capitalize(), (event.other or "nobody").capitalize()
    here = f"{event.at[0]},{event.at[1]}" if event.at else ""
    there = f"{event.to[0]},{event.to[1]}" if event.to else ""
    n = event.number
    match _INDEX[event.kind]:
        case kinds.CUT:
            return f"{who}'s order {here} {event.word} {event.of} is cut to {n}."
        case kinds.COLLIDED:
            return f"{who} from {here} and {other} from {there} collide: both lose {n}."
        case kinds.FOUNDED:
            return f"{who} founds a building on {here}, block {event.direction}, for {n}."
        case kinds.CLASHED:
            return f"{who}'s building on {here}, block {event.direction}, clashes: none is founded, {n} go back."
        case kinds.REPELLED:
            return f"{other}'s assault with {event.of} on {who}'s building on {here} fails."
        case kinds.DESTROYED:
            return f"{other} destroys {who}'s building on {here} with {event.of}."
        case kinds.CAPPED:
            return f"{who}'s {f'stack on {here}' if here else 'stock'} is full: {n} are lost."
        case kinds.OUT:
            return f"{who} is out: no unit and no building is left."
        case kinds.FORFEITED:
            return f"{who} forfeits."
        case kinds.ALONE:
            return f"{who} alone has units, for {n} of 10 turns."
        case _:
            if event.seat:
                return f"{who} wins: {event.reason}."
            return f"A draw of {' and '.join(event.sharing)}: {event.reason}."


def phrase(event: Event) -> str:
    """The sentence of kinds that every turn has many of."""
    match _INDEX[event.kind]:
        case kinds.MOVED:
            return "{seat} moves {number} from {at} to {to}."
        case kinds.MINED:
            return "{seat} mines {number} on {at}, {of} left."
        case kinds.LOST:
            return "{seat} loses {number} on {at}."
        case kinds.PRODUCED:
            return f"{{seat}}'s building on {{at}} makes {{number}} unit{'' if event.number == 1 else 's'}."
        case _:
            return ""
