"""Groups in the database: a class, a club or a competition with a ladder of its own.

Every act is one transaction, and starts by locking the row of its group: two processes never decide at once.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, and_, delete, func, insert, select, update
from sqlalchemy.sql import ColumnElement

from polemos.kernel.tame import tame
from polemos.ladder import ladders, leases
from polemos.ladder.clock import now, time_of
from polemos.ladder.group_rules import (
    INSIDE,
    STOPPED,
    Group,
    GroupRefusal,
    Kind,
    Member,
    NoSuchGroup,
    check_dates,
    check_entry,
    deadline,
    group_of,
    joined,
    reads_logs,
    role_of,
    sees_inside,
)
from polemos.ladder.ladders import Map
from polemos.ladder.upsert import put
from polemos.server.store import groups as store
from polemos.server.store import ladder as db
from polemos.server.store.schema import accounts
from polemos.wire.bot import Budget

MAX_OWN: Final = 20  # groups that one person runs; closed ones don't count
MAX_ALL: Final = 1000  # on one server: the engine looks at every ladder every second that is not closed
MAX_MEMBERS: Final = 500
MAX_NEWS: Final = 200
MAX_EXTRA: Final = 60 * ladders.DAY  # seconds
FOREVER: Final = 3650 * ladders.DAY  # the season of a group ends with its tournament, not by itself
_groups: Final = store.groups
_members: Final = store.group_members


# ---- finding


def find(connection: Connection, id: str) -> Group:
    row = connection.execute(select(_groups).where(_groups.c.id == id)).one_or_none()
    if row is None:
        raise NoSuchGroup("There is no such group.")
    return _group(connection, row)


def _group(connection: Connection, row: Any) -> Group:
    """A group is closed if its ladder is."""
    state = connection.execute(select(db.ladders.c.state).where(db.ladders.c.id == row.ladder_id)).scalar_one()
    return group_of(row, closed=state == ladders.CLOSED)


def by_invite(connection: Connection, invite: str) -> Group:
    row = connection.execute(select(_groups).where(_groups.c.invite == invite)).one_or_none()
    if row is None:
        raise NoSuchGroup("This invitation is not valid, or the organiser has replaced it. Ask for the new link.")
    return _group(connection, row)


def held(connection: Connection, id: str) -> Group:
    """The group, whose row nobody else changes until the transaction ends."""
    row = connection.execute(
        update(_groups).where(_groups.c.id == id).values(games=_groups.c.games).returning(*_groups.c)
    ).one_or_none()
    if row is None:
        raise NoSuchGroup("There is no such group.")
    return _group(connection, row)


def member_of(connection: Connection, group: str, account: int | None) -> Member | None:
    row = connection.execute(
        select(_members).where(_members.c.group_id == group, _members.c.account_id == account)
    ).one_or_none()
    return None if row is None else _member(row)


def members(connection: Connection, group: str) -> list[Member]:
    rows = connection.execute(select(_members).where(_members.c.group_id == group, _members.c.state.in_(INSIDE)))
    return [_member(row) for row in rows]


def everyone(connection: Connection, group: Group) -> set[int]:
    """Whoever runs a group or is in it."""
    return {group.organiser, *(one.account for one in members(connection, group.id))}


def _member(row: Any) -> Member:
    return Member(row.account_id, row.state, row.since, row.logs, row.extra)


def reads_log(connection: Connection, ladder: int, author: int | None, reader: int | None) -> bool:
    """Whether somebody may read the log of an author's bot in a game of a ladder, public or of a group."""
    row = connection.execute(select(_groups).where(_groups.c.ladder_id == ladder)).one_or_none()
    if row is None:
        return reader is not None and reader == author
    return reads_logs(_group(connection, row), reader, author, member_of(connection, row.id, author))


def organiser_of(connection: Connection, id: str) -> tuple[int, str]:
    """The account and the name of whoever runs a group."""
    row = connection.execute(
        select(accounts.c.id, accounts.c.name)
        .join_from(_groups, accounts, accounts.c.id == _groups.c.organiser_id)
        .where(_groups.c.id == id)
    ).one()
    return row.id, row.name


