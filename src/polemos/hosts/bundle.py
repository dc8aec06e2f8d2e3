"""A snapshot of a bot's files, to show in the box or send to another machine.

Every bot has its own folder, which is copied. So the bot plays with the files it began with, sees nothing else on this
machine, and may be stored where others cannot read it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from polemos.kernel.errors import BotFault

INSIDE: Final = "/bot"  # where the box shows the folder
PYTHON: Final = "/usr/bin/python3"
PROGRAMS: Final = Path("/usr")  # where this machine's programs are
MAX_FILES: Final = 2000
MAX_BYTES: Final = 64 << 20
NOT_TAKEN: Final = ("__pycache__",)
KEPT: Final = 3 * 86400  # seconds to keep unpacked files after their last use


class File(Struct, frozen=True):
    path: str  # relative to the folder
    runs: bool  # executable
    data: bytes


class Bundle(Struct, frozen=True):
    """A command line as seen inside the box, and the files it needs."""

    command: tuple[str, ...]
    files: tuple[File, ...]
    digest: str  # of everything: a different digest means a different bot


# ---- packing

_packed: dict[str, Bundle] = {}


def bundle_of(spec: str, command: Sequence[str], without: Path | None = None) -> Bundle:
    """The bundle for a command line, packed once per process; raises a BotFault saying what cannot be packed."""
    if spec not in _packed:
        _packed[spec] = pack(command, without)
    return _packed[spec]


def is_packed(spec: str) -> bool:
    return spec in _packed


def install(bundles: Mapping[str, Bundle]) -> None:
    """Adds bundles that were packed elsewhere, by the spec they stand for."""
    _packed.update(bundles)


def forget(specs: Iterable[str]) -> None:
    """Drops bundles: a process that plays with ever new programs must not keep all of their files."""
    for spec in specs:
        _packed.pop(spec, None)


def pack(command: Sequence[str], without: Path | None = None) -> Bundle:
    """Reads the folder of a bot, except everything under `without`."""
    program, folder = _program(command[0]), _folder(command)
    words = [program or _word(command[0], folder), *(_word(word, folder) for word in command[1:])]
    return bundled(words, tuple(_files(folder, without)) if folder is not None else ())


def pack_folder(folder: Path, command: Sequence[str]) -> Bundle:
    """Reads a whole folder, for a command that is already written as it is typed there."""
    return bundled(command, tuple(_files(folder.resolve(), None)))


def is_whole(bundle: Bundle) -> bool:
    """Whether a bundle from elsewhere is what its digest says."""
    return bundled(bundle.command, bundle.files).digest == bundle.digest


def bundled(words: Sequence[str], files: tuple[File, ...]) -> Bundle:
    """A bundle with its digest."""
    about = repr(
        (list(words), [(file.path, file.runs, len(file.data)) for file in files])
    )  # quoted, because a name may contain anything
    digest = hashlib.blake2b(about.encode(), digest_size=16)
    for file in files:
        digest.update(file.data)
    return Bundle(tuple(words), files, digest.hexdigest())


def _program(word: str) -> str | None:
    """The path under /usr of one of this machine's programs, or None if the bot brings its own."""
    if _is_python(word):
        return PYTHON
    found = shutil.which(word)
    if found is None or _is_own(word):
        return None
    if PROGRAMS in Path(found).parents or Path(found).parent in (Path("/bin"), Path("/sbin")):
        return found
    raise BotFault(
        f"{word} is not under {PROGRAMS}. Programs in the box must be there or in the bot's own folder: "
        "copy it next to the bot, or add --trust to run it without the box."
    )


def _is_own(word: str) -> bool:
    """Whether the word names one of the bot's files: it exists, its name has a folder, and it is not under /usr."""
    path = Path(word)
    return os.sep in word and not _is_python(word) and path.is_file() and PROGRAMS not in path.resolve().parents


def _is_python(word: str) -> bool:
    return re.fullmatch(r"python[0-9.]*", Path(word).name) is not None


