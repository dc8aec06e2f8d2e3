"""A guest: a bot in its own process that speaks another umpire's language; see the capability `dialects`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

from polemos.hosts.patience import Patience
from polemos.hosts.pipe import Broken, Child, Late
from polemos.hosts.process import LATE, OVER, PATIENCE, Clock, Launch, not_ready
from polemos.kernel.capabilities.dialects import DialectMaker, Talk
from polemos.kernel.errors import BotFault, BotGone
from polemos.kernel.hosted import Hosted
from polemos.kernel.outcome import Outcome
from polemos.kernel.verdict import Verdict

T = TypeVar("T")

NOT_ITS_FAULT: Final = ("box",)  # this machine cannot run it, so a game would prove nothing


class GuestBot(Hosted):
    """One guest in one match. Its lines are not numbered, so after a late one its answers could not be matched up."""

    def __init__(
        self, speaks: DialectMaker, launch: Launch, setting: Any, seat: str, seed: int, *, seats: Sequence[str]
    ) -> None:
        self.budget = launch.budget
        self.clock = Clock(launch.budget)
        self._fault: Verdict | None = None
        self._child: Child | None = None
        self._dialect = speaks(setting, seat, seats, seed)
        try:
            self._child = launch.start()
            self._follow(self._dialect.open(), self._child.patience(self.budget.start), float("inf"))
            self.clock.begin(self._child.cpu())
            self._child.answered()
        except Late:
            self._fault = not_ready(self.budget)
        except (Broken, BotFault) as error:
            self._fault = error.verdict

    @property
    def spent(self) -> float:
        return self.clock.spent

    @property
    def took(self) -> float:
        return self.clock.took

    def orders(self, view: Any, time_left: float, /) -> Sequence[object]:
        """The answer to a view; after any failure of the conversation the guest drops out, or passes from then on."""
        try:
            return self._orders(view)
        except BotFault as fault:
            if not self._dialect.stays or fault.verdict.kind in NOT_ITS_FAULT:
                raise
            self.drop(fault.verdict)
            raise BotGone(fault.verdict) from None

    def _orders(self, view: Any) -> Sequence[object]:
        child = self._child
        if self._fault is not None or child is None:
            self.clock.spent = 0.0
            raise BotFault(self._fault or Verdict("crash"))
        left = self.clock.left
        patience, excess = child.patience(self.clock.wall), None
        try:
            child.forget()  # it may send extra lines; only the answer to a view counts
            answer = self._follow(self._dialect.turn(view, left), patience, self.clock.until)
        except Late:
            raise BotFault(LATE) from None
        except Broken as error:
            raise BotFault(error.verdict) from None
        finally:
            patience.look()  # the umpire may have been kept from hearing it at once
            excess = self.clock.charge(child.cpu(), patience.used)
            child.answered()
        if excess is not None:
            raise BotFault(excess)
        return answer

    def _follow(self, talk: Talk[T], patience: Patience, cpu_until: float) -> T:
        """Sends and receives lines as the dialect asks."""
        child = self._child
        assert child is not None
        try:
            wanted = next(talk)
            while True:
                if wanted is None:
                    wanted = talk.send(child.hear(patience, cpu_until).decode(errors="replace").rstrip("\r"))
                else:
                    child.say(wanted.encode() + b"\n", patience)
                    wanted = next(talk)
        except StopIteration as end:
            answer: T = end.value
            return answer
        except BotFault as fault:
            raise fault if fault.verdict.kind != "other" else type(fault)(Verdict("dialect", fault.why)) from None

    def drop(self, verdict: Verdict) -> None:
        self._end(verdict, 0.0)

    def close(self, outcome: Outcome | None) -> None:
        self._end(OVER, PATIENCE)

    def _end(self, why: Verdict, patience: float) -> None:
        if self._child is None:
            return
        word = self._dialect.close()
        if word is not None:
            with suppress(Broken, Late):
                self._child.say(word.encode() + b"\n", self._child.patience(0.05))
        self._child.close(patience)
        self._child = None
        self._fault = self._fault or why
