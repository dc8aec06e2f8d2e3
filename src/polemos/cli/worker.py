"""`polemos worker`: this machine plays games of a server's ladders."""

from __future__ import annotations

import logging
import os
import signal
import stat
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from polemos import registry
from polemos.cli.common import prepare
from polemos.hosts import box
from polemos.kernel.errors import BotFault
from polemos.kernel.parts import part

if TYPE_CHECKING:
    from polemos.ladder.players import Executor

CACHE = "polemos-worker"


@click.command()
@click.option("--server", required=True, metavar="URL", help="The server, such as https://play.example.org.")
@click.option(
    "--token", envvar="POLEMOS_WORKER_TOKEN", metavar="TEXT", help="From `polemos operator add-worker NAME`. Required."
)
@click.option("--processes", type=click.IntRange(1, 256), help="Games at a time. [default: one for each core]")
@click.option("--ray", metavar="ADDRESS", help="Play on this Ray cluster instead of on this machine.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keeps the files of bots. [default: a folder for temporary files]",
)
def command(server: str, token: str | None, processes: int | None, ray: str | None, folder: Path | None) -> None:
    """Play games of a server's ladders on this machine, until Ctrl-C.

    The server adjudicates every replay again before it counts. Games that are not finished when you stop are given
    back, and those of a machine that dies are played by others.
    """
    if not token:
        raise click.UsageError("Give the token of this worker with --token or POLEMOS_WORKER_TOKEN.")
    if ray is None and (why := box.lack()) is not None:
        raise BotFault(f"Strangers' bots play in the box, which does not work here: {why}. Run `polemos doctor`.")
    with part("serve", "worker needs"):
        from polemos.ladder.live import LIVE
        from polemos.ladder.players import Crew
        from polemos.ladder.remote import HttpSource

    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    home = folder or Path(tempfile.gettempdir()) / f"{CACHE}-{os.getuid() if os.name == 'posix' else ''}"
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder is None and not _is_private(home):  # others can create folders there, too
        raise click.UsageError(f"{home} is not a private folder of this user. Choose another one with --folder.")
    count = processes or os.cpu_count() or 1
    if ray is None:
        for name in registry.names():
            prepare(registry.load(name))
    executor = _executor(count, ray)
    source = HttpSource(server, token, home, executor.room)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    click.echo(f"Playing games of {server}, {executor.room} at a time. Ctrl-C stops.")
    try:
        if ray:
            Crew(source, executor).run(stop)
        else:
            Crew(source, executor, folder=str(home), live=home / LIVE).run(stop)
    finally:
        source.close()


def _is_private(folder: Path) -> bool:
    if os.name != "posix":
        return True
    about = folder.lstat()
    return stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not about.st_mode & 0o022


def _executor(count: int, ray: str | None) -> Executor:
    if ray is None:
        from polemos.ladder.players import Processes

        return Processes(count)
    from polemos.ladder.on_ray import OnRay

    return OnRay(ray)
