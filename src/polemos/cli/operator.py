"""`polemos operator`: the operator's page as commands. They write to the database; a running server looks there."""

from __future__ import annotations

import getpass
import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click
import msgspec

from polemos.cli import operator_text
from polemos.cli.settings import configured, setting_flags
from polemos.kernel.errors import PolemosError
from polemos.kernel.parts import part
from polemos.kernel.tame import tame
from polemos.wire.office import Quota

if TYPE_CHECKING:
    from sqlalchemy import Engine, Executable

    from polemos.server.office.clerk import Clerk
    from polemos.server.settings import Settings

Made = TypeVar("Made", bound=Callable[..., Any])
UNITS = {"m": 60.0, "h": 3600.0, "d": 86400.0, "w": 7 * 86400.0}


class NoOffice(PolemosError):
    """There is no database of a server here."""

    word = "operator/database"


def _seconds(ctx: click.Context, option: click.Parameter, value: str | None) -> float | None:
    """Reads a time such as 12h."""
    if value is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]{0,5})([mhdw])", value, re.ASCII)
    if found is None:
        raise click.BadParameter("Write a time such as 30m, 12h, 7d or 2w.", ctx, option)
    return int(found[1]) * UNITS[found[2]]


@click.group()
def command() -> None:
    """Look after a server: its health, people, tables, bots, ladders, reports, bans, quotas, announcements, audit log.

    The commands work on the database of the folder, or on --database, while the server runs or not. A running server
    notices within seconds. The same is on the page /operator, for accounts that `polemos operator add` has named.
    """


# ---- lists


def listing(
    name: str, words: str, *more: Callable[[Any], Any], shown: Callable[[Any], str] | None = None
) -> Callable[[Made], Made]:
    """A command that prints rows, as text or as JSON lines. `shown`: the text of a row, if it is not its fields."""

    def decorate(rows: Made) -> Made:
        _register(name, words, more, rows, shown or operator_text.of_row)
        return rows

    return decorate


def _register(
    name: str,
    words: str,
    more: Iterable[Callable[[Any], Any]],
    rows: Callable[..., Iterable[Any]],
    shown: Callable[[Any], str],
) -> None:
    def run(config: Path | None, as_json: bool, folder: Any, database: Any, operators: Any, **how: Any) -> None:
        with opened(config, folder, database, operators) as office:
            for row in rows(office, **how):  # one after another, so that a long log needs no memory
                click.echo(msgspec.json.encode(row).decode() if as_json else shown(row))

    made: Any = run
    for option in reversed([*more, click.option("--json", "as_json", is_flag=True, help="Print JSON lines.")]):
        made = option(made)
    command.command(name, help=words)(setting_flags("folder", "database", "operators")(made))


@listing("health", "Show how each process of a running server is.", shown=operator_text.of_process)
def health(office: Office) -> Any:
    from polemos.server.office.health import health as whole

    found = whole(office.read).processes
    if not found:
        raise NoOffice("No server is running on this database.")
    return found


@listing(
    "people",
    "List accounts, or those whose name contains TEXT, or that are signed in from that address.",
    click.argument("text", default=""),
)
def people(office: Office, text: str) -> Any:
    return office.lists.people(office.read, text, office.named)


@listing(
    "tables",
    "List tables, the newest first.",
    click.option("--game", help="Only this game."),
    click.option("--status", type=click.Choice(["open", "sealed", "playing", "paused", "over"])),
    click.option("--player", default="", help="Only tables with a player whose name contains this."),
)
def tables(office: Office, game: str | None, status: str | None, player: str) -> Any:
    return office.lists.tables(office.read, game, status, player)


@listing("parties", "List parties online that are not over, the newest first.")
def parties(office: Office) -> Any:
    return office.lists.parties(office.read)


@listing("bots", "List the bots at unfinished tables, and the CPU time they have used.")
def bots(office: Office) -> Any:
    return office.lists.bots(office.read)


