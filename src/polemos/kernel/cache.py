"""Where compiled rules are kept between runs.

The compiler's own cache does not notice changes in other files or in compiler flags. So the folder is named after a
digest of everything that the rules of a game can depend on: the files they import (see `sources`), the game's data,
the versions and the mode. The compiler's cache does check where a source file is and when it was written, so both are
in the digest too; otherwise a second copy would look compiled when it is not.
Entries are pickles, so only the user may write to the folder, or nobody at all if it is on a file system that can only
be read. If it is not writable otherwise, caching is switched off with a warning.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import sys
import warnings
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path

from polemos.kernel import mode, sources

_KERNEL = Path(__file__).parent
_STAMP = "complete"
PLACE = "POLEMOS_CACHE"


def folder_for(module: str) -> Path | None:
    """The cache folder for the rules of this module, or None if nothing can be cached."""
    place = _place(module)
    return None if place is None else _folder(*place)


def is_complete(folder: Path) -> bool:
    """Whether every entry of the game was compiled into this folder."""
    return (folder / _STAMP).exists()


def is_frozen(folder: Path) -> bool:
    """Whether this is a whole cache that nobody can write to, us included: in the box, say."""
    if sys.platform == "win32":  # it has no such flag, and no box either
        return False
    return is_complete(folder) and bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def complete(folder: Path) -> None:
    touch(folder / _STAMP)


def touch(stamp: Path) -> None:
    """Notes that something was compiled."""
    with suppress(OSError):  # the disk is full: the rules will be compiled again
        stamp.touch()


def wipe(folder: Path) -> None:
    """Deletes a cache folder that cannot be read."""
    for path in folder.rglob("*"):
        if path.is_file():
            with suppress(OSError):  # it can't be written to
                path.unlink(missing_ok=True)


def root() -> Path:
    """The folder of all caches: POLEMOS_CACHE, or the user's cache folder."""
    if given := os.environ.get(PLACE):
        return Path(given)
    if given := os.environ.get("XDG_CACHE_HOME"):
        return Path(given) / "polemos"
    return Path.home() / ".cache" / "polemos"


@cache
def _place(module: str) -> tuple[str, tuple[Path, ...]] | None:
    """The name of the folder, and the files that this module's rules depend on.

    All rules of a game share one folder, and so do those of the kernel. None if the source cannot be found, because
    then a change to it would go unnoticed.
    """
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):  # a script has no place among the modules
        return None
    if spec is None or spec.origin is None or not Path(spec.origin).is_file():
        return None
    file = Path(spec.origin)
    packages = module.count(".") + (file.name == "__init__.py")
    root = file.parents[packages]
    for folder in list(file.parents)[:packages]:
        if folder == _KERNEL or (folder / "book").is_dir():
            files = _of_room(folder, root)
            if file in files or file == folder / "__init__.py":
                return folder.name, files
    return file.stem, tuple(sources.reached([file], root))


@cache
def _of_room(room: Path, root: Path) -> tuple[Path, ...]:
    data = (path for path in (room / "data").rglob("*") if path.suffix in {".toml", ".json"})
    return (*sources.of_room(room, root), *sorted(data))


@cache
def _folder(name: str, files: tuple[Path, ...]) -> Path | None:
    try:
        folder = root() / "rules" / f"{name}-{_digest(files)}"
        if is_frozen(folder):
            return folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if sys.platform != "win32" and folder.stat().st_uid != os.getuid():
            raise PermissionError(f"{folder} belongs to another user")
        folder.chmod(0o700)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no home folder
        warnings.warn(f"compiled rules cannot be cached ({error}), so every run compiles them again", stacklevel=2)
        return None
    return folder


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.blake2b(digest_size=12)
    versions = [f"{name}={metadata.version(name)}" for name in ("numba", "llvmlite", "numpy")]
    digest.update("\n".join([sys.version, platform.machine(), mode.name(), *versions]).encode())
    for path in files:
        digest.update(f"\n{path}\n{path.stat().st_mtime_ns}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
