"""The compiled `holder` orders what the bot orders, line for line; policies are the scripts of playouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from polemos.batch import Batch
from polemos.games.monarchs.board import NAMES
from polemos.games.monarchs.bots.holder import HolderBot
from polemos.games.monarchs.notation import Bless, March
from polemos.games.monarchs.rules import policies
from polemos.games.monarchs.rules.scripts import Mind, order_of
from polemos.games.monarchs.state import BLESS, Sheet
from polemos.kernel.batching import Place, whim
from polemos.kernel.dice import scatter

T = TypeVar("T")


class SameChance:
    """Draws as the compiled policy does."""

    def __init__(self, key: int) -> None:
        self._key, self._draws = key, 0

    def choice(self, of: Sequence[T]) -> T:
        bits = int(scatter(self._key, self._draws))
        self._draws += 1
        return of[(bits & 0xFFFF) * len(of) >> 16]


def test_holder_orders_what_the_bot_orders() -> None:
    """In positions of all kinds: where it plays itself, and where nobody holds anything."""
    plan, sheet, marches = policies.Plan(), Sheet(), 0
    for options, names in (({"mode": "online"}, ["holder", "random", "holder"]), ({"mode": "party"}, "random")):
        batch = Batch("monarchs", options, 4, seed=2, threads=1)
        game: Any = batch.game
        for turn in range(8):
            for at in range(batch.count):
                state = batch.state(at)
                for seat, who in enumerate(batch.seats):
                    key = 1000 * turn + 10 * at + seat
                    bot: Any = HolderBot(game.setting(state), who, 0)
                    bot._chance = SameChance(key)
                    policies.holder(game.look(state, who), key, sheet, plan)
                    assert written(sheet) == list(bot.orders(game.observe(state, who), 1.0)), (turn, at, who)
                    marches += sheet.count
            batch.play(names, 1)
    assert marches > 500


def written(sheet: Sheet) -> list[Any]:
    lines = [sheet.lines[i] for i in range(sheet.count)]
    return [
        Bless(NAMES[line.target]) if line.kind == BLESS else March(NAMES[line.origin], NAMES[line.target], line.number)
        for line in lines
    ]


def test_holder_beats_random_play() -> None:
    """From every seat, in most games: two nations behind it are worth 2."""
    for seat in range(3):
        batch = Batch("monarchs", {}, 60, seed=4, restart=False, threads=1)
        names = ["random"] * 3
        names[seat] = "holder"
        batch.play(names, 40)
        assert (batch.games == 1).all()
        assert batch.totals[:, seat].mean() > 1


def test_a_policy_orders_what_the_script_of_the_playouts_orders() -> None:
    """One batch plays by policy, the other steps with sheets of the rule that playouts ask, with a mind of its own."""
    mind, seen = Mind(), set()
    played, stepped = (Batch("monarchs", {"turns": 6}, 2, seed=7, threads=1) for _ in range(2))
    for step in range(5):
        for script, policy in enumerate(played.policies[1:]):
            for at in range(2):
                key = whim(Place.from_raw(stepped.raw("places")[at].tobytes()))
                for nation in range(3):
                    order_of(script, stepped.state(at), nation, key, stepped.orders[at].of[nation], mind)
            stepped.step()
            played.play(policy, 1)
            assert (played.raw("states") == stepped.raw("states")).all(), (step, policy)
            seen.add(played.raw("states").tobytes())
    assert len(seen) > 30
