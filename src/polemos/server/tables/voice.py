"""Sends news to everyone at a table, each as part of an audience."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from polemos.server.tables import audience
from polemos.server.tables.absences import Absences, Place
from polemos.server.tables.acts import Act, Answered, Bid, Closed, Next, Offered, OfSeat, Sat, Stood
from polemos.server.tables.clocks import now
from polemos.server.tables.judging import Judging
from polemos.server.tables.listeners import Listener
from polemos.server.tables.papers import Papers
from polemos.server.tables.table import Table
from polemos.server.work import Work
from polemos.wire import frames
from polemos.wire.table import ChatLine, ClockSaid, FrameSaid, Refused

BEFORE: Final = ("open", "sealed")  # when people may still change seats
PUBLIC: Final = (Offered, Answered, Next, Sat, Stood, Closed)  # acts that everyone is told about, even with fog

PRESENCE: Final = 0.1  # seconds until people are told who has come and gone,
PRESENCE_EACH: Final = 0.002  # and more for each of them: at most 500 such messages a second at one table

To = Callable[[Listener], bool]
How = tuple[str, bool, bool]  # who sees it, whether packed, whether with a picture
Frames = Mapping[tuple[int, How], bytes]


class Voice:
    """The listeners at one table. `table` is replaced after every act."""

    def __init__(self, table: Table, papers: Papers, sign: Callable[[str], str] | None, work: Work) -> None:
        self._table = table
        self.listeners: set[Listener] = set()
        self.absences = Absences(self._is_here)
        self.judging = Judging(table, papers, work)
        self._presence: asyncio.TimerHandle | None = None
        self._papers = papers
        self._sign = sign  # derives a secret from a text that only this server can compute

    @property
    def table(self) -> Table:
        return self._table

    @table.setter
    def table(self, table: Table) -> None:
        self._table = self.judging.table = table

    @property
    def here(self) -> frozenset[str]:
        return frozenset(listener.seat for listener in self.listeners if listener.seat is not None)

    def _is_here(self, place: Place) -> bool:
        return any((listener.seat, listener.member) == place for listener in self.listeners)

    @property
    def watching(self) -> int:
        return sum(listener.seat is None for listener in self.listeners)

    # ---- one message

    def state_for(self, seat: str | None, member: int = 0) -> bytes:
        return msgspec.json.encode(
            audience.table_state(
                self.table,
                seat,
                watching=self.watching,
                here=self.here,
                notes={} if seat is None else self._papers.notes.get(seat, {}),
                member=member,
                seen={(one.seat, one.member): one.looks for one in self.listeners if one.seat is not None},
                link=None if seat is None else self.crew_link(seat),
                wait=self.absences.wait,
            )
        )

    def crew_link(self, seat: str) -> str | None:
        """The secret that lets more people join a seat, for as long as the same person holds it."""
        sitter = self.table.seats[seat]
        if sitter is None or self._sign is None:
            return None
        return self._sign(f"crew {self.table.id} {seat} {sitter.secret}")

    def clock_for(self, seat: str | None) -> bytes:
        return msgspec.json.encode(ClockSaid(audience.clock(self.table, seat, now())))

    # ---- to many

    def tell_changes(self, acts: Sequence[Act], before: int, was: str, ready: Frames) -> None:
        """Tells everyone about new positions, and those who may know it about a seat's acts in between.

        `ready` holds frames that have been built already.
        """
        steps = len(self.table.match.steps)
        moved = steps != before or self.table.status != was
        mine = self._audience(acts, moved)
        self._let_stand({act.seat for act in acts if isinstance(act, Stood)})
        if was in BEFORE and self.table.begun:
            self._move_people()
            if was == "sealed":
                self._tell_frame(0, ready)
        if steps != before:
            for listener in self.listeners:
                listener.strange = ()  # they were for another position
        for number in range(before + 1, steps + 1):
            self._tell_frame(number, ready)
        self.tell_state(mine)
        self._tell_sheets(mine)

    def _audience(self, acts: Sequence[Act], moved: bool) -> To:
        """Those who are told of these acts: everyone if the match moved on, and with fog only the seats otherwise."""
        sealed = all(isinstance(act, Bid) for act in acts)
        public = moved or any(isinstance(act, PUBLIC) for act in acts) or not (sealed or self.table.game.facts.fog)
        doers = {act.seat for act in acts if isinstance(act, OfSeat)}
        return lambda listener: public or listener.seat in doers

    def tell_trouble(self, acts: Sequence[Act], moved: bool, word: str, why: str) -> None:
        """Tells those who would have heard of these acts why they have not, and how things stand."""
        mine, said = self._audience(acts, moved), msgspec.json.encode(Refused(None, word, why))
        for listener in list(self.listeners):
            if mine(listener):
                listener.tell(said)
        self.tell_state(mine)
        self._tell_sheets(mine)

    def tell_all(self) -> None:
        """Tells everyone how things stand."""
        self.tell_state(lambda listener: True)
        self._tell_sheets(lambda listener: True)

    def _let_stand(self, seats: set[str]) -> None:
        """Turns people who have left a seat into spectators: the seat's news is now for someone else."""
        for listener in self.listeners:
            if listener.seat in seats:
                listener.seat, listener.member, listener.looks = None, 0, None

    def _move_people(self) -> None:
        """Moves connections to their people's new seats after the bids."""
        for listener in self.listeners:
            if listener.seat is not None:
                listener.seat = self.table.moved.get(listener.seat, listener.seat)
        self.absences.move(self.table.moved)

    def audiences(self, table: Table) -> set[How]:
        """The kinds of frames that those who listen want, once this is the table."""
        return {
            (audience.eyes(table, listener.seat), listener.packed, listener.pictured) for listener in self.listeners
        }

    def _tell_frame(self, number: int, ready: Frames) -> None:
        encoded: dict[How, bytes] = {}
        for listener in list(self.listeners):
            how = audience.eyes(self.table, listener.seat), listener.packed, listener.pictured
            if how not in encoded:
                encoded[how] = ready.get((number, how)) or _frame(self.table, number, how)
            listener.tell(encoded[how])

    def tell_state(self, to: To) -> None:
        encoded: dict[tuple[str | None, int], bytes] = {}
        for listener in list(self.listeners):
            if to(listener):
                who = (listener.seat, listener.member)
                if who not in encoded:
                    encoded[who] = self.state_for(*who)
                listener.tell(encoded[who])

    def give_draft(self, listener: Listener, re: int | None) -> None:
        """Answers a draft with the sheet. Whoever else has the seat open gets it too: a team, or a second tab."""
        assert listener.seat is not None
        self.judging.give({**{other: None for other in self.listeners if other.seat == listener.seat}, listener: re})

    def _tell_sheets(self, to: To) -> None:
        """Sends the clocks, and the sheets to those who have one."""
        for listener in list(self.listeners):
            if to(listener):
                listener.tell(self.clock_for(listener.seat))
        self.judging.give({listener: None for listener in self.listeners if to(listener)})

    def tell_talk(self, line: ChatLine) -> None:
        body = msgspec.json.encode(line)
        for listener in list(self.listeners):
            if line.to == "table" or listener.seat == line.seat:
                listener.tell(body)

    def tell_presence_soon(self) -> None:
        """Tells everyone who is here, once for all who come and go in the meantime.

        The more people there are, the longer that is: a thousand spectators cost a few messages each, not a thousand.
        """
        if self._presence is None:
            wait = PRESENCE + len(self.listeners) * PRESENCE_EACH
            self._presence = asyncio.get_running_loop().call_later(wait, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence = None
        self.tell_state(lambda listener: True)

    def dismiss(self, listener: Listener, last: bytes, why: str) -> None:
        """Disconnects a listener, who first learns what became of everything asked for."""
        self.judging.tell_rest(listener)
        listener.dismiss(last, why)

    def close(self) -> None:
        self.judging.close()
        if self._presence is not None:
            self._presence.cancel()


def written_frames(table: Table, numbers: Iterable[int], kinds: Iterable[How]) -> dict[tuple[int, How], bytes]:
    """Frames as they are sent. The table does not change any more, so a thread can read it."""
    return {(number, how): _frame(table, number, how) for number in numbers for how in kinds}


def _frame(table: Table, number: int, how: How) -> bytes:
    return msgspec.json.encode(FrameSaid(frames.frame(table.match, number, *how)))
