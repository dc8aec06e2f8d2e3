"""`polemos prepare`"""

from __future__ import annotations

import click

from polemos import registry
from polemos.cli.common import prepare


@click.command()
def command() -> None:
    """Compile the rules of all games, once. Later runs find them in the cache and print nothing."""
    for name in registry.names():
        prepare(registry.load(name))
