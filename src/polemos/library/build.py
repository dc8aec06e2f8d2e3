"""Building `libpolemos`: headers, a static library and a shared one, in a folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from polemos import __version__
from polemos.kernel import dice
from polemos.kernel.capabilities.in_library import InLibrary, Library
from polemos.kernel.errors import NoLibrary
from polemos.kernel.rooms import package_of
from polemos.library import header
from polemos.library.objects import object_of

COMPILERS: Final = ("cc", "gcc", "clang")
FLAGS: Final = ("-std=c11", "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror")
STATIC: Final = "libpolemos.a"
SHARED: Final = "libpolemos.so"
_C: Final = Path(__file__).parent / "c"


def library_of(game: Any) -> Library:
    """The part of a game in the library; raises NoLibrary if it has none."""
    if not isinstance(game, InLibrary):
        raise NoLibrary(f"{game.title} has no C library.")
    return game.library


def compiler() -> str:
    """The C compiler: $CC, or the first that is installed."""
    chosen = os.environ.get("CC")
    for name in (chosen,) if chosen else COMPILERS:
        if found := shutil.which(name):
            return found
    wanted = f"The C compiler {chosen} (from $CC)" if chosen else "A C compiler"
    raise NoLibrary(f"{wanted} is needed to build the library and is not installed. Install gcc or clang.")


def build(games: Sequence[Any], folder: Path) -> list[Path]:
    """Builds the library of these games in a folder, and returns the files."""
    libraries = [(game, library_of(game)) for game in games]
    cc = compiler()
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place:
        work = Path(place)
        objects = _common(cc, work)
        for game, library in libraries:
            objects += _game(cc, work, game, library)
        _run([cc, "-shared", "-o", SHARED, *objects], work)
        _run([_archiver(), "rcs", STATIC, *objects], work)
        made = ["polemos.h", *(f"polemos_{game.name}.h" for game, _ in libraries), STATIC, SHARED]
        return [Path(shutil.copy(work / name, folder / name)) for name in made]


def _common(cc: str, work: Path) -> list[str]:
    for name in ("polemos.h", "polemos.c"):
        shutil.copy(_C / name, work / name)
    (work / "kernel.o").write_bytes(object_of("polemos.kernel.dice", "polemos_rule_", {"mix": dice.mix}))
    _compile(cc, work, "polemos", (f'-DPOLEMOS_VERSION="{__version__}"',))
    return ["kernel.o", "polemos.o"]


def _game(cc: str, work: Path, game: Any, library: Library) -> list[str]:
    name = game.name
    (work / f"polemos_{name}.h").write_text(header.header(game, library), encoding="utf-8")
    (work / "calls.h").write_text(header.calls(game, library), encoding="utf-8")
    source = (library.folder / "calls.c").read_text(encoding="utf-8")
    (work / f"{name}.c").write_text(f"{source}\n{header.facts(game)}", encoding="utf-8")
    _compile(cc, work, name)
    (work / f"{name}_rules.o").write_bytes(object_of(package_of(game), header.prefix(name), library.rules))
    return [f"{name}.o", f"{name}_rules.o"]


def _compile(cc: str, work: Path, name: str, more: Sequence[str] = ()) -> None:
    _run([cc, *FLAGS, *more, "-c", "-o", f"{name}.o", f"{name}.c"], work)


def _archiver() -> str:
    found = shutil.which("ar")
    if found is None:
        raise NoLibrary("The program ar is needed to build the library and is not installed. Install binutils.")
    return found


def _run(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NoLibrary(f"The C compiler refused the library: {done.stderr.strip()[:2000]}")
