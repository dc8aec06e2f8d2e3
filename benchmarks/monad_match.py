"""A whole match of Monad with its record: views, lists as text, checking, adjudication, digests.

`python benchmarks/monad_match.py`: two bots that cost nothing give about 110 orders per turn between them on 20x20.
"""

from __future__ import annotations

import time
from typing import Any

from polemos import registry
from polemos.games.monad.notation import Build, Mine, Move, Work
from polemos.games.monad.rules import play
from polemos.games.monad.state import DIRECTIONS, Order
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.record import many

TURNS = 112


def orders_of(match: AnyMatch, turn: int) -> dict[str, list[Any]]:
    """Made-up orders, as the objects that a bot would return."""
    records = many(Order, 1000)
    count = play.invent_orders(match.state, records, turn)
    width = match.setting.width
    lists: dict[str, list[Any]] = {seat: [] for seat in match.seats}
    for seat, word, direction, _, tile, _, _, number, _ in records.numbers()[:count].tolist():
        x, y = tile % width, tile // width
        made = (
            Move(x, y, number, DIRECTIONS[direction]),
            Build(x, y, number, DIRECTIONS[direction]),
            Mine(x, y, number),
            Work(x, y, number),
        )
        lists[match.seats[seat]].append(made[word])
    return lists


def main() -> None:
    game = registry.load("monad")
    best, orders, steps = float("inf"), 0, 0
    for run in range(4):
        match = Match(game, {"units": 60, "turns": TURNS}, seed=run)
        spent, orders, steps = 0.0, 0, 0
        while match.outcome is None:
            lists = orders_of(match, len(match.steps))
            began = time.perf_counter()
            for seat, lines in lists.items():
                match.view(seat)
                match.submit(seat, lines)
            match.run()
            spent += time.perf_counter() - began
            steps += 1
            orders += sum(map(len, lists.values()))
        best = min(best, spent / steps) if run else best
    print(f"{1 / best:,.0f} turns a second as a whole match, {orders / steps:.0f} orders a turn, bots excluded")


if __name__ == "__main__":
    main()
