"""Challenges: any bots of a ladder against each other, rated or not, on a map of one's choice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Connection, func, insert, select

from polemos.kernel.errors import PolemosError
from polemos.kernel.tame import tame
from polemos.kernel.verdict import public
from polemos.ladder import groups, ladders, queries, quotas
from polemos.ladder.clock import now, time_of
from polemos.ladder.ladders import Ladder
from polemos.ladder.leases import WAITING
from polemos.ladder.pairing import Chosen
from polemos.ladder.scheduler import CHALLENGE, field_of, meetings, pair
from polemos.server.store import groups as store
from polemos.server.store import ladder as db
from polemos.server.store.naming import is_number
from polemos.server.store.schema import accounts
from polemos.wire.groups import ChallengeBot, ChallengeForm, ChallengeGame, ChallengePage

AN_HOUR: Final = 120  # games that one account can ask for
HOUR: Final = 3600.0
_of: Final = store.challenges
_MAX_WHY: Final = 200  # characters


class BadChallenge(PolemosError):
    word = "ladder/bad-challenge"


class NoSuchChallenge(PolemosError):
    """There is no such challenge, or it does not concern whoever asks."""

    word = "ladder/no-challenge"


def challenge(connection: Connection, ladder: Ladder, bots: Sequence[int], map: str, *, counts: bool, by: str) -> int:
    """Adds the games of a challenge, all seats exchanged; returns the number of the meeting."""
    if len(set(bots)) != ladder.seats or len(bots) != ladder.seats:
        raise BadChallenge(f"A game on this ladder has {ladder.seats} seats. Name {ladder.seats} different bots.")
    chosen_map = next((one for one in ladder.maps if one.name == map), None)
    if chosen_map is None:
        names = ", ".join(one.name for one in ladder.maps)
        raise BadChallenge(f"This ladder does not play on {map[:40]!r}. Its maps are: {names}.")
    if ladder.phase != "open" and counts:
        raise BadChallenge("The final is being played. Challenges do not count until the next season.")
    field = {one.bot: one for one in field_of(connection, ladder)}
    if missing := [bot for bot in bots if bot not in field]:
        raise BadChallenge(f"{len(missing)} of these bots can't play now: paused, deleted, or not on this ladder.")
    number = meetings(connection, ladder.id, 1)
    chosen = Chosen(tuple(field[bot] for bot in bots), f"challenge by {by}")
    pair(connection, ladder, number, chosen, chosen_map, stage="challenge", priority=CHALLENGE, counts=counts)
    return number


# ---- rules


def check_rated(authors: Sequence[int | None]) -> None:
    """Rated games are between different authors: one's own bots could let each other win."""
    most = Counter(author for author in authors if author is not None).most_common(1)
    if most and most[0][1] > 1:
        raise BadChallenge("Two bots of the same author play unrated games only.")


def check_quota(used: int, more: int, frees: float | None) -> None:
    if used + more > AN_HOUR:
        minutes = 60 if frees is None else max(1, round(frees / 60))
        raise BadChallenge(
            f"You can ask for {AN_HOUR} games an hour, and have asked for {used}. There is more room in {minutes} min."
        )


def check_hour(played: int, more: int, most: int) -> None:
    """Games of a challenge count like those of one's own bots."""
    if played + more > most:
        raise BadChallenge(f"Your games of the last hour are {played} of {most}. Ask again later, or for fewer.")


def used_by(connection: Connection, account: int) -> tuple[int, float | None]:
    """How many games somebody asked for in the last hour, and the seconds until the first of them is an hour old."""
    count, first = connection.execute(
        select(func.coalesce(func.sum(_of.c.games), 0), func.min(_of.c.created)).where(
            _of.c.account_id == account, _of.c.created > now() - HOUR
        )
    ).one()
    return int(count), None if first is None else max(0.0, first + HOUR - time_of(connection))


def ladder_for(connection: Connection, id: int, account: int | None) -> Ladder:
    """A ladder that somebody may challenge on: a public one, or that of a group of theirs."""
    ladder = ladders.find(connection, id) if is_number(id) else None
    if ladder is None:
        raise NoSuchChallenge("There is no such ladder.")
    if ladder.circle and not groups.sees(connection, ladder.circle, account):
        raise NoSuchChallenge("There is no such ladder.")
    return ladder


# ---- doing


