"""`polemos prepare`"""

from __future__ import annotations

import io
import multiprocessing
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import redirect_stderr

import click

from polemos import registry
from polemos.batch.kits import compile_all, compile_scripts, is_compiled, kit_of
from polemos.kernel import rule
from polemos.kernel.errors import NoSimulation
from polemos.kernel.game import AnyGame
from polemos.kernel.rooms import bots_of, package_of


@click.command()
@click.option("--batches", is_flag=True, help="Compile what batches of games need too.")
def command(batches: bool) -> None:
    """Compile the rules of all games, once. Later runs find them in the cache and print nothing."""
    games = [registry.load(name) for name in registry.names()]
    _side_by_side([game for game in games if not rule.is_prepared(package_of(game))], "the rules", _compile)
    if batches:
        _side_by_side(
            [game for game in games if _has_batches(game) and not is_compiled(game)], "batches", _compile_batches
        )


def _side_by_side(games: Sequence[AnyGame], what: str, compiling: Callable[[str], None]) -> None:
    """numba compiles one function at a time, so every game gets a process of its own."""
    if not games:
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    count = "1 game" if len(games) == 1 else f"{len(games)} games"
    console = Console(file=sys.stderr)
    spawning = multiprocessing.get_context("spawn")
    words = TextColumn(f"Compiling {what} of {count} (once per version)")
    if not console.is_terminal:
        console.print(f"Compiling {what} of {count} (once per version, a minute or two) ...")
    with (
        Progress(words, BarColumn(), TimeElapsedColumn(), console=console, disable=not console.is_terminal) as progress,
        ProcessPoolExecutor(min(len(games), os.cpu_count() or 1), spawning) as pool,
    ):
        bar = progress.add_task("", total=len(games))
        for done in as_completed([pool.submit(compiling, game.name) for game in games]):
            done.result()
            progress.advance(bar)


def _has_batches(game: AnyGame) -> bool:
    try:
        kit_of(game)
    except NoSimulation:
        return False
    return True


def _compile(name: str) -> None:
    game = registry.load(name)
    _ = bots_of(game)  # some bots search in compiled code, which is prepared with their game
    rule.prepare(package_of(game))


def _compile_batches(name: str) -> None:
    game = registry.load(name)
    with redirect_stderr(io.StringIO()):  # what takes long has been said
        compile_all(game, kit_of(game))
        compile_scripts(game, kit_of(game))
