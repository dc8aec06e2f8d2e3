"""Code shared by several commands: loading a game with a progress bar, options as NAME=VALUE, output folders."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click
import msgspec

from polemos import registry
from polemos.hosts import specs
from polemos.kernel import rule
from polemos.kernel.capabilities.cautions import Cautions
from polemos.kernel.errors import BadOptions, NotationError
from polemos.kernel.game import SPECTATOR, UMPIRE, AnyGame
from polemos.kernel.match import seat_called
from polemos.kernel.positions import read_options
from polemos.kernel.renamed import renamed
from polemos.kernel.rooms import bots_of, package_of
from polemos.wire.bot import Budget


def load(name: str) -> Any:
    """The game, with its rules compiled. Compiling for the first time shows a progress bar on standard error."""
    game = registry.load(name)
    prepare(game)
    return game


def prepare(game: Any) -> None:
    if rule.is_prepared(package_of(game)):
        return
    _ = bots_of(game)  # some bots search in compiled code, which is prepared with their game
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(file=sys.stderr)
    words = TextColumn("Compiling the rules of {task.description} (once per version)")
    if not console.is_terminal:
        console.print(f"Compiling the rules of {game.title} (once per version, up to a minute) ...")
        rule.prepare(package_of(game))
        return
    with Progress(words, BarColumn(), TimeElapsedColumn(), console=console) as progress:
        bar = progress.add_task(game.title, total=None)
        rule.prepare(package_of(game), lambda done, of: progress.update(bar, completed=done, total=of))


def options_of(game: Any, given: Iterable[str]) -> dict[str, Any]:
    """Reads options such as `turns=3`. Digits become numbers, and `map=@FILE` reads the text of a file."""
    options: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOptions(f"{text!r} is not an option. Write NAME=VALUE, such as turns=3.")
        if value.startswith("@"):
            with open(value[1:], encoding="utf-8", errors="replace") as file:
                value = file.read(1 << 20)
        options[name] = int(value) if re.fullmatch(r"-?[0-9]{1,9}", value, re.ASCII) else value
    read_options(game, options)
    options = renamed(game.options_type, options)
    played: AnyGame = game
    if options and isinstance(played, Cautions):
        for caution in played.cautions(played.setup(options, 0)):
            click.echo(f"Careful: {caution}", err=True)
    return options


def budget_of(given: Iterable[str]) -> Budget:
    """Reads limits such as `bank=60`, which change the default budget of a program."""
    limits: dict[str, Any] = msgspec.to_builtins(Budget())
    for text in given:
        name, _, value = text.partition("=")
        if name not in limits:
            raise BadOptions(f"{text!r} is not a limit. Choose one of {', '.join(limits)}, such as bank=60.")
        try:
            limits[name] = type(limits[name])(value)
        except ValueError:
            raise BadOptions(f"{text!r} needs a number, such as bank=60.") from None
        if not 0 < limits[name] < 1e12:
            raise BadOptions(f"{text!r} needs a number above 0, such as bank=60.")
    return msgspec.convert(limits, Budget)


def seated(game: Any, options: dict[str, Any], count: int) -> dict[str, Any]:
    """The options for this many seats, if the number can vary and nothing else determines it."""
    facts = game.facts
    if facts.min_seats == len(facts.seats) or options.keys() & {"seats", "map"}:
        return options
    return {**options, "seats": max(facts.min_seats, count)}


def option_set(command: Any) -> Any:
    """`-o NAME=VALUE` for options of the match."""
    return click.option(
        "-o",
        "--option",
        "given",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of the match, such as turns=3; NAME=@FILE reads the text of a file.",
    )(command)


def trust_flag(command: Any) -> Any:
    """`--trust` for bots that run with the user's permissions."""
    return click.option("--trust", is_flag=True, help="Run programs without the box, and allow classes in files.")(
        command
    )


def tell_budget(game: Any, bots: Iterable[str], budget: Budget, trust: bool) -> None:
    """Prints the limits for programs, and whether they run in the box."""
    if any(specs.is_program(game, bot) for bot in bots):
        click.echo(
            f"Limits for programs: {budget.words()}; {'without the box (--trust)' if trust else 'in the box'}.",
            err=True,
        )


def audience_called(seats: Sequence[str], name: str) -> str:
    """A seat by name or letter, the spectator, or the umpire; upper or lower case."""
    if (word := name.strip().lower()) in (SPECTATOR, UMPIRE):
        return word
    try:
        return seat_called(seats, name)
    except NotationError:
        known = ", ".join((*seats, SPECTATOR, UMPIRE))
        raise NotationError(f"There is nobody called {name[:40]!r}. Choose one of {known}.") from None


def myself() -> str:
    """The command for this program: its name if that works, otherwise as it was started."""
    return "polemos" if shutil.which("polemos") else os.path.relpath(sys.argv[0])


def to_go_on(desk: Any) -> str:
    """The command that resumes an evening."""
    return f"{myself()} play {desk.game.name} {desk.folder}{' --trust' if desk.wants_trust else ''}"


GAME = click.argument("game", metavar="GAME")