def sees(connection: Connection, id: str, account: int | None) -> bool:
    """Whether somebody sees the inside of a group."""
    return sees_inside(role_of(find(connection, id), account, member_of(connection, id, account)))


# ---- a new group


def create(connection: Connection, organiser: int, name: str, kind: Kind, public: int) -> str:
    """A new group, with a ladder that plays as a public one does; returns its name in addresses."""
    if _running(connection, _groups.c.organiser_id == organiser) >= MAX_OWN:
        raise GroupRefusal(f"You can run at most {MAX_OWN} groups. Close one that is over.")
    if _running(connection) >= MAX_ALL:
        raise GroupRefusal("There are too many groups on this server. Ask its operator.")
    of = connection.execute(
        select(db.ladders).where(db.ladders.c.id == public, db.ladders.c.circle == "")
    ).one_or_none()
    if of is None:
        raise GroupRefusal("There is no such ladder on this server.")
    id = secrets.token_hex(6)
    ladder = ladders.open_ladder(
        connection,
        of.game,
        rules=of.rules,
        title=of.title,
        options=msgspec.json.decode(of.options),
        maps=msgspec.json.decode(of.maps, type=tuple[Map, ...]),
        circle=id,
        budget=msgspec.json.decode(of.budget, type=Budget),
        season_seconds=FOREVER,
    )
    row = {
        "id": id,
        "name": name,
        "kind": kind,
        "organiser_id": organiser,
        "ladder_id": ladder,
        "invite": new_invite(),
        "asks": True,
        "logs": "author",
        "created": now(),
        "settled": False,
        "system": "swiss",
        "games": 2 * of.seats,
        "maps": 0,
    }
    connection.execute(insert(_groups).values(row))
    ladders.pause(connection, ladder, paused=True)  # until somebody enters a bot
    return id


def _running(connection: Connection, *which: ColumnElement[bool]) -> int:
    """How many groups there are that are not closed."""
    of = db.ladders
    open_ones = select(func.count()).join_from(_groups, of, of.c.id == _groups.c.ladder_id)
    return int(connection.execute(open_ones.where(of.c.state != ladders.CLOSED, *which)).scalar_one())


def new_invite() -> str:
    return secrets.token_urlsafe(9)


def change(connection: Connection, group: str, **values: Any) -> None:
    connection.execute(update(_groups).where(_groups.c.id == group).values(values))


# ---- members


def join(connection: Connection, id: str, account: int, invite: str | None) -> str:
    """Joins, or asks to. Returns which."""
    group = held(connection, id)
    before = member_of(connection, id, account)
    state = joined(group, account, before, time_of(connection), invited=invite == group.invite)
    if before is not None and before.state == state:
        return state
    count = select(func.count()).where(_members.c.group_id == id, _members.c.state != "removed")
    if connection.execute(count).scalar_one() >= MAX_MEMBERS:
        raise GroupRefusal(f"This group is full: it has {MAX_MEMBERS} members.")
    put(
        connection,
        _members,
        {"group_id": id, "account_id": account},
        {"state": state, "since": now(), "logs": group.logs, "extra": 0.0},
    )
    return state


def admit(connection: Connection, id: str, account: int) -> None:
    """Lets somebody in who has asked to join."""
    held(connection, id)
    asked = connection.execute(
        update(_members)
        .where(_members.c.group_id == id, _members.c.account_id == account, _members.c.state == "asked")
        .values(state="member", since=now())
        .returning(_members.c.account_id)
    ).scalar()
    if asked is not None:
        tell(connection, [account], f"You are now a member of {find(connection, id).name}.")


# ---- who runs it