@listing("ladders", "List the ladders.")
def ladders(office: Office) -> Any:
    from polemos.server.office.ladders import health as whole

    return whole(office.read).ladders


@listing("workers", "List the machines that play the games of ladders.", shown=operator_text.of_worker)
def workers(office: Office) -> Any:
    from polemos.server.office.ladders import health as whole

    return whole(office.read).workers


@listing("reports", "List open reports.", click.option("--done", is_flag=True, help="Those that are done instead."))
def reports(office: Office, done: bool) -> Any:
    return office.lists.reports(office.read, done=done)


@listing("bans", "List the bans in force.")
def bans(office: Office) -> Any:
    return [ban for _, ban in office.lists.bans(office.read)]


@listing("announcements", "List the announcements in force.")
def announcements(office: Office) -> Any:
    return office.lists.notices(office.read)


@listing("audit", "Print the audit log, the oldest act first.")
def audit(office: Office) -> Any:
    return office.lists.whole_audit(office.read)


# ---- deeds


def doing(name: str, words: str, *more: Callable[[Any], Any]) -> Callable[[Made], Made]:
    """A command that does something, and prints its line in the audit log."""

    def decorate(statements: Made) -> Made:
        def rows(office: Office, **how: Any) -> Any:
            office.write(statements(office, **how))
            return office.lists.audit(office.read, None, 1)

        _register(name, words, more, rows, operator_text.of_row)
        return statements

    return decorate


WHY = click.option("--why", required=True, help="The reason. The people concerned are told.")


@doing("add", "Make the account NAME an operator.", click.argument("name"))
def add(office: Office, name: str) -> list[Executable]:
    return office.clerk.add_operator(name)


@doing("remove", "NAME is no longer an operator.", click.argument("name"))
def remove(office: Office, name: str) -> list[Executable]:
    return office.clerk.remove_operator(name)


@doing(
    "ban",
    "Ban an account, a name, an address or network, or the address behind the number of a session or a report.",
    click.argument("kind", type=click.Choice(["account", "name", "address", "session", "report"])),
    click.argument("target"),
    click.option(
        "--for", "seconds", callback=_seconds, metavar="TIME", help="Such as 30m, 12h, 7d or 2w. [default: for good]"
    ),
    WHY,
)
def ban(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "ban", **how})


@doing("unban", "Lift the ban with this number.", click.argument("ban", type=int), WHY)
def unban(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "unban", **how})


@doing("end-sessions", "Sign the account NAME out everywhere.", click.argument("name"), WHY)
def end_sessions(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "end sessions", **how})


@doing(
    "quota",
    "Set how many tables or bots an account can have, uploads, or ladder games an hour. NAME can be `everyone`.",
    click.argument("name"),
    click.argument("what", type=click.Choice(get_args(Quota))),
    click.argument("most", metavar="NUMBER|default"),
    WHY,
)
def quota(office: Office, name: str, what: str, most: str, why: str) -> list[Executable]:
    if most != "default" and not re.fullmatch(r"[0-9]{1,6}", most, re.ASCII):
        raise click.UsageError("Write a number, or `default`.")
    number = None if most == "default" else int(most)
    target = None if name == "everyone" else name
    return office.do({"act": "quota", "name": target, "what": what, "most": number, "why": why})


@doing("close", "Close TABLE. Everyone there is told why.", click.argument("table"), WHY)
def close(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "close table", **how})


@doing("close-party", "Close PARTY. Everyone there is told why.", click.argument("party"), WHY)
def close_party(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "close party", **how})


@doing("stop-bot", "Stop the bot in a SEAT of TABLE.", click.argument("table"), click.argument("seat"), WHY)
def stop_bot(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "stop bot", **how})


@doing("done", "Mark the report with this number as done.", click.argument("report", type=int), WHY)
def done(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "report done", **how})


