"""What the pages of groups show, and who is shown it. Strangers get name, organiser and dates."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec
from sqlalchemy import Connection, and_, func, or_, select

from polemos.arena.tournament import report_csv
from polemos.arena.tournament.plan import Plan
from polemos.kernel.tame import tame
from polemos.ladder import groups, ladders, queries, tournaments
from polemos.ladder.clock import time_of
from polemos.ladder.group_rules import INSIDE, STOPPED, Group, NoSuchGroup, deadline, role_of, sees_inside
from polemos.ladder.ladders import Ladder
from polemos.ladder.rater import current
from polemos.ladder.tournaments import Course
from polemos.server.store import groups as store
from polemos.server.store import ladder as db
from polemos.server.store.schema import accounts
from polemos.wire.groups import (
    FinalPlan,
    GroupBot,
    GroupCard,
    GroupInside,
    GroupLadder,
    GroupMember,
    GroupNews,
    GroupPage,
    GroupRole,
    GroupTools,
    MemberBot,
    TournamentCard,
    TournamentGame,
    TournamentMeeting,
    TournamentPage,
    TournamentRow,
)

MAX_LISTED: Final = 100  # groups of one person
MAX_NEWS: Final = 30
_MAX_WHY: Final = 200  # characters
TableName = Literal["standings", "crosstable", "games"]


def listed(connection: Connection, account: int) -> list[GroupCard]:
    """The groups that somebody runs, is in, or has asked to join."""
    of, mine = store.groups, store.group_members
    rows = connection.execute(
        select(
            of, mine.c.state, accounts.c.name.label("organiser"), db.ladders.c.title, db.ladders.c.state.label("runs")
        )
        .join_from(of, accounts, accounts.c.id == of.c.organiser_id)
        .join(db.ladders, db.ladders.c.id == of.c.ladder_id)
        .outerjoin(mine, and_(mine.c.group_id == of.c.id, mine.c.account_id == account))
        .where(or_(of.c.organiser_id == account, mine.c.state.in_(("asked", *INSIDE))))
        .order_by(of.c.created.desc())
        .limit(MAX_LISTED)
    ).all()
    found = []
    for row in rows:
        role: GroupRole = "organiser" if row.organiser_id == account else row.state
        inside = role != "asked"
        found.append(
            GroupCard(
                id=row.id,
                name=row.name,
                kind=row.kind,
                role=role,
                organiser=row.organiser,
                title=row.title if inside else "",
                members=_members(connection, row.id) if inside else 0,
                lock_at=row.lock_at,
                closed=row.runs == ladders.CLOSED,
            )
        )
    return sorted(found, key=lambda one: one.closed)


def public(connection: Connection) -> list[GroupLadder]:
    """The ladders whose rules a group can play by."""
    of = db.ladders
    rows = connection.execute(select(of.c.id, of.c.game, of.c.title).where(of.c.circle == "").order_by(of.c.title))
    return [GroupLadder(*row) for row in rows]


def _members(connection: Connection, group: str) -> int:
    of = store.group_members
    return int(
        connection.execute(select(func.count()).where(of.c.group_id == group, of.c.state.in_(INSIDE))).scalar_one()
    )


def page(connection: Connection, group: Group, account: int | None) -> GroupPage:
    """The page of a group for somebody."""
    member = groups.member_of(connection, group.id, account)
    role = role_of(group, account, member)
    organiser = connection.execute(select(accounts.c.name).where(accounts.c.id == group.organiser)).scalar_one()
    return GroupPage(
        id=group.id,
        name=group.name,
        kind=group.kind,
        role=role,
        organiser=organiser,
        now=time_of(connection),
        created=group.created,
        sign_up=group.sign_up,
        lock_at=group.lock_at,
        locked=group.locked is not None,
        settled=group.settled,
        starts=group.starts,
        asks=group.asks,
        logs=group.logs,
        closed=group.closed,
        inside=_inside(connection, group, account) if sees_inside(role) else None,
        tools=_tools(connection, group, account) if role == "organiser" and not group.closed else None,
    )


def _inside(connection: Connection, group: Group, account: int | None) -> GroupInside:
    ladder = ladders.one(connection, group.ladder)
    member = groups.member_of(connection, group.id, account)
    fits, seasons = db.fits, db.seasons
    rated = connection.execute(
        select(fits.c.at).join_from(seasons, fits, fits.c.id == seasons.c.fit_id).where(seasons.c.id == ladder.season)
    ).scalar()
    anchor = connection.execute(select(db.bots.c.name).where(db.bots.c.id == ladder.anchor)).scalar()
    news = store.group_news
    return GroupInside(
        ladder=ladder.id,
        game=ladder.game,
        title=ladder.title,
        seats=ladder.seats,
        anchor=anchor or "",
        members=_members(connection, group.id),
        bots=_bots(connection, ladder),
        rated=rated,
        final=FinalPlan(group.system, group.rounds, group.games, group.maps, len(ladder.maps), group.starts),
        tournaments=tuple(_card(i, row) for i, row in enumerate(tournaments.of_group(connection, group.id), 1)),
        news=tuple(
            GroupNews(row.at, row.text)
            for row in connection.execute(
                select(news).where(news.c.group_id == group.id).order_by(news.c.id.desc()).limit(MAX_NEWS)
            )
        ),
        joined=member is not None and member.is_inside and not group.closed,
        own=_own(connection, ladder, member.account) if member is not None and member.is_inside else (),
        my_lock=deadline(group, member),
        my_logs=group.logs if member is None else member.logs,
    )


def _bots(connection: Connection, ladder: Ladder) -> tuple[GroupBot, ...]:
    rows = connection.execute(queries.table(ladder.id, ladder.season)).mappings().all()
    names = _names(connection, {row["account_id"] for row in rows})
    versions = db.bot_versions
    dates = connection.execute(
        select(versions.c.id, versions.c.created).where(versions.c.id.in_([row["version"] for row in rows]))
    )
    uploaded = {id: created for id, created in dates}  # noqa: C416
    centre = next((row["mu"] for row in rows if row["bot"] == ladder.anchor), None)
    ratings = [current(row, centre, is_anchor=row["bot"] == ladder.anchor) or (None, None) for row in rows]
    return tuple(
        GroupBot(
            bot=row["bot"],
            name=row["name"],
            version=row["number"],
            member=names.get(row["account_id"], ""),
            ours=row["builtin"] is not None,
            language=row["language"],
            state=row["state"],
            why=tame(row["why"], _MAX_WHY),
            locked=bool(row["locked"]) and row["builtin"] is None,
            elo=elo,
            margin=margin,
            placing=row["placing"] is None or bool(row["placing"]),
            rank_from=row["rank_from"],
            rank_to=row["rank_to"],
            band=row["band"],
            games=row["games"] or 0,
            faults=row["faults"] or 0,
            uploaded=uploaded.get(row["version"]),
            strikes=row["strikes"] or 0,
            cpu=round(row["cpu"] or 0.0, 3),
        )
        for row, (elo, margin) in zip(rows, ratings, strict=True)
    )


def _names(connection: Connection, numbers: set[int | None]) -> dict[int | None, str]:
    wanted = [number for number in numbers if number is not None]
    rows = connection.execute(select(accounts.c.id, accounts.c.name).where(accounts.c.id.in_(wanted)))
    return {id: name for id, name in rows}  # noqa: C416  rows are not pairs to the type checker


def _own(connection: Connection, ladder: Ladder, account: int) -> tuple[MemberBot, ...]:
    bots, versions, entries = db.bots, db.bot_versions, db.entries
    rows = connection.execute(
        select(bots.c.id, bots.c.name, versions.c.number, entries.c.bot_id)
        .join_from(bots, versions, versions.c.id == bots.c.version_id, isouter=True)
        .outerjoin(entries, and_(entries.c.bot_id == bots.c.id, entries.c.ladder_id == ladder.id))
        .where(bots.c.account_id == account, bots.c.game == ladder.game, bots.c.state != "deleted")
        .order_by(bots.c.name)
    )
    return tuple(MemberBot(row.id, row.name, row.number, row.bot_id is not None) for row in rows)


def _tools(connection: Connection, group: Group, account: int | None) -> GroupTools:
    members = store.group_members
    rows = connection.execute(
        select(members, accounts.c.name)
        .join_from(members, accounts, accounts.c.id == members.c.account_id)
        .where(members.c.group_id == group.id, members.c.state != "removed")
        .order_by(accounts.c.name)
    ).all()
    entered, last = _entered(connection, group), _last_uploads(connection, group)
    first = account == group.organiser  # those who help to run it read no logs, and a refusal quotes one
    people = (_person(row, entered.get(row.account_id), last.get(row.account_id), quotes=first) for row in rows)
    return GroupTools(first, group.invite, group.asks, tuple(people))


def _entered(connection: Connection, group: Group) -> dict[int, Any]:
    """The bots in the group, by the account of their author."""
    bots, versions, entries = db.bots, db.bot_versions, db.entries
    version = func.coalesce(entries.c.version_id, bots.c.version_id)
    rows = connection.execute(
        select(bots.c.account_id, bots.c.name, versions.c.number)
        .join_from(entries, bots, bots.c.id == entries.c.bot_id)
        .outerjoin(versions, versions.c.id == version)
        .where(entries.c.ladder_id == group.ladder, bots.c.account_id.is_not(None), bots.c.state != "deleted")
    )
    return {row.account_id: row for row in rows}


def _last_uploads(connection: Connection, group: Group) -> dict[int, Any]:
    """The last upload for the game of the group of everybody in it, by account."""
    bots, versions, of, members = db.bots, db.bot_versions, db.ladders, store.group_members
    game = select(of.c.game).where(of.c.id == group.ladder).scalar_subquery()
    newest = (
        select(func.max(versions.c.id))
        .join_from(members, bots, bots.c.account_id == members.c.account_id)
        .join(versions, versions.c.bot_id == bots.c.id)
        .where(members.c.group_id == group.id, bots.c.game == game)
        .group_by(bots.c.account_id)
    )
    rows = connection.execute(
        select(bots.c.account_id, versions.c.state, versions.c.why, versions.c.created)
        .join_from(versions, bots, bots.c.id == versions.c.bot_id)
        .where(versions.c.id.in_(newest))
    )
    return {row.account_id: row for row in rows}


def _person(row: Any, bot: Any, last: Any, *, quotes: bool) -> GroupMember:
    """A member with their bot in the group, and the last upload for its game if it was refused.

    `quotes`: whoever looks may read the logs of those who were told so when they joined.
    """
    refused = last is not None and last.state == "refused" and row.state in INSIDE
    return GroupMember(
        name=row.name,
        asked=row.state == "asked",
        since=row.since,
        bot=None if bot is None else bot.name,
        version=None if bot is None else bot.number,
        refused=tame(last.why, _MAX_WHY) if refused and quotes and row.logs == "organiser" else "",
        refused_at=last.created if refused else None,
        extra=row.extra,
        logs=row.logs,
        runs=row.state == "organiser",
    )


# ---- tournaments


def _card(number: int, row: Any) -> TournamentCard:
    plan = msgspec.json.decode(row.plan, type=Plan)
    stopped = row.state == STOPPED
    return TournamentCard(
        number, plan.system, row.state != "playing", row.begun, row.ended, len(plan.entrants), stopped
    )


def course(connection: Connection, group: Group, number: int) -> Course:
    """A tournament of a group with everything that was played; raises NoSuchGroup if there is none."""
    rows = tournaments.of_group(connection, group.id)
    if not 1 <= number <= len(rows):
        raise NoSuchGroup("This group has no such tournament.")
    of = tournaments.course(rows[number - 1])
    tournaments.catch_up(connection, of)
    return of


def tournament(connection: Connection, group: Group, number: int) -> TournamentPage:
    of = course(connection, group, number)
    plan, authors, meetings = of.plan, _authors(connection, of), _meetings(connection, of)
    facts = of.facts()  # last: it takes a while, and PostgreSQL ends transactions in which nothing happens
    rows = []
    for row in facts.rows:
        rating = facts.ratings.get(row.entrant)
        rows.append(
            TournamentRow(
                entrant=row.entrant,
                name=plan.entrants[row.entrant].name,
                member=authors[row.entrant],
                place=row.place,
                points=row.points,
                played=row.played,
                wins=row.wins,
                draws=row.draws,
                losses=row.losses,
                tie_break=row.tie_break,
                byes=row.byes,
                walkovers=row.walkovers,
                forfeits=row.forfeits,
                strikes=row.strikes,
                void_lines=row.void_lines,
                cpu=facts.used[row.entrant].cpu if row.entrant in facts.used else 0.0,
                paused=row.paused,
                elo=None if rating is None else rating.elo,
                low=None if rating is None else rating.low,
                high=None if rating is None else rating.high,
            )
        )
    return TournamentPage(
        number=number,
        group=group.id,
        name=group.name,
        game=plan.game,
        system=plan.system,
        rounds=plan.rounds,
        games=plan.games,
        maps=tuple(map.name for map in of.maps),
        over=of.ended is not None,
        stopped=of.stopped,
        begun=of.begun,
        ended=of.ended,
        played=of.tournament.settled,
        expected=of.tournament.expected,
        rows=tuple(rows),
        meetings=meetings,
        notices=tuple(notice.text for notice in of.tournament.notices),
    )


def table_of(connection: Connection, group: Group, number: int, table: TableName) -> str:
    """The results as CSV, as `polemos tournament` writes them; its standings also say whose bots they are."""
    of = course(connection, group, number)
    members = _authors(connection, of)
    return report_csv.standings(of.facts(), members) if table == "standings" else tournaments.TABLES[table](of.facts())


def _authors(connection: Connection, of: Course) -> list[str]:
    bots, versions = db.bots, db.bot_versions
    rows = connection.execute(
        select(versions.c.id, accounts.c.name)
        .join_from(versions, bots, bots.c.id == versions.c.bot_id)
        .join(accounts, accounts.c.id == bots.c.account_id)
        .where(versions.c.id.in_(of.versions))
    )
    names = {id: name for id, name in rows}  # noqa: C416
    return [names.get(version, "") for version in of.versions]


def _meetings(connection: Connection, of: Course) -> tuple[TournamentMeeting, ...]:
    """All meetings so far, the newest round first."""
    links, games = store.tournament_games, db.games
    rows = connection.execute(
        select(links, games.c.map, games.c.state, games.c.cause, games.c.reason)
        .join_from(links, games, games.c.id == links.c.game_id)
        .where(links.c.tournament_id == of.id)
        .order_by(links.c.number)
    ).all()
    played = {game.number: game for game in of.tournament.counted}
    found: dict[int, tuple[int, list[TournamentGame]]] = {}
    for row in rows:
        game = played.get(row.number)
        seating = tuple(int(part) for part in row.seating.split(","))
        found.setdefault(row.meeting, (row.round, []))[1].append(
            TournamentGame(
                row.game_id,
                row.map,
                seating,
                () if game is None else game.points,
                tame(row.reason, _MAX_WHY) if row.state == "done" else "",
            )
        )
    return tuple(
        TournamentMeeting(round, tuple(sorted(games[0].seating)), tuple(games))
        for meeting, (round, games) in sorted(found.items(), key=lambda one: (-one[1][0], one[0]))
    )


def as_csv(bots: tuple[GroupBot, ...]) -> str:
    """The ladder of a group as a table."""
    head = ["rank_from", "rank_to", "name", "version", "member", "language", "rating", "low", "high", "games"]
    head += ["faults", "locked", "state", "strikes", "cpu seconds"]
    return report_csv.table(
        head,
        (
            [
                bot.rank_from,
                bot.rank_to,
                bot.name,
                bot.version,
                bot.member,
                bot.language,
                bot.elo,
                None if bot.elo is None or bot.margin is None else bot.elo - bot.margin,
                None if bot.elo is None or bot.margin is None else bot.elo + bot.margin,
                bot.games,
                bot.faults,
                int(bot.locked),
                bot.state,
                bot.strikes,
                bot.cpu,
            ]
            for bot in bots
        ),
    )
