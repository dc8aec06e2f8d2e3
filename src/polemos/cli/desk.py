"""`polemos desk`"""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import click

from polemos import registry
from polemos.cli.common import load
from polemos.cli.serve import browse_to, listen
from polemos.kernel.capabilities.party import Party
from polemos.kernel.errors import BadOptions
from polemos.kernel.parts import part


@click.command()
@click.argument("folder", required=False, default="party", type=click.Path(file_okay=False, path_type=Path))
@click.option("--game", default=None, help="The game at the heart of the party, if several could be.")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other laptops and screens in.")
@click.option("--port", default=8090, show_default=True, help="0 takes any that is free.")
@click.option("--browse/--no-browse", default=True, help="Open the desk in a browser.")
@click.option("--tls-cert", type=click.Path(exists=True, dir_okay=False), help="A certificate, to encrypt the pages.")
@click.option("--tls-key", type=click.Path(exists=True, dir_okay=False), help="The key of the certificate.")
@click.option("--seed", default=None, help="Makes the dice repeatable: for rehearsals only.")
def command(
    folder: Path,
    game: str | None,
    host: str,
    port: int,
    browse: bool,
    tls_cert: str | None,
    tls_key: str | None,
    seed: str | None,
) -> None:
    """Run a party from the gamerunners' desk in a browser. Runs until Ctrl-C.

    Everything is saved in FOLDER (default: ./party) before it is confirmed. Start again with the same FOLDER to resume,
    even after a crash; on another laptop, copy FOLDER there first. The link that is printed is for gamerunners only:
    whoever has it can see and do everything. Court screens show /clock, the big screen shows /screen.
    """
    loaded = load(game or _only_game())
    with part("serve", "desk needs"):
        import uvicorn
        import websockets  # noqa: F401  uvicorn looks for it when the first page is opened

        from polemos.server.desk.app import make_desk
        from polemos.server.desk.room import Room

    listening = listen(host, port)
    room = Room(folder, loaded, seed=seed)
    place = f"{'https' if tls_cert else 'http'}://{_named(host)}:{listening.getsockname()[1]}"
    link = f"{place}/desk#{room.password}"
    click.echo(f"The gamerunners' desk is at {link}")
    click.echo("Keep this link to yourself: whoever has it can see and do everything.")
    click.echo(f"Clock for each court: {place}/clock   Big screen: {place}/screen")
    click.echo(f"Ctrl-C stops it; everything is saved in {folder}/.")
    if browse:
        threading.Timer(1.0, browse_to, [link]).start()
    config = uvicorn.Config(
        make_desk(room),
        log_config=None,
        access_log=False,  # it would write down who looked at what
        server_header=False,
        ssl_certfile=tls_cert,
        ssl_keyfile=tls_key,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _only_game() -> str:
    """The installed game that has a party."""
    found = [name for name in registry.names() if isinstance(registry.load(name), Party)]
    if len(found) != 1:
        raise BadOptions(f"Say which game with --game: {', '.join(found) or 'none is installed'}.")
    return found[0]


def _named(host: str) -> str:
    """The address that other laptops in the house use."""
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: this only asks which of our addresses would be used
        except OSError:
            return "localhost"
        return str(probe.getsockname()[0])
