"""`polemos analyse REPLAY`"""

from __future__ import annotations

import sys
from bisect import bisect_right
from math import inf
from pathlib import Path
from typing import Final

import click
import msgspec

from polemos.cli.common import load
from polemos.cli.words import counted
from polemos.kernel import replay as replays
from polemos.kernel.orders import shown
from polemos.search.analysis import Analysis, Depth, Look, analyse

_BAR: Final = 20  # characters
_ROWS: Final = 30  # positions that are printed, at most


@click.command()
@click.argument("file", metavar="REPLAY", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--turn", type=click.IntRange(0), help="Look at this turn only, numbered as in the output without it.")
@click.option("--playouts", type=click.IntRange(100), help="For each seat in each turn that is looked at closely.")
@click.option("--turns", type=click.IntRange(0), help="How many turns to look at closely.")
@click.option("--seconds", type=click.FloatRange(0.0), help="Stop looking closely after this much CPU time.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same analysis.")
@click.option("--json", "as_json", is_flag=True, help="Print the analysis as JSON, the form that the browser reads.")
def command(
    file: Path,
    turn: int | None,
    playouts: int | None,
    turns: int | None,
    seconds: float | None,
    seed: int,
    as_json: bool,
) -> None:
    """See where a game turned, what orders cost, and what would have been better.

    Scripts play on from each position, many times; a seat's value is its share of these games. Where the value changes
    most, a search looks for better orders than those that were given.

    \b
    polemos match demons rusher keeper --games 1 --out replays
    polemos analyse replays/game-00001.jsonl.gz
    polemos analyse replays/game-00001.jsonl.gz --turn 12
    """
    replay = replays.read(file)
    game = load(replay.header.game)
    *_, match = replays.replayed(replay, game)
    usual = Depth()
    depth = Depth(
        playouts=playouts or (usual.playouts if turn is None else 4 * usual.playouts),
        turns=usual.turns if turns is None else turns,
        checks=usual.checks if turn is None else 4 * usual.checks,
        seconds=inf if seconds is None else seconds,
        seed=seed,
    )
    found = analyse(match, depth, turn=turn, progress=_told if sys.stderr.isatty() else None)
    if sys.stderr.isatty():
        click.echo("\r" + " " * 40 + "\r", nl=False, err=True)
    if as_json:
        click.echo(msgspec.json.encode(found).decode())
        return
    players = ", ".join(f"{shown(seat)} {shown(player)}" for seat, player in replay.header.seats.items())
    click.echo(f"{game.title}: {players}. {counted(found.playouts, 'playout')}.")
    if turn is None:
        _show_values(found)
        _show_points(found)
    else:
        for look in found.looks:
            _show_look(look)
        if not found.looks and found.whole:
            click.echo(f"\nNobody gave orders in turn {turn} that could have been better: the game ended there.")
    if not found.whole:
        click.echo("\nThe time was up before all chosen turns had been looked at.")


def _told(done: int, of: int) -> None:
    click.echo(f"\r{counted(done, 'playout')} of {of:,} ", nl=False, err=True)


def _show_values(found: Analysis) -> None:
    click.echo(f"\n{'turn':>6}  " + "  ".join(f"{seat:<{_BAR + 10}}" for seat in found.seats).rstrip())
    every = max(1, -(-len(found.standings) // _ROWS))
    steps = [one.step for one in found.standings]
    # Not every step has a value: a turning point is marked at the last one before it.
    marked = {steps[max(0, bisect_right(steps, point.step) - 1)] for point in found.points}
    for i, one in enumerate(found.standings):
        if i % every and one.step not in marked and one.step != found.steps:
            continue
        cells = []
        for seat in found.seats:
            value, margin = one.values[seat], one.margins[seat]
            bar = "#" * round(_BAR * value)
            cells.append(f"{100 * value:3.0f} ±{100 * margin:3.0f}  {bar:<{_BAR}}")
        turn = "end" if one.step == found.steps else str(one.turn)
        click.echo(f"{turn:>6}{'*' if one.step in marked else ' '} " + "  ".join(cells).rstrip())
    click.echo(f"\nShares of 100 if {', '.join(found.scripts)} play on; 95 % intervals.")


def _show_points(found: Analysis) -> None:
    click.echo("\nTurning points (*):" if found.points else "\nNo turning points were found.")
    for point in found.points:
        click.echo(f"  turn {point.turn}: {point.words}")


def _show_look(look: Look) -> None:
    """The orders that were given and better ones; how often to choose each, where there is more than one to choose."""
    is_mixed = max(look.share, *(plan.share for plan in look.plans), 0.0) < 1

    def often(share: float) -> str:
        return "     " if not is_mixed else f"{100 * share:3.0f} %" if share else "    -"

    click.echo(f"\nTurn {look.turn}, {look.seat}")
    given = "; ".join(look.given) or "no orders"
    click.echo(f"  as played  {100 * look.value:3.0f}            {often(look.share)}  {given}")
    for plan in look.plans:
        ahead = f"{100 * plan.ahead:+.0f} ±{100 * plan.margin:.0f}"
        text = "; ".join(plan.orders) or "no orders"
        click.echo(f"             {100 * plan.value:3.0f}  {ahead:>9} {often(plan.share)}  {text}")
    if not look.cost:
        click.echo("  No better orders were found.")
    if is_mixed:
        click.echo("  Per cent: how often to choose each. Where all order at once, no single plan is best.")
