"""A match: seats submit sheets for a step, and the step is resolved. Every state is kept, so steps can be undone.

Only the match holds the key of its dice. Seats learn about it only through `view`, `told` and `faults_for`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from typing import Any, Generic, Self

from msgspec import Struct

from polemos.kernel import dice, telling
from polemos.kernel.capabilities.pictures import Form, Look, Picture, Pictures, picture_of
from polemos.kernel.capabilities.umpire_calls import UmpireCalls
from polemos.kernel.chronicle import Event
from polemos.kernel.errors import BrokenGame, IllegalOrder, NotationError, OrderError
from polemos.kernel.game import SPECTATOR, UMPIRE, Game, S, V, max_lines
from polemos.kernel.log import scratch
from polemos.kernel.orders import MAX_READ, MAX_VOID, Fault, O, Sheet, lines_of, shown
from polemos.kernel.outcome import Outcome
from polemos.kernel.positions import read_position
from polemos.kernel.verdict import Verdict


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """One adjudication as recorded: everything needed to repeat it, and its result."""

    step: int
    orders: dict[str, tuple[str, ...] | None]  # None: absent; empty: an empty sheet
    faults: dict[str, tuple[Fault, ...]]
    calls: tuple[str, ...]
    forfeits: dict[str, Verdict]
    cpu: dict[str, float]  # seconds, where measured
    digest: str
    strikes: dict[str, Verdict] = {}  # seats whose answer was late or unreadable, and why
    void: dict[str, tuple[int, ...]] = {}  # line numbers of further void lines: a junk sheet has too many to keep
    wall: dict[str, float] = {}  # seconds on the clock, where measured
    gone: dict[str, Verdict] = {}  # seats whose bot is gone since this step and which pass until the end, and why

    def void_lines(self, seat: str) -> int:
        """How many lines of the seat were void."""
        return len(self.faults.get(seat, ())) + len(self.void.get(seat, ()))

    def void_of(self, seat: str) -> tuple[Fault, ...]:
        """All void lines of the seat; the last ones of a junk sheet have no reason."""
        orders = self.orders.get(seat) or ()
        rest = (Fault(line, orders[line - 1], "", "Void.") for line in self.void.get(seat, ()) if line <= len(orders))
        return (*self.faults.get(seat, ()), *rest)


def seat_called(seats: Sequence[str], name: str) -> str:
    """Finds a seat by its name or its first letter."""
    for seat in seats:
        if name.strip().lower() in (seat, seat[0]):
            return seat
    raise NotationError(f"There is no seat called {shown(name)[:20]!r}. The seats are {', '.join(seats)}.")


class Match(Generic[S, O, V]):
    """One game being played."""

    def __init__(
        self,
        game: Game[S, O, Any, V],
        options: Mapping[str, Any] | None = None,
        *,
        seed: object = None,
        key: str | None = None,
        position: str | None = None,
    ) -> None:
        """Starts from `options` or from a position. Without a seed or a key, the dice are fresh and secret."""
        self.game: Game[S, O, Any, V] = game
        self.key = key or (dice.new_key() if seed is None else dice.derive(seed, "chance"))
        self.chance = dice.chance_of(self.key)
        self.position = position
        if position is None:
            self.state = game.setup(options or {}, dice.derive(seed if seed is not None else self.key, "setup"))
        else:
            self.state = read_position(game, position)
        self.options = game.options_of(self.state)
        self.seats: tuple[str, ...] = game.seats(self.state)
        self.setting: Any = game.setting(self.state)
        self.first_digest = self.state.digest()
        self.steps: list[Step] = []
        self.filed: dict[str, Sheet[O]] = {}
        self.agreed: Outcome | None = None  # a draw, if all seats have agreed on one
        self._calls: list[str] = []
        self._forfeits: dict[str, Verdict] = {}
        self._before: list[bytes] = []  # the state before each step
        self._events: list[bytes] = []  # the log of each step
        self._last: dict[str, Sheet[O] | None] = {}  # the sheets of the last step, as read
        # The events read last, kept because every audience asks for them.
        self._latest: tuple[bytes, list[Event]] = (b"", [])

    def copy(self) -> Self:
        """The same match, which goes on by itself: nothing that happens in one of the two changes the other."""
        fresh = copy(self)
        vars(fresh).update({name: of.copy() for name, of in vars(self).items() if isinstance(of, dict | list | set)})
        fresh.state = self.state.copy()
        return fresh

    # ---- before a step

    @property
    def outcome(self) -> Outcome | None:
        return self.agreed or self.game.outcome(self.state)

    def agree_on_draw(self, among: Collection[str] | None = None) -> Outcome:
        """Ends the match in a draw shared by all the seats still playing. No rule book forbids it.

        `among` names those seats if the caller knows more than the steps show: a seat that has just resigned stays in
        the match until the next step.
        """
        if self.outcome is not None:
            raise IllegalOrder("The game has ended.")
        gone = {seat for step in self.steps for seat in step.forfeits}
        sharing = tuple(seat for seat in self.seats if (seat not in gone if among is None else seat in among))
        if not sharing:
            raise IllegalOrder("Nobody is left to agree on a draw.")
        points = {seat: round(1 / len(sharing), 6) if seat in sharing else 0.0 for seat in self.seats}
        ranks = {seat: 1 if seat in sharing else 1 + len(sharing) for seat in self.seats}
        places = (*sharing, *(seat for seat in self.seats if seat not in sharing))
        self.agreed = Outcome(None, places, points, "draw agreed", "", ranks)
        self.filed = {}
        return self.agreed

    @property
    def to_act(self) -> tuple[str, ...]:
        """Seats whose orders are due now, except those dropping out in this step."""
        if self.agreed is not None:
            return ()
        return tuple(seat for seat in self.game.to_act(self.state) if seat not in self._forfeits)

    def submit(self, seat: str, lines: Sequence[object] | str, limit: int = MAX_READ) -> Sheet[O]:
        """Files a sheet; a second one replaces the first. Returns it with all its faults marked.

        Reads up to `limit` lines, or as many as the game allows if that is more, plus one that stands for the rest.
        """
        if seat not in self.to_act:
            raise IllegalOrder(
                f"{seat} can't give orders now. Orders are due from {', '.join(self.to_act) or 'nobody'}."
            )
        limit = max(limit, max_lines(self.game, self.state))
        return self.file(seat, self.game.check(self.state, seat, lines_of(lines, limit)))

    def file(self, seat: str, sheet: Sheet[O]) -> Sheet[O]:
        """Files a sheet that has already been checked against this position."""
        if seat not in self.to_act:
            raise IllegalOrder(
                f"{seat} can't give orders now. Orders are due from {', '.join(self.to_act) or 'nobody'}."
            )
        self.filed[seat] = sheet
        return sheet

    def withdraw(self, seat: str) -> None:
        """Withdraws a filed sheet."""
        self.filed.pop(seat, None)

    def call(self, text: str) -> None:
        """A call by the umpire, which takes effect at once."""
        self._call(self.state, text)
        self._calls.append(text)

    def try_call(self, text: str) -> None:
        """Raises the error that `call` would raise, without changing anything."""
        self._call(self.state.copy(), text)

    def _call(self, state: S, text: str) -> None:
        if not isinstance(self.game, UmpireCalls):
            raise IllegalOrder(f"The umpire can't make calls in {self.game.title}.")
        self.game.call(state, text)

    @property
    def awaited(self) -> str | None:
        """What the umpire must call before the next step, in words; None: nothing."""
        if self.outcome is not None or not isinstance(self.game, UmpireCalls):
            return None
        return self.game.awaited(self.state)

    def forfeit(self, seat: str, verdict: Verdict) -> None:
        """Makes the seat drop out in the next step."""
        seat_called(self.seats, seat)
        if seat in self.to_act:
            self._forfeits[seat] = verdict
            self.withdraw(seat)

    def stay(self, seat: str) -> None:
        """Cancels a seat's dropping out in the next step."""
        self._forfeits.pop(seat, None)

    # ---- the step

    def run(
        self,
        cpu: Mapping[str, float] | None = None,
        strikes: Mapping[str, Verdict] | None = None,
        wall: Mapping[str, float] | None = None,
        gone: Mapping[str, Verdict] | None = None,
    ) -> Step:
        """Resolves one step with the sheets filed so far; seats without a sheet are absent.

        What is given is recorded with the step and changes nothing: the times that seats took, their strikes, and which
        bots are gone.
        """
        if self.outcome is not None:
            raise IllegalOrder("The game has ended.")
        if waits := self.awaited:
            raise IllegalOrder(waits)
        before, log = self.state.raw(), scratch(self.game.facts.max_events)
        sheets: dict[str, Sheet[O] | None] = {seat: self.filed.get(seat) for seat in self.game.to_act(self.state)}
        orders = {seat: None if sheet is None else sheet.record for seat, sheet in sheets.items()}
        faults = {seat: sheet.faults for seat, sheet in sheets.items() if sheet and sheet.faults}
        try:
            for seat in self._forfeits:
                self.game.forfeit(self.state, seat, log)
            self.game.resolve(self.state, sheets, self.chance, log)
            if log.lost:
                raise BrokenGame(
                    f"The log of this step is full: it holds {log.count} events and {log.lost} did not fit."
                )
        except BaseException:
            self.state = self._state(before)
            raise
        step = Step(
            step=len(self.steps) + 1,
            orders=orders,
            faults={seat: of[:MAX_VOID] for seat, of in faults.items()},
            calls=tuple(self._calls),
            forfeits=dict(self._forfeits),
            cpu=dict(cpu or {}),
            digest=self.state.digest(),
            strikes=dict(strikes or {}),
            void={
                seat: tuple(fault.line for fault in of[MAX_VOID:]) for seat, of in faults.items() if len(of) > MAX_VOID
            },
            wall=dict(wall or {}),
            gone=dict(gone or {}),
        )
        self._before.append(before)
        self.steps.append(step)
        self._events.append(log.written())
        self._last = sheets
        self.filed, self._calls, self._forfeits = {}, [], {}
        return step

    @property
    def rejected(self) -> dict[str, tuple[Fault, ...]]:
        """The void lines of the last step with their reasons, however many there are."""
        return {seat: sheet.faults for seat, sheet in self._last.items() if sheet and sheet.faults}

    def take_back(self) -> Step:
        """Undoes the last step. The same sheets will get the same dice again."""
        if not self.steps:
            raise IllegalOrder("No step has been played yet.")
        self.agreed = None
        self.state = self._state(self._before.pop())
        self._events.pop()
        self._last = {}
        self.filed, self._calls, self._forfeits = {}, [], {}
        step = self.steps.pop()
        self._calls = list(step.calls)
        self._forfeits = dict(step.forfeits)
        return step

    @property
    def clock(self) -> int:
        """The number of the turn that orders are due for, as in the rule book."""
        return self.view(UMPIRE).turn

    @property
    def history(self) -> list[S]:
        """The states so far: before the first step, and after each."""
        return [*map(self._state, self._before), self.state]

    def state_at(self, number: int) -> S:
        """The state after this many steps."""
        return self.state if number == len(self.steps) else self._state(self._before[number])

    def told_at(self, number: int, who: str) -> list[Event]:
        """The events of the step leading to `state_at(number)`, as `who` may know them; empty for the first state."""
        if number == 0:
            return []
        return telling.told(self.game, self.state_at(number), self.happened[number - 1], who)

    def orders_at(self, number: int) -> dict[str, list[O | None] | None]:
        """The orders of the step leading to `state_at(number)`, by line. None: an unreadable line, or absent."""
        if number == len(self.steps) and self._last:
            return {
                seat: None if sheet is None else [line.order for line in sheet.lines]
                for seat, sheet in self._last.items()
            }
        texts = self.steps[number - 1].orders if number else {}
        return {seat: None if lines is None else [self._read(text) for text in lines] for seat, lines in texts.items()}

    def _read(self, text: str) -> O | None:
        try:
            return self.game.read(text)
        except OrderError:
            return None

    def _state(self, raw: bytes) -> S:
        return self.game.state_type.from_raw(raw)  # type: ignore[return-value]

    @property
    def happened(self) -> Sequence[list[Event]]:
        """The umpire's events of each step."""
        return _Happened(self)

    def _happened_in(self, index: int) -> list[Event]:
        """The events of a step, from its log and the state after it."""
        written, events = self._latest
        if written is not self._events[index]:
            written = self._events[index]
            events = self.game.chronicle.read(self.state_at(index + 1), written)
            self._latest = (written, events)
        return events

    # ---- views for each audience

    def picture(self, who: str = UMPIRE, form: Form = "board", **how: Any) -> Picture:
        """The position as somebody sees it, as SVG; a notebook shows it. Raises NoPicture if the game cannot draw."""
        return Picture(picture_of(self.game, self.setting, self.view(who), form, **how))

    def _repr_svg_(self) -> str | None:
        """How a notebook shows a match: as the umpire sees it."""
        return str(self.picture()) if isinstance(self.game, Pictures) else None

    def view(self, who: str) -> V:
        if who not in (*self.seats, SPECTATOR, UMPIRE):
            seat_called(self.seats, who)
        return self.game.observe(self.state, who)

    def look(self, who: str) -> Look:
        """The view of somebody, with what is needed to show it: in a notebook a board, printed a text."""
        return Look(self.game, self.setting, self.view(who))

    def told(self, who: str) -> list[Event]:
        """The events of the last step as `who` may know them."""
        return self.told_at(len(self.steps), who)

    def faults_for(self, who: str) -> tuple[Fault, ...]:
        """The void lines of the last step that `who` is told about."""
        faults = self.steps[-1].faults if self.steps else {}
        return tuple(
            fault
            for seat, of in faults.items()
            for fault in of
            if telling.tells_faults(self.game, self.state, who, seat)
        )


AnyMatch = Match[Any, Any, Any]  # for code that works with any game


class _Happened(Sequence[list[Event]]):
    """Events by step, built on demand, because few people look at long matches between bots."""

    def __init__(self, match: Match[Any, Any, Any]) -> None:
        self._match = match

    def __len__(self) -> int:
        return len(self._match.steps)

    def __getitem__(self, index: Any) -> Any:
        steps = range(len(self))[index]
        if isinstance(steps, range):
            return [self._match._happened_in(step) for step in steps]
        return self._match._happened_in(steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]
