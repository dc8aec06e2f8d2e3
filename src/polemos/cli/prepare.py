"""`polemos prepare`"""

from __future__ import annotations

import io
import multiprocessing
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import redirect_stderr, suppress

import click

from polemos import registry
from polemos.batch.kits import compile_all, kit_of
from polemos.cli.common import prepare
from polemos.kernel import rule
from polemos.kernel.errors import NoSimulation
from polemos.kernel.rooms import bots_of, package_of


@click.command()
@click.option("--batches", is_flag=True, help="Compile what batches of games need too.")
def command(batches: bool) -> None:
    """Compile the rules of all games, once. Later runs find them in the cache and print nothing."""
    names = [name for name in registry.names() if not rule.is_prepared(package_of(registry.load(name)))]
    if len(names) > 1:
        _side_by_side(names, "the rules", _compile)
    for name in names:
        prepare(registry.load(name))
    if batches:
        _side_by_side(registry.names(), "batches", _compile_batches)


def _side_by_side(names: Sequence[str], what: str, compiling: Callable[[str], None]) -> None:
    """numba compiles one function at a time, so every game gets a process of its own."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(file=sys.stderr)
    spawning = multiprocessing.get_context("spawn")
    words = TextColumn(f"Compiling {what} of {{task.total:.0f}} games (once per version)")
    if not console.is_terminal:
        console.print(f"Compiling {what} of {len(names)} games (once per version, a minute or two) ...")
    with (
        Progress(words, BarColumn(), TimeElapsedColumn(), console=console, disable=not console.is_terminal) as progress,
        ProcessPoolExecutor(min(len(names), os.cpu_count() or 1), spawning) as pool,
    ):
        bar = progress.add_task("", total=len(names))
        for done in as_completed([pool.submit(compiling, name) for name in names]):
            done.result()
            progress.advance(bar)


def _compile(name: str) -> None:
    game = registry.load(name)
    _ = bots_of(game)  # some bots search in compiled code, which is prepared with their game
    rule.prepare(package_of(game))


def _compile_batches(name: str) -> None:
    game = registry.load(name)
    with suppress(NoSimulation), redirect_stderr(io.StringIO()):  # what takes long has been said
        compile_all(game, kit_of(game))
