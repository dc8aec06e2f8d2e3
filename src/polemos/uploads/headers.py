"""Headers of a tar, before Python reads what belongs to them: it reads some of that at once, without a bound."""

from __future__ import annotations

import tarfile
from typing import Any, Final, Self

from polemos.uploads.limits import Limits
from polemos.uploads.refusals import Refused, size

_EXTENDED: Final = 482  # the byte that says that more of a sparse file's map follows
_LONG: Final = (
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
)


def counted(limits: Limits) -> type[tarfile.TarInfo]:
    """What `tarfile` makes of each header of one archive: headers that tell of the next entry are short, and few.

    Python searches them with patterns that take a second for each 50 KB of digits, and four times as long for twice
    as many. The map of a sparse file can be as long as the archive, and takes forty times as much memory.
    """
    read = common = 0

    class Entry(tarfile.TarInfo):
        @classmethod
        def frombuf(cls, buf: Any, encoding: str, errors: str) -> Self:
            nonlocal read, common
            found = super().frombuf(buf, encoding, errors)
            if found.size < 0:
                raise Refused("archive/damaged", "The archive is damaged: an entry has fewer than no bytes.")
            if found.type in _LONG:
                read += found.size
                common += found.size if found.type == tarfile.XGLTYPE else 0
                if found.size > limits.header or read > limits.headers or common > limits.common:
                    raise Refused(
                        "archive/header",
                        f"The archive says more than {size(limits.header)} about one entry, or more than "
                        f"{size(limits.headers)} about all of them, or {size(limits.common)} about what they have in "
                        "common. Pack the bot without extra attributes.",
                    )
            if found.type == tarfile.GNUTYPE_SPARSE and bytes(buf)[_EXTENDED]:
                raise _sparse()
            return found

        def _proc_gnusparse_10(self, *_: Any) -> None:
            raise _sparse()

    return Entry


def _sparse() -> Refused:
    return Refused("archive/sparse", "A file in the archive has holes in it. Pack the bot without --sparse.")
