"""The client unpacks frames into what the server would have sent unpacked."""

from __future__ import annotations

import pytest

from polemos import registry
from polemos.wire import packing
from unit.server.test_packing import frames, match
from unit.web.client import run

SCRIPT = """
const { unpacked } = load("src/lib/unpack.ts");
const told = ({ words, rule, event, seat }) => ({ words, rule, event, seat });
const of = ({ view, events, sheets }) => ({ view, events: events.map(told), sheets });
console.log(JSON.stringify(given.map(unpacked).map(of)));
"""


@pytest.mark.needs("monad")
def test_the_client_loses_nothing() -> None:
    packed = frames(match(), packed=True)
    assert any(frame["bulk"] for frame in packed)
    assert any(frame["packed"] for frame in packed)
    assert any(frame["lots"] for frame in packed)
    whole = frames(match(), packed=False)
    assert run(SCRIPT, packed) == [{name: frame[name] for name in ("view", "events", "sheets")} for frame in whole]


@pytest.mark.parametrize("game", [name for name in registry.names() if registry.load(name).facts.simultaneous])
def test_whose_event_it_is_is_told_in_every_game(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    played = match(game, turns=6)
    whole = frames(played, packed=False)
    monkeypatch.setattr(packing, "MANY", 0)
    packed = frames(played, packed=True)
    assert any(bulk["seat"] for frame in packed for bulk in frame["bulk"])
    assert [frame["events"] for frame in run(SCRIPT, packed)] == [frame["events"] for frame in whole]
