"""How many units is a building of Monad worth? `python -m benchmarks.monad_worth crown pinwheel 4x20x20 --games 80`.

Scripts, drawn for each seat, play so many turns, and then on to the end with other luck. A position says how likely
each seat is to win: by its share of all units, stock and buildings, raised to the power that fits best. The table has
the log loss for several prices of a building, and for the price that `champion` reckons with. A map is one of the
shipped ones, or `SEATSxWIDTHxHEIGHT` for drawn ones.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from polemos.cli.common import load
from polemos.games.monad.bots.portfolio import STOCK, units_for
from polemos.games.monad.playouts import PLAYOUTS
from polemos.games.monad.rules.playouts import Desk, Sheet
from polemos.games.monad.state import State
from polemos.kernel.dice import number
from polemos.kernel.log import SILENT
from polemos.kernel.playouts import SCRIPTED, WHOLE, Trial
from polemos.kernel.record import many
from polemos.search.player import load as compile_scripts

TURNS: Final = (60, 80, 100, 120, 140, 170, 200, 250)
PRICES: Final = (3, 10, 40, 160, 1000)
POWERS: Final = (0.5, 1, 1.5, 2, 3, 4, 6, 8)
SCRIPTS: Final = ("settler", "pioneer", "baron", "margrave", "reeve", "lord")
SURE: Final = 0.02  # of all likelihood goes to everybody alike: nothing is impossible

Price = Callable[["Position"], float]


class Position(NamedTuple):
    units: Any
    buildings: Any
    stock: Any
    ore: int
    won: Any  # the share of each seat in the end


def options_of(name: str) -> dict[str, Any]:
    seats, _, size = name.partition("x")
    return {"map": "random", "seats": int(seats), "size": size} if seats.isdigit() else {"map": name}


def positions(game: Any, name: str, turns: int, games: int) -> list[Position]:
    """What came of the positions after so many turns; games that were over by then are left out."""
    desk, states, sheets, trials, found = Desk(), many(State, 1), many(Sheet, 1), many(Trial, 1), []
    trial = trials[0]
    trials.numbers()["sheet"] = SCRIPTED
    for each in range(games):
        states[0] = game.setup(options_of(name), f"{name} {turns} {each}")
        seats = states[0].seats
        for seat in range(seats):
            script = SCRIPTS[number(name, turns, each, seat) % len(SCRIPTS)]
            trial.script[seat] = PLAYOUTS.scripts.index(script)
        trial.key, trial.steps = number(name, each), turns
        PLAYOUTS.play(states, sheets, trials, 0, 1, SILENT, desk)
        if trial.over:
            continue
        states[0] = desk.state
        at = states.numbers()[0]
        units, buildings, stock = (at[field][:seats].astype(float) for field in ("units", "buildings", "stock"))
        ore = int(at["cell"]["ore"][: states[0].width * states[0].height].sum())
        trial.key, trial.steps = number(name, each, "on"), int(states[0].turns)
        PLAYOUTS.play(states, sheets, trials, 0, 1, SILENT, desk)
        won = np.array([trial.value[seat] / WHOLE for seat in range(seats)])
        found.append(Position(units, buildings, stock, ore, won))
    return found


def loss(found: list[Position], price: Price) -> float:
    """The log loss, with the power that fits best."""
    worth = [np.maximum(1e-3, at.units + price(at) * at.buildings + at.stock / STOCK) for at in found]
    losses = []
    for power in POWERS:
        likely = [(1 - SURE) * one**power / (one**power).sum() + SURE / len(one) for one in worth]
        losses.append(-sum(float(at.won @ np.log(p)) for at, p in zip(found, likely, strict=True)) / len(found))
    return min(losses)


def always(price: float) -> Price:
    return lambda at: price


def used(at: Position) -> float:
    """The price that `champion` reckons with."""
    return units_for(len(at.units), at.ore, int(at.units.sum()), int(at.buildings.sum()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("maps", nargs="+")
    parser.add_argument("--games", type=int, default=80, help="on each map, for each number of turns")
    asked = parser.parse_args()
    game = load("monad")
    compile_scripts(PLAYOUTS)
    print("| turns | positions | units for each building | " + " | ".join(map(str, PRICES)) + " | champion's |")
    print("|" + " --- |" * (len(PRICES) + 4))
    for turns in TURNS:
        found = [at for name in asked.maps for at in positions(game, name, turns, asked.games)]
        if found:
            each = sum(at.units.sum() for at in found) / max(1, sum(at.buildings.sum() for at in found))
            losses = [loss(found, always(price)) for price in PRICES]
            row = [f"{turns}", f"{len(found)}", f"{each:.0f}", *(f"{one:.3f}" for one in (*losses, loss(found, used)))]
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
