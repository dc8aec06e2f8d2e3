"""The papers on a table besides its match: sheets being written, notes, chat."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import msgspec
from sqlalchemy import Executable, delete, insert, select

from polemos.kernel.capabilities.roles import Roles
from polemos.kernel.errors import OrderError
from polemos.server.store import schema
from polemos.server.tables.crews import Joint, joint
from polemos.server.tables.lines import MAX_LINES
from polemos.server.tables.table import Refusal, Table
from polemos.wire.table import ChatLine

KEPT_TALK: Final = 300  # lines kept in memory
MAX_NOTES: Final = 100
MAX_WRITTEN: Final = 2 * MAX_LINES  # lines of a team's sheet that are remembered


class Papers:
    """The papers of one table, as stored on disk. Each change is returned as the statements that write it."""

    def __init__(
        self,
        drafts: dict[str, list[Any]] | None = None,
        notes: dict[str, dict[str, str]] | None = None,
        talk: list[ChatLine] | None = None,
    ) -> None:
        self.drafts = drafts or {}
        self.notes = notes or {}
        self.talk = talk or []
        # Hashes of lines that were on a team's sheet at some time in this step; only the latest, if there are many.
        self._written: dict[str, dict[int, None]] = {}

    # ---- sheets

    def joint(self, table: Table, seat: str, member: int, lines: list[Any]) -> Joint:
        """The sheet merged with the lines of the others in this seat; roles that are done are no longer changed."""
        crew, game = table.crews[seat], table.game
        if not crew.is_team:
            return Joint(lines)

        def role_of(line: Any) -> str | None:
            with suppress(OrderError):
                return game.role(game.read(line)) if isinstance(game, Roles) else None
            return None

        mine = [role for role in crew.of(member) if role not in crew.done]
        sheet = joint(role_of, mine, self.drafts.get(seat, []), lines)
        written = self._written.setdefault(seat, {})
        # A line that someone else has just deleted is not this person's fault.
        strange = [line for line in sheet.strange if _hash(line) not in written]
        for line in sheet.lines:
            written[_hash(line)] = written.pop(_hash(line), None)  # the latest come last
        for old in list(written)[:-MAX_WRITTEN]:
            del written[old]
        return Joint(sheet.lines, strange)

    def keep_draft(self, table: str, seat: str, lines: list[Any]) -> list[Executable]:
        self.drafts[seat] = lines
        return self.draft_statements(table, seat)

    def draft_statements(self, table: str, seat: str) -> list[Executable]:
        """Writes the draft of a seat as it is now, if there is one."""
        if seat not in self.drafts:
            return []
        drafts, kept = schema.drafts, msgspec.json.encode(self.drafts[seat])
        return [
            delete(drafts).where(drafts.c.table_id == table, drafts.c.seat == seat),
            insert(drafts).values(table_id=table, seat=seat, lines=kept),
        ]

    def next_step(self) -> None:
        """Discards drafts, which were for the previous position."""
        self.drafts.clear()
        self._written.clear()

    # ---- talk and notes

    def next_line(self) -> int:
        return self.talk[-1].number + 1 if self.talk else 1

    def said(self, line: ChatLine) -> None:
        self.talk = [*self.talk[-KEPT_TALK:], line]

    def talk_for(self, seat: str | None) -> list[ChatLine]:
        return [line for line in self.talk if line.to == "table" or (seat is not None and line.seat == seat)]

    def notes_with(self, seat: str, place: str, text: str) -> dict[str, str]:
        """The notes of a seat after adding or deleting this one."""
        mine = {kept: of for kept, of in self.notes.get(seat, {}).items() if kept != place}
        if not text:
            return mine
        if len(mine) >= MAX_NOTES:
            raise Refusal(f"You can keep at most {MAX_NOTES} notes. Delete one first.")
        return {**mine, place: text}


def _hash(line: Any) -> int:
    return hash(msgspec.json.encode(line))


def note_statements(table: str, seat: str, place: str, text: str) -> list[Executable]:
    notes = schema.notes
    gone = delete(notes).where(notes.c.table_id == table, notes.c.seat == seat, notes.c.place == place)
    if not text:
        return [gone]
    return [gone, insert(notes).values(table_id=table, seat=seat, place=place, text=text)]


def talk_statement(table: str, line: ChatLine) -> Executable:
    return insert(schema.talk).values(table_id=table, number=line.number, body=msgspec.json.encode(line))


def talk_at(table: str, number: int) -> Executable:
    """Finds the line of chat with a number."""
    return select(schema.talk.c.body).where(schema.talk.c.table_id == table, schema.talk.c.number == number)
