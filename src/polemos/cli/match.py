"""`polemos match GAME BOT BOT [BOT ...]`"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
import msgspec

from polemos.arena import games as arena
from polemos.arena.games import Result, Table
from polemos.arena.times import COLUMNS, cells
from polemos.cli.common import GAME, budget_of, load, option_set, options_of, seated, tell_budget, trust_flag
from polemos.cli.words import MAX_VERDICT, counted
from polemos.hosts import specs
from polemos.kernel import dice
from polemos.kernel.playing import require_no_umpire
from polemos.kernel.tame import tame


@click.command()
@GAME
@click.argument("bots", metavar="BOT BOT [BOT ...]", nargs=-1, required=True)
@click.option(
    "--games", "number", default=1, show_default=True, type=click.IntRange(1, 1_000_000), help="Number of games."
)
@click.option("--seed", default=None, help="Makes the match repeatable; without it every match is new.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for a replay of every game.")
@click.option("--json", "as_json", is_flag=True, help="Print the table as one JSON object.")
@click.option("--workers", type=click.IntRange(1), help="Number of processes. Default: all cores.")
@option_set
@trust_flag
@click.option(
    "-b", "--budget", "limits", multiple=True, metavar="NAME=VALUE", help="A limit for programs, such as bank=60."
)
def command(
    game: str,
    bots: tuple[str, ...],
    number: int,
    seed: str | None,
    out: Path | None,
    as_json: bool,
    workers: int | None,
    given: tuple[str, ...],
    trust: bool,
    limits: tuple[str, ...],
) -> None:
    """Let bots play, and count the wins.

    \b
    A BOT is
      random             one of our bots, by name (see polemos games)
      bot.py             a Python program that speaks the bot protocol
      "node bot.js"      any other program that speaks it
      dialect:bot.py     a program written for another umpire (see docs/reference/guests.md)
      file.py:Name       a class of (setting, seat, seed) with a method orders(view, time_left); needs --trust
      human              you, at this terminal

    Games are played in rounds: with the same start and the same dice, every bot plays every seat once. Identical games
    count once. Programs run in a box, without network or access to your files (polemos doctor checks it); --trust runs
    them with your permissions instead. They have the limits of a ladder, which you can change, for example with
    -b turn=0.2.
    """
    loaded = load(game)
    facts = loaded.facts
    if not facts.min_seats <= len(bots) <= len(facts.seats):
        wanted = f"{facts.min_seats} to {len(facts.seats)}" if facts.min_seats < len(facts.seats) else facts.min_seats
        raise click.UsageError(f"{loaded.title} needs {wanted} bots, but you named {len(bots)}: {', '.join(bots)}.")
    for bot in set(bots):
        specs.check(loaded, bot, trust=trust, without=out)  # report a misspelt name before the first game
    options = seated(loaded, options_of(loaded, given), len(bots))
    if len(loaded.seats(loaded.setup(options, 0))) != len(bots):
        raise click.UsageError(
            f"You named {len(bots)} bots ({', '.join(bots)}), but this match has a different number of seats."
        )
    require_no_umpire(loaded, loaded.setup(options, 0))
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    seed = dice.new_key() if seed is None else seed
    budget = budget_of(limits)
    tell_budget(loaded, bots, budget, trust)
    work = arena.tasks(loaded, bots, number, seed, options, out, budget, trust)
    began = time.perf_counter()
    results = arena.run(work, workers if number > 3 else 1, _progress(len(work)))
    seconds = time.perf_counter() - began
    if len(results) < len(work):
        click.echo(f"\nStopped after {len(results)} of {counted(len(work), 'game')}.", err=True)
    table = arena.tally(facts.seats[: len(bots)], bots, results)
    if as_json:
        click.echo(msgspec.json.encode({"game": game, "seed": seed, "seconds": round(seconds, 3), **_plain(table)}))
    else:
        _show(table, seconds, seed, out)


def _plain(table: Table) -> dict[str, object]:
    plain: dict[str, object] = msgspec.to_builtins(table)
    return plain


def _progress(total: int) -> Callable[[Result], None]:
    """A running count, if someone is watching."""
    done = 0

    def report(result: Result) -> None:
        nonlocal done
        done += 1
        if sys.stderr.isatty():
            click.echo(f"\r{done} of {counted(total, 'game')}", err=True, nl=done == total)
        elif done % max(1, total // 10) == 0 and total > 1:
            click.echo(f"{done} of {counted(total, 'game')}", err=True)

    return report


def _show(table: Table, seconds: float, seed: object, out: Path | None) -> None:
    seats = list(table.by_seat)
    head = ["bot", "wins", "draws", "losses", *(f"as {seat}" for seat in seats)]
    rows = [[*head, "void lines", "strikes", "forfeits", *COLUMNS]]
    for b, name in enumerate(table.names):
        figures = [table.wins[b], table.draws, table.losses[b], *(table.by_seat[seat][b] for seat in seats)]
        figures += [table.void_lines[b], table.strikes[b], table.dropped[b]]
        rows.append([name, *map(str, figures), *cells(table.used[b])])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        row = "  ".join(f"{text:>{width}}" for text, width in zip(others, widths[1:], strict=True))
        click.echo(f"{first:{widths[0]}}  {row}".rstrip())
    same = table.games - table.distinct
    click.echo(
        f"{counted(table.games, 'game')}, {table.distinct} distinct"
        f"{f' ({same} identical, not counted again)' if same else ''}, "
        f"{counted(table.steps, 'turn')} in {seconds:.1f} s, seed {seed}"
    )
    if table.games % len(table.bots):
        click.echo(
            f"The last round is not complete: play a multiple of {len(table.bots)} games to be fair to all seats."
        )
    for who, verdict in table.forfeits.items():
        click.echo(f"forfeit: {who}: {tame(verdict, MAX_VERDICT)}")
    for who, verdict in table.gone.items():
        click.echo(f"passed to the end: {who}: {tame(verdict, MAX_VERDICT)}")
    if out is not None:
        click.echo(f"Replays: {out}/")
