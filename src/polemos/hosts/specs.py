"""Bot specs on the command line: the name of one of our bots, a class in a file, a command, or a person."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from polemos.hosts import box, inprocess, ours, running
from polemos.hosts.bundle import Bundle, bundle_of, install, is_packed
from polemos.hosts.guest import GuestBot
from polemos.hosts.person import Person
from polemos.hosts.process import Launch, ProcessBot
from polemos.kernel.capabilities.dialects import Dialects
from polemos.kernel.errors import BotFault
from polemos.kernel.hosted import Hosted
from polemos.kernel.rooms import built_in
from polemos.wire.bot import Budget

PERSON: Final = "human"


def command_of(spec: str) -> list[str] | None:
    """The command that a spec stands for, or None if it means a bot in this process.

    `bot.py` is run by the Python that runs Polemos; for any other interpreter, name it: `node bot.js`.
    """
    if ".py:" in spec:
        return None
    if spec.endswith(".py") and Path(spec).is_file():
        return [sys.executable, str(Path(spec).resolve())]
    try:
        words = shlex.split(spec)
    except ValueError as error:
        raise BotFault(f"{spec[:60]!r} is not a valid command: {error}.") from None
    if Path(spec).is_file():
        words = [spec]  # a path with spaces
    if not words:
        return None
    if own := ours.command_of(words):
        return own
    if len(words) == 1 and words[0].endswith(".py") and Path(words[0]).is_file():
        return [sys.executable, str(Path(words[0]).resolve())]  # a path in quotes
    if Path(words[0]).is_file():
        return [
            str(Path(words[0]).absolute()),
            *words[1:],
        ]  # keep links as they are: a program may depend on the link's name
    return words if shutil.which(words[0]) else None


def dialect_of(game: Any, spec: str) -> tuple[str | None, str]:
    """The dialect that a spec begins with, if any, and the rest of it: `NAME:COMMAND`."""
    name, colon, rest = spec.partition(":")
    return (name, rest) if colon and isinstance(game, Dialects) and name in game.dialects else (None, spec)


def is_program(game: Any, spec: str) -> bool:
    """Whether the bot runs in its own process."""
    if spec in built_in(game) or spec == PERSON:
        return False
    return is_packed(spec) or command_of(dialect_of(game, spec)[1]) is not None


def check(game: Any, spec: str, *, trust: bool = False, without: Path | None = None) -> None:
    """Raises a BotFault, before any game begins, if a spec is invalid or must not be run."""
    if spec == PERSON or spec in built_in(game):
        return
    if is_program(game, spec):
        running.require(spec)
        if not trust:
            box.require(spec)
            bundle_for(game, spec, without)
        return
    name, rest = dialect_of(game, spec)
    if name is not None:
        raise BotFault(f"{rest[:60]!r} is not a program. Write {name}:COMMAND, such as {name}:bot.py.")
    inprocess.require_trust(spec, trust)
    inprocess.maker(game, spec)


def bundle_for(game: Any, spec: str, without: Path | None = None) -> Bundle:
    """The files of a program, as shown in the box; they may come from another machine."""
    command = () if is_packed(spec) else command_of(dialect_of(game, spec)[1])
    assert command is not None
    if command and (own := ours.named(command)) is not None:
        install({spec: ours.pack(game, own)})
    return bundle_of(spec, command, without)


def make(
    game: Any,
    spec: str,
    setting: Any,
    seat: str,
    seed: int,
    *,
    seats: Sequence[str],
    budget: Budget | None = None,
    log: Path | None = None,
    trust: bool = False,
    past: Sequence[Any] | None = None,
) -> Any:
    """The bot for one seat in one match. An untrusted program runs in the box or not at all.

    `past` holds the views sent before, if the program is started in the middle of a match.
    """
    if spec == PERSON:
        return Person(game, setting, seat)
    if not is_program(game, spec):
        inprocess.require_trust(spec, trust)
        return inprocess.make(game, spec, setting, seat, seed)
    dialect, rest = dialect_of(game, spec)
    if not trust:
        box.require(spec)
    bundle = None if trust else bundle_for(game, spec, None if log is None else log.parent)
    command = command_of(rest) if bundle is None else bundle.command
    if command is None:
        raise BotFault(f"{rest[:60]!r} is not a program on this machine.")
    launch = Launch(
        command=tuple(command),
        budget=budget or Budget(),
        log=log,
        bundle=bundle,
        in_scratch=dialect is not None,  # guests may expect to be able to write to their working folder
    )
    if dialect is not None:
        return GuestBot(game.dialects[dialect], launch, setting, seat, seed, seats=seats)
    return ProcessBot(game, launch, setting, seat, seed, seats=seats, past=past)


def close(bots: Sequence[Any], outcome: Any) -> None:
    """Shuts down every bot that runs outside this process."""
    for bot in bots:
        if isinstance(bot, Hosted):
            with suppress(Exception):  # one bot's failure must not keep the others running
                bot.close(outcome)
