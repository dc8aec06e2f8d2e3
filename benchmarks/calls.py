"""The cost of single calls from Python, in microseconds: `python benchmarks/calls.py`. Medians on this machine."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from polemos import registry
from polemos.cli.common import prepare
from polemos.kernel.dice import chance_of, derive
from polemos.kernel.log import Log
from polemos.kernel.match import Match
from polemos.pictures import convert


def median(call: Callable[[], object], times: int = 400) -> float:
    """Microseconds of the median call."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        took.append(time.perf_counter() - began)
    return statistics.median(took) * 1e6


def measure(game: Any) -> None:
    match = Match(game, seed=1)
    seat = match.seats[0]
    setting, view = match.setting, match.view(seat)
    lines = [option.text for option in game.options(setting, view)[:8]]
    sheet = game.check(match.state, seat, lines)
    sheets = dict.fromkeys(match.seats, game.check(match.state, seat, []))
    sheets[seat] = sheet
    log, chance = Log(limit=game.facts.max_events), chance_of(derive(1, "chance"))

    def step() -> None:
        log.count = 0
        game.resolve(match.state.copy(), sheets, chance, log)

    page = game.picture(setting, view, "page")
    text = game.write_position(match.state)
    rows: dict[str, Callable[[], object]] = {
        "copy a state": match.state.copy,
        "digest of a state": match.state.digest,
        "check a sheet of eight lines": lambda: game.check(match.state, seat, lines),
        "resolve a step with its log": step,
        "observe for one seat": lambda: game.observe(match.state, seat),
        "options of one seat": lambda: game.options(setting, view),
        "imagine from a view": lambda: game.imagine(setting, view, 1),
        "write a position": lambda: game.write_position(match.state),
        "read a position": lambda: game.read_position(text),
    }
    print(game.name)
    for row, call in rows.items():
        print(f"  {row:32} {median(call):10.1f}")
    slow: dict[str, Callable[[], object]] = {
        "draw a page as SVG": lambda: game.picture(setting, view, "page"),
        "page to PDF": lambda: convert.pdf([page], "a4"),
        "page to PNG, 1240 wide": lambda: convert.png(page, 1240),
    }
    for row, call in slow.items():
        print(f"  {row:32} {median(call, 10):10.1f}")


for name in registry.names():
    loaded = registry.load(name)
    prepare(loaded)
    measure(loaded)
