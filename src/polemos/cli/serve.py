"""`polemos serve`"""

from __future__ import annotations

import gc
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from polemos import registry
from polemos.cli.common import prepare
from polemos.cli.settings import configured, setting_flags
from polemos.kernel.parts import part

if TYPE_CHECKING:
    import uvicorn

    from polemos.server.settings import Settings

# Seconds after which a busy thread lets another one run. Bots think alongside the tables; with Python's default of 5 ms
# every outgoing message would wait that long for a bot.
TURN_ABOUT = 0.0005
# The garbage collector looks at everything after so many looks at what is new, not after ten: with 300 tables that
# takes a fifth of a second in which nobody is answered, and almost all that is old is still in use.
COLLECT = (700, 10, 1000)


@click.command(
    epilog="Every flag can also be a line of a file (--config) or a variable: --log-level is POLEMOS_LOG_LEVEL."
)
@setting_flags()
@click.option("--show-config", is_flag=True, help="Print the settings and where each came from, and exit.")
def command(config: Path | None, show_config: bool, **flags: Any) -> None:
    """Play and watch in a browser. Runs until Ctrl-C.

    Every move is on disk before it is confirmed, so after a crash the server resumes all matches.
    """
    chosen = configured(flags, config)
    if show_config:
        click.echo("\n".join(chosen.lines()))
        return
    settings = chosen.settings
    with part("serve", "serve needs"):
        import websockets  # noqa: F401  uvicorn looks for it when the first table is opened

        from polemos.server import running
        from polemos.server.app import make_app
        from polemos.server.folder import Claim
        from polemos.server.store.ledger import connect

    _check(settings.programs)
    for name in registry.names():
        prepare(registry.load(name))
    sys.setswitchinterval(TURN_ABOUT)
    listening = listen(settings.host, settings.port)
    settings = msgspec.structs.replace(settings, port=listening.getsockname()[1])
    connect(settings.url).dispose()  # reports a missing driver before anything else
    Claim(settings.folder, settings.url).release()  # reports a folder that another server uses
    # Reports a bad certificate. With several processes, each has a server of its own.
    server = running.make_server(make_app(settings), settings) if settings.processes == 1 else None
    host = "localhost" if settings.host in ("0.0.0.0", "::") else settings.host
    address = f"{'https' if settings.tls else 'http'}://{f'[{host}]' if ':' in host else host}:{settings.port}/"
    click.echo(f"Polemos is at {address}   (Ctrl-C stops it; matches are saved in {settings.folder}/)")
    if settings.browse:
        threading.Timer(1.0, browse_to, [address]).start()
    if server is not None:
        _run(server, listening)
    else:
        from polemos.server import processes

        sys.exit(processes.serve(settings, listening, one_of_several))


def one_of_several(settings: Settings, listening: socket.socket, number: int) -> None:
    """Runs in each of several processes."""
    from polemos.server import running
    from polemos.server.app import make_app

    for name in registry.names():
        prepare(registry.load(name))
    sys.setswitchinterval(TURN_ABOUT)
    _run(running.make_server(make_app(settings, number), settings), listening)


def _run(server: uvicorn.Server, listening: socket.socket) -> None:
    gc.collect()
    gc.freeze()  # these objects stay for good; scanning them again and again took a tenth of a second each time
    gc.set_threshold(*COLLECT)
    server.run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """Opens the port before anything else, so that a busy port is reported at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Declared as TCP, or asyncio would not send small messages at once.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        raise click.ClickException(
            f"Cannot listen on {host}:{port}: {error.strerror}. Choose another port with --port."
        ) from None
    listening.listen(1024)
    return listening


def _check(programs: Mapping[str, Mapping[str, str]]) -> None:
    """Checks bots before anyone plays them."""
    from polemos.hosts import specs

    for game, bots in programs.items():
        for command in bots.values():
            specs.check(registry.load(game), command)


def browse_to(address: str) -> None:
    """Opens a browser if there is a screen; a text browser would take over this terminal."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    webbrowser.open(address)
