"""Reading compressed bytes with a count: what comes out is limited, and so is the memory it takes."""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from collections.abc import Callable
from typing import BinaryIO, Final, Protocol

from polemos.uploads.limits import Limits
from polemos.uploads.refusals import Refused, size

CHUNK: Final = 1 << 16
BEHIND: Final = 100
XZ_MEMORY: Final = 128 << 20  # bytes; `xz -9` needs 65 MB, and a file may ask for 1.5 GB
MAGIC: Final = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz"}


class Meter:
    """Counts what comes out of an archive, against what went in."""

    def __init__(self, limits: Limits, sent: int) -> None:
        self._limits, self._sent = limits, sent
        self._out = 0

    def add(self, number: int, limit: int) -> None:
        """Raises Refused as soon as there is too much."""
        self._out += number
        if self._out > limit:
            raise Refused(
                "archive/size", f"Unpacked, the bot has more than {size(limit)}. Leave out what it doesn't need."
            )
        if self._out > self._limits.free + self._limits.ratio * self._sent:
            raise Refused(
                "archive/bomb",
                f"The archive unpacks to more than {self._limits.ratio} times its size. Send the files less "
                "compressed, or let the bot make them when it is built.",
            )


class _Decompressor(Protocol):
    """What bz2 and lzma have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """zlib in the same form."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def needs_input(self) -> bool:
        return not self._zlib.unconsumed_tail and not self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)


_OPEN: Final[dict[str, Callable[[], _Decompressor]]] = {
    "gzip": _Gzip,
    "bzip2": bz2.BZ2Decompressor,
    "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY),
}


class Stream(io.RawIOBase):
    """The bytes of a file, unpacked if it is compressed. Never holds more than a few chunks of them."""

    def __init__(self, file: BinaryIO, meter: Meter, limit: int) -> None:
        self._file, self._meter, self._limit = file, meter, limit
        begin = file.read(6)
        file.seek(0)
        self._behind = 0  # times that somebody has read on behind the end
        self._open = next((_OPEN[kind] for magic, kind in MAGIC.items() if begin.startswith(magic)), None)
        self._unpacker = None if self._open is None else self._open()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]
        data = self._next(min(len(buffer), CHUNK))
        self._behind += not data
        if self._behind > BEHIND:  # Python looks for the end of an entry for as long as that says it is
            raise Refused("archive/damaged", "The archive is cut off. Send it again.")
        self._meter.add(len(data), self._limit)
        buffer[: len(data)] = data
        return len(data)

    def _next(self, most: int) -> bytes:
        """Some bytes; none at the end."""
        if self._unpacker is None or self._open is None:
            return self._file.read(most)
        rest = b""
        try:
            while True:
                if self._unpacker.eof:  # another one may follow
                    rest = self._unpacker.unused_data or self._file.read(CHUNK)
                    if not rest.strip(b"\0"):
                        return b""
                    self._unpacker = self._open()
                elif self._unpacker.needs_input:
                    rest = self._file.read(CHUNK)
                    if not rest:
                        raise Refused("archive/damaged", "The archive is cut off. Send it again.")
                data = self._unpacker.decompress(rest, most)
                rest = b""
                if data:
                    return data
        except lzma.LZMAError as error:
            if "Memory" in str(error):
                raise Refused("archive/memory", "The archive needs too much memory. Pack it with `xz -6`.") from None
            raise Refused("archive/damaged", f"The archive is damaged: {error}.") from None
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise Refused("archive/damaged", f"The archive is damaged: {error}.") from None
