"""Opening what a stranger sent: a single file, a zip or a tar. Nothing in it is believed.

Only plain files are written, into a new folder, under checked names; everything is counted while it is unpacked. An
archive in the archive is a file like any other. Links become copies of the file they lead to, and none may lead out.
"""

from __future__ import annotations

import errno
import hashlib
import mmap
import os
import shutil
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, BinaryIO, Final

from msgspec import Struct

from polemos.kernel.orders import printable
from polemos.uploads import headers, paths
from polemos.uploads.limits import Limits
from polemos.uploads.paths import quoted
from polemos.uploads.refusals import Refused, counted, size
from polemos.uploads.streams import CHUNK, MAGIC, Meter, Stream

MAX_LINKS: Final = 8  # that lead to one another
NOT_OPENED: Final = {
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!": "RAR",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
    b"!<arch>": "ar",
}
_PROGRAMS: Final = (b"#!", b"\x7fELF")
_ENTRY: Final = b"PK\x01\x02"  # every entry in the directory of a zip begins with it
_DAMAGED: Final = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, struct.error, UnicodeError, NotImplementedError),
    *(ValueError, OverflowError, RuntimeError, KeyError, IndexError),
)


class Contents(Struct, frozen=True):
    """What an upload holds, once it is in a folder."""

    digest: str  # of names and contents alone: the same files give the same digest, however they were packed
    files: int
    size: int  # bytes
    left_out: tuple[str, ...] = ()  # hidden files and the like

    def words(self) -> str:
        """
        >>> Contents("", 9, 0).words(), Contents("", 1, 0, (".git",)).words()
        ('9 files, nothing skipped', '1 file, skipped .git')
        """
        names = ", ".join(self.left_out[:3]) + (" and more" if len(self.left_out) > 3 else "")
        return f"{counted(self.files, 'file')}, {f'skipped {names}' if names else 'nothing skipped'}"


