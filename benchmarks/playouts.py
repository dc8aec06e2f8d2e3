"""Whole playouts by scripts a second on one core: `python benchmarks/playouts.py [GAME ...]`.

From the beginning of a game to its end, or cut off after so many steps, with one script in all seats;
times are CPU time of the thread.
"""

from __future__ import annotations

import sys
import time
from importlib import import_module
from itertools import product
from typing import Any, Final

from polemos import registry
from polemos.kernel.log import SILENT
from polemos.kernel.playouts import SCRIPTED, Playouts, Trial
from polemos.kernel.record import many

OPTIONS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "demons": ({"map": "twin-gates"}, {"map": "long-march"}, {"map": "pinwheel", "rules": "finals-2025"}),
    "monarchs": ({},),
    "monad": ({"map": "quarry"}, {"map": "crossing"}, {"map": "crown"}),
}
SCRIPTS: Final = {  # otherwise the first one
    "monad": ("settler", "lord"),
    "monarchs": ("watchman", "steady", "marshal"),
}
CUTS: Final = {"monarchs": (0, 3)}  # 0: whole games
USUAL_CUTS: Final = (0, 60, 30, 10)
SECONDS: Final = 1.0  # of each measurement


def rate(kit: Playouts, start: Any, script: int, steps: int) -> tuple[float, float, float]:
    """Playouts a second, steps of a playout, and which part of them came to an end."""
    states, sheets, trials, desk = many(kit.state, 1), many(kit.sheet, 1), many(Trial, 4), kit.desk()
    states[0] = start
    seconds, played, made, over = 0.0, 0, 0, 0
    while seconds < SECONDS:
        for i in range(len(trials)):
            trial = trials[i]
            trial.key, trial.steps = made + i + 1, steps
            for seat in range(len(trial.sheet)):
                trial.sheet[seat], trial.script[seat] = SCRIPTED, script
        began = time.thread_time()
        kit.play(states, sheets, trials, 0, len(trials), SILENT, desk)
        if made:  # not the first time, which may compile
            seconds += time.thread_time() - began
            played += sum(trials[i].played for i in range(len(trials)))
            over += sum(trials[i].over for i in range(len(trials)))
        made += len(trials)
    counted = made - len(trials)
    return counted / seconds, played / counted, over / counted


def main() -> None:
    print("| game | script | cut off after | playouts a second | steps of a playout | came to an end |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in sys.argv[1:] or list(OPTIONS):
        game = registry.load(name)
        kit: Playouts = import_module(f"polemos.games.{name}.playouts").PLAYOUTS
        for options, script, steps in product(
            OPTIONS.get(name, ({},)), SCRIPTS.get(name, kit.scripts[:1]), CUTS.get(name, USUAL_CUTS)
        ):
            made, played, over = rate(kit, game.setup(options, 0), kit.scripts.index(script), steps)
            words = ", ".join([name, *(f"{key}={value}" for key, value in options.items())])
            print(f"| {words} | {script} | {steps or 'never'} | {made:,.0f} | {played:.0f} | {over:.0%} |", flush=True)


if __name__ == "__main__":
    main()
