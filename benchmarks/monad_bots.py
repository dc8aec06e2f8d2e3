"""How well `overlord` does against the other bots of Monad on all two-player maps: `python benchmarks/monad_bots.py`.

Plays both seatings on each map, on all cores, until there are a hundred distinct games of each pairing.
"""

from __future__ import annotations

import sys
from itertools import chain, count

import msgspec

from polemos.arena.games import Result, run, tally, tasks
from polemos.cli.common import load
from polemos.games.monad.ground import load as ground
from polemos.games.monad.ground import shipped
from polemos.kernel.rooms import bots_of

STRONG = "overlord"
WANTED = 100  # distinct games of a pairing
ROUNDS = 20  # at most; a round is two games on every map


def main() -> None:
    game = load("monad")
    maps = [name for name in shipped() if ground(name).seats == 2]
    print(f"{STRONG} on {len(maps)} maps: {', '.join(maps)}\n")
    print(f"{'against':12}{'games':>6}{'won':>6}{'drawn':>6}{'lost':>6}   turns (min, median, max)      void lines")
    for other in sys.argv[1:] or [name for name in bots_of(game) if name != STRONG]:
        bots = (STRONG, other)
        distinct: dict[str, Result] = {}
        rounds = count()
        while len(distinct) < WANTED:
            now = [next(rounds) for _ in range(1 if distinct else WANTED // (2 * len(maps)))] or [next(rounds)]
            if now[-1] >= ROUNDS:
                break
            work = chain.from_iterable(
                tasks(game, bots, 2, f"bench {name} {number}", {"map": name}, None) for number in now for name in maps
            )
            numbered = [msgspec.structs.replace(task, number=number) for number, task in enumerate(work)]
            for result in run(numbered, None, lambda result: None):
                distinct.setdefault(result.fingerprint, result)
        results = list(distinct.values())[:WANTED]
        table = tally(game.facts.seats[:2], bots, results)
        turns = sorted(result.steps for result in results)
        print(
            f"{other:12}{table.distinct:6}{table.wins[0]:6}{table.draws:6}{table.losses[0]:6}   "
            f"{turns[0]:>5}, {turns[len(turns) // 2]:>5}, {turns[-1]:>5}            {sum(table.void_lines):>10}",
            flush=True,
        )
    print("\nCommand: python benchmarks/monad_bots.py")


if __name__ == "__main__":
    main()
