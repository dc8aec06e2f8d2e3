"""The journal of a tournament: its plan, then every game played, one JSON line each, in order of arrival.

A game only counts once it is on disk. Every line carries a digest of itself and of all lines before it. A line that was
cut off while being written never counted, and opening the journal drops it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from polemos.arena.tournament.plan import Plan, Played
from polemos.kernel.decode import Unreadable, decode
from polemos.kernel.errors import PolemosError
from polemos.kernel.own_file import InUse, OwnFile, sync_folder

NAME: Final = "journal.jsonl"
_BEGINNING: Final = b'{"tournament":'
_CHAINED: Final = re.compile(rb'(\{.*),"chain":"([0-9a-f]{32})"\}', re.DOTALL)


class JournalError(PolemosError):
    word = "journal/bad"


class Head(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    tournament: Literal[1]  # number of the format
    plan: Plan


class Journal:
    """The journal in a folder. Only one process can have it open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / NAME
        self.plan: Plan | None = None
        self.games: dict[int, Played] = {}
        self._chain = b""
        self._lines = 0
        self._end = 0
        folder.mkdir(parents=True, exist_ok=True)
        try:
            self._file = OwnFile(self.path)
        except InUse:
            raise JournalError(f"{folder} is in use: this tournament is already running.") from None
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    # ---- reading

    def _read(self) -> None:
        *lines, rest = self.path.read_bytes().split(b"\n")
        for line in lines:
            self._take(line)
        if rest:
            self._take_rest(rest)
        self._file.cut(self._end)

    def _take_rest(self, rest: bytes) -> None:
        """Handles a last line without a newline: valid if an editor removed the newline, otherwise never confirmed."""
        if self._lines == 0 and not _BEGINNING.startswith(rest[: len(_BEGINNING)]):
            raise JournalError(f"{self.path} is not a tournament journal. Choose another folder.")
        try:
            self._take(rest)
        except JournalError:
            return
        self._file.write(b"\n", self._end - 1)

    def _take(self, line: bytes) -> None:
        number = self._lines + 1
        chained = _CHAINED.fullmatch(line)
        if chained is None or _digest(self._chain, chained[1]) != chained[2]:
            raise JournalError(
                f"{self.path} is damaged: line {number} was changed. Restore the file, or delete everything from line"
                f" {number} on; those games are then played again."
            )
        try:
            read = decode(chained[1] + b"}", Head if number == 1 else Played)
        except Unreadable as error:
            raise JournalError(f"{self.path}: line {number} was written by a different version ({error}).") from None
        self._chain, self._lines, self._end = chained[2], number, self._end + len(line) + 1
        if isinstance(read, Head):
            self.plan = read.plan
        else:
            self.games.setdefault(read.number, read)

    # ---- writing

    def begin(self, plan: Plan) -> None:
        self._write([Head(1, plan)])
        self.plan = plan
        sync_folder(self.folder)

    def add(self, games: Sequence[Played]) -> list[Played]:
        """Writes games and waits until they are on disk. Returns those that were not there before."""
        fresh = list({game.number: game for game in reversed(games) if game.number not in self.games}.values())[::-1]
        if fresh:
            self._write(fresh)
            self.games.update((game.number, game) for game in fresh)
        return fresh

    def _write(self, lines: Sequence[Struct]) -> None:
        chain, parts = self._chain, []
        for line in lines:
            body = msgspec.json.encode(line)[:-1]
            chain = _digest(chain, body)
            parts.append(body + b',"chain":"' + chain + b'"}\n')
        data = b"".join(parts)
        self._file.write(data, self._end)
        self._chain, self._lines, self._end = chain, self._lines + len(parts), self._end + len(data)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


def _digest(before: bytes, body: bytes) -> bytes:
    return hashlib.blake2b(before + body, digest_size=16).hexdigest().encode()
