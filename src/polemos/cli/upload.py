"""`polemos upload PATH --server URL`"""

from __future__ import annotations

import http.client
import os
import ssl
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import SplitResult, quote, urlencode, urlsplit

import click
import msgspec

from polemos.kernel.errors import PolemosError
from polemos.kernel.tame import readable, tame
from polemos.uploads.limits import Limits
from polemos.uploads.paths import LEFT_OUT
from polemos.wire.authors import Log, LogLine, UploadCard

TOKEN: Final = "POLEMOS_TOKEN"
SERVER: Final = "POLEMOS_SERVER"
FILE: Final = Path("~/.polemos-token")
REFUSED, UNSENT = 1, 3  # exit codes
PATIENCE: Final = 60.0  # seconds for an answer
AGAIN: Final = 1.0  # seconds until the server is asked again
MAX_LOST: Final = 60  # times in a row that the server does not answer: it may be restarting
_MAX_ANSWER: Final = 16 << 20
_WORDS: Final = {
    "received": "Received",
    "unpacked": "Unpacked",
    "recognised": "Recognised",
    "built": "Built",
    "trial": "Trial",
    "accepted": "Accepted",
}


class NotSent(PolemosError):
    """The server could not be reached, or did not take the upload."""

    word = "upload/not-sent"


class Lost(Exception):
    """No answer."""


class Client:
    """Requests to one server, with a token. It follows no redirects: a token goes nowhere else."""

    def __init__(self, server: str, token: str) -> None:
        self._at = _address(server)
        self._token = token

    def ask(self, method: str, path: str, body: IO[bytes] | None = None, length: int = 0) -> Any:
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        if body is not None:
            headers |= {"Content-Length": str(length), "Content-Type": "application/octet-stream"}
        connection = self._connect()
        try:
            try:
                connection.request(method, f"{self._at.path.rstrip('/')}/api{path}", body, headers)
            except (BrokenPipeError, ConnectionResetError):
                if body is None:
                    raise
                # The server may have answered and closed before it had read everything.
            answer = connection.getresponse()
            raw = answer.read(_MAX_ANSWER)
        except (OSError, http.client.HTTPException) as error:
            raise Lost(str(error)) from None
        finally:
            connection.close()
        if answer.status >= 400:
            raise NotSent(_why(answer.status, raw))
        return msgspec.json.decode(raw)

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._at.hostname or "", self._at.port
        if self._at.scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=PATIENCE, context=ssl.create_default_context())
        return http.client.HTTPConnection(host, port, timeout=PATIENCE)


def _address(server: str) -> SplitResult:
    at = urlsplit(server if "://" in server else f"https://{server}")
    if at.scheme not in ("http", "https") or not at.hostname:
        raise click.UsageError(f"{server!r} is not the address of a server. Write it like https://play.example.org.")
    if at.scheme == "http" and at.hostname not in ("localhost", "127.0.0.1", "::1"):
        click.echo("Careful: this address is not encrypted, and others can read your token. Use https.", err=True)
    return at


def _why(status: int, raw: bytes) -> str:
    try:
        said = msgspec.json.decode(raw)
        return tame(said["why"], 400)
    except (msgspec.DecodeError, KeyError, TypeError):
        return f"The server couldn't do this (error {status})."


def token_of(file: Path | None) -> str:
    """The token, from a file or a variable: on the command line others could read it."""
    if file is None and os.environ.get(TOKEN):
        return os.environ[TOKEN].strip()
    path = (file or FILE).expanduser()
    try:
        found = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise click.UsageError(
            f"There is no token in {path}. Create one on the page of your bots, and save it there or in the variable"
            f" {TOKEN}."
        ) from None
    if os.name == "posix" and path.stat().st_mode & 0o077:
        click.echo(f"Careful: others on this machine can read {path}. Run: chmod 600 {path}", err=True)
    return found


def pack(path: Path, into: IO[bytes]) -> str:
    """Writes what is sent, and returns its name: a file as it is, a folder as a tar without what is left out anyway.

    Links are sent as links, also those to folders and to nothing: the server says which of them it can't take.
    """
    if path.is_file():
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                into.write(chunk)
        return path.name
    with tarfile.open(fileobj=into, mode="w:gz") as archive:
        for here, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not _is_left_out(name))
            for name in sorted([*names, *(name for name in folders if Path(here, name).is_symlink())]):
                file_path = Path(here, name)
                if _is_left_out(name) or not (file_path.is_file() or file_path.is_symlink()):
                    continue
                info = archive.gettarinfo(file_path, file_path.relative_to(path).as_posix())
                info.uid = info.gid = 0
                info.uname = info.gname = ""
                if not info.isreg():
                    archive.addfile(info)
                    continue
                with file_path.open("rb") as file:
                    archive.addfile(info, file)
    return f"{path.resolve().name}.tar.gz"


def _is_left_out(name: str) -> bool:
    return name.startswith(".") or name in LEFT_OUT


