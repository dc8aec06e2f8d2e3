"""The bots of a tournament, as given on the command line: `SPEC`, `NAME=SPEC`, `all`, `@FILE`."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from polemos.arena.tournament.plan import Entrant
from polemos.hosts import names, specs
from polemos.hosts.bundle import Bundle
from polemos.hosts.names import Called
from polemos.hosts.process import ProcessBot
from polemos.kernel.errors import BadOptions, BotFault
from polemos.kernel.match import Match
from polemos.kernel.rooms import bots_of, built_in
from polemos.wire.bot import Budget

ALL: Final = "all"
MAX: Final = 1000
_MAX_NAME: Final = 40
_NAMED: Final = re.compile(r"(\w[\w.+-]*(?: \w[\w.+-]*)*)=(.+)")


def read(
    game: Any,
    given: Iterable[str],
    *,
    trust: bool = False,
    out: Path | None = None,
    ask: Callable[[str], str] = lambda spec: "",
) -> tuple[Entrant, ...]:
    """The entrants, each checked, with distinct names, full paths and digests of their files.

    `ask` gives the name that a program announces; those that were given one here are not asked.
    """
    found: list[tuple[str | None, str]] = []
    for text in _texts(given):
        found += [(None, name) for name in bots_of(game)] if text == ALL else [_in_full(game, text)]
        if len(found) > MAX:
            raise BadOptions(f"A tournament can have at most {MAX} bots.")
    for _, spec in found:
        if spec == specs.PERSON:
            raise BotFault(
                "A person can't play in a tournament, because many games are played at once. Name bots only."
            )
        specs.check(game, spec, trust=trust, without=out)
    called = [_called(game, name, spec, ask) for name, spec in found]
    return tuple(
        Entrant(name, spec, digest_of(game, spec, trust=trust, out=out))
        for name, (_, spec) in zip(names.told_apart(game, called), found, strict=True)
    )


def _called(game: Any, name: str | None, spec: str, ask: Callable[[str], str]) -> Called:
    if name is not None:
        return Called(name, is_known=True)
    return names.called(game, spec, ask(spec) if specs.is_program(game, spec) else "")


def asked(game: Any, spec: str, options: dict[str, Any], budget: Budget, *, trust: bool) -> str:
    """The name that a program announces when it is started; empty if it has none or does not start."""
    if specs.dialect_of(game, spec)[0] is not None:
        return ""  # guests announce none
    match = Match(game, options, seed=0)
    bot = specs.make(game, spec, match.setting, match.seats[0], 0, seats=match.seats, budget=budget, trust=trust)
    try:
        return bot.name if isinstance(bot, ProcessBot) else ""
    finally:
        specs.close([bot], None)


def bundles(game: Any, entrants: Sequence[Entrant], out: Path) -> dict[str, Bundle]:
    """The files of all programs, by spec."""
    return {e.spec: specs.bundle_for(game, e.spec, out) for e in entrants if specs.is_program(game, e.spec)}


def digest_of(game: Any, spec: str, *, trust: bool, out: Path | None) -> str | None:
    """The digest of a bot's files; None for our own bots."""
    if spec in built_in(game):
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


def _in_full(game: Any, text: str) -> tuple[str | None, str]:
    name, spec = _split(game, text)
    return name, absolute(game, spec)


def _split(game: Any, text: str) -> tuple[str | None, str]:
    """The name given to a bot, if any, and its spec. An `=` within a spec does not make a name.

    If the whole text is a file or a program, there is no name; a name contains no slash, quote or option.
    """
    named = _NAMED.fullmatch(text)
    if named is None or specs.is_program(game, text) or Path(text.partition(".py:")[0] + ".py").is_file():
        return None, text
    return named[1][:_MAX_NAME], named[2].strip()


def _words(spec: str) -> list[str]:
    if Path(spec.rpartition(":")[0] if ".py:" in spec else spec).is_file():
        return [spec]  # a path with spaces
    try:
        return shlex.split(spec)
    except ValueError:
        return [spec]


def absolute(game: Any, spec: str) -> str:
    """The spec with full paths, so that it means the same from any folder."""
    if spec in built_in(game):
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
