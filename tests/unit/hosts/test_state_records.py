"""Bots that ask for the position as a record get it with views and updates, and nobody else does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemos import registry
from polemos.hosts.piecemeal import Piecemeal
from polemos.kernel.capabilities.order_by_order import OrderByOrder
from polemos.kernel.match import Match
from polemos.wire.bot import Budget, Ready
from polemos.wire.state_record import state_record
from unit.hosts.test_process import played, verdict

LISTENING = """
for m in lines():
    print(json.dumps(m), file=sys.stderr, flush=True)
    if m["type"] == "hello": say({"type": "ready", READY})
    elif m["type"] == "view": say({"type": "orders", "orders": []})
    else: break
"""


def heard(folder: Path, game: Any, ready: str) -> list[dict[str, Any]]:
    """The views that a bot is sent in a short match."""
    match, _ = played(folder, LISTENING.replace("READY", ready), Budget(), game, {**game.examples[0], "turns": 4})
    assert verdict(match) == ""
    lines = [json.loads(line) for line in (folder / f"{match.seats[0]}.log").read_text().splitlines()]
    return [line for line in lines if line["type"] == "view"]


@pytest.mark.parametrize("name", registry.names())
def test_a_bot_that_asks_gets_a_record_with_every_view(name: str, tmp_path: Path) -> None:
    game = registry.load(name)
    views = heard(tmp_path, game, '"record": True')
    assert len(views) > 2
    setting = Match(game, {**game.examples[0], "turns": 4}, seed=5).setting
    for message in views:
        view = msgspec.convert(message["view"], game.view_type)
        assert message["record"] == msgspec.to_builtins(state_record(game, setting, view, 7)), "its seed is 7"


def test_a_bot_that_does_not_ask_hears_no_word_of_records(tmp_path: Path) -> None:
    views = heard(tmp_path, registry.load("skerries"), '"options": True')
    assert views
    assert not any("record" in message for message in views)


@pytest.mark.parametrize("name", registry.names())
def test_an_update_has_a_record_where_an_order_takes_effect_at_once(name: str) -> None:
    game = registry.load(name)
    match = Match(game, game.examples[0], seed=1)
    seat = match.to_act[0]
    view = match.view(seat)
    order = game.options(match.setting, view)[0].order
    for asked in (False, True):
        sheet = Piecemeal(game, match.setting, view, seat, Ready(record=asked), 9)
        update = msgspec.to_builtins(sheet.take(order))
        assert update["fault"] is None
        assert ("record" in update) == (asked and isinstance(game, OrderByOrder))
        if "record" in update:
            now = msgspec.convert(msgspec.to_builtins(update["view"]), game.view_type)
            assert update["record"] == msgspec.to_builtins(state_record(game, match.setting, now, 9))
            assert update["record"] != msgspec.to_builtins(state_record(game, match.setting, view, 9))
        assert "record" not in msgspec.to_builtins(sheet.take("nonsense"))
