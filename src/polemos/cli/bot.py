"""`polemos bot GAME NAME`"""

from __future__ import annotations

import click

from polemos import registry
from polemos.hosts import inprocess, speaking


@click.command()
@click.argument("game")
@click.argument("name")
def command(game: str, name: str) -> None:
    """Run one of our bots as a program that speaks the bot protocol.

    It reads the umpire's messages from standard input and answers on standard output. As a player, with the clock of a
    ladder and in the box: polemos match demons "polemos bot demons champion" keeper
    """
    inprocess.maker(registry.load(game), name)  # so that a misspelt name is explained
    speaking.main(game, name)
