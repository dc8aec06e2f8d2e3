"""A turn as a show: stages of the book, each a list of operations by place, never a whole board.

A scene is made from what an audience has anyway: its own view before the turn and the events it was told. Most
operations are told beside the kind of event, once (`Show`); a game adds those that need the view. One player in the
client, and whoever else shows a turn, carries them out in order: whatever is called `what` and stands on `at` moves,
changes, appears, vanishes; a place flashes; a number counts. A change that names no property: from now on it is as the
view after the turn shows it, and without a place so is everything of that name (what counts down, what is refilled).

Within a stage, beats follow each other; all operations of a beat happen at once: what is counted of one piece is added
up, and whoever has nothing left then is gone. An operation that speaks of a field
its audience was not told is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from polemos.kernel.phrases import PLACE, written

if TYPE_CHECKING:
    from polemos.kernel.chronicle import Chronicle, Event

Does = Literal["move", "change", "appear", "vanish", "flash", "count"]


class Show(Struct, frozen=True, omit_defaults=True):
    """What a kind of event does to the board; `{field}` stands for a field of the event."""

    op: Does
    what: str
    at: str = ""
    to: str = ""
    number: str = ""  # how many; "-{number}": so many fewer
    lean: str = ""  # a flash: what stands on `at` leans towards `to`
    set: dict[str, Any] = {}


class Op(Struct, frozen=True, omit_defaults=True):
    """The same for one event."""

    op: Does
    what: str
    at: str = ""
    to: str = ""
    number: int | None = None
    lean: str = ""
    set: dict[str, Any] = {}


def move(what: str, at: str, to: str, number: str = "") -> Show:
    """It goes from one place to another: all of it, or so many."""
    return Show("move", what, at, to, number)


def change(what: str, at: str, **set: Any) -> Show:
    """It has other properties from now on."""
    return Show("change", what, at, set=set)


def appear(what: str, at: str, number: str = "", **set: Any) -> Show:
    """It comes into being; so many join those who are there already."""
    return Show("appear", what, at, number=number, set=set)


def vanish(what: str, at: str = "") -> Show:
    """It is gone; without a place all that is called so."""
    return Show("vanish", what, at)


def flash(what: str, at: str, to: str = "", number: str = "", lean: str = "") -> Show:
    """A mark for as long as the stage lasts: a fight, a shot, a gain."""
    return Show("flash", what, at, to, number, lean)


def count(what: str, number: str, at: str = "") -> Show:
    """So many more or fewer: of what stands on a place, or of a sum beside the board."""
    return Show("count", what, at, number=number)


class Beat(Struct, frozen=True, omit_defaults=True):
    """What happens at once."""

    events: tuple[tuple[int, int], ...] = ()  # runs among the events told: the first, how many
    ops: tuple[Op, ...] = ()  # beside what the kinds show
    ms: int = 0  # its part of the stage; 0: as much as any other
    seat: str = ""  # the sheet and the line that it was ordered by, where it was one
    line: int = 0
    by_line: bool = False  # it stands for several: the events of each line of the sheet are a beat


class Stage(Struct, frozen=True):
    name: str
    ms: int  # how long it takes to show
    beats: tuple[Beat, ...]


def runs(numbers: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """
    >>> runs([3, 4, 5, 9])
    ((3, 3), (9, 1))
    """
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == sum(found[-1]):
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((number, 1))
    return tuple(found)


def by_kind(chronicle: Chronicle, events: Sequence[Event]) -> tuple[Stage, ...]:
    """The stages of the book of which there is something to see, all events of one at once."""
    fixed = {kind.type: kind.stage for kind in chronicle.kinds if isinstance(kind.stage, int)}
    found: dict[int, list[int]] = {}
    for number, event in enumerate(events):
        stage = fixed.get(type(event))
        found.setdefault(chronicle.stage_of(event) if stage is None else stage, []).append(number)
    return tuple(
        Stage(of.name, of.ms, (Beat(runs(found[index])),))
        for index, of in enumerate(chronicle.stages)
        if of.name and index in found
    )


def single(beat: Beat, events: Sequence[Event]) -> tuple[Beat, ...]:
    """The beats that this one stands for: as a rule itself."""
    if not beat.by_line:
        return (beat,)
    numbers = (number for first, many in beat.events for number in range(first, first + many))
    lines = groupby(numbers, lambda number: events[number].line)
    return tuple(Beat(runs(of), seat=beat.seat, line=line) for line, of in lines)


def operations(chronicle: Chronicle, beat: Beat, events: Sequence[Event]) -> list[Op]:
    """All operations of a beat."""
    found = [
        op
        for first, many in beat.events
        for event in events[first : first + many]
        for show in chronicle.of(event).shows
        if (op := shown(show, event)) is not None
    ]
    return [*found, *beat.ops]


def shown(show: Show, event: Event) -> Op | None:
    """The operation for one event; None where the audience was not told what it needs."""
    places = [_text(part, event) for part in (show.what, show.at, show.to, show.lean)]
    if None in places:
        return None
    what, at, to, lean = (place or "" for place in places)
    number = None if not show.number else int(_text(show.number, event) or 0)
    return Op(show.op, what, at, to, number, lean, {name: _value(value, event) for name, value in show.set.items()})


def _text(template: str, event: Event) -> str | None:
    values = {name: getattr(event, name) for name, *_ in PLACE.findall(template)}
    if None in values.values():
        return None
    return PLACE.sub(lambda found: written(values[found[1]]), template)


def _value(value: Any, event: Event) -> Any:
    """A property: a field of the event as it is, a text with fields, or anything else."""
    if not isinstance(value, str):
        return value
    whole = PLACE.fullmatch(value)
    return getattr(event, whole[1]) if whole else _text(value, event)
