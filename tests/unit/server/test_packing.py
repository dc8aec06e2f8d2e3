"""Packed frames hold what unpacked ones do."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

from polemos import registry
from polemos.hosts import specs
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.phrases import filled
from polemos.kernel.playing import play
from polemos.kernel.rooms import bots_of
from polemos.wire import frames as wire_frames
from polemos.wire import packing
from unit.server.serving import Web


@cache
def match(game: str = "monad", **options: Any) -> AnyMatch:
    """Many units on a large map, or what else a game has."""
    found = registry.load(game)
    made = Match(
        found, options or {"map": "random", "size": "48x48", "seats": 4, "turns": 40, "units": 60}, seed="packing"
    )
    bots = {
        seat: specs.make(found, list(bots_of(found))[-1], made.setting, seat, 1, seats=made.seats)
        for seat in made.seats
    }
    play(made, bots)
    return made


def frames(of: AnyMatch, *, packed: bool) -> list[dict[str, Any]]:
    return [msgspec.json.decode(wire_frames.written_frame(of, n, UMPIRE, packed)) for n in range(len(of.steps) + 1)]


class Fields:
    """A message by its fields; what is left out is 0, as clients read it."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        value = self._fields.get(name, 0)
        return tuple(value) if isinstance(value, list) else value


def unpacked(frame: dict[str, Any]) -> dict[str, Any]:
    """As clients do it."""
    view = {**frame["view"], **{name: objects(frame["view"][name]) for name in frame["packed"]}}
    events: dict[int, Any] = {}
    for bulk in frame["bulk"]:
        for at, event in zip(places_of(bulk), objects(bulk["rows"]), strict=True):
            words = filled(bulk["phrase"], Fields(event))
            events[at] = {"words": words, "rule": bulk["rule"], "event": event, "seat": event.get(bulk["seat"])}
    told = iter(frame["events"])
    total = len(events) + len(frame["events"])
    everything = [events[at] if at in events else next(told) for at in range(total)]
    sheets, orders = dict(frame["sheets"]), dict(frame["orders"])
    for seat, lots in frame["lots"].items():
        count = len(orders[seat]) or sum(lot["rows"]["count"] for lot in lots)
        lines = {at: line for lot in lots for at, line in zip(places_of(lot), objects(lot["rows"]), strict=True)}
        texts = {at: filled(lot["phrase"], Fields(lines[at])) for lot in lots for at in places_of(lot)}
        sheets[seat] = [lines.get(at) for at in range(count)]
        orders[seat] = orders[seat] or [texts[at] for at in range(count)]
    told_anew = {"view": view, "events": everything, "sheets": sheets, "orders": orders}
    return {**frame, **told_anew, "bulk": [], "packed": [], "lots": {}}


def places_of(runs: dict[str, Any]) -> list[int]:
    return [at for first, many in runs["runs"] for at in range(first, first + many)]


def objects(rows: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {**rows["same"], **{name: column[i] for name, column in rows["columns"].items()}} for i in range(rows["count"])
    ]


@pytest.mark.needs("monad")
def test_nothing_is_lost() -> None:
    whole, packed = frames(match(), packed=False), frames(match(), packed=True)
    assert any(frame["bulk"] for frame in packed)
    assert any(frame["packed"] for frame in packed)
    assert any(frame["lots"] for frame in packed)
    assert [unpacked(frame) for frame in packed] == whole


@pytest.mark.needs("monad")
def test_it_is_worth_it() -> None:
    """Of the frame with most to tell at most half is left, and the events at most a quarter."""
    number = max(range(len(match().steps) + 1), key=lambda n: len(match().told_at(n, UMPIRE)))
    whole, packed = (wire_frames.frame(match(), number, UMPIRE, packed) for packed in (False, True))
    assert len(whole.events) > 3 * packing.MANY

    def size(of: object) -> int:
        return len(msgspec.json.encode(of))

    assert size(packed) < size(whole) / 2
    assert size((packed.events, packed.bulk)) < size(whole.events) / 3


@pytest.mark.parametrize("game", registry.names())
def test_small_frames_are_as_they_were(game: str) -> None:
    """But for sheets: orders have so much in common that rows pay early."""
    played = match(game, turns=6)

    def but_sheets(packed: bool) -> list[dict[str, Any]]:
        found = frames(played, packed=packed)
        return [{name: of for name, of in frame.items() if name not in ("sheets", "lots")} for frame in found]

    assert but_sheets(packed=True) == but_sheets(packed=False)


@pytest.mark.needs("monad")
def test_packed_frames_are_for_those_who_ask(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MANY", 0)
    table = web.open("monad", people=["red"], bots={"blue": "random"}, options={"seats": 2})["table"]
    whole = web.get(f"/api/tables/{table}/frames?from=0&to=1").json()
    packed = web.get(f"/api/tables/{table}/frames?from=0&to=1&packed=true").json()
    assert whole[0]["packed"] == []
    assert packed[0]["packed"]
    assert [unpacked(frame) for frame in packed] == whole
