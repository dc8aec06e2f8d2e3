"""A kind of event is one written function: what it writes comes back as its message, in words, in its stage."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import pytest

from polemos import registry
from polemos.kernel.book import paragraphs
from polemos.kernel.chronicle import DIE, By, Chronicle, Event, Field, named
from polemos.kernel.log import Log, emit
from polemos.kernel.phrases import PLACE
from polemos.kernel.rooms import book_of
from polemos.kernel.scenes import Op, Stage, by_kind, change, count, flash, move, operations

SEATS = ("red", "blue")
Seat = Annotated[int, named(SEATS)]
Tile = Annotated[int, Field(tuple[int, int] | None, lambda width, at: (at % width, at // width))]
Die = Annotated[int, DIE]

SMALL = Chronicle(seat="seat")
HIDDEN = SMALL.stage()
MARCHES = SMALL.stage("Marches", 200)
FIGHTS = SMALL.stage("Fights")


@SMALL.kind(
    "walked",
    By("seat", {"blue": "1.2"}, "1.1"),
    MARCHES,
    "{Seat} walks from {at} to {to} with {number} {number|unit|units}.",
    shows=[move("stack {seat}", "{at}", "{to}", "{number}"), change("tile", "{to}", owner="{seat}", steps="{number}")],
)
def walked(log: Log, line: int, seat: Seat, at: Tile, to: Tile, number: int) -> None:
    emit(log, 0, line, seat, 0, at, to, 0, 0, number)


@SMALL.kind("drew", "2.1", HIDDEN, lambda event: f"A die: {event.die}.", hides=["die", "again"])
def drew(log: Log, again: int, die: Die, seat: Seat) -> None:
    emit(log, 1, 0, seat, again, 0, 0, 0, 0, die)


@SMALL.kind(
    "struck",
    "3.1",
    By("number", {0: MARCHES}, FIGHTS),
    "{Seat} strikes {foe}: {number}.",
    shows=[flash("fight", "{at}", lean="stack {seat}"), count("stack {foe}", "-{number}", "{at}")],
    is_moment=True,
)
def struck(log: Log, seat: Seat, foe: Seat, at: Tile, number: int) -> None:
    emit(log, 2, 0, seat, foe, at, 0, number, 0, 0)


def told(*writes: Any) -> list[Any]:
    log = Log(limit=10)
    for function, *values in writes:
        function(log, *values)
    return SMALL.read(8, log.written())


def test_what_is_written_is_told() -> None:
    (event,) = told((walked, 7, 1, 10, 19, 2**40))
    assert (event.kind, event.rule, event.line) == ("walked", "1.2", 7)
    assert (event.seat, event.at, event.to, event.number) == ("blue", (2, 1), (3, 2), 2**40)
    assert SMALL.words(event) == f"Blue walks from 2,1 to 3,2 with {2**40} units."
    assert SMALL.words(told((walked, 0, 0, 0, 1, 1))[0]) == "Red walks from 0,0 to 1,0 with 1 unit."
    assert SMALL.seat_of(event) == "blue"


def test_messages_say_what_there_is_to_say_and_are_told_apart_by_kind() -> None:
    events = told((walked, 0, 1, 10, 19, 0), (drew, 0, 1 << 31, 0))
    assert msgspec.to_builtins(events) == [
        {"kind": "walked", "rule": "1.2", "seat": "blue", "at": (2, 1), "to": (3, 2)},
        {"kind": "drew", "rule": "2.1", "die": "0.5", "seat": "red"},
    ]
    read = msgspec.json.decode(msgspec.json.encode(events), type=list[SMALL.event_type])  # type: ignore[name-defined]
    assert read == events
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"kind": "wlaked", "rule": "1.1"}, SMALL.event_type)


def test_hidden_fields_have_something_to_stand_in_for_them() -> None:
    assert SMALL[drew].hides == {"again": 0, "die": None}


def test_stages_follow_the_book_and_name_what_they_show() -> None:
    events = told((struck, 0, 1, 9, 4), (drew, 0, 5, 0), (walked, 0, 1, 10, 19, 1), (struck, 1, 0, 9, 0))
    stages = by_kind(SMALL, events)
    assert [(stage.name, stage.ms, [beat.events for beat in stage.beats]) for stage in stages] == [
        ("Marches", 200, [((2, 2),)]),
        ("Fights", 320, [((0, 1),)]),
    ]
    assert operations(SMALL, stages[0].beats[0], events) == [
        Op("move", "stack blue", "2,1", "3,2", 1),
        Op("change", "tile", "3,2", set={"owner": "blue", "steps": 1}),
        Op("flash", "fight", "1,1", lean="stack blue"),
        Op("count", "stack red", "1,1", number=0),
    ]
    assert operations(SMALL, stages[1].beats[0], events)[1] == Op("count", "stack blue", "1,1", number=-4)


def test_what_an_audience_is_not_told_is_not_shown() -> None:
    event = msgspec.structs.replace(told((struck, 0, 1, 9, 4))[0], foe=None)
    stage = Stage("", 0, by_kind(SMALL, [event])[0].beats)
    assert [op.op for op in operations(SMALL, stage.beats[0], [event])] == ["flash"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (lambda log, seat: emit(log, 7, 0, seat, 0, 0, 0, 0, 0, 0), "the next kind has number 3, not 7"),
        (lambda log, seat: emit(log, 3, 0, 0, 0, 0, 0, 0, 0, 0), "emit must also store seat"),
        (lambda log, seat: emit(log, 3, 0, seat + 1, 0, 0, 0, 0, 0, 0), "unchanged"),
        (lambda log, seat: None, "call emit exactly once"),
    ],
)
def test_a_kind_that_does_not_keep_what_it_is_given_is_refused(body: Any, why: str) -> None:
    with pytest.raises(TypeError, match=why):
        SMALL.kind("lost", "1.1", HIDDEN, "Lost.")(body)


@pytest.mark.parametrize("name", registry.names())
def test_every_kind_of_a_game_is_sound(name: str) -> None:
    """Its paragraphs are in the book, its fields have a slot each, and its texts name no others."""
    chronicle, book = registry.load(name).chronicle, paragraphs(book_of(registry.load(name)) / "rules.md")
    words = [kind.word for kind in chronicle.kinds]
    assert len(set(words)) == len(words)
    assert [kind.number for kind in chronicle.kinds] == list(range(len(words)))
    for kind in chronicle.kinds:
        cited = [kind.rule] if isinstance(kind.rule, str) else [*kind.rule.cases.values(), kind.rule.otherwise]
        assert set(cited) <= set(book), kind.word
        _, fields = chronicle._readers[kind.number]
        assert len({slot for _, slot, _ in fields}) == len(fields), f"{kind.word}: two fields in one slot"
        places = [kind.says] if isinstance(kind.says, str) else []
        for show in kind.shows:
            places += [show.what, show.at, show.to, show.number, show.lean, *map(str, show.set.values())]
        named_fields = {found[1].lower() for text in places for found in PLACE.finditer(text)}
        assert named_fields <= {*kind.fields}, f"{kind.word}: {named_fields - {*kind.fields}}"
        assert issubclass(kind.type, Event)
