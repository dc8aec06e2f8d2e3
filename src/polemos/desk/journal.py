"""An append-only file of acts. What was written is on the disk before it is acknowledged.

A line that was cut off while being written was never acknowledged: opening the journal drops it.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Any

import msgspec

from polemos.kernel.errors import PolemosError


class JournalError(PolemosError):
    word = "journal/bad"


class Journal:
    """The acts of one evening, one JSON line each. Only one process can have it open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)  # it holds the secret key
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise JournalError(f"{path.parent} is open at another desk. Close that one first.") from None
        try:
            self.acts = self._read()
        except BaseException:
            os.close(self._file)
            raise

    def _read(self) -> list[dict[str, Any]]:
        raw = self.path.read_bytes()
        end = raw.rfind(b"\n") + 1
        acts = []
        for number, line in enumerate(raw[:end].splitlines(), 1):
            try:
                acts.append(msgspec.json.decode(line, type=dict[str, Any]))
            except msgspec.DecodeError:
                raise JournalError(
                    f"{self.path} was changed: line {number} is no act. Put the file back as it was, or start anew"
                    " in another folder."
                ) from None
        os.ftruncate(self._file, end)
        os.lseek(self._file, end, os.SEEK_SET)
        return acts

    def add(self, act: dict[str, Any]) -> None:
        """Writes an act and waits until the disk has it."""
        line = msgspec.json.encode(act) + b"\n"
        while line:
            line = line[os.write(self._file, line) :]
        os.fsync(self._file)
        self.acts.append(act)

    def close(self) -> None:
        os.close(self._file)
