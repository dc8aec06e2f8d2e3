"""Grows an exploiter: `python -m benchmarks.grow demons --against steward keeper --rules classic --seconds 600`.

Searches the traits of a script for those that do best in whole games against other scripts (by name, those of the
playouts; by default all that have traits). Prints them as they are found; `partners.py` keeps the best.

With `--hunt 0.7`, so much of the time goes into games against `champion` itself, which has 5 ms a turn there (or
`--step`): rows that did well against scripts are changed further, and those stay that win against it. In Minions, where
scripts have no traits, what `captain` values boards by is changed, and all of the time is a hunt.

With `--lacking bold`, a row is worth what it wins above the best of all scripts but this one, mostly from those seats
and against those scripts where they win least: that is how scripts were grown for `champion` to choose from.

With `--worst`, a row is worth half of its mean from each seat, and half of what it wins there against the script that
does best against it: that is how the first rows of `champion` of Demons were grown.

With `--champion 6`, the three best play so many games against `champion` at the end, with the same clock, from starts
that they have not seen: a script that beats scripts need not beat the one who chooses among them.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

import numpy as np
from benchmarks.hunting import Hunt, Row
from benchmarks.league import fixtures, maps_of, play
from benchmarks.partners import guest_of, kit_of, rows_of

from polemos.cli.common import load
from polemos.kernel.log import SILENT
from polemos.kernel.playouts import SCRIPTED, WHOLE, Playouts, Trial
from polemos.kernel.record import many


class Ground:
    """Games from one starting position, in which one script, the first, has the traits that are tried."""

    def __init__(self, kit: Playouts, state: Any, steps: int, script: int = 0) -> None:
        self._kit, self._steps, self._script = kit, steps, script
        self._tops: Any = None
        self._states, self._desk = many(kit.state, 1), kit.desk()
        self._states[0] = state
        self._seats = kit.seats(state)

    def play(self, row: Row, foes: list[int], luck: int) -> float:
        """The mean share, of 1 for each game won, from all seats; an even share is 1 / seats."""
        return float(self._shares(row, self._script, foes, luck).mean())

    def steady(self, row: Row, foes: list[int], luck: int) -> float:
        """The mean over all foes and the worst of them, half and half, from all seats."""
        shares = self._shares(row, self._script, foes, luck)
        return float((shares.mean(axis=0) / 2 + shares.min(axis=0) / 2).mean())

    def added(self, row: Row, foes: list[int], luck: int) -> float:
        """What the row wins above the best of the other scripts, where these win least."""
        if self._tops is None:
            others = [script for script in range(len(self._kit.scripts)) if script != self._script]
            self._tops = np.max([self._shares((), script, foes, luck) for script in others], axis=0)
        shares = self._shares(row, self._script, foes, luck)
        weights = np.exp(-4 * self._tops)
        gains = (weights * np.maximum(0, shares - self._tops)).sum(axis=0) / weights.sum(axis=0)
        return float(gains.mean() + shares.mean() / 50)  # among rows that add nothing, the better one is nearer to it

    def _shares(self, row: Row, script: int, foes: list[int], luck: int) -> Any:
        """By foe and seat."""
        kit = self._kit
        assert kit.set_traits is not None
        if row:
            kit.set_traits(self._states[0], self._desk, script, row)
        trials = many(Trial, self._seats * len(foes))
        numbers = trials.numbers()
        numbers["sheet"], numbers["steps"] = SCRIPTED, self._steps
        for i in range(len(trials)):
            seat = i % self._seats
            numbers["key"][i], numbers["script"][i] = luck + i // self._seats + 1, foes[i // self._seats]
            numbers["script"][i][seat] = script
        kit.play(self._states, many(kit.sheet, 1), trials, 0, len(trials), SILENT, self._desk)
        shares = np.array([numbers["value"][i][i % self._seats] for i in range(len(trials))], float) / WHOLE
        return shares.reshape(len(foes), self._seats)


def changed(row: Row, others: list[Row], chance: random.Random) -> Row:
    """A child: traits of two parents, or of one with a few numbers changed."""
    found = list(row)
    if len(others) > 1 and chance.random() < 0.3:
        return tuple(chance.choice(pair) for pair in zip(row, chance.choice(others), strict=True))
    for _ in range(chance.choice((1, 1, 2, 3))):
        at = chance.randrange(len(found))
        value = found[at]
        found[at] = chance.choice(
            (0, value // 2, value * 3 // 4, value - 1, value + 1, value * 4 // 3, value * 2, chance.choice(others)[at])
        )
    return tuple(max(-200, min(1 << 30, value)) for value in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--against", nargs="*", default=[])
    parser.add_argument("--rules", default="")
    parser.add_argument("--maps", type=int, default=6)
    parser.add_argument("--steps", type=int, default=0, help="games are judged after so many; 0: played to their end")
    parser.add_argument("--seconds", type=float, default=600.0, help="of CPU time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lacking", default="", help="instead of this script one that wins where the others lose")
    parser.add_argument("--worst", action="store_true", help="the script that does best against a row counts half")
    parser.add_argument("--hunt", type=float, default=0.0, help="part of the time that goes into beating champion")
    parser.add_argument("--champion", type=int, default=0, help="games of the three best against champion")
    parser.add_argument("--step", type=float, default=0.005, help="its seconds a step")
    chosen = parser.parse_args()
    game, chance = load(chosen.game), random.Random(chosen.seed)
    maps = chance.sample(maps_of(game), min(chosen.maps, len(maps_of(game))))
    options = [{**one, "rules": chosen.rules} if chosen.rules else one for one in maps]
    kit = kit_of(game)
    if kit is not None:
        best = grown(game, kit, options, chosen, chance)
    elif rows := rows_of(game):
        best = [(0.0, row) for row in rows.values()]
        chosen.hunt = 1.0
    else:
        parser.error(f"{game.title} has nothing that could be changed, so nothing can be grown.")
    clock = {"bank": 80 * chosen.step, "step": chosen.step}
    if chosen.hunt:
        best = hunted(game, kit, options, clock, best, chosen.seconds, chance)
    for value, row in best[:3] if chosen.champion else ():
        ahead = [one | clock for one in fixtures(game, "champion", ["grown"], chosen.champion, options)]
        guest = {"grown": guest_of(game, row)}
        won = chosen.champion - sum(play(game, fixture, guest)["points"] for fixture in ahead)
        print(f"{value:.1%} before, {won:g} of {chosen.champion} of champion: {row}", flush=True)


def grown(game: Any, kit: Playouts, options: list[Any], chosen: Any, chance: random.Random) -> list[tuple[float, Row]]:
    """The best rows against scripts, with their values, the best first."""
    script = kit.scripts.index(chosen.lacking) if chosen.lacking else 0
    foes = [kit.scripts.index(name) for name in chosen.against] or list(range(len(kit.scripts)))
    foes = [foe for foe in foes if foe != script]
    grounds = [Ground(kit, game.setup(one, 1), chosen.steps, script) for one in options]

    def worth(row: Row, luck: int) -> float:
        if chosen.lacking:
            return sum(ground.added(row, foes, 0) for ground in grounds) / len(grounds)
        if chosen.worst:
            return sum(ground.steady(row, foes, luck) for ground in grounds) / len(grounds)
        return sum(ground.play(row, foes, luck) for ground in grounds) / len(grounds)

    best = [(worth(row, 0), row) for row in rows_of(game).values()]
    tried = 0
    while time.process_time() < chosen.seconds * (1 - chosen.hunt):
        best = sorted(best, reverse=True)[:6]
        row = changed(chance.choice(best[:3])[1], [row for _, row in best], chance)
        if any(row == known for _, known in best) or not is_sound(kit, row):
            continue
        tried += 1
        value = worth(row, 0)
        if value > best[-1][0]:
            value = (value + worth(row, 1000)) / 2
            best.append((value, row))
            if value > best[0][0]:
                traits = ", ".join(f"{name}={number}" for name, number in zip(kit.traits, row, strict=True))
                print(f"{time.process_time():5.0f} s, {tried} tried: {value:.1%} with {traits}", flush=True)
    return sorted(best, reverse=True)


def hunted(
    game: Any,
    kit: Playouts | None,
    options: list[Any],
    clock: dict[str, float],
    best: list[tuple[float, Row]],
    seconds: float,
    chance: random.Random,
) -> list[tuple[float, Row]]:
    """The rows that have done best against `champion`, with what they won, the best first."""
    hunt = Hunt(game, lambda row: guest_of(game, row), options, clock, {row: value for value, row in best}, chance)
    for _, row in best[:8]:
        hunt.play(row)

    def child(row: Row, others: list[Row]) -> Row | None:
        found = changed(row, others, chance)
        return found if kit is None or is_sound(kit, found) else None

    leader: Row = ()
    while time.process_time() < seconds:
        hunt.go_on(child)
        if (row := hunt.best()[0]) != leader:
            leader, games = row, sum(map(len, hunt.points.values()))
            won = f"{sum(hunt.points[row]):g} of {len(hunt.points[row])}"
            print(f"{time.process_time():5.0f} s, {games} games: {won} of champion with {row}", flush=True)
    return [(hunt.value(row), row) for row in hunt.best()]


def is_sound(kit: Playouts, row: Row) -> bool:
    """Some traits divide."""
    divisors = {"every", "more", "attack", "turns"}
    return all(value > 0 for name, value in zip(kit.traits, row, strict=True) if name in divisors) and all(
        value in (0, 1, 2) for name, value in zip(kit.traits, row, strict=True) if name == "kind"
    )


if __name__ == "__main__":
    main()
