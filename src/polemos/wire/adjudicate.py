"""One request, one answer: the umpire for programs in any language.

A request is `{"setup": {...}, "seed": 7}` or `{"position": ..., "orders": {...}, "seed": 7, "dice": {...}}`. Anything
wrong with it is answered on its line, and the next line is served.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from polemos.kernel.capabilities.fixable_dice import FixableDice
from polemos.kernel.decode import Unreadable, decode
from polemos.kernel.errors import PolemosError
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.match import AnyMatch, Match, seat_called
from polemos.kernel.positions import load_position, position_of
from polemos.kernel.verdict import Verdict

MOST_BYTES = 1 << 20  # of a request


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked: a starting position, or one step from a position."""

    setup: dict[str, Any] | UnsetType = UNSET
    position: str | dict[str, Any] | UnsetType = UNSET
    orders: dict[str, list[Any] | str | None] = {}
    seed: int | str | None = None  # without one the dice are fresh and secret
    dice: dict[str, Any] = {}
    calls: list[str] = []
    forfeits: list[str] = []
    id: Any = None  # comes back with the answer


class Rejected(Struct, frozen=True):
    seat: str
    line: int
    order: str
    rule: str
    why: str


class Failure(Struct, frozen=True, omit_defaults=True):
    word: str
    why: str
    rule: str | None = None


def answer(game: Any, line: bytes) -> bytes:
    """The answer to one line, as one line."""
    id: Any = None
    try:
        request = _read(line)
        id = request.id
        reply = _reply(game, request)
    except PolemosError as error:
        reply = {"error": Failure(error.word, error.why, error.rule)}
    except Exception as error:  # our fault, but the next line must be served
        reply = {"error": Failure("game/broken", f"Polemos failed: {type(error).__name__}.")}
    if id is not None:
        reply = {"id": id, **reply}
    return msgspec.json.encode(reply) + b"\n"


def _read(line: bytes) -> Request:
    if len(line.rstrip(b"\r\n")) > MOST_BYTES:
        raise BadRequest(f"A request has at most {MOST_BYTES} bytes.")
    try:
        request: Request = decode(line, Request)
    except Unreadable as error:
        raise BadRequest(f"{error}. A request has setup, or position and orders.") from None
    if (request.setup is UNSET) == (request.position is UNSET):
        raise BadRequest("A request has either setup or position.")
    return request


class BadRequest(PolemosError):
    word = "request/bad"


def _reply(game: Any, request: Request) -> dict[str, Any]:
    if request.setup is not UNSET:
        if request.orders or request.dice or request.calls or request.forfeits:
            raise BadRequest("A request with setup has no orders, dice, calls or forfeits: it asks for a position.")
        match = Match(game, request.setup, seed=request.seed)
        return _result(game, match)
    state = load_position(game, request.position)
    match = Match(game, seed=request.seed, position=game.write_position(state))
    if request.dice:
        if not isinstance(game, FixableDice):
            raise BadRequest(f"{game.title} throws no dice that could be fixed.")
        game.fix_dice(match.state, match.chance, request.dice)
    for text in request.calls:
        match.call(text)
    for seat in request.forfeits:
        match.forfeit(seat_called(match.seats, seat), Verdict("request"))
    for seat, lines in request.orders.items():
        if lines is not None:
            if (called := seat_called(match.seats, seat)) in match.filed:
                raise BadRequest(f"Two sheets of {called}.")
            match.submit(called, lines)
    match.run()
    return _result(game, match)


def _result(game: Any, match: AnyMatch) -> dict[str, Any]:
    faults = match.steps[-1].faults if match.steps else {}
    audience = (*match.seats, SPECTATOR)
    return {
        "position": position_of(game, match.state),
        "text": game.write_position(match.state),
        "events": [
            {**msgspec.to_builtins(event), "words": game.chronicle.words(event)} for event in match.told(UMPIRE)
        ],
        "rejected": [
            Rejected(seat, fault.line, fault.order, fault.rule, fault.why)
            for seat, of in faults.items()
            for fault in of
        ],
        "to_act": match.to_act,
        "outcome": match.outcome,
        "views": {who: match.view(who) for who in audience},
        "told": {who: match.told(who) for who in audience},
        "digest": match.state.digest(),
    }
