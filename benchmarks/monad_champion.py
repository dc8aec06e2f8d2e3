"""How a change of Monad's `champion` does: `python -m benchmarks.monad_champion crown pinwheel 4x20x20 --games 90`.

One `champion` plays against scripts, in half of the games all of one kind, with so many seconds for each look. Sheets
go straight into the compiled rules: no views, no checks, and others who cost next to nothing, so two versions can be
compared in some hundred games. Games are chaotic: of 90 games, differences of less than ten say nothing. A map is one
of the shipped ones, or `SEATSxWIDTHxHEIGHT` for drawn ones; maps, seats and starts are taken in turn.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, Final

from benchmarks.league import interval
from benchmarks.monad_worth import options_of

from polemos.cli.common import load
from polemos.games.monad.bots.champion import rows_for
from polemos.games.monad.bots.portfolio import KEPT, SHARE, Portfolio
from polemos.games.monad.playouts import PLAYOUTS
from polemos.games.monad.rules.playouts import Desk, Sheet
from polemos.games.monad.state import SEATS, State
from polemos.kernel.dice import number
from polemos.kernel.log import SILENT
from polemos.kernel.playouts import SCRIPTED, WHOLE, Trial
from polemos.kernel.record import many
from polemos.search.player import load as compile_scripts

OTHERS: Final = ("lord", "lord", "baron", "reeve", "margrave", "settler", "pioneer", "storm", "raider")


def play(state: State, name: str, seed: int, seconds: float) -> float:
    """The points of `champion`."""
    states, sheets, trials, desk = many(State, 1), many(Sheet, 1), many(Trial, 1), Desk()
    states[0] = state
    seat, manner = seed % state.seats, number(seed, "manner")
    others = [OTHERS[number(seed, name, other) % len(OTHERS)] for other in range(state.seats)]
    if number(seed, "alike") % 2:
        others = others[:1] * state.seats
    rows = rows_for(state.seats, state.width * state.height)
    portfolio = Portfolio(seat, number(seed, "champion"), rows, manner)
    trial = trials[0]
    trial.steps, trial.key = 1, number(seed, name)
    for place in range(len(SEATS)):
        trial.sheet[place] = 0 if place == seat else SCRIPTED
    for other, script in enumerate(others):
        trial.script[other] = PLAYOUTS.scripts.index(script)
    while not trial.over:
        now = states[0]
        portfolio.look(now, KEPT + SHARE * seconds)
        PLAYOUTS.ask(now, seat, portfolio.script, manner, sheets[0], portfolio.desk)
        PLAYOUTS.play(states, sheets, trials, 0, 1, SILENT, desk)
        states[0] = desk.state
    return trial.value[seat] / WHOLE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("maps", nargs="+")
    parser.add_argument("--games", type=int, default=90)
    parser.add_argument("--first", type=int, default=0, help="the number of the first start")
    parser.add_argument("--seconds", type=float, default=0.01, help="for each look")
    given = parser.parse_args()
    compile_scripts(PLAYOUTS)
    game: Any = load("monad")
    found: dict[str, list[float]] = {}
    began = time.process_time()
    for at in range(given.games):
        name, seed = given.maps[at % len(given.maps)], given.first + at // len(given.maps)
        state = game.setup(options_of(name), f"{name} {seed}")
        found.setdefault(name, []).append(play(state, name, seed, given.seconds))
    seconds = (time.process_time() - began) / given.games
    print("| map | points | 95 % interval |\n| --- | --- | --- |")
    found["together"] = [one for points in found.values() for one in points]
    for name, points in found.items():
        low, high = interval(sum(points), len(points))
        print(f"| {name} | {sum(points):g} of {len(points)} | {low:.0%} to {high:.0%} |")
    print(f"{seconds:.1f} s a game")


if __name__ == "__main__":
    main()
