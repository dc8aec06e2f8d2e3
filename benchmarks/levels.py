"""Does each level for people beat the one below? `python -m benchmarks.levels demons --games 200`.

It also plays those who do what the introduction advises (`advice.py`) against level 1. `--first` plays with the options
of "Play a bot now" instead of on all shipped maps. In games of three or more, one of the higher level plays against
others of the lower. Games are those of the league, without a clock: maps in turn under the usual rules, each start from
all seats, one line of a file for each game, so it can be stopped and resumed.
"""

from __future__ import annotations

import argparse
import tempfile
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

from benchmarks.advice import pupils_of
from benchmarks.league import Played, fixtures, interval, maps_of

from polemos.cli.common import load
from polemos.kernel.capabilities.presets import Presets
from polemos.kernel.game import AnyGame
from polemos.kernel.rooms import levels_of


def first_of(game: AnyGame) -> list[dict[str, Any]]:
    """What newcomers play."""
    presets = game.presets if isinstance(game, Presets) else ()
    return [dict(next((one.options for one in presets if one.first), {}))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=20, help="for each pair of levels")
    parser.add_argument("--pairs", nargs="*", help="such as level-2:level-1; otherwise all neighbours")
    parser.add_argument("--first", action="store_true", help='only with the options of "Play a bot now"')
    parser.add_argument("--file", type=Path)
    given = parser.parse_args()
    game = load(given.game)
    levels = list(levels_of(game))
    usual = [(pupil, levels[0]) for pupil in pupils_of(game)] + [(high, low) for low, high in pairwise(levels)]
    pairs = [tuple(pair.split(":")) for pair in given.pairs or ()] or usual
    played = Played(given.file or Path(tempfile.gettempdir()) / f"levels-{game.name}.jsonl")
    options = first_of(game) if given.first else maps_of(game)
    print("| | | points | 95 % interval | ms a step |\n| --- | --- | --- | --- | --- |")
    for bot, other in pairs:
        found = [
            played.result(game, fixture | {"bank": inf, "step": 0.0})
            for fixture in fixtures(game, bot, [other], given.games, options)
        ]
        points = sum(row["points"] for row in found)
        low, high = interval(points, len(found))
        pace = sum(row["ms"] for row in found) / len(found)
        print(f"| {bot} | {other} | {points:g} of {len(found)} | {low:.0%} to {high:.0%} | {pace:.1f} |", flush=True)


if __name__ == "__main__":
    main()
