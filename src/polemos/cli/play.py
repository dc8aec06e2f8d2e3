"""`polemos play GAME`: an evening as gamerunner, or one seat against bots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from polemos.cli.common import GAME, load, option_set, options_of, seated, trust_flag
from polemos.desk.desk import Desk
from polemos.desk.journal import PERSON
from polemos.desk.party import PartyDesk, is_party
from polemos.kernel.errors import BadOptions
from polemos.kernel.match import seat_called
from polemos.kernel.rooms import bots_of


@click.command()
@GAME
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--as", "seat", help="Play this seat yourself against bots, seeing only what it sees.")
@click.option("--bot", "bots", multiple=True, metavar="SEAT=BOT", help="Let a bot play a seat, such as blue=steady.")
@click.option("--title", default="", help="Title of the evening, printed on the maps.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@click.option("--seed", default=None, help="Makes the dice repeatable: for rehearsals only.")
@option_set
@trust_flag
def command(
    game: str,
    folder: Path | None,
    seat: str | None,
    bots: tuple[str, ...],
    title: str,
    paper: str,
    seed: str | None,
    given: tuple[str, ...],
    trust: bool,
) -> None:
    """Play at the terminal, or run an evening as gamerunner.

    Without --as you are the gamerunner: you type the sheets (or load them from files, or let bots give orders), see bad
    lines at once, run the turn and print the maps. You can undo a turn until its maps are handed out. With --as you
    play one seat.

    Everything is saved in FOLDER (default: ./GAME). Start again with the same FOLDER to resume, even after a crash.
    Type help once it runs. If bots play all seats, you just watch.

    A BOT is one of our bots by name (see polemos games), or, with --trust, a class of your own: file.py:Name.
    """
    from polemos.cli.evening import Evening
    from polemos.cli.exhibition import Exhibition
    from polemos.cli.seat import SeatGame

    loaded = load(game)
    options = asked = options_of(loaded, given)
    named = [text.partition("=")[0] for text in bots] + ([seat] if seat else [])
    most = max([0, *(loaded.facts.seats.index(seat_called(loaded.facts.seats, name)) + 1 for name in named)])
    options = seated(loaded, options, most)
    seats = loaded.seats(loaded.setup(options, 0))
    players = dict.fromkeys(seats, PERSON)
    if seat is not None:
        seat = seat_called(seats, seat)
        players = {name: PERSON if name == seat else list(bots_of(loaded))[-1] for name in seats}
    chosen: dict[str, str] = {}
    for text in bots:
        name, equals, bot = text.partition("=")
        if not equals:
            raise BadOptions(
                f"{text!r} is not a bot. Write SEAT=BOT, such as {seats[-1]}={next(iter(bots_of(loaded)))}."
            )
        if seat_called(seats, name) == seat:
            raise BadOptions(f"You are playing {seat} yourself, so a bot can't.")
        chosen[seat_called(seats, name)] = bot
    players |= chosen
    if seat is None and PERSON in players.values():
        options = {**loaded.evening, **options}
    folder = folder or Path(game if seat is None else f"{game}-{seat}")
    if seat is None and is_party(folder):
        _resume_party(folder, loaded, paper)
        return
    desk = Desk.open(folder, loaded, options, players, title, secret=seat is not None, seed=seed, trust=trust)
    try:
        if not desk.is_new and (ignored := desk.differing(asked, chosen, title, seed)):
            click.echo(f"Resuming the match in {folder}/. Ignored: {', '.join(ignored)}.", err=True)
        if desk.secret:
            playing = next(name for name, player in desk.players.items() if player == PERSON)
            if seat not in (None, playing):
                raise BadOptions(f"In {folder} you are playing {playing}. Choose another folder to play {seat}.")
            SeatGame(desk, playing).loop()
        else:
            if seat is not None:
                raise BadOptions(
                    f"{folder} holds an evening that you run as gamerunner. Choose another folder to play {seat}."
                )
            if PERSON in desk.players.values():
                Evening(desk, paper).loop()
            else:
                Exhibition(desk, paper).run()
    finally:
        desk.close()


def _resume_party(folder: Path, game: Any, paper: str) -> None:
    """The party that was begun at the desk in the browser, from the same journal."""
    from polemos.cli.party import PartyEvening

    desk = PartyDesk.open(folder, game)
    try:
        PartyEvening(desk, paper).loop()
    finally:
        desk.close()
