"""How the cost of a turn of Demons grows with towers and units: `python benchmarks/demons_growth.py`.

On Long March, without gold, so that nothing new is built: crossbows on red's land, and pairs of mercenaries too healthy
to die, so that their number stays the same.
"""

from __future__ import annotations

import time

from polemos.cli.common import load
from polemos.games.demons.setup import ground_in
from polemos.games.demons.state import State
from polemos.kernel.record import many

STEPS = 64 * 60


def nanoseconds(towers: int, units: int) -> float:
    game = load("demons")
    ground = ground_in(game.setup({"map": "long-march"}, 0))
    land = sorted(ground.territory["red"])[:towers]
    clauses = ["map long-march", "no houses", "no portals", "turn 0/10000", "gold red 0 blue 0"]
    clauses += [f"tower crossbow red {x},{y} cd 3" for x, y in land]
    lane = [tile for lane in ground.lanes for tile in lane[2:-2]]
    for i in range(units // 2):
        (x, y), (to_x, to_y) = lane[4 * i], lane[4 * i + 1]
        clauses += [f"merc red {x},{y} 30000", f"merc blue {to_x},{to_y} 30000"]
    start = game.read_position("; ".join(clauses))
    states = many(State, 64)
    best = 1e9
    for _ in range(25):
        for i in range(64):
            states[i] = start
        began = time.perf_counter()
        game.rollout(states, start, 1, STEPS)
        best = min(best, (time.perf_counter() - began) / STEPS)
    assert max(states[i].units for i in range(64)) == units
    return best * 1e9


for towers in (0, 25, 50, 75):
    print(
        f"{towers:3} towers: "
        + "  ".join(f"{units} units {nanoseconds(towers, units):5.0f} ns" for units in (0, 10, 20, 40))
    )
