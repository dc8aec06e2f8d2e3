"""A league that can be stopped and resumed: `python -m benchmarks.league demons champion`.

Every game is one line of a file (`--file`, by default `league-GAME.jsonl` in the folder for temporary files), and is
not played again; the table of what has been played so far is printed at the end, or at once with `--table`. The others
are all our bots, the sparring partners of `partners.py` and the pupil of `advice.py`, unless some are named. All
shipped maps are taken in turn, then fifty drawn ones (or `--drawn`), under all rule sets (or those of `--rules`), and
each start is played from all seats. Without `--games`, that is done once; with it, there are so many games against each
of the others, so that the first ones are a fair part. In games of more than two, all others are of one kind.

Bots have the ladder's clock: `--bank` seconds of CPU time, and `--step` more for each answer. A bot whose clock runs
out plays on; the table says how often that happened. `--workers` plays several games at once.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from importlib import import_module, resources
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from benchmarks.advice import pupils_of
from benchmarks.partners import partners_of

from polemos.cli.common import load
from polemos.kernel.dice import chance_of, derive, number
from polemos.kernel.log import Log
from polemos.kernel.rooms import built_in, levels_of, package_of

RULES = {"demons": ("classic", "finals-2025")}
NOBODY: Final[dict[str, Any]] = {}
DRAWN: Final[dict[str, list[dict[str, Any]]]] = {
    "demons": [{"map": "random"}],
    "monad": [{"map": "random"}],
    "minions": [{"boards": boards, "maps": "random"} for boards in range(1, 9)],
}


def makers_of(game: Any) -> dict[str, Any]:
    """Our bots, the levels, the champion, the sparring partners and the pupil."""
    return {**built_in(game), **partners_of(game), **pupils_of(game)}


def maps_of(game: Any) -> list[dict[str, Any]]:
    """The shipped maps as options; of a game without maps, its defaults. Those of Minions are played on one board each,
    and together on two to eight."""
    if game.name == "minions":
        names = import_module(f"{package_of(game)}.maps").BASIC
        alone = [{"boards": 1, "maps": name} for name in names]
        together = [
            {"boards": boards, "maps": ",".join((names * 3)[boards - 2 : 2 * boards - 2])} for boards in range(2, 9)
        ]
        return [one for pair in zip(alone, together, strict=False) for one in pair] + together[len(alone) :]
    try:
        folder = resources.files(package_of(game)) / "data" / "maps"
        return [{"map": file.name[:-4]} for file in sorted(folder.iterdir(), key=str) if file.name.endswith(".map")]
    except FileNotFoundError:
        return [{}]


def settings_of(game: Any, rules: tuple[str, ...], drawn: int) -> list[dict[str, Any]]:
    """The options that are played in turn. Drawn maps differ by the seeds of their games."""
    found: list[dict[str, Any]] = []
    for options in maps_of(game) + [one for _ in range(drawn) for one in DRAWN.get(game.name, ())]:
        found += [{**options, "rules": one} for one in rules] or [options]
    return found


def fixtures(
    game: Any, bot: str, others: Sequence[str], games: int | None, options: Sequence[dict[str, Any]]
) -> Iterator[Any]:
    """The games, so that the first ones say something about every opponent. Each start is played from all seats.

    Without a number of games, all options are played once.
    """
    at, seed = 0, 0
    while seed < len(options) if games is None else at < games:
        chosen = options[seed % len(options)]
        seats = len(game.seats(game.setup(chosen, f"league {seed}")))
        for seat in range(seats if games is None else min(seats, games - at)):
            for other in others:
                yield {"bot": bot, "other": other, "seat": seat, "options": chosen, "seed": seed}
        at += seats
        seed += 1


def play(game: Any, fixture: dict[str, Any], guests: Mapping[str, Any] = NOBODY) -> dict[str, Any]:
    """One game; who won, and the CPU time of the bot that is measured. Guests are makers of bots, by name."""
    seed = f"league {fixture['seed']}"
    state, chance, log = game.setup(fixture["options"], seed), chance_of(derive(seed, "chance")), Log()
    setting, makers = game.setting(state), {**makers_of(game), **guests}
    seats = game.seats(state)
    me = seats[fixture["seat"]]
    clocks = dict.fromkeys(seats, float(fixture["bank"]))
    bots = {
        seat: makers[fixture["bot" if seat == me else "other"]](setting, seat, number(seed, seat)) for seat in seats
    }
    total, most, least, steps, asked = 0.0, 0.0, clocks[me], 0, 0
    while (outcome := game.outcome(state)) is None:
        sheets = {}
        for seat in game.to_act(state):
            view = game.observe(state, seat)
            began = time.thread_time()
            lines = bots[seat].orders(view, clocks[seat])
            used = time.thread_time() - began
            clocks[seat] += fixture["step"] - used
            if seat == me:
                total, most, asked = total + used, max(most, used), asked + 1
                least = min(least, clocks[me] - fixture["step"])
            sheets[seat] = game.check(state, seat, lines)
        game.resolve(state, sheets, chance, log)
        steps += 1
    return {
        "points": outcome.points[me],
        "reason": outcome.reason,
        "steps": steps,
        "ms": round(1000 * total / max(1, asked), 2),
        "most": round(1000 * most),
        "left": round(least, 2),
    }


def interval(points: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval; a draw counts half."""
    z, p = 1.96, points / games
    middle, half = p + z * z / (2 * games), z * sqrt(p * (1 - p) / games + z * z / (4 * games * games))
    return (middle - half) / (1 + z * z / games), (middle + half) / (1 + z * z / games)


