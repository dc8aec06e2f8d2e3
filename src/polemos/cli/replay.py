"""`polemos replay FILE`"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import click

from polemos.cli.common import audience_called, load
from polemos.cli.screen import show
from polemos.cli.words import counted, sheet_lines, step_events
from polemos.kernel import replay as replays
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch
from polemos.kernel.orders import shown
from polemos.kernel.replay import Replay


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--turn", type=click.IntRange(0), help="Show only the position after this turn.")
@click.option("--who", default=UMPIRE, show_default=True, help="Whose view to show: a seat, spectator or umpire.")
@click.option("--verify-only", is_flag=True, help="Only verify, and print the verdict.")
@click.option(
    "--watch/--no-watch",
    "watched",
    default=None,
    help="Watch turn by turn, or print everything. Default at a terminal: watch, unless --turn is given.",
)
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a web page that shows the game without a server.",
)
def command(file: Path, turn: int | None, who: str, verify_only: bool, watched: bool | None, page: Path | None) -> None:
    """Verify a replay and show the game.

    At a terminal you can watch the game: space plays and pauses, the arrow keys step, ? shows all keys.

    The chain of digests shows that no byte was changed; adjudicating every turn again shows that the result follows
    from the orders, the rules and the dice. If anything is wrong, you see the reason, and the exit code is 1.
    """
    replay = replays.read(file)
    game = load(replay.header.game)
    header = replay.header
    if turn is not None and turn > len(replay.steps):
        raise click.UsageError(f"There is no turn {turn}: the match has {counted(len(replay.steps), 'turn')}.")
    who = audience_called(tuple(header.seats), who)
    players = ", ".join(f"{shown(seat)} {shown(player)}" for seat, player in header.seats.items())
    title = f"{game.title}: {players}"
    end = replay.end.end
    won = f"{end.winner} wins: {end.reason}" if end.winner else f"a draw: {end.reason}"
    turns = counted(len(replay.steps), "turn")
    verified = f"Verified: {turns}, every digest and every turn adjudicated again. Outcome: {won}."
    if page is not None:
        from polemos.cli.page import boards, page_of
        from polemos.wire.records import record_of

        page.write_text(page_of(record_of(file.read_bytes(), packed=True, boards=boards())), encoding="utf-8")
        click.echo(f"{verified}\nOpen {page} in a browser; it needs no server.")
        return
    if _is_watched(watched, turn, verify_only):
        _watch(replay, game, turn or 0, who, title, won)
        click.echo(verified)
        return
    if not verify_only:
        click.echo(title)
    for match in replays.replayed(replay, game):
        number = len(match.steps)
        if verify_only or (turn is not None and turn != number):
            continue
        click.echo(f"\n==== {'Before the first turn' if number == 0 else f'After turn {number}'}\n")
        if number:
            _show_step(game, match)
        show(game, match.setting, match.view(who))
    click.echo(f"\n{verified}")


def _show_step(game: Any, match: AnyMatch) -> None:
    for line in sheet_lines(match):
        click.echo(line)
    click.echo()
    for line in step_events(match, UMPIRE):
        click.echo(line)
    click.echo()


# ---- watching


def _is_watched(watched: bool | None, turn: int | None, verify_only: bool) -> bool:
    from polemos.cli import watch

    if watched and verify_only:
        raise click.UsageError("Use either --watch or --verify-only, not both.")
    if watched and not watch.is_possible():
        raise click.UsageError("--watch needs a terminal.")
    return watch.is_possible() and turn is None and not verify_only if watched is None else watched


def _watch(replay: Replay, game: Any, turn: int, who: str, title: str, won: str) -> None:
    """Verifies the whole replay before showing any of it."""
    from polemos.cli.watch import Replayed, Viewer, watch

    states: list[bytes] = []
    shows, told = sys.stderr.isatty(), time.monotonic()
    for match in replays.replayed(replay, game):
        states.append(match.state.raw())
        if shows and (now := time.monotonic()) - told >= 0.1:
            told = now
            click.echo(f"\rVerifying turn {len(match.steps)} of {len(replay.steps)} ", nl=False, err=True)
    if shows:
        click.echo("\r" + " " * 40 + "\r", nl=False, err=True)
    watch(Viewer(Replayed(match, states, title, won, who, colour=True), turn))
