"""Files of authors, in and out: an upload is written as it arrives, and a source is packed as it is sent."""

from __future__ import annotations

import asyncio
import os
import shutil
import tarfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Final

from polemos.kernel.errors import PolemosError
from polemos.uploads.refusals import size

SILENCE: Final = 60.0  # seconds without a byte after which an upload is given up
SPARE: Final = 1 << 30  # bytes that must stay free on the disk
_CHUNK: Final = 1 << 18


class TooLong(PolemosError):
    word = "upload/too-large"


class Empty(PolemosError):
    word = "upload/empty"


class TooSlow(PolemosError):
    word = "upload/too-slow"


class NoRoom(PolemosError):
    """The disk of the server is full."""

    word = "upload/no-room"


def check_room(folder: Path, limit: int) -> None:
    if shutil.disk_usage(folder).free < SPARE + 4 * limit:
        raise NoRoom("The server has no room for uploads now. Tell its operators, and try again later.")


def check_length(said: str | None, limit: int) -> None:
    """Refuses at once what says that it is too long. What says nothing, or lies, is counted as it comes."""
    if said is not None and said.isdecimal() and int(said[:20]) > limit:
        raise TooLong(f"That is {size(int(said[:20]))}. An upload can have at most {size(limit)}.")


async def arrive(
    chunks: AsyncIterator[bytes], path: Path, limit: int, still: Callable[[], Awaitable[None]] | None = None
) -> int:
    """Writes a file as it arrives, and returns its size; leaves nothing behind if it does not arrive.

    `still` is told from time to time that something arrives.
    """
    fresh = path.with_name(f".{path.name}")
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            count, told = 0, time.monotonic()
            async for chunk in _in_time(chunks):
                count += len(chunk)
                if count > limit:
                    raise TooLong(f"That is too much. An upload can have at most {size(limit)}.")
                file.write(chunk)  # into the cache of the system, which is as fast as it gets
                if still is not None and time.monotonic() - told > SILENCE / 2:
                    told = time.monotonic()
                    await still()
            file.flush()
            await asyncio.to_thread(os.fsync, file.fileno())  # a slow disk must not hold up everybody else
        if not count:
            raise Empty("The upload is empty. Send the file as the body of the request.")
        fresh.replace(path)
        return count
    finally:
        fresh.unlink(missing_ok=True)


async def _in_time(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The parts as they come. A connection that has died says nothing more, and nobody tells us that it has."""
    parts = aiter(chunks)
    while True:
        try:
            async with asyncio.timeout(SILENCE):
                chunk = await anext(parts, None)
        except TimeoutError:
            raise TooSlow(f"Nothing more arrived for {SILENCE:g} seconds. Upload it again.") from None
        if chunk is None:
            return
        if chunk:
            yield chunk


class _Buffer:
    """What a tar has written and nobody has sent yet."""

    def __init__(self) -> None:
        self._data = bytearray()

    def write(self, data: bytes) -> int:
        self._data += data
        return len(data)

    def taken(self) -> bytes:
        data = bytes(self._data)
        self._data.clear()
        return data


def packed(folder: Path, name: str) -> Iterator[bytes]:
    """A folder as a compressed tar. Nothing in it says whose machine it was packed on."""
    buffer = _Buffer()
    with tarfile.open(fileobj=buffer, mode="w|gz") as archive:  # type: ignore[call-overload]
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                info = tarfile.TarInfo(f"{name}/{path.relative_to(folder).as_posix()}")
                info.size = path.stat().st_size
                info.mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
                with path.open("rb") as file:
                    archive.addfile(info, file)
                yield buffer.taken()
    yield buffer.taken()
