"""`polemos restore`"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from polemos.cli.settings import configured, setting_flags
from polemos.kernel.parts import part


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@setting_flags("folder", "database", "ladder-folder")
def command(file: Path, config: Path | None, **flags: Any) -> None:
    """Fill an empty folder or database from a backup. An existing database is never touched, nor files in the folder.

    Then start the server: it upgrades the database of an older version, and resumes all matches.
    """
    settings = configured(flags, config).settings
    with part("serve", "restore needs"):
        from polemos.server.configuration import hidden
        from polemos.server.store.backup import restore

    about = restore(settings, file)
    click.echo(f"Restored {hidden(settings.url)} from {file}.")
    if not about.secret:
        click.echo(
            f"The backup has no secret. Copy yours to {settings.folder}/secret, or team invitations will change"
            " and open pages must be loaded again.",
            err=True,
        )
