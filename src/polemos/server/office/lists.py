"""The lists that operators look at, read from the database. So commands see the same as the page, and every process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import Executable, RowMapping, func, or_, select

from polemos.server.names import looks
from polemos.server.office.bans import Network, network_of, shortened
from polemos.server.store import schema
from polemos.server.words import folded, tidy
from polemos.wire.office import AuditRow, BanRow, BotRow, Notice, PartyRow, PersonRow, ReportRow, SessionRow, TableRow
from polemos.wire.table import ChatLine

Read = Callable[[Executable], Sequence[RowMapping]]

MAX_ROWS: Final = 100  # in one list
MAX_SEARCHED: Final = 2000  # tables that are looked through for a player
EVERYONE: Final = 0  # stands for all accounts in the table of quotas


class _Seen(Struct):
    """As much of an act as lists need: it can be read whatever edition the match has."""

    act: str
    seat: str = ""
    kind: str = ""
    player: str = ""
    cpu: float = 0.0
    wall: float = 0.0


class _Spec(Struct):
    kind: str = "open"


class _Wish(Struct):
    """The same for the request that opened a table."""

    title: str = ""
    seats: dict[str, _Spec] = {}


# ---- people


def people(read: Read, text: str = "", named: frozenset[int] = frozenset()) -> list[PersonRow]:
    """Accounts whose name contains a text or looks like it, or that are signed in from an address; the newest first.

    `named`: the operators by a setting.
    """
    accounts, sought = schema.accounts, tidy(text, 80)
    query = select(accounts.c.id, accounts.c.name, accounts.c.created)
    if (network := network_of(sought)) is not None:
        query = query.where(accounts.c.id.in_(_signed_in_from(read, network)))
    elif sought:
        within = accounts.c.folded.contains(folded(sought), autoescape=True)
        alike = accounts.c.looks.contains(looks(sought), autoescape=True) if looks(sought) else within
        query = query.where(or_(within, alike))
    rows = read(query.order_by(accounts.c.created.desc()).limit(MAX_ROWS))
    ids = [row["id"] for row in rows]
    sessions, operators = schema.sessions, schema.operators
    began = read(select(sessions).where(sessions.c.account_id.in_(ids)).order_by(sessions.c.created.desc()))
    own = read(select(schema.quotas).where(schema.quotas.c.account_id.in_(ids)))
    trusted = {row["account_id"] for row in read(select(operators.c.account_id))} | named
    banned = {target: ban.why for target, ban in bans(read) if ban.kind == "account"}
    return [
        PersonRow(
            name=row["name"],
            created=row["created"],
            operator=row["id"] in trusted,
            sessions=tuple(
                SessionRow(one["id"][:12], one["created"], shortened(one["address"]))
                for one in began
                if one["account_id"] == row["id"]
            ),
            quotas={one["what"]: one["most"] for one in own if one["account_id"] == row["id"]},
            banned=banned.get(str(row["id"])),
        )
        for row in rows
    ]


def _signed_in_from(read: Read, network: Network) -> list[int]:
    sessions = schema.sessions
    rows = read(select(sessions.c.account_id, sessions.c.address).where(sessions.c.address != ""))
    known = [(row["account_id"], network_of(row["address"])) for row in rows]
    within = {id for id, at in known if at is not None and at.version == network.version and at.overlaps(network)}
    return sorted(within)[-MAX_ROWS:]


def account_called(read: Read, name: str) -> RowMapping | None:
    accounts = schema.accounts
    rows = read(select(accounts.c.id, accounts.c.name).where(accounts.c.folded == folded(tidy(name, 80))))
    return rows[0] if rows else None


# ---- tables and their bots


def tables(read: Read, game: str | None = None, status: str | None = None, player: str = "") -> list[TableRow]:
    """Tables, also unlisted ones; the newest first. A player is sought by a part of the name."""
    of, sought = schema.game_tables, folded(tidy(player, 80))
    query = select(of.c.id, of.c.game, of.c.wish, of.c.status, of.c.created, of.c.listed)
    if game is not None:
        query = query.where(of.c.game == game[:40])
    if status is not None:
        query = query.where(of.c.status == status[:10])
    rows = read(query.order_by(of.c.created.desc()).limit(MAX_SEARCHED if sought else MAX_ROWS))
    found: list[TableRow] = []
    for part in _parts(rows):
        names = _players(read, [row["id"] for row in part])
        found += [
            TableRow(row["id"], row["game"], _wish(row).title, row["status"], row["created"], row["listed"], here)
            for row in part
            for here in [names.get(row["id"], ())]
            if not sought or any(sought in folded(name) for name in here)
        ]
        if len(found) >= MAX_ROWS:
            break
    return found[:MAX_ROWS]


def parties(read: Read) -> list[PartyRow]:
    """Parties online that are not over; the newest first. Only numbers: what happens there is for those who are."""
    of, links, journal = schema.parties, schema.party_links, schema.party_journal
    rows = read(
        select(of.c.id, of.c.game, of.c.created).where(~of.c.over).order_by(of.c.created.desc()).limit(MAX_SEARCHED)
    )
    ids = [row["id"] for row in rows]

    def counted(table: Any, *where: Any) -> dict[str, int]:
        counting = select(table.c.party_id, func.count().label("n")).where(table.c.party_id.in_(ids), *where)
        return {row["party_id"]: row["n"] for row in read(counting.group_by(table.c.party_id))}

    there, used, acts = counted(links), counted(links, links.c.token != ""), counted(journal)
    return [
        PartyRow(
            row["id"],
            row["game"],
            row["created"],
            there.get(row["id"], 0),
            used.get(row["id"], 0),
            acts.get(row["id"], 0),
        )
        for row in rows
    ]


def bots(read: Read) -> list[BotRow]:
    """Bots at the newest unfinished tables; those that have used most first."""
    of = schema.game_tables
    query = select(of.c.id, of.c.game, of.c.wish).where(of.c.status != "over").order_by(of.c.created.desc())
    rows = [row for row in read(query.limit(MAX_SEARCHED)) if any(s.kind == "bot" for s in _wish(row).seats.values())]
    found: list[BotRow] = []
    for part in _parts(rows[: 2 * MAX_ROWS]):
        acts = _acts(read, [row["id"] for row in part])
        for row in part:
            found += _bots_at(row["id"], row["game"], acts.get(row["id"], []))
    return sorted(found, key=lambda bot: -bot.cpu)[:MAX_ROWS]


def bots_at(read: Read, table: str) -> list[BotRow]:
    return list(_bots_at(table, "", _acts(read, [table]).get(table, [])))


def playing(read: Read, account: int) -> dict[str, int]:
    """How many unfinished tables an account plays at, and how many bots play there."""
    of, places = schema.game_tables, schema.places
    mine = select(of.c.wish).join(places, places.c.table_id == of.c.id)
    rows = read(mine.where(places.c.account_id == account, of.c.status != "over"))
    seats = [spec for row in rows for spec in _wish(row).seats.values()]
    return {"tables": len(rows), "bots": sum(spec.kind == "bot" for spec in seats)}


def _bots_at(table: str, game: str, acts: Sequence[_Seen]) -> Iterator[BotRow]:
    gone = {act.seat for act in acts if act.act == "dropped"}
    for sat in acts:
        if sat.act == "sat" and sat.kind == "bot" and sat.seat not in gone:
            own = [act for act in acts if act.seat == sat.seat and act.act in ("filed", "missed")]
            cpu, wall = sum(act.cpu for act in own), sum(act.wall for act in own)
            yield BotRow(table, game, sat.seat, sat.player, round(cpu, 3), round(wall, 3), len(own))


def _players(read: Read, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The names of the players at tables. Seats may have been taken by several people one after the other."""
    found: dict[str, tuple[str, ...]] = {}
    for id, acts in _acts(read, ids, 200).items():
        names: dict[str, str] = {}
        for number, act in enumerate(acts):
            if act.act in ("sat", "called"):
                names[act.seat] = act.player
            elif act.act == "stood":
                names.pop(act.seat, None)
            elif act.act == "joined":
                names[f"{act.seat} {number}"] = act.player
        found[id] = tuple(names.values())
    return found


