"""The client unpacks frames into what the server would have sent unpacked."""

from __future__ import annotations

from unit.server.test_packing import frames, match
from unit.web.client import run

SCRIPT = """
const { unpacked } = load("src/lib/unpack.ts");
const told = ({ words, rule, event, seat }) => ({ words, rule, event, seat });
const of = ({ view, events, sheets }) => ({ view, events: events.map(told), sheets });
console.log(JSON.stringify(given.map(unpacked).map(of)));
"""


def test_the_client_loses_nothing() -> None:
    packed = frames(match(), packed=True)
    assert any(frame["bulk"] for frame in packed)
    assert any(frame["packed"] for frame in packed)
    assert any(frame["lots"] for frame in packed)
    whole = frames(match(), packed=False)
    assert run(SCRIPT, packed) == [{name: frame[name] for name in ("view", "events", "sheets")} for frame in whole]
