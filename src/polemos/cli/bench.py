"""`polemos bench [GAME]`"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

import click
import msgspec

from polemos import registry
from polemos.cli.common import load
from polemos.kernel import mode
from polemos.kernel.capabilities.simulation import Simulation
from polemos.kernel.errors import NoSimulation
from polemos.kernel.game import AnyGame
from polemos.kernel.simulate import simulate


@click.command()
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with turns_per_second at the top level.")
@click.option(
    "--seconds", default=2.0, show_default=True, type=click.FloatRange(0.05, 60), help="Length of each measurement."
)
@click.option("--no-compile", is_flag=True, help="Skip the compile and start times.")
def command(game: str | None, as_json: bool, seconds: float, no_compile: bool) -> None:
    """Measure random play in compiled code: turns per second on one core and on all, size of a state, start times.

    Each turn, compiled code makes up orders for a new position. The best of three runs counts.
    """
    if not math.isfinite(seconds):
        raise click.UsageError("--seconds must be a number.")
    names = [game] if game else registry.names()
    figures = {name: measure(load(name), seconds, not no_compile) for name in names}
    if as_json:
        first = next(iter(figures.values()))
        click.echo(msgspec.json.encode(first if len(figures) == 1 else {**first, "games": figures}))
        return
    for name, of in figures.items():
        click.echo(f"{name} ({of['mode']})")
        for key, value in of.items():
            if key not in ("game", "mode"):
                shown = f"{value:,.0f}" if isinstance(value, float) and value >= 1000 else f"{value:,.3g}"
                click.echo(f"  {key.replace('_', ' '):34} {shown if not isinstance(value, int) else f'{value:,}'}")


def measure(game: AnyGame, seconds: float, start: bool = True) -> dict[str, Any]:
    """All figures of one game."""
    if not isinstance(game, Simulation):
        raise NoSimulation(f"{game.title} has no compiled random play to measure.")
    cores = os.cpu_count() or 1
    how: dict[str, Any] = {"options": game.bench}
    warm = simulate(game, 500, **how)
    steps = max(500, int(warm.steps_per_second * seconds))
    steps = max(500, int(simulate(game, steps // 4, **how).steps_per_second * seconds))
    one = max((simulate(game, steps, seed=run, **how) for run in range(3)), key=lambda s: s.steps_per_second)
    both = max(
        (simulate(game, steps, seed=run, threads=cores, **how) for run in range(3)), key=lambda s: s.steps_per_second
    )
    figures: dict[str, Any] = {
        "game": game.name,
        "mode": mode.name(),
        "turns_per_second": round(one.steps_per_second, 1),
        "games_per_second": round(one.games_per_second, 1),
        "threads": cores,
        "turns_per_second_all_threads": round(both.steps_per_second, 1),
        "speed_up_by_threads": round(both.steps_per_second / one.steps_per_second, 3),
        "bytes_per_state": game.setup(game.bench, 0).extent(),
        **game.measures(seconds),
    }
    if start:
        with tempfile.TemporaryDirectory() as folder:
            figures["compile_seconds"] = round(_time(game.name, {"POLEMOS_CACHE": folder}), 2)
            figures["cold_start_seconds"] = round(_time(game.name, {"POLEMOS_CACHE": folder}), 2)
    return figures


_FIRST_TURN = """
import sys
from polemos.cli.common import load
from polemos.kernel.match import Match
Match(load(sys.argv[1])).run()
"""


def _time(game: str, env: dict[str, str]) -> float:
    """Seconds from the start of a fresh process to its first adjudicated turn."""
    began = time.perf_counter()
    command = [sys.executable, "-c", _FIRST_TURN, game]
    subprocess.run(command, check=True, env={**os.environ, **env}, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began
