"""A match between bots, shown turn by turn."""

from __future__ import annotations

import click

from polemos.cli.common import myself, to_go_on
from polemos.cli.dialogue import Leave, ask
from polemos.cli.screen import show
from polemos.cli.words import counted
from polemos.desk.desk import Desk
from polemos.kernel.capabilities.advice import Advice
from polemos.kernel.errors import MissingPart, NoPicture, PolemosError
from polemos.kernel.game import UMPIRE

MAX_TURNS = 10_000


class Exhibition:
    """Plays a match to its end, prints a line per turn, and saves the replay and the maps."""

    def __init__(self, desk: Desk, paper: str) -> None:
        self.desk = desk
        self.paper = paper

    def run(self) -> None:
        desk, game = self.desk, self.desk.game
        match = desk.match
        players = ", ".join(f"{seat} {player}" for seat, player in desk.names.items())
        click.echo(f"{game.title}: {players}.")
        while match.outcome is None and len(match.steps) < MAX_TURNS:
            if match.awaited is not None:
                try:
                    self._call()
                except Leave:
                    click.echo(f"To go on: {to_go_on(desk)}")
                    return
            desk.run()
            self._news()
        click.echo()
        show(game, match.setting, match.view(UMPIRE))
        if (outcome := match.outcome) is not None:
            winner = outcome.winner
            said = f"{winner.capitalize()} ({desk.names[winner]}) wins" if winner else "A draw"
            click.echo(f"{said}: {outcome.reason}. Rule {outcome.rule}.")
            click.echo(f"Replay  {desk.write_replay()}")
        try:
            for path in desk.draw_maps(self.paper):
                click.echo(f"Map     {path}")
        except (MissingPart, NoPicture) as error:
            click.echo(f"The maps cannot be drawn: {error}")
        click.echo(f"Watch   {myself()} replay {desk.folder}/replay.jsonl")

    def _call(self) -> None:
        """Asks for the call that the match waits for, until there is one."""
        while waits := self.desk.match.awaited:
            click.echo(waits)
            try:
                self.desk.call(ask("call> "))
            except PolemosError as error:
                click.echo(str(error))

    def _news(self) -> None:
        """One line per turn, with the figures of the game."""
        match = self.desk.match
        game = self.desk.game
        figures = game.figures(match.setting, match.view(UMPIRE)) if isinstance(game, Advice) else {}
        curves = ", ".join(
            f"{name} " + " ".join(f"{value:g}" for value in of.values()) for name, of in figures.items() if of
        )
        events = len(match.happened[-1])
        click.echo(f"turn {len(match.steps):3}  {curves}  ({counted(events, 'event')})")
