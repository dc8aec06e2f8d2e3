"""All tables of a server: opening them, finding them, going on with them after a restart."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec
from sqlalchemy import delete, insert, select

from polemos import registry
from polemos.kernel import dice
from polemos.kernel.errors import PolemosError
from polemos.kernel.match import Match
from polemos.server.store import schema
from polemos.server.store.ledger import Ledger
from polemos.server.tables import audience
from polemos.server.tables.acts import Act, Sat
from polemos.server.tables.keeper import Keeper
from polemos.server.tables.table import Refusal, Table, check_wish
from polemos.wire.table import ChatLine, Kind, OpenTable, Seated, SeatSpec, TableCard

BEAT: Final = 1.0  # seconds between two signs of life on disk
IDLE: Final = 600.0  # seconds after which a finished table that nobody looks at is forgotten
MOST_TABLES: Final = 5000  # unfinished ones
MOST_NAME: Final = 40


class NoSuchTable(PolemosError):
    word = "table/unknown"


class Hall:
    """The tables of a server. Unfinished ones are all in memory; finished ones are read when somebody asks."""

    def __init__(self, ledger: Ledger, programs: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self.ledger = ledger
        self.keepers: dict[str, Keeper] = {}
        self._programs = {game: dict(of) for game, of in (programs or {}).items()}
        self._beating: asyncio.Task[None] | None = None
        self._loading = asyncio.Lock()

    # ---- opening

    async def open(self, wish: OpenTable, account: int | None = None, name: str = "") -> Seated:
        """A new table; whoever opens it gets the first seat that is meant for a person."""
        game = _game(wish.game)
        if sum(keeper.table.status != "over" for keeper in self.keepers.values()) >= MOST_TABLES:
            raise Refusal(f"{MOST_TABLES} tables are open, which is all that this server has room for.")
        wish = msgspec.structs.replace(wish, title=_tidy(wish.title, 60), name=_tidy(wish.name or name, MOST_NAME))
        trial = Match(game, wish.options)
        wish = msgspec.structs.replace(wish, options=trial.options)  # maps and tables in full
        seats = trial.seats
        check_wish(self._with_programs(game), wish, seats)
        table = Table(secrets.token_hex(6), game, wish, dice.new_key(), time.time())
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
        await self.ledger.write(insert(schema.game_tables).values(row))
        keeper = self._keep(table)
        acts, seated = _first_seats(wish, seats, account)
        if acts:
            await keeper.act(lambda _: acts)
        return Seated(table.id, seated[0], seated[1]) if seated else Seated(table.id, None, None)

    async def take(self, id: str, seat: str, name: str, account: int | None) -> Seated:
        """A seat that is still free."""
        keeper, token = await self.find(id), secrets.token_urlsafe(18)

        def judge(table: Table) -> list[Act]:
            if seat not in table.seats:
                raise Refusal(f"There is no seat {seat[:20]!r} here. Seats: {', '.join(table.seats)}.")
            if table.seats[seat] is not None:
                raise Refusal(f"The seat {seat} is taken.")
            spec = table.wish.seats.get(seat, SeatSpec())
            kind: Kind = "program" if spec.kind == "program" else "person"
            return [Sat(seat, kind, _tidy(name, MOST_NAME) or seat, secret_of(token), account)]

        await keeper.act(judge)
        return Seated(id, seat, token)

    async def rematch(self, keeper: Keeper, seat: str) -> Seated:
        """The same wish once more; whoever asks for it keeps the seat, other people find the link at the old table."""
        table = keeper.table
        if "rematch" not in table.may(seat):
            raise Refusal("There is no rematch to open now.")
        seats = {
            name: SeatSpec("bot", sitter.player)
            if sitter is not None and sitter.kind == "bot"
            else SeatSpec("person" if name == seat else "open")
            for name, sitter in table.seats.items()
        }
        sitter = table.seats[seat]
        assert sitter is not None
        wish = msgspec.structs.replace(table.wish, seats=seats, name=sitter.player)
        seated = await self.open(wish, sitter.account)
        await keeper.goes_on_at(seated.table)
        return seated

    def _with_programs(self, game: Any) -> Any:
        """The game with the bots of this server beside ours, for checking a wish."""
        return _Offer(game.title, (*game.bots, *self._programs.get(game.name, {})))

    def bots_of(self, game: Any) -> tuple[str, ...]:
        return (*game.bots, *self._programs.get(game.name, {}))

    # ---- finding

    async def find(self, id: str) -> Keeper:
        if id in self.keepers:
            return self.keepers[id]
        async with self._loading:
            if id not in self.keepers:
                await asyncio.to_thread(self._read, id)
        return self.keepers[id]

    async def seat_of(self, id: str, token: str | None, account: int | None = None) -> str | None:
        """The seat that a token or an account has at a table; None watches. A wrong token is refused."""
        keeper = await self.find(id)
        if token:
            secret = secret_of(token)
            for seat, sitter in keeper.table.seats.items():
                if sitter is not None and sitter.secret and hmac.compare_digest(sitter.secret, secret):
                    return seat
            raise Refusal("This link belongs to no seat of this table.")
        if account is not None:
            for seat, sitter in keeper.table.seats.items():
                if sitter is not None and sitter.account == account:
                    return seat
        return None

    def cards(self, game: str | None = None, status: str | None = None, most: int = 100) -> list[TableCard]:
        """What lists show to everybody: listed tables, those that play first, the newest first."""
        rank = {"playing": 0, "paused": 1, "open": 2, "over": 3}
        found = [
            keeper
            for keeper in self.keepers.values()
            if keeper.table.wish.listed
            and game in (None, keeper.table.game.name)
            and status in (None, keeper.table.status)
        ]
        found.sort(key=lambda keeper: (rank[keeper.table.status], -keeper.table.created))
        return [audience.card(keeper.table, None, keeper.watching, keeper.here) for keeper in found[:most]]

    def due(self, account: int) -> list[TableCard]:
        """Tables that wait for this account."""
        return [
            audience.card(keeper.table, seat, keeper.watching, keeper.here)
            for keeper in self.keepers.values()
            for seat, sitter in keeper.table.seats.items()
            if sitter is not None and sitter.account == account and keeper.table.is_due(seat)
        ]

    # ---- going on

    async def begin(self) -> None:
        """Reads all unfinished tables, and goes on with them as if no time had passed since the last sign of life."""
        tables = schema.game_tables
        rows = await self.ledger.fetch(select(tables.c.id).where(tables.c.status != "over"))
        last = await self.ledger.fetch(select(schema.beats.c.at))
        for row in rows:
            with suppress(PolemosError):  # a table of another edition stays on disk, and is refused when asked for
                await self.find(row["id"])
        for keeper in list(self.keepers.values()):
            if last:
                await keeper.was_away(last[0]["at"])
            keeper.wake()
        await self._beat()
        self._beating = asyncio.create_task(self._go_on_beating())

    async def _go_on_beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            await self._beat()
            self._forget()

    async def _beat(self) -> None:
        with suppress(Exception):  # the next one may succeed
            await self.ledger.write(delete(schema.beats), insert(schema.beats).values(id=1, at=time.time()))

    def _forget(self) -> None:
        now = time.monotonic()
        for id, keeper in list(self.keepers.items()):
            if keeper.table.status == "over" and not keeper.listeners and now - keeper.touched > IDLE:
                del self.keepers[id]

    async def close(self) -> None:
        if self._beating is not None:
            self._beating.cancel()
            with suppress(asyncio.CancelledError):
                await self._beating
        await asyncio.gather(*(keeper.close() for keeper in self.keepers.values()), return_exceptions=True)
        await self._beat()

    # ---- reading

    def _keep(self, table: Table, **kept: Any) -> Keeper:
        programs = self._programs.get(table.game.name, {})
        keeper = Keeper(table, self.ledger, lambda: self._table(table.id), programs, **kept)
        self.keepers[table.id] = keeper
        return keeper

    def _table(self, id: str) -> Table:
        """A table, made of its acts."""
        tables, acts = schema.game_tables, schema.acts
        rows = self.ledger.read(select(tables).where(tables.c.id == id[:24]))
        if not rows:
            raise NoSuchTable(f"There is no table {id[:24]!r}.")
        row = rows[0]
        game = _game(row["game"])
        if row["edition"] != game.edition:
            raise Refusal(
                f"This match was played under edition {row['edition']} of {game.title}; here is {game.edition}."
            )
        table = Table(id, game, msgspec.json.decode(row["wish"], type=OpenTable), row["key"], row["created"])
        for act in self.ledger.read(select(acts).where(acts.c.table_id == id).order_by(acts.c.number)):
            table.carry_out(msgspec.json.decode(act["body"], type=Act), act["at"])
        return table

    def _read(self, id: str) -> None:
        table = self._table(id)
        drafts, notes, talk = schema.drafts, schema.notes, schema.talk
        kept_notes: dict[str, dict[str, str]] = {}
        for row in self.ledger.read(select(notes).where(notes.c.table_id == id)):
            kept_notes.setdefault(row["seat"], {})[row["place"]] = row["text"]
        self._keep(
            table,
            drafts={
                row["seat"]: msgspec.json.decode(row["lines"])
                for row in self.ledger.read(select(drafts).where(drafts.c.table_id == id))
            },
            notes=kept_notes,
            talk=[
                msgspec.json.decode(row["body"], type=ChatLine)
                for row in self.ledger.read(select(talk).where(talk.c.table_id == id).order_by(talk.c.number))
            ],
        )


class _Offer:
    def __init__(self, title: str, bots: tuple[str, ...]) -> None:
        self.title, self.bots = title, bots


def _game(name: str) -> Any:
    try:
        return registry.load(name)
    except PolemosError as error:
        raise NoSuchTable(error.why) from None


def _first_seats(
    wish: OpenTable, seats: Iterable[str], account: int | None
) -> tuple[list[Act], tuple[str, str] | None]:
    """Who sits at once: bots, and whoever opens the table."""
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
    """What is kept of a token: enough to know it again, not enough to make it."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _tidy(text: str, most: int) -> str:
    """Text of people without what a screen does not show."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:most]