class Intake:
    """A new folder that files are written to, one after the other."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.folder, self._limits = folder, limits
        self._taken = paths.Taken()
        self._files: dict[str, tuple[str, int]] = {}  # digest and size
        self._links: dict[str, tuple[str, ...]] = {}  # where they lead
        self._left_out: dict[str, None] = {}
        self._entries = self._size = 0
        folder.mkdir(parents=True)

    def count(self) -> None:
        """One more entry, whatever it is."""
        self._entries += 1
        if self._entries > self._limits.entries:
            raise Refused("archive/files", f"The archive has more than {self._limits.entries:,} entries.")

    def parts(self, name: str) -> tuple[str, ...] | None:
        """The parts of a name; None if the file is left out."""
        parts = paths.parts_of(name, self._limits)
        if paths.is_left_out(parts):
            at = next(i for i in range(len(parts)) if paths.is_left_out(parts[: i + 1]))
            self._left_out.setdefault("/".join(parts[: at + 1]))
            return None
        return parts

    def take(self, parts: tuple[str, ...], data: Iterable[bytes]) -> None:
        """Writes one file. Whether it can be run depends on what is in it, not on what the archive says."""
        path = self._new(parts)
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        digest, written = hashlib.blake2b(digest_size=32), 0
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "wb") as file:
            begin = b""
            for chunk in data:
                begin = begin or chunk[:4]
                written += len(chunk)
                self._size += len(chunk)
                if self._size > self._limits.size:
                    raise Refused(
                        "archive/size",
                        f"Unpacked, the bot has more than {size(self._limits.size)}. Leave out what it doesn't need.",
                    )
                digest.update(chunk)
                file.write(chunk)
        place.chmod(0o700 if begin.startswith(_PROGRAMS) else 0o600)
        self._files[path] = digest.hexdigest(), written

    def _new(self, parts: tuple[str, ...]) -> str:
        path = self._taken.add(parts)
        if len(self._files) + len(self._links) >= self._limits.files:
            raise Refused("archive/files", f"The bot has more than {counted(self._limits.files, 'file')}.")
        return path

    def link(self, parts: tuple[str, ...], target: str, base: tuple[str, ...]) -> None:
        """A link to another file, which is copied at the end."""
        path = self._new(parts)
        leads = list(base)
        if target.startswith("/"):
            raise Refused(
                "archive/link", f"{quoted(path)} is a link that leads out of the archive, to {quoted(target)}."
            )
        for part in target.split("/"):
            if part == "..":
                if not leads:
                    raise Refused(
                        "archive/link", f"{quoted(path)} is a link that leads out of the archive, to {quoted(target)}."
                    )
                leads.pop()
            elif part not in ("", "."):
                leads.append(part)
        self._links[path] = tuple(leads)

    def finish(self) -> Contents:
        """Copies linked files, and takes the bot out of its folder if there is nothing beside it."""
        for path in self._links:
            source = self._end_of(path)
            self._size += self._files[source][1]
            if self._size > self._limits.size:
                raise Refused("archive/size", f"With its links, the bot has more than {size(self._limits.size)}.")
            place = self.folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.folder / source, place, follow_symlinks=False)
            place.chmod((self.folder / source).stat().st_mode & 0o777)
        files = self._files | {path: self._files[self._end_of(path)] for path in self._links}
        if not files:
            raise Refused("archive/empty", "There are no files in it.")
        tops = {path.partition("/")[0] for path in files}
        if len(tops) == 1 and all("/" in path for path in files):
            files = {path.partition("/")[2]: what for path, what in files.items()}
            self._strip(tops.pop())
        digest = hashlib.blake2b(digest_size=32)
        for path in sorted(files):
            digest.update(repr((path, *files[path])).encode())
        return Contents(digest.hexdigest(), len(files), self._size, tuple(self._left_out))

    def _end_of(self, link: str) -> str:
        """The file that a link leads to, over other links."""
        path = link
        for _ in range(MAX_LINKS):
            path = "/".join(self._links[path])
            if path in self._files:
                return path
            if path not in self._links:
                break
        raise Refused(
            "archive/link", f"{quoted(link)} is a link to {quoted(path)}, which is not a file in the archive."
        )

    def _strip(self, top: str) -> None:
        aside = self.folder.with_name(f"{self.folder.name}.top")
        (self.folder / top).rename(aside)
        shutil.rmtree(self.folder)
        aside.rename(self.folder)


# ---- kinds of uploads


def unpack(upload: Path, called: str, folder: Path, limits: Limits | None = None) -> Contents:
    """Unpacks an upload into a new folder; raises Refused. `called` is the name that the sender gave the file."""
    limits = limits or Limits()
    sent = upload.stat().st_size
    if sent > limits.upload:
        raise Refused("archive/size", f"The file has more than {size(limits.upload)}.")
    if sent == 0:
        raise Refused("archive/empty", "The file is empty.")
    intake = Intake(folder, limits)
    with upload.open("rb") as file:
        begin = file.read(512)
        file.seek(0)
        try:
            if begin.startswith((b"PK\x03\x04", b"PK\x05\x06")):
                _zip(file, intake, Meter(limits, sent), limits)
            elif begin.startswith(tuple(MAGIC)) or begin[257:262] == b"ustar" or called.lower().endswith(".tar"):
                _tar(Stream(file, Meter(limits, sent), limits.stream), intake, limits)
            else:
                _single(file, begin, called, intake)
        except _DAMAGED as error:
            raise Refused("archive/damaged", f"The archive is damaged: {_said(error)}. Send it again.") from None
        except OSError as error:
            if error.errno != errno.EINVAL:  # the disk is full, say
                raise
            why = "The archive is damaged: an entry is said to be where no file can reach. Send it again."
            raise Refused("archive/damaged", why) from None
    return intake.finish()


def unpack_tar(tar: BinaryIO, sent: int, folder: Path, limits: Limits) -> Contents:
    """Unpacks a tar archive that a build has left."""
    intake = Intake(folder, limits)
    try:
        _tar(Stream(tar, Meter(limits, sent), limits.stream), intake, limits)
    except _DAMAGED as error:
        raise Refused("archive/damaged", f"It cannot be read: {_said(error)}.") from None
    return intake.finish()


def _said(error: BaseException) -> str:
    return printable(str(error)).rstrip(".")[:120] or type(error).__name__


def _single(file: BinaryIO, begin: bytes, called: str, intake: Intake) -> None:
    kind = next((kind for magic, kind in NOT_OPENED.items() if begin.startswith(magic)), None)
    if kind is not None:
        raise Refused("archive/kind", f"{kind} archives can't be opened here. Send a zip or a tar.gz.")
    if begin.startswith((b"\x7fELF", b"MZ")):
        raise Refused("archive/kind", "This is a compiled program. Send its source; it is built here.")
    parts = intake.parts(called.rsplit("/", 1)[-1])
    if parts:
        intake.take(parts, _chunks(file))


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk


# ---- zip


def _zip(file: BinaryIO, intake: Intake, meter: Meter, limits: Limits) -> None:
    _count_entries(file, limits)
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            intake.count()
            parts = intake.parts(info.orig_filename)
            if not parts or info.orig_filename.endswith("/"):
                continue
            kind = stat.S_IFMT(info.external_attr >> 16)
            if kind not in (0, stat.S_IFREG, stat.S_IFLNK):
                raise Refused("archive/device", f"{quoted(info.filename)} is not a plain file.")
            if info.flag_bits & 0x41:
                raise Refused("archive/secret", "The zip is encrypted. Send it without a password.")
            # The other methods unpack thousands of times more than they are given before anyone can count it.
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise Refused("archive/method", "The zip is packed in an unusual way. Send one packed with deflate.")
            with archive.open(info) as data:
                if kind == stat.S_IFLNK:
                    intake.link(parts, data.read(limits.path).decode(), parts[:-1])
                else:
                    intake.take(parts, _metered(data, meter, limits))


def _count_entries(file: BinaryIO, limits: Limits) -> None:
    """Before `zipfile` makes an object for each entry: an archive of 60 MB can list more than a million."""
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at = count = 0
        while (at := data.find(_ENTRY, at)) >= 0:
            at, count = at + len(_ENTRY), count + 1
            if count > limits.entries:
                raise Refused("archive/files", f"The archive has more than {limits.entries:,} entries.")


def _metered(data: IO[bytes], meter: Meter, limits: Limits) -> Iterator[bytes]:
    for chunk in _chunks(data):
        meter.add(len(chunk), limits.stream)
        yield chunk


# ---- tar


def _tar(stream: Stream, intake: Intake, limits: Limits) -> None:
    entries = headers.counted(limits)
    with tarfile.open(fileobj=stream, mode="r|", errorlevel=2, tarinfo=entries) as archive:
        while (info := archive.next()) is not None:
            archive.members.clear()  # type: ignore[attr-defined]  # or it would keep all of them
            intake.count()
            parts = intake.parts(info.name)
            if not parts or info.isdir():
                continue
            if info.issym():
                intake.link(parts, info.linkname, parts[:-1])
            elif info.islnk():
                intake.link(parts, info.linkname, ())
            elif info.isreg():
                data = archive.extractfile(info)
                assert data is not None
                intake.take(parts, _chunks(data))
            else:
                raise Refused("archive/device", f"{quoted(info.name)} is not a plain file.")
