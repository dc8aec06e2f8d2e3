"""Turns a second, end to end, with bots that answer at once: `python benchmarks/bot_speed.py [GAME]`.

Compares programs (two Python processes that only use the standard library) with bots in this process; the whole match
runs on one core, with views, sheets, adjudication, digests and limits.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from polemos import registry
from polemos.hosts import specs
from polemos.kernel.match import Match
from polemos.kernel.playing import play

PROGRAM = """
import json, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "result": break
    sys.stdout.write('{"type":"ready"}\\n' if kind == "hello" else '{"type":"orders","orders":[]}\\n')
    sys.stdout.flush()
"""


class Idle:
    def orders(self, view: Any, time_left: float) -> list[object]:
        return []


def rate(game: Any, options: dict[str, Any], program: str | None) -> float:
    """The best of five matches, not counting the start of the programs."""
    best = 0.0
    for run in range(5):
        match = Match(game, options, seed=run)
        bots: dict[str, Any] = {
            seat: Idle() if program is None else specs.make(game, program, match.setting, seat, 1, seats=match.seats)
            for seat in match.seats
        }
        began = time.perf_counter()
        play(match, bots)
        best = max(best, len(match.steps) / (time.perf_counter() - began))
        specs.close(list(bots.values()), None)
    return best


def main(name: str) -> None:
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
    game = registry.load(name)
    options = {"turns": 400, **({"map": "maelstrom"} if name == "demons" else {})}
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "idle.py"
        program.write_text(PROGRAM, encoding="utf-8")
        print(f"{name}: {rate(game, options, None):,.0f} turns a second with bots in this process")
        print(f"{name}: {rate(game, options, str(program)):,.0f} turns a second with two programs")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "demons")
