"""What a turn of a batch costs by the number of games, the size of the map, the units and the boards.

    python benchmarks/costs.py [--out out/costs.json] [games demons monad units boards]
    python benchmarks/chart.py costs out/costs.json > docs/pictures/costs.svg

Microseconds of one core for a turn of random play (`Batch.play`), and for a turn followed by observations and limits of
all seats (`observe`), one thread, by the time of the process; the best of three.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from polemos.batch import Batch

MAPS = ("skirmish", "hourglass", "twin-gates", "pinwheel", "long-march", "hornets")
SECONDS = 0.1  # of each measurement


def cost(name: str, options: dict[str, Any], games: int, seen: bool) -> float:
    """Microseconds of a turn."""
    batch = Batch(name, options, games, seed=1, threads=1)
    batch.play("random", 32)
    batch.observe()
    best = float("inf")
    for _ in range(3):
        turns, began = 0, time.process_time()
        while (took := time.process_time() - began) < SECONDS:
            batch.play("random", 1 if seen else 16)
            if seen:
                batch.observe()
            turns += games * (1 if seen else 16)
        best = min(best, took / turns * 1e6)
    return best


def chart(title: str, across: str, cases: dict[str, list[Any]]) -> dict[str, Any]:
    """`cases`: by the name of a line, where each point stands, and what is measured there."""
    lines = []
    for line, points in cases.items():
        for seen in (False, True):
            found = [(x, round(cost(name, options, games, seen), 3)) for x, name, options, games in points]
            lines.append((f"{line}, observed" if seen else line, found))
            print(title, lines[-1], flush=True)
    return {"title": title, "across": across, "up": "microseconds a turn", "lines": lines}


def tiles(name: str) -> int:
    """Cells of a map of Demons."""
    height, width, _ = Batch("demons", {"map": name}, 1, threads=1).layout.parts[0].shape
    return height * width


def games() -> dict[str, Any]:
    sizes = (1, 8, 64, 512, 4096)
    cases: dict[str, list[Any]] = {
        "Demons": [(n, "demons", {"map": "long-march"}, n) for n in sizes],
        "Monarchs": [(n, "monarchs", {}, n) for n in sizes],
    }
    return chart("Games of a batch", "games", cases) | {"logarithmic": True}


def demons() -> dict[str, Any]:
    maps = sorted((tiles(name), name) for name in MAPS)
    return chart("Maps of Demons", "squares", {"Demons": [(n, "demons", {"map": name}, 512) for n, name in maps]})


def monad() -> dict[str, Any]:
    sizes = [(n * n, "monad", {"map": "random", "size": f"{n}x{n}", "units": 60}, 128) for n in (8, 12, 16, 20)]
    return chart("Maps of Monad (60 units)", "squares", {"Monad": sizes})


def units() -> dict[str, Any]:
    counts = [(n, "monad", {"units": n}, 128) for n in (5, 20, 40, 60, 100)]
    return chart("Units of Monad (20x20)", "units", {"Monad": counts})


def boards() -> dict[str, Any]:
    counts = [(n, "minions", {"boards": n}, 64) for n in (1, 2, 3, 5, 8)]
    return chart("Boards of Minions", "boards", {"Minions": counts})


CHARTS = {"games": games, "demons": demons, "monad": monad, "units": units, "boards": boards}


def main() -> None:
    parser = argparse.ArgumentParser(description="What a turn of a batch costs.")
    parser.add_argument("charts", nargs="*", metavar="CHART", help=f"some of {', '.join(CHARTS)}. Default: all.")
    parser.add_argument("--out", type=Path, default=Path("out/costs.json"))
    given = parser.parse_args()
    found = [CHARTS[name]() for name in given.charts or CHARTS]
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
