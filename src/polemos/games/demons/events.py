"""What happened, as messages and in words. Nothing is hidden (10.1)."""

from __future__ import annotations

from msgspec import Struct

from polemos.games.demons.rules import events as kinds
from polemos.games.demons.rules.events import KINDS
from polemos.games.demons.state import COMPASS, DEMON, NOBODY, PLAYERS, REASONS, TOWERS, State
from polemos.kernel.dice import die_text
from polemos.kernel.log import EventRecord, Log


class Event(Struct, frozen=True, omit_defaults=True):
    """One event. Fields that a kind does not need are left out."""

    kind: str
    rule: str
    side: str | None = None  # a player; the owner of a mercenary; the target of a demon
    unit: str | None = None  # mercenary or demon
    tower: str | None = None
    at: tuple[int, int] | None = None
    to: tuple[int, int] | None = None
    foe: str | None = None
    number: int = 0
    left: int = 0
    direction: str | None = None
    die: str | None = None


_INDEX = {word: index for index, (word, _) in enumerate(KINDS)}
_BY_UNITS = {kinds.MOVED, kinds.HIT, kinds.HIT_BASE, kinds.FELL, kinds.WAVE}


def _tile(state: State, tile: int) -> tuple[int, int] | None:
    return (state.tile[tile].x, state.tile[tile].y) if 0 <= tile < state.tiles else None


def _unit_name(kind: int) -> str:
    return f"{PLAYERS[kind % 2]} mercenary" if kind < DEMON else f"demon bound for {PLAYERS[kind % 2]}"


def event_of(state: State, record: EventRecord) -> Event:
    """The event that a record of the log means."""
    word, rule = KINDS[record.kind]
    kind = record.kind
    by_unit = kind in _BY_UNITS
    if by_unit and record.seat >= DEMON:
        rule = {kinds.MOVED: "6.1", kinds.HIT: "6.1", kinds.HIT_BASE: "6.5", kinds.FELL: "6.6"}.get(kind, rule)
    side = PLAYERS[record.seat % 2] if 0 <= record.seat < 4 else None
    tower = TOWERS[record.target] if kind in (kinds.BUILT, kinds.DESTROYED) else None
    if kind == kinds.SHOT:
        tower = TOWERS[record.value]
        rule = "8.6" if tower == "minigun" else "8.5"
    foe = None
    if kind in (kinds.HIT, kinds.SHOT):
        foe = _unit_name(record.other)
    elif kind in (kinds.HIT_BASE, kinds.COMING):
        foe = PLAYERS[record.other]
    placed = kind not in (kinds.HIRED, kinds.ENDED)
    return Event(
        kind=word,
        rule="11.2" if kind == kinds.HIRED and state.rules and not rule else rule,
        side=None if kind == kinds.ENDED and record.seat == NOBODY else side,
        unit=("demon" if record.seat >= DEMON else "mercenary") if by_unit else None,
        tower=tower,
        at=_tile(state, record.place) if placed else None,
        to=_tile(state, record.target) if kind in (kinds.MOVED, kinds.HIT, kinds.SHOT, kinds.BLESSED) else None,
        foe=foe,
        number=record.number,
        left=record.value if kind == kinds.HIT_BASE else 0,
        direction=COMPASS[record.place] if kind == kinds.HIRED else None,
        die=die_text(record.value) if kind == kinds.ROLLED else None,
    )


def happened(state: State, log: Log) -> list[Event]:
    return [event_of(state, log.events[i]) for i in range(log.count)]


def words(event: Event) -> str:
    """The event as a sentence, without its paragraph."""
    who = (event.side or "nobody").capitalize()
    unit = f"{who}'s mercenary" if event.unit == "mercenary" else f"The demon bound for {event.side}"
    here = f"{event.at[0]},{event.at[1]}" if event.at else ""
    there = f"{event.to[0]},{event.to[1]}" if event.to else ""
    n = event.number
    match _INDEX[event.kind]:
        case kinds.BUILT:
            return f"{who} builds a {event.tower} on {here} for {n} gold."
        case kinds.DESTROYED:
            return f"{who} destroys the {event.tower} on {here} and gets {n} gold back."
        case kinds.HIRED:
            return f"{who} hires a mercenary towards {event.direction} for {n} gold."
        case kinds.PROVOKED:
            return f"{who} pays {n} gold to provoke demons."
        case kinds.BANISHED:
            return f"Both provoke: {n} demons vanish."
        case kinds.MOVED:
            return f"{unit} moves {here} to {there}."
        case kinds.HIT:
            return f"{unit} on {here} takes {n} health from the {event.foe} on {there}."
        case kinds.HIT_BASE:
            return f"{unit} on {here} takes {n} health from {event.foe}'s base, {event.left} left."
        case kinds.FELL:
            return f"{unit} on {here} falls."
        case kinds.ARRIVED:
            return f"{who}'s mercenary arrives on {here}."
        case kinds.WAVE:
            return f"A demon of {n} health arrives on {here}, bound for {event.side}."
        case kinds.SHOT:
            return f"{who}'s {event.tower} on {here} takes {n} health from the {event.foe} on {there}."
        case kinds.INCOME:
            return f"{who}'s house on {here} gives {n} gold."
        case kinds.BLESSED:
            return f"{who}'s church on {here} strengthens the mercenary on {there} to {n} health."
        case kinds.ENDED:
            reason = REASONS[n]
            return f"{who} wins: {reason}." if event.side else f"A draw: {reason}."
        case kinds.DROPPED:
            return f"{who} drops out."
        case kinds.COMING:
            return f"Next turn a demon of {n} health comes on {here}, bound for {event.foe}."
        case _:
            return f"A die shows {event.die}."
