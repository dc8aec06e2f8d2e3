"""A bot in its own process, in any language; see `polemos.wire.bot` for the messages."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from polemos.hosts.box import Boxed
from polemos.hosts.bundle import Bundle
from polemos.hosts.memory import allowance
from polemos.hosts.patience import Patience
from polemos.hosts.piecemeal import Piecemeal, TooManyOrders
from polemos.hosts.pipe import Broken, Child, Late
from polemos.hosts.running import Running
from polemos.kernel.decode import Unreadable, decode
from polemos.kernel.errors import BotFault, BotStrike
from polemos.kernel.game import worth_offering
from polemos.kernel.hosted import Hosted
from polemos.kernel.orders import Fault, shown
from polemos.kernel.outcome import Outcome
from polemos.kernel.verdict import Verdict
from polemos.wire.bot import PROTOCOL, Budget, Hello, OneOrder, Orders, Ready, Result, Said, Seen
from polemos.wire.state_record import state_record_if

PATIENCE: Final = 0.2  # seconds to exit by itself after the result

LATE: Final = Verdict("late", "no answer in time")
OUT_OF_TIME: Final = Verdict("time", "the bank is empty")
SLEPT: Final = Verdict("time", "its wall-clock time is used up")
OVER: Final = Verdict("other", "the match is over")  # for a bot that is asked after the end


def not_ready(budget: Budget) -> Verdict:
    """The verdict for a program that takes too long to start."""
    return Verdict("start", f"not ready after {budget.start:g} s")


class Launch(Struct, frozen=True):
    """How to start a program: its command, its limits, and where its log goes."""

    command: tuple[str, ...]
    budget: Budget = Budget()
    log: Path | None = None
    bundle: Bundle | None = None  # its files, for the box; None runs it with our own permissions
    in_scratch: bool = False  # start in a folder that it can write to

    def start(self) -> Child:
        budget = self.budget
        if self.bundle is None:
            running = Running(self.command, memory=allowance(budget.memory, self.command))
        else:
            running = Boxed(self.bundle, budget, in_scratch=self.in_scratch)
        return Child(running, max_line=budget.line, log=self.log, max_log=budget.log)


class Clock:
    """The time of one bot: a bank of CPU time and one of wall-clock time. Every turn adds to both.

    Neither grows beyond its initial size. Wall-clock time counts from a question to its answer, minus the time the bot
    had to wait for others (`polemos.hosts.patience`).
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.bank = budget.bank
        self.wall_bank = budget.wall_bank
        self.spent = 0.0  # CPU seconds spent on the last answer
        self.took = 0.0  # seconds on the clock that count for it
        self._used = 0.0

    @property
    def left(self) -> float:
        """CPU seconds for the next answer."""
        return self.bank + self.budget.turn

    @property
    def wall_left(self) -> float:
        """Seconds on the clock for the next answer and all that follow, but for those that turns will add."""
        return self.wall_bank + self.budget.wall_turn

    @property
    def wall(self) -> float:
        """Seconds that the next answer may take on the wall clock."""
        return min(self.left * self.budget.wall_factor + self.budget.wall_extra, self.wall_left)

    @property
    def until(self) -> float:
        """The limit for the CPU clock at the end of this turn."""
        return self._used + self.left

    def begin(self, cpu: float) -> None:
        """Begins counting. Starting up is free, within its own limit."""
        self._used = cpu

    def charge(self, cpu: float, wall: float) -> Verdict | None:
        """Charges an answer: CPU time whenever it was used, even while others were thinking. Says what was too much."""
        left, wall_left, now = self.left, self.wall_left, max(self._used, cpu)
        self.spent, self.took = now - self._used, wall
        self._used = now
        self.bank = max(0.0, min(self.budget.bank, left - self.spent))
        self.wall_bank = max(0.0, min(self.budget.wall_bank, wall_left - wall))
        if self.spent > left:
            return OUT_OF_TIME
        return SLEPT if wall >= wall_left else None


