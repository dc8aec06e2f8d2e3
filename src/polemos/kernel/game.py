"""The contract between the kernel and a game: about twenty methods.

A game is found through its entry point in the group `polemos.games`. Its adapter, one instance of a subclass of
`Game`, is the only part of it that uses the kernel's vocabulary. Abilities that only some games have are capabilities
(`kernel/capabilities/`), which the adapter inherits from as well. `who` is always the name of a seat, `SPECTATOR` or
`UMPIRE`.
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
    """The fields that every view has."""

    @property
    def who(self) -> str: ...
    @property
    def turn(self) -> int:
        """The turn that orders are due for, numbered as in the rule book."""
        ...

    @property
    def outcome(self) -> Outcome | None: ...


V = TypeVar("V", bound=Viewed)

S = TypeVar("S", bound=Record)  # the state
X = TypeVar("X", bound=Record)  # the sight


# `polemos games --json` has always had these names.
_FACTS_IN_JSON = {"min_seats": "fewest", "max_lines": "most_lines", "max_events": "most_events"}


class Facts(Struct, frozen=True, rename=_FACTS_IN_JSON):
    """Facts about a game, so that programs need not check for its name."""

    seats: tuple[str, ...]  # all seats, in order; a match may have fewer
    min_seats: int  # in a match
    simultaneous: bool  # all seats give orders at once; otherwise they take turns
    fog: bool  # seats do not see everything
    dice: bool
    max_lines: int  # on a sheet, in any match; any further lines are void
    lines_rule: str  # the paragraph that sets this limit
    max_events: int  # in a step
    summary: str  # one sentence


class Option(Struct, frozen=True, omit_defaults=True):
    """A pattern of legal orders: `order` as it is, or with its field `number` set from `least` to `most`."""

    order: dict[str, Any]
    text: str
    least: int | None = None
    most: int | None = None
    figures: dict[str, Any] = {}
    idle: bool = False  # legal, but has no effect; programs are not offered it


W = TypeVar("W", contravariant=True)


class Bot(Protocol[W]):
    """Created once per match and asked once per step. It may remember things, and it only ever gets views."""

    def orders(self, view: W, time_left: float, /) -> Sequence[object]: ...


BotMaker = Callable[[Any, str, int], Bot[Any]]  # (setting, seat, its own seed)


class Game(ABC, Generic[S, O, X, V]):
    """One game. Only `resolve` and `forfeit` change the state."""

    name: ClassVar[str]  # as used in commands, files and URLs
    title: ClassVar[str]
    edition: ClassVar[int]  # rises when results can change
    facts: ClassVar[Facts]
    chronicle: ClassVar[Chronicle]  # its kinds of events
    state_type: ClassVar[type[Record]]
    sight_type: ClassVar[type[Record]]
    options_type: ClassVar[type[Struct]]
    order_type: ClassVar[Any]
    view_type: ClassVar[type[Struct]]
    setting_type: ClassVar[type[Struct]]
    evening: ClassVar[dict[str, Any]] = {}  # default options of an evening run by a gamerunner
    evening_rules: ClassVar[
        dict[str, str]
    ] = {}  # paragraphs of the book: on playing a turn `again`, and when it `stands`
    examples: ClassVar[tuple[dict[str, Any], ...]] = ({},)  # options worth testing

    # ---- the beginning

    @abstractmethod
    def setup(self, options: Mapping[str, Any], seed: object) -> S:
        """The first state. Anything random about it (a map, a deal) comes from `seed`."""

    @abstractmethod
    def options_of(self, state: S) -> dict[str, Any]:
        """The full options of a match, including maps and tables; `setup` recreates the same first state from them."""

    @abstractmethod
    def setting(self, state: S) -> Any:
        """Public information that never changes during a match; sent once."""

    def seats(self, state: S) -> tuple[str, ...]:
        """The seats of this match, in order."""
        return self.facts.seats

    # ---- a step

    @abstractmethod
    def to_act(self, state: S) -> tuple[str, ...]:
        """The seats whose orders are due now; empty once the match is over."""

    @abstractmethod
    def read(self, line: object) -> O:
        """Reads an order from a text or an object; raises an OrderError if it cannot."""

    @abstractmethod
    def write(self, order: O) -> str:
        """The order as text."""

    @abstractmethod
    def judge(self, state: S, seat: str, orders: Sequence[O | None]) -> list[OrderError | None]:
        """For each order on a sheet, why it is void here, or None if it is valid. Unreadable lines come in as None."""

    @abstractmethod
    def resolve(self, state: S, sheets: Mapping[str, Sheet[O] | None], chance: Chance, log: Log) -> None:
        """Plays one step, in place. A seat is absent if it is missing or None."""

    @abstractmethod
    def forfeit(self, state: S, seat: str, log: Log) -> None:
        """Applies the rules for a seat that drops out, in place."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Who won and why, or None while the match is running."""

    # ---- views and legal orders

    @abstractmethod
    def look(self, state: S, who: str) -> X:
        """All that `who` may know about the state, as a record filled by one compiled rule. Nothing else gets out."""

    @abstractmethod
    def view(self, sight: X) -> V:
        """The sight as a message."""

    @abstractmethod
    def lawful(self, sight: X, draft: Sequence[O] = ()) -> list[Option]:
        """The orders that can still be added to the draft, found by the same rules that judge orders."""

    @abstractmethod
    def imagine(self, setting: Any, view: V, seed: object) -> S:
        """A full state that agrees with a view. Hidden parts are drawn from `seed`; everything else is exact."""

    # ---- notation

    @abstractmethod
    def write_position(self, state: S) -> str:
        """The state as text, without loss."""

    @abstractmethod
    def read_position(self, text: str) -> S:
        """Reads a state from text; raises BadPosition if it cannot."""

    # ---- provided for every game

    def observe(self, state: S, who: str) -> V:
        """The state as `who` may know it."""
        return self.view(self.look(state, who))

    def options(self, setting: Any, view: V, draft: Sequence[O] = ()) -> list[Option]:
        """The legal orders for someone who only has a view: hidden information makes no difference."""
        return self.lawful(self.look(self.imagine(setting, view, 0), view.who), draft)

    def check(self, state: S, seat: str, lines: Sequence[object]) -> Sheet[O]:
        """Reads a sheet and marks every faulty line; the other lines still count."""
        limit = max_lines(self, state)
        orders: list[O | None] = []
        errors: list[OrderError | None] = []
        for line in lines[:limit]:
            try:
                orders.append(self.read(line))
                errors.append(None)
            except OrderError as error:
                orders.append(None)
                errors.append(error)
        for i, forbidden in enumerate(self.judge(state, seat, orders)):
            errors[i] = errors[i] or forbidden
        for _ in lines[limit:]:
            orders.append(None)
            errors.append(
                IllegalOrder(
                    f"A sheet can have at most {limit} lines, and this line comes after them.",
                    rule=self.facts.lines_rule,
                )
            )
        read = []
        for number, (line, order, fault) in enumerate(zip(lines, orders, errors, strict=True), 1):
            text = self.write(order) if order is not None else shown(line)
            read.append(Line(text, order, None if fault is None else fault_of(number, text, fault)))
        return Sheet(tuple(read))


def worth_offering(options: Sequence[Option]) -> list[Option]:
    """The options to offer programs: without idle ones, which a random bot would otherwise pick forever."""
    return [option for option in options if not option.idle]


def max_lines(game: Game[S, Any, Any, Any], state: S) -> int:
    """The maximum number of lines on a sheet in this match."""
    return game.max_lines(state) if isinstance(game, SheetSize) else game.facts.max_lines


AnyGame = Game[Any, Any, Any, Any]  # for code that works with any game
