"""What several verbs share: loading a game with its progress bar, options as NAME=VALUE, where files go."""

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
from polemos.kernel.rooms import bots_of, package_of
from polemos.wire.bot import Budget


def load(name: str) -> Any:
    """The game, its rules compiled. Compiling for the first time shows a bar on standard error."""
    game = registry.load(name)
    prepare(game)
    return game


def prepare(game: Any) -> None:
    if rule.is_prepared(package_of(game)):
        return
    _ = bots_of(game)  # some search in compiled code: they are prepared with their game
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(file=sys.stderr)
    words = TextColumn("Compiling the rules of {task.description}, once for this version")
    if not console.is_terminal:
        console.print(f"Compiling the rules of {game.title}, once for this version, some ten seconds ...")
        rule.prepare(package_of(game))
        return
    with Progress(words, BarColumn(), TimeElapsedColumn(), console=console) as progress:
        bar = progress.add_task(game.title, total=None)
        rule.prepare(package_of(game), lambda done, of: progress.update(bar, completed=done, total=of))


def options_of(game: Any, given: Iterable[str]) -> dict[str, Any]:
    """`turns=3` and the like; numbers become numbers, and `map=@FILE` takes the text of a file."""
    options: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOptions(f"{text!r}: an option reads NAME=VALUE, such as turns=3.")
        if value.startswith("@"):
            with open(value[1:], encoding="utf-8", errors="replace") as file:
                value = file.read(1 << 20)
        options[name] = int(value) if re.fullmatch(r"-?[0-9]{1,9}", value, re.ASCII) else value
    read_options(game, options)
    played: AnyGame = game
    if options and isinstance(played, Cautions):
        for caution in played.cautions(played.setup(options, 0)):
            click.echo(f"Careful: {caution}", err=True)
    return options


def budget_of(given: Iterable[str]) -> Budget:
    """`bank=60` and the like, on top of the usual budget of a program."""
    limits: dict[str, Any] = msgspec.to_builtins(Budget())
    for text in given:
        name, _, value = text.partition("=")
        if name not in limits:
            raise BadOptions(f"{text!r}: a limit is one of {', '.join(limits)}, such as bank=60.")
        try:
            limits[name] = type(limits[name])(value)
        except ValueError:
            raise BadOptions(f"{text!r}: a number is wanted, such as bank=60.") from None
        if not 0 < limits[name] < 1e12:
            raise BadOptions(f"{text!r}: a number above 0 is wanted, such as bank=60.")
    return msgspec.convert(limits, Budget)


def seated(game: Any, options: dict[str, Any], count: int) -> dict[str, Any]:
    """The options for so many seats, where a match may have more or fewer and nothing else says how many."""
    facts = game.facts
    if facts.fewest == len(facts.seats) or options.keys() & {"seats", "map"}:
        return options
    return {**options, "seats": max(facts.fewest, count)}


def option_set(command: Any) -> Any:
    """`-o NAME=VALUE` for options of the match."""
    return click.option(
        "-o",
        "--option",
        "given",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of the match, such as turns=3; NAME=@FILE takes the text of a file.",
    )(command)


def trust_flag(command: Any) -> Any:
    """`--trust` for bots that run with all rights."""
    return click.option(
        "--trust", is_flag=True, help="Run programs without the box, and classes of files in this process."
    )(command)


def tell_budget(game: Any, bots: Iterable[str], budget: Budget, trust: bool) -> None:
    """What programs may use, and whether they are boxed in."""
    if any(specs.is_program(game, bot) for bot in bots):
        click.echo(f"Budget: {budget.words()}; {'no box, as you trust them' if trust else 'in the box'}.", err=True)


def audience_called(seats: Sequence[str], name: str) -> str:
    """A seat by name or letter, the spectator, or the umpire, in any case."""
    if (word := name.strip().lower()) in (SPECTATOR, UMPIRE):
        return word
    try:
        return seat_called(seats, name)
    except NotationError:
        known = ", ".join((*seats, SPECTATOR, UMPIRE))
        raise NotationError(f"{name[:40]!r} is nobody here. Known: {known}.") from None


def myself() -> str:
    """How this program is called here: by its name if that is enough, else as it was started."""
    return "polemos" if shutil.which("polemos") else os.path.relpath(sys.argv[0])


def to_go_on(desk: Any) -> str:
    """The command that goes on with an evening."""
    return f"{myself()} play {desk.game.name} {desk.folder}{' --trust' if desk.wants_trust else ''}"


GAME = click.argument("game", metavar="GAME")