def appoint(connection: Connection, id: str, account: int, *, runs: bool) -> None:
    """A member helps to run the group from now on, or no more."""
    group = held(connection, id)
    before, after = ("member", "organiser") if runs else ("organiser", "member")
    changed = connection.execute(
        update(_members)
        .where(_members.c.group_id == id, _members.c.account_id == account, _members.c.state == before)
        .values(state=after)
        .returning(_members.c.account_id)
    ).scalar()
    if changed is None:
        raise GroupRefusal(
            "Only a member can become an organiser." if runs else "This person is not a second organiser."
        )
    said = "You now help to run" if runs else "You no longer help to run"
    tell(connection, [account], f"{said} {group.name}.")


def pass_on(connection: Connection, id: str, account: int) -> None:
    """A member becomes the organiser. Whoever was it before helps to run the group, and can leave it."""
    group = held(connection, id)
    if account == group.organiser:
        raise GroupRefusal("You are the organiser.")
    found = member_of(connection, id, account)
    if found is None or not found.is_inside:
        raise GroupRefusal("Only a member can become the organiser.")
    before = member_of(connection, id, group.organiser)
    kept = {} if before is not None and before.is_inside else {"since": now(), "logs": group.logs, "extra": 0.0}
    put(connection, _members, {"group_id": id, "account_id": group.organiser}, {"state": "organiser", **kept})
    _succeed(connection, group, account)


def _succeed(connection: Connection, group: Group, account: int) -> None:
    """Somebody in the group runs it from now on; everyone is told, since that may be who reads their logs."""
    of = _members.c
    connection.execute(update(_members).where(of.group_id == group.id, of.account_id == account).values(state="member"))
    change(connection, group.id, organiser_id=account)
    name = connection.execute(select(accounts.c.name).where(accounts.c.id == account)).scalar_one()
    tell(connection, everyone(connection, group) - {account}, f"{group.name} is now run by {name}.")
    tell(connection, [account], f"You now run {group.name}.")


def close(connection: Connection, id: str) -> None:
    """Ends a group: its ladder pairs no more, nobody joins, everyone is told. Members can read everything."""
    group = held(connection, id)
    if group.closed:
        return
    tell(connection, everyone(connection, group), f"{group.name} is closed. Its results stay on its page.")
    leases.call_off(connection, db.games.c.ladder_id == group.ladder, "its group is closed")
    ladders.close(connection, group.ladder)
    played = store.tournaments
    running = update(played).where(played.c.group_id == id, played.c.state == "playing")
    connection.execute(running.values(state=STOPPED, ended=now()))
    change(connection, id, settled=True, starts=None, invite=new_invite())


def remove(connection: Connection, id: str, account: int) -> None:
    """Somebody leaves or is removed: their bot leaves the ladder of the group. What was played stays."""
    group = held(connection, id)
    connection.execute(
        update(_members)
        .where(_members.c.group_id == id, _members.c.account_id == account)
        .values(state="removed", since=now())
    )
    _take_out(connection, group, account)


def leave_all(connection: Connection, account: int) -> None:
    """Somebody whose account is deleted leaves all groups. Those that they run go to others, or are closed."""
    run = select(_groups.c.id).where(_groups.c.organiser_id == account).order_by(_groups.c.id)
    for id in connection.execute(run).scalars().all():
        group = held(connection, id)
        heir = _heir(connection, group)
        if heir is None:
            close(connection, id)
        elif not group.closed:
            _succeed(connection, group, heir)
    own = select(_members.c.group_id).where(_members.c.account_id == account, _members.c.state != "removed")
    for id in connection.execute(own.order_by(_members.c.group_id)).scalars().all():
        remove(connection, id, account)


def _heir(connection: Connection, group: Group) -> int | None:
    """Who runs a group if its organiser is gone: somebody who helped, otherwise whoever has been in it for longest."""
    others = [one for one in members(connection, group.id) if one.account != group.organiser]
    others.sort(key=lambda one: (one.state != "organiser", one.since, one.account))
    return others[0].account if others else None