def ask(
    connection: Connection,
    account: int,
    name: str,
    ladder: Ladder,
    bots: Sequence[int],
    map: str,
    *,
    meetings: int,
    counts: bool,
    most: int = quotas.GAMES,
) -> int:
    """Adds a challenge of somebody, several meetings if they like; returns its number. `most`: their games an hour."""
    if ladder.state == ladders.CLOSED:
        raise BadChallenge("This ladder is closed.")
    quotas.lock(connection, account)
    used, frees = used_by(connection, account)
    check_quota(used, meetings * ladder.seats, frees)
    check_hour(quotas.games_of(connection, account), meetings * ladder.seats, most)
    if counts:
        check_rated(connection.execute(select(db.bots.c.account_id).where(db.bots.c.id.in_(bots))).scalars().all())
    numbers = [challenge(connection, ladder, bots, map, counts=counts, by=name) for _ in range(meetings)]
    row = {
        "ladder_id": ladder.id,
        "account_id": account,
        "created": now(),
        "map": map,
        "games": meetings * ladder.seats,
        "counts": counts,
    }
    id = int(connection.execute(insert(_of).values(row).returning(_of.c.id)).scalar_one())
    games = db.games
    added = select(games.c.id).where(
        games.c.season_id == ladder.season, games.c.state == WAITING, games.c.meeting.in_(numbers)
    )
    links = [{"challenge_id": id, "game_id": game} for game in connection.execute(added).scalars()]
    connection.execute(insert(store.challenge_games), links)
    return id


# ---- pages


def form(connection: Connection, ladder: Ladder, account: int | None) -> ChallengeForm:
    used, frees = (0, None) if account is None else used_by(connection, account)
    waiting = select(func.count()).where(db.games.c.state == WAITING, db.games.c.priority <= CHALLENGE)
    return ChallengeForm(
        ladder=ladder.id,
        game=ladder.game,
        title=ladder.title,
        seats=ladder.seats,
        maps=tuple(one.name for one in ladder.maps),
        bots=_bots(connection.execute(queries.field(ladder)), account),
        rated=ladder.phase == "open",
        used=used,
        most=AN_HOUR,
        frees=frees if used >= AN_HOUR else None,
        queue=int(connection.execute(waiting).scalar_one()),
    )


def _bots(rows: Iterable[Any], account: int | None) -> tuple[ChallengeBot, ...]:
    return tuple(
        ChallengeBot(
            row.id, row.name, row.number, row.author or "", row.account_id is not None and row.account_id == account
        )
        for row in rows
    )


def page(connection: Connection, id: int, account: int | None) -> ChallengePage:
    """A challenge and how it stands. Everybody who may see the ladder may see it."""
    of = connection.execute(select(_of).where(_of.c.id == id)).one_or_none() if is_number(id) else None
    if of is None:
        raise NoSuchChallenge("There is no such challenge.")
    ladder = ladder_for(connection, of.ladder_id, account)
    games, seats = db.games, db.seats
    rows = connection.execute(
        select(games)
        .join_from(store.challenge_games, games, games.c.id == store.challenge_games.c.game_id)
        .where(store.challenge_games.c.challenge_id == id)
        .order_by(games.c.id)
    ).all()
    sat: dict[int, list[Any]] = {row.id: [] for row in rows}
    for seat in connection.execute(
        select(seats).where(seats.c.game_id.in_(sat)).order_by(seats.c.game_id, seats.c.entry)
    ):
        sat[seat.game_id].append(seat)
    versions = sorted({seat.version_id for of_game in sat.values() for seat in of_game})
    bots = _bots(connection.execute(queries.called(versions)), account)
    waiting = [row for row in rows if row.state == "waiting"]
    before = 0
    if waiting:
        sooner = (games.c.priority < CHALLENGE) | ((games.c.priority == CHALLENGE) & (games.c.id < waiting[0].id))
        before = int(connection.execute(select(func.count()).where(games.c.state == WAITING, sooner)).scalar_one())
    by = connection.execute(select(accounts.c.name).where(accounts.c.id == of.account_id)).scalar_one()
    score: defaultdict[int, float] = defaultdict(float)
    for of_game in sat.values():
        for seat in of_game:
            score[seat.bot_id] += seat.points or 0.0
    return ChallengePage(
        id=id,
        ladder=ladder.id,
        title=ladder.title,
        by=by,
        created=of.created,
        map=of.map,
        counts=of.counts,
        bots=bots,
        games=tuple(
            ChallengeGame(
                game=row.id,
                state=row.state,
                cause=row.cause,
                entries=tuple(seat.bot_id for seat in sat[row.id]),
                ranks=tuple(int(part) for part in row.ranks.split(",")) if row.ranks else (),
                reason=tame(row.reason, _MAX_WHY),
                replay=row.replay is not None,
                faults=tuple(public(seat.fault) if seat.fault else "" for seat in sat[row.id]),
                strikes=tuple(seat.strikes for seat in sat[row.id]),
                cpu=tuple(seat.cpu for seat in sat[row.id]),
            )
            for row in rows
        ),
        before=before,
        score=tuple(score[bot.bot] for bot in bots),
    )
