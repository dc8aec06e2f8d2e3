"""All tables of a server: opening them, finding them, resuming them after a restart."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
from sqlalchemy import delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from polemos.kernel import dice
from polemos.kernel.errors import PolemosError
from polemos.kernel.match import Match
from polemos.kernel.playing import require_no_umpire
from polemos.kernel.rooms import bots_of, champion_of, levels_of
from polemos.kernel.verdict import Verdict
from polemos.server import shelf
from polemos.server.cluster.membership import Membership
from polemos.server.metrics import TAKEN_OVER
from polemos.server.store import leases, schema
from polemos.server.store.leases import Elsewhere, Pen, Taken
from polemos.server.store.ledger import Fence, Ledger, Moved, Unwritten
from polemos.server.tables import audience, rated, snapshots, standings
from polemos.server.tables.acts import Act, Dropped, Joined, Sat
from polemos.server.tables.clocks import now
from polemos.server.tables.crews import Member
from polemos.server.tables.keeper import Keeper
from polemos.server.tables.listeners import SIGNED_OUT, Listener
from polemos.server.tables.papers import KEPT_TALK, Papers
from polemos.server.tables.standings import Standing, is_alone
from polemos.server.tables.table import Refusal, Sitter, Table, check_wish
from polemos.server.tables.versions import Versions, is_version
from polemos.server.thinking import Thinkers
from polemos.server.words import tidy
from polemos.server.work import OURSELVES, Visitor, Work
from polemos.wire.table import ChatLine, Kind, OpenTable, Seated, SeatSpec, TableCard

BEAT: Final = 1.0  # seconds between heartbeats written to disk
IDLE: Final = 600.0  # seconds until a finished table that nobody watches is dropped from memory
LONG_IDLE: Final = 3600.0  # the same for a table without a clock that waits for someone who has left
EXPIRY: Final = 7 * 86400.0  # seconds until a table of bots alone that nobody has asked for is deleted
SNAPSHOT: Final = 300  # acts after which a table is worth a new snapshot
STOPPING: Final = 5.0  # seconds for writing how tables stand, before a stop
MAX_TABLES: Final = 5000  # unfinished tables
MAX_OWN: Final = 100  # of one visitor
MAX_OWN_ALONE: Final = 5  # of one visitor, where only bots play
MAX_FINISHED: Final = 100  # in memory
MAX_PLAYED: Final = 40  # finished tables that lists show even if they are no longer in memory
MAX_PROGRAMS: Final = 32  # seats with programs at unfinished tables
MAX_CREW: Final = 12  # people in a seat besides the first
MAX_NAME: Final = 40
RANK: Final = {"playing": 0, "paused": 1, "sealed": 2, "open": 3, "over": 4}  # of tables in lists
MANY_ASLEEP: Final = 200  # sleeping tables of a dead process to list at once
ADOPTED: Final = 20  # tables of a dead process to take over at once; the rest may be for others

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
    """The tables of a server. Those where something happens are in memory; all others are read on demand."""

    def __init__(
        self,
        ledger: Ledger,
        programs: Mapping[str, Mapping[str, str]] | None = None,
        sign: Callable[[str], str] | None = None,
        work: Work | None = None,
        thinkers: Thinkers | None = None,
        times: float = 1.0,
        member: Membership | None = None,
        versions: Versions | None = None,
    ) -> None:
        """`times` multiplies the quotas of visitors."""
        self._versions = versions  # of the ladder, which people can play
        self.ledger = ledger
        self.work, self.thinkers = work or Work(), thinkers or Thinkers()
        self._times = times
        self.member = member  # this process among several; None if it is the only one
        # Takes a seat at a table that another process owns.
        self.take_elsewhere: Callable[[Elsewhere, str, str, str, int | None], Awaitable[Seated]] | None = None
        self._sign = sign  # derives a secret from a text that only this server can compute
        self.keepers: dict[str, Keeper] = {}
        self.stopping = False  # nobody new can join
        self._programs = {game: dict(of) for game, of in (programs or {}).items()}
        self._beating: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._played: dict[str, TableCard] = {}  # finished tables that are not in memory
        self.asleep: dict[str, Standing] = {}  # unfinished ones that are not, because nothing happens there
        self._waking: dict[str, Standing] = {}  # unfinished ones that are to be resumed
        self._away: dict[str, float] = {}  # since when nobody alive has had them
        self.resumed = asyncio.Event()  # when those from before the restart are
        self._resuming: asyncio.Task[None] | None = None
        self._tidying: asyncio.Task[None] | None = None
        self._loads: dict[str, asyncio.Task[Keeper]] = {}
        self._adopting = False
        self._taking: set[asyncio.Task[list[Taken]]] = set()  # tables of dead processes
        self._burning: set[str] = set()  # tables that are being deleted
        self._leaving: set[asyncio.Task[None]] = set()

    # ---- opening

    async def open(self, wish: OpenTable, account: int | None = None, owner: str = "") -> Seated:
        """Opens a new table; the person opening it gets the first seat for a person. `owner` stands for them."""
        known = await self._known_versions(wish)
        keeper, row, acts, seated = self._draw_up(wish, account, owner, known, again=False)
        await keeper.begin(row, acts)
        self._keep(keeper)
        return seated

    def _draw_up(
        self, wish: OpenTable, account: int | None, owner: str, versions: Sequence[str] = (), *, again: bool
    ) -> tuple[Keeper, dict[str, Any], list[Act], Seated]:
        """A new table, not yet on disk: its keeper, its row, its first acts, and the seat of the person opening it."""
        game = _game(wish.game)
        wish = msgspec.structs.replace(wish, title=tidy(wish.title, 60), name=tidy(wish.name, MAX_NAME))
        trial = Match(game, wish.options)
        require_no_umpire(game, trial.state)  # a table has no umpire to make calls
        rated.check_wish(game, wish, {} if again else wish.options, account)
        wish = msgspec.structs.replace(wish, options=trial.options)  # including full maps and tables
        check_wish(game, (*self.bots_of(game), *versions), wish, trial.seats, again)
        self._check_room(wish, owner)
        key = dice.derive("introduction", game.name) if wish.lesson else dice.new_key()
        table = Table(secrets.token_hex(6), game, wish, key, now())
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
        fence = None if self.member is None else Fence(table.id, self.member.id, leases.FIRST)
        return self._keeper(table, fence, owner), row, acts, Seated(table.id, *(seated or (None, None)))

    def _check_room(self, wish: OpenTable, owner: str) -> None:
        playing = [keeper.table for keeper in self.keepers.values() if keeper.table.status != "over"]
        elsewhere = [*self.asleep.values(), *self._waking.values()]
        if owner:
            self._check_quotas(wish, owner, elsewhere)
        if len(playing) + len(elsewhere) >= MAX_TABLES:
            raise Refusal(f"This server is full: {MAX_TABLES} tables are open. Try again later.")
        programs = sum(self._programs_at(table.wish) for table in playing)
        if self._programs_at(wish) and programs + self._programs_at(wish) > MAX_PROGRAMS:
            raise Refusal(
                f"This server is full: {programs} programs are playing. Try again later, or choose one of our bots."
            )

    def _check_quotas(self, wish: OpenTable, owner: str, elsewhere: Iterable[Standing]) -> None:
        """Limits the unfinished tables of one visitor, and much more those that play on by themselves."""
        mine = [standing.alone for standing in elsewhere if standing.owner == owner]
        mine += [
            is_alone(keeper.table)
            for keeper in self.keepers.values()
            if keeper.owner == owner and keeper.table.status != "over"
        ]
        if len(mine) >= MAX_OWN * self._times:
            raise Refusal(f"You have {len(mine)} unfinished tables here. Finish or leave some of them first.")
        alone = bool(wish.seats) and all(spec.kind == "bot" for spec in wish.seats.values())
        if alone and sum(mine) >= MAX_OWN_ALONE * self._times:
            raise Refusal(f"You have {sum(mine)} tables where only bots play. Wait until one of them is over.")

    def _programs_at(self, wish: OpenTable) -> int:
        offered = self._programs.get(wish.game, {})
        bots = [spec.bot for spec in wish.seats.values() if spec.kind == "bot"]
        return sum(bot in offered or is_version(bot) for bot in bots)

    async def _known_versions(self, wish: OpenTable) -> list[str]:
        """The versions of the ladder among the bots of a table that can play there."""
        names = [spec.bot for spec in wish.seats.values() if spec.kind == "bot" and is_version(spec.bot)]
        if not names or self._versions is None:
            return []
        return await asyncio.to_thread(self._versions.known, wish.game, names)

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
            rated.check_player(table, account)
            spec = table.wish.seats.get(seat, SeatSpec())
            kind: Kind = "program" if spec.kind == "program" else "person"
            return [Sat(seat, kind, tidy(name, MAX_NAME) or seat, secret_of(token), account)]

        await keeper.act(judge)
        return Seated(id, seat, token)

    async def rematch(self, keeper: Keeper, seat: str, member: int = 0, owner: str = "") -> Seated:
        """Opens the same table again, with everyone one seat further: of two players, each gets the other's colour.

        The first player to ask opens it; the seats of the others are kept for them.
        If several people share a seat, the first to ask gets it, under their own name.
        """
        async with keeper.rematching:  # in case two ask at once
            table = keeper.table
            sitter = table.seats.get(seat)
            if sitter is None or "rematch" not in table.may(seat):
                raise Refusal("You can't open a rematch now.")
            name = table.name_of(seat, member)
            account = table.crews[seat].joined[member - 1].account if member else sitter.account
            then = dict(zip(table.seats, [*list(table.seats)[1:], *list(table.seats)[:1]], strict=True))
            if table.next is not None:
                return await self._take_again(table.next, (then[seat], seat), name, account)
            if sitter.kind == "program":
                raise Refusal("A program can't open a rematch. Wait for a person to open it, then take a seat there.")
            again = {then[at]: _again(other, at == seat) for at, other in table.seats.items()}
            seats = {at: again[at] for at in table.seats}
            wish = msgspec.structs.replace(table.wish, seats=seats, name=name)
            known = await self._known_versions(wish)
            made, row, acts, seated = self._draw_up(wish, account, owner, known, again=True)
            await keeper.goes_on_at(seated.table, made.draw_up(row, acts))
            made.begun()
            self._keep(made)
        return seated

    async def dismiss(self, keeper: Keeper, seat: str) -> None:
        """Gives up a game against bots, so that it no longer waits for anybody. People would be left in the lurch."""

        def judge(table: Table) -> list[Act]:
            if table.status == "over" or table.is_out(seat):
                return []
            if any(other != seat and (sitter is None or sitter.kind != "bot") for other, sitter in table.seats.items()):
                raise Refusal("You can only dismiss games against bots. Go to the table to resign or to leave it.")
            return [Dropped(seat, str(Verdict("resigned")))]

        await keeper.act(judge)

    async def _take_again(self, id: str, seats: tuple[str, str], name: str, account: int | None) -> Seated:
        """Takes a seat in a rematch, which may have moved to another process since.

        An older version left everyone in their seats: the second seat counts where it is the one that was kept.
        """
        seat, old = seats
        try:
            kept = (await self.find(id)).table.kept_for(old, now())
            return await self.take(id, old if kept == name else seat, name, account, again=True)
        except Elsewhere as owner:
            if self.take_elsewhere is None:
                raise
            return await self.take_elsewhere(owner, id, seat, name, account)

    def bots_of(self, game: Any) -> tuple[str, ...]:
        """From the simplest up: the levels for people come after the first one, which usually plays at random."""
        first, *others = bots_of(game)
        return (first, *levels_of(game), *others, *champion_of(game), *self._programs.get(game.name, {}))

    # ---- finding

    async def find(self, id: str, by: Visitor = OURSELVES) -> Keeper:
        """The keeper of a table. If it has to be read, `by` pays for that."""
        keeper = self.keepers[id] if self.holds(id) else await self._load(id, by)
        keeper.touch()
        return keeper

    def holds(self, id: str) -> bool:
        """Whether a table is in memory and ours. It is not if it was under a name of ours that was declared dead."""
        keeper = self.keepers.get(id)
        return keeper is not None and self._is_ours(keeper.pen.fence)

    def _is_ours(self, fence: Fence | None) -> bool:
        return fence is None or self.member is None or fence.owner == self.member.id

    def _keep(self, keeper: Keeper) -> None:
        """Keeps a table in memory, unless it has ceased to be ours while it was written or read."""
        self.keepers[keeper.table.id] = keeper
        if keeper.pen.fence is not None and not self._is_ours(keeper.pen.fence):
            self.lose(keeper.pen.fence)

    async def _load(self, id: str, by: Visitor = OURSELVES) -> Keeper:
        """Reads a table from disk into memory and resumes it, once for all who ask."""
        if _ID.fullmatch(id) is None:
            raise NoSuchTable(f"There is no table {id[:24]!r}.")
        if id not in self._loads:
            self.work.check(by, urgent=True)
            self._loads[id] = task = asyncio.create_task(self._load_once(id, by))
            task.add_done_callback(lambda task: self._loaded(id, task))
        return await asyncio.shield(self._loads[id])

    def _loaded(self, id: str, task: asyncio.Task[Keeper]) -> None:
        self._loads.pop(id, None)
        if not task.cancelled():
            task.exception()  # already raised to those who asked, if they are still there

    async def _load_once(self, id: str, by: Visitor) -> Keeper:
        if self.holds(id):
            self._let_go_of(id)
            return self.keepers[id]
        if id in self.keepers:
            self._lose_keeper(self.keepers[id])
        try:
            taken = await asyncio.to_thread(self._claim, id)
        except (Elsewhere, NoSuchTable):
            self._let_go_of(id)
            raise
        if taken is not None and taken.since is not None:
            self._away[id] = taken.since
            TAKEN_OVER.inc()
        given = id, None if taken is None else taken.fence
        if by == OURSELVES:
            keeper = await asyncio.to_thread(self._whole, *given)
        else:
            keeper = await self.work.read(by, self._whole, *given)
        if id in self._away:  # the time in which nobody alive owned it does not count for clocks
            await self._was_away(keeper, self._away[id])
        self._let_go_of(id)
        self._keep(keeper)
        if not self.holds(id):
            raise Unwritten("Polemos can't reach its database. Try again later.")
        self._forget_finished()
        keeper.wake()
        return keeper

    @staticmethod
    async def _was_away(keeper: Keeper, since: float) -> None:
        try:
            await keeper.was_away(since)
        except Moved:
            raise
        except Exception:  # logged by the keeper; people can go on nevertheless
            return

    def _let_go_of(self, id: str) -> None:
        """Forgets a table that is not in memory."""
        for of in (self._waking, self.asleep, self._away):
            of.pop(id, None)

    def _claim(self, id: str) -> Taken | None:
        """Makes the table ours. Raises Elsewhere if another process owns it. Alone, everything is ours."""
        if id in self._burning:
            raise NoSuchTable(f"There is no table {id!r}.")
        if self.member is None:
            return None
        try:
            taken = leases.take(self.ledger.engine, id, self.member.id)
        except SQLAlchemyError as error:
            _log.error("Table %s could not be claimed: %s", id, error)
            raise Unwritten("Polemos can't reach its database. Try again later.") from None
        if taken is None:
            raise NoSuchTable(f"There is no table {id!r}.")
        return taken

    async def adopt(self) -> None:
        """Takes over the unfinished tables of dead processes, a few at a time."""
        if self.member is None or self._adopting or self.stopping:
            return
        self._adopting = True
        try:
            while found := await self._orphans(MANY_ASLEEP, asleep=True):
                await self._list_asleep([taken.fence.table for taken in found])
            while found := await self._orphans(ADOPTED, asleep=False):
                for taken in found:
                    self._waking[taken.fence.table] = Standing()
                    if taken.since is not None:
                        self._away[taken.fence.table] = taken.since
                await self._go_on_with_all()
        except SQLAlchemyError as error:
            _log.error("Tables of a dead process could not be taken over: %s", error)
        finally:
            self._adopting = False

    async def _orphans(self, most: int, *, asleep: bool) -> list[Taken]:
        """Takes tables of dead processes; none if we stop, but a transaction that has begun is not left alone."""
        if self.member is None or self.stopping:
            return []
        given = self.ledger.engine, self.member.id, most
        taking = asyncio.create_task(asyncio.to_thread(leases.take_orphans, *given, asleep=asleep))
        self._taking.add(taking)
        taking.add_done_callback(self._taking.discard)
        found = await asyncio.shield(taking)
        TAKEN_OVER.inc(len(found))
        return found

    async def _list_asleep(self, ids: Sequence[str]) -> None:
        """Lists tables that are ours now, and that nobody needs in memory yet."""
        for row in await self.ledger.fetch(standings.unfinished(ids)):
            here = row["id"] in self.keepers or row["id"] in self._loads  # somebody has asked for it meanwhile
            if row["edition"] == _edition(row["game"]) and not here:
                self.asleep[row["id"]] = standings.read(row)

    def lose(self, fence: Fence) -> None:
        """Drops a table that has moved to another process."""
        keeper = self.keepers.get(fence.table)
        if keeper is not None and keeper.pen.fence == fence:
            self._lose_keeper(keeper)

    def _lose_keeper(self, keeper: Keeper) -> None:
        id = keeper.table.id
        _log.warning("Table %s has moved to another process.", id)
        del self.keepers[id]
        task = asyncio.get_running_loop().create_task(keeper.abandon())
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    def lose_all(self, owner: str) -> None:
        """Drops everything that we owned under a name."""
        for keeper in list(self.keepers.values()):
            if keeper.pen.fence is not None and keeper.pen.fence.owner == owner:
                self.lose(keeper.pen.fence)
        for id in [*self.asleep, *self._waking]:
            self._let_go_of(id)

    def _whole(self, id: str, fence: Fence | None) -> Keeper:
        """Reads a table; raises a PolemosError if anything is wrong with it."""
        try:
            return self._read(id, fence)
        except PolemosError:
            raise
        except SQLAlchemyError as error:
            _log.error("Table %s could not be read: %s", id, error)
            raise Unwritten("Polemos can't reach its database. Try again later.") from None
        except Exception:
            _log.exception("Table %s cannot be read", id)
            raise Refusal("The record of this table can no longer be read.") from None

    async def seat_of(
        self, id: str, token: str | None, account: int | None = None, by: Visitor = OURSELVES
    ) -> str | None:
        """The seat that a token or an account has at a table; None for spectators. A wrong token is refused."""
        return (await self.place_of(id, token, account, by))[0]

    async def place_of(
        self, id: str, token: str | None, account: int | None = None, by: Visitor = OURSELVES
    ) -> tuple[str | None, int]:
        """The seat, and the number of the person in it."""
        keeper = await self.find(id, by)
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
            rated.check_team(table)
            return [Joined(seats[0], tidy(name, MAX_NAME) or "guest", secret_of(token), account)]

        await keeper.act(judge)
        return Seated(id, seats[0], token)

    def cards(self, game: str | None = None, status: str | None = None, limit: int = 100) -> list[TableCard]:
        """The public list of tables: those in play first, then the newest."""
        found: list[tuple[int, float, Keeper | TableCard]] = [
            (RANK[keeper.table.status], -keeper.table.created, keeper)
            for keeper in self.keepers.values()
            if keeper.table.wish.listed
            and game in (None, keeper.table.game.name)
            and status in (None, keeper.table.status)
        ]
        found += [
            (RANK["over"], -card.created, card)
            for card in self._played.values()
            if card.id not in self.keepers and game in (None, card.game) and status in (None, "over")
        ]
        found += [
            (RANK[card.status], -card.created, card)
            for standing in (*self.asleep.values(), *self._waking.values())
            if (card := standing.card) is not None
            and standing.listed
            and game in (None, card.game)
            and status in (None, card.status)
        ]
        found.sort(key=lambda one: one[:2])
        return [one if isinstance(one, TableCard) else _card_of(one) for _, _, one in found[:limit]]

    def due(self, account: int) -> list[TableCard]:
        """Tables that are waiting for this account."""
        asleep = [
            card
            for standing in (*self.asleep.values(), *self._waking.values())
            for who, card in standing.due
            if who == account
        ]
        return asleep + [
            audience.card(keeper.table, seat, keeper.voice.watching, keeper.voice.here)
            for keeper in self.keepers.values()
            for seat in keeper.table.seats
            if keeper.table.waits_for_account(seat, account)
        ]

    @property
    def sessions(self) -> set[str]:
        """The sessions that connections here were opened with."""
        listeners = (listener for keeper in self.keepers.values() for listener in keeper.voice.listeners)
        return {listener.session for listener in listeners if listener.session is not None}

    def sign_out(self, session: str) -> None:
        """Ends all connections of somebody who has signed out."""
        self._end_those(lambda listener: listener.session == session)

    def sign_out_account(self, account: int) -> None:
        """Ends all connections of an account whose sessions have ended."""
        self._end_those(lambda listener: listener.session is not None and listener.visitor.account == account)

    def _end_those(self, ends: Callable[[Listener], bool]) -> None:
        for keeper in self.keepers.values():
            for listener in list(keeper.voice.listeners):
                if ends(listener):
                    listener.let_go(SIGNED_OUT)

    # ---- running

    async def begin(self) -> None:
        """Lists all unfinished tables, and resumes them in the background, as if no time had passed since the last
        heartbeat. A table that somebody asks for is resumed at once; one where nothing happens, only then."""
        if self.member is None:
            await self._list_unfinished()
            self._resuming = asyncio.create_task(self._resume())
        else:
            self._resuming = asyncio.create_task(self._adopt_first())
        self._reading = asyncio.create_task(self._read_played())

    async def _list_unfinished(self) -> None:
        last = await self.ledger.fetch(select(schema.beats.c.at))
        for row in await self.ledger.fetch(standings.unfinished()):
            asleep = row["asleep"] and row["edition"] == _edition(row["game"])
            (self.asleep if asleep else self._waking)[row["id"]] = standings.read(row)
        if last:
            self._away = dict.fromkeys(self._waking, last[0]["at"])
        if not self._waking:
            await self._beat()
            self.resumed.set()

    async def _resume(self) -> None:
        """Until all tables are resumed, the last heartbeat stays as it is: after another crash, it still counts."""
        await self._go_on_with_all()
        self.resumed.set()
        await self._beat()
        self._beating = asyncio.create_task(self._go_on_beating())
        self._tidying = asyncio.create_task(self._go_on_tidying())

    async def _adopt_first(self) -> None:
        await self.adopt()
        self.resumed.set()
        self._tidying = asyncio.create_task(self._go_on_tidying())

    async def _go_on_with_all(self) -> None:
        """Resumes tables until none is left to resume. Those that somebody asks for go first."""
        while self._waking:
            for id in list(self._waking):
                while self._loads:
                    await asyncio.wait(list(self._loads.values()))
                await self._go_on_with(id)
            if self._waking:
                await asyncio.sleep(BEAT)

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
        except Unwritten:
            pass  # logged; the database may come back
        except PolemosError as error:
            self._let_go_of(id)
            _log.warning("Table %s cannot be resumed: %s", id, error)

    async def _go_on_beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            await self._beat()

    async def _go_on_tidying(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self._forget()
            except Exception as error:
                _log.error("Tables cannot be put away", exc_info=error)

    async def _beat(self) -> None:
        """Not for one of several processes: it renews its lease instead."""
        if self.member is not None:
            return
        with suppress(Exception):  # the next heartbeat may succeed
            await self.ledger.write(delete(schema.beats), insert(schema.beats).values(id=1, at=now()))

    async def _forget(self) -> None:
        """Drops idle tables from memory. They stay on disk, and are read again on demand."""
        time_is = time.monotonic()
        for id, keeper in list(self.keepers.items()):
            patience = IDLE if keeper.table.status == "over" or keeper.is_unwatched else LONG_IDLE
            if time_is - keeper.touched > patience and keeper.is_idle:
                with suppress(PolemosError):  # it stays in memory until it can be written
                    await self._put_away(id, keeper)
        await self._snapshot_one()
        await self._expire()

    async def _put_away(self, id: str, keeper: Keeper) -> None:
        touched, standing = keeper.touched, None
        if keeper.table.status != "over":
            standing = await keeper.keep_standing(self._sign)
            await asyncio.sleep(0)
        if keeper.touched != touched or not keeper.is_idle:
            return
        if standing is not None:
            self.asleep[id] = standing
        self._remember(keeper.table)
        del self.keepers[id]
        await keeper.close()
        if standing is None:  # whoever asks for it next may have it; an unfinished table stays ours, for the lists
            keeper.pen.give_up()

    async def _snapshot_one(self) -> None:
        """Takes a new snapshot of the table that would take longest to rebuild, if that is long."""
        keeper = max(
            (keeper for keeper in self.keepers.values() if keeper.table.status != "over"),
            key=lambda keeper: keeper.table.acts - keeper.kept_acts,
            default=None,
        )
        if keeper is not None and keeper.table.acts - keeper.kept_acts >= SNAPSHOT:
            with suppress(PolemosError):
                await keeper.keep_standing(self._sign)

    async def _expire(self) -> None:
        """Deletes a table of bots alone that nobody has asked for in a long time."""
        too_old = now() - EXPIRY
        for id, standing in list(self.asleep.items()):
            if standing.alone and standing.at < too_old:
                await self.burn(id)
                return  # one at a time

    def _forget_finished(self) -> None:
        """Keeps only the most recently viewed finished tables in memory."""
        finished = [id for id, keeper in self.keepers.items() if keeper.table.status == "over" and keeper.is_idle]
        for id in sorted(finished, key=lambda id: self.keepers[id].touched)[:-MAX_FINISHED]:
            self._remember(self.keepers[id].table)
            self.keepers.pop(id).pen.give_up()

    async def burn(self, id: str) -> None:
        """Deletes a finished or forgotten table for good, unless someone is watching it."""
        if not self._is_unused(id):
            return
        try:
            await asyncio.to_thread(self._claim, id)
        except (Elsewhere, NoSuchTable):
            return
        if not self._is_unused(id):  # somebody has asked for it meanwhile
            return
        self._burning.add(id)
        self.keepers.pop(id, None)
        self._played.pop(id, None)
        self._let_go_of(id)
        parts = (schema.standings, schema.places, schema.acts, schema.drafts, schema.notes, schema.talk, schema.leases)
        try:
            await self.ledger.write(
                *(delete(part).where(part.c.table_id == id) for part in parts),
                delete(schema.game_tables).where(schema.game_tables.c.id == id),
            )
        finally:
            self._burning.discard(id)

    def _is_unused(self, id: str) -> bool:
        keeper = self.keepers.get(id)
        return id not in self._loads and (keeper is None or (keeper.table.status == "over" and keeper.is_idle))

    async def close(self) -> None:
        self.stopping = True
        await asyncio.gather(*self._taking, return_exceptions=True)
        for task in (self._resuming, self._beating, self._tidying, self._reading):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task
        await asyncio.gather(*(keeper.close() for keeper in self.keepers.values()), return_exceptions=True)
        await self._keep_standings()
        if self.resumed.is_set():
            await self._beat()

    async def _keep_standings(self) -> None:
        """Before a stop, writes how tables stand; those for which there is no time are rebuilt from their acts."""
        until = time.monotonic() + STOPPING
        new = [keeper for keeper in self.keepers.values() if keeper.table.status != "over"]
        for keeper in sorted(new, key=lambda keeper: keeper.kept_acts - keeper.table.acts):
            if time.monotonic() > until or keeper.table.acts == keeper.kept_acts:
                break
            with suppress(Exception):
                await keeper.keep_standing(self._sign)

    # ---- reading

    def _keeper(self, table: Table, fence: Fence | None, owner: str = "", papers: Papers | None = None) -> Keeper:
        return Keeper(
            table,
            Pen(self.ledger, fence, None if fence is None else lambda: self.lose(fence)),
            lambda: self._table(table.id),
            self._programs.get(table.game.name, {}),
            papers,
            self._sign,
            self.work,
            self.thinkers,
            owner,
            self._versions,
        )

    def _table(self, id: str) -> Table:
        return self._rebuilt(id)[0]

    def _rebuilt(self, id: str) -> tuple[Table, int]:
        """A table, rebuilt from its acts, and how many of them its snapshot has saved."""
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
        table = self._snapshot(id, game, row["key"]) or Table(
            id, game, msgspec.json.decode(row["wish"], type=OpenTable), row["key"], row["created"]
        )
        kept = table.acts
        after = select(acts).where(acts.c.table_id == id, acts.c.number >= table.acts)
        for act in self.ledger.read(after.order_by(acts.c.number)):
            table.carry_out(msgspec.json.decode(act["body"], type=Act), act["at"])
        return table, kept

    def _snapshot(self, id: str, game: Any, key: str) -> Table | None:
        kept = schema.standings
        rows = self.ledger.read(select(kept.c.body).where(kept.c.table_id == id)) if self._sign is not None else []
        if not rows or rows[0]["body"] is None or self._sign is None:
            return None
        return snapshots.unpacked(bytes(rows[0]["body"]), game, key, self._sign)

    def _read(self, id: str, fence: Fence | None) -> Keeper:
        table, snapshot = self._rebuilt(id)
        kept = schema.standings
        standing = self.ledger.read(select(kept.c.owner, kept.c.asleep).where(kept.c.table_id == id))
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
        keeper = self._keeper(table, fence, standing[0]["owner"] if standing else "", papers)
        keeper.was_asleep(bool(standing) and standing[0]["asleep"], snapshot)
        return keeper


def in_order(cards: Iterable[TableCard]) -> list[TableCard]:
    return sorted(cards, key=lambda card: (RANK[card.status], -card.created))


def _edition(game: str) -> int | None:
    """The edition of a game as it is installed; None if it is not."""
    try:
        edition: int = shelf.load(game).edition
    except PolemosError:
        return None
    return edition


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
