"""The folder of a server: one server at a time uses it, and nobody else on the machine can read its secrets."""

from __future__ import annotations

import errno
import logging
import os
import secrets
import sys
from pathlib import Path
from typing import IO, Final

from sqlalchemy import make_url

from polemos.kernel.errors import PolemosError

SECRET: Final = 32  # bytes
PRIVATE: Final = 0o600
HELD: Final = (errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)  # how a system says that it is locked
BESIDE: Final = ("", "-wal", "-shm", "-journal")  # SQLite keeps a database in several files

_log = logging.getLogger("polemos")


class Unusable(PolemosError):
    """A server cannot start in this folder."""

    word = "server/folder"


class Claim:
    """A folder that this server holds until it is released, or until the process ends in whatever way."""

    def __init__(self, folder: Path, url: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._lock: IO[bytes] = _locked(folder)
        try:
            secret_in(folder)  # a bad one is reported before anything else
            name = make_url(url).database if url.startswith("sqlite") else None
            if name and name != ":memory:":
                _make_private(Path(name))
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        self._lock.close()


def secret_in(folder: Path) -> bytes:
    """The secret of this server, created once; the file appears complete or not at all."""
    path = folder / "secret"
    if path.exists():
        _tighten(path)
        found = path.read_bytes()
        if len(found) >= SECRET:
            return found
        if found:
            raise Unusable(
                f"{path} has {len(found)} bytes and needs {SECRET}: anyone could guess it. Restore it from a backup, or"
                " delete it to get a new one. With a new one, links for joining a team change."
            )
        _log.warning("%s was empty. A new one was created; links for joining a team have changed.", path)
    fresh = folder / f".secret-{os.getpid()}"
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE), "wb") as file:
        file.write(secrets.token_bytes(SECRET))
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    return path.read_bytes()


def _locked(folder: Path) -> IO[bytes]:
    """The lock of the folder. The system gives it back even if the process is killed."""
    path = folder / "lock"
    file = open(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE), "r+b")  # noqa: SIM115  it stays open
    try:
        _lock(file)
    except OSError as error:
        if error.errno not in HELD:
            _log.warning("%s cannot be locked (%s). Make sure that one server at a time uses it.", folder, error)
            return file
        held = file.read(20).decode(errors="replace").strip()
        file.close()
        raise Unusable(
            f"Another Polemos server is using the folder {folder}{f' (process {held})' if held.isdigit() else ''}."
            " Stop it first, or choose another folder with --folder."
        ) from None
    file.truncate()
    file.write(b"%d\n" % os.getpid())
    file.flush()
    return file


def _lock(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        file.seek(1 << 20)  # a place that others do not read
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _make_private(database: Path) -> None:
    """Creates the file of a database for us alone; SQLite gives the files beside it the same rights."""
    database.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(database, os.O_RDWR | os.O_CREAT, PRIVATE))
    for end in BESIDE:
        beside = database.with_name(database.name + end)
        if beside.exists():
            _tighten(beside)


def _tighten(path: Path) -> None:
    """Takes away the rights of others on this machine."""
    if os.name != "posix" or path.stat().st_mode & 0o077 == 0:
        return
    try:
        path.chmod(PRIVATE)
        _log.warning("Others on this machine could read %s. It is private now (mode 600).", path)
    except PermissionError:
        _log.warning("Others on this machine can read %s, and it is not ours to change. Run: chmod 600 %s", path, path)
