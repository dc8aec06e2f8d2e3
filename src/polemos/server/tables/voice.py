"""Sends news to everyone at a table, each as part of an audience."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from polemos.server.tables import audience
from polemos.server.tables.acts import Act, Answered, Bid, Closed, Next, Offered, OfSeat, Sat, Stood
from polemos.server.tables.clocks import now
from polemos.server.tables.listeners import Listener
from polemos.server.tables.papers import Papers
from polemos.server.tables.table import Table
from polemos.wire import frames
from polemos.wire.table import ChatLine, ClockSaid, FrameSaid, Refused

BEFORE: Final = ("open", "sealed")  # when people may still change seats
PUBLIC: Final = (Offered, Answered, Next, Sat, Stood, Closed)  # acts that everyone is told about, even with fog

To = Callable[[Listener], bool]


class Voice:
    """The listeners at one table. `table` is replaced after every act."""

    def __init__(self, table: Table, papers: Papers, sign: Callable[[str], str] | None) -> None:
        self.table = table
        self.listeners: set[Listener] = set()
        self._papers = papers
        self._sign = sign  # derives a secret from a text that only this server can compute

    @property
    def here(self) -> frozenset[str]:
        return frozenset(listener.seat for listener in self.listeners if listener.seat is not None)

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
            )
        )

    def crew_link(self, seat: str) -> str | None:
        """The secret that lets more people join a seat, for as long as the same person holds it."""
        sitter = self.table.seats[seat]
        if sitter is None or self._sign is None:
            return None
        return self._sign(f"crew {self.table.id} {seat} {sitter.secret}")

    def sheet_for(self, seat: str, re: int | None = None, strange: Sequence[Any] = ()) -> bytes:
        """`strange` holds lines by this person that only others in the seat may give."""
        return msgspec.json.encode(audience.sheet(self.table, seat, self._papers.drafts.get(seat), re, strange))

    def clock_for(self, seat: str | None) -> bytes:
        return msgspec.json.encode(ClockSaid(audience.clock(self.table, seat, now())))

    # ---- to many

    def tell_changes(self, acts: Sequence[Act], before: int, was: str) -> None:
        """Tells everyone about new positions, and those who may know it about a seat's acts in between."""
        steps = len(self.table.match.steps)
        moved = steps != before or self.table.status != was
        mine = self._audience(acts, moved)
        self._let_stand({act.seat for act in acts if isinstance(act, Stood)})
        if was in BEFORE and self.table.begun:
            self._move_people()
            if was == "sealed":
                self._tell_frame(0)
        if steps != before:
            for listener in self.listeners:
                listener.strange = ()  # they were for another position
        for number in range(before + 1, steps + 1):
            self._tell_frame(number)
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

    def _tell_frame(self, number: int) -> None:
        encoded: dict[tuple[str, bool, bool], bytes] = {}
        for listener in list(self.listeners):
            how = audience.eyes(self.table, listener.seat), listener.packed, listener.pictured
            if how not in encoded:
                encoded[how] = msgspec.json.encode(FrameSaid(frames.frame(self.table.match, number, *how)))
            listener.tell(encoded[how])

    def tell_state(self, to: To) -> None:
        encoded: dict[tuple[str | None, int], bytes] = {}
        for listener in list(self.listeners):
            if to(listener):
                who = (listener.seat, listener.member)
                if who not in encoded:
                    encoded[who] = self.state_for(*who)
                listener.tell(encoded[who])

    def tell_sheet(self, seat: str, but: Listener) -> None:
        """Sends the sheet to the other people in a seat, after one of them has changed it."""
        self._give_sheets(lambda listener: listener.seat == seat and listener is not but)

    def _tell_sheets(self, to: To) -> None:
        """Sends the clocks, and the sheets to those who have one."""
        for listener in list(self.listeners):
            if to(listener):
                listener.tell(self.clock_for(listener.seat))
        self._give_sheets(to)

    def _give_sheets(self, to: To) -> None:
        sheets: dict[str, bytes] = {}
        for listener in list(self.listeners):
            if listener.seat is None or not to(listener):
                continue
            if listener.strange:
                listener.tell(self.sheet_for(listener.seat, None, listener.strange))
                continue
            if listener.seat not in sheets:
                sheets[listener.seat] = self.sheet_for(listener.seat)
            listener.tell(sheets[listener.seat])

    def tell_talk(self, line: ChatLine) -> None:
        body = msgspec.json.encode(line)
        for listener in list(self.listeners):
            if line.to == "table" or listener.seat == line.seat:
                listener.tell(body)
