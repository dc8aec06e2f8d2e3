"""The chronicle of a game: every kind of event, written once.

A kind is a rule function in the game's `rules/events.py`. Its parameters are the fields of the event; its body says
where they are stored. The decorator gives its word, its paragraph, its stage, its sentence, and its effect on the
board:

    @CHRONICLE.kind("marched", "5.1", MOVES, "{Nation} marches {hex}-{to} with {number}.",
                    shows=[move("army {nation}", "{hex}", "{to}", "{number}")])
    def marched(log: Log, line: int, nation: Nation, hex: Hex, to: Hex, number: int) -> None:
        emit(log, 3, line, nation, 0, hex, to, number, 0, 0)

The messages (one type per kind, distinguished by `kind`), their words, the stages of a turn, and the client's types
are all derived from it. Kinds are listed nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from types import FunctionType
from typing import Any, Final, Generic, TypeVar, Union, get_type_hints

import msgspec
import numpy as np
from msgspec import Struct

from polemos.kernel.dice import die_text
from polemos.kernel.log import EventRecord
from polemos.kernel.phrases import filled
from polemos.kernel.rule import entry, rule
from polemos.kernel.scenes import Show

F = TypeVar("F", bound=Callable[..., None])
T = TypeVar("T")

_SLOTS: Final = tuple(EventRecord.dtype.names or ())

# Who is told about an event, in games with fog.
ALL: Final = "all"
OWN: Final = "own"  # the seat that it belongs to
ECHO: Final = "echo"  # the same, if seats are told what happened to their lines
UMPIRE_ONLY: Final = "umpire"


class Event(Struct, frozen=True, omit_defaults=True, tag_field="kind"):
    """Something that happened, as everyone reads it. The types of the kinds have further fields."""

    rule: str  # the paragraph
    line: int = 0  # the line of its seat's sheet that caused it, from 1; 0: not caused by a single line

    @property
    def kind(self) -> str:
        return str(self.__struct_config__.tag)


class Field:
    """The meaning of a number in a slot: its type in messages, and how to read it from a position."""

    def __init__(self, type: Any, read: Callable[[Any, int], Any], default: Any = None) -> None:
        self.type, self.read, self.default = type, read, default


def named(names: Sequence[str]) -> Field:
    """A number that stands for a name; numbers past the end of the list mean nothing."""
    return Field(str | None, lambda _, index: names[index] if 0 <= index < len(names) else None)


DIE: Final = Field(str | None, lambda _, die: die_text(die))


class By(Generic[T]):
    """A paragraph or a stage that depends on the value of a field."""

    def __init__(self, field: str, cases: Mapping[Any, T], otherwise: T) -> None:
        self.field, self.cases, self.otherwise = field, cases, otherwise

    def __call__(self, value: Any) -> T:
        return self.cases.get(value, self.otherwise)


class StageOf(Struct, frozen=True):
    """A stage of the turn in the rule book. A stage without a name is not shown: its events appear only in words."""

    name: str
    ms: int


class Kind(Struct, frozen=True):
    """One kind of event."""

    number: int
    word: str
    rule: str | By[str]
    stage: int | By[int]
    says: str | Callable[[Any], str]
    shows: tuple[Show, ...]
    is_moment: bool  # whether the timeline should mark it: only a few events per match are
    told: str
    hides: dict[
        str, Any
    ]  # fields that only the umpire may see while there is fog, and the values that others see instead
    fields: tuple[str, ...]
    type: type[Event]


class Chronicle:
    """All kinds of events of a game, and the stages of its turn."""

    def __init__(self, seat: str, order: Callable[[Kind, Mapping[str, int]], Any] | None = None) -> None:
        """`seat` is the field that says whose event it is; `order` is the sort key for the events of a step."""
        self.seat = seat
        self.stages: list[StageOf] = []
        self.kinds: list[Kind] = []
        self._order = order
        self._of: dict[type[Event], Kind] = {}
        self._made_of: dict[int, Kind] = {}  # by the identity of the function
        self._readers: dict[int, tuple[Kind, list[tuple[str, int, Field | None]]]] = {}

    # ---- writing it

    def stage(self, name: str = "", ms: int = 320) -> int:
        """The next stage of the turn."""
        self.stages.append(StageOf(name, ms))
        return len(self.stages) - 1

    def kind(
        self,
        word: str,
        rule_: str | By[str],
        stage: int | By[int],
        says: str | Callable[[Any], str],
        *,
        shows: Sequence[Show] = (),
        is_moment: bool = False,
        told: str = ALL,
        hides: Sequence[str] = (),
        from_python: bool = False,
    ) -> Callable[[F], F]:
        """Turns the decorated function into a kind of event. `from_python`: Python calls it too, not just rules."""

        def add(f: F) -> F:
            number, slots = _where(f)
            if number != len(self.kinds):
                raise TypeError(f"{f.__name__}: the next kind has number {len(self.kinds)}, not {number}")
            fields = [(name, slot, meaning) for name, slot, meaning in _fields(f, slots) if name != "line"]
            made = _struct(f, word, fields)
            kind = Kind(
                number,
                word,
                rule_,
                stage,
                says,
                tuple(shows),
                is_moment,
                told,
                {name: 0 if meaning is None else meaning.default for name, _, meaning in fields if name in hides},
                tuple(name for name, _, _ in fields),
                made,
            )
            self.kinds.append(kind)
            self._of[made] = kind
            self._readers[number] = (kind, fields)
            compiled = (entry if from_python else rule)(f)
            self._made_of[id(compiled)] = kind
            return compiled

        return add

    # ---- reading it

    def read(self, state: Any, written: bytes) -> list[Event]:
        """The events that the rules wrote in the step leading to this state, as the umpire sees them."""
        rows = np.frombuffer(written, EventRecord.dtype)
        if self._order is not None:
            keys = [self._key(row) for row in rows.tolist()]
            rows = rows[sorted(range(len(rows)), key=keys.__getitem__)]
        found = np.empty(len(rows), object)
        kinds = rows["kind"]
        for number in np.unique(kinds).tolist():
            at = np.flatnonzero(kinds == number)
            found[at] = self._events(state, number, rows[at])
        events: list[Event] = found.tolist()
        return events

    def _key(self, row: tuple[int, ...]) -> Any:
        assert self._order is not None
        kind, fields = self._readers[row[0]]
        return self._order(kind, {name: row[slot] for name, slot, _ in fields})

    def _events(self, state: Any, number: int, rows: np.ndarray[Any, Any]) -> list[Event]:
        """The events of one kind. A step may have thousands, so they are read column by column."""
        kind, fields = self._readers[number]
        columns: list[Sequence[Any]] = []
        for _, slot, meaning in fields:
            column = rows[_SLOTS[slot]].tolist()
            if meaning is not None:
                known = {index: meaning.read(state, index) for index in set(column)}
                column = [known[index] for index in column]
            columns.append(column)
        paragraph = kind.rule
        rules: Iterable[str] = (
            repeat(paragraph)
            if isinstance(paragraph, str)
            else map(paragraph, columns[kind.fields.index(paragraph.field)])
        )
        return list(map(kind.type, rules, rows["line"].tolist(), *columns))

    # ---- facts about an event

    def __getitem__(self, function: Callable[..., None]) -> Kind:
        """The kind that this function writes."""
        return self._made_of[id(function)]

    def those(self, function: Callable[..., None], events: Sequence[Event]) -> list[Any]:
        """The events of the kind that this function writes. Typed Any because the fields are generated at run time."""
        wanted = self[function].type
        return [event for event in events if type(event) is wanted]

    def of(self, event: Event) -> Kind:
        return self._of[type(event)]

    def words(self, event: Event) -> str:
        """The event as a sentence, without its paragraph."""
        says = self.of(event).says
        return filled(says, event) if isinstance(says, str) else says(event)

    def phrase(self, event: Event) -> str:
        """Its sentence with fields in braces, or empty if filling in fields is not enough to build the sentence."""
        says = self.of(event).says
        return says if isinstance(says, str) else ""

    def seat_of(self, event: Event) -> str | None:
        """The seat whose event it is, if any."""
        field = self.seat_field(event)
        return getattr(event, field) if field else None

    def seat_field(self, event: Event) -> str:
        """The field that says whose event it is, or empty if there isn't one."""
        return self.seat if self.seat in self.of(event).fields else ""

    def is_moment(self, event: Event) -> bool:
        return self.of(event).is_moment

    def stage_of(self, event: Event) -> int:
        stage = self.of(event).stage
        return stage if isinstance(stage, int) else stage(getattr(event, stage.field))

    @property
    def event_type(self) -> Any:
        """All kinds as one type, for schemas and for reading messages."""
        return Union[tuple(kind.type for kind in self.kinds)]  # noqa: UP007 - made of a list

    @property
    def shows(self) -> dict[str, tuple[Show, ...]]:
        """The effects of each kind on the board, by word."""
        return {kind.word: kind.shows for kind in self.kinds if kind.shows}


