"""`polemos kit --lib [GAME]...`"""

from __future__ import annotations

from pathlib import Path

import click

from polemos import registry
from polemos.cli.common import load
from polemos.kernel.capabilities.in_library import InLibrary


@click.command()
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option("--lib", "library", is_flag=True, help="Build the rules as a C library.")
@click.option(
    "--out",
    "folder",
    default=Path("."),
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to put it; otherwise into this folder.",
)
def command(games: tuple[str, ...], library: bool, folder: Path) -> None:
    """Build parts for your own bots.

    With --lib: libpolemos, the rules of the games you name (or of all) as a C library with a header, so that a bot can
    look ahead in its own process. Needs a C compiler. See docs/reference/library.md.
    """
    if not library:
        raise click.UsageError("Say what to build: --lib builds the rules as a C library.")
    from polemos.library.build import build, compiler, library_of  # the compiler takes a moment to load

    chosen = games or tuple(name for name in registry.names() if isinstance(registry.load(name), InLibrary))
    for name in chosen:
        library_of(registry.load(name))
    compiler()
    for path in build([load(name) for name in chosen], folder):
        click.echo(path)
