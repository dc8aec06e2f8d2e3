"""A file that only one process at a time can open. Writes are on disk before the call returns."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

_FAR: Final = 1 << 30  # on Windows nobody else can read a locked byte, so lock one that is never written


class InUse(Exception):
    """Another process has the file open."""


class OwnFile:
    """Opens the file for this process alone, or raises InUse. Only its owner can read and write it."""

    def __init__(self, path: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT
        if sys.platform == "win32":
            flags |= os.O_BINARY
        self._handle = os.open(path, flags, 0o600)  # journals hold secrets: seeds and the keys of dice
        try:
            _lock(self._handle)
        except OSError:
            os.close(self._handle)
            raise InUse from None

    def write(self, data: bytes, at: int) -> None:
        """Writes at the end, whose offset the caller keeps. If the disk is full, no partial data is left behind."""
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
        """Discards everything from here on."""
        os.ftruncate(self._handle, end)

    def close(self) -> None:
        os.close(self._handle)


def _lock(handle: int) -> None:
    """Locks the file for as long as it is open; raises an OSError if another process holds it."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(handle, _FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def sync_folder(folder: Path) -> None:
    """Puts the name of a new file on disk too. Windows cannot open folders and does this by itself."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
