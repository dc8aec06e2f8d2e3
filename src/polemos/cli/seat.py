"""One seat against bots, at the terminal, seeing only what the seat may see."""

from __future__ import annotations

import click

from polemos.cli.common import to_go_on
from polemos.cli.dialogue import Act, Leave, about, converse, show_options, type_sheet
from polemos.cli.screen import show
from polemos.cli.words import paragraph, step_events
from polemos.desk.desk import Desk
from polemos.kernel.capabilities.glossary import Glossary
from polemos.kernel.capabilities.umpire_calls import UmpireCalls
from polemos.kernel.errors import OrderError
from polemos.kernel.game import Option


class SeatGame:
    """The words that a player can say, and what they do."""

    def __init__(self, desk: Desk, seat: str) -> None:
        self.desk = desk
        self.seat = seat
        self.acts: dict[str, tuple[Act, str]] = {
            "orders": (self.orders, "types your sheet and runs the turn"),
            "map": (self.map, "your map"),
            "options": (self.options, "options [TEXT]: what you may order, such as: options G5"),
            "news": (self.news, "what you know of the last turn"),
            "call": (self.call, "call TEXT: what the game waits for, where it waits for you to say it"),
            "resign": (self.resign, "gives up"),
            "about": (self.about, "about NAME: the figures of a unit, and the like"),
            "rules": (self.rules, "rules NUMBER: a paragraph of the book"),
            "help": (self.help, "this list"),
            "quit": (self.quit, "leaves; everything is kept"),
        }
        game = desk.game
        if not isinstance(game, Glossary):
            del self.acts["about"]
        if not (isinstance(game, UmpireCalls) and game.may_wait(desk.match.state)):
            del self.acts["call"]

    def loop(self) -> None:
        desk = self.desk
        others = ", ".join(f"{seat} {player}" for seat, player in desk.players.items() if seat != self.seat)
        click.echo(f"{desk.game.title}: you are {self.seat}, against {others}. Kept in {desk.folder}/.")
        self.news("")
        self._others()
        self.map("")
        self._end()
        if desk.match.outcome is None:
            click.echo("Say orders to give your orders, options to see what is lawful, help for more.")
        converse(lambda: "ended> " if desk.match.outcome else f"turn {desk.match.clock}> ", self.acts, self._advise)
        click.echo(f"To go on: {to_go_on(desk)}")

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
        """Where seats take turns, the others play until it is the player's turn again."""
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
            click.echo("The last turn, as far as you know:")
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
            click.echo(f"{len(found)} options in all; options TEXT shows those that begin so.")

    def about(self, name: str) -> None:
        click.echo(about(self.desk.game, self.desk.match.setting, name))

    def resign(self, _: str) -> None:
        self.desk.drop(self.seat)
        click.echo("You give up. Say orders to let the others go on.")

    def rules(self, number: str) -> None:
        click.echo(paragraph(self.desk.game, number))
