"""All tables of a server: opening them, finding them, resuming them after a restart."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec
from sqlalchemy import delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from polemos.kernel import dice
from polemos.kernel.errors import PolemosError
from polemos.kernel.match import Match
from polemos.kernel.playing import require_no_umpire
from polemos.kernel.rooms import bots_of
from polemos.server import shelf
from polemos.server.store import schema
from polemos.server.store.ledger import Ledger, Unwritten
from polemos.server.tables import audience
from polemos.server.tables.acts import Act, Joined, Sat
from polemos.server.tables.clocks import now
from polemos.server.tables.crews import Member
from polemos.server.tables.keeper import Keeper
from polemos.server.tables.listeners import SIGNED_OUT
from polemos.server.tables.papers import KEPT_TALK, Papers
from polemos.server.tables.table import Refusal, Sitter, Table, check_wish
from polemos.server.words import tidy
from polemos.wire.table import ChatLine, Kind, OpenTable, Seated, SeatSpec, TableCard

BEAT: Final = 1.0  # seconds between heartbeats written to disk
IDLE: Final = 600.0  # seconds until a finished table that nobody watches is dropped from memory
LONG_IDLE: Final = 86400.0  # the same for a table without a clock that waits for someone who has left
MAX_TABLES: Final = 5000  # unfinished tables in memory
MAX_FINISHED: Final = 100  # in memory
MAX_PLAYED: Final = 40  # finished tables that lists show even if they are no longer in memory
MAX_PROGRAMS: Final = 32  # seats with programs at unfinished tables
MAX_CREW: Final = 12  # people in a seat besides the first
MAX_NAME: Final = 40

_ID: Final = re.compile(r"[0-9a-f]{12}")
_log = logging.getLogger("polemos")


class NoSuchTable(PolemosError):
    word = "table/unknown"


class OldEdition(Refusal):
    """A match that this version can't show, because its rules have changed since."""

    word = "table/edition"


class NoSuchSeat(Refusal):
    """A token that is not valid here."""

    word = "table/forbidden"


