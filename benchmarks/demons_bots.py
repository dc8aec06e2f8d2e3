"""How well `keeper` does against the other bots of Demons on all included maps: `python benchmarks/demons_bots.py`.

Eight games on each map, colours swapped; identical games count once.
"""

from __future__ import annotations

from polemos.arena.games import Result, run, tally, tasks
from polemos.cli.common import load
from polemos.games.demons.ground import shipped

GAMES = 8


def main() -> None:
    game = load("demons")
    for other in ("random", "economist", "rusher"):
        wins = losses = draws = distinct = 0
        lengths: list[int] = []
        for name in shipped():
            work = tasks(game, ("keeper", other), GAMES, f"bench {name}", {"map": name}, None)

            def note(result: Result) -> None:
                lengths.append(result.steps)  # noqa: B023 - used before the next turn of the loop

            table = tally(game.facts.seats, ("keeper", other), run(work, None, note))
            wins, losses, draws = wins + table.wins[0], losses + table.losses[0], draws + table.draws
            distinct += table.distinct
        lengths.sort()
        print(
            f"keeper against {other}: {wins} won, {draws} drawn, {losses} lost of {distinct} distinct games;", end=" "
        )
        print(f"turns {lengths[0]} to {lengths[-1]}, median {lengths[len(lengths) // 2]}")


if __name__ == "__main__":
    main()