def _take_out(connection: Connection, group: Group, account: int) -> None:
    entries, bots = db.entries, db.bots
    theirs = select(bots.c.id).where(bots.c.account_id == account)
    gone = connection.execute(
        delete(entries)
        .where(entries.c.ladder_id == group.ladder, entries.c.bot_id.in_(theirs))
        .returning(entries.c.bot_id)
    ).scalars()
    for bot in gone.all():
        leases.call_off(connection, and_(leases.of_bot(bot), leases.not_begun(), db.games.c.ladder_id == group.ladder))
    if _is_empty(connection, group):
        ladders.pause(connection, group.ladder, paused=True)


def _is_empty(connection: Connection, group: Group) -> bool:
    """A ladder without bots of members pairs no games, and takes no share of the pace from others."""
    entries, bots = db.entries, db.bots
    theirs = (
        select(bots.c.id)
        .join_from(entries, bots, bots.c.id == entries.c.bot_id)
        .where(entries.c.ladder_id == group.ladder, bots.c.builtin.is_(None), bots.c.state != "deleted")
        .limit(1)
    )
    return connection.execute(theirs).first() is None


# ---- bots


def enter(connection: Connection, id: str, account: int, bot: int) -> None:
    """A member's bot plays on the ladder of the group, instead of the one before."""
    group = held(connection, id)
    check_entry(group, member_of(connection, id, account), time_of(connection))
    bots, of = db.bots, db.ladders
    game = select(of.c.game).where(of.c.id == group.ladder).scalar_subquery()
    found = connection.execute(
        select(bots.c.id).where(
            bots.c.id == bot, bots.c.account_id == account, bots.c.game == game, bots.c.state != "deleted"
        )
    ).scalar()
    if found is None:
        raise GroupRefusal("You have no such bot for the game of this group.")
    there = select(db.entries.c.bot_id).where(db.entries.c.ladder_id == group.ladder, db.entries.c.bot_id == bot)
    if connection.execute(there).scalar() is None:
        _take_out(connection, group, account)
        ladders.enter(connection, group.ladder, bot)
        ladders.pause(connection, group.ladder, paused=False)


def withdraw(connection: Connection, id: str, account: int) -> None:
    group = held(connection, id)
    check_entry(group, member_of(connection, id, account), time_of(connection))
    _take_out(connection, group, account)


# ---- dates and locks


def set_dates(connection: Connection, id: str, *, sign_up: float | None, lock_at: float | None) -> None:
    """New dates. If the lock moves into the future, versions are unlocked again."""
    group = held(connection, id)
    check_dates(sign_up, lock_at, group.starts)
    values: dict[str, Any] = {"sign_up": sign_up, "lock_at": lock_at}
    if lock_at != group.lock_at:
        if lock_at is not None and lock_at <= time_of(connection):
            raise GroupRefusal("The lock must be in the future. To lock the versions at once, use Lock now.")
        values |= {"settled": False, "locked": None}
        if group.locked is not None:
            ladders.unlock(connection, group.ladder)
            ladders.pause(connection, group.ladder, paused=_is_empty(connection, group))
    change(connection, id, **values)


def set_extra(connection: Connection, id: str, account: int, seconds: float) -> None:
    """Gives a member so much time after the lock. Nobody whose version is locked gets it back."""
    group = held(connection, id)
    if group.settled:
        raise GroupRefusal("All versions are locked. Move the lock to a later date instead.")
    found = connection.execute(
        update(_members)
        .where(_members.c.group_id == id, _members.c.account_id == account, _members.c.state.in_(INSIDE))
        .values(extra=max(0.0, min(MAX_EXTRA, seconds)))
        .returning(_members.c.account_id)
    ).scalar()
    if found is None:
        raise GroupRefusal("This person is not a member.")


def lock_now(connection: Connection, id: str) -> None:
    """Locks all versions at once, whatever extra time somebody had, and tells the members."""
    group = held(connection, id)
    moment = time_of(connection)
    sign_up = None if group.sign_up is None else min(group.sign_up, moment)
    change(connection, id, lock_at=moment, sign_up=sign_up, settled=False)
    connection.execute(update(_members).where(_members.c.group_id == id).values(extra=0.0))
    fall(connection, id)