def _acts(read: Read, ids: Sequence[str], most: int | None = None) -> dict[str, list[_Seen]]:
    acts = schema.acts
    query = select(acts.c.table_id, acts.c.body).where(acts.c.table_id.in_(ids))
    if most is not None:
        query = query.where(acts.c.number < most)
    found: dict[str, list[_Seen]] = {}
    for row in read(query.order_by(acts.c.table_id, acts.c.number)):
        found.setdefault(row["table_id"], []).append(msgspec.json.decode(row["body"], type=_Seen))
    return found


def _wish(row: RowMapping) -> _Wish:
    return msgspec.json.decode(row["wish"], type=_Wish)


def _parts(rows: Sequence[RowMapping]) -> Iterator[Sequence[RowMapping]]:
    for first in range(0, len(rows), MAX_ROWS):
        yield rows[first : first + MAX_ROWS]


# ---- reports, bans, announcements, quotas


def reports(read: Read, *, done: bool = False) -> list[ReportRow]:
    of = schema.reports
    query = select(of).where(of.c.done.is_not(None) if done else of.c.done.is_(None))
    return [
        ReportRow(
            row["id"],
            row["at"],
            row["table_id"],
            row["by"],
            row["about"],
            row["target"],
            shortened(row["address"]),
            row["text"],
            msgspec.json.decode(row["lines"], type=tuple[ChatLine, ...]),
            row["done"],
        )
        for row in read(query.order_by(of.c.id.desc()).limit(MAX_ROWS))
    ]


