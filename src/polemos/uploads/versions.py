"""The folder of everything that was taken in, by digest. What is there once never changes.

    sources/DIGEST/           an upload, unpacked
    versions/DIGEST/files/    the same, built
    versions/DIGEST/about.json, build.log
    trials/DIGEST/GAME.json   a trial that was passed; GAME.jsonl.gz and GAME.log, its replay and the bot's log
                              (with options: GAME-DIGEST.json and so on)
    making/                   what is not finished; a folder appears under its digest at once or not at all
    locks/DIGEST              held by whoever builds it

The digest is that of the upload: the same files give the same version, whoever sends them and however often.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from polemos.hosts.bundle import PYTHON, Bundle, pack_folder
from polemos.uploads.archives import Contents

UNFINISHED: Final = 86400  # seconds after which what nobody finished is deleted
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")

T = TypeVar("T")


class Version(Struct, frozen=True):
    """A built bot."""

    digest: str  # of its source
    language: str
    build: str
    start: tuple[str, ...]
    files: int
    size: int  # bytes
    content: str  # the digest of the files as they were built
    seconds: float = 0.0  # that the build took
    warnings: int = 0


class Match(Struct, frozen=True):
    """What a trial plays."""

    game: str
    options: dict[str, Any] = {}

    def name(self) -> str:
        """Its name in files."""
        if not self.options:
            return self.game
        raw = msgspec.json.encode(self.options, order="deterministic")
        return f"{self.game}-{hashlib.blake2b(raw, digest_size=8).hexdigest()}"


class Passed(Struct, frozen=True):
    """A trial that was passed."""

    game: str
    edition: int
    words: str  # how it ended
    turns: int
    points: float
    void_lines: int
    strikes: int
    cpu: float  # seconds, the slowest answer
    log_lines: int
    bid: int | None = None  # that it announced, where seats bid


class Versions:
    """Everything in one folder. Several processes can use it at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("sources", "versions", "trials", "making", "locks"):
            (folder / name).mkdir(parents=True, exist_ok=True, mode=0o700)

    # ---- where things are

    def source(self, digest: str) -> Path:
        return self.folder / "sources" / _checked(digest)

    def files(self, digest: str) -> Path:
        return self.folder / "versions" / _checked(digest) / "files"

    def build_log(self, digest: str) -> str:
        path = self.files(digest).parent / "build.log"
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def trial(self, digest: str, match: Match, kind: str) -> Path:
        """A file of a trial: `json`, `jsonl.gz` or `log`."""
        folder = self.folder / "trials" / _checked(digest)
        folder.mkdir(exist_ok=True, mode=0o700)
        return folder / f"{match.name()}.{kind}"

    # ---- making things

    @contextmanager
    def making(self) -> Iterator[Path]:
        """A new folder, which is deleted in the end with all that is still in it."""
        self._clear()
        folder = Path(tempfile.mkdtemp(dir=self.folder / "making", prefix=f"{os.getpid()}-"))
        try:
            yield folder
        finally:
            remove(folder)

    def _clear(self) -> None:
        """Deletes what killed processes have left behind."""
        for folder in (self.folder / "making").iterdir():
            with suppress(OSError):
                if time.time() - folder.stat().st_mtime > UNFINISHED:
                    remove(folder)

    def clear(self) -> None:
        """Deletes everything unfinished. Only for whoever knows that nobody else is at work in this folder."""
        for folder in (self.folder / "making").iterdir():
            remove(folder)

    def clear_after(self, process: int) -> None:
        """Deletes what a process of this machine, which has been stopped, left unfinished."""
        for folder in (self.folder / "making").glob(f"{process}-*"):
            remove(folder)

    @contextmanager
    def lock(self, digest: str) -> Iterator[None]:
        """Waits until nobody else builds or tries this version. A process that dies lets go of it."""
        import fcntl

        with (self.folder / "locks" / _checked(digest)).open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def keep_source(self, folder: Path, contents: Contents) -> Path:
        """Moves an unpacked upload to its place. If it is there already, it counts as new: somebody needs it again."""
        place = _settle(folder, self.source(contents.digest))
        os.utime(place)
        return place

    def sources(self, age: float) -> list[str]:
        """The uploads that were unpacked at least so many seconds ago."""
        before = time.time() - age
        there = [path for path in (self.folder / "sources").iterdir() if _DIGEST.fullmatch(path.name)]
        return sorted(path.name for path in there if path.stat().st_mtime <= before)

    def keep(self, folder: Path, version: Version, log: str) -> Version:
        """Moves a built bot (in `folder/files`) to its place."""
        (folder / "build.log").write_text(log, encoding="utf-8")
        (folder / "about.json").write_bytes(msgspec.json.encode(version))
        _settle(folder, self.files(version.digest).parent)
        return self.version(version.digest) or version

    def version(self, digest: str) -> Version | None:
        """A version that is there, or None."""
        return _read(self.files(digest).parent / "about.json", Version)

    def passed(self, digest: str, match: Match, edition: int) -> Passed | None:
        """A trial that was passed under the same rules."""
        found = _read(self.trial(digest, match, "json"), Passed)
        return found if found is not None and found.edition == edition else None

    def keep_trial(self, digest: str, match: Match, passed: Passed) -> None:
        path = self.trial(digest, match, "json")
        fresh = path.with_name(f".{os.getpid()}-{path.name}")
        fresh.write_bytes(msgspec.json.encode(passed))
        fresh.replace(path)

    # ---- playing

    def bundle(self, version: Version) -> Bundle:
        """The version as the box plays it, on this machine or, sent there, on another."""
        return pack_folder(self.files(version.digest), inside(version.start))

    def delete(self, digest: str) -> None:
        """Deletes everything with this digest."""
        for name in ("versions", "sources", "trials"):
            remove(self.folder / name / _checked(digest))


def inside(start: tuple[str, ...]) -> tuple[str, ...]:
    """The command as the box starts it: Python is always the one of the machine."""
    is_python = re.fullmatch(r"(?:/usr/bin/)?python[0-9.]*", start[0]) is not None
    return (PYTHON, *start[1:]) if is_python else start


def remove(folder: Path) -> None:
    """Deletes a folder, even one whose files nobody may change."""
    if not folder.is_dir():
        return
    for here, _, _ in os.walk(folder):
        with suppress(OSError):
            os.chmod(here, 0o700)
    shutil.rmtree(folder, ignore_errors=True)


def _checked(digest: str) -> str:
    """Digests become names of folders."""
    if not _DIGEST.fullmatch(digest):
        raise ValueError(f"{digest[:80]!r} is not a digest.")
    return digest


def _settle(folder: Path, place: Path) -> Path:
    """Closes a folder against changes and gives it its name. If another process was faster, its folder stays."""
    for here, _, names in os.walk(folder, topdown=False):
        for name in names:
            path = Path(here, name)
            path.chmod(0o550 if os.access(path, os.X_OK) and path.stat().st_mode & 0o100 else 0o440)
        if Path(here) != folder:
            Path(here).chmod(0o550)
    try:
        folder.rename(place)
    except OSError:
        if not place.is_dir():
            raise
        return place
    place.chmod(0o550)  # a folder that may not be written to cannot be moved
    return place


def _read(path: Path, kind: type[T]) -> T | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError):
        return None