def _path_in(word: str) -> Path | None:
    """The file or folder named by a word of a command line; `@file` is a file with further words."""
    path = Path(word.removeprefix("@"))
    try:
        return path.resolve() if path.exists() and PROGRAMS not in path.resolve().parents else None
    except OSError:
        return None


def path_of(command: Sequence[str]) -> Path | None:
    """The first path on the command line: the bot's file or folder."""
    words = command if _is_own(command[0]) else command[1:]
    return next((path for path in map(_path_in, words) if path is not None), None)


def _folder(command: Sequence[str]) -> Path | None:
    """The folder containing the first path on the command line, or that path itself if it is a folder."""
    path = path_of(command)
    return path if path is None or path.is_dir() else path.parent


def _word(word: str, folder: Path | None) -> str:
    """A word as seen inside the box."""
    path = _path_in(word)
    if path is None or folder is None:
        return word
    if path != folder and folder not in path.parents:
        if os.sep not in word:
            return word  # it only looks like a file name
        raise BotFault(f"{word} is not in {folder}. Put everything that the bot needs into one folder.")
    at = "@" if word.startswith("@") else ""
    return f"{at}{INSIDE}" if path == folder else f"{at}{INSIDE}/{path.relative_to(folder)}"


def _files(folder: Path, without: Path | None) -> Iterator[File]:
    """All regular files in the folder. Skips links that lead out of it, hidden files and folders, and devices."""
    left, size = MAX_FILES, 0
    barred = None if without is None else without.resolve()
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name not in NOT_TAKEN and Path(here, name).resolve() != barred
        )
        for name in sorted(names):
            if name.startswith("."):
                continue  # such as .env, where people keep secrets
            path = Path(here, name)
            data = _read(path, folder, MAX_BYTES - size)
            if data is None:
                continue
            left, size = left - 1, size + len(data)
            if left < 0:
                raise BotFault(f"{folder} has more than {MAX_FILES} files. Put the bot into its own folder.")
            yield File(str(path.relative_to(folder)), os.access(path, os.X_OK), data)


def _read(path: Path, folder: Path, limit: int) -> bytes | None:
    real = path.resolve()
    if folder not in real.parents:
        return None
    try:
        handle = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return None
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        data = file.read(limit + 1)
    if len(data) > limit:
        raise BotFault(f"{folder} holds more than {MAX_BYTES >> 20} MB. Put the bot into its own folder.")
    return data


# ---- unpacking


def unpack(bundle: Bundle, group: int | None) -> Path:
    """A folder with the bundle's files, made once and kept for later matches; readable by `group` and by us."""
    home = shelf(group)
    place = home / bundle.digest
    with suppress(FileNotFoundError):
        os.utime(place)  # in use: must not be deleted
        return place
    _clear(home)
    making = Path(tempfile.mkdtemp(dir=home))
    for file in bundle.files:
        path = making / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
        _open_to(path, group, 0o550 if file.runs else 0o440)
    for here, _, _ in os.walk(making):
        _open_to(Path(here), group, 0o750)
    try:
        making.rename(place)  # all or nothing
    except OSError:
        shutil.rmtree(making, ignore_errors=True)  # another process was faster
    return place


def _clear(home: Path) -> None:
    """Deletes folders that have not been used for long, and unfinished ones left by killed processes."""
    for place in home.iterdir():
        with suppress(OSError):
            if time.time() - place.stat().st_mtime > KEPT:
                shutil.rmtree(place.rename(home / f"{place.name}.old"), ignore_errors=True)


def shelf(group: int | None) -> Path:
    """The folder for all of this user's bundles. It must belong to this user alone."""
    home = Path(tempfile.gettempdir()) / f"polemos-bots-{os.getuid()}"
    home.mkdir(mode=0o700, exist_ok=True)
    about = home.lstat()
    if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid() or about.st_mode & 0o022:
        raise BotFault(f"{home} is not a private folder of this user. Delete it and try again.")
    _open_to(home, group, 0o710)
    return home


def _open_to(path: Path, group: int | None, mode: int) -> None:
    if group is not None:
        os.chown(path, -1, group)
    path.chmod(mode)
