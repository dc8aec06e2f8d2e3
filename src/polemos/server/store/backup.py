"""Backups of a server, made while it runs: everything confirmed before the backup is in it.

A backup is a zip file with `about.json`, the database (`polemos.db` from SQLite, `polemos.dump` from PostgreSQL), the
files of uploaded bots, the replays of the ladder unless they are not wanted and, if wanted, the `secret` of the server.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, Literal

import msgspec
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect, update
from sqlalchemy.exc import SQLAlchemyError

from polemos import __version__
from polemos.kernel.errors import PolemosError
from polemos.server.configuration import hidden
from polemos.server.settings import Settings
from polemos.server.store import backup_files, migrate
from polemos.server.store.ledger import connect
from polemos.server.store.schema import processes

ABOUT: Final = "about.json"
SECRET: Final = "secret"
PARTS: Final = {"sqlite": "polemos.db", "postgresql": "polemos.dump"}
FORMAT: Final = 2  # 1: without files of bots and replays


class BadBackup(PolemosError):
    """A backup that cannot be made or used."""

    word = "backup/bad"


class About(msgspec.Struct, frozen=True):
    """What a backup says about itself."""

    format: int
    polemos: str  # the version that made it
    made: float
    database: Literal["sqlite", "postgresql"]
    schema: str  # the last migration
    secret: bool
    bots: int = 0  # versions whose files are in it
    replays: int | None = None  # of the ladder; None: without them


def back_up(settings: Settings, to: Path, *, secret: bool, replays: bool = True) -> About:
    """Writes a backup that only its owner can read. It appears complete or not at all."""
    if to.exists():
        raise BadBackup(f"{to} already exists. Choose another name.")
    with _opened(settings) as engine:
        kind = _kind(engine)
        schema = _schema_of(engine)
    if schema is None:
        raise BadBackup(f"There is no server's database at {hidden(settings.url)}.")
    if secret and not (settings.folder / SECRET).is_file():
        raise BadBackup(f"There is no secret in {settings.folder}/.")
    with tempfile.TemporaryDirectory(dir=to.absolute().parent, prefix=f".{to.name}-") as name:
        part = Path(name) / PARTS[kind]
        part.touch(0o600)
        _dump_sqlite(settings, part) if kind == "sqlite" else _dump_postgresql(settings, part)
        made = time.time()
        whole = Path(name) / "whole"
        whole.touch(0o600)
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
            archive.write(part, PARTS[kind])
            if secret:
                archive.write(settings.folder / SECRET, SECRET)
            bots, kept = backup_files.add(archive, settings, replays=replays)  # after the database, which names them
            about = About(FORMAT, __version__, made, kind, schema, secret, bots, kept if replays else None)
            archive.writestr(ABOUT, msgspec.json.format(msgspec.json.encode(about)))
        with whole.open("rb") as written:
            os.fsync(written.fileno())
        os.link(whole, to)  # unlike a move, this never replaces a file
    return about


def restore(settings: Settings, source: Path) -> About:
    """Fills an empty database and its folders from a backup. An existing database is never touched."""
    try:
        with zipfile.ZipFile(source) as archive, tempfile.TemporaryDirectory() as name:
            about = _about(archive)
            _check_secret(settings, archive, about)
            part = Path(archive.extract(PARTS[about.database], name))
            if settings.database is None:
                settings.folder.mkdir(parents=True, exist_ok=True)
            with _opened(settings) as engine:
                if _kind(engine) != about.database:
                    raise BadBackup(f"{source} is a backup of {about.database}, which {_kind(engine)} can't read.")
                if _is_used(engine):
                    raise BadBackup(
                        f"There already are tables in {hidden(settings.url)}. Restore into an empty database."
                    )
            backup_files.put_back(archive, settings)  # before the database: until that is there, this can be repeated
            _fill_sqlite(settings, part) if about.database == "sqlite" else _fill_postgresql(settings, part)
            _leave_behind(settings)
            if about.secret:
                settings.folder.mkdir(parents=True, exist_ok=True)
                kept = os.open(settings.folder / SECRET, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                with open(kept, "wb") as file:
                    file.write(archive.read(SECRET))
    except zipfile.BadZipFile:
        raise BadBackup(f"{source} is not a backup, or it is damaged.") from None
    return about


# ---- both databases


@contextmanager
def _opened(settings: Settings) -> Iterator[Engine]:
    engine = connect(settings.url)
    try:
        yield engine
    except SQLAlchemyError as error:
        reason = str(error.__cause__ or error).strip().splitlines()[0]
        raise BadBackup(f"The database {hidden(settings.url)} can't be reached: {reason}.") from None
    finally:
        engine.dispose()


def _leave_behind(settings: Settings) -> None:
    """The processes of then don't serve this database: otherwise their tables would wait until their leases end."""
    with _opened(settings) as engine:
        if inspect(engine).has_table(processes.name):  # older databases have none
            with engine.begin() as connection:
                connection.execute(update(processes).values(alive=False))