def bans(read: Read) -> list[tuple[str, BanRow]]:
    """The bans in force, each with what it matches; the newest first."""
    of = schema.bans
    query = select(of).where(of.c.lifted.is_(None), or_(of.c.until.is_(None), of.c.until > time.time()))
    return [
        (row["target"], BanRow(row["id"], row["kind"], row["shown"], row["why"], row["begun"], row["until"]))
        for row in read(query.order_by(of.c.id.desc()))
    ]


def notices(read: Read) -> list[Notice]:
    """The announcements in force; the newest first."""
    of = schema.notices
    rows = read(select(of).where(of.c.until > time.time()).order_by(of.c.id.desc()).limit(MAX_ROWS))
    return [Notice(row["id"], row["text"], row["until"]) for row in rows]


def quotas(read: Read) -> dict[tuple[int, str], int]:
    """Account, or everyone, and what: how many."""
    return {(row["account_id"], row["what"]): row["most"] for row in read(select(schema.quotas))}


def count(read: Read, table: Any, *where: Any) -> int:
    return int(read(select(func.count().label("n")).select_from(table).where(*where))[0]["n"])


# ---- the audit log


def audit(read: Read, before: int | None = None, most: int = MAX_ROWS) -> list[AuditRow]:
    """The last acts of operators before a number, the newest first."""
    of = schema.audit
    query = select(of) if before is None else select(of).where(of.c.id < before)
    return [_audited(row) for row in read(query.order_by(of.c.id.desc()).limit(most))]


def whole_audit(read: Read, most: int = 1000) -> Iterator[AuditRow]:
    """All of it from the first act on, read in parts."""
    of, last = schema.audit, -1
    while rows := read(select(of).where(of.c.id > last).order_by(of.c.id).limit(most)):
        yield from map(_audited, rows)
        last = rows[-1]["id"]


def _audited(row: RowMapping) -> AuditRow:
    return AuditRow(row["id"], row["at"], row["by"], row["what"], row["target"], row["why"])