class Hall:
    """The tables of a server. Unfinished ones are all in memory; finished ones are read on demand."""

    def __init__(
        self,
        ledger: Ledger,
        programs: Mapping[str, Mapping[str, str]] | None = None,
        sign: Callable[[str], str] | None = None,
    ) -> None:
        self.ledger = ledger
        self._sign = sign  # derives a secret from a text that only this server can compute
        self.keepers: dict[str, Keeper] = {}
        self.stopping = False  # nobody new can join
        self._programs = {game: dict(of) for game, of in (programs or {}).items()}
        self._beating: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._played: dict[str, TableCard] = {}  # finished tables that are not in memory
        self._loading = asyncio.Lock()

    # ---- opening

    async def open(self, wish: OpenTable, account: int | None = None) -> Seated:
        """Opens a new table; the person opening it gets the first seat for a person."""
        keeper, row, acts, seated = self._draw_up(wish, account, again=False)
        await keeper.begin(row, acts)
        self.keepers[seated.table] = keeper
        return seated

    def _draw_up(
        self, wish: OpenTable, account: int | None, *, again: bool
    ) -> tuple[Keeper, dict[str, Any], list[Act], Seated]:
        """A new table, not yet on disk: its keeper, its row, its first acts, and the seat of the person opening it."""
        game = _game(wish.game)
        wish = msgspec.structs.replace(wish, title=tidy(wish.title, 60), name=tidy(wish.name, MAX_NAME))
        trial = Match(game, wish.options)
        require_no_umpire(game, trial.state)  # a table has no umpire to make calls
        wish = msgspec.structs.replace(wish, options=trial.options)  # including full maps and tables
        check_wish(game, self.bots_of(game), wish, trial.seats, again)
        self._check_room(wish)
        table = Table(secrets.token_hex(6), game, wish, dice.new_key(), now())
        row = {
            "id": table.id,
            "game": game.name,
            "edition": game.edition,
            "wish": msgspec.json.encode(wish),
            "key": table.key,
            "created": table.created,
            "status": "open",
            "listed": wish.listed,
        }
        acts, seated = _first_seats(wish, trial.seats, account)
        return self._keeper(table), row, acts, Seated(table.id, *(seated or (None, None)))

    def _check_room(self, wish: OpenTable) -> None:
        playing = [keeper.table for keeper in self.keepers.values() if keeper.table.status != "over"]
        if len(playing) >= MAX_TABLES:
            raise Refusal(f"This server is full: {MAX_TABLES} tables are open. Try again later.")
        programs = sum(self._programs_at(table.wish) for table in playing)
        if self._programs_at(wish) and programs + self._programs_at(wish) > MAX_PROGRAMS:
            raise Refusal(
                f"This server is full: {programs} programs are playing. Try again later, or choose one of our bots."
            )

    def _programs_at(self, wish: OpenTable) -> int:
        offered = self._programs.get(wish.game, {})
        return sum(spec.kind == "bot" and spec.bot in offered for spec in wish.seats.values())

    async def take(self, id: str, seat: str, name: str, account: int | None, *, again: bool = False) -> Seated:
        """Takes a free seat. With `again`, also a seat that is kept for this player."""
        keeper, token = await self.find(id), secrets.token_urlsafe(18)

        def judge(table: Table) -> list[Act]:
            if seat not in table.seats:
                raise Refusal(f"There is no seat {seat[:20]!r} here. The seats are {', '.join(table.seats)}.")
            if table.closed is not None:
                raise Refusal("An operator closed this table.")
            if table.seats[seat] is not None:
                raise Refusal(f"The seat {seat} is taken.")
            if not again and (whom := table.kept_for(seat, now())) is not None:
                raise Refusal(f"The seat {seat} is kept for {whom}, who had it in the last match.")
            spec = table.wish.seats.get(seat, SeatSpec())
            kind: Kind = "program" if spec.kind == "program" else "person"
            return [Sat(seat, kind, tidy(name, MAX_NAME) or seat, secret_of(token), account)]

        await keeper.act(judge)
        return Seated(id, seat, token)

    async def rematch(self, keeper: Keeper, seat: str, member: int = 0) -> Seated:
        """Opens the same table again. The first player to ask opens it; the seats of the others are kept for them.

        If several people share a seat, the first to ask gets it, under their own name.
        """
        async with keeper.rematching:  # in case two ask at once
            table = keeper.table
            sitter = table.seats.get(seat)
            if sitter is None or "rematch" not in table.may(seat):
                raise Refusal("You can't open a rematch now.")
            name = table.name_of(seat, member)
            account = table.crews[seat].joined[member - 1].account if member else sitter.account
            if table.next is not None:
                return await self.take(table.next, seat, name, account, again=True)
            if sitter.kind == "program":
                raise Refusal("A program can't open a rematch. Wait for a person to open it, then take a seat there.")
            seats = {at: _again(other, at == seat) for at, other in table.seats.items()}
            wish = msgspec.structs.replace(table.wish, seats=seats, name=name)
            made, row, acts, seated = self._draw_up(wish, account, again=True)
            await keeper.goes_on_at(seated.table, made.draw_up(row, acts))
            made.begun()
            self.keepers[seated.table] = made
        return seated

    def bots_of(self, game: Any) -> tuple[str, ...]:
        return (*bots_of(game), *self._programs.get(game.name, {}))

    # ---- finding

    async def find(self, id: str) -> Keeper:
        keeper = self.keepers.get(id)
        if keeper is None:
            keeper = await self._load(id)
            keeper.wake()
        keeper.touched = time.monotonic()
        return keeper

    async def _load(self, id: str) -> Keeper:
        """Reads a table from disk into memory, without starting it."""
        if _ID.fullmatch(id) is None:
            raise NoSuchTable(f"There is no table {id[:24]!r}.")
        async with self._loading:
            if id not in self.keepers:
                self.keepers[id] = await asyncio.to_thread(self._whole, id)
                self._forget_finished()
        return self.keepers[id]

    def _whole(self, id: str) -> Keeper:
        """Reads a table; raises a PolemosError if anything is wrong with it."""
        try:
            return self._read(id)
        except PolemosError:
            raise
        except SQLAlchemyError as error:
            _log.error("Table %s could not be read: %s", id, error)
            raise Unwritten("Polemos can't reach its database. Try again later.") from None
        except Exception:
            _log.exception("Table %s cannot be read", id)
            raise Refusal("The record of this table can no longer be read.") from None

    async def seat_of(self, id: str, token: str | None, account: int | None = None) -> str | None:
        """The seat that a token or an account has at a table; None for spectators. A wrong token is refused."""
        return (await self.place_of(id, token, account))[0]

    async def place_of(self, id: str, token: str | None, account: int | None = None) -> tuple[str | None, int]:
        """The seat, and the number of the person in it."""
        keeper = await self.find(id)
        secret = secret_of(token) if token else None
        for seat, sitter in keeper.table.seats.items():
            if sitter is None:
                continue
            people: list[Sitter | Member] = [sitter, *keeper.table.crews[seat].joined]
            for number, person in enumerate(people):
                if secret is not None and person.secret and hmac.compare_digest(person.secret, secret):
                    return seat, number
                if secret is None and account is not None and person.account == account:
                    return seat, number
        if secret is not None:
            raise NoSuchSeat("This link doesn't belong to a seat at this table.")
        return None, 0

    async def join_crew(self, id: str, link: str, name: str, account: int | None) -> Seated:
        """Adds a person to a seat, through the link shared by someone there."""
        keeper, token = await self.find(id), secrets.token_urlsafe(18)
        links = {seat: keeper.voice.crew_link(seat) or "" for seat in keeper.table.seats}
        given = link.encode(errors="replace")
        seats = [seat for seat, good in links.items() if good and hmac.compare_digest(good.encode(), given)]

        def judge(table: Table) -> list[Act]:
            if not seats or keeper.voice.crew_link(seats[0]) != link:
                raise NoSuchSeat("This link doesn't belong to a seat at this table.")
            crew = table.crews[seats[0]]
            if not crew.roles or len(crew.joined) >= MAX_CREW:
                raise Refusal(f"The seat {seats[0]} is full.")
            return [Joined(seats[0], tidy(name, MAX_NAME) or "guest", secret_of(token), account)]

        await keeper.act(judge)
        return Seated(id, seats[0], token)

    def cards(self, game: str | None = None, status: str | None = None, limit: int = 100) -> list[TableCard]:
        """The public list of tables: those in play first, then the newest."""
        rank = {"playing": 0, "paused": 1, "sealed": 2, "open": 3, "over": 4}
        found: list[tuple[int, float, Keeper | TableCard]] = [
            (rank[keeper.table.status], -keeper.table.created, keeper)
            for keeper in self.keepers.values()
            if keeper.table.wish.listed
            and game in (None, keeper.table.game.name)
            and status in (None, keeper.table.status)
        ]
        found += [
            (rank["over"], -card.created, card)
            for card in self._played.values()
            if card.id not in self.keepers and game in (None, card.game) and status in (None, "over")
        ]
        found.sort(key=lambda one: one[:2])
        return [one if isinstance(one, TableCard) else _card_of(one) for _, _, one in found[:limit]]

    def due(self, account: int) -> list[TableCard]:
        """Tables that are waiting for this account."""
        return [
            audience.card(keeper.table, seat, keeper.voice.watching, keeper.voice.here)
            for keeper in self.keepers.values()
            for seat in keeper.table.seats
            if keeper.table.waits_for_account(seat, account)
        ]

    def sign_out(self, session: str) -> None:
        """Ends all connections of somebody who has signed out."""
        for keeper in self.keepers.values():
            for listener in list(keeper.voice.listeners):
                if listener.session == session:
                    listener.let_go(SIGNED_OUT)

    # ---- running

    async def begin(self) -> None:
        """Reads all unfinished tables and resumes them, as if no time had passed since the last heartbeat."""
        tables = schema.game_tables
        rows = await self.ledger.fetch(select(tables.c.id).where(tables.c.status != "over"))
        last = await self.ledger.fetch(select(schema.beats.c.at))
        for row in rows:
            await self._go_on_with(row["id"])
        if last:
            away = [keeper.was_away(last[0]["at"]) for keeper in self.keepers.values()]
            await asyncio.gather(*away, return_exceptions=True)
        for keeper in list(self.keepers.values()):
            keeper.wake()
        await self._beat()
        self._beating = asyncio.create_task(self._go_on_beating())
        self._reading = asyncio.create_task(self._read_played())

    async def _read_played(self) -> None:
        """Reads the newest finished tables for the lists, one by one in the background."""
        tables = schema.game_tables
        newest = select(tables.c.id).where(tables.c.status == "over", tables.c.listed)
        for row in await self.ledger.fetch(newest.order_by(tables.c.created.desc()).limit(MAX_PLAYED)):
            with suppress(Exception):  # an older edition, a game that is not installed, or damaged: not in the list
                self._remember(await asyncio.to_thread(self._table, row["id"]))

    def _remember(self, table: Table) -> None:
        """Keeps the list entry of a finished table that leaves memory."""
        if table.status != "over" or not table.wish.listed:
            return
        self._played[table.id] = audience.card(table, None)
        if len(self._played) > MAX_PLAYED:
            del self._played[min(self._played, key=lambda id: self._played[id].created)]

    async def _go_on_with(self, id: str) -> None:
        """Resumes one table. If it cannot be read, it stays on disk and the others go on."""
        try:
            await self._load(id)
        except PolemosError as error:
            _log.warning("Table %s cannot be resumed: %s", id, error)

    async def _go_on_beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            await self._beat()
            await self._forget()

    async def _beat(self) -> None:
        with suppress(Exception):  # the next heartbeat may succeed
            await self.ledger.write(delete(schema.beats), insert(schema.beats).values(id=1, at=now()))

    async def _forget(self) -> None:
        """Drops idle tables from memory. They stay on disk, and are read again on demand."""
        time_is = time.monotonic()
        for id, keeper in list(self.keepers.items()):
            patience = IDLE if keeper.table.status == "over" else LONG_IDLE
            if time_is - keeper.touched > patience and keeper.is_idle:
                self._remember(keeper.table)
                del self.keepers[id]
                await keeper.close()

    def _forget_finished(self) -> None:
        """Keeps only the most recently viewed finished tables in memory."""
        finished = [id for id, keeper in self.keepers.items() if keeper.table.status == "over" and keeper.is_idle]
        for id in sorted(finished, key=lambda id: self.keepers[id].touched)[:-MAX_FINISHED]:
            self._remember(self.keepers[id].table)
            del self.keepers[id]

    async def burn(self, id: str) -> None:
        """Deletes a finished table for good, unless someone is watching it."""
        keeper = self.keepers.get(id)
        if keeper is not None and not (keeper.table.status == "over" and keeper.is_idle):
            return
        self.keepers.pop(id, None)
        self._played.pop(id, None)
        parts = (schema.acts, schema.drafts, schema.notes, schema.talk)
        await self.ledger.write(
            *(delete(part).where(part.c.table_id == id) for part in parts),
            delete(schema.game_tables).where(schema.game_tables.c.id == id),
        )

    async def close(self) -> None:
        for task in (self._beating, self._reading):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task
        await asyncio.gather(*(keeper.close() for keeper in self.keepers.values()), return_exceptions=True)
        await self._beat()

    # ---- reading

    def _keeper(self, table: Table, papers: Papers | None = None) -> Keeper:
        programs = self._programs.get(table.game.name, {})
        return Keeper(table, self.ledger, lambda: self._table(table.id), programs, papers, self._sign)

    def _table(self, id: str) -> Table:
        """A table, rebuilt from its acts."""
        tables, acts = schema.game_tables, schema.acts
        rows = self.ledger.read(select(tables).where(tables.c.id == id))
        if not rows:
            raise NoSuchTable(f"There is no table {id!r}.")
        row = rows[0]
        game = _game(row["game"])
        if row["edition"] != game.edition:
            orders = f" Its orders are at /api/tables/{id}/orders.txt." if row["status"] == "over" else ""
            raise OldEdition(
                f"This match was played under edition {row['edition']} of {game.title}, but this server has"
                f" edition {game.edition}.{orders}"
            )
        table = Table(id, game, msgspec.json.decode(row["wish"], type=OpenTable), row["key"], row["created"])
        for act in self.ledger.read(select(acts).where(acts.c.table_id == id).order_by(acts.c.number)):
            table.carry_out(msgspec.json.decode(act["body"], type=Act), act["at"])
        return table

    def _read(self, id: str) -> Keeper:
        table = self._table(id)
        drafts, notes, talk = schema.drafts, schema.notes, schema.talk
        kept_notes: dict[str, dict[str, str]] = {}
        for row in self.ledger.read(select(notes).where(notes.c.table_id == id)):
            kept_notes.setdefault(row["seat"], {})[row["place"]] = row["text"]
        lines = self.ledger.read(
            select(talk).where(talk.c.table_id == id).order_by(talk.c.number.desc()).limit(KEPT_TALK)
        )
        papers = Papers(
            {
                row["seat"]: msgspec.json.decode(row["lines"])
                for row in self.ledger.read(select(drafts).where(drafts.c.table_id == id))
            },
            kept_notes,
            [msgspec.json.decode(row["body"], type=ChatLine) for row in reversed(lines)],
        )
        return self._keeper(table, papers)


