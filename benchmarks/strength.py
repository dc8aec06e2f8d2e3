"""Strength against budget: `python -m benchmarks.strength demons --games 26 --chart out/strength.json`.

`champion` plays our strongest other bot with 1, 10 and 50 ms and with 1 s a step; the clock is such that it plans about
that for each, and the table says what it used. Games are those of the
league (see there) on the shipped maps, and the same file is used for all budgets, so it can be stopped and resumed.
`python benchmarks/chart.py costs out/strength.json > docs/pictures/strength.svg` draws what has been measured: one
chart for each game that was written to the same file.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any, Final

from benchmarks.league import RULES, Played, fixtures, interval, settings_of

from polemos.cli.common import load
from polemos.kernel.rooms import bots_of, playouts_of
from polemos.search.player import SHARE

BUDGETS: Final = (0.001, 0.01, 0.05, 1.0)  # seconds a step


def clock_of(game: Any, options: dict[str, Any], seconds: float) -> dict[str, float]:
    """A clock with which a bot that searches plans so much for each step: see `Player.plan`.

    Of a long match, a step gets a fixed part of what is left, which settles down to what each step adds. A short one
    has all of its time at the beginning.
    """
    kit = playouts_of(game)
    left = SHARE if kit is None else kit.steps_left(game.setup(options, 0)) + 2
    return {"bank": seconds * left, "step": 0.0} if left < SHARE else {"bank": seconds * SHARE, "step": seconds}


def measured(game: Any, played: Played, other: str, rules: str, games: int, most: float) -> list[dict[str, float]]:
    """For each budget: milliseconds planned and used, games, points, and the interval of the share."""
    found = []
    for seconds in BUDGETS:
        if seconds > most:
            break
        rows = [
            played.result(game, fixture | clock_of(game, fixture["options"], seconds))
            for fixture in fixtures(game, "champion", [other], games, settings_of(game, (rules,) if rules else (), 0))
        ]
        points = sum(row["points"] for row in rows)
        low, high = interval(points, len(rows))
        used = sum(row["ms"] for row in rows) / len(rows)
        found.append(
            {"ms": 1000 * seconds, "used": used, "games": len(rows), "points": points, "low": low, "high": high}
        )
        print(
            f"| {game.name} {rules} | {1000 * seconds:g} | {used:.1f} | {points:g} of {len(rows)} "
            f"| {low:.0%} to {high:.0%} |",
            flush=True,
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--other", help="instead of our strongest other bot")
    parser.add_argument("--games", type=int, default=26, help="for each budget and rule set")
    parser.add_argument("--most", type=float, default=1.0, help="seconds a step: no larger budgets than this")
    parser.add_argument("--file", type=Path)
    parser.add_argument("--chart", type=Path, help="add what was measured to this file")
    chosen = parser.parse_args()
    game = load(chosen.game)
    other = chosen.other or list(bots_of(game))[-1]
    played = Played(chosen.file or Path(tempfile.gettempdir()) / f"league-{game.name}.jsonl")
    print("| | ms a step | used | points | 95 % interval |\n| --- | --- | --- | --- | --- |")
    lines = {}
    for rules in RULES.get(game.name, ("",)):
        lines[rules or "champion"] = measured(game, played, other, rules, chosen.games, chosen.most)
    if chosen.chart:
        charts = json.loads(chosen.chart.read_text()) if chosen.chart.exists() else []
        title = f"{game.title}: champion against {other}"
        charts = [chart for chart in charts if chart["title"] != title]
        drawn = [
            (name, [(row["ms"], 100 * row["points"] / row["games"]) for row in rows]) for name, rows in lines.items()
        ]
        across, up = "ms a step", "per cent of points"
        charts.append({"title": title, "across": across, "up": up, "lines": drawn, "logarithmic": True, "most": 100})
        chosen.chart.parent.mkdir(parents=True, exist_ok=True)
        chosen.chart.write_text(json.dumps(charts))


if __name__ == "__main__":
    main()
