"""The room of the gamerunners: the party, who is at the desk, who is typing which sheet, and who is told of changes."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from polemos.desk.desk import JOURNAL
from polemos.desk.maps import write
from polemos.desk.party import PartyDesk, rules_of, wall
from polemos.kernel import dice
from polemos.kernel.capabilities.advice import Advice
from polemos.kernel.errors import IllegalOrder, PolemosError
from polemos.kernel.orders import shown
from polemos.wire.table import Sheet, SheetLine

PASS: Final = "desk-pass"
MAX_NAME: Final = 40
MAX_SCREENS: Final = 100  # clocks and big screens at the same time: everyone in the house can open them


class Closed(PolemosError):
    """Somebody without the gamerunners' link."""

    word = "desk/closed"


class NotOpen(PolemosError):
    """The party has not been set up yet."""

    word = "desk/not-open"


class Held(PolemosError):
    """Another gamerunner is typing this sheet."""

    word = "desk/held"


class Gamerunner(msgspec.Struct):
    """A page of a gamerunner that is open now."""

    name: str
    sheet: str | None = None  # the court whose sheet they are typing


class Check(msgspec.Struct, frozen=True):
    """A sheet that another gamerunner is asked to read, too: whose page asked, and what was typed there."""

    page: str
    name: str
    lines: list[str]