class _Mark:
    """A placeholder for a parameter, used to find its slot."""


def _where(f: Any) -> tuple[int, dict[str, int]]:
    """The number that a kind writes, and the slot of each parameter, found by calling the function itself."""
    code = f.__code__
    names = code.co_varnames[1 : code.co_argcount]
    marks = {name: _Mark() for name in names}
    written: list[tuple[Any, ...]] = []
    probe = FunctionType(code, {**f.__globals__, "emit": lambda log, *slots: written.append(slots)})
    try:
        probe(None, *marks.values())
    except TypeError as error:
        raise TypeError(f"{f.__name__}: a kind must pass its parameters to emit unchanged ({error})") from None
    if len(written) != 1 or not isinstance(written[0][0], int):
        raise TypeError(f"{f.__name__}: a kind must call emit exactly once, with its number")
    slots = {name: index for name in names for index, value in enumerate(written[0]) if value is marks[name]}
    if lost := [name for name in names if name not in slots]:
        raise TypeError(f"{f.__name__}: emit must also store {', '.join(lost)}")
    return written[0][0], slots


def _fields(f: Any, slots: Mapping[str, int]) -> list[tuple[str, int, Field | None]]:
    hints = get_type_hints(f, include_extras=True)

    def meaning(name: str) -> Field | None:
        found = [part for part in getattr(hints[name], "__metadata__", ()) if isinstance(part, Field)]
        return found[0] if found else None

    return [(name, slot, meaning(name)) for name, slot in slots.items()]


def _struct(f: Any, word: str, fields: Sequence[tuple[str, int, Field | None]]) -> type[Event]:
    """The type of its messages. Fields with their default value are omitted, so every field has a default."""
    columns: list[Any] = [
        (name, int, 0) if meaning is None else (name, meaning.type, meaning.default) for name, _, meaning in fields
    ]
    name = "".join(part.capitalize() for part in f.__name__.split("_"))
    made: Any = msgspec.defstruct(
        name,
        columns,
        bases=(Event,),
        module=f.__module__,
        frozen=True,
        omit_defaults=True,
        gc=False,
        tag_field="kind",
        tag=word,
    )
    return made  # type: ignore[no-any-return]
