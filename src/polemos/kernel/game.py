"""The contract between the kernel and a game, and no more than that: some twenty methods.

A game is found by its entry point in the group `polemos.games`. Its adapter, one object of a subclass of `Game`, is the
only part of it that speaks kernel words. What only some games can do is a capability (`kernel/capabilities/`): a
further parent of the adapter. `who` is always the name of a seat, `SPECTATOR` or `UMPIRE`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from msgspec import Struct

from polemos.kernel.capabilities.sheet_size import SheetSize
from polemos.kernel.chronicle import Chronicle
from polemos.kernel.dice import Chance
from polemos.kernel.errors import IllegalOrder, OrderError
from polemos.kernel.log import Log
from polemos.kernel.orders import Line, O, Sheet, fault_of, shown
from polemos.kernel.outcome import Outcome
from polemos.kernel.record import Record

UMPIRE: Final = "umpire"
SPECTATOR: Final = "spectator"


class Viewed(Protocol):
    """What every view says."""

    @property
    def who(self) -> str: ...
    @property
    def turn(self) -> int:
        """The turn to be ordered, as the book counts."""
        ...

    @property
    def outcome(self) -> Outcome | None: ...


V = TypeVar("V", bound=Viewed)

S = TypeVar("S", bound=Record)  # the state
X = TypeVar("X", bound=Record)  # the sight


class Facts(Struct, frozen=True):
    """What programs may ask of a game instead of its name."""

    seats: tuple[str, ...]  # all seats, in order; a match may have fewer
    fewest: int  # seats of a match
    simultaneous: bool  # all seats order at once; otherwise they take turns
    fog: bool  # a seat does not see everything
    dice: bool
    most_lines: int  # of a sheet in any match; further ones are void
    lines_rule: str  # the paragraph that says so
    most_events: int  # of a step
    summary: str  # one sentence


class Option(Struct, frozen=True, omit_defaults=True):
    """A pattern of lawful orders: `order` as it stands, or with its field `number` from least to most."""

    order: dict[str, Any]
    text: str
    least: int | None = None
    most: int | None = None
    figures: dict[str, Any] = {}
    idle: bool = False  # lawful, and no different from leaving it out; programs are not offered it


W = TypeVar("W", contravariant=True)


class Bot(Protocol[W]):
    """Made once per match; asked once per step. It may keep memory, and is handed views only."""

    def orders(self, view: W, time_left: float, /) -> Sequence[object]: ...


BotMaker = Callable[[Any, str, int], Bot[Any]]  # (setting, seat, its own seed)


class Game(ABC, Generic[S, O, X, V]):
    """One game. All methods but `resolve` and `forfeit` leave the state alone."""

    name: ClassVar[str]  # as in commands, files, addresses
    title: ClassVar[str]
    edition: ClassVar[int]  # rises when results can change
    facts: ClassVar[Facts]
    chronicle: ClassVar[Chronicle]  # what can happen
    state_type: ClassVar[type[Record]]
    sight_type: ClassVar[type[Record]]
    options_type: ClassVar[type[Struct]]
    order_type: ClassVar[Any]
    view_type: ClassVar[type[Struct]]
    setting_type: ClassVar[type[Struct]]
    evening: ClassVar[dict[str, Any]] = {}  # options of a match run by a gamerunner, unless others are given
    evening_rules: ClassVar[dict[str, str]] = {}  # where the book has them: on a turn run `again`, and that it `stands`
    examples: ClassVar[tuple[dict[str, Any], ...]] = ({},)  # options worth testing

    # ---- the beginning

    @abstractmethod
    def setup(self, options: Mapping[str, Any], seed: object) -> S:
        """The first state. What is left to chance (a map, a deal) is drawn from `seed`."""

    @abstractmethod
    def options_of(self, state: S) -> dict[str, Any]:
        """The options of a match in full, maps and tables included: `setup` makes the same first state of them."""

    @abstractmethod
    def setting(self, state: S) -> Any:
        """What never changes and all may know; sent once."""

    def seats(self, state: S) -> tuple[str, ...]:
        """The seats of this match, in order."""
        return self.facts.seats

    # ---- a step

    @abstractmethod
    def to_act(self, state: S) -> tuple[str, ...]:
        """Who is to order now; empty after the end."""

    @abstractmethod
    def read(self, line: object) -> O:
        """The order that a text or an object means; raises an OrderError."""

    @abstractmethod
    def write(self, order: O) -> str:
        """The order as text."""

    @abstractmethod
    def judge(self, state: S, seat: str, orders: Sequence[O | None]) -> list[OrderError | None]:
        """For each order of a sheet why it is void here, or None. An order that is None is an unreadable line."""

    @abstractmethod
    def resolve(self, state: S, sheets: Mapping[str, Sheet[O] | None], chance: Chance, log: Log) -> None:
        """One step, in place. A seat that is missing or None is absent."""

    @abstractmethod
    def forfeit(self, state: S, seat: str, log: Log) -> None:
        """What the book says when a seat drops out."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Who won and why; None while the match runs."""

    # ---- what is seen, and what may be done

    @abstractmethod
    def look(self, state: S, who: str) -> X:
        """All that `who` may know of the state, as a record filled by one compiled rule. Nothing else goes out."""

    @abstractmethod
    def view(self, sight: X) -> V:
        """The sight as a message."""

    @abstractmethod
    def lawful(self, sight: X, draft: Sequence[O] = ()) -> list[Option]:
        """What whoever sees this may still order beside the draft, by the rules that judge orders."""

    @abstractmethod
    def imagine(self, setting: Any, view: V, seed: object) -> S:
        """A full state that agrees with a view: exact where nothing is hidden, drawn from `seed` where it is."""

    # ---- notation

    @abstractmethod
    def write_position(self, state: S) -> str:
        """The state as text, loss-free."""

    @abstractmethod
    def read_position(self, text: str) -> S:
        """The state that a text means; raises BadPosition."""

    # ---- given to every game

    def observe(self, state: S, who: str) -> V:
        """The state as `who` may know it."""
        return self.view(self.look(state, who))

    def options(self, setting: Any, view: V, draft: Sequence[O] = ()) -> list[Option]:
        """What is lawful for somebody who has a view alone: what is hidden makes no difference."""
        return self.lawful(self.look(self.imagine(setting, view, 0), view.who), draft)

    def check(self, state: S, seat: str, lines: Sequence[object]) -> Sheet[O]:
        """Reads a sheet and marks all its faults, none of them fatal to the rest of it."""
        most = most_lines(self, state)
        orders: list[O | None] = []
        errors: list[OrderError | None] = []
        for line in lines[:most]:
            try:
                orders.append(self.read(line))
                errors.append(None)
            except OrderError as error:
                orders.append(None)
                errors.append(error)
        for i, forbidden in enumerate(self.judge(state, seat, orders)):
            errors[i] = errors[i] or forbidden
        for _ in lines[most:]:
            orders.append(None)
            errors.append(
                IllegalOrder(f"A sheet has at most {most} lines; this one comes after.", rule=self.facts.lines_rule)
            )
        read = []
        for number, (line, order, fault) in enumerate(zip(lines, orders, errors, strict=True), 1):
            text = self.write(order) if order is not None else shown(line)
            read.append(Line(text, order, None if fault is None else fault_of(number, text, fault)))
        return Sheet(tuple(read))


def worth_offering(options: Sequence[Option]) -> list[Option]:
    """Options for programs: those that take what they are offered would do nothing for ever."""
    return [option for option in options if not option.idle]


def most_lines(game: Game[S, Any, Any, Any], state: S) -> int:
    """Lines of a sheet in this match."""
    return game.most_lines(state) if isinstance(game, SheetSize) else game.facts.most_lines


AnyGame = Game[Any, Any, Any, Any]  # where it makes no difference which
