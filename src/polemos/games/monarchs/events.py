"""What happened, as messages: for the umpire in full, for a nation as its mode allows (9.5), and in words."""

from __future__ import annotations

from msgspec import Struct

from polemos.games.monarchs.board import NAMES, NATIONS
from polemos.games.monarchs.rules import events as kinds
from polemos.games.monarchs.rules.events import KINDS
from polemos.games.monarchs.rules.sight import is_open
from polemos.games.monarchs.state import ONLINE, REASONS, State
from polemos.kernel.dice import die_text
from polemos.kernel.game import UMPIRE
from polemos.kernel.log import EventRecord, Log


class Event(Struct, frozen=True, omit_defaults=True):
    """One event. Fields that a kind does not need, or that its reader may not know, are left out."""

    kind: str
    rule: str
    nation: str | None = None
    hex: str | None = None
    to: str | None = None
    number: int = 0
    against: str | None = None
    against_number: int = 0
    total: int = 0
    die: str | None = None
    draw: int = 0


_INDEX = {word: index for index, (word, _) in enumerate(KINDS)}
_DICE = {kinds.ROLLED_BORDER, kinds.ROLLED_HEX, kinds.ROLLED_RETREAT, kinds.ROLLED_COIN}

# What a nation is told of its own: in every mode, and when its lines are echoed (9.4, 9.5).
_ALWAYS = {kinds.WON, kinds.BEATEN, kinds.BASE_HELD, kinds.SCORED}
_ECHOED = {kinds.BLESSED, kinds.HELD, kinds.MARCHED, kinds.TAKEN, kinds.CONQUERED, kinds.SENT_HOME}
_ECHOED |= {kinds.RETREATED, kinds.NO_REFUGE}
_PUBLIC = {kinds.ENDED, kinds.DROPPED}


def _nation(index: int) -> str | None:
    return NATIONS[index] if 0 <= index < len(NATIONS) else None


def _hex(index: int) -> str | None:
    return NAMES[index] if 0 <= index < len(NAMES) else None


def event_of(record: EventRecord) -> Event:
    """The event that a record of the log means."""
    word, rule = KINDS[record.kind]
    dice = record.kind in _DICE
    return Event(
        kind=word,
        rule=rule,
        nation=_nation(record.seat),
        hex=_hex(record.place),
        to=_hex(record.target),
        number=0 if dice else record.number,
        against=_nation(record.other),
        against_number=record.value if record.kind == kinds.BORDER_WON else 0,
        total=record.value if record.kind in (kinds.SCORED, kinds.ENDED) else 0,
        die=die_text(record.value) if dice else None,
        draw=record.number if dice else 0,
    )


_STAGES = (
    {kinds.DROPPED},
    {kinds.BLESSED},
    {kinds.ROLLED_BORDER, kinds.BORDER_WON, kinds.HELD},
    {kinds.MARCHED},
    {kinds.ROLLED_HEX, kinds.BEATEN, kinds.SENT_HOME, kinds.WON, kinds.BASE_HELD, kinds.TAKEN, kinds.CONQUERED},
    {kinds.ROLLED_RETREAT, kinds.RETREATED, kinds.NO_REFUGE},
    {kinds.SCORED},
    {kinds.ROLLED_COIN, kinds.ENDED},
)
_STAGE = {kind: stage for stage, of in enumerate(_STAGES) for kind in of}


def _in_order(record: EventRecord) -> tuple[int, ...]:
    """2.2 By stage, then by place. The order in which lines were written would betray another nation's sheet."""
    if record.kind in _STAGES[2]:
        return (2, *sorted((record.place, record.target)))
    if record.kind == kinds.MARCHED:
        return (_STAGE[record.kind], record.place, record.target)
    return (_STAGE[record.kind], record.place)


def happened(log: Log) -> list[Event]:
    """All events of a step, in an order that does not depend on the order of the sheets."""
    return [event_of(record) for record in sorted((log.events[i] for i in range(log.count)), key=_in_order)]


def witness(state: State, event: Event, who: str) -> Event | None:
    """9.5 The event as `who` may know it. Nobody learns who fought whom before the end."""
    kind = _INDEX[event.kind]
    if who == UMPIRE or is_open(state) or kind in _PUBLIC:
        return event
    if event.nation != who or who not in NATIONS:
        return None
    if kind in _ALWAYS or (state.mode == ONLINE and kind in _ECHOED):
        return Event(
            kind=event.kind,
            rule=event.rule,
            nation=who,
            hex=event.hex,
            to=event.to,
            number=event.number if kind in _ECHOED or kind == kinds.SCORED else 0,
            total=event.total,
        )
    return None


def words(event: Event) -> str:
    """The event as a sentence, without its paragraph."""
    kind = _INDEX[event.kind]
    nation = (event.nation or "nobody").capitalize()
    here, there, number = event.hex, event.to, event.number
    regiments = f"{number} regiment{'s' if number != 1 else ''}"
    match kind:
        case kinds.BLESSED:
            return f"{nation} blesses {here}."
        case kinds.BORDER_WON:
            score = f"{number} to {event.against_number}"
            return f"{nation} wins the border {here}-{there} against {event.against}, {score}."
        case kinds.HELD:
            return f"{nation} is held at the border {here}-{there}: {regiments} stay."
        case kinds.MARCHED:
            return f"{nation} marches {here}-{there} with {regiments}."
        case kinds.TAKEN:
            return f"{nation} takes {here} without a battle."
        case kinds.CONQUERED:
            return f"{nation} conquers {here}."
        case kinds.WON:
            return f"{nation} wins the battle on {here}."
        case kinds.BEATEN:
            by = f" by {event.against}" if event.against else ""
            return f"{nation} is beaten on {here}{by}."
        case kinds.BASE_HELD:
            return f"{nation} holds its home base {here}."
        case kinds.SENT_HOME:
            return f"{nation} loses {regiments} on {here}, which returns to the home base."
        case kinds.RETREATED:
            return f"{nation} retreats {here}-{there} with {regiments}."
        case kinds.NO_REFUGE:
            return f"{nation} finds no refuge near {here}: {regiments} return to the home base."
        case kinds.SCORED:
            return f"{nation} scores {number}, {event.total} in all."
        case kinds.ENDED:
            return f"{nation} wins: {REASONS[number]}."
        case kinds.DROPPED:
            return f"{nation} drops out and gives no more orders."
        case _:
            where = {
                kinds.ROLLED_BORDER: f"at the border {here}-{there}",
                kinds.ROLLED_HEX: f"on {here}",
                kinds.ROLLED_RETREAT: f"for the retreat {here}-{there}",
            }.get(kind, "for the game")
            return f"{nation} draws {event.die} {where}{', again' if event.draw else ''}."
