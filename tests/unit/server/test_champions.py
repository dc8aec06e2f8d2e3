"""A champion plays wherever it is asked for by name: at tables, in the terminal, and as a program in the box."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner

from polemos import registry
from polemos.cli.main import polemos
from polemos.hosts import specs
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playing import play
from polemos.wire.bot import Budget
from unit.server.serving import Server, Web, wait_for

pytestmark = pytest.mark.slow

DEMONS = {"map": "skirmish", "turns": 4}


@pytest.mark.needs("demons")
def test_at_a_table(small_server: Server) -> None:
    with Web(small_server.address) as web:
        table = web.open("demons", bots={"red": "champion", "blue": "level-2"}, options=DEMONS)["table"]
        card: Any = wait_for(
            lambda: (found := web.get(f"/api/tables/{table}").json())["status"] == "over" and found, 300
        )
    assert card["outcome"]["points"]["red"] in (0, 0.5, 1)
    assert "forfeit" not in card["outcome"]["reason"]


@pytest.mark.needs("monarchs")
def test_in_the_terminal() -> None:
    words = ["match", "monarchs", "champion", "level-1", "level-2", "--games", "1", "-o", "turns=2", "--seed", "1"]
    ran = CliRunner().invoke(polemos, words)
    assert ran.exit_code == 0, ran.output
    assert "champion" in ran.output


@pytest.mark.needs("demons")
def test_in_the_box_with_the_clock_of_a_ladder() -> None:
    """It is ready in time, with rules that were compiled before, in the memory that it has there."""
    game = registry.load("demons")
    match: AnyMatch = Match(game, DEMONS, seed=3)
    patient = Budget(start=120.0, wall_extra=60.0)  # a busy machine may be slow; CPU time and memory are the ladder's
    bots = {
        seat: specs.make(game, spec, match.setting, seat, 5, seats=match.seats, budget=patient)
        for seat, spec in zip(match.seats, ("polemos bot demons champion", "random"), strict=True)
    }
    try:
        play(match, bots)
    finally:
        specs.close(list(bots.values()), None)
    assert match.outcome is not None
    assert not any(step.strikes or step.forfeits or step.gone for step in match.steps)
    assert any(step.orders["red"] for step in match.steps)