class Room:
    """One party and everyone who looks at it."""

    def __init__(self, folder: Path, game: Any, now: Callable[[], int] = wall, seed: object = None) -> None:
        rules_of(game)
        self.folder = folder
        self.game = game
        self.now = now
        self.seed = seed
        self.started = now()
        self.desk: PartyDesk | None = None
        self.people: dict[str, Gamerunner] = {}  # by page
        self._typed: dict[str, str] = {}  # by court: the page where its sheet was opened last
        self.checks: dict[str, Check] = {}  # by court
        self._listeners: set[asyncio.Event] = set()
        self._screens: set[asyncio.Event] = set()  # of them, those of pages that need no pass
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.password = _password(folder)
        if (folder / JOURNAL).is_file() and (folder / JOURNAL).stat().st_size:
            self.desk = PartyDesk.open(folder, game, now=now)

    def close(self) -> None:
        if self.desk is not None:
            self.desk.close()
            self.desk = None

    # ---- who may come in

    def admit(self, said: str | None) -> None:
        """Raises Closed unless this is the gamerunners' pass."""
        if said is None or not hmac.compare_digest(said.encode(), self.password.encode()):
            raise Closed("This is the gamerunners' desk. Open it with the link that the program printed.")

    def party(self) -> PartyDesk:
        if self.desk is None:
            raise NotOpen("The party has not been set up yet.")
        return self.desk

    def begin(self, setup: Mapping[str, Any], players: Mapping[str, str]) -> None:
        """Starts the party in the folder."""
        if self.desk is not None:
            raise IllegalOrder("The party has been set up already.")
        try:
            self.desk = PartyDesk.open(self.folder, self.game, setup, players, self.seed, self.now)
        except BaseException:
            path = self.folder / JOURNAL
            if path.is_file() and not path.stat().st_size:
                path.unlink()
            raise
        self.changed()

    # ---- who is here

    def come(self, page: str, name: str, sheet: str | None = None) -> Gamerunner:
        """A page connects, perhaps again. The sheet open there stays open, unless another has opened it since."""
        person = Gamerunner(shown(name)[:MAX_NAME])
        others = [other for at, other in self.people.items() if at != page]
        if sheet is not None and self._typed.get(sheet, page) == page and all(one.sheet != sheet for one in others):
            if self.desk is not None and sheet in self.desk.match.seats:
                person.sheet, self._typed[sheet] = sheet, page
        self.people[page] = person
        self.changed()
        return person

    def go(self, page: str, person: Gamerunner) -> None:
        """A connection has ended. The page may have another by then: a lost one is noticed late."""
        if self.people.get(page) is person:
            del self.people[page]
            self.changed()

    def name_of(self, page: str) -> str:
        return self.people[page].name if page in self.people else ""

    def hold(self, page: str, seat: str | None, take_over: bool = False) -> None:
        """Opens the sheet of a court at one page, or closes it. A sheet is never open twice."""
        self._must_be_here(page)
        for other, person in self.people.items():
            if other != page and seat is not None and person.sheet == seat:
                if not take_over:
                    raise Held(f"{person.name or 'Another gamerunner'} is typing this sheet.")
                person.sheet = None
        self.people[page].sheet = seat
        if seat is not None:
            self._typed[seat] = page
        if seat is not None and seat in self.checks and self.checks[seat].page == page:
            self.party().draft(seat, self.checks.pop(seat).lines)  # whoever asked opens it again
        self.changed()

    def opened(self, seat: str) -> dict[str, Any]:
        """A sheet for the one who opens it; where a check was asked for, an empty one beside the first reading."""
        check = self.checks.get(seat)
        if check is None:
            return self.sheet(seat)
        return {**self.sheet(seat, []), "check": {"name": check.name, "lines": check.lines}}

    def ask_for_check(self, page: str, seat: str) -> None:
        """The sheet is put down until another gamerunner has read the paper, too."""
        self.must_hold(page, seat)
        lines = [line.text for line in self.sheet(seat)["sheet"].lines]
        self.people[page].sheet = None
        self.checks[seat] = Check(page, self.name_of(page), lines)
        self.changed()

    def must_hold(self, page: str, seat: str) -> None:
        self._must_be_here(page)
        if self.people[page].sheet != seat:
            raise Held("Another gamerunner has taken this sheet over.")

    def _must_be_here(self, page: str) -> None:
        if page not in self.people:
            raise Held("This page has lost its connection, which comes back by itself. Try again then.")

    # ---- who is told

    def changed(self) -> None:
        for listener in self._listeners:
            listener.set()

    def listen(self, is_screen: bool) -> asyncio.Event:
        """Nobody can keep the gamerunners out with pages that need no pass."""
        if is_screen and len(self._screens) >= MAX_SCREENS:
            raise Closed("Too many screens are open.")
        event = asyncio.Event()
        event.set()
        self._listeners.add(event)
        if is_screen:
            self._screens.add(event)
        return event

    def stop_listening(self, event: asyncio.Event) -> None:
        self._listeners.discard(event)
        self._screens.discard(event)

    # ---- what is told

    def card(self, page: str) -> dict[str, Any]:
        """Everything that the desk shows, except the sheet that is being typed."""
        desk = self.desk
        others = [person.name for other, person in self.people.items() if other != page]
        if desk is None:
            return {"is_open": False, "now": self.now(), "game": self.game.title, "others": others}
        locked = desk.rules.has_locked_results(desk.evening)
        return {
            "is_open": True,
            "now": self.now(),
            "started": self.started,
            "game": self.game.name,
            "title": desk.title,
            "seats": desk.match.seats,
            "fingerprint": dice.fingerprint(desk.key),
            "is_rehearsal": any(player != "person" for player in desk.players.values()),
            "card": desk.rules.card(desk.evening, self.now()),
            "counts": {} if locked else desk.void_lines(),
            "drafts": {seat: len(lines) for seat, lines in desk.drafts.items() if lines},
            "typing": {
                person.sheet: person.name
                for other, person in self.people.items()
                if person.sheet is not None and other != page
            },
            "checks": {seat: check.name for seat, check in self.checks.items()},
            "others": others,
        }

    def clock(self) -> dict[str, Any]:
        """The clock page: the same bytes for every screen, and nothing of the game."""
        if self.desk is None:
            return {"now": self.now(), "times": None, "seconds": 0}
        times = self.desk.rules.sight(self.desk.evening, "clock").times
        options = self.desk.rules.write_setup(self.desk.setup)["options"]
        return {"now": self.now(), "times": times, "seconds": options["round_seconds"]}

    def screen(self) -> dict[str, Any]:
        """The big screen: what has been revealed, name by name, and not a byte more."""
        if self.desk is None:
            return {"title": "", "sight": None, "fingerprint": "", "is_over": False, "turns": 0, "party": ""}
        desk = self.desk
        sight = desk.rules.sight(desk.evening, "screen")
        is_over = desk.rules.is_over(desk.evening)
        options = desk.rules.write_setup(desk.setup)["options"]
        return {
            "title": desk.title,
            "sight": msgspec.structs.replace(sight, everything=None),
            "fingerprint": dice.fingerprint(desk.key),
            "is_over": is_over,
            "turns": len(desk.rules.turns(desk.evening)) if is_over else 0,
            "party": options["party"],
        }

    def sheet(self, seat: str, lines: list[Any] | None = None) -> dict[str, Any]:
        """A sheet with its faults, and the map of its court alone."""
        desk = self.party()
        desk.must_be_seat(seat)
        match = desk.match
        if seat not in match.to_act:
            raise IllegalOrder("There is no turn to order now.")
        filed = desk.rules.next_turn(desk.evening).sheets.get(seat)  # there if it is typed again
        given = (desk.drafts.get(seat) or list(filed or ())) if lines is None else lines
        view = match.view(seat)
        checked = self.game.check(match.state, seat, given)
        figures = self.game.line_figures(match.setting, view, checked.orders) if isinstance(self.game, Advice) else []
        alerts = self.game.alerts(match.setting, view, checked.orders) if isinstance(self.game, Advice) else []
        told = iter(figures)
        found = Sheet(
            step=len(match.steps),
            state="draft" if checked.lines else "empty",
            lines=tuple(
                SheetLine(line.text, line.order, line.fault, next(told, {}) if line.fault is None else {})
                for line in checked.lines
            ),
            options=tuple(self.game.options(match.setting, view, checked.orders)),
            alerts=tuple(alerts),
        )
        return {"sheet": found, "setting": match.setting, "view": view}

    def draft(self, page: str, seat: str, lines: list[Any]) -> dict[str, Any]:
        """Saves what was typed, and says what is wrong with it."""
        self.must_hold(page, seat)
        told = self.sheet(seat, lines)
        self.party().draft(seat, [line.text for line in told["sheet"].lines])
        self.changed()
        return told


def _password(folder: Path) -> str:
    """The pass of the gamerunners: it stays the same after a crash, and only this account can read it."""
    path = folder / PASS
    with suppress(FileNotFoundError):
        said = path.read_text(encoding="ascii").strip()
        if said:
            return said
    said = secrets.token_urlsafe(16)
    write(path, f"{said}\n".encode())
    return said
