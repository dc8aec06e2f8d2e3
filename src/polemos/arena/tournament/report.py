"""The report of a tournament, in its folder: a page to read and tables to work with.

Files are written elsewhere and then moved into place, so readers always see a complete file while the tournament runs.
The same facts give the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from polemos.arena.tournament import report_csv, report_html
from polemos.arena.tournament.plan import Notice, Plan, Played, Rating, Row
from polemos.arena.tournament.report_facts import gather


def write(
    folder: Path,
    plan: Plan,
    played: Sequence[Played],
    rows: Sequence[Row],
    notices: Sequence[Notice],
    ratings: Sequence[Rating],
    *,
    done: int,
    due: int,
    running: bool,
) -> None:
    """Writes `index.html`, `standings.csv`, `crosstable.csv` and `games.csv`.

    `rows` are in order of the standings; `done` of `due` games have been played, and more will be if `running`.
    """
    facts = gather(plan, played, rows, notices, ratings, done=done, due=due, running=running)
    folder.mkdir(parents=True, exist_ok=True)
    _put(folder / "standings.csv", report_csv.standings(facts))
    _put(folder / "crosstable.csv", report_csv.crosstable(facts))
    _put(folder / "games.csv", report_csv.games(facts))
    _put(folder / "index.html", report_html.page(facts))


def _put(path: Path, text: str) -> None:
    fresh = path.with_name(f".{os.getpid()}-{path.name}")
    try:
        fresh.write_text(text, encoding="utf-8", newline="\n")
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
