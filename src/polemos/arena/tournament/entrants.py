"""The bots of a tournament, as given on the command line: `SPEC`, `NAME=SPEC`, `all`, `@FILE`."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from polemos.arena.tournament.plan import Entrant
from polemos.hosts import specs
from polemos.hosts.bundle import Bundle
from polemos.kernel.errors import BadOptions, BotFault
from polemos.kernel.orders import shown
from polemos.kernel.rooms import bots_of

ALL: Final = "all"
MAX: Final = 1000
_MAX_NAME: Final = 40
_NAMED: Final = re.compile(r"(\w[\w.+-]*(?: \w[\w.+-]*)*)=(.+)")


def read(game: Any, given: Iterable[str], *, trust: bool = False, out: Path | None = None) -> tuple[Entrant, ...]:
    """The entrants, each checked, with distinct names, full paths and digests of their files."""
    found: list[Entrant] = []
    for text in _texts(given):
        found += [Entrant(name, name) for name in bots_of(game)] if text == ALL else [_entrant(game, text)]
        if len(found) > MAX:
            raise BadOptions(f"A tournament can have at most {MAX} bots.")
    for entrant in found:
        if entrant.spec == specs.PERSON:
            raise BotFault(
                "A person can't play in a tournament, because many games are played at once. Name bots only."
            )
        specs.check(game, entrant.spec, trust=trust, without=out)
    return tuple(
        replace(entrant, digest=digest_of(game, entrant.spec, trust=trust, out=out)) for entrant in _distinct(found)
    )


def bundles(game: Any, entrants: Sequence[Entrant], out: Path) -> dict[str, Bundle]:
    """The files of all programs, by spec."""
    return {e.spec: specs.bundle_for(game, e.spec, out) for e in entrants if specs.is_program(game, e.spec)}


def digest_of(game: Any, spec: str, *, trust: bool, out: Path | None) -> str | None:
    """The digest of a bot's files; None for our own bots."""
    if spec in bots_of(game):
        return None
    if specs.is_program(game, spec) and not trust:
        return specs.bundle_for(game, spec, out).digest
    digest = hashlib.blake2b(digest_size=16)
    for word in _words(specs.dialect_of(game, spec)[1]):
        path = Path(word.rpartition(":")[0] if ".py:" in word else word)
        digest.update(path.read_bytes() if path.is_file() else word.encode(errors="surrogateescape"))
    return digest.hexdigest()


def unchanged(game: Any, entrants: Sequence[Entrant], *, trust: bool, out: Path) -> None:
    """Raises a BotFault if a bot has changed since the tournament began."""
    for entrant in entrants:
        specs.check(game, entrant.spec, trust=trust, without=out)
        if entrant.digest != digest_of(game, entrant.spec, trust=trust, out=out):
            raise BotFault(
                f"The files of {entrant.name} ({entrant.spec}) have changed since this tournament began. Restore"
                " them, or start a new tournament in another folder."
            )


# ---- reading


def _texts(given: Iterable[str]) -> Iterator[str]:
    """The arguments, with each `@FILE` replaced by the lines of that file."""
    for text in given:
        if not text.startswith("@"):
            yield text
            continue
        for line in Path(text[1:]).read_text(encoding="utf-8", errors="replace").splitlines():
            if (line := line.strip()) and not line.startswith("#"):
                yield line


def _entrant(game: Any, text: str) -> Entrant:
    name, spec = _split(game, text)
    return Entrant(name or _name(spec), absolute(game, spec))


def _split(game: Any, text: str) -> tuple[str | None, str]:
    """The name given to a bot, if any, and its spec. An `=` within a spec does not make a name.

    If the whole text is a file or a program, there is no name; a name contains no slash, quote or option.
    """
    named = _NAMED.fullmatch(text)
    if named is None or specs.is_program(game, text) or Path(text.partition(".py:")[0] + ".py").is_file():
        return None, text
    return named[1][:_MAX_NAME], named[2].strip()


def _name(spec: str) -> str:
    """The default name of a bot: its spec, with paths cut to their last part."""
    words = [word if word.startswith("-") else Path(word).name or word for word in _words(spec)]
    return shown(" ".join(words))[:_MAX_NAME].strip() or "nobody"


def _words(spec: str) -> list[str]:
    if Path(spec.rpartition(":")[0] if ".py:" in spec else spec).is_file():
        return [spec]  # a path with spaces
    try:
        return shlex.split(spec)
    except ValueError:
        return [spec]


def absolute(game: Any, spec: str) -> str:
    """The spec with full paths, so that it means the same from any folder."""
    if spec in bots_of(game):
        return spec
    dialect, rest = specs.dialect_of(game, spec)
    before = "" if dialect is None else f"{dialect}:"
    words = _words(rest)
    if len(words) == 1:
        word = words[0]  # without the quotes that it may have had
        file, colon, name = word.rpartition(":") if ".py:" in word else (word, "", "")
        return f"{before}{Path(file).resolve()}{colon}{name}" if Path(file).is_file() else spec
    full = [str(Path(word).resolve()) if Path(word).is_file() else word for word in words]
    return spec if full == words else before + shlex.join(full)


def _distinct(entrants: Sequence[Entrant]) -> Iterator[Entrant]:
    """Renames the second entrant with the same name to `name 2`, and so on."""
    taken = {entrant.name for entrant in entrants}
    seen: set[str] = set()
    for entrant in entrants:
        name, number = entrant.name, 1
        while name in seen or (number > 1 and name in taken):
            number += 1
            name = f"{entrant.name} {number}"
        seen.add(name)
        yield replace(entrant, name=name)