class ProcessBot(Hosted):
    """One bot in one match. Anything it does wrong is raised as its own fault."""

    def __init__(
        self,
        game: Any,
        launch: Launch,
        setting: Any,
        seat: str,
        seed: int,
        *,
        seats: Sequence[str],
        past: Sequence[Any] | None = None,
    ) -> None:
        self.game, self.setting, self.seat, self._seed = game, setting, seat, seed
        self.budget = launch.budget
        self.clock = Clock(launch.budget)
        self._faults: tuple[Fault, ...] = ()
        self._owes = False  # whether it has seen a view that it hasn't answered
        self._is_struck = False  # whether its present silence was counted as a strike
        self._step = 0
        self._fault: Verdict | None = None
        self._child: Child | None = None
        self._ready = Ready()
        hello = Hello(
            protocol=PROTOCOL,
            game=game.name,
            edition=game.edition,
            seat=seat,
            seats=tuple(seats),
            seed=seed,
            setting=setting,
            budget=self.budget,
            resumed=None if past is None else tuple(past),
        )
        try:
            self._child = launch.start()
            self._ready = self._greet(hello)
        except Broken as error:
            self._fault = error.verdict
        except Late:
            self._fault = not_ready(self.budget)
        except Unreadable as error:
            self._fault = Verdict("protocol", f"its first line is not `ready`: {shown(str(error))}")

    def _greet(self, hello: Hello) -> Ready:
        assert self._child is not None
        patience = self._child.patience(self.budget.start)
        self._child.say(_line(hello), patience)
        ready = self._read(self._child.hear(patience, float("inf")), Ready)
        if not isinstance(ready, Ready) or ready.protocol != PROTOCOL:
            raise Broken(Verdict("protocol", f"it does not support version {PROTOCOL}"))
        self.clock.begin(self._child.cpu())
        self._child.answered()
        return ready

    @property
    def name(self) -> str:
        """The name it announced, as it wrote it."""
        return self._ready.name

    @property
    def bid(self) -> int | None:
        """The number that it names where seats bid in secret, on a ladder; None: the usual one."""
        return self._ready.bid

    @property
    def spent(self) -> float:
        """CPU seconds spent on the last answer."""
        return self.clock.spent

    @property
    def took(self) -> float:
        return self.clock.took

    @property
    def bank(self) -> float:
        return self.clock.bank

    # ---- a turn

    def orders(self, view: Any, time_left: float, /) -> Sequence[object]:
        """The answer to a view; raises a BotStrike if it is late, a BotFault if the bot drops out.

        A silence is one strike, however many turns it lasts; it loses those turns and their wall-clock time.
        """
        if self._fault is not None or self._child is None:
            raise BotFault(self._fault or Verdict("crash"))
        self._step += 1
        patience = self._child.patience(self.clock.wall)
        answer: Sequence[object] | None = None
        excess = None
        try:
            answer = self._answer(view, patience)
        except Late:
            answer = None
        except Broken as error:
            raise BotFault(error.verdict) from None
        except Unreadable as error:
            raise BotStrike(Verdict("unreadable", shown(str(error)))) from None
        finally:
            patience.look()  # the umpire may have been kept from hearing it at once
            excess = self.clock.charge(self._child.cpu(), patience.used)
            if answer is not None:
                self._child.answered()
        if excess is not None:
            raise BotFault(excess)
        if answer is None:
            counts, self._is_struck = not self._is_struck, True
            raise BotStrike(LATE, counts=counts)
        return answer

    def _answer(self, view: Any, patience: Patience) -> Sequence[object]:
        child = self._child
        assert child is not None
        cpu_until = self.clock.until
        if self._owes:  # the answer to an earlier view
            self._heard(patience, cpu_until)
        if child.has_spoken():
            raise Broken(
                Verdict("protocol", "it sent a line without being asked; write log messages to standard error")
            )
        options = worth_offering(self.game.options(self.setting, view)) if self._ready.options else None
        left, wall_left = round(self.clock.left, 4), round(self.clock.wall_left, 3)
        self._owes = True
        record = state_record_if(self._ready.record, self.game, self.setting, view, self._seed)
        child.mark(self._step)
        child.say(_line(Seen(self._step, view, left, options, self._faults, wall_left, record)), patience)
        said = self._read(self._heard(patience, cpu_until), Said)
        if isinstance(said, OneOrder):
            return self._one_by_one(said, view, patience, cpu_until)
        return list(said.orders) if isinstance(said, Orders) else []

    def _heard(self, patience: Patience, cpu_until: float) -> bytes:
        """The next line it says, which ends its silence."""
        assert self._child is not None
        line = self._child.hear(patience, cpu_until)
        self._owes = self._is_struck = False
        return line

    def _one_by_one(self, said: Any, view: Any, patience: Patience, cpu_until: float) -> Sequence[object]:
        """Orders given one at a time, each answered at once."""
        child = self._child
        assert child is not None
        sheet = Piecemeal(self.game, self.setting, view, self.seat, self._ready, self._seed)
        while isinstance(said, OneOrder):
            if patience.left <= 0 and patience.is_over():
                self._owes = True
                raise Late
            try:
                update = sheet.take(said.order)
            except TooManyOrders:
                raise Broken(Verdict("protocol", "more orders than fit on a sheet")) from None
            self._owes = True
            child.say(_line(update), patience)
            said = self._read(self._heard(patience, cpu_until), Said)
        if isinstance(said, Orders):
            return [*sheet.given, *said.orders]
        return sheet.given

    def _read(self, line: bytes, kind: Any) -> Any:
        return decode(line, kind)

    # ---- other calls from the match

    def told(self, faults: Sequence[Fault]) -> None:
        self._faults = tuple(faults)

    def drop(self, verdict: Verdict) -> None:
        self._end(Result(None, str(verdict)), 0.0, verdict)

    def close(self, outcome: Outcome | None) -> None:
        self._end(Result(outcome), PATIENCE, OVER)

    def _end(self, result: Result, patience: float, why: Verdict) -> None:
        if self._child is None:
            return
        with suppress(Broken, Late):
            self._child.say(_line(result), self._child.patience(0.05))
        self._child.close(patience)
        self._child = None
        self._fault = self._fault or why


def _line(message: msgspec.Struct) -> bytes:
    return msgspec.json.encode(message) + b"\n"