@doing(
    "announce",
    "Show a line of TEXT on all pages for a time.",
    click.argument("text"),
    click.option(
        "--for",
        "seconds",
        callback=_seconds,
        metavar="TIME",
        default="1h",
        show_default=True,
        help="Such as 30m, 12h or 7d.",
    ),
)
def announce(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "announce", **how})


@doing("end-announcement", "Take down the announcement with this number.", click.argument("notice", type=int), WHY)
def end_announcement(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "end notice", **how})


@listing(
    "add-worker",
    "Print a token for a machine that will play games: `polemos worker --server URL --token TOKEN`.",
    click.argument("name"),
    shown=str,
)
def add_worker(office: Office, name: str) -> Any:
    return [office.add_worker(name)]


@doing("shut-out", "Give the worker with this number no more games.", click.argument("worker", type=int), WHY)
def shut_out(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "set worker aside", **how})


@doing("let-in", "Give the worker with this number games again.", click.argument("worker", type=int), WHY)
def let_in(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "let worker in", **how})


@doing("pause-ladder", "Pair no new games on the ladder with this number.", click.argument("ladder", type=int), WHY)
def pause_ladder(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "pause ladder", **how})


@doing("pause-bot", "Let the bot with this number play on no ladder.", click.argument("bot", type=int), WHY)
def pause_bot(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "pause bot", **how})


@doing("resume-bot", "Let a bot play again that an operator has paused.", click.argument("bot", type=int), WHY)
def resume_bot(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "resume bot", **how})


@doing("resume-ladder", "Pair games again on the ladder with this number.", click.argument("ladder", type=int), WHY)
def resume_ladder(office: Office, **how: Any) -> list[Executable]:
    return office.do({"act": "resume ladder", **how})


# ---- the database


class Office:
    """The database of a server, opened for one command."""

    def __init__(self, engine: Engine, settings: Settings) -> None:
        from polemos.server.office import lists
        from polemos.server.office.clerk import Clerk

        self.lists, self._engine = lists, engine
        names = [name for name in (settings.operators or "").split(",") if name.strip()]
        found = [lists.account_called(self.read, name) for name in names]
        self.named = frozenset(row["id"] for row in found if row is not None)
        self.clerk: Clerk = Clerk(self.read, f"{tame(getpass.getuser(), 60)} (command)", self.named)

    def read(self, statement: Executable) -> list[Any]:
        with self._engine.connect() as connection:
            return list(connection.execute(statement).mappings())

    def write(self, statements: list[Executable]) -> None:
        with self._engine.begin() as connection:
            for statement in statements:
                connection.execute(statement)

    def add_worker(self, name: str) -> str:
        secret = secrets.token_urlsafe(24)
        self.write(self.clerk.add_worker(name, secret))
        return secret

    def do(self, said: dict[str, Any]) -> list[Executable]:
        from polemos.wire.office import Deed

        try:
            deed = msgspec.convert(said, Deed)
        except msgspec.ValidationError as error:
            raise click.UsageError(f"{error}.") from None
        return self.clerk.do(deed)


@contextmanager
def opened(config: Path | None, folder: Any, database: Any, operators: Any) -> Iterator[Office]:
    flags = {"folder": folder, "database": database, "operators": operators}
    settings = configured(flags, config).settings
    with part("serve", "operator needs"):
        from sqlalchemy import inspect
        from sqlalchemy.exc import SQLAlchemyError

        from polemos.server.configuration import hidden
        from polemos.server.store.ledger import connect

    if settings.database is None and not (settings.folder / "polemos.db").exists():
        raise NoOffice(f"There is no server in the folder {settings.folder}. Choose another one with --folder.")
    engine = connect(settings.url)
    try:
        if not inspect(engine).has_table("audit"):
            raise NoOffice("This database is of an older version. Start the server once, and it will be upgraded.")
        yield Office(engine, settings)
    except SQLAlchemyError as error:
        reason = str(error.__cause__ or error).strip().splitlines()[0]
        raise NoOffice(f"The database {hidden(settings.url)} can't be used: {tame(reason, 200)}.") from None
    finally:
        engine.dispose()
