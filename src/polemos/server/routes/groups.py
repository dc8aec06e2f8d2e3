"""Groups as requests: a class, a club or a competition, its members, its dates and its tournaments.

Who may see and do what is said in `polemos.ladder.group_rules`.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, TypeVar

from litestar import Request, Response, Router, get, post
from litestar.params import FromPath, JSONBody
from sqlalchemy import Connection, select

from polemos.ladder import group_pages, groups, tournaments
from polemos.ladder.clock import writing
from polemos.ladder.group_pages import TableName
from polemos.ladder.group_rules import Group, GroupRefusal, NoSuchGroup, check_dates, role_of, sees_inside
from polemos.server.accounts import Account
from polemos.server.routes.common import Forbidden, account, guard_change, hall, limit
from polemos.server.routes.ladder import sheet
from polemos.server.store.schema import accounts as people
from polemos.server.words import tidy
from polemos.wire.groups import (
    AnnounceToGroup,
    Appoint,
    CloseGroup,
    EnterBot,
    GiveTime,
    GroupAct,
    GroupCard,
    GroupLadder,
    GroupPage,
    LeaveGroup,
    LetIn,
    LockNow,
    NewGroup,
    NewInvite,
    OrganiserAct,
    PassOn,
    Remind,
    RemoveMember,
    RenameGroup,
    SetDates,
    SetEntrance,
    SetFinal,
    StartFinal,
    StopFinal,
    TournamentPage,
    WithdrawBot,
)

T = TypeVar("T")
FRESH: Final = 3.0  # seconds for which a tournament is not read again, however many look at it
OVER: Final = 600.0  # the same for one that does not change any more
MAX_KEPT: Final = 20
_NAME: Final = re.compile(r"[\w-]{1,24}", re.ASCII)


async def reading(request: Request[Any, Any, Any], what: Callable[[Connection], T]) -> T:
    """Reads from the database in a thread."""

    def go() -> T:
        with hall(request).ledger.engine.connect() as connection:
            return what(connection)

    return await asyncio.to_thread(go)


async def changing(request: Request[Any, Any, Any], what: Callable[[Connection], T]) -> T:
    """Changes the database in a thread, in one transaction."""

    def go() -> T:
        with writing(hall(request).ledger.engine) as connection:
            return what(connection)

    return await asyncio.to_thread(go)


async def signed_in(request: Request[Any, Any, Any]) -> Account:
    who = await account(request)
    if who is None:
        raise Forbidden("Sign in first.")
    return who


@get("/groups", summary="The groups that you run, are in, or have asked to join")
async def mine(request: Request[Any, Any, Any]) -> list[GroupCard]:
    who = await account(request)
    return [] if who is None else await reading(request, lambda connection: group_pages.listed(connection, who.id))


@post("/groups", summary="Create a group and run it", status_code=201)
async def create(request: Request[Any, Any, Any], data: JSONBody[NewGroup]) -> GroupPage:
    guard_change(request)
    who = await signed_in(request)
    limit(request, "groups")
    name = _name(data.name)

    def do(connection: Connection) -> GroupPage:
        id = groups.create(connection, who.id, name, data.kind, data.ladder)
        return group_pages.page(connection, groups.find(connection, id), who.id)

    return await changing(request, do)


def _name(said: str) -> str:
    name = tidy(said, 60)
    if len(name) < 2:
        raise GroupRefusal("Give the group a name of at least two letters.")
    return name


@get("/groups/ladders", summary="The public ladders whose rules a group can play by")
async def kinds(request: Request[Any, Any, Any]) -> list[GroupLadder]:
    return await reading(request, group_pages.public)


@get("/groups/{id:str}", summary="A group, as far as you may see it")
async def page(request: Request[Any, Any, Any], id: FromPath[str]) -> GroupPage:
    who = await account(request)
    return await reading(
        request, lambda connection: group_pages.page(connection, groups.find(connection, _plain(id)), _id(who))
    )


@get("/invitations/{token:str}", summary="The group that an invitation link leads to")
async def invitation(request: Request[Any, Any, Any], token: FromPath[str]) -> GroupPage:
    who = await account(request)
    return await reading(
        request, lambda connection: group_pages.page(connection, groups.by_invite(connection, _plain(token)), _id(who))
    )


@post("/invitations/{token:str}", summary="Join the group of an invitation link, or ask to", status_code=200)
async def accept(request: Request[Any, Any, Any], token: FromPath[str]) -> GroupPage:
    return await _join(request, lambda connection: groups.by_invite(connection, _plain(token)), _plain(token))


@post("/groups/{id:str}/ask", summary="Ask to join a group", status_code=200)
async def ask(request: Request[Any, Any, Any], id: FromPath[str]) -> GroupPage:
    return await _join(request, lambda connection: groups.find(connection, _plain(id)), None)


async def _join(request: Request[Any, Any, Any], find: Callable[[Connection], Group], token: str | None) -> GroupPage:
    guard_change(request)
    who = await signed_in(request)
    limit(request, "groups")

    def do(connection: Connection) -> GroupPage:
        group = find(connection)
        groups.join(connection, group.id, who.id, token)
        return group_pages.page(connection, groups.find(connection, group.id), who.id)

    return await changing(request, do)


@post("/groups/{id:str}/acts", summary="Do something in a group", status_code=200)
async def act(request: Request[Any, Any, Any], id: FromPath[str], data: JSONBody[GroupAct]) -> GroupPage:
    guard_change(request)
    who = await signed_in(request)
    limit(request, "groups")

    def do(connection: Connection) -> GroupPage:
        group = groups.held(connection, _plain(id))
        role = role_of(group, who.id, groups.member_of(connection, group.id, who.id))
        match data:
            case EnterBot():
                groups.enter(connection, group.id, who.id, data.bot)
            case WithdrawBot():
                groups.withdraw(connection, group.id, who.id)
            case LeaveGroup():
                groups.remove(connection, group.id, who.id)
            case _:
                if role != "organiser":
                    raise (
                        NoSuchGroup("There is no such group.")
                        if role == "stranger"
                        else Forbidden("Only the organiser can do that.")
                    )
                if isinstance(data, CloseGroup | Appoint | PassOn) and who.id != group.organiser:
                    raise Forbidden(f"Only {groups.organiser_of(connection, group.id)[1]} can do that.")
                if group.closed:
                    raise GroupRefusal("This group is closed.")
                _organise(connection, group, data)
        return group_pages.page(connection, groups.find(connection, group.id), who.id)

    return await changing(request, do)


def _organise(connection: Connection, group: Group, act: OrganiserAct) -> None:
    match act:
        case LetIn():
            groups.admit(connection, group.id, _called(connection, act.who))
        case RemoveMember():
            groups.remove(connection, group.id, _called(connection, act.who))
        case NewInvite():
            groups.change(connection, group.id, invite=groups.new_invite())
        case SetEntrance():
            groups.change(connection, group.id, asks=act.asks, logs=act.logs)
        case SetDates():
            groups.set_dates(connection, group.id, sign_up=act.sign_up, lock_at=act.lock_at)
        case GiveTime():
            groups.set_extra(connection, group.id, _called(connection, act.who), act.seconds)
        case LockNow():
            groups.lock_now(connection, group.id)
        case SetFinal():
            check_dates(group.sign_up, group.lock_at, act.starts)
            # A knock-out has as many as it needs; the form may still hold those of another system, out of sight.
            rounds = None if act.system == "knock-out" else act.rounds
            values = {"system": act.system, "rounds": rounds, "games": act.games, "maps": act.maps}
            groups.change(connection, group.id, starts=act.starts, **values)
        case StartFinal():
            tournaments.begin(connection, group.id)
        case AnnounceToGroup():
            text = tidy(act.text, 1000)
            if not text:
                raise GroupRefusal("There is nothing to announce.")
            groups.announce(connection, group.id, text)
        case RenameGroup():
            groups.change(connection, group.id, name=_name(act.name))
        case CloseGroup():
            groups.close(connection, group.id)
        case Appoint():
            groups.appoint(connection, group.id, _called(connection, act.who), runs=act.runs)
        case PassOn():
            groups.pass_on(connection, group.id, _called(connection, act.who))
        case StopFinal():
            if not tournaments.stop(connection, group.id):
                raise GroupRefusal("No tournament of this group is being played.")
        case Remind():
            groups.remind(connection, group.id, None if act.who is None else _called(connection, act.who))


def _called(connection: Connection, name: str) -> int:
    found = connection.execute(select(people.c.id).where(people.c.name == tidy(name, 80))).scalar()
    if found is None:
        raise GroupRefusal("There is nobody of that name.")
    return int(found)


# ---- tournaments


class _Kept:
    """Tournaments as they were a moment ago: many people look at the same one, and working it out takes a while."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, int, str], tuple[float, Any]] = OrderedDict()

    def get(self, key: tuple[str, str, int, str], seconds: float, make: Callable[[], T]) -> T:
        until, found = self._kept.get(key, (0.0, None))
        if time.monotonic() < until and found is not None:
            return found  # type: ignore[no-any-return]
        found = make()
        self._kept[key] = (time.monotonic() + seconds, found)
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return found


