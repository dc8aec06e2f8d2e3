"""The cost of the box: starts and turns of the same bot with and without it, alternating on one core.

python benchmarks/box.py
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from polemos.hosts.bundle import PYTHON, pack
from polemos.hosts.pipe import Child
from polemos.hosts.process import Launch

STARTS = 60
TURNS = 20_000
ECHO = "import sys\nfor line in sys.stdin:\n    sys.stdout.write(line)\n    sys.stdout.flush()\n"


def started(launch: Launch) -> tuple[Child, float]:
    """A program, and the seconds until its first answer."""
    began = time.perf_counter()
    child = launch.start()
    child.say(b"hello\n", child.patience(5))
    child.hear(child.patience(5), float("inf"))
    return child, time.perf_counter() - began


def main() -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(folder) / "echo.py"
        bot.write_text(ECHO)
        command = (PYTHON, str(bot))
        launches = {"plain": Launch(command), "boxed": Launch(command, bundle=pack(command))}
        starts: dict[str, list[float]] = {name: [] for name in launches}
        for _ in range(STARTS):
            for name, launch in launches.items():
                child, seconds = started(launch)
                child.close()
                starts[name].append(seconds)
        children = {name: started(launch)[0] for name, launch in launches.items()}
        turns: dict[str, list[float]] = {name: [] for name in launches}
        for _ in range(TURNS):
            for name, child in children.items():
                began = time.perf_counter()
                child.say(b"hello\n", child.patience(5))
                child.hear(child.patience(5), float("inf"))
                turns[name].append(time.perf_counter() - began)
        for child in children.values():
            child.close()
    for what, unit, scale, figures in (("start", "ms", 1e3, starts), ("turn", "us", 1e6, turns)):
        middle = {name: statistics.median(seconds) * scale for name, seconds in figures.items()}
        print(
            f"{what}: plain {middle['plain']:.1f} {unit}, boxed {middle['boxed']:.1f} {unit}, "
            f"the box costs {middle['boxed'] - middle['plain']:.1f} {unit}"
        )
    print(f"medians of {STARTS} starts and {TURNS} turns each, Python {sys.version.split()[0]} and {PYTHON}")


if __name__ == "__main__":
    main()
