"""Does each level of Monad beat the one below? `python -m benchmarks.monad_levels --games 200`.

The same players as in `levels.py`, on the same maps from all seats, but sheets go straight into the compiled rules: no
views, no checks and no lines in between, so 200 games take a minute instead of hours. Levels that stay at home play
2000 turns. `champion` is not among them; it needs a clock.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, Final

from benchmarks.league import interval, maps_of
from msgspec.structs import replace

from polemos.cli.common import load
from polemos.games.monad.bots.champion import SETTINGS
from polemos.games.monad.bots.levels import HELD
from polemos.games.monad.playouts import PLAYOUTS
from polemos.games.monad.rules.playouts import Desk, Sheet
from polemos.games.monad.state import SEATS, State
from polemos.kernel.dice import number
from polemos.kernel.log import SILENT
from polemos.kernel.playouts import SCRIPTED, WHOLE, Trial
from polemos.kernel.record import Many, many
from polemos.search.levels import Level, LevelPlayer


class Direct:
    """Beliefs of a player who is handed the state itself."""

    def __init__(self, setting: Any, seat: str, seed: int) -> None:
        self._now: Many[State] = many(State, 1)

    def see(self, view: Any, seconds: float = 0.0) -> None:
        self._now[0] = view

    def gave(self, orders: Sequence[Any]) -> None:
        pass

    def states(self, count: int, key: int) -> Many[State]:
        return self._now


KIT: Final = replace(PLAYOUTS, beliefs=Direct, orders=lambda state, seat, sheet: sheet)


def play(game: Any, options: dict[str, Any], seed: int, seat: int, high: Level, low: Level) -> float:
    """The points of one of the higher level against others of the lower."""
    states, sheets, trials, desk = many(State, 1), many(Sheet, len(SEATS)), many(Trial, 1), Desk()
    states[0] = game.setup(options, f"league {seed}")
    seats = states[0].seats
    players = [
        LevelPlayer(KIT, None, name, at, number(seed, name), high if at == seat else low, SETTINGS)
        for at, name in enumerate(SEATS[:seats])
    ]
    trial = trials[0]
    trial.steps, trial.key = 1, 1
    while not trial.over:
        for at, player in enumerate(players):
            sheet: Any = player.orders(states[0])
            sheets[at] = sheet
        for at in range(len(SEATS)):
            trial.sheet[at] = at if at < seats else SCRIPTED
        PLAYOUTS.play(states, sheets, trials, 0, 1, SILENT, desk)
        states[0] = desk.state
    return trial.value[seat] / WHOLE


def fixtures(game: Any, maps: Sequence[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], int, int]]:
    """Options, seed and seat of one game after another."""
    seed = 0
    while True:
        options = maps[seed % len(maps)]
        for seat in range(len(game.seats(game.setup(options, f"league {seed}")))):
            yield options, seed, seat
        seed += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=70, help="for each pair of levels; 35 are all maps once")
    parser.add_argument("--without", nargs="*", default=[], help="maps to leave out")
    given = parser.parse_args()
    game = load("monad")
    maps = [options for options in maps_of(game) if options["map"] not in given.without]
    print("| | | points | 95 % interval | seconds |\n| --- | --- | --- | --- | --- |")
    for (lower, low), (higher, high) in pairwise(HELD.items()):
        began = time.process_time()
        found = [play(game, *fixture, high, low) for fixture in islice(fixtures(game, maps), given.games)]
        least, most = interval(sum(found), len(found))
        seconds = time.process_time() - began
        points = f"{sum(found):g} of {len(found)} | {least:.0%} to {most:.0%}"
        print(f"| {higher} | {lower} | {points} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
