"""The nouns of Monarchs as records: the position, the order sheets, the scratch space of a turn."""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.board import DIRECTIONS, HEXES
from polemos.kernel.record import Array, Record, i8, i16, i32, size, u64

NATIONS: Final = 3
NOBODY: Final = 3  # owner of the unclaimed centre (1.4)

MAX_LINES: Final = 128  # of a sheet (3.1)
MAX_REGIMENTS: Final = 1000  # of a nation, in a loaded position (1.7)
MAX_TURNS: Final = 50  # (10.4)

BORDERS: Final = HEXES * DIRECTIONS
SIDES: Final = 8  # a border as seen from one side is hex * 8 + direction: no division on the way back

# Profiles, modes and scorings, in the order of their numbers in the state.
RULES: Final = ("classic", "2022-04")
MODES: Final = ("party", "online", "open", "court")
SCORINGS: Final = ("regiments", "battles")
PARTY: Final = 0
ONLINE: Final = 1
OPEN: Final = 2
BY_REGIMENTS: Final = 0
BY_BATTLES: Final = 1

# Why the game ended, as kept in State.reason; 0 while it runs (10.5, 10.6).
REASONS: Final = (
    "running",
    "highest total",
    "holds the centre",
    "more hexes",
    "the die",
    "the others dropped out",
)

OTHERS_DROPPED: Final = 5

# Kinds of lines.
MARCH: Final = 0
BLESS: Final = 1

# Fates of lines, as `Line.fault`.
GOOD: Final = 0
UNREADABLE: Final = 1
NOT_NEXT: Final = 2
NO_NUMBER: Final = 3
TOO_MANY: Final = 4
NOT_YOURS: Final = 5
SECOND_BLESSING: Final = 6


class State(Record):
    """The whole truth between two turns. Regiments on a hex belong to its owner (1.7)."""

    turn: i16  # the turn to be ordered, from 1
    turns: i16  # the number of turns; 0 while the last is not announced (10.4)
    rules: i8
    mode: i8
    scoring: i8
    reason: i8
    places: Array[i8] = size(NATIONS)  # nations from first to last, once reason is set
    dropped: Array[i8] = size(NATIONS)
    score: Array[i16] = size(NATIONS)  # of the last turn played
    total: Array[i32] = size(NATIONS)
    owner: Array[i8] = size(HEXES)
    battles: Array[i8] = size(HEXES)  # last turn: bit n, nation n won here; bit 3 + n, it was beaten here
    regiments: Array[i16] = size(HEXES)


class Line(Record):
    """One line of a sheet. A blessing has its hex in `target`."""

    kind: i8
    fault: i8
    origin: i8
    target: i8
    number: i16


class Sheet(Record):
    count: i16
    lines: Array[Line] = size(MAX_LINES)


class Sheets(Record):
    """The three sheets of a turn; a nation without one has no lines (3.9)."""

    of: Array[Sheet] = size(NATIONS)


# Whose eyes, as `Sight.who`: a nation, or one of these.
SPECTATOR_EYES: Final = -1
UMPIRE_EYES: Final = -2


class Sight(Record):
    """9 All that a nation, a spectator or the umpire may know of a state; zero where nothing is known."""

    who: i8
    rules: i8
    mode: i8
    scoring: i8
    turn: i16
    turns: i16
    reason: i8
    places: Array[i8] = size(NATIONS)
    dropped: Array[i8] = size(NATIONS)
    reported: Array[i8] = size(NATIONS)  # whose results are told (9.4)
    score: Array[i16] = size(NATIONS)
    total: Array[i32] = size(NATIONS)
    seen: Array[i8] = size(HEXES)  # (9.1)
    owner: Array[i8] = size(HEXES)
    battles: Array[i8] = size(HEXES)  # of those whose results are told
    regiments: Array[i16] = size(HEXES)


class Choice(Record):
    """A pattern of legal lines: a march with any number from 1 to `most`, or a blessing."""

    kind: i8
    origin: i8
    target: i8
    most: i16


class Defeat(Record):
    """An army that lost a hex battle, waiting for its retreat (8)."""

    place: i8
    nation: i8
    rest: i16  # what is left after the one lost regiment
    victor: i8


class Work(Record):
    """Scratch space of a turn. `heads`, `force` and `entered` are all zero between turns.

    Lists are short and lie together: a GPU plays as fast as the scratch space of its threads fits in its cache.
    """

    turn_key: u64  # what all dice of the turn have in common
    blessed: Array[i8] = size(NATIONS)  # the blessed hex of each nation, or -1
    blessing: Array[i16] = size(NATIONS)  # the line that says so
    drawn: Array[i16] = size(NATIONS)  # dice for the game that were told (10.5)
    groups: i16
    group_at: Array[i16] = size(BORDERS)  # borders over which a group is ordered, in the order of the sheets
    group: Array[i16] = size(BORDERS)  # how many regiments each of these groups has
    line: Array[i16] = size(BORDERS)  # the first line that orders it
    heads: Array[i8] = size(HEXES)  # bit d: a group is ordered from this hex in direction d
    fields: i16
    field: Array[i8] = size(HEXES)  # hexes that somebody enters this turn
    entered: Array[i8] = size(HEXES)  # its number in this list, from 1; 0 if nobody enters
    force: Array[i16] = size((HEXES + 1) * 4)  # force[field * 4 + nation] enters that hex
    defeats: i16
    defeat: Array[Defeat] = size(HEXES * 2)
    home: Array[i16] = size(NATIONS)  # regiments on their way to the home base
    gain: Array[i16] = size(NATIONS + 1)  # points won by fighting
    army: Array[i8] = size(HEXES + 3)  # list of armies, for invented orders
