"""The files that compiled rules depend on: those with rules, the files they import, and so on.

Imports are found in the text, anywhere in a file, without importing anything. A game's pictures, words, bots and rule
book are left out automatically, because no rule imports them.
"""

from __future__ import annotations

import importlib.util
import os.path
import re
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

Name: TypeAlias = tuple[str, ...]  # of a module, in parts

_HOUSE: Final = Path(__file__).parents[1]  # the folder of `polemos`
_LIBRARIES: Final = {"site-packages", "dist-packages"}  # third-party code: its version counts, not its files
_RULES: Final = re.compile(r"^[ \t]*@(?:\w+\.)*(?:rule|entry|kind)\b", re.MULTILINE)
_IMPORTS: Final = re.compile(  # a syntax tree would take a tenth of a second at every start
    r"""(?:^|[:;])[ \t]*
    (?: from[ \t]+(\.*)([\w.]*)[ \t]*\bimport\b[ \t]*( \( (?:[^)\#] | \#[^\n]*)* \) | (?:\\\n|[^\n])* )
    |   import[ \t]+( (?:\\\n|[^\n])* ) )""",
    re.MULTILINE | re.VERBOSE,
)
_NAMES: Final = re.compile(r"[\w.]+")


def of_room(room: Path, root: Path) -> list[Path]:
    """The files that the rules in this folder depend on; its modules are imported from `root`."""
    return reached((path for path in room.rglob("*.py") if _RULES.search(_text(path))), root)


def reached(first: Iterable[Path], root: Path) -> list[Path]:
    """These files, and all that they import from `root`, from this package or from a game elsewhere, in order."""
    found: set[Path] = set()
    ahead = [(path, root) for path in first]
    own = {path.relative_to(root).parts[0] for path, _ in ahead}
    files: dict[Name, tuple[Path, Path] | None] = {(): None}
    while ahead:
        path, top = ahead.pop()
        if path in found:
            continue
        found.add(path)
        for name in imported(_text(path), path.parent.relative_to(top).parts):
            if name not in files:
                files[name] = _file(name, root, own)
            target = files[name]
            if target is not None:
                ahead.append(target)
    return sorted(found)


def imported(source: str, package: Name) -> set[Name]:
    """The modules that a module of this package may import. `from a import b` gives both a and a.b: b may be a module.

    Comments and texts that look like imports are included. That does no harm: at worst it adds a file too many.
    """
    names: set[Name] = set()
    for dots, module, parts, plain in _IMPORTS.findall(source):
        if plain:
            names.update(tuple(name.split(".")) for name in _NAMES.findall(plain))
            continue
        above = package[: len(package) - len(dots) + 1] if dots else ()
        whence = (*above, *filter(None, module.split(".")))
        names.add(whence)
        names.update((*whence, name) for name in _NAMES.findall(parts))
    return names


def _file(name: Name, root: Path, own: set[str]) -> tuple[Path, Path] | None:
    """The file of a module and the folder it is imported from. None for a library, or if it isn't a module."""
    if name[0] == _HOUSE.name:
        return _under(_HOUSE.parent, name)
    foreign = root.name in _LIBRARIES and name[0] not in own
    if not foreign and (found := _under(root, name)):
        return found
    game = _game(name[0])
    return None if game is None else _under(game, name)


def _under(top: Path, name: Name) -> tuple[Path, Path] | None:
    path = os.path.join(top, *name)
    for file in (f"{path}.py", os.path.join(path, "__init__.py")):
        if os.path.isfile(file):
            return Path(file), top
    return None


@cache
def _game(package: str) -> Path | None:
    """The folder that a game outside this package is imported from: it is a package with a rule book."""
    if package in sys.stdlib_module_names:
        return None
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    folder = Path(spec.origin).parent if spec is not None and spec.origin else None
    return folder.parent if folder is not None and (folder / "book").is_dir() else None


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
