"""The folders in a backup: files of uploaded bots, and the replays of the ladder with the logs of their bots.

Rows of the database name these files, and every file is written before its row. So whoever copies the database first
and the folders after it has every file that a row names, except those that were deleted meanwhile.
"""

from __future__ import annotations

import os
import shutil
import zipfile
from pathlib import Path
from typing import Final

from polemos.server.settings import Settings

BOTS: Final = "ladder/bots"
REPLAYS: Final = "ladder/replays"
UPLOADS: Final = ("uploads/place", "uploads/arriving", "uploads/sources", "uploads/versions", "uploads/trials")
_PACKED: Final = (".gz", ".zip", ".tgz", ".xz", ".bz2")


class BadName(ValueError):
    """A file in an archive that belongs nowhere."""


def add(archive: zipfile.ZipFile, settings: Settings, *, replays: bool) -> tuple[int, int]:
    """Adds the folders of a server to an archive; returns the numbers of bots' versions and of replays in it."""
    found = [0, 0]
    for part in (*UPLOADS, BOTS, *([REPLAYS] if replays else ())):
        place = _place(settings, part)
        for path in [place, *_below(place)]:
            name = part if path == place else f"{part}/{path.relative_to(place).as_posix()}"
            try:
                packed = path.suffix in _PACKED
                archive.write(path, name, zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED)
            except FileNotFoundError:  # deleted in the meantime, or there was none
                continue
            found[0] += part == BOTS and path.suffix == ".bot"
            found[1] += part == REPLAYS and path.name.endswith(".jsonl.gz")
    return found[0], found[1]


def _below(place: Path) -> list[Path]:
    """All files and folders, except unfinished ones, whose names begin with a point."""
    found = []
    for here, folders, names in os.walk(place):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [Path(here, name) for name in [*folders, *sorted(names)] if not name.startswith(".")]
    return [path for path in found if not path.is_symlink()]


def check(archive: zipfile.ZipFile) -> None:
    """Raises BadName if a file would lie outside of the folders."""
    for name in _names(archive):
        if ".." in name.split("/") or not any(name == part or name.startswith(f"{part}/") for part in _ALL):
            raise BadName(name)


def put_back(archive: zipfile.ZipFile, settings: Settings) -> None:
    """Writes the files of an archive to the folders of a server. Files that are there stay: names are digests."""
    folders: dict[Path, int] = {}
    for info in archive.infolist():
        part = next((part for part in _ALL if info.filename == part or info.filename.startswith(f"{part}/")), None)
        if part is None:
            continue
        path = _place(settings, part).joinpath(*info.filename.removeprefix(part).split("/"))
        mode = (info.external_attr >> 16) & 0o777
        if info.is_dir():
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.chmod(0o700)  # until its files are there
            folders[path] = mode
        elif not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fresh = path.with_name(f".{path.name}"[:200])
            with archive.open(info) as source, fresh.open("wb") as target:
                shutil.copyfileobj(source, target)
                target.flush()
                os.fsync(target.fileno())
            fresh.chmod(mode)
            fresh.replace(path)
    for path in reversed(folders):
        path.chmod(folders[path])


_ALL: Final = (*UPLOADS, BOTS, REPLAYS)


def _names(archive: zipfile.ZipFile) -> list[str]:
    return [name for name in archive.namelist() if name.startswith(("uploads/", "ladder/"))]


def _place(settings: Settings, part: str) -> Path:
    home, _, rest = part.partition("/")
    return (settings.ladder_home if home == "ladder" else settings.folder / home) / rest