def due_locks(connection: Connection) -> Sequence[str]:
    """Groups with versions that may have to be locked now."""
    due = select(_groups.c.id).where(_groups.c.lock_at <= now(), _groups.c.settled.is_(False))
    return connection.execute(due).scalars().all()


def fall(connection: Connection, id: str) -> None:
    """Locks the version of everyone whose time is up: the one that plays, if it was uploaded in time.

    A bot without such a version leaves the ladder of the group, or it would play with whatever is uploaded later.
    """
    group = held(connection, id)
    if group.lock_at is None or group.settled:
        return
    people = {member.account: member for member in members(connection, id)}
    moment, waits = time_of(connection), False
    entries, bots = db.entries, db.bots
    rows = connection.execute(
        select(entries.c.bot_id, bots.c.account_id, bots.c.version_id)
        .join_from(entries, bots, bots.c.id == entries.c.bot_id)
        .where(entries.c.ladder_id == group.ladder, entries.c.version_id.is_(None), bots.c.builtin.is_(None))
    ).all()
    for row in rows:
        end = deadline(group, people.get(row.account_id))
        assert end is not None
        if moment < end:
            waits = True
            continue
        which = and_(entries.c.ladder_id == group.ladder, entries.c.bot_id == row.bot_id)
        version = _in_time(connection, row.bot_id, row.version_id, end)
        if version is None:
            connection.execute(delete(entries).where(which))
        else:
            connection.execute(update(entries).where(which).values(version_id=version))
    waits = waits or any(moment < group.lock_at + member.extra for member in people.values())
    change(connection, id, settled=not waits, locked=func.coalesce(_groups.c.locked, now()))
    if group.locked is None:
        tell(connection, people, f"The versions of {group.name} are locked. What you upload now does not count there.")


def _in_time(connection: Connection, bot: int, playing: int | None, end: float) -> int | None:
    """The version that plays, if it was uploaded before the end; otherwise the newest that was."""
    of = db.bot_versions
    passed = select(of.c.id).where(of.c.bot_id == bot, of.c.state == "passed", of.c.created <= end)
    for which in (passed.where(of.c.id == playing), passed.order_by(of.c.number.desc()).limit(1)):
        found = connection.execute(which).scalar()
        if found is not None:
            return int(found)
    return None


# ---- telling


def announce(connection: Connection, id: str, text: str) -> None:
    """Adds an announcement to the page of the group, and tells the members."""
    group = held(connection, id)
    count = select(func.count()).where(store.group_news.c.group_id == id)
    if connection.execute(count).scalar_one() >= MAX_NEWS:
        raise GroupRefusal(f"A group can have at most {MAX_NEWS} announcements.")
    connection.execute(insert(store.group_news).values(group_id=id, at=now(), text=text))
    tell(connection, [one.account for one in members(connection, id)], f"{group.name}: {text}")


def remind(connection: Connection, id: str, account: int | None = None) -> int:
    """Reminds a member without a bot of the lock, or all of them; returns how many."""
    group = held(connection, id)
    entries, bots = db.entries, db.bots
    entered = set(
        connection.execute(
            select(bots.c.account_id)
            .join_from(entries, bots, bots.c.id == entries.c.bot_id)
            .where(entries.c.ladder_id == group.ladder, bots.c.state != "deleted")
        ).scalars()
    )
    missing = [one.account for one in members(connection, id) if one.account not in entered]
    whom = [one for one in missing if account is None or one == account]
    tell(connection, whom, f"{group.name} has no bot of yours yet. Upload one, and enter it on the page of the group.")
    return len(whom)


def tell(connection: Connection, accounts: Iterable[int], text: str) -> None:
    """A notice to people."""
    rows = [{"account_id": one, "at": now(), "kind": "group", "text": tame(text, 400)} for one in accounts]
    for row in rows:
        connection.execute(insert(db.notices).values(row))