def _card_of(keeper: Keeper) -> TableCard:
    return audience.card(keeper.table, None, keeper.voice.watching, keeper.voice.here)


def _game(name: str) -> Any:
    try:
        return shelf.load(name)
    except PolemosError as error:
        raise NoSuchTable(error.why) from None


def _again(sitter: Sitter | None, asks: bool) -> SeatSpec:
    """Who gets a seat in a rematch."""
    if sitter is not None and sitter.kind == "bot":
        return SeatSpec("bot", sitter.player)
    if asks:
        return SeatSpec("person")
    if sitter is None:
        return SeatSpec("open")
    return SeatSpec("program") if sitter.kind == "program" else SeatSpec("kept", sitter.player)


def _first_seats(
    wish: OpenTable, seats: Iterable[str], account: int | None
) -> tuple[list[Act], tuple[str, str] | None]:
    """The seats taken from the start: those of bots and of the person opening the table."""
    acts: list[Act] = []
    seated: tuple[str, str] | None = None
    for seat in seats:
        spec = wish.seats.get(seat, SeatSpec())
        if spec.kind == "bot":
            acts.append(Sat(seat, "bot", spec.bot))
        elif spec.kind == "person" and seated is None:
            token = secrets.token_urlsafe(18)
            seated = (seat, token)
            acts.append(Sat(seat, "person", wish.name or seat, secret_of(token), account))
    return acts, seated


def secret_of(token: str) -> str:
    """The stored hash of a token: enough to recognise it, not enough to recreate it."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
