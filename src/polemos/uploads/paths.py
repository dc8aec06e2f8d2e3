"""Names of files in an archive: those that every system reads in the same way, and no two alike anywhere."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Final

from polemos.kernel.orders import printable
from polemos.uploads.limits import Limits
from polemos.uploads.refusals import Refused

# What file managers and tools leave behind. Hidden files are left out too, because people keep secrets in them.
LEFT_OUT: Final = frozenset(("__pycache__", "__MACOSX", "Thumbs.db", "desktop.ini"))
_WINDOWS: Final = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?", re.IGNORECASE)
MAX_BYTES: Final = 255  # of one name, on nearly every file system
_FORBIDDEN: Final = '<>:"|?*'


def quoted(name: str) -> str:
    """A name as it can stand in a sentence."""
    short = name if len(name) <= 60 else name[:57] + "..."
    return f'"{printable(short)}"'


def parts_of(name: str, limits: Limits) -> tuple[str, ...]:
    """The folders and the name of an entry; raises Refused for a name that leads out or that some system cannot have.

    >>> parts_of("./bot/src/main.rs", Limits())
    ('bot', 'src', 'main.rs')
    """
    if name.startswith("/") or re.match(r"[A-Za-z]:[/\\]", name):
        raise Refused("archive/path", f"{quoted(name)} is an absolute path. Pack the bot's folder with relative paths.")
    if "\\" in name:
        raise Refused("archive/name", f"{quoted(name)} has a backslash in its name. Separate folders with /.")
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if ".." in parts:
        raise Refused("archive/path", f"{quoted(name)} leads out of the bot's folder.")
    if len(parts) > limits.depth:
        raise Refused("archive/depth", f"{quoted(name)} is more than {limits.depth} folders deep.")
    if sum(map(len, parts)) + len(parts) - 1 > limits.path:
        raise Refused("archive/name", f"{quoted(name)} is too long: paths have at most {limits.path} characters.")
    for part in parts:
        _check(part, limits)
    return parts


def _check(part: str, limits: Limits) -> None:
    fault = _fault(part, limits)
    if fault:
        raise Refused("archive/name", f"The file name {quoted(part)} {fault}. Rename it.")


def _fault(part: str, limits: Limits) -> str:
    """What is wrong with one name, as the end of a sentence."""
    if any(unicodedata.category(sign) == "Cs" for sign in part):
        return "is not UTF-8"
    if len(part) > limits.name or len(part.encode()) > MAX_BYTES:
        return f"is longer than {limits.name} characters or {MAX_BYTES} bytes"
    if any(unicodedata.category(sign)[0] == "C" or sign in "\u2028\u2029" for sign in part):
        return "has control characters or invisible ones in it"
    if any(sign in _FORBIDDEN for sign in part):
        return f"has one of the characters {' '.join(_FORBIDDEN)} in it, which Windows does not allow"
    if part[-1] in ". " or part[0] == " ":
        return "begins or ends with a blank or ends with a dot, which Windows does not allow"
    if _WINDOWS.fullmatch(part):
        return "belongs to a device on Windows"
    return ""


def is_file(path: Path) -> bool:
    """Whether there is such a file; also for a path that can't be one, because it is too long, say."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_left_out(parts: tuple[str, ...]) -> bool:
    return any(part.startswith(".") or part in LEFT_OUT for part in parts)


class Taken:
    """The names so far. Two that some system would take for one are refused."""

    def __init__(self) -> None:
        self._spelt: dict[str, str] = {}  # a name as such a system sees it, and as it is spelt
        self._files: set[str] = set()
        self._folders: set[str] = set()

    def add(self, parts: tuple[str, ...]) -> str:
        """The path of a new file; raises Refused if it clashes with another."""
        for end in range(1, len(parts)):
            folder = "/".join(parts[:end])
            if folder in self._files:
                raise Refused("archive/clash", f"{quoted(folder)} is both a file and a folder.")
            self._spell(folder)
            self._folders.add(folder)
        path = "/".join(parts)
        if path in self._files:
            raise Refused("archive/clash", f"{quoted(path)} is in the archive twice.")
        if path in self._folders:
            raise Refused("archive/clash", f"{quoted(path)} is both a file and a folder.")
        self._spell(path)
        self._files.add(path)
        return path

    def _spell(self, path: str) -> None:
        known = self._spelt.setdefault(unicodedata.normalize("NFC", path).casefold(), path)
        if known != path:
            raise Refused(
                "archive/clash",
                f"{quoted(known)} and {quoted(path)} differ only in case or accents, so some systems take them for "
                "one. Rename one of them.",
            )