_kept = _Kept()


@get("/groups/{id:str}/tournaments/{number:int}", summary="A tournament of a group")
async def tournament(request: Request[Any, Any, Any], id: FromPath[str], number: FromPath[int]) -> TournamentPage:
    return await _seen(request, id, number, "page", group_pages.tournament)


@get("/groups/{id:str}/tournaments/{number:int}/{table:str}", summary="The results of a tournament as CSV")
async def results(
    request: Request[Any, Any, Any], id: FromPath[str], number: FromPath[int], table: FromPath[str]
) -> Response[str]:
    name, _, kind = table.rpartition(".")
    if kind != "csv" or name not in tournaments.TABLES:
        raise NoSuchGroup(f"There is no such table. There are {', '.join(f'{one}.csv' for one in tournaments.TABLES)}.")
    chosen: TableName = name  # type: ignore[assignment]

    def make(connection: Connection, group: Group, of: int) -> str:
        return group_pages.table_of(connection, group, of, chosen)

    text = await _seen(request, id, number, chosen, make)
    return sheet(chosen, text)


async def _seen(
    request: Request[Any, Any, Any], id: str, number: int, what: str, make: Callable[[Connection, Group, int], T]
) -> T:
    """Something about a tournament, for members and the organiser alone."""
    who = await account(request)
    limit(request, "records")

    def look(connection: Connection) -> T:
        group = groups.find(connection, _plain(id))
        if not sees_inside(role_of(group, _id(who), groups.member_of(connection, group.id, _id(who)))):
            raise NoSuchGroup("There is no such group, or you are not a member.")
        key = (request.app.state.settings.url, group.id, number, what)
        over = tournaments.is_over(connection, group.id, number)
        return _kept.get(key, OVER if over else FRESH, lambda: make(connection, group, number))

    return await reading(request, look)


@get("/groups/{id:str}/ladder.csv", summary="The ladder of a group as CSV")
async def ladder(request: Request[Any, Any, Any], id: FromPath[str]) -> Response[str]:
    who = await account(request)

    def look(connection: Connection) -> str:
        shown = group_pages.page(connection, groups.find(connection, _plain(id)), _id(who))
        if shown.inside is None:
            raise NoSuchGroup("There is no such group, or you are not a member.")
        return group_pages.as_csv(shown.inside.bots)

    return sheet("ladder", await reading(request, look))


def _plain(text: str) -> str:
    """A name in an address, if it can be one of ours; otherwise one that leads nowhere."""
    return text if _NAME.fullmatch(text) else ""


def _id(who: Account | None) -> int | None:
    return None if who is None else who.id


router = Router(
    "/api",
    route_handlers=[mine, create, kinds, page, invitation, accept, ask, act, tournament, results, ladder],
    tags=["groups"],
)
