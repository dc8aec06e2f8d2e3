"""A bot in a process of its own, in any language: see `polemos.wire.bot` for what is said."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from polemos.hosts.pipe import Broken, Child, Late
from polemos.kernel.decode import Unreadable, decode
from polemos.kernel.errors import BotFault, BotStrike, OrderError
from polemos.kernel.log import SILENT
from polemos.kernel.orders import Fault, shown
from polemos.kernel.outcome import Outcome
from polemos.wire.bot import PROTOCOL, Budget, Hello, OneOrder, Orders, Ready, Result, Said, Seen, Update

ROOMY: Final = ("node", "java", "nodejs")  # runtimes that want address space which they do not use
ROOM: Final = 2 << 30
PATIENCE: Final = 0.2  # seconds to end by itself after the result


class ProcessBot:
    """One bot of one match. Whatever it does wrong is raised as its own fault."""

    def __init__(
        self,
        game: Any,
        command: Sequence[str],
        setting: Any,
        seat: str,
        seed: int,
        *,
        seats: Sequence[str],
        budget: Budget | None = None,
        log: Path | None = None,
        folder: Path | None = None,
        past: Sequence[Any] | None = None,
    ) -> None:
        self.game, self.setting, self.seat = game, setting, seat
        self.budget = budget or Budget()
        self.spent = 0.0  # CPU seconds of the last answer
        self.bank = self.budget.bank
        self._faults: tuple[Fault, ...] = ()
        self._owed = 0  # answers that came too late and are still to come
        self._step = 0
        self._used = 0.0
        self._fault: str | None = None
        self._child: Child | None = None
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
            self._child = Child(
                command,
                memory=max(ROOM, self.budget.memory) if _is_roomy(command) else self.budget.memory,
                most_line=self.budget.line,
                log=log,
                most_log=self.budget.log,
                folder=folder,
            )
            self._ready = self._greet(hello)
        except (Broken, Late) as error:
            self._fault = str(error) or f"start: not ready after {self.budget.start:g} s"

    def _greet(self, hello: Hello) -> Ready:
        assert self._child is not None
        until = time.monotonic() + self.budget.start
        self._child.say(_line(hello), until)
        ready = self._read(self._child.hear(until, float("inf")), Ready)
        if not isinstance(ready, Ready) or ready.protocol != PROTOCOL:
            raise Broken(f"protocol: it is not ready for version {PROTOCOL}")
        self._used = self._child.cpu()  # starting is free, within its own limit
        return ready

    # ---- a turn

    def orders(self, view: Any, time_left: float, /) -> Sequence[object]:
        """The answer to a view; raises a BotStrike for a late one, a BotFault for what ends the bot's match."""
        if self._fault is not None or self._child is None:
            raise BotFault(self._fault or "crash")
        self._step += 1
        left = self.bank + self.budget.turn
        until = time.monotonic() + left * self.budget.wall_factor + self.budget.wall_extra
        try:
            answer = self._answer(view, left, until)
        except Late:
            self._owed += 1
            raise BotStrike("late: no answer in time") from None
        except Broken as error:
            raise BotFault(str(error)) from None
        except Unreadable as error:
            raise BotStrike(f"unreadable: {shown(str(error))}") from None
        finally:
            self._charge(left)
        if self.spent > left:
            raise BotFault("time: the bank is empty")
        return answer

    def _answer(self, view: Any, left: float, until: float) -> Sequence[object]:
        child = self._child
        assert child is not None
        cpu_until = self._used + left
        for _ in range(self._owed):  # answers to views of before
            child.hear(until, cpu_until)
            self._owed -= 1
        if child.has_spoken():
            raise Broken("protocol: it spoke without being asked; what is for people belongs on standard error")
        options = self.game.options(self.setting, view) if self._ready.options else None
        child.say(_line(Seen(self._step, view, round(left, 4), options, self._faults)), until)
        said = self._read(child.hear(until, cpu_until), Said)
        if isinstance(said, Orders):
            return list(said.orders)
        return self._one_by_one(said, view, until, cpu_until)

    def _one_by_one(self, said: Any, view: Any, until: float, cpu_until: float) -> Sequence[object]:
        """Orders given bit by bit, each answered at once."""
        child, game = self._child, self.game
        assert child is not None
        state = game.imagine(self.setting, view, 0)
        given: list[Any] = []
        while isinstance(said, OneOrder):
            if time.monotonic() >= until:
                raise Late
            fault = self._try(state, given, said.order)
            options = game.options(self.setting, view, given) if self._ready.options else None
            now = game.observe(state, self.seat) if game.facts.incremental and fault is None else None
            child.say(_line(Update(fault, options, now)), until)
            said = self._read(child.hear(until, cpu_until), Said)
        if isinstance(said, Orders):
            return [*given, *said.orders]
        return given

    def _try(self, state: Any, given: list[Any], line: object) -> Fault | None:
        """Adds the order to those given, or says why not."""
        game = self.game
        if len(given) >= game.most_lines(state):
            raise Broken("protocol: more orders than a sheet has lines")
        sheet = game.check(state, self.seat, [line] if game.facts.incremental else [*given, line])
        last = sheet.lines[-1]
        if last.fault is None:
            given.append(last.order)
            if game.facts.incremental:
                with suppress(OrderError):
                    game.apply(state, self.seat, last.order, SILENT)
        fault: Fault | None = last.fault
        return fault

    def _charge(self, left: float) -> None:
        """CPU time is counted whenever it was used, also while others were thinking."""
        assert self._child is not None
        now = max(self._used, self._child.cpu())
        self.spent = now - self._used
        self._used = now
        self.bank = max(0.0, min(self.budget.bank, left - self.spent))

    def _read(self, line: bytes, kind: Any) -> Any:
        return decode(line, kind)

    # ---- what the match says besides

    def told(self, faults: Sequence[Fault]) -> None:
        self._faults = tuple(faults)

    def drop(self, verdict: str) -> None:
        self._end(Result(None, verdict), 0.0)

    def close(self, outcome: Outcome | None) -> None:
        self._end(Result(outcome), PATIENCE)

    def _end(self, result: Result, patience: float) -> None:
        if self._child is None:
            return
        with suppress(Broken, Late):
            self._child.say(_line(result), time.monotonic() + 0.05)
        self._child.close(patience)
        self._child = None
        self._fault = self._fault or result.verdict or "the match is over"


def _line(message: msgspec.Struct) -> bytes:
    return msgspec.json.encode(message) + b"\n"


def _is_roomy(command: Sequence[str]) -> bool:
    name = Path(command[0]).name
    found = shutil.which(command[0])
    return name in ROOMY or (found is not None and Path(found).resolve().name in ROOMY)
