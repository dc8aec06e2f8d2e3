"""Our own bots in the box. Besides its files, such a program sees the Python that runs Polemos and the compiled rules.

A stranger's program can't have this: it is for one command line, which runs nothing but our own code.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

from polemos.hosts import inprocess
from polemos.hosts.bundle import INSIDE, PROGRAMS, Bundle, File, bundled, shelf
from polemos.kernel import cache as rules
from polemos.kernel import rule
from polemos.kernel.errors import BotFault
from polemos.kernel.match import Match
from polemos.kernel.rooms import built_in, package_of

VERB: Final = ("-m", "polemos", "bot")  # what a person writes: `polemos bot GAME NAME`
_INSIDE: Final = ("-I", "-m", "polemos.hosts.speaking")  # isolated: it imports nothing from the folder it starts in
_CACHE: Final = "cache"
_LIBRARIES: Final = ("numba", "numpy", "msgspec", "click")
_NOT_NEEDED: Final = ("site-packages", "test", "idlelib", "share", "include", "*.a")  # of a Python without packages


def command_of(words: Sequence[str]) -> list[str] | None:
    """`polemos bot GAME NAME` as a command of this Python, wherever `polemos` is; None if it is something else."""
    if len(words) == 4 and Path(words[0]).name == "polemos" and words[1] == "bot":
        return [sys.executable, *VERB, *words[2:]]
    return None


def named(command: Sequence[str]) -> tuple[str, str] | None:
    """The game and the bot of such a command."""
    is_ours = len(command) == 6 and tuple(command[1:4]) == VERB and re.fullmatch(r"python[\d.]*", Path(command[0]).name)
    return (command[4], command[5]) if is_ours else None


def pack(game: Any, name: tuple[str, str]) -> Bundle:
    """The command for the box, with the compiled rules as the bot's files: nothing could be compiled in time there."""
    if name[0] != game.name or name[1] not in built_in(game):
        raise BotFault(f"{game.title} has no bot called {' '.join(name)[:60]!r}.")
    rule.prepare(package_of(game))
    match: Any = Match(game, {}, seed=0)
    inprocess.make(game, name[1], match.setting, match.seats[0], 0)  # some compile more when they are first made
    folders = [rules.folder_for(package_of(game)), rules.folder_for(rule.__name__)]
    files = [
        File(f"{_CACHE}/rules/{path.relative_to(folder.parent)}", False, path.read_bytes())
        for folder in folders
        if folder is not None
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    ]
    return bundled((sys.executable, *_INSIDE, *name), tuple(files))


def shown(command: Sequence[str], group: int | None) -> list[str]:
    """What the box shows to this command besides its files; nothing unless it is one of ours."""
    if len(command) != 6 or tuple(command[:4]) != (sys.executable, *_INSIDE):
        return []
    words = ["--setenv", rules.PLACE, f"{INSIDE}/{_CACHE}"]
    for folder in _folders(command[4]):
        words += ["--ro-bind", str(_within_reach(folder, group)), str(folder)]
    return words


def _folders(game: str) -> Iterator[Path]:
    """Python, its packages, Polemos and the game."""
    from polemos import registry

    libraries = {Path(_file(name)).parents[1] for name in _LIBRARIES}
    own = {Path(_file("polemos")).parent, Path(_file(package_of(registry.load(game)).partition(".")[0])).parent}
    known: list[Path] = [PROGRAMS]
    for folder in (Path(sys.base_prefix), Path(sys.prefix), *sorted(libraries), *sorted(own)):
        if not any(folder == other or other in folder.parents for other in known):
            known.append(folder)
            yield folder


def _file(module: str) -> str:
    found = importlib.util.find_spec(module)
    assert found is not None
    assert found.origin is not None
    return found.origin


def _within_reach(folder: Path, group: int | None) -> Path:
    """The folder, or a copy of it if the user of the box can't get there: a Python in root's home, say."""
    if group is None or all(path.stat().st_mode & 0o001 for path in (folder, *folder.parents)):
        return folder
    return _copied(folder, group)


def _copied(folder: Path, group: int) -> Path:
    """A copy that is kept for later matches, made of links if it can be, and made again when a file has changed."""
    home = shelf(group)
    place = home / f"shown-{_digest(folder)}"
    with suppress(FileNotFoundError):
        os.utime(place)  # in use: must not be deleted
        return place
    making = Path(tempfile.mkdtemp(dir=home))
    shutil.copytree(folder, making, symlinks=True, ignore=_ignored(folder), copy_function=_link, dirs_exist_ok=True)
    making.chmod(0o755)
    os.utime(making)  # the time of the folder itself was copied, too, and what is old is deleted
    try:
        making.rename(place)
    except OSError:
        shutil.rmtree(making, ignore_errors=True)  # another process was faster
    return place


@cache
def _digest(folder: Path) -> str:
    """Changes when a file does. A process looks once, since its own Python stays the same."""
    ignored, digest = _ignored(folder), hashlib.blake2b(str(folder).encode(), digest_size=12)
    for here, folders, names in os.walk(folder):
        left_out = ignored(here, [*folders, *names])
        folders[:] = sorted(name for name in folders if name not in left_out)
        for name in sorted(name for name in names if name not in left_out):
            about = os.lstat(os.path.join(here, name))
            digest.update(f"{name} {about.st_size} {about.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _ignored(folder: Path) -> Callable[[Any, list[str]], set[str]]:
    """What a bot does not need of a Python."""
    is_bare = folder == Path(sys.base_prefix) != Path(sys.prefix)
    return shutil.ignore_patterns(*(_NOT_NEEDED if is_bare else ()))


def _link(of: str, to: str) -> None:
    try:
        os.link(of, to)
    except OSError:
        shutil.copy2(of, to)
