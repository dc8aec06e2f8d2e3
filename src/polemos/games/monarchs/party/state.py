"""The nouns of the party: everything that is true at one moment of the evening.

A state is immutable; `evening.apply` makes the next one. Its dictionaries are never changed in place. Times are party
time in milliseconds, unless they are called wall times (see `times`).
"""

from __future__ import annotations

from msgspec import Struct

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party import options, roles, times
from polemos.games.monarchs.party.options import Options, Setup
from polemos.games.monarchs.party.roles import courtier, guest
from polemos.games.monarchs.party.times import SECOND, Clock

Lines = tuple[str, ...]


class Change(Struct, frozen=True):
    """A sheet as somebody left it, and when."""

    at: int  # wall time
    lines: Lines


class Errand(Struct, frozen=True):
    """The orders of one court in one round, from the monarch's pen to the gamerunners."""

    carrier: str | None = None
    written: Lines | None = None  # by the monarch; None if nobody but the monarch knows
    given: int | None = None  # wall time
    carried: Lines | None = None  # in the carrier's hands
    changes: tuple[Change, ...] = ()  # by the carrier, oldest first
    arrived: int | None = None
    is_late: bool = False
    handed: int | None = None
    delivered: Lines | None = None  # as the turn is played; None: no orders
    corrected: tuple[str, ...] = ()  # reasons why gamerunners typed it again


class Trip(Struct, frozen=True):
    """A courtier who came to the desk for a map."""

    role: str
    came: int


class Sent(Struct, frozen=True):
    """A courtier who was sent for a map."""

    role: str
    map: int


class Summons(Struct, frozen=True):
    """Somebody was called to a court, and came."""

    role: str
    came: int | None = None


class Stay(Struct, frozen=True):
    """Where a summoned person stays, and until when they have to."""

    court: str
    until: int


class Standing(Struct, frozen=True, forbid_unknown_fields=True):
    """How the board stands after a turn: totals (the last turn counted twice), hexes, and who owns the centre."""

    total: dict[str, int]
    hexes: dict[str, int]
    centre: str | None = None


class Delivery(Struct, frozen=True):
    """A line of the register: the orders of one court in one turn."""

    turn: int
    court: str
    name: str | None  # of the carrier at that time
    errand: Errand


class Fetched(Struct, frozen=True):
    """A line of the register: a map that left the desk."""

    map: int
    court: str
    name: str
    at: int  # wall time


class Note(Struct, frozen=True):
    """Something told to all courts alike, or a ruling in the gamerunners' book."""

    turn: int
    at: int  # wall time
    text: str
    signed: str = ""


class State(Struct, frozen=True):
    """The whole evening at one moment."""

    setup: Setup
    names: dict[str, str]  # by role
    rooms: dict[str, str]  # by role
    at: int = 0  # wall time of the last act
    clock: Clock = Clock()

    serves: dict[str, str] = {}  # by courtier: the nation of the true monarch; empty before the cards are dealt

    round: int = 0  # the round being ordered; 0 before the first maps are released
    played: int = 0  # turns played, which is also the number of the newest map
    ready: int = 0  # when the newest map was drawn
    released: int | None = None  # when the maps of this round were released
    opened: int | None = None  # when the first maps were released
    is_last: bool = False  # announced
    standing: Standing | None = None

    orders: dict[str, Errand] = {}  # by court
    sheets: dict[str, Lines] = {}  # by court: what the monarch is writing
    sent: dict[str, Sent] = {}  # by court
    fetching: dict[str, Trip] = {}  # by court: at the desk for a map
    fetched: dict[str, int] = {}  # by court: the number of the last map that left the desk
    last_carrier: dict[str, str] = {}  # by court
    last_fetcher: dict[str, str] = {}  # by court
    maps: dict[str, tuple[int, ...]] = {}  # by role: in the hands of a fetcher, or received by a monarch

    admitted: dict[str, tuple[str, ...]] = {}  # by court
    dismissed: dict[str, dict[str, int | None]] = {}  # by court and role: until when; None: for good
    summons: dict[str, Summons] = {}  # by court: the last one
    stays: dict[str, Stay] = {}  # by role: summoned people who have come and not left

    guesses: dict[str, dict[str, str | None]] = {}  # by court and nation served
    revealed: int = 0

    deliveries: tuple[Delivery, ...] = ()
    departures: tuple[Fetched, ...] = ()
    notices: tuple[Note, ...] = ()
    rulings: tuple[Note, ...] = ()

    @property
    def options(self) -> Options:
        return self.setup.options

    @property
    def is_online(self) -> bool:
        return self.options.venue == "online"

    @property
    def is_february(self) -> bool:
        """12.28 Whether this is the party of February 2022."""
        return self.options.party == "2022-02"

    @property
    def hall(self) -> str:
        return self.options.common[0]

    @property
    def now(self) -> int:
        """The party time of the last act."""
        return times.party_time(self.clock, self.at)

    @property
    def due(self) -> int | None:
        """12.7 When the orders of this round are due; None between rounds."""
        return None if self.released is None else self.released + self.options.round_seconds * SECOND

    @property
    def is_time_over(self) -> bool:
        """12.8 Whether a carrier who comes now is late."""
        return self.due is not None and self.now > self.due

    @property
    def is_last_played(self) -> bool:
        """12.18 Whether the turn of the last round has been played."""
        return self.is_last and 0 < self.round == self.played

    def errand(self, nation: str) -> Errand:
        return self.orders.get(nation, Errand())

    def courtiers(self, nation: str) -> tuple[str, ...]:
        return tuple(courtier(nation, number + 1) for number in range(len(self.setup.courts[nation].courtiers)))

    @property
    def all_courtiers(self) -> tuple[str, ...]:
        """All courtiers, by court and number: the order of tickets and of the reveal."""
        return tuple(role for nation in NATIONS for role in self.courtiers(nation))


def begin(setup: Setup) -> State:
    """12.1 Before the first act: the monarchs are in their courts, everybody else is in the common area."""
    options.check(setup)
    names, rooms = places(setup)
    return State(setup, names, rooms)


def places(setup: Setup) -> tuple[dict[str, str], dict[str, str]]:
    """Who has which role in the beginning, and where they are."""
    hall = setup.options.common[0]
    names, rooms = {}, {}
    for nation in NATIONS:
        court = setup.courts[nation]
        names[nation], rooms[nation] = court.monarch, nation
        for number, name in enumerate(court.courtiers, 1):
            names[courtier(nation, number)], rooms[courtier(nation, number)] = name, hall
    for number, name in enumerate(setup.guests, 1):
        names[guest(number)], rooms[guest(number)] = name, hall
    return names, rooms


def is_role(state: State, role: str) -> bool:
    """Whether somebody at this party has this role."""
    return role in state.names


def is_room(state: State, room: str) -> bool:
    return room in NATIONS or room == roles.DESK or room in state.options.common
