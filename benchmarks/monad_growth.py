"""The cost of a turn of Monad by map size and number of orders: `python benchmarks/monad_growth.py`.

Takes states from the middle of random games on even maps, and adjudicates them again and again with orders made up for
them in advance, so that only the adjudication is measured.
"""

from __future__ import annotations

import time

from polemos import registry
from polemos.games.monad.rules import play, turn
from polemos.games.monad.state import Order, State, Work
from polemos.kernel.log import SILENT
from polemos.kernel.record import many


def measure(size: int, turns: int) -> tuple[float, float]:
    """The number of orders in a turn, and the microseconds to adjudicate them."""
    game = registry.load("monad")
    start = game.setup({"map": "random", "size": f"{size}x{size}", "units": 3 * size, "turns": 10_000}, size)
    count = 24
    states = many(State, count, start.extent())
    for i in range(count):
        states[i] = start
    game.rollout(states, start, 7, count * turns)
    lists = []
    for i in range(count):
        orders = many(Order, 4 * size * size + 2)
        lists.append((orders, play.invent_orders(states[i], orders, i)))
    work, best = Work(), float("inf")
    for _ in range(5):
        spent = 0.0
        for i in range(count):
            state = states[i].copy()
            began = time.perf_counter()
            turn.resolve(state, lists[i][0], lists[i][1], SILENT, work)
            spent += time.perf_counter() - began
        best = min(best, spent / count)
    return sum(n for _, n in lists) / count, best * 1e6


def main() -> None:
    print(f"{'map':>8} {'tiles':>6} {'orders':>7} {'us/turn':>10} {'ns/order':>12} {'ns/tile and order':>20}")
    for size in (8, 16, 20, 32, 40, 64):
        for turns in (20, 100, 300):
            orders, micros = measure(size, turns)
            tiles = size * size
            print(
                f"{size:>3}x{size:<4} {tiles:>6} {orders:>7.0f} {micros:>10.2f} {1000 * micros / max(1, orders):>12.0f}"
                f" {1000 * micros / (tiles + orders):>20.1f}"
            )


if __name__ == "__main__":
    main()
