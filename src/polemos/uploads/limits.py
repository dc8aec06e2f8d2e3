"""The limits on what may be sent. Those on builds are in `hosts.workshop`, those on play in `wire.bot`."""

from __future__ import annotations

from msgspec import Struct

from polemos.hosts.bundle import MAX_BYTES, MAX_FILES


class Limits(Struct, frozen=True):
    """What an archive may hold. Everything is counted while it is read; what the archive says of itself is ignored."""

    upload: int = MAX_BYTES  # bytes as they are sent
    files: int = MAX_FILES  # that are kept
    size: int = MAX_BYTES  # bytes of them
    entries: int = 10 * MAX_FILES  # of the archive, with folders and what is left out
    stream: int = 4 * MAX_BYTES  # bytes of a whole tar archive, when unpacked
    ratio: int = 200  # unpacked bytes for each byte sent,
    free: int = 4 << 20  # beyond this many
    header: int = 16 << 10  # bytes that a tar may say about one entry besides its name,
    headers: int = 2 << 20  # about all of them,
    common: int = 1 << 10  # and about what follows: Python gives each entry a copy
    depth: int = 16  # folders in folders
    name: int = 100  # characters of one name
    path: int = 200  # characters of all of it