def _kind(engine: Engine) -> Literal["sqlite", "postgresql"]:
    return "sqlite" if engine.dialect.name == "sqlite" else "postgresql"


def _schema_of(engine: Engine) -> str | None:
    """The last migration that a database has seen; None if it is not one of ours."""
    path = engine.url.database
    if _kind(engine) == "sqlite" and not (path and Path(path).exists()):
        return None  # opening it would create it
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def _is_used(engine: Engine) -> bool:
    path = engine.url.database
    if _kind(engine) == "sqlite" and not (path and Path(path).exists()):
        return False
    return bool(inspect(engine).get_table_names())


def _about(archive: zipfile.ZipFile) -> About:
    try:
        about = msgspec.json.decode(archive.read(ABOUT), type=About)
    except (KeyError, msgspec.DecodeError):
        raise BadBackup(f"{archive.filename} is not a backup of Polemos.") from None
    known = {script.revision for script in ScriptDirectory.from_config(migrate.configured()).walk_revisions()}
    if about.format > FORMAT or about.schema not in known:
        raise BadBackup(
            f"This backup was made by Polemos {about.polemos}, which is newer than this version ({__version__})."
        )
    try:
        backup_files.check(archive)
    except backup_files.BadName as name:
        raise BadBackup(f"{archive.filename} is not a backup of Polemos: it has a file {str(name)[:80]!r}.") from None
    if (broken := archive.testzip()) is not None:
        raise BadBackup(f"{archive.filename} is damaged: {broken} is not as it was written.")
    return about


def _check_secret(settings: Settings, archive: zipfile.ZipFile, about: About) -> None:
    path = settings.folder / SECRET
    if about.secret and path.exists() and path.read_bytes() != archive.read(SECRET):
        raise BadBackup(f"{path} is the secret of another server. Restore into an empty folder.")


# ---- SQLite


def _file_of(settings: Settings) -> Path:
    return Path(settings.url.removeprefix("sqlite:///"))


def _dump_sqlite(settings: Settings, part: Path) -> None:
    """SQLite's online backup, in one go: the copy is the database as it was at one moment."""
    with closing(sqlite3.connect(_file_of(settings), timeout=30)) as source, closing(sqlite3.connect(part)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")


def _fill_sqlite(settings: Settings, part: Path) -> None:
    with closing(sqlite3.connect(part)) as copy:
        found = copy.execute("PRAGMA integrity_check").fetchone()[0]
    if found != "ok":
        raise BadBackup(f"The database in this backup is damaged: {found}.")
    target = _file_of(settings)
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}-{os.getpid()}")
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file, part.open("rb") as source:
        shutil.copyfileobj(source, file)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(target)


# ---- PostgreSQL


def _dump_postgresql(settings: Settings, part: Path) -> None:
    _run("pg_dump", settings, "--format=custom", "--no-owner", "--no-privileges", "--file", str(part))


def _fill_postgresql(settings: Settings, part: Path) -> None:
    words = ("--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error", str(part))
    _run("pg_restore", settings, *words)


def _run(program: str, settings: Settings, *words: str) -> None:
    """Runs a program of PostgreSQL. The address goes through the environment, because it may have a password."""
    found = shutil.which(program)
    if found is None:
        raise BadBackup(f"Backups of PostgreSQL need {program}. On Debian: apt-get install postgresql-client.")
    import psycopg.conninfo

    given = psycopg.conninfo.conninfo_to_dict(settings.url)
    names = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD", "dbname": "PGDATABASE"}
    names |= {"sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT", "sslcert": "PGSSLCERT", "sslkey": "PGSSLKEY"}
    env = {**os.environ, **{names[name]: str(value) for name, value in given.items() if name in names}}
    target = ("--dbname", str(given.get("dbname", ""))) if program == "pg_restore" else ()
    result = subprocess.run([found, *target, *words], env=env, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        lines = result.stderr.strip().splitlines() or ["no reason given"]
        raise BadBackup(f"{program} failed: {lines[0].removeprefix(f'{program}: ')}.")
