"""The bot `champion` of Monad: at home on every map, with two to four seats, and the same twice."""

from __future__ import annotations

from typing import Any

import pytest

from polemos.games.monad.bots.champion import ChampionBot
from polemos.games.monad.game import GAME
from polemos.games.monad.ground import shipped
from polemos.games.monad.notation import Order
from polemos.kernel.dice import chance_of, derive
from polemos.kernel.log import Log

pytestmark = pytest.mark.slow


def played(options: dict[str, Any], turns: int, clock: float) -> list[list[Order]]:
    """The orders of champions in all seats, which must be lawful."""
    state, chance = GAME.setup(options, 1), chance_of(derive(1, "chance"))
    bots = {seat: ChampionBot(GAME.setting(state), seat, 3) for seat in GAME.seats(state)}
    found = []
    for _ in range(turns):
        sheets = {}
        for seat in GAME.to_act(state):
            lines = list(bots[seat].orders(GAME.observe(state, seat), clock))
            found.append(lines)
            sheets[seat] = GAME.check(state, seat, lines)
            assert sheets[seat].faults == (), options
        GAME.resolve(state, sheets, chance, Log(limit=1 << 14))
    return found


def test_it_plays_on_every_map() -> None:
    for map in shipped():
        assert all(played({"map": map}, 2, 0.4)), map
    assert all(played({"map": "random", "size": "12x12", "seats": 3}, 2, 0.4))


def test_equal_clocks_and_seeds_give_equal_orders() -> None:
    options = {"map": "duel", "units": 8}
    assert played(options, 6, 1.0) == played(options, 6, 1.0)


def test_it_orders_nothing_for_others_or_after_the_end() -> None:
    state = GAME.setup({"map": "duel"}, 1)
    bot = ChampionBot(GAME.setting(state), "blue", 1)
    assert bot.orders(GAME.observe(state, "red"), 1.0) == ()
    GAME.forfeit(state, "blue", Log())
    assert bot.orders(GAME.observe(state, "blue"), 1.0) == ()
