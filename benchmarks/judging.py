"""What a learned judgement is worth: champions that cut their playouts off against champions that do not.

    python -m benchmarks.judging demons --horizon 40 --other whole --seconds 0.005 --games 26 --rules classic
    python -m benchmarks.judging monarchs --horizon 3 --other 8 --other-by-hand --seconds 0.1 --games 30

Both have the same CPU time for a step. `--horizon` and `--other` are the steps of a playout, or `whole`; with
`--by-hand` and `--other-by-hand` they judge as before anything was learned. In games of more than two, all others are
of the other kind. All shipped maps are taken in turn, each from all seats.
"""

from __future__ import annotations

import argparse
import time
from importlib import import_module
from typing import Any, NamedTuple

from benchmarks.league import fixtures, interval, settings_of
from msgspec.structs import replace

from polemos.cli.common import load
from polemos.kernel.dice import chance_of, derive, number
from polemos.kernel.judgement import empty, furnish
from polemos.kernel.log import Log
from polemos.kernel.rooms import package_of, playouts_of
from polemos.search.search import NEVER


class Kind(NamedTuple):
    """One way to search."""

    horizon: int
    by_hand: bool


def bot_of(game: Any, kind: Kind, seconds: float, setting: Any, seat: str, seed: int) -> Any:
    module = import_module(f"{package_of(game)}.bots.champion")
    bot = module.ChampionBot(setting, seat, seed, replace(module.SETTINGS, horizon=kind.horizon))
    bot.player.plan = lambda state, time_left: seconds
    kit, desk = playouts_of(game), bot.player.search.desk
    assert kit is not None
    assert kit.judgement is not None
    if kind.by_hand:
        empty(kit.judgement.nets(desk))
    else:
        furnish(kit.judgement, desk)
    return bot


def play(game: Any, fixture: dict[str, Any], one: Kind, other: Kind, seconds: float) -> tuple[float, float, float]:
    """The points of the first kind, and the CPU seconds that each has used for a step."""
    seed = f"judging {fixture['seed']}"
    state, chance, log = game.setup(fixture["options"], seed), chance_of(derive(seed, "chance")), Log()
    setting, seats = game.setting(state), game.seats(state)
    me = seats[fixture["seat"]]
    bots = {
        seat: bot_of(game, one if seat == me else other, seconds, setting, seat, number(seed, seat)) for seat in seats
    }
    used, asked = {True: 0.0, False: 0.0}, {True: 0, False: 0}
    while (outcome := game.outcome(state)) is None:
        sheets = {}
        for seat in game.to_act(state):
            view = game.observe(state, seat)
            began = time.thread_time()
            lines = bots[seat].orders(view, float("inf"))
            used[seat == me] += time.thread_time() - began
            asked[seat == me] += 1
            sheets[seat] = game.check(state, seat, lines)
        game.resolve(state, sheets, chance, log)
    return outcome.points[me], used[True] / max(1, asked[True]), used[False] / max(1, asked[False])


def steps(word: str) -> int:
    return NEVER if word == "whole" else int(word)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--horizon", type=steps, default=0)
    parser.add_argument("--by-hand", action="store_true")
    parser.add_argument("--other", type=steps, default=0)
    parser.add_argument("--other-by-hand", action="store_true")
    parser.add_argument("--seconds", type=float, default=0.01)
    parser.add_argument("--games", type=int, default=26)
    parser.add_argument("--rules", action="append", default=[])
    parser.add_argument("--map", action="append", default=[], help="these only; can be said again")
    chosen = parser.parse_args()
    game = load(chosen.game)
    one, other = Kind(chosen.horizon, chosen.by_hand), Kind(chosen.other, chosen.other_by_hand)
    options = settings_of(game, tuple(chosen.rules), 0)
    options = [row for row in options if not chosen.map or row.get("map") in chosen.map]
    points, games, paces = 0.0, 0, [0.0, 0.0]
    for fixture in fixtures(game, "", [""], chosen.games, options):
        won, mine, theirs = play(game, fixture, one, other, chosen.seconds)
        points, games, paces = points + won, games + 1, [paces[0] + mine, paces[1] + theirs]
        low, high = interval(points, games)
        print(
            f"{fixture['options']}, seat {fixture['seat']}: {won:g}; {points:g} of {games}, {low:.0%} to {high:.0%}; "
            f"{1000 * paces[0] / games:.1f} and {1000 * paces[1] / games:.1f} ms a step",
            flush=True,
        )


if __name__ == "__main__":
    main()
