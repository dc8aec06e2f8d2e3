"""A party at the terminal: the same journal as the desk in the browser, for the case that the browser fails."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from polemos.cli.dialogue import Act, Leave, ask, converse, cover, show_sheet
from polemos.cli.screen import show
from polemos.desk import maps
from polemos.desk.party import PartyDesk
from polemos.kernel import dice
from polemos.kernel.errors import IllegalOrder, MissingPart, NoPicture
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import seat_called

ENTRY_HELP = "Type one order per line; undo removes the last, done files the sheet, leave keeps it as a draft."


class PartyEvening:
    """The gamerunner's commands at a party."""

    def __init__(self, desk: PartyDesk, paper: str) -> None:
        self.desk = desk
        self.paper = paper
        self.acts: dict[str, tuple[Act, str]] = {
            "status": (self.status, "show what comes next, and the clocks"),
            "deal": (lambda _: self._do(act="deal"), "deal the loyalties"),
            "papers": (self.papers, "print role cards, order forms, blank boards and the rules"),
            "maps": (self.maps, "draw the sealed maps again and say where they are"),
            "release": (self.release, "release [last]: hand the maps out and start the round, perhaps the last"),
            "fetch": (self.fetch, "fetch NAME: a courtier comes for the map"),
            "gone": (lambda name: self._do(act="leave", role=self._role(name)), "gone NAME: leaves with the map"),
            "arrive": (self.arrive, "arrive NAME: a courtier comes with orders"),
            "run": (self.run, "play the turn with the sheets that were handed in"),
            "call": (self.call, "call last: announce the last round after its maps went out"),
            "guess": (self.guess, "guess COURT: enter a monarch's final guess"),
            "reveal": (self.reveal, "show the next thing of the reveal"),
            "show": (self.show, "show [COURT]: show the map of a court, or the whole board"),
            "summon": (partial(self._of_court, "summon"), "summon COURT NAME: a monarch summons somebody"),
            "calloff": (
                lambda court: self._do(act="calloff", court=self._seat(court)),
                "calloff COURT: ends a summons",
            ),
            "admit": (partial(self._of_court, "admit"), "admit COURT NAME: a monarch lets somebody in, once"),
            "dismiss": (self.dismiss, "dismiss COURT NAME [for MINUTES]: a monarch sends somebody away, or for good"),
            "recall": (partial(self._of_court, "recall"), "recall COURT NAME: a monarch lifts a dismissal"),
            "enter": (self.enter, "enter NAME, ROOM: somebody goes to a court or a room of the common area"),
            "where": (self.where, "show who is where"),
            "loyalties": (self.loyalties, "show who serves whom; cover the screen afterwards"),
            "copy": (self.copy, "copy COURT: keep what a monarch wrote, for the replay"),
            "join": (lambda name: self._do(act="join", name=name.strip()), "join NAME: one more guest"),
            "swap": (self.swap, "swap NAME, GUEST: an understudy takes over"),
            "tell": (lambda text: self._do(act="tell", text=text), "tell TEXT: note what all courts were told"),
            "pause": (lambda _: self._do(act="pause"), "stop all clocks"),
            "resume": (lambda _: self._do(act="resume"), "let all clocks run again"),
            "rule": (lambda text: self._do(act="rule", text=text), "rule TEXT: note a ruling"),
            "rulings": (self.rulings, "rulings [TEXT]: list tonight's rulings with this text"),
            "history": (self.history, "show the journal in words"),
            "back": (self.back, "back REASON: take back the last entry of the journal"),
            "strike": (partial(self.strike, False), "strike NUMBER REASON: take back any entry; see history"),
            "overrule": (
                partial(self.strike, True),
                "overrule NUMBER REASON: the same, although a map has gone out since; all courts are told",
            ),
            "cover": (lambda _: cover(), "clear the screen"),
            "help": (self.help, "show this list"),
            "quit": (self.quit, "leave; everything is saved"),
        }
        for seat in desk.match.seats:
            self.acts[seat] = (partial(self.type_in, seat), f"type {seat}'s sheet")

    def loop(self) -> None:
        desk = self.desk
        click.echo(f"{desk.game.title}: the party {desk.title!r} in {desk.folder}/.")
        click.echo(f"Fingerprint of the dice: {dice.fingerprint(desk.key)}")
        if history := [deed for deed in self._card().history if not deed.is_struck and deed.kind != "strike"]:
            click.echo(f"Last: {history[-1].text}, {_hour(history[-1].at)}.")
        self.status("")
        click.echo("Type help for a list of commands.")
        converse(lambda: "desk> ", self.acts)
        click.echo(f"Everything is saved in {desk.folder}/. In the browser: polemos desk {desk.folder}")

    # ---- what is known

    def _card(self) -> Any:
        return self.desk.rules.card(self.desk.evening, self.desk.now())

    def _said(self) -> dict[str, Any]:
        said: dict[str, Any] = msgspec.to_builtins(self._card())
        return said

    def _do(self, **act: Any) -> None:
        self.desk.do(act, "terminal")
        self.status("")

    def _seat(self, word: str) -> str:
        return seat_called(self.desk.match.seats, word)

    def _role(self, name: str) -> str:
        """The role of somebody, by name or role."""
        people = {one["role"]: one["name"] for one in self._said()["sight"]["people"]}
        wanted = name.strip().casefold()
        for role, called in people.items():
            if wanted in (role, called.casefold()):
                return str(role)
        raise IllegalOrder(f"Nobody at this party is called {name.strip()[:40]!r}.")

    def _of_court(self, act: str, rest: str) -> None:
        court, _, name = rest.strip().partition(" ")
        self._do(act=act, court=self._seat(court), role=self._role(name))

    def dismiss(self, rest: str) -> None:
        said, is_for_a_time, minutes = rest.strip().partition(" for ")
        if not is_for_a_time:
            self._of_court("dismiss", said)
            return
        if not minutes.strip().isdecimal():
            raise IllegalOrder("Say how many minutes, or nothing: then it is for good.")
        court, _, name = said.partition(" ")
        self._do(act="dismiss", court=self._seat(court), role=self._role(name), seconds=60 * int(minutes))

    def enter(self, rest: str) -> None:
        name, _, where = rest.partition(",")
        wanted = where.strip().casefold().removesuffix(" court")
        rooms = [*self.desk.match.seats, *self._said()["sight"]["agreed"]["common"]]
        room = next((one for one in rooms if one.casefold() == wanted), None)
        if room is None:
            raise IllegalOrder(f"There is no room called {where.strip()[:40]!r}. There are: {', '.join(rooms)}.")
        self._do(act="enter", role=self._role(name), room=room)

    def where(self, _: str) -> None:
        sight = self._said()["sight"]
        rooms, seats = sight["everything"]["rooms"], self.desk.match.seats
        for one in sight["people"]:
            room = rooms[one["role"]]
            click.echo(f"  {one['name']}: {f'{room} court' if room in seats else room}")

    def loyalties(self, _: str) -> None:
        names = {one["role"]: one["name"] for one in self._said()["sight"]["people"]}
        for role, nation in self.desk.rules.loyalties(self.desk.evening).items():
            click.echo(f"  {names[role]} serves {nation}")

    def copy(self, court: str) -> None:
        seat = self._seat(court)
        text = ask(f"What {seat}'s monarch wrote, lines separated by semicolons: ")
        self._do(act="write", court=seat, lines=[part.strip() for part in text.split(";") if part.strip()])

    def swap(self, rest: str) -> None:
        name, _, guest = rest.partition(",")
        self._do(act="replace", role=self._role(name), guest=self._role(guest))

    def status(self, _: str) -> None:
        said = self._said()
        sight, stage = said["sight"], said["stage"]
        times, clocks = sight["times"], sight.get("clocks", {})
        due = clocks.get("round", {})
        left = due["left"] / 1000 if "left" in due else (due["at"] - self.desk.now()) / 1000 if "at" in due else 0
        paused = ", paused" if times.get("is_paused") else ""
        if times["round"]:
            click.echo(f"Round {times['round']}{paused}: {max(0, int(left)) // 60}:{max(0, int(left)) % 60:02} left.")
        names = {one["role"]: one["name"] for one in sight["people"]}
        for role, until in clocks.get("holding", {}).items():
            rest = max(0, until.get("left", until.get("at", 0) - self.desk.now())) // 1000
            click.echo(
                f"  {names[role]} waits at the desk: {rest} seconds more." if rest else f"  {names[role]} waited."
            )
        missing = f" ({', '.join(stage['courts'])})" if stage.get("courts") else ""
        click.echo(f"Next: {stage['next']}{missing}.")
        if stage["next"] in ("orders", "release"):
            for seat, people in said["carriers"].items():
                free = [one["name"] for one in people if not one.get("why")]
                click.echo(f"  {seat}: {', '.join(free)} may carry.")

    def help(self, _: str) -> None:
        width = max(len(word) for word in self.acts)
        for word, (_act, line) in self.acts.items():
            click.echo(f"  {word:{width}}  {line}")

    def quit(self, _: str) -> None:
        raise Leave

    def rulings(self, text: str) -> None:
        for note in self._said()["sight"]["everything"]["rulings"]:
            if text.casefold() in note["text"].casefold():
                click.echo(f"  turn {note['turn']}, {_hour(note['at'])}  {note['text']}")

    def history(self, _: str) -> None:
        for deed in self._said()["history"]:
            click.echo(
                f"  {deed['number']:3} {_hour(deed['at'])}  {deed['text']}"
                + "  (taken back)" * deed.get("is_struck", 0)
            )

    # ---- a turn

    def fetch(self, name: str) -> None:
        self._do(act="arrive", role=self._role(name), errand="map")

    def arrive(self, name: str) -> None:
        self._do(act="arrive", role=self._role(name), errand="orders")

    def type_in(self, seat: str, _: str) -> None:
        desk = self.desk
        lines = list(desk.drafts.get(seat, []))
        click.echo(f"{seat.capitalize()}'s sheet, as delivered. {ENTRY_HELP}")
        show_sheet(desk.check(seat, lines))
        while True:
            text = ask(f"{seat}> ")
            if text == "leave":
                return
            if text == "done":
                break
            if text == "undo":
                lines = lines[:-1]
            else:
                lines += [part.strip() for part in text.split(";") if part.strip()]
            desk.draft(seat, lines)
            show_sheet(desk.check(seat, lines))
        orders = self._said()["sight"]["everything"]["orders"].get(seat, {})
        reason = ask("It was filed before. Reason for typing it again: ") if orders.get("handed") is not None else ""
        void = len(desk.file(seat, lines, reason, "terminal").faults)
        cover()
        click.echo(f"Filed: {len(lines)} lines{f', {void} void' if void else ''}.")
        self.status("")

    def run(self, _: str) -> None:
        self.desk.play("terminal")
        self.status("")
        if not self.desk.rules.has_locked_results(self.desk.evening):
            self.maps("")

    def maps(self, rest: str) -> None:
        desk = self.desk
        path = desk.folder / "maps.pdf"
        try:
            maps.write(path, desk.maps(rest.strip() == "last", self.paper))
        except (MissingPart, NoPicture) as error:
            click.echo(f"The maps cannot be printed, but you can see them here with show COURT. {error}")
            return
        click.echo(f"Three sealed maps: {path}")

    def papers(self, _: str) -> None:
        path: Path = self.desk.folder / "papers.pdf"
        maps.write(path, self.desk.papers(self.paper))
        click.echo(f"Cards, forms, boards and rules: {path}")

    def release(self, rest: str) -> None:
        self._do(act="release", last=rest.strip() == "last")

    def call(self, rest: str) -> None:
        if rest.strip() != "last":
            raise IllegalOrder("You can call: last.")
        click.echo("Careful: the maps of this round have been handed out and do not show this. Tell all courts.")
        reason = ask("Reason (leave empty to cancel): ")
        if reason:
            self._do(act="last", reason=reason)

    def back(self, reason: str) -> None:
        standing = [deed for deed in self._said()["history"] if not deed.get("is_struck") and deed["kind"] != "strike"]
        if not standing:
            raise IllegalOrder("Nothing has been done yet.")
        self._do(act="strike", entry=standing[-1]["number"], reason=reason)
        click.echo(f"Taken back: {standing[-1]['text']}.")

    def strike(self, overrule: bool, rest: str) -> None:
        number, _, reason = rest.strip().partition(" ")
        if not number.isdecimal():
            raise IllegalOrder("Say which entry, by its number in the history, and why.")
        self._do(act="strike", entry=int(number), reason=reason, overrule=overrule)

    def show(self, rest: str) -> None:
        match = self.desk.match
        self.desk.rules.refuse_locked(self.desk.evening)
        show(self.desk.game, match.setting, match.view(self._seat(rest) if rest.strip() else UMPIRE))

    # ---- the end

    def guess(self, rest: str) -> None:
        seat = self._seat(rest)
        spies = {}
        for other in self.desk.match.seats:
            if other != seat:
                name = ask(f"Who in the {seat} court serves {other}? ")
                spies[other] = self._role(name) if name else None
        self._do(act="guess", court=seat, spies=spies)

    def reveal(self, _: str) -> None:
        self.desk.do({"act": "reveal"}, "terminal")
        shown = msgspec.to_builtins(self.desk.rules.sight(self.desk.evening, "screen"))["shown"][-1]
        click.echo(", ".join(f"{name}: {value}" for name, value in shown.items()))
        if self.desk.rules.is_over(self.desk.evening):
            click.echo(f"Replay with the key of the dice: {self.desk.write_replay()}")


def _hour(at: int) -> str:
    return datetime.fromtimestamp(at / 1000).strftime("%H:%M:%S")
