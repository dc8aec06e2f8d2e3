"""`polemos schema GAME`"""

from __future__ import annotations

import click
import msgspec

from polemos import registry
from polemos.cli.common import GAME
from polemos.wire.schema import schema


@click.command()
@GAME
def command(game: str) -> None:
    """Print the JSON Schema of a game's views, orders, events and requests."""
    click.echo(msgspec.json.format(msgspec.json.encode(schema(registry.load(game))), indent=2))
