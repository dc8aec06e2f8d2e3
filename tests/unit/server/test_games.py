"""Whole matches at a table: a person who picks from what the sheet offers, against our bots, in every game."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from polemos import registry
from polemos.kernel.rooms import bots_of
from unit.server.serving import Person, Server, Web

MAX_STEPS = 60
QUICKLY = 2.0  # CPU seconds in which a bot answers, with all that the server does meanwhile


@pytest.mark.parametrize("game", registry.names())
def test_a_match_to_its_end(small_server: Server, game: str) -> None:
    *_, strongest = bots_of(registry.load(game))
    with Web(small_server.address) as web:
        table, token, mine = _open(web, game, strongest)
        with Person(small_server.address, table, token) as person, Person(small_server.address, table) as watcher:
            slowest = _play(person, random.Random(game))
            watcher.until(lambda: watcher.status == "over")
            assert person.state["card"]["outcome"]["places"]
            assert slowest < QUICKLY
        record = web.get(f"/api/tables/{table}/record").json()
        assert [frame["number"] for frame in record["frames"]] == list(range(len(record["frames"])))
        assert record["outcome"]["reason"]
        assert any(frame["orders"].get(mine) for frame in record["frames"]), "the person has ordered something"
        replay = web.get(f"/api/tables/{table}/replay.jsonl.gz").content
        assert web.post("/api/replays", content=replay).json()["frames"] == record["frames"]


def _open(web: Web, game: str, bot: str) -> tuple[str, str, str]:
    facts = registry.load(game).facts
    mine, *others = facts.seats[: facts.min_seats]
    seated = web.open(game, people=[mine], bots=dict.fromkeys(others, bot))
    return seated["table"], seated["token"], mine


def _play(person: Person, chance: random.Random) -> float:
    """Orders from what is offered until the end; gives the longest CPU time that an answer took.

    The server and its bots are in this process. How soon it gets a core is not up to them.
    """
    slowest = 0.0
    while person.status != "over":
        person.until(lambda: person.status == "over" or person.sheet["state"] != "locked")
        if person.status == "over":
            break
        step = person.step
        if step > MAX_STEPS:
            person.act("resign")
            person.until(lambda: person.status == "over")
            break
        person.until(lambda step=step: person.sheet["step"] == step)  # type: ignore[misc]
        lines = _orders(person, chance)
        began = time.process_time()
        person.file(lines, step=step)
        person.until(lambda step=step: person.status == "over" or _is_mine(person, step))  # type: ignore[misc]
        slowest = max(slowest, time.process_time() - began)
    return slowest


def _is_mine(person: Person, step: int) -> bool:
    return person.step > step and "file" in person.may and bool(person.sheet["step"] == person.step)


def _orders(person: Person, chance: random.Random) -> list[Any]:
    """A few lawful orders: each is chosen from what is lawful beside those before."""
    lines: list[Any] = []
    for _ in range(3):
        options = person.sheet["options"]
        if not options:
            break
        option = chance.choice(options)
        number = {} if "least" not in option else {"number": option["least"]}
        lines.append({**option["order"], **number})
        sheet = person.ask("draft", lines=lines)
        assert [line["fault"] for line in sheet["lines"]] == [None] * len(lines), "what is offered is lawful"
    return lines
