"""An append-only file of acts. Every act is on disk before it is confirmed.

A line that was cut off while being written was never confirmed, and opening the journal drops it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from polemos.kernel.decode import Unreadable, decode
from polemos.kernel.errors import PolemosError
from polemos.kernel.own_file import InUse, OwnFile


class JournalError(PolemosError):
    word = "journal/bad"


PERSON = "person"


class Head(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: the game, the players, and the key of the dice."""

    desk: Literal[1]
    game: str
    edition: int
    title: str
    options: dict[str, Any]
    players: dict[str, str]
    secret: bool  # a person is playing, so the maps of others are not drawn
    key: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    party: dict[str, Any] | None = None  # names, courts and options of a party around the board


class Act(Struct, frozen=True, forbid_unknown_fields=True, tag_field="act", tag=str.lower):
    """Something done at the desk."""


class Draft(Act, frozen=True):
    seat: str
    lines: list[str]


class File(Act, frozen=True):
    seat: str


class Reopen(Act, frozen=True):
    seat: str


class Call(Act, frozen=True, omit_defaults=True):
    text: str
    reason: str = ""  # given if maps had already been handed out


class Drop(Act, frozen=True):
    seat: str


class Stay(Act, frozen=True):
    seat: str


class Run(Act, frozen=True):
    pass


class Release(Act, frozen=True):
    pass


class Back(Act, frozen=True):
    reason: str


class Party(Act, frozen=True):
    """An entry of a party's own journal. The board follows from these entries alone."""

    entry: dict[str, Any]


AnyAct = Draft | File | Reopen | Call | Drop | Stay | Run | Release | Back | Party


class Journal:
    """The acts of one evening, one JSON line each. Only one process can have it open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # the key of the dice is nobody else's to read
        try:
            self._file = OwnFile(path)
        except InUse:
            raise JournalError(f"{path.parent} is already open in another window. Close that one first.") from None
        try:
            self.head: Head | None = None
            self.acts: list[AnyAct] = []
            self._end = self._read()
        except BaseException:
            self._file.close()
            raise

    def _read(self) -> int:
        """Reads all complete lines and returns the position of the next one."""
        raw = self.path.read_bytes()
        lines = raw.split(b"\n")
        rest = lines.pop()
        for number, line in enumerate(lines, 1):
            self._take(line, number)
        end = len(raw) - len(rest)
        if rest and self._is_whole(rest, len(lines) + 1):  # an editor removed the last newline
            self._file.write(b"\n", len(raw))
            end = len(raw) + 1
        elif rest and end == 0:
            raise JournalError(f"{self.path} is not a journal, or its first line is cut off. Choose another folder.")
        self._file.cut(end)
        return end

    def _is_whole(self, line: bytes, number: int) -> bool:
        try:
            self._take(line, number)
        except JournalError:
            return False
        return True

    def _take(self, line: bytes, number: int) -> None:
        try:
            if number == 1:
                self.head = decode(line, Head)
            else:
                self.acts.append(decode(line, AnyAct))
        except Unreadable as error:
            raise JournalError(
                f"{self.path} was changed: line {number} is not an act ({error}). Restore the file, or start again"
                " in another folder."
            ) from None

    def begin(self, head: Head) -> None:
        self._write(head)
        self.head = head

    def add(self, act: AnyAct) -> None:
        """Writes an act and waits until it is on disk."""
        self._write(act)
        self.acts.append(act)

    def _write(self, what: Struct) -> None:
        line = msgspec.json.encode(what) + b"\n"
        self._file.write(line, self._end)
        self._end += len(line)

    def close(self) -> None:
        self._file.close()
