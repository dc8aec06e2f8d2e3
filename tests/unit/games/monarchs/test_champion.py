"""The bot `champion` of Monarchs: under all rules and modes, and the same twice."""

from __future__ import annotations

from typing import Any

import pytest

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.bots.champion import ChampionBot
from polemos.games.monarchs.bots.holder import HolderBot
from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.notation import Order
from polemos.kernel.dice import chance_of, derive
from polemos.kernel.log import Log

pytestmark = pytest.mark.slow


def played(options: dict[str, Any], clock: float) -> list[list[Order]]:
    """A whole game of one champion and two holders; its orders, which must be lawful."""
    state, chance = GAME.setup(options, 1), chance_of(derive(1, "chance"))
    champion = ChampionBot(GAME.setting(state), "red", 3)
    bots = {seat: HolderBot(GAME.setting(state), seat, 3) for seat in NATIONS[1:]}
    found = []
    while GAME.outcome(state) is None:
        sheets = {
            seat: GAME.check(state, seat, bot.orders(GAME.observe(state, seat), 1.0)) for seat, bot in bots.items()
        }
        lines = list(champion.orders(GAME.observe(state, "red"), clock))
        found.append(lines)
        sheets["red"] = GAME.check(state, "red", lines)
        assert sheets["red"].faults == (), options
        GAME.resolve(state, sheets, chance, Log(limit=8192))
    return found


@pytest.mark.parametrize(
    "options",
    [{"turns": 3}, {"turns": 2, "rules": "2022-04", "scoring": "battles"}, {"turns": 2, "mode": "open"}],
    ids=str,
)
def test_it_plays_whole_games(options: dict[str, Any]) -> None:
    assert all(played(options, 0.3))


def test_equal_clocks_and_seeds_give_equal_orders() -> None:
    assert played({"turns": 3}, 1.5) == played({"turns": 3}, 1.5)
