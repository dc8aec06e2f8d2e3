"""A policy of batches orders what the script of the same name orders in playouts; its notes fit on a GPU."""

from __future__ import annotations

from polemos.batch import Batch
from polemos.games.monad.rules.minds import Mind
from polemos.games.monad.rules.policies import POLICIES, script
from polemos.games.monad.spaces import KIT
from polemos.games.monad.state import MAX_TILES, Order
from polemos.kernel.batching import Place, manner
from polemos.kernel.record import many


def test_a_policy_orders_what_the_script_orders() -> None:
    mind, orders, seen = Mind(), many(Order, 1000), set()
    played, stepped = (Batch("monad", {"turns": 60, "units": 9}, 2, seed=7, threads=1) for _ in range(2))
    for step in range(4):
        for policy in range(1, len(POLICIES)):
            for at in range(2):
                state, lists, count = stepped.state(at), stepped.orders[at], 0
                key = manner(Place.from_raw(stepped.raw("places")[at].tobytes()))
                for seat in range(2):
                    count = script(policy, state, seat, key, count, 1000, mind, orders)
                lists.count = count
                for i in range(count):
                    lists.order[i] = orders[i]
            stepped.step()
            played.play(POLICIES[policy], 1)
            assert (played.raw("states") == stepped.raw("states")).all(), (step, POLICIES[policy])
            seen.add(played.raw("states").tobytes())
    assert len(seen) == 36


def test_what_a_mind_notes_by_tile_is_cut_to_the_map() -> None:
    """On a GPU. Of the steps there are three numbers for each tile; with room for two, others were overwritten."""
    sizes = KIT.sizes(Batch("monad", {"map": "random", "size": "12x12"}, 1, threads=1).state(0))
    for field, kind in Mind._fields_:
        length = getattr(kind, "_length_", 1)
        if length % MAX_TILES == 0:
            assert sizes[Mind, field] == length // MAX_TILES * 144, field
