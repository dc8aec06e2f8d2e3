"""The bot `champion` of Demons: at home on every map under both rule sets, and the same twice."""

from __future__ import annotations

from typing import Any

import pytest

from polemos.games.demons.bots.champion import ChampionBot
from polemos.games.demons.game import GAME
from polemos.games.demons.ground import shipped
from polemos.games.demons.notation import Hire, Order
from polemos.games.demons.state import PLAYERS
from polemos.kernel.dice import chance_of, derive
from polemos.kernel.log import Log

pytestmark = pytest.mark.slow

RULES = ("classic", "finals-2025")


def played(options: dict[str, Any], steps: int, clock: float) -> list[list[Order]]:
    """The orders of two champions, which must be lawful."""
    state, chance = GAME.setup(options, 1), chance_of(derive(1, "chance"))
    bots = {seat: ChampionBot(GAME.setting(state), seat, 3) for seat in PLAYERS}
    found = []
    for _ in range(steps):
        sheets = {}
        for seat in GAME.to_act(state):
            lines = list(bots[seat].orders(GAME.observe(state, seat), clock))
            found.append(lines)
            sheets[seat] = GAME.check(state, seat, lines)
            assert sheets[seat].faults == (), options
        GAME.resolve(state, sheets, chance, Log(limit=8192))
    return found


def test_it_plays_on_every_map_under_both_rule_sets() -> None:
    for map in (*shipped(), "random"):
        for rules in RULES:
            assert any(played({"map": map, "rules": rules, "turns": 200}, 3, 0.4)), (map, rules)


def test_it_plays_where_nothing_can_be_built() -> None:
    """A map may have no land at all: then there is nothing to order but mercenaries."""
    bare = "name: Bare\nsymmetry: mirror-x\nRoooB"
    for clock in (0.0, 0.4):
        orders = played({"map": bare, "rules": "finals-2025", "turns": 4}, 4, clock)
        assert {type(order) for sheet in orders for order in sheet} <= {Hire}


def test_it_decides_in_two_steps() -> None:
    assert any(played({"map": "hourglass", "decisions": "two", "turns": 100}, 8, 0.4))


@pytest.mark.parametrize("rules", RULES)
def test_equal_clocks_and_seeds_give_equal_orders(rules: str) -> None:
    options = {"map": "pinwheel", "rules": rules, "turns": 120}
    assert played(options, 12, 0.5) == played(options, 12, 0.5)


def test_without_time_it_answers_with_a_script() -> None:
    assert played({"map": "pinwheel"}, 2, 0.0) == played({"map": "pinwheel"}, 2, -1.0)
