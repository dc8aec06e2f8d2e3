"""The contract between the kernel and a game: every extension point, each with one signature and one sentence.

A game is found by its entry point in the group `polemos.games`. Its adapter, one object of a subclass of `Game`, is the
only part of it that speaks kernel words. `who` is always the name of a seat, `SPECTATOR` or `UMPIRE`.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Literal, Protocol, TypeVar

import msgspec
from msgspec import Struct

from polemos.kernel.dialect import DialectMaker
from polemos.kernel.dice import Chance
from polemos.kernel.errors import BadOptions, BadPosition, IllegalOrder, NotationError, OrderError
from polemos.kernel.log import Log
from polemos.kernel.orders import Fault, Line, O, Sheet, fault_of, shown
from polemos.kernel.outcome import Outcome
from polemos.kernel.record import Many, Record

UMPIRE: Final = "umpire"
SPECTATOR: Final = "spectator"

S = TypeVar("S", bound=Record)  # the state
V = TypeVar("V", bound=Struct)  # the view
E = TypeVar("E", bound=Struct)  # an event


class Facts(Struct, frozen=True):
    """What programs may ask of a game instead of its name."""

    seats: tuple[str, ...]  # all seats, in order; a match may have fewer
    fewest: int  # seats of a match
    simultaneous: bool  # all seats order at once; otherwise they take turns
    incremental: bool  # a turn is a sequence of orders, each applied at once
    fog: bool  # a seat does not see everything
    dice: bool
    roles: tuple[str, ...]  # duties of persons within a seat
    most_lines: int  # of a sheet in any match; further ones are void
    lines_rule: str  # the paragraph that says so
    most_events: int  # of a step
    summary: str  # one sentence
    roles_rule: str = ""  # the paragraph that parts the orders of a seat among its roles


class Option(Struct, frozen=True, omit_defaults=True):
    """A pattern of lawful orders: `order` as it stands, or with its field `number` from least to most."""

    order: dict[str, Any]
    text: str
    least: int | None = None
    most: int | None = None
    figures: dict[str, Any] = {}


class Sealed(Struct, frozen=True):
    """A whole number that every seat names in secret before the match begins."""

    title: str
    text: str
    rule: str
    least: int
    most: int
    usual: int  # of bots, and of those who do not answer


class Alert(Struct, frozen=True):
    """Something a player would want to know before filing."""

    text: str
    rule: str
    where: str | None = None


W = TypeVar("W", bound=Struct, contravariant=True)


class Bot(Protocol[W]):
    """Made once per match; asked once per step. It may keep memory, and is handed views only."""

    def orders(self, view: W, time_left: float, /) -> Sequence[object]: ...


BotMaker = Callable[[Any, str, int], Bot[Any]]  # (setting, seat, its own seed)

Form = Literal["board", "page"]


class Game(ABC, Generic[S, O, V, E]):
    """One game. All methods but `resolve`, `forfeit`, `call` and `apply` leave the state alone.

    Every view has the fields `who`, `turn` (the turn to be ordered, as the book counts) and `outcome`.
    """

    name: ClassVar[str]  # as in commands, files, addresses
    title: ClassVar[str]
    edition: ClassVar[int]  # rises when results can change
    facts: ClassVar[Facts]
    state_type: ClassVar[type[Record]]
    options_type: ClassVar[type[Struct]]
    order_type: ClassVar[Any]
    view_type: ClassVar[type[Struct]]
    setting_type: ClassVar[type[Struct]]
    event_type: ClassVar[type[Struct]]
    evening: ClassVar[dict[str, Any]] = {}  # options of a match run by a gamerunner, unless others are given
    bench: ClassVar[dict[str, Any]] = {}  # options of the games that the bench plays
    packs: ClassVar[bool] = False  # `rollout` keeps to the extent of a state, so that a batch can lie dense
    examples: ClassVar[tuple[dict[str, Any], ...]] = ({},)  # options worth testing

    # ---- the beginning

    @abstractmethod
    def setup(self, options: Mapping[str, Any], seed: object) -> S:
        """The first state. What is left to chance (a map, a deal) is drawn from `seed`."""

    def sealed(self, options: Mapping[str, Any]) -> Sealed | None:
        """What seats may be asked for in secret before a match with these options begins."""
        return None

    def unseal(self, options: Mapping[str, Any], named: Mapping[str, int]) -> dict[str, Any]:
        """The options of the match once all have named their number; the seats stand in order."""
        raise BadOptions(f"{self.title} asks for nothing in secret.")

    def moved(self, state: S) -> dict[str, str]:
        """After that: the seat that each asked for, by the seat it asked from, where they differ."""
        return {}

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

    def most_lines(self, state: S) -> int:
        """Lines of a sheet in this match; further ones are void."""
        return self.facts.most_lines

    def check(self, state: S, seat: str, lines: Sequence[object]) -> Sheet[O]:
        """Reads a sheet and marks all its faults, none of them fatal to the rest of it."""
        most = self.most_lines(state)
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

    @abstractmethod
    def resolve(self, state: S, sheets: Mapping[str, Sheet[O] | None], chance: Chance, log: Log) -> None:
        """One step, in place. A seat that is missing or None is absent."""

    def apply(self, state: S, seat: str, order: O, log: Log) -> None:
        """In incremental games: one order at once; `resolve` is `apply` for each order, then the end of the turn."""
        raise IllegalOrder(f"{self.title} takes whole sheets, not single orders.")

    def absent(self, state: S, seat: str) -> Sequence[O]:
        """The orders of one who is silent or late; always lawful."""
        return ()

    @abstractmethod
    def forfeit(self, state: S, seat: str, log: Log) -> None:
        """What the book says when a seat drops out."""

    def call(self, state: S, text: str) -> None:
        """A call of the umpire that changes the match, such as announcing the last turn; raises an OrderError."""
        raise IllegalOrder(f"{self.title} has no calls for the umpire to make.")

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Who won and why; None while the match runs."""

    # ---- what is seen

    @abstractmethod
    def observe(self, state: S, who: str) -> V:
        """The state as `who` may know it."""

    @abstractmethod
    def happened(self, state: S, log: Log) -> list[E]:
        """All events of the step that led to this state, as the umpire knows them."""

    @abstractmethod
    def witness(self, state: S, event: E, who: str) -> E | None:
        """The event as `who` may know it, or nothing."""

    @abstractmethod
    def words(self, event: E) -> str:
        """The event as a sentence."""

    def phrase(self, event: E) -> str:
        """Its sentence with fields in braces, for kinds of which a step may have hundreds; see `phrases.filled`.

        Programs that show such events keep one phrase for all of them.
        """
        return ""

    @abstractmethod
    def rule_of(self, event: E) -> str:
        """The paragraph that an event belongs to."""

    def seat_of(self, event: E) -> str | None:
        """The seat that an event belongs to, if it belongs to one."""
        found: str | None = getattr(event, "seat", None)
        return found

    def is_moment(self, event: E) -> bool:
        """Whether a time line should point at it: few of a match are."""
        return False

    def tells_faults(self, state: S, who: str, whose: str) -> bool:
        """Whether `who` is told the void lines of the seat `whose`. The umpire is not asked about."""
        return who == whose

    # ---- what may be done

    @abstractmethod
    def options(self, setting: Any, view: V, draft: Sequence[O] = ()) -> list[Option]:
        """What is still lawful beside the draft, with the figures people need."""

    def line_figures(self, setting: Any, view: V, draft: Sequence[O]) -> list[dict[str, Any]]:
        """The figures of each order of a draft beside all the others, as `options` would give them for it."""
        return [{} for _ in draft]

    def alerts(self, setting: Any, view: V, draft: Sequence[O] = ()) -> list[Alert]:
        """What a player would want to know before filing the draft."""
        return []

    def figures(self, setting: Any, view: V) -> dict[str, dict[str, float]]:
        """Numbers for charts: name of the curve, then seat."""
        return {}

    def roles(self, state: S) -> tuple[str, ...]:
        """The roles of persons within a seat of this match; none where a seat is one person's affair."""
        return self.facts.roles

    def role(self, order: O) -> str | None:
        """The role that gives this order, where seats have roles."""
        return None

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

    @abstractmethod
    def fix_dice(self, chance: Chance, dice: Mapping[str, Any]) -> None:
        """Fixes chosen rolls, named in the words of the game; raises a NotationError."""

    # ---- pictures, bots, mass play: the same rooms in every game

    def picture(self, setting: Any, view: V, form: Form, **how: Any) -> str:
        """The view as SVG: the board for a screen, or a page for the printer. From the game's room `draw`."""
        drawn: str = getattr(import_module(f"{self.package}.draw"), form)(setting, view, **how)
        return drawn

    def text(self, setting: Any, view: V, colour: bool = False) -> str:
        """The view for a terminal."""
        written: str = import_module(f"{self.package}.draw").text(setting, view, colour)
        return written

    def about(self, setting: Any, name: str) -> str | None:
        """What is to be known of something in the game, such as the figures of a unit; None if nothing is called so."""
        return None

    @property
    def bots(self) -> Mapping[str, BotMaker]:
        """Our bots by name, from the game's room `bots`."""
        found: Mapping[str, BotMaker] = import_module(f"{self.package}.bots").BOTS
        return found

    @property
    def dialects(self) -> Mapping[str, DialectMaker]:
        """Other languages that bots may speak here, by name; `NAME:COMMAND` then stands for such a bot."""
        return {}

    @abstractmethod
    def rollout(self, states: Many[S], start: S, seed: int, steps: int) -> int:
        """Plays `steps` random steps in compiled code over the states; finished games begin anew. Counts the games."""

    def measures(self, seconds: float) -> dict[str, float]:
        """Further figures for the bench, each measured for about so long."""
        return {}

    # ---- given to every game

    @property
    def package(self) -> str:
        return type(self).__module__.rpartition(".")[0]

    @property
    def book(self) -> Path:
        """The folder of the rule book."""
        here = sys.modules[type(self).__module__].__file__
        assert here is not None
        return Path(here).parent / "book"

    def read_options(self, options: Mapping[str, Any]) -> Any:
        """The options, checked; unknown names and values are refused, never replaced by a default."""
        try:
            return msgspec.convert(dict(options), self.options_type)
        except (msgspec.ValidationError, TypeError, ValueError) as error:
            known = ", ".join(field.name for field in msgspec.structs.fields(self.options_type))
            raise BadOptions(f"{error}. Options of {self.title}: {known}.") from None

    def position(self, state: S) -> dict[str, Any]:
        """The state as JSON: the setting and the umpire's view."""
        return {
            "setting": msgspec.to_builtins(self.setting(state)),
            "view": msgspec.to_builtins(self.observe(state, UMPIRE)),
        }

    def load_position(self, position: object) -> S:
        """The state that a text or the JSON of a position means; raises BadPosition."""
        if isinstance(position, str):
            return self.read_position(position)
        if not isinstance(position, Mapping) or set(position) != {"setting", "view"}:
            raise BadPosition('A position is a text, or an object with "setting" and "view".')
        try:
            setting = msgspec.convert(position["setting"], self.setting_type)
            view: Any = msgspec.convert(position["view"], self.view_type)
        except msgspec.ValidationError as error:
            raise BadPosition(f"{error}.") from None
        if view.who != UMPIRE:
            raise BadPosition(f"A position is the umpire's view; this is the view of {view.who}.")
        state = self.imagine(setting, view, 0)
        # What a position says must be what it is taken for: nothing is cut to size, ignored or made up.
        if self.setting(state) != setting or self.observe(state, UMPIRE) != view:
            raise BadPosition("The setting and the view do not describe one whole position.")
        return state


__all__ = [
    "SPECTATOR",
    "UMPIRE",
    "Alert",
    "Bot",
    "BotMaker",
    "Facts",
    "Fault",
    "Form",
    "Game",
    "NotationError",
    "Option",
    "Sealed",
]
