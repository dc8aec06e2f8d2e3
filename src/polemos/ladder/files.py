"""The folders of a ladder: the files of bots by digest, and replays with the logs of their bots."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from polemos.hosts.bundle import Bundle
from polemos.kernel.errors import PolemosError

_LENGTH: Final = 32  # characters of a digest
_DIGEST: Final = re.compile(rf"[0-9a-f]{{{_LENGTH}}}")


class NoFile(PolemosError):
    """A file that is not in the folder."""

    word = "ladder/no-file"


class Bundles:
    """The files of bots, each bot one file, named by its digest. They never change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, bundle: Bundle) -> str:
        _write(self._path(bundle.digest), msgspec.msgpack.encode(bundle))
        return bundle.digest

    def get(self, digest: str) -> Bundle:
        try:
            data = self._path(digest).read_bytes()
        except FileNotFoundError:
            raise NoFile(f"The files of the bot {digest} are not here.") from None
        return msgspec.msgpack.decode(data, type=Bundle)

    def unfinished(self, time: float) -> Iterator[Path]:
        """Files that were begun before a time and that nobody finishes any more."""
        return (path for path in self.folder.glob(".*") if _is_older(path, time))

    def _path(self, digest: str) -> Path:
        return self.folder / f"{_checked(digest)}.bot"


class Replays:
    """Replays by digest, each with a picture of its end and the logs of its bots beside it; all compressed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, replay: bytes, logs: dict[int, bytes], board: bytes = b"") -> str:
        """`board`: the last position as a picture, compressed."""
        digest = hashlib.blake2b(replay, digest_size=16).hexdigest()
        for entry, log in logs.items():
            if log:
                _write(self.log(digest, entry), gzip.compress(log, mtime=0))
        if board:
            _write(self.board(digest), board, safely=False)
        _write(self.path(digest), replay)
        return digest

    def path(self, digest: str) -> Path:
        return self.folder / _checked(digest)[:2] / f"{digest}.jsonl.gz"

    def log(self, digest: str, entry: int) -> Path:
        return self.folder / _checked(digest)[:2] / f"{digest}-{entry}.log.gz"

    def board(self, digest: str) -> Path:
        return self.folder / _checked(digest)[:2] / f"{digest}.svg.gz"

    def delete(self, digests: Iterable[str]) -> None:
        for digest in digests:
            path = self.path(digest)
            for file in (path, self.board(digest), *path.parent.glob(f"{digest}-*.log.gz")):
                file.unlink(missing_ok=True)

    def before(self, time: float) -> Iterator[str]:
        """The digests of replays that were written before a time, and of what was to lie beside one that never came."""
        for folder in self.folder.glob("??"):
            there = {path.name for path in folder.iterdir()}
            for name in there:
                digest = name[:_LENGTH]
                of = self.path(digest).name if _DIGEST.fullmatch(digest) else ""
                if of and (name == of or of not in there) and _is_older(folder / name, time):
                    yield digest

    def unfinished(self, time: float) -> Iterator[Path]:
        """Files that were begun before a time and that nobody finishes any more."""
        return (path for path in self.folder.glob("??/.*") if _is_older(path, time))


def _is_older(path: Path, time: float) -> bool:
    try:
        return path.stat().st_mtime < time
    except FileNotFoundError:  # it has just been deleted, or got its name
        return False


def _checked(digest: str) -> str:
    if _DIGEST.fullmatch(digest) is None:
        raise NoFile(f"{digest[:40]!r} is not the digest of a file.")
    return digest


def _write(path: Path, data: bytes, *, safely: bool = True) -> None:
    """The file appears complete or not at all. If `safely`, it is on disk when this returns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{secrets.token_hex(8)}-{path.name}")  # two threads may write the same file
    try:
        with fresh.open("wb") as file:
            file.write(data)
            if safely:
                file.flush()
                os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:  # the disk is full, say: what was begun must not fill it further with every try
        fresh.unlink(missing_ok=True)
        raise
