"""What bots are called: by the name they announce, their manifest, their folder, or their file.

Names come from outside. They are short, show what they say, and none can be taken for another's: brackets are ours, so
what stands in them is true, and whoever announces the name of one of our bots or of another entrant gets some.
"""

from __future__ import annotations

import shlex
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Any, Final

from msgspec import Struct

from polemos.hosts import specs
from polemos.hosts.bundle import path_of
from polemos.kernel.errors import BotFault
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.rooms import built_in
from polemos.kernel.tame import likeness, tame

MAX: Final = 32  # characters of a name,
_MAX_OTHER: Final = 20  # and of what tells it apart
MANIFEST: Final = "bot.toml"
_MAX_MANIFEST: Final = 1 << 16  # bytes
_BRACKETS: Final = str.maketrans("", "", "()[]{}<>（）［］｛｝")
_BUILT: Final = ("bin", "build", "debug", "dist", "out", "release", "src", "target")  # these say nothing of the bot
_NOBODYS: Final = (SPECTATOR, UMPIRE, specs.PERSON, "nobody", "NEW", "OLD")


class Called(Struct, frozen=True):
    """A name, and what can tell it from an equal one."""

    name: str
    others: tuple[str, ...] = ()  # the best first: its folder, its file, the folder above
    is_known: bool = False  # one of ours, a person, or named by whoever invited it: it keeps its name


def announced(text: str, limit: int = MAX) -> str:
    """A name that a program, a file or a folder has, made harmless.

    >>> announced("Fal<b>con\\u202e (NEW)")
    'Falbcon NEW'
    """
    return tame(text.translate(_BRACKETS), limit)


def called(game: Any, spec: str, said: str = "") -> Called:
    """What a bot is called; `said` is the name that it announced, if it has been asked."""
    if spec == specs.PERSON or spec in built_in(game):
        return Called(spec, is_known=True)
    rest = specs.dialect_of(game, spec)[1]
    if ".py:" in rest:
        file, _, name = rest.rpartition(":")
        return _called([name], Path(file).resolve())
    path = _path(rest)
    if path is None:
        return _called([said, *_in_spec(rest)], None)
    folder = path if path.is_dir() else path.parent
    return _called([said, _manifested(folder), _home(folder).name, path.stem], path)


def _called(names: Iterable[str], path: Path | None) -> Called:
    name = next((found for name in names if (found := announced(name))), "bot")
    if path is None:
        return Called(name)
    home = _home(path if path.is_dir() else path.parent)
    others = [home.name, *([] if path.is_dir() else [path.stem]), home.parent.name]
    tamed = (announced(other, _MAX_OTHER) for other in others)
    return Called(name, tuple(other for other in tamed if other and likeness(other) != likeness(name)))


def _path(spec: str) -> Path | None:
    """The bot's own file or folder, if it is on this machine."""
    with suppress(BotFault, OSError):
        command = specs.command_of(spec)
        return None if command is None else path_of(command)
    return None


def _in_spec(spec: str) -> list[str]:
    """Names for a program whose files are elsewhere."""
    try:
        words = shlex.split(spec) or [spec]
    except ValueError:
        words = [spec]
    word = PurePath(next((word for word in words if "/" in word or "." in word), words[0]))
    return [word.parent.name, word.stem]


def _home(folder: Path) -> Path:
    """The folder that a program is named after: not the one that its compiler writes to."""
    while folder.name.lower() in _BUILT and folder.parent.name:
        folder = folder.parent
    return folder


def _manifested(folder: Path) -> str:
    """The name in the bot's manifest, if it has one."""
    for place in (folder, _home(folder)):
        with suppress(OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
            with (place / MANIFEST).open("rb") as file:
                name = tomllib.loads(file.read(_MAX_MANIFEST).decode()).get("name")
            if isinstance(name, str):
                return name
    return ""


# ---- several bots


def told_apart(game: Any, bots: Sequence[Called], *, numbered: bool = True) -> list[str]:
    """Their names, no two alike: `Falcon (v1)` and `Falcon (v2)` after their folders, else `Falcon (2)`.

    Whoever takes the name of one of our bots, of a seat or of the umpire is told by its folder, too. Without numbers,
    two bots that nothing tells apart keep one name.
    """
    known = {likeness(name) for name in (*built_in(game), *game.facts.seats, *_NOBODYS)}
    alike = Counter(likeness(bot.name) for bot in bots)
    names = [
        bot.name if bot.is_known or (alike[it] == 1 and it not in known) else _by_other(bot, bots, it in known)
        for bot in bots
        for it in (likeness(bot.name),)
    ]
    return _numbered(bots, names) if numbered else names


def _by_other(bot: Called, bots: Sequence[Called], is_known: bool) -> str:
    """Its name with what only it has of all with this name."""
    rivals = [one for one in bots if not one.is_known and likeness(one.name) == likeness(bot.name)]
    for other in bot.others:
        if sum(likeness(other) in map(likeness, rival.others) for rival in rivals) == 1:
            return f"{bot.name} ({other})"
    return f"{bot.name} (bot)" if is_known else bot.name


def _numbered(bots: Sequence[Called], names: Sequence[str]) -> list[str]:
    found, seen = list(names), set[str]()
    for i in sorted(range(len(bots)), key=lambda i: not bots[i].is_known):
        number = 1
        while likeness(found[i]) in seen:
            number += 1
            found[i] = f"{names[i]} ({number})"
        seen.add(likeness(found[i]))
    return found
