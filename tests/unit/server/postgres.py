"""A real PostgreSQL for as long as the tests run. It refuses to be root, so that somebody else runs it if we are."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from polemos.server.store import migrate
from polemos.server.store.ledger import connect

_number = count()
# Of no use to whoever wants to keep something; much faster.
HASTY = "fsync=off\nsynchronous_commit=off\nfull_page_writes=off\nshared_buffers=16MB\nmax_connections=60\n"


class Postgres:
    """A running cluster that makes databases."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filled: str | None = None

    def new(self) -> str:
        """The address of an empty database."""
        return self._url(self._made())

    def filled(self) -> str:
        """The address of a database with the tables of this version, as a copy of one: migrating takes longer."""
        if self._filled is None:
            self._filled = self._made()
            engine = connect(self._url(self._filled))
            migrate.upgrade(engine)
            engine.dispose()
        return self._url(self._made(f"TEMPLATE {self._filled}"))

    def _made(self, how: str = "") -> str:
        name = f"polemos_{os.getpid()}_{next(_number)}"
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} {how}".encode())
        return name

    def drop(self, url: str) -> None:
        """Deletes a database, whoever is connected to it."""
        name = url.partition("?")[0].rpartition("/")[2]
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())

    def _url(self, database: str) -> str:
        return f"postgresql:///{database}?host={self.folder}&user=umpire"


@contextmanager
def running() -> Iterator[Postgres]:
    folder = Path(tempfile.mkdtemp(prefix="polemos-pg-"))
    server: subprocess.Popen[bytes] | None = None
    try:
        how: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
            how = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        data = folder / "data"
        subprocess.run(
            [_program("initdb"), "-D", data, "-A", "trust", "-U", "umpire", "-E", "UTF8", "--no-sync", "--locale=C"],
            check=True,
            capture_output=True,
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": str(folder)},
            **how,
        )
        with (data / "postgresql.conf").open("a") as settings:
            settings.write(f"{HASTY}listen_addresses=''\nunix_socket_directories='{folder}'\n")
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [_program("postgres"), "-D", data], stdout=log, stderr=log, cwd=folder, start_new_session=True, **how
            )
        _wait(folder)
        yield Postgres(folder)
    finally:
        if server is not None:
            server.send_signal(signal.SIGQUIT)  # at once, whoever is connected
            try:
                server.wait(60)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


def _wait(folder: Path) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        ready = subprocess.run(
            [_program("pg_isready"), "-q", "-h", folder, "-U", "umpire", "-d", "postgres"], check=False, cwd=folder
        )
        if ready.returncode == 0:
            return
        time.sleep(0.05)
    raise AssertionError(f"PostgreSQL does not start: {(folder / 'log').read_text()}")


def _program(name: str) -> str:
    """Debian keeps these out of the way."""
    found = shutil.which(name) or next(
        (str(path) for path in sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)), None
    )
    assert found is not None, "No PostgreSQL: apt-get install -y postgresql"
    return found
