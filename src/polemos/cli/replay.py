"""`polemos replay FILE`"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from polemos.cli.common import load
from polemos.cli.words import sheet_lines, step_events
from polemos.kernel import replay as replays
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import Match
from polemos.kernel.orders import shown


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--turn", type=click.IntRange(0), help="Show only the position after this turn.")
@click.option("--who", default=UMPIRE, show_default=True, help="Whose map: a seat, spectator or umpire.")
@click.option("--verify-only", is_flag=True, help="Verify and say nothing but the verdict.")
def command(file: Path, turn: int | None, who: str, verify_only: bool) -> None:
    """Verify a replay and show the game.

    The chain of digests shows that no byte was changed; adjudicating every turn again shows that the result follows
    from the orders, the rules and the dice. Any doubt ends with exit code 1 and the reason.
    """
    replay = replays.read(file)
    game = load(replay.header.game)
    header = replay.header
    if turn is not None and turn > len(replay.steps):
        raise click.UsageError(f"The match has {len(replay.steps)} turns; there is no turn {turn}.")
    if who not in (*header.seats, "spectator", UMPIRE):
        raise click.UsageError(f"No seat is called {who!r}. Seats: {', '.join(header.seats)}, spectator, umpire.")
    if not verify_only:
        players = ", ".join(f"{shown(seat)} {shown(player)}" for seat, player in header.seats.items())
        click.echo(f"{game.title}: {players}")
    for match in replays.replayed(replay, game):
        number = len(match.steps)
        if verify_only or (turn is not None and turn != number):
            continue
        click.echo(f"\n==== {'Before the first turn' if number == 0 else f'After turn {number}'}\n")
        if number:
            _show_step(game, match)
        click.echo(game.text(match.setting, match.view(who), sys.stdout.isatty()))
    end = replay.end.end
    won = f"{end.winner} wins: {end.reason}" if end.winner else f"a draw: {end.reason}"
    click.echo(f"\nVerified: {len(replay.steps)} turns, every digest and every turn adjudicated again. Outcome: {won}.")


def _show_step(game: Any, match: Match) -> None:
    for line in sheet_lines(match):
        click.echo(line)
    click.echo()
    for line in step_events(game, match, UMPIRE):
        click.echo(line)
    click.echo()
