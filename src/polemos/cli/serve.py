"""`polemos serve`"""

from __future__ import annotations

import gc
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path

import click

from polemos import registry
from polemos.cli.common import prepare
from polemos.kernel.parts import part

# Seconds after which a busy thread lets another one run. Bots think alongside the tables; with Python's default of 5 ms
# every outgoing message would wait that long for a bot.
TURN_ABOUT = 0.0005


@click.command()
@click.option("--folder", default="polemos-tables", show_default=True, type=click.Path(file_okay=False, path_type=Path),
              help="Folder for matches and accounts.")  # fmt: skip
@click.option("--database", default=None, metavar="URL", help="Use postgresql://... instead of SQLite in the folder.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Use 0.0.0.0 to let other machines connect.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Use 0 for any free port.")
@click.option("--bot", "programs", multiple=True, metavar="GAME:NAME=COMMAND",
              help="Offer another bot besides ours; it runs in the box.")  # fmt: skip
@click.option("--exhibition/--no-exhibition", default=True, show_default=True, help="Show tables of our bots to watch.")
@click.option("--open/--no-open", "browse", default=False, help="Open a browser, if there is one.")
@click.option("--behind", default=None, metavar="ADDRESS", help="A proxy whose X-Forwarded-For header is trusted.")
@click.option("--secure", is_flag=True, help="Send cookies over https only.")
def command(
    folder: Path,
    database: str | None,
    host: str,
    port: int,
    programs: tuple[str, ...],
    exhibition: bool,
    browse: bool,
    behind: str | None,
    secure: bool,
) -> None:
    """Play and watch in a browser. Runs until Ctrl-C.

    Every move is on disk before it is confirmed, so after a crash the server resumes all matches.
    """
    with part("serve", "serve needs"):
        import uvicorn
        import websockets  # noqa: F401  uvicorn looks for it when the first table is opened

        from polemos.server.app import make_app
        from polemos.server.folder import Claim
        from polemos.server.settings import Settings
        from polemos.server.store.ledger import connect

    for name in registry.names():
        prepare(registry.load(name))
    sys.setswitchinterval(TURN_ABOUT)
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    settings = Settings(
        folder=folder,
        database=database or os.environ.get("POLEMOS_DATABASE"),
        host=host,
        port=port,
        programs=_programs(programs),
        exhibition=exhibition,
        behind=behind,
        secure=secure,
    )
    connect(settings.url).dispose()  # reports a missing driver before anything else
    Claim(settings.folder, settings.url).release()  # and a folder that another server uses
    address = f"http://{'localhost' if host in ('0.0.0.0', '::') else host}:{port}/"
    click.echo(f"Polemos is at {address}   (Ctrl-C stops it; matches are saved in {folder}/)")
    if browse:
        threading.Timer(1.0, _browse, [address]).start()
    app = make_app(settings)
    gc.collect()
    gc.freeze()  # these objects stay for good; scanning them again and again took a tenth of a second each time
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws_max_size=1 << 20,
        timeout_graceful_shutdown=3,
        proxy_headers=False,
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
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


def _programs(given: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """Reads bots such as `monad:mine=node bot.js`, and checks them before anyone plays them."""
    from polemos.hosts import specs

    found: dict[str, dict[str, str]] = {}
    for text in given:
        game, colon, rest = text.partition(":")
        name, equals, command = rest.partition("=")
        if not (colon and equals and name and command):
            example = f"{registry.names()[0]}:mine=bot.py"
            raise click.UsageError(f"{text!r} is not a bot. Write GAME:NAME=COMMAND, such as {example}.")
        specs.check(registry.load(game), command)
        found.setdefault(game, {})[name] = command
    return found


def _browse(address: str) -> None:
    """Opens a browser if there is a screen; a text browser would take over this terminal."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    webbrowser.open(address)
