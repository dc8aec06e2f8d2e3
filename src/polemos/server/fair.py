"""A queue for the work of many visitors. Urgent work goes first; otherwise whoever has used the least CPU time is next.

So someone with a thousand things to do makes others wait for one of them at most, however long each takes.
"""

from __future__ import annotations

from collections import deque
from typing import Final, Generic, TypeVar

from msgspec import Struct

MAX_KNOWN: Final = 2000  # visitors whose use is remembered while they have nothing to do
FIRST_GUESS: Final = 0.001  # seconds for the first piece of work of a visitor

T = TypeVar("T")


class Ticket(Struct, Generic[T], frozen=True):
    """A piece of work whose turn it is, and what it was expected to cost."""

    who: str
    item: T
    guess: float


class Fair(Generic[T]):
    """Work by rank and visitor. A newcomer starts level with those who are being served: nobody can save up time."""

    def __init__(self) -> None:
        self._ranks: dict[int, dict[str, deque[T]]] = {}
        self._used: dict[str, float] = {}  # seconds
        self._usual: dict[str, float] = {}  # seconds that a piece of work takes
        self._level = 0.0  # what those being served have used

    def put(self, rank: int, who: str, item: T) -> None:
        if len(self._used) > MAX_KNOWN:
            self._forget()
        self._used[who] = max(self._used.get(who, 0.0), self._level)
        self._ranks.setdefault(rank, {}).setdefault(who, deque()).append(item)

    def take(self, last: int | None = None) -> Ticket[T] | None:
        """The next piece of work, of this rank or a more urgent one; None if there is none."""
        for rank in sorted(self._ranks):
            if last is not None and rank > last:
                return None
            waiting = self._ranks[rank]
            if waiting:
                return self._next(waiting)
        return None

    def _next(self, waiting: dict[str, deque[T]]) -> Ticket[T]:
        who = min(waiting, key=self._used.__getitem__)
        queue = waiting.pop(who)
        item = queue.popleft()
        if queue:
            waiting[who] = queue  # behind others who have used as much
        guess = self._usual.get(who, FIRST_GUESS)
        self._level = max(self._level, self._used[who])
        self._used[who] += guess
        return Ticket(who, item, guess)

    def done(self, ticket: Ticket[T], seconds: float) -> None:
        """Puts what it has cost in place of the guess."""
        who = ticket.who
        self._used[who] = self._used.get(who, self._level) + seconds - ticket.guess
        self._usual[who] = (self._usual.get(who, seconds) + seconds) / 2

    def waiting(self, who: str | None = None) -> int:
        """How much is waiting, of all visitors or of one."""
        copies = [list(queues.items()) for queues in list(self._ranks.values())]  # another thread may ask
        return sum(len(queue) for queues in copies for of, queue in queues if who is None or of == who)

    def _forget(self) -> None:
        busy = {who for queues in self._ranks.values() for who in queues}
        for who in [who for who, used in self._used.items() if used <= self._level and who not in busy]:
            del self._used[who]
            self._usual.pop(who, None)
