"""Where compiled rules are kept between runs.

The compiler's own cache does not notice a change in another file, nor other compiler flags. So the folder is named by a
digest over all sources and data of kernel and game, the versions and the mode. That cache does look at where a source
lies and when it was written: both are in the digest too, or a second copy would be taken for compiled when it is not.
Entries are pickles: the folder belongs to the user alone. Where it cannot be written, caching is switched off and a
warning says so.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import sys
import warnings
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path

from polemos.kernel import mode

_KERNEL = Path(__file__).parent
_STAMP = "complete"
_APART = {"bots", "book", "draw.py", "guests.py"}  # parts of a game that no rule can depend on


def folder_for(module: str) -> Path | None:
    """The cache folder for rules of this module; None when nothing can be kept."""
    return _folder(_room(module))


def is_complete(folder: Path) -> bool:
    """Whether every entry of the game was compiled into this folder."""
    return (folder / _STAMP).exists()


def complete(folder: Path) -> None:
    with suppress(OSError):  # a full disk: it will be compiled again
        (folder / _STAMP).touch()


def wipe(folder: Path) -> None:
    """Throws away what is kept here: it cannot be read."""
    for path in folder.rglob("*"):
        if path.is_file():
            path.unlink(missing_ok=True)


def root() -> Path:
    """The folder of all caches: POLEMOS_CACHE, or the user's cache folder."""
    if given := os.environ.get("POLEMOS_CACHE"):
        return Path(given)
    if given := os.environ.get("XDG_CACHE_HOME"):
        return Path(given) / "polemos"
    return Path.home() / ".cache" / "polemos"


@cache
def _room(module: str) -> Path:
    """The folder whose sources decide over this module's rules: the kernel, or the game's folder."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return _KERNEL
    here = Path(spec.origin).parent
    for folder in (here, *here.parents):
        if folder == _KERNEL or (folder / "book").is_dir():
            return folder
    return here


@cache
def _folder(room: Path) -> Path | None:
    try:
        folder = root() / "rules" / f"{room.name}-{_digest(room)}"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if folder.stat().st_uid != os.getuid():
            raise PermissionError(f"{folder} belongs to another user")
        folder.chmod(0o700)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no home folder
        warnings.warn(f"compiled rules cannot be kept ({error}); every run compiles anew", stacklevel=2)
        return None
    return folder


def _digest(room: Path) -> str:
    digest = hashlib.blake2b(digest_size=12)
    versions = [f"{name}={metadata.version(name)}" for name in ("numba", "llvmlite", "numpy")]
    digest.update("\n".join([sys.version, platform.machine(), mode.name(), *versions]).encode())
    for top in sorted({_KERNEL, room}):
        for path in sorted(top.rglob("*")):
            inside = path.relative_to(top)
            if path.suffix in {".py", ".toml", ".json"} and not _APART & set(inside.parts):
                digest.update(f"\n{path}\n{path.stat().st_mtime_ns}\n".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()
