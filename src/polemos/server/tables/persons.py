"""The actions of people at a table, and of programs that connect by themselves: checked, stored, then announced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Executable

from polemos.hosts import names
from polemos.kernel.orders import shown
from polemos.kernel.verdict import Verdict
from polemos.server.store.ledger import Unwritten
from polemos.server.tables.acts import (
    Act,
    Answered,
    Bid,
    Called,
    Dropped,
    Filed,
    Finished,
    Held,
    Missed,
    Offered,
    Paused,
    Resumed,
    Stood,
    Withdrew,
)
from polemos.server.tables.clocks import now
from polemos.server.tables.keeper import Keeper
from polemos.server.tables.lines import sheet_of
from polemos.server.tables.listeners import Listener
from polemos.server.tables.papers import note_statements, talk_at, talk_statement
from polemos.server.tables.table import Refusal, Table
from polemos.server.tables.voice import BEFORE
from polemos.server.words import tidy
from polemos.server.work import Visitor
from polemos.wire.table import ChatLine

MAX_TALK: Final = 500  # characters


class Persons:
    """The actions of everyone seated at one table. They use its keeper, which does not know them."""

    def __init__(self, keeper: Keeper, by: Visitor | None = None) -> None:
        """`by` pays for the work."""
        self._keeper, self._by = keeper, by

    @property
    def _table(self) -> Table:
        return self._keeper.table  # which may have been read again

    # ---- sheets

    async def file(self, seat: str, lines: Sequence[Any], step: int, member: int = 0, wall: float = 0.0) -> None:
        """Files a sheet for this step. In a team this marks the person's roles as done, and the last files for all.

        `wall`: the seconds that a program took for it.
        """
        keeper, also = self._keeper, list[Executable]()

        def judge(table: Table) -> list[Act]:
            table.check_filing(seat, step)
            sheet = keeper.papers.joint(table, seat, member, sheet_of(lines)).lines
            crew = table.crews[seat]
            if not crew.is_team or not crew.holders:
                return [Filed(seat, sheet, wall=wall)]
            mine = [role for role in crew.held_by(member) if role not in crew.done]
            acts: list[Act] = [Finished(seat, role, True) for role in mine]
            if crew.is_finished(mine):
                return [*acts, Filed(seat, sheet)]
            if not mine:
                raise Refusal("You have no role left to finish. The sheet is filed when your whole team is done.")
            also.extend(keeper.papers.keep_draft(table.id, seat, sheet))  # everything confirmed is on disk
            return acts

        await keeper.act(judge, also=also, by=self._by)
        if seat in self._table.match.filed or not self._table.crews[seat].is_team:
            keeper.papers.drafts.pop(seat, None)

    async def withdraw(self, seat: str) -> None:
        def judge(table: Table) -> list[Act]:
            table.check_withdrawal(seat)
            self._keeper.papers.drafts[seat] = list(table.match.filed[seat].texts)
            return [Withdrew(seat)]

        await self._keeper.act(judge, by=self._by)

    def draft(self, seat: str, lines: Sequence[Any], member: int = 0) -> list[Any]:
        """Saves a draft. Its last second may be lost in a crash; a filed sheet is never lost.

        Returns the lines that only others in the seat may give; they are not saved.
        """
        table = self._table
        if table.status in (*BEFORE, "over"):
            raise Refusal(f"You can't give orders now: the table is {table.status}.")
        sheet = self._keeper.papers.joint(table, seat, member, sheet_of(lines))
        self._keeper.papers.drafts[seat] = sheet.lines
        self._keeper.keep_draft_soon(seat)
        return sheet.strange

    async def strike(self, seat: str, step: int, why: Verdict, wall: float = 0.0) -> None:
        """Counts an unreadable answer from a program: it costs the turn, and after the third the seat drops out."""

        def judge(table: Table) -> list[Act]:
            late = len(table.match.steps) != step or not table.is_due(seat)
            return [] if late else [Missed(seat, str(why), strike=True, wall=wall)]

        await self._keeper.act(judge, by=self._by)

    async def call(self, seat: str, said: str) -> None:
        """Names a program that was given no name after what it announces, unless that is somebody else's."""
        name = names.announced(said)

        def judge(table: Table) -> list[Act]:
            sitter = table.seats[seat]
            if not name or sitter is None or sitter.kind != "program" or sitter.player != seat:
                return []
            others = [one.player for at, one in table.seats.items() if one is not None and at != seat]
            called = [names.Called(name), *(names.Called(other, is_known=True) for other in others)]
            return [Called(seat, names.told_apart(table.game, called)[0])]

        await self._keeper.act(judge, by=self._by)

    # ---- several people in one seat

    async def take_role(self, seat: str, member: int, role: str, take: bool) -> None:
        """Takes a role that is free or whose holder is away, or gives it up."""

        def judge(table: Table) -> list[Act]:
            holder = table.crews[seat].holders.get(role, member)
            wait = self._keeper.voice.absences.wait(seat, holder, member) if take and holder != member else None
            table.check_role(seat, member, role, wait)
            return [Held(seat, member, role, take)]

        await self._keeper.act(judge, by=self._by)

    async def finish(self, seat: str, member: int, role: str, done: bool, step: int | None = None) -> None:
        """Marks a role as done for this turn, or not. When the last role taken is done, the sheet is filed."""

        def judge(table: Table) -> list[Act]:
            table.check_filing(seat, len(table.match.steps) if step is None else step)
            table.check_role(seat, member, role)
            crew = table.crews[seat]
            acts: list[Act] = [Finished(seat, role, done)]
            if done and crew.is_finished([role]):
                acts.append(Filed(seat, list(self._keeper.papers.drafts.get(seat, []))))
            return acts

        await self._keeper.act(judge, by=self._by)

    def look(self, listener: Listener, at: str) -> None:
        """Tells the others in the seat what someone is looking at, without storing it."""
        listener.looks = tidy(at, 40) or None
        if listener.seat is not None and self._table.crews[listener.seat].is_team:
            self._keeper.voice.tell_state(lambda other: other.seat == listener.seat and other is not listener)

    # ---- the match

    async def bid(self, seat: str, number: int) -> None:
        """Names a number in secret. Once everyone has, the match begins, and people may have changed seats."""

        def judge(table: Table) -> list[Act]:
            table.check_bid(seat, number)
            return [Bid(seat, number)]

        await self._keeper.act(judge, by=self._by)

    async def do_word(self, seat: str, word: str, member: int = 0) -> None:
        """Does one of the words in `may` that concern the match."""

        def judge(table: Table) -> list[Act]:
            acts: dict[str, Act] = {
                "resign": Dropped(seat, str(Verdict("resigned"))),
                "pause": Paused(seat),
                "resume": Resumed(seat),
                "leave": Stood(seat),
                "offer draw": Offered(seat, "draw"),
                "offer take back": Offered(seat, "take back"),
            }
            can = [known for known in table.may(seat, member) if known in acts]
            if word not in can:
                raise Refusal(f"You can't {shown(word)[:20]!r} now. You can: {', '.join(can) or 'nothing'}.")
            return [acts[word]]

        await self._keeper.act(judge, by=self._by)

    async def answer_offer(self, seat: str, what: str, yes: bool) -> None:
        def judge(table: Table) -> list[Act]:
            if what not in table.offers or seat not in table.needs(what):
                raise Refusal(f"Nobody has offered you a {what}.")
            return [Answered(seat, what, yes)]

        await self._keeper.act(judge, by=self._by)

    # ---- talk and notes

    async def say(self, seat: str, name: str, text: str, to: str) -> None:
        """A line of chat. People in the same seat have a private channel."""
        text = tidy(text, MAX_TALK)
        if not text:
            raise Refusal("The message is empty. Type something first.")
        if to == "side":
            self._check_seats()

        line = ChatLine(0, now(), name, seat, "side" if to == "side" else "table", text)
        await self._keeper.alone(lambda: self._speak(line))

    async def announce(self, who: str, text: str) -> None:
        """A line of chat from nobody at the table: what an operator has done, and why."""
        line = ChatLine(0, now(), who, None, "table", text)
        await self._keeper.alone(lambda: self._speak(line))

    async def _speak(self, said: ChatLine) -> None:
        """Writes a line under the next number, and tells it. A line on disk of which we did not know comes first."""
        papers = self._keeper.papers
        while True:
            line = msgspec.structs.replace(said, number=papers.next_line())
            try:
                await self._keeper.write(talk_statement(self._table.id, line))
            except Unwritten:
                found = await self._keeper.read_settled(talk_at(self._table.id, line.number))
                if not found:
                    raise
                known = msgspec.json.decode(found[0]["body"], type=ChatLine)
            else:
                known = line
            papers.said(known)
            self._keeper.voice.tell_talk(known)
            if known == line:
                return

    async def note(self, seat: str, place: str, text: str) -> None:
        """A note that only this seat can see."""
        self._check_seats()
        place, text = tidy(place, 40), tidy(text, 200)

        async def doing() -> None:
            mine = self._keeper.papers.notes_with(seat, place, text)
            await self._keeper.write(*note_statements(self._table.id, seat, place, text))
            self._keeper.papers.notes[seat] = mine
            self._keeper.voice.tell_state(lambda listener: listener.seat == seat)

        await self._keeper.alone(doing)

    def _check_seats(self) -> None:
        """Makes sure that private data is not left to the next person in the seat."""
        if self._table.status in BEFORE:
            raise Refusal("You can do that once the match has begun. Until then, someone else might take your seat.")
