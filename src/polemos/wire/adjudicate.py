"""One request, one answer: the umpire for programs in any language.

A request is `{"setup": {...}, "seed": 7}` or `{"position": ..., "orders": {...}, "seed": 7, "dice": {...}}`. Anything
wrong with it is reported in the answer to its line, and the next line is processed as usual.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType

from polemos.kernel import valid
from polemos.kernel.capabilities.fixable_dice import FixableDice
from polemos.kernel.decode import Unreadable, decode
from polemos.kernel.errors import PolemosError
from polemos.kernel.game import SPECTATOR, UMPIRE, max_lines
from polemos.kernel.match import AnyMatch, Match, seat_called
from polemos.kernel.positions import load_position, position_of
from polemos.kernel.verdict import Verdict

MAX_BYTES = 1 << 20  # in a request
MAX_LINES: Final = 10_000  # on a sheet, unless the game allows more; every void line gets an entry in the answer

Field = Literal["position", "text", "events", "rejected", "to_act", "outcome", "views", "told", "digest"]
FIELDS: Final[tuple[Field, ...]] = get_args(Field)


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a starting position, or for one step from a position."""

    setup: dict[str, Any] | UnsetType = UNSET
    position: str | dict[str, Any] | UnsetType = UNSET
    orders: dict[str, list[Any] | str | None] | None = None
    seed: int | str | None = None  # without one, the dice are fresh and secret
    dice: dict[str, Any] = {}
    calls: list[str] = []
    forfeits: list[str] = []
    fields: list[Field] | None = None  # of the answer; all by default
    id: Any = None  # comes back with the answer


class Rejected(Struct, frozen=True):
    seat: str
    line: int
    order: str
    rule: str
    why: str


class Complaint(Struct, frozen=True, omit_defaults=True):
    word: str
    why: str
    rule: str | None = None


class Failure(Struct, frozen=True, omit_defaults=True):
    """The answer to a request that failed."""

    error: Complaint
    id: Any = None


class _Named(Struct):
    """The part of a request that can be read even when the rest is wrong."""

    id: Any = None


def answer(game: Any, line: bytes) -> bytes:
    """The answer to one line, as one line."""
    try:
        request = _read(line)
        reply = _reply(game, request)
        return _line(reply if request.id is None else {"id": request.id, **reply})
    except PolemosError as error:
        return _line(Failure(Complaint(error.word, error.why, error.rule), _id_of(line)))
    except Exception as error:  # our fault, but the next line must still be answered
        return _line(Failure(Complaint("game/broken", f"Polemos failed: {type(error).__name__}."), _id_of(line)))


def _line(reply: Any) -> bytes:
    return msgspec.json.encode(reply) + b"\n"


def _id_of(line: bytes) -> Any:
    """The id of a request, so that it is returned with every error; None unless the line is an object."""
    if len(line) > MAX_BYTES + 2:
        return None
    try:
        return decode(line, _Named).id
    except Unreadable:
        return None


def _read(line: bytes) -> Request:
    if len(line.rstrip(b"\r\n")) > MAX_BYTES:
        raise BadRequest(f"A request can have at most {MAX_BYTES} bytes.")
    try:
        request: Request = decode(line, Request)
    except Unreadable as error:
        raise BadRequest(_complaint(line) or f"{error}. A request needs setup, or position and orders.") from None
    if (request.setup is UNSET) == (request.position is UNSET):
        raise BadRequest("A request needs either setup or position, not both.")
    return request


def _complaint(line: bytes) -> str | None:
    """Which field is wrong, and what is valid; None if there are no fields at all."""
    if not line.strip():
        return "The line is empty. A request needs setup, or position and orders."
    try:
        found = decode(line, dict[str, Any])
    except Unreadable:
        return None
    return valid.complaint(Request, found, "field", "in a request")


class BadRequest(PolemosError):
    word = "request/bad"


def _reply(game: Any, request: Request) -> dict[str, Any]:
    if request.setup is not UNSET:
        if request.orders or request.dice or request.calls or request.forfeits:
            raise BadRequest(
                "A request with setup cannot have orders, dice, calls or forfeits: it only asks for a position."
            )
        match = Match(game, request.setup, seed=request.seed)
        return _result(game, match, request.fields)
    state = load_position(game, request.position)
    match = Match(game, seed=request.seed, position=game.write_position(state))
    if request.dice:
        if not isinstance(game, FixableDice):
            raise BadRequest(f"{game.title} has no dice that can be fixed.")
        game.fix_dice(match.state, match.chance, request.dice)
    for text in request.calls:
        match.call(text)
    for seat in request.forfeits:
        match.forfeit(seat_called(match.seats, seat), Verdict("request"))
    for seat, lines in (request.orders or {}).items():
        if lines is not None:
            if (called := seat_called(match.seats, seat)) in match.filed:
                raise BadRequest(f"There are two sheets for {called}. Send one.")
            limit = max(MAX_LINES, max_lines(game, match.state))
            if len(match.submit(called, lines, limit).lines) > limit:
                raise BadRequest(f"The sheet of {called} has more than {limit} lines.")
    match.run()
    return _result(game, match, request.fields)


def _result(game: Any, match: AnyMatch, fields: list[Field] | None) -> dict[str, Any]:
    """The requested fields; nothing else is computed."""
    made: dict[Field, Callable[[], Any]] = {
        "position": lambda: position_of(game, match.state),
        "text": lambda: game.write_position(match.state),
        "events": lambda: [
            {**msgspec.to_builtins(event), "words": game.chronicle.words(event)} for event in match.told(UMPIRE)
        ],
        "rejected": lambda: _rejected(match),
        "to_act": lambda: match.to_act,
        "outcome": lambda: match.outcome,
        "views": lambda: {who: match.view(who) for who in (*match.seats, SPECTATOR)},
        "told": lambda: {who: match.told(who) for who in (*match.seats, SPECTATOR)},
        "digest": lambda: match.state.digest(),
    }
    return {field: make() for field, make in made.items() if fields is None or field in fields}


def _rejected(match: AnyMatch) -> list[Rejected]:
    return [
        Rejected(seat, fault.line, fault.order, fault.rule, fault.why)
        for seat, of in match.rejected.items()
        for fault in of
    ]
