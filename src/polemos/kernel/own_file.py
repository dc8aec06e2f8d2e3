"""A file that one process at a time has open. What was written is on the disk before the call returns."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

_FAR: Final = 1 << 30  # Windows keeps others from reading a byte that is locked: this one will never be written


class InUse(Exception):
    """Another process has the file open."""


class OwnFile:
    """Opened for this process alone, or an InUse; readable and writable for its owner only."""

    def __init__(self, path: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT
        if sys.platform == "win32":
            flags |= os.O_BINARY
        self._handle = os.open(path, flags, 0o600)  # journals hold secrets: keys of dice, seeds
        try:
            _lock(self._handle)
        except OSError:
            os.close(self._handle)
            raise InUse from None

    def write(self, data: bytes, at: int) -> None:
        """Writes at the end, which the caller keeps count of; a full disk leaves no half of it behind."""
        try:
            os.lseek(self._handle, at, os.SEEK_SET)
            done = 0
            while done < len(data):
                done += os.write(self._handle, data[done:])
            os.fsync(self._handle)
        except OSError:
            os.ftruncate(self._handle, at)
            raise

    def cut(self, end: int) -> None:
        """What stands from here on never counted."""
        os.ftruncate(self._handle, end)

    def close(self) -> None:
        os.close(self._handle)


def _lock(handle: int) -> None:
    """For as long as the file is open; raises an OSError where another has it."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(handle, _FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def sync_folder(folder: Path) -> None:
    """The name of a new file is on the disk, too. Windows opens no folders, and sees to it by itself."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
