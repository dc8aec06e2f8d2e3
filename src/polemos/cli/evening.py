"""The gamerunner's evening at the terminal."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from polemos.cli.common import audience_called, to_go_on
from polemos.cli.dialogue import Act, Leave, ask, converse, cover, show_sheet, type_sheet
from polemos.cli.screen import show
from polemos.cli.words import counted, paragraph, sheet_lines, step_events
from polemos.desk.desk import Desk
from polemos.desk.journal import PERSON
from polemos.kernel import dice
from polemos.kernel.capabilities.umpire_calls import UmpireCalls
from polemos.kernel.errors import MissingPart, NoPicture, NotationError, OrderError
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import seat_called
from polemos.kernel.orders import lines_of

MAX_FILE = 1 << 16


class Evening:
    """The gamerunner's commands."""

    def __init__(self, desk: Desk, paper: str) -> None:
        self.desk = desk
        self.paper = paper
        self.acts: dict[str, tuple[Act, str]] = {
            "status": (self.status, "show which sheets are filed and which are missing"),
            "load": (self.load, "load SEAT FILE: read a sheet from a file, one order per line"),
            "sheet": (self.sheet, "sheet SEAT: show a sheet with its void lines"),
            "run": (self.run, "play the turn with the filed sheets and the bots' orders, then draw the maps"),
            "show": (self.show, "show [WHO]: show the map of a seat, a spectator or the umpire"),
            "maps": (self.maps, "draw the maps again and say where they are"),
            "release": (self.release, "say that the first map has been handed out, which makes the turn final"),
            "back": (self.back, "back REASON: undo the last turn, unless its maps have been handed out"),
            "call": (self.call, "call TEXT: make an umpire's call; call alone lists them"),
            "drop": (self.drop, "drop SEAT: the seat gives up and gives no more orders"),
            "stay": (self.stay, "stay SEAT: cancel a drop made this turn"),
            "rules": (self.rules, "rules NUMBER: show a paragraph of the rule book"),
            "cover": (lambda _: cover(), "clear the screen"),
            "help": (self.help, "show this list"),
            "quit": (self.quit, "leave; everything is saved"),
        }
        if not isinstance(desk.game, UmpireCalls):
            del self.acts["call"]
        for seat in desk.match.seats:
            self.acts[seat] = (partial(self.type_in, seat), f"type {seat}'s sheet")

    def loop(self) -> None:
        desk, game = self.desk, self.desk.game
        begun = "starting a new evening" if desk.is_new else "resuming the evening"
        click.echo(f"{game.title}: {begun} in {desk.folder}/.")
        if desk.is_untouched:
            click.echo(f"Fingerprint of the dice (show it to the players now): {dice.fingerprint(desk.match.key)}")
        if desk.match.steps:  # after a crash the gamerunner may not have seen it
            self._last_turn()
        self.maps("")
        self.status("")
        if desk.match.outcome is not None:
            click.echo(f"Replay with the key of the dice: {desk.write_replay()}")
        click.echo("Type help for a list of commands.")
        converse(self._prompt, self.acts, self._advise)
        click.echo(f"Everything is saved in {desk.folder}/. To resume: {to_go_on(desk)}")

    def _advise(self, line: str) -> str | None:
        """What whoever types an order here wants to know."""
        try:
            self.desk.game.read(line)
        except OrderError:
            return None
        waiting = [seat for seat in self.desk.match.to_act if self.desk.players[seat] == PERSON]
        return f"That is an order. Say first whose, such as {waiting[0]}." if waiting else None

    def _prompt(self) -> str:
        if self.desk.match.outcome is not None:
            return "ended> "
        return f"turn {self.desk.match.clock}> "

    def _seat(self, word: str) -> str:
        return seat_called(self.desk.match.seats, word)

    # ---- the commands

    def help(self, _: str) -> None:
        width = max(len(word) for word in self.acts)
        for word, (_act, line) in self.acts.items():
            click.echo(f"  {word:{width}}  {line}")

    def quit(self, _: str) -> None:
        raise Leave

    def status(self, _: str) -> None:
        match = self.desk.match
        if (outcome := match.outcome) is not None:
            click.echo(f"The game has ended. {(outcome.winner or 'nobody').capitalize()} wins: {outcome.reason}.")
            click.echo("Places: " + ", ".join(outcome.places) + ".")
            return
        if waits := match.awaited:
            click.echo(waits)
            return
        click.echo(f"Orders for turn {match.clock}:")
        for seat in match.seats:
            click.echo(f"  {seat:8} {self._state_of(seat)}")

    def _state_of(self, seat: str) -> str:
        desk = self.desk
        if seat not in desk.match.to_act:
            if seat in desk.game.to_act(desk.match.state):
                return "drops out this turn"
            gone = any(seat in step.forfeits for step in desk.match.steps)
            return "dropped out" if gone else "no orders due"
        if seat in desk.match.filed:
            sheet = desk.match.filed[seat]
            void = len(sheet.faults)
            return f"filed, {counted(len(sheet.lines), 'line')}" + (f", {void} void" if void else "")
        if desk.players[seat] != PERSON:
            return f"bot {desk.names[seat]} gives its orders when you run the turn"
        if lines := desk.drafts.get(seat):
            return f"draft, {counted(len(lines), 'line')}, not filed"
        return "no sheet yet"

    def type_in(self, seat: str, _: str) -> None:
        try:
            filed = type_sheet(self.desk, seat)
        except Leave:
            click.echo("The draft is saved.")
            raise
        if filed:
            cover()
        self.status("")

    def load(self, rest: str) -> None:
        word, _, name = rest.partition(" ")
        seat = self._seat(word)
        path = Path(name.strip()).expanduser()
        with path.open("rb") as file:
            raw = file.read(MAX_FILE + 1)
        if len(raw) > MAX_FILE:
            raise NotationError(f"{path} is too long to be a sheet.")
        text = raw.decode("utf-8-sig", "replace")
        orders = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
        show_sheet(self.desk.draft(seat, [str(line).strip() for line in lines_of(orders)]))
        self.desk.file(seat)
        self.status("")

    def sheet(self, rest: str) -> None:
        seat = self._seat(rest)
        desk = self.desk
        show_sheet(desk.game.check(desk.match.state, seat, desk.drafts.get(seat, [])))

    def run(self, _: str) -> None:
        desk = self.desk
        desk.run()
        self._last_turn()
        self.maps("")
        if desk.match.awaited is not None:
            self.status("")
        elif desk.match.outcome is not None:
            self.status("")
            click.echo(f"Replay with the key of the dice: {desk.write_replay()}")
        else:
            click.echo(
                "If something is wrong, type back and the reason before you hand out a map. If not, type release."
            )

    def _last_turn(self) -> None:
        match = self.desk.match
        turn = self.desk.game.observe(match.state_at(len(match.steps) - 1), UMPIRE).turn
        click.echo(f"\nWhat happened in turn {turn} (for the umpire only):\n")
        for line in (*sheet_lines(match), "", *step_events(match, UMPIRE), ""):
            click.echo(line)

    def show(self, rest: str) -> None:
        match = self.desk.match
        who = audience_called(match.seats, rest or UMPIRE)
        show(self.desk.game, match.setting, match.view(who))

    def maps(self, _: str) -> None:
        try:
            drawn = self.desk.draw_maps(self.paper)
        except (MissingPart, NoPicture) as error:
            click.echo(f"The maps cannot be printed, but you can see them here with show SEAT. {error}")
            return
        click.echo("Maps: " + ", ".join(str(path) for path in drawn[:-1]))
        click.echo(f"Umpire's map: {drawn[-1]}")

    def release(self, _: str) -> None:
        self.desk.release()
        click.echo("The maps are marked as handed out, so the turn is final.")

    def back(self, reason: str) -> None:
        self.desk.back(reason)
        click.echo(f"Turn {self.desk.match.clock} has been undone.")
        click.echo("Its sheets are still filed. Battles that you don't change keep their dice.")
        for seat in list(self.desk.drafts):
            self.desk.file(seat)
        self.maps("")
        self.status("")

    def call(self, text: str) -> None:
        reason, waited = "", self.desk.match.awaited is not None
        if waited:
            self.desk.call(text)
            self.run("")
            return
        if self.desk.released:
            self.desk.match.try_call(text)  # an invalid call needs no reason
            click.echo(
                "Careful: the maps of this turn have been handed out and do not show this call. Tell all players."
            )
            reason = ask("Reason (leave empty to cancel): ")
            if not reason:
                click.echo("Cancelled: no call was made.")
                return
        self.desk.call(text, reason)
        click.echo("The call is made, and will be on the maps from now on.")
        self.maps("")

    def drop(self, rest: str) -> None:
        seat = self._seat(rest)
        self.desk.drop(seat)
        click.echo(f"{seat.capitalize()} drops out this turn.")

    def stay(self, rest: str) -> None:
        self.desk.stay(self._seat(rest))
        self.status("")

    def rules(self, number: str) -> None:
        click.echo(paragraph(self.desk.game, number))
