"""Playing one seat against bots at the terminal, seeing only what that seat sees."""

from __future__ import annotations

import click

from polemos.cli.common import to_go_on
from polemos.cli.dialogue import Act, Leave, about, converse, show_options, type_sheet
from polemos.cli.screen import show
from polemos.cli.words import counted, paragraph, step_events
from polemos.desk.desk import Desk
from polemos.kernel.capabilities.glossary import Glossary
from polemos.kernel.capabilities.umpire_calls import UmpireCalls
from polemos.kernel.errors import OrderError
from polemos.kernel.game import Option


class SeatGame:
    """The player's commands."""

    def __init__(self, desk: Desk, seat: str) -> None:
        self.desk = desk
        self.seat = seat
        self.acts: dict[str, tuple[Act, str]] = {
            "orders": (self.orders, "type your sheet and play the turn"),
            "map": (self.map, "show your map"),
            "options": (self.options, "options [TEXT]: list your legal orders, such as: options G5"),
            "news": (self.news, "show what you know about the last turn"),
            "call": (self.call, "call TEXT: enter what the game is waiting for"),
            "resign": (self.resign, "give up"),
            "about": (self.about, "about NAME: show the figures of a unit or other thing"),
            "rules": (self.rules, "rules NUMBER: show a paragraph of the rule book"),
            "help": (self.help, "show this list"),
            "quit": (self.quit, "leave; everything is saved"),
        }
        game = desk.game
        if not isinstance(game, Glossary):
            del self.acts["about"]
        if not (isinstance(game, UmpireCalls) and game.may_wait(desk.match.state)):
            del self.acts["call"]

    def loop(self) -> None:
        desk = self.desk
        others = ", ".join(f"{seat} {player}" for seat, player in desk.names.items() if seat != self.seat)
        click.echo(f"{desk.game.title}: you are {self.seat}, against {others}. Everything is saved in {desk.folder}/.")
        self.news("")
        self._others()
        self.map("")
        self._end()
        if desk.match.outcome is None:
            click.echo("Type orders to give your orders, options to list legal orders, or help for more.")
        converse(lambda: "ended> " if desk.match.outcome else f"turn {desk.match.clock}> ", self.acts, self._advise)
        click.echo(f"To resume: {to_go_on(desk)}")

    def _advise(self, line: str) -> str | None:
        """What whoever types an order here wants to know."""
        try:
            self.desk.game.read(line)
        except OrderError:
            return None
        return None if self.desk.match.outcome else "That is an order. Say orders first, then type it."

    def help(self, _: str) -> None:
        for word, (_act, line) in self.acts.items():
            click.echo(f"  {word:8}  {line}")

    def quit(self, _: str) -> None:
        raise Leave

    def orders(self, _: str) -> None:
        desk = self.desk
        if waits := desk.match.awaited:
            click.echo(waits)
            return
        if self.seat in desk.match.to_act:
            if not type_sheet(desk, self.seat):
                return
        self._turn()

    def call(self, text: str) -> None:
        waited = self.desk.match.awaited is not None
        self.desk.call(text)
        if waited:
            self._turn()

    def _turn(self) -> None:
        """Runs the turn and shows what came of it."""
        self._run()
        self._others()
        self.map("")
        self._end()

    def _run(self) -> None:
        self.desk.run()
        self.desk.release()  # the player has seen it
        self.news("")

    def _others(self) -> None:
        """If seats take turns, lets the others play until it is the player's turn again."""
        match = self.desk.match
        while not self.desk.game.facts.simultaneous and match.outcome is None and self.seat not in match.to_act:
            self._run()

    def _end(self) -> None:
        outcome = self.desk.match.outcome
        if waits := self.desk.match.awaited:
            click.echo(waits)
        if outcome is not None:
            click.echo(f"The game has ended. {(outcome.winner or 'nobody').capitalize()} wins: {outcome.reason}.")
            click.echo("Places: " + ", ".join(outcome.places) + f". Replay: {self.desk.write_replay()}")

    def map(self, _: str) -> None:
        match = self.desk.match
        show(self.desk.game, match.setting, match.view(self.seat))

    def news(self, _: str) -> None:
        match = self.desk.match
        if match.steps:
            click.echo("What you know about the last turn:")
            for line in step_events(match, self.seat):
                click.echo(f"  {line}")
            for fault in match.faults_for(self.seat):
                click.echo(f"  Line {fault.line} was void: {fault.why} Rule {fault.rule}.")

    def options(self, rest: str) -> None:
        match = self.desk.match
        found: list[Option] = []
        if self.seat in match.to_act:
            found = self.desk.game.options(match.setting, match.view(self.seat))
        with_number = [option for option in found if option.most is not None]
        show_options(found if rest or not with_number else with_number, rest)
        if not rest and len(with_number) not in (0, len(found)):
            click.echo(
                f"You have {counted(len(found), 'option')}. Type options TEXT to list those that begin with TEXT."
            )

    def about(self, name: str) -> None:
        click.echo(about(self.desk.game, self.desk.match.setting, name))

    def resign(self, _: str) -> None:
        self.desk.drop(self.seat)
        click.echo("You have resigned. Type orders to let the others play on.")

    def rules(self, number: str) -> None:
        click.echo(paragraph(self.desk.game, number))
