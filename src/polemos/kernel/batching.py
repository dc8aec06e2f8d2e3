"""What the batches of all games have in common: the records beside the states, and the table of a game's rules.

A batch plays `count` games side by side. Game `i` has a state and a `Place`: its seed, the key of its dice, who plays
its seats, and what the last step brought. When a game ends, the next one begins in the same place with a new key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from polemos.kernel.device import Sizes
from polemos.kernel.dice import mix, scatter
from polemos.kernel.record import Array, Many, Record, i8, i32, i64, size, u64
from polemos.kernel.rule import entry, rule
from polemos.kernel.spaces import Layout

MAX_SEATS: Final = 4

# Streams of a game's key beside its dice.
_ORDERS: Final = 1 << 40  # invented orders
_START: Final = 1 << 41  # the starting position
_MANNER: Final = 1 << 42  # habits of scripted players

FILE: Final = 0  # the number that files a sheet
NOTHING: Final = -1  # the number of no order at all

ALL: Final = -1  # in place of a seat: all of them look,
BLIND: Final = -2  # or none does


class Place(Record):
    """What a batch keeps of a game beside its state."""

    seed: u64  # all games of this place follow from it
    key: u64  # of the dice of this game
    games: i64  # that have ended here
    steps: i64  # of this game
    refused: i64  # orders given by number that were not lawful
    total: Array[i64] = size(MAX_SEATS)  # of the rewards, over all games
    reward: Array[i8] = size(MAX_SEATS)  # of the last step
    policy: Array[i8] = size(MAX_SEATS)  # who plays each seat in `play`: an index into the game's policies
    scripted: Array[i8] = size(MAX_SEATS)  # who plays it in `give`: 1 + such an index, 0 for orders by number
    filed: Array[i8] = size(MAX_SEATS)  # seats whose sheet is complete
    over: i8  # the last step ended a game
    restart: i8  # a game that has ended is followed by the next one


class Given(Record):
    """An order by its number, and with how many units."""

    number: i32
    amount: i32


class Nothing(Record):
    """What scripts know of a starting position, if that is nothing."""

    nothing: i8


@rule
def begin(place: Place) -> None:
    """The next game of a place: a new key, no sheets."""
    place.key = mix(place.seed ^ place.games)
    place.steps = 0
    for seat in range(MAX_SEATS):
        place.filed[seat] = 0


@rule
def whim(place: Place) -> u64:
    """The key of the orders that are invented for the next step."""
    return mix(mix(place.key ^ _ORDERS) ^ place.steps)


@rule
def manner(place: Place) -> u64:
    """A key for what scripted players draw once in a game."""
    return mix(place.key ^ _MANNER)


@rule
def start_of(place: Place, starts: int) -> int:
    """Which of the starting positions a game begins with."""
    return scatter(place.key, _START) % starts


@rule
def clear_rewards(place: Place) -> None:
    place.over = 0
    for seat in range(MAX_SEATS):
        place.reward[seat] = 0


@rule
def pay(place: Place, seat: int, reward: int) -> None:
    place.reward[seat] = reward
    place.total[seat] += reward


@entry
def sow(places: Many[Place], first: int, seed: u64) -> None:
    """Gives every place a seed of its own; the first of these places has the number `first` in its batch."""
    for i in range(len(places)):
        place = places[i]
        place.seed = mix(mix(seed) ^ (first + i))
        place.games = 0
        begin(place)


class Kit(Struct, frozen=True):
    """The compiled side of a game's batches. Rules named `..._one` work on a single game, `..._many` on a slice.

    All games give the same parameters to the same rules, so that one driver serves them on every device. Policies
    beside `random` are scripts, the same as in the game's playouts. They are long, and what they write on is large, so
    they stand only in the rules that are called where they play.
    """

    state: type[Record]
    orders: type[Record]  # the sheets of all seats for one step
    sight: type[Record]
    observation: type[Record]
    limits: type[Record]
    desk: type[Record]  # what a thread needs besides
    eyes: type[Record]  # and what it needs to see and to judge
    mind: type[Record]  # and what scripts write on
    lore: type[Record]  # what scripts know of a starting position
    learn: Callable[[Any, Any], None] | None  # (state, lore): fills it in, once for each starting position
    packs: bool  # the rules keep to the extent of a state, so that states can lie dense
    policies: tuple[str, ...]  # "random", then the scripts of the playouts
    seats: Callable[[Any], int]  # of a match that starts like this
    orders_extent: Callable[[Any], int]  # bytes of `orders` in such a match
    layout: Callable[[Any], Layout]
    sizes: Callable[[Any], Sizes]  # of records on a GPU
    registers: int  # of a thread on a GPU when it plays many turns; 0: as many as the compiler wants
    called: tuple[Any, ...]  # rules that are called on a GPU when many turns are played; all others are copied in
    called_by_scripts: tuple[Any, ...] | None  # the same where scripts play; None: all long ones
    checks: tuple[dict[str, Any], ...]  # options that a device is checked with, beside those of the bench
    start_one: Any  # (states, places, at, starts, orders)
    step_one: Any  # (states, places, at, starts, orders, log, desk)
    random_one: Any  # (states, places, at, starts, steps, log, desk): all seats are played by chance
    play_one: Any  # the same by policies: (states, places, at, starts, steps, log, desk, lore, mind)
    give_one: Any  # (states, places, at, starts, orders, given, each, log, desk, eyes): policies play by chance
    oppose_one: (
        Any  # the same by policies: (states, places, at, starts, orders, given, each, log, desk, eyes, lore, mind)
    )
    look_one: Any  # (states, at, sights)
    observe_one: Any  # (states, places, at, orders, observations, limits, log, desk, eyes)
    start_many: Any  # the same without `at`
    step_many: Any
    random_many: Any
    give_many: Any
    look_many: Any
    observe_many: Any
    act_many: Any  # (states, places, starts, orders, given, each, observations, limits, seat, log, desk, eyes)
    # (states, places, starts, orders, given, each, steps, observations, limits, seat, log, desk, eyes, lore, mind):
    # `steps` steps by policies, or if that is 0, what `act_many` does. One entry: each would compile the scripts again.
    scripted_many: Any
