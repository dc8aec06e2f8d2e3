"""`polemos backup`"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from polemos.cli.settings import configured, setting_flags
from polemos.cli.words import counted
from polemos.kernel.parts import part


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@setting_flags("folder", "database", "ladder-folder")
@click.option("--with-secret", is_flag=True, help="Include the secret that signs cookies and links.")
@click.option("--without-replays", is_flag=True, help="Leave out the replays of the ladder, which need most room.")
def command(file: Path, config: Path | None, with_secret: bool, without_replays: bool, **flags: Any) -> None:
    """Back up a server's matches, accounts and uploaded bots to FILE, while the server runs or not.

    Everything that was confirmed before the backup is in it. PostgreSQL needs pg_dump.
    """
    settings = configured(flags, config).settings
    with part("serve", "backup needs"):
        from polemos.server.store.backup import back_up

    about = back_up(settings, file, secret=with_secret, replays=not without_replays)
    with_it = " with the secret: keep it safe" if about.secret else " without the secret"
    click.echo(f"Wrote {file} ({file.stat().st_size:,} bytes), a backup of {about.database}{with_it}.")
    if about.bots or about.replays:
        replays = "no replays" if about.replays is None else counted(about.replays, "replay")
        click.echo(
            f"It has the files of {counted(about.bots, 'version')} of uploaded bots, and {replays} of the ladder."
        )