class Screen:
    """Says what is new about an upload."""

    def __init__(self) -> None:
        self._steps: dict[str, tuple[str, str]] = {}
        self._lines = {"build": 0, "log": 0}
        self._said = ""
        self._turn = False

    def show(self, card: UploadCard) -> None:
        if card.state == "waiting":
            ahead = f" {card.ahead} before it." if card.ahead else ""
            self._once(("Starting again." if card.again else "Waiting for its turn.") + ahead)
        for step in card.steps:
            if step.state in ("done", "failed") and self._steps.get(step.step) != (step.state, step.words):
                self._say(_WORDS[step.step], "failed" if step.state == "failed" else step.words)
            self._steps[step.step] = (step.state, step.words)
        self._follow("build", card.build)
        self._follow("log", card.log)
        if card.board is not None and not card.board.over and sys.stderr.isatty():
            turns = f" of {card.board.turns}" if card.board.turns else ""
            click.echo(f"\r  turn {card.board.turn}{turns} against {card.board.opponent}   ", err=True, nl=False)
            self._turn = True

    def _say(self, word: str, words: str) -> None:
        self._clear()
        click.echo(f"{word}: {readable(words)}" if words else word)

    def _once(self, text: str) -> None:
        if text != self._said:
            self._said = text
            click.echo(text, err=True)

    def _follow(self, which: str, log: Log) -> None:
        for line in log.lines:
            if line.number > self._lines[which]:
                self._clear()
                click.echo(f"  {line.number:>4}  {readable(line.text)}", err=True)
        self._lines[which] = max(self._lines[which], log.total)

    def _clear(self) -> None:
        if self._turn:
            click.echo("\r" + " " * 60 + "\r", err=True, nl=False)
            self._turn = False


def _end(card: UploadCard, server: str) -> int:
    called = f"{readable(card.name) or 'The bot'}{f' v{card.version}' if card.version else ''}"
    if card.state == "accepted":
        click.echo(f"{called} plays from now on: {server.rstrip('/')}/bots/{card.bot}")
        return 0
    if card.state == "refused" and card.refused is not None:
        click.echo(f"{called} was refused. {readable(card.refused.why)}")
        for line in card.refused.lines:
            click.echo(_log_line(line))
        if card.playing is not None:
            click.echo(f"Nothing has changed on the ladder: version {card.playing} keeps playing.")
        return REFUSED
    click.echo(readable(card.words) or f"The upload was {card.state}.")
    return UNSENT


def _log_line(line: LogLine) -> str:
    return f"{'>' if line.is_cause else ' '} {line.number:>4}  {readable(line.text)}"


def follow(client: Client, card: UploadCard, screen: Screen) -> UploadCard:
    """Watches an upload until it ends. A server that restarts begins it again."""
    lost = 0
    while True:
        screen.show(card)
        if card.state not in ("arriving", "waiting", "running"):
            return card
        try:
            card = _card(client.ask("GET", f"/my/uploads/{card.id}?seen={card.change}"))
            lost = 0
            if card.state == "waiting":
                time.sleep(AGAIN)
        except (Lost, NotSent) as error:
            lost += 1
            if lost >= MAX_LOST:
                raise NotSent(f"The server doesn't answer any more ({error}). The upload goes on without us.") from None
            time.sleep(AGAIN)


def _card(said: Any) -> UploadCard:
    try:
        return msgspec.convert(said, UploadCard)
    except msgspec.ValidationError as error:
        raise NotSent(f"The server speaks another version of Polemos: {error}.") from None


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--server", envvar=SERVER, required=True, metavar="URL", help=f"Its address, or the variable {SERVER}.")
@click.option("--game", metavar="GAME", help="The game that it plays, unless its bot.toml says so.")
@click.option(
    "--token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=f"File with your token. Otherwise the variable {TOKEN}, or {FILE}.",
)
@click.pass_context
def command(ctx: click.Context, path: Path, server: str, game: str | None, token_file: Path | None) -> None:
    """Upload a bot to a ladder, and watch its trial.

    PATH is a program, a zip or tar, or a folder. A bot with the name in its bot.toml gets a new version; a new name
    is a new bot. Get a token on the page of your bots.

    \b
    Exit codes: 0 accepted, 1 refused, 2 wrong usage, 3 not uploaded.

    \b
    polemos new-bot demons falcon --language rust
    polemos upload falcon --server https://play.example.org
    """
    client = Client(server, token_of(token_file))
    try:
        with tempfile.TemporaryFile() as file:
            called = pack(path, file)
            length = file.tell()
            if length > Limits().upload:
                raise NotSent(f"That is {length >> 20} MB. An upload can have at most {Limits().upload >> 20} MB.")
            file.seek(0)
            words = urlencode({"called": called, **({"game": game} if game else {})}, quote_via=quote)
            card = _card(client.ask("POST", f"/my/uploads?{words}", file, length))
        ctx.exit(_end(follow(client, card, Screen()), server))
    except Lost as error:
        click.echo(f"polemos: {server} doesn't answer: {error}", err=True)
        ctx.exit(UNSENT)
    except NotSent as error:
        click.echo(f"polemos: {error.why}", err=True)
        ctx.exit(UNSENT)
