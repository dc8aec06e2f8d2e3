"""The compiled `keeper` orders what the bot orders, line for line, and is as strong; policies are scripts."""

from __future__ import annotations

from typing import Any

import pytest

from polemos.batch import Batch
from polemos.games.demons.bots.keeper import KeeperBot
from polemos.games.demons.notation import Build, Destroy, Hire
from polemos.games.demons.rules import playouts
from polemos.games.demons.rules.keeper import keeper
from polemos.games.demons.rules.scouting import Survey, survey
from polemos.games.demons.rules.scripts import order_of
from polemos.games.demons.state import COMPASS, TOWERS, Order, State
from polemos.kernel.batching import Place, manner, whim
from polemos.kernel.dice import scatter


def bot_of(game: Any, state: State, player: int, key: int) -> KeeperBot:
    """The bot, with tiles and lanes that are equally good in the order in which the compiled one takes them."""
    bot = KeeperBot(game.setting(state), ("red", "blue")[player], 0)
    land = state.tiles - state.path
    first = int(scatter(key, 8 + player)) % land
    tiles = [state.tile[state.path + (first + i) % land] for i in range(land)]
    bot._terrain.land = [(tile.x, tile.y) for tile in tiles if tile.kind == player]
    lanes = [(int(scatter(key, 10 + player)) + i) % state.lanes for i in range(state.lanes)]
    bot._terrain.shortest = sorted(lanes, key=lambda lane: state.lane[lane].length)
    return bot


def written(state: State, order: Order) -> set[Any]:
    found: set[Any] = set()
    if order.build >= 0:
        tile = state.tile[order.build_at]
        found.add(Build(TOWERS[order.build], tile.x, tile.y))
    if order.destroy_at >= 0:
        tile = state.tile[order.destroy_at]
        found.add(Destroy(tile.x, tile.y))
    if order.hire >= 0:
        found.add(Hire(COMPASS[order.hire]))
    return found


@pytest.mark.parametrize(
    ("options", "policies"),
    [
        ({"map": "hourglass"}, ["keeper", "rusher"]),
        ({"map": "twin-gates"}, ["economist", "keeper"]),
        ({"map": "pinwheel", "rules": "finals-2025"}, ["keeper", "keeper"]),
        ({"map": "hornets", "decisions": "two"}, ["random", "keeper"]),
    ],
)
def test_keeper_orders_what_the_bot_orders(options: dict[str, Any], policies: list[str]) -> None:
    """In positions of all kinds: where it plays itself, and where it never would have got."""
    order, found, kinds = Order(), Survey(), set()
    batch = Batch("demons", options, 6, seed=2, threads=1)
    game: Any = batch.game
    for step in range(12):
        for at in range(batch.count):
            state = batch.state(at)
            survey(state, 1, found)
            for player, who in enumerate(batch.seats):
                key = 1000 * step + 10 * at + player
                keeper(state, player, key, order, found)
                bot = bot_of(game, state, player, key)
                wanted = set(bot.orders(game.observe(state, who), 1.0))
                assert written(state, order) == wanted, (step, at, who)
                kinds |= {(type(line).__name__, getattr(line, "tower", "")) for line in wanted}
        batch.play(policies, 17)
    assert {("Build", "house"), ("Hire", "")} <= kinds


@pytest.mark.parametrize("rival", ["economist", "rusher"])
def test_keeper_beats_the_other_scripted_players(rival: str) -> None:
    """In either seat, most games."""
    for seat in range(2):
        batch = Batch("demons", {"map": "hourglass"}, 24, seed=5, restart=False, threads=1)
        batch.play(["keeper", rival] if seat == 0 else [rival, "keeper"], 1200)
        assert batch.games.sum() == 24
        assert batch.totals[:, seat].sum() >= 12, batch.totals[:, seat].tolist()


@pytest.mark.parametrize("rules", ["seed", "finals-2025"])
def test_a_policy_orders_what_the_script_of_the_playouts_orders(rules: str) -> None:
    """One batch plays by policy, the other steps with sheets of the rule that playouts ask, with a desk of its own."""
    options, desk, seen = {"map": "pinwheel", "rules": rules, "turns": 60}, playouts.Desk(), set()
    played, stepped = (Batch("demons", options, 2, seed=7, threads=1) for _ in range(2))
    playouts.know(stepped.state(0), desk)
    for step in range(8):
        for script, policy in enumerate(played.policies[1:]):
            for at in range(2):
                state, place = stepped.state(at), Place.from_raw(stepped.raw("places")[at].tobytes())
                for player in range(2):
                    order = stepped.orders[at].of[player]
                    order_of(script, state, player, manner(place), whim(place), order, desk.survey, desk.purse)
            stepped.step()
            played.play(policy, 1)
            assert (played.raw("states") == stepped.raw("states")).all(), (step, policy)
            seen.add(played.raw("states").tobytes())
    assert len(seen) == 64