class Played:
    """The games of a file. Several leagues can share one: whatever belongs to none of theirs is left alone."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._done: dict[str, dict[str, Any]] = {}
        for line in file.read_text().splitlines() if file.exists() else ():
            with suppress(ValueError, KeyError):  # the last line of a league that was killed while it wrote
                row = json.loads(line)
                self._done[_key(row["fixture"])] = row["result"]

    def known(self, fixture: dict[str, Any]) -> dict[str, Any] | None:
        return self._done.get(_key(fixture))

    def add(self, fixture: dict[str, Any], result: dict[str, Any]) -> None:
        self._done[_key(fixture)] = result
        with self._file.open("a") as out:
            out.write(json.dumps({"fixture": fixture, "result": result}) + "\n")

    def result(self, game: Any, fixture: dict[str, Any]) -> dict[str, Any]:
        """What came of a game, which is played if it hasn't been."""
        if (found := self.known(fixture)) is None:
            found = play(game, fixture)
            self.add(fixture, found)
        return found

    def play_all(self, game: Any, all_of_them: Iterable[dict[str, Any]], workers: int) -> None:
        """Plays what has not been played, several at once if there are workers."""
        missing = [fixture for fixture in all_of_them if self.known(fixture) is None]
        if workers < 2:
            for fixture in missing:
                self.result(game, fixture)
            return
        with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
            ahead = {pool.submit(_play, game.name, fixture): fixture for fixture in missing}
            for done in as_completed(ahead):
                self.add(ahead[done], done.result())


def _play(name: str, fixture: dict[str, Any]) -> dict[str, Any]:
    return play(load(name), fixture)


def _key(fixture: dict[str, Any]) -> str:
    return json.dumps(fixture, sort_keys=True)


def table(game: Any, bot: str, rows: Iterable[tuple[dict[str, Any], dict[str, Any]]]) -> Iterator[str]:
    """A table of games, as lines: by opponent, and by rule set or number of seats where there are several."""
    results: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for fixture, result in rows:
        seats = (
            len(game.seats(game.setup(fixture["options"], f"league {fixture['seed']}"))) if game.name == "monad" else 0
        )
        about = fixture["options"].get("rules") or (f"{seats} seats" if seats else "")
        results.setdefault((fixture["other"], about), []).append(result)
    yield f"| {bot} against | | points | 95 % interval | ms a step | longest ms | clock ran out |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for (other, about), found in results.items():
        points = sum(row["points"] for row in found)
        low, high = interval(points, len(found))
        pace, most = sum(row["ms"] for row in found) / len(found), max(row["most"] for row in found)
        late = sum(row["left"] < 0 for row in found)
        won = f"{points:g} of {len(found)} | {low:.0%} to {high:.0%}"
        yield f"| {other} | {about} | {won} | {pace:.0f} | {most} | {late} |"


def others_of(game: Any, bot: str) -> list[str]:
    """Everyone in the league but the levels, which are weaker copies."""
    return [name for name in makers_of(game) if name not in (bot, "random", *levels_of(game))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("bot")
    parser.add_argument("others", nargs="*")
    parser.add_argument("--games", type=int, help="against each opponent, under all rule sets together")
    parser.add_argument("--rules", action="append", help="one rule set only; can be said again")
    parser.add_argument("--drawn", type=int, default=50, help="drawn maps beside the shipped ones")
    parser.add_argument("--bank", type=float, default=10.0)
    parser.add_argument("--step", type=float, default=0.05)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--workers", type=int, default=1, help="games that are played at once")
    parser.add_argument("--table", action="store_true", help="play nothing")
    chosen = parser.parse_args()
    game = load(chosen.game)
    rules = tuple(chosen.rules or RULES.get(game.name, ()))
    others = chosen.others or others_of(game, chosen.bot)
    for name in (chosen.bot, *others):
        if name not in makers_of(game):
            parser.error(f"{name} isn't in the league. Choose from {', '.join(makers_of(game))}.")
    played = Played(chosen.file or Path(tempfile.gettempdir()) / f"league-{game.name}.jsonl")
    ahead = [
        fixture | {"bank": chosen.bank, "step": chosen.step}
        for fixture in fixtures(game, chosen.bot, others, chosen.games, settings_of(game, rules, chosen.drawn))
    ]
    try:
        if not chosen.table:
            played.play_all(game, ahead, chosen.workers)
    except KeyboardInterrupt:
        print("Stopped. The same command goes on.")
    known = [(fixture, result) for fixture in ahead if (result := played.known(fixture)) is not None]
    print("\n".join(table(game, chosen.bot, known)))


if __name__ == "__main__":
    main()
