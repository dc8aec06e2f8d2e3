"""Judges the sheets of a table. Of the drafts of a seat only the newest is judged, and never two at a time.

A sheet that takes long is judged in a thread. Meanwhile the table may move on: then the sheet is judged again, and the
old one is sent to nobody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from polemos.server.tables import audience
from polemos.server.tables.listeners import Listener
from polemos.server.tables.papers import Papers
from polemos.server.tables.table import Table
from polemos.server.work import FEW, LONG, Rank, Usual, Visitor, Work
from polemos.wire.table import Ack, Refused

_log = logging.getLogger("polemos")


class _Wish(Struct, frozen=True):
    """A sheet for one listener, perhaps as the answer to a message."""

    re: int | None
    strange: Sequence[Any]


class Judging:
    """The sheets of one table. `table` is replaced after every act."""

    def __init__(self, table: Table, papers: Papers, work: Work) -> None:
        self.table = table
        self._papers, self._work = papers, work
        self._waiting: dict[str, dict[Listener, int | None]] = {}  # by seat, with the message to answer
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._after: dict[Listener, list[bytes]] = {}  # messages that come after a sheet
        self._usual: dict[str, Usual] = {seat: Usual() for seat in table.seats}

    def give(self, wishes: Mapping[Listener, int | None]) -> None:
        """Sends listeners the sheet of their seat: at once if that is quick, otherwise soon.

        A draft that is still waiting when a newer one comes is only confirmed.
        """
        seats = set[str]()
        for listener, re in wishes.items():
            if listener.seat is not None and listener.wants_sheets:
                self._add(self._waiting.setdefault(listener.seat, {}), listener, re)
                seats.add(listener.seat)
        for seat in seats:
            if seat in self._tasks:
                continue
            asked, few = self._wishes(seat), len(self._papers.drafts.get(seat, ())) <= FEW
            if asked and few and self._work.is_quick(_payer(asked), self._usual[seat]):
                self._judge_now(seat)
            else:
                self._tasks[seat] = asyncio.create_task(self._judge(seat))

    def after_sheet(self, listener: Listener, message: bytes) -> None:
        """Sends a message after the sheet that a listener waits for.

        So the order of messages does not tell how long the server took for it, or what others had it do meanwhile.
        """
        if listener.seat is not None and listener in self._waiting.get(listener.seat, {}):
            self._after.setdefault(listener, []).append(message)
        else:
            listener.tell(message)

    def tell_rest(self, listener: Listener) -> None:
        """Sends what waits for a sheet at once: the sheet has come, or there is no time for it any more."""
        for message in self._after.pop(listener, ()):
            listener.tell(message)

    @staticmethod
    def _add(waiting: dict[Listener, int | None], listener: Listener, re: int | None) -> None:
        if re is None:
            waiting.setdefault(listener, None)
            return
        for other, older in waiting.items():
            if older is not None:
                other.tell(msgspec.json.encode(Ack(older)))
                waiting[other] = None
        waiting[listener] = re

    def _judge_now(self, seat: str) -> None:
        wishes = self._wishes(seat)
        del self._waiting[seat]
        draft, wanted = self._papers.drafts.get(seat), [*wishes.values()]
        made = self._work.here(_payer(wishes), self._usual[seat], _written, self.table, seat, draft, wanted)
        for listener, sheet in zip(wishes, made, strict=True):
            listener.tell(sheet)

    async def _judge(self, seat: str) -> None:
        """Goes on until everyone has got the sheet they wait for."""
        while wishes := self._wishes(seat):
            read: list[Table] = []
            usual = self._usual[seat] if len(self._papers.drafts.get(seat, ())) <= FEW else LONG
            try:
                made = await self._work.do(
                    _payer(wishes), Rank.DRAFTS, usual, self._written_now, seat, [*wishes.values()], read
                )
            except Exception as error:  # our fault; the table goes on
                _log.exception("A sheet at table %s could not be judged", self.table.id, exc_info=error)
                made = [_broken(wish.re) for wish in wishes.values()]
            if read and _standing(self.table, seat) != _standing(read[0], seat):
                for listener in wishes:  # whatever it was about has been seen by now
                    self.tell_rest(listener)
                continue
            waiting = self._waiting.get(seat, {})
            for (listener, wish), sheet in zip(wishes.items(), made, strict=True):
                if listener in waiting and waiting[listener] == wish.re:
                    del waiting[listener]
                    if listener.seat == seat:
                        listener.tell(sheet)
                    self.tell_rest(listener)
        del self._tasks[seat]  # at once, so that nobody waits for a task that has ended

    def _written_now(self, seat: str, wishes: Sequence[_Wish], read: list[Table]) -> list[bytes]:
        """The sheets of the table as it is when their turn has come, which may be long after they were asked for."""
        read.append(self.table)
        return _written(read[0], seat, self._papers.drafts.get(seat), wishes)

    def _wishes(self, seat: str) -> dict[Listener, _Wish]:
        """Those who wait for a sheet of this seat and are still there."""
        waiting = self._waiting.get(seat, {})
        for gone in [listener for listener in waiting if listener.gone or listener.seat != seat]:
            del waiting[gone]
            self.tell_rest(gone)
        return {listener: _Wish(re, listener.strange) for listener, re in waiting.items()}

    def close(self) -> None:
        self._waiting.clear()
        for task in self._tasks.values():
            task.cancel()


def _payer(wishes: Mapping[Listener, _Wish]) -> Visitor:
    """Whoever asked; otherwise the first who gets it."""
    asked = [listener for listener, wish in wishes.items() if wish.re is not None]
    return (asked or [*wishes])[0].visitor


def _written(table: Table, seat: str, draft: Sequence[Any] | None, wishes: Sequence[_Wish]) -> list[bytes]:
    """The sheet as each of them is to get it. The table does not change any more, so a thread can read it."""
    usual = None
    written: list[bytes] = []
    for wish in wishes:
        if wish.strange:
            sheet = audience.sheet(table, seat, draft, None, wish.strange)
        else:
            sheet = usual = usual or audience.sheet(table, seat, draft)
        written.append(msgspec.json.encode(replace(sheet, re=wish.re)))
    return written


def _standing(table: Table, seat: str) -> object:
    """Changes whenever a sheet of this seat has to be judged again."""
    filed = table.match.filed.get(seat)
    return table.positions, table.status, None if filed is None else id(filed), table.has_missed(seat)


def _broken(re: int | None) -> bytes:
    why = "Something went wrong inside Polemos. The error has been logged."
    return msgspec.json.encode(Refused(re, "server/broken", why))
