"""Tables that are not in memory: what lists show of them, and what is written when a table leaves memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Executable, RowMapping, Select, delete, insert, select, update

from polemos.server.store import schema
from polemos.server.tables import audience
from polemos.server.tables.clocks import now
from polemos.server.tables.table import Table
from polemos.wire.table import TableCard

_CARDS = msgspec.json.Decoder(TableCard)
_DUE = msgspec.json.Decoder(list[tuple[int, TableCard]])


class Standing(Struct, frozen=True):
    """An unfinished table that is not in memory."""

    owner: str = ""
    alone: bool = False  # whether only bots play
    at: float = 0.0
    listed: bool = False
    card: TableCard | None = None  # as spectators see it
    due: tuple[tuple[int, TableCard], ...] = ()  # accounts that it waits for, and the table as they see it


def is_alone(table: Table) -> bool:
    """Whether only bots play, and nobody else can join them."""
    return all(sitter is not None and sitter.kind == "bot" for sitter in table.seats.values())


def of(table: Table, owner: str) -> Standing:
    due = [
        (account, audience.card(table, seat))
        for seat, sitter in table.seats.items()
        if sitter is not None
        for account in {sitter.account, *(member.account for member in table.crews[seat].joined)}
        if account is not None and table.waits_for_account(seat, account)
    ]
    card = audience.card(table, None)
    return Standing(owner, is_alone(table), now(), table.wish.listed, card, tuple(due))


# ---- on disk


def unfinished(ids: Sequence[str] | None = None) -> Select[Any]:
    """All unfinished tables, or those of a list, with their standings but without their snapshots."""
    tables, kept = schema.game_tables, schema.standings
    fields = (kept.c.owner, kept.c.alone, kept.c.at, kept.c.asleep, kept.c.card, kept.c.due)
    found = select(tables.c.id, tables.c.game, tables.c.edition, tables.c.listed, *fields).select_from(
        tables.outerjoin(kept)
    )
    return found.where(tables.c.status != "over", *(() if ids is None else (tables.c.id.in_(ids),)))


def read(row: RowMapping) -> Standing:
    if row["owner"] is None:  # an older version has written it, without a standing
        return Standing(listed=row["listed"])
    return Standing(
        row["owner"],
        row["alone"],
        row["at"],
        row["listed"],
        None if row["card"] is None else _CARDS.decode(row["card"]),
        () if row["due"] is None else tuple(_DUE.decode(row["due"])),
    )


def opened(table: Table, owner: str) -> Executable:
    """For a new table."""
    row = {"table_id": table.id, "owner": owner, "alone": is_alone(table), "at": now(), "asleep": False}
    return insert(schema.standings).values(row)


def places(table: Table) -> list[Executable]:
    """Which accounts play at a table, as it is now."""
    of = schema.places
    rows = [{"table_id": table.id, "account_id": account} for account in sorted(table.accounts)]
    gone = delete(of).where(of.c.table_id == table.id)
    return [gone, insert(of).values(rows)] if rows and table.status != "over" else [gone]


def written(id: str, standing: Standing, asleep: bool, body: bytes | None) -> list[Executable]:
    """`asleep`: nothing will happen until somebody asks for the table."""
    row = {
        "table_id": id,
        "owner": standing.owner,
        "alone": standing.alone,
        "at": standing.at,
        "asleep": asleep,
        "card": msgspec.json.encode(standing.card),
        "due": msgspec.json.encode(standing.due),
        "body": body,
    }
    return [delete(schema.standings).where(schema.standings.c.table_id == id), insert(schema.standings).values(row)]


def seen(id: str) -> Executable:
    """Somebody has asked for a table, and nothing else has changed."""
    return update(schema.standings).where(schema.standings.c.table_id == id).values(at=now())


def ended(id: str) -> Executable:
    """A finished table needs none."""
    return delete(schema.standings).where(schema.standings.c.table_id == id)


def woken(id: str) -> Executable:
    """Something happens at a table again, so that its standing is no longer true."""
    return update(schema.standings).where(schema.standings.c.table_id == id).values(asleep=False)
