"""`polemos train GAME`"""

from __future__ import annotations

from pathlib import Path

import click

from polemos.cli.common import load
from polemos.cli.words import counted
from polemos.kernel.errors import PolemosError
from polemos.kernel.rooms import playouts_of
from polemos.search.training import Effort, train


class NoTraining(PolemosError):
    word = "training/none"


@click.command()
@click.argument("game")
@click.option("--minutes", type=click.FloatRange(0.01), default=5.0, show_default=True, help="Of CPU time.")
@click.option("--games", type=click.IntRange(1), help="Play this many games, however long they take.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same games.")
@click.option(
    "--hidden", type=click.IntRange(0, 24), default=16, show_default=True, help="Hidden units of the network."
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("judgement.weights"),
    show_default=True,
    help="Where to write the weights.",
)
@click.option(
    "--log",
    "told",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("training.jsonl"),
    show_default=True,
    help="Where to write the log, one line of JSON for each round.",
)
@click.option("--features", is_flag=True, help="Only list what positions are judged by.")
def command(
    game: str, minutes: float, games: int | None, seed: int, hidden: int, out: Path, told: Path, features: bool
) -> None:
    """Learn to judge positions of a game, from nothing.

    Scripts play many games against each other; a small network learns from their positions who won. Playouts that are
    cut off are judged by it, if its weights are put in place of those in the game's package.

    \b
    polemos train demons --minutes 5 --out judgement.weights --log demons.jsonl
    polemos train demons --features
    """
    adapter = load(game)
    kit = playouts_of(adapter)
    if kit is None or kit.judgement is None:
        raise NoTraining(f"{adapter.title} has no features to learn from")
    if features:
        for name, says in kit.judgement.features.items():
            click.echo(f"{name:<22} {says}")
        return
    effort = Effort(minutes=minutes, games=games or 0, seed=seed, hidden=hidden)
    found = train(kit, adapter.setup, effort, out, told, click.echo)
    click.echo(f"{out}: {counted(len(found['features']), 'feature')}, {counted(out.stat().st_size, 'byte')}")
