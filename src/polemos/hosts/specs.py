"""What stands for a bot on a command line: a name of ours, a class in a file, a command line, or a person."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from polemos.hosts import inprocess
from polemos.hosts.person import Person
from polemos.hosts.process import ProcessBot
from polemos.kernel.errors import BotFault
from polemos.wire.bot import Budget

PERSON: Final = "human"


def command_of(spec: str) -> list[str] | None:
    """The command line that a spec means, or None where it means a bot in this process.

    `bot.py` is run by the Python that runs Polemos; anything else with its own interpreter says so: `node bot.js`.
    """
    if ".py:" in spec:
        return None
    if spec.endswith(".py") and Path(spec).is_file():
        return [sys.executable, str(Path(spec).resolve())]
    try:
        words = shlex.split(spec)
    except ValueError as error:
        raise BotFault(f"{spec[:60]!r} is no command line: {error}.") from None
    if Path(spec).is_file():
        words = [spec]  # a path with blanks
    if not words:
        return None
    if Path(words[0]).is_file():
        return [str(Path(words[0]).resolve()), *words[1:]]
    return words if shutil.which(words[0]) else None


def check(game: Any, spec: str) -> None:
    """Raises a BotFault for a spec that means nothing, before any game is begun."""
    if spec != PERSON and spec not in game.bots and command_of(spec) is None:
        inprocess.maker(game, spec)


def is_trusted(game: Any, spec: str) -> bool:
    """Whether the bot runs within this process."""
    return spec in game.bots or ".py:" in spec or spec == PERSON


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
) -> Any:
    """The bot for one seat of one match."""
    if spec == PERSON:
        return Person(game, setting, seat)
    command = None if spec in game.bots else command_of(spec)
    if command is None:
        return inprocess.make(game, spec, setting, seat, seed)
    return ProcessBot(game, command, setting, seat, seed, seats=seats, budget=budget, log=log)


def close(bots: Sequence[Any], outcome: Any) -> None:
    """Ends whatever runs outside of this process."""
    for bot in bots:
        if hasattr(bot, "close"):
            with suppress(Exception):  # nothing that one bot does may keep the others running
                bot.close(outcome)
