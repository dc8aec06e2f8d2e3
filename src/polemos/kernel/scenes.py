"""A turn as an animation: the stages of the rule book, each a list of operations on places, never a whole board.

A scene is built from things the audience already has: its own view before the turn and the events it was told. Most
operations are declared with the kind of event (`Show`); a game adds those that need the view. The client's player, and
anything else that shows a turn, performs them in order: the piece called `what` on the place `at` moves, changes,
appears or vanishes; a place flashes; a number counts. A change without properties means that from now on the piece
looks as it does in the view after the turn; without a place, so does everything of that name (for example things that
count down or are refilled).

Within a stage, beats follow one another, and all operations of a beat happen at once: counts for the same piece are
added up, and a piece with nothing left is gone. An operation is left out if its audience was not told one of the
fields it refers to.
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
    """The effect of a kind of event on the board; `{field}` stands for a field of the event."""

    op: Does
    what: str
    at: str = ""
    to: str = ""
    number: str = ""  # how many; "-{number}": how many fewer
    lean: str = ""  # for a flash: the piece on `at` leans towards `to`
    set: dict[str, Any] = {}


class Op(Struct, frozen=True, omit_defaults=True):
    """The effect of one event on the board."""

    op: Does
    what: str
    at: str = ""
    to: str = ""
    number: int | None = None
    lean: str = ""
    set: dict[str, Any] = {}


def move(what: str, at: str, to: str, number: str = "") -> Show:
    """A piece moves from one place to another: all of it, or only `number`."""
    return Show("move", what, at, to, number)


def change(what: str, at: str, **set: Any) -> Show:
    """A piece has different properties from now on."""
    return Show("change", what, at, set=set)


def appear(what: str, at: str, number: str = "", **set: Any) -> Show:
    """A piece appears; with `number`, that many join those already there."""
    return Show("appear", what, at, number=number, set=set)


def vanish(what: str, at: str = "") -> Show:
    """A piece is gone; without a place, everything of that name is."""
    return Show("vanish", what, at)


def flash(what: str, at: str, to: str = "", number: str = "", lean: str = "") -> Show:
    """A mark that lasts as long as the stage: a fight, a shot, a gain."""
    return Show("flash", what, at, to, number, lean)


def count(what: str, number: str, at: str = "") -> Show:
    """More or fewer, by `number`: of a piece on a place, or of a total beside the board."""
    return Show("count", what, at, number=number)


class Beat(Struct, frozen=True, omit_defaults=True):
    """Operations that happen at the same time."""

    events: tuple[tuple[int, int], ...] = ()  # runs of the events told: the first, and how many
    ops: tuple[Op, ...] = ()  # besides those of the kinds
    ms: int = 0  # its share of the stage; 0: the same as the others
    seat: str = ""  # the sheet and line that ordered it, if there was one
    line: int = 0
    by_line: bool = False  # it stands for several beats: one for the events of each line of the sheet


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
    """The stages in which there is something to see; all events of a stage happen at once."""
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
    """The beats that this one stands for: usually just itself."""
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
    """The operation for one event, or None if the audience was not told everything it needs."""
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
    """The value of a property: a field of the event, a text with fields filled in, or anything else unchanged."""
    if not isinstance(value, str):
        return value
    whole = PLACE.fullmatch(value)
    return getattr(event, whole[1]) if whole else _text(value, event)
