"""What the pages of authors and of bots show, read from the database."""

from __future__ import annotations

import gzip
import math
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, RowMapping, or_, select

from polemos.kernel.verdict import Verdict, in_words, public
from polemos.ladder import queries
from polemos.ladder.clock import time_of
from polemos.ladder.files import Replays
from polemos.ladder.rater import current
from polemos.server import shelf
from polemos.server.authors import queue, quotas, tokens
from polemos.server.authors.quotas import Most
from polemos.server.store import ladder as db
from polemos.server.store import schema
from polemos.server.store.authors import receptions
from polemos.uploads.logs import KEPT, around, plain
from polemos.wire.authors import (
    BotLadder,
    BotNotice,
    BotPage,
    CurvePoint,
    FaultRow,
    GameRow,
    LogLine,
    Opponent,
    OwnBot,
    RatedOther,
    Rating,
    Share,
    VersionRow,
    Yard,
)
from polemos.wire.bot import Budget

HOUR: Final = 3600.0
POINTS: Final = 60  # of the curve of a version
MAX_OPPONENTS: Final = 30
RECENT: Final = 8  # games
NOTICES: Final = 5
_Z: Final = 1.959963984540054  # of a 95 % interval
_TURN: Final = re.compile(rb"^\d+\t", re.MULTILINE)  # what `playing.by_turn` has put before each line


# ---- an author's bots


def yard(connection: Connection, account: int, most: Most) -> Yard:
    """Everything on the page of an author's bots."""
    own = select(db.bots.c.id).where(db.bots.c.account_id == account)
    ranked = _counting(connection)
    found = connection.execute(queries.standings(own)).mappings().all()
    notices = connection.execute(queries.notices(account, NOTICES)).mappings()
    return Yard(
        tuple(_own(connection, account, row, ranked) for row in found),
        (*quotas.used(connection, account, most), quotas.lately(connection, account, most)),
        tokens.listed(connection, account),
        tuple(BotNotice(row["id"], row["at"], row["kind"], row["text"], row["bot_id"]) for row in notices),
    )


def _own(connection: Connection, account: int, row: RowMapping, ranked: Callable[[int], int]) -> OwnBot:
    last = queue.cards(connection, account, receptions.c.bot_id == row["id"])
    shown = last[0] if last and last[0].state not in ("accepted", "cancelled") else None
    return OwnBot(
        id=row["id"],
        name=row["name"],
        game=row["game"],
        language=row["language"] or "",
        version=row["number"],
        state=row["state"],
        paused_by=row["paused_by"],
        why=row["why"],
        changed=row["changed"],
        rating=_now(row, ranked),
        hour=_hour(connection, row["id"]),
        games=row["games"] or 0,
        faults=row["faults"] or 0,
        strikes=row["strikes"] or 0,
        cpu=round(row["cpu"] or 0.0, 3),
        upload=shown,
    )


def _hour(connection: Connection, bot: int) -> int:
    return int(connection.execute(queries.games_since(bot, time_of(connection) - HOUR)).scalar_one())


def _counting(connection: Connection) -> Callable[[int], int]:
    """How many bots have a rank in a fit, counted once for a page."""

    @cache
    def ranked(fit: int) -> int:
        return int(connection.execute(queries.ranked(fit)).scalar_one())

    return ranked


def _now(row: RowMapping, ranked: Callable[[int], int]) -> Rating | None:
    """The rating of the version that plays, as its ladder shows it."""
    said = current(row, row["centre"], is_anchor=row["id"] == row["anchor_id"])
    if said is None:
        return None
    if row["elo"] is None:
        return Rating(*said, True, None, None, 0)
    return Rating(*said, row["placing"], row["rank_from"], row["rank_to"], ranked(row["fit_id"]))


def _rating(row: RowMapping, ranked: Callable[[int], int]) -> Rating | None:
    if row["elo"] is None:
        return None
    of = ranked(row["fit_id"])
    return Rating(row["elo"], row["margin"], row["placing"], row["rank_from"], row["rank_to"], of)


# ---- the page of a bot


def page(connection: Connection, bot: int, asking: int | None, replays: Replays, ladder: int | None = None) -> BotPage:
    """The page of a bot, for an account or for anybody, with its standing on a ladder. Raises NoSuchBot."""
    found = connection.execute(queries.public_ladders(bot))
    there = tuple(BotLadder(row.id, row.rules, row.title) for row in found)
    chosen = ladder if any(one.id == ladder for one in there) else None
    this = select(db.bots.c.id).where(db.bots.c.id == bot)
    row = connection.execute(queries.standings(this, chosen)).mappings().first()
    if row is None:
        raise queue.NoSuchBot("There is no such bot. Its author may have deleted it.")
    own = asking is not None and row["account_id"] == asking
    ranked = _counting(connection)
    versions = _versions(connection, row, ranked, own)
    times = connection.execute(queries.times_of(row["version_id"] or 0)).mappings().one()
    opponents, maps, score = _opponents(connection, row)
    sure, before = _better(versions)
    rating = _now(row, ranked)
    budget = msgspec.json.decode(row["budget"], type=Budget) if row["budget"] else Budget()
    games = row["games"] or 0
    return BotPage(
        id=bot,
        name=row["name"],
        author=_author(connection, row["account_id"]),
        own=own,
        game=row["game"],
        ladder=row["ladder"],
        ladders=there,
        season=row["season_number"],
        state=row["state"],
        paused_by=row["paused_by"],
        why=row["why"],
        published=bool(row["published"]),
        created=row["created"],
        changed=row["changed"],
        language=row["language"] or "",
        version=row["number"],
        rating=rating,
        games=games,
        hour=_hour(connection, bot),
        score=score,
        cpu=(times["cpu"] or 0.0) / (times["steps"] or 1),
        slowest=times["slowest"] or 0.0,
        turn=budget.turn,
        faults=row["faults"] or 0,
        strikes=row["strikes"] or 0,
        begun=row["begun"],
        versions=tuple(replace(one, rating=rating) if one.plays else one for one in versions),
        others=_others(connection, row),
        opponents=opponents,
        maps=maps,
        fault_rows=_faults(connection, bot, own, replays),
        recent=_recent(connection, bot, shelf.load(row["game"]).facts.seats),
        sure=sure,
        before=before,
    )


def _author(connection: Connection, account: int | None) -> str:
    accounts = schema.accounts
    found = connection.execute(select(accounts.c.name).where(accounts.c.id == account)).scalar()
    return str(found or "")


def _versions(
    connection: Connection, row: RowMapping, ranked: Callable[[int], int], own: bool
) -> tuple[VersionRow, ...]:
    bot = row["id"]
    of = select(db.bot_versions.c.id).where(db.bot_versions.c.bot_id == bot)
    ratings = {}
    if row["fit_id"] is not None:
        ratings = {
            found["version_id"]: found for found in connection.execute(queries.ratings_in(row["fit_id"], of)).mappings()
        }
    curves: dict[int, list[CurvePoint]] = defaultdict(list)
    for point in connection.execute(queries.curves(bot, row["ladder"])).mappings():
        curves[point["version_id"]].append(CurvePoint(point["at"], point["elo"], point["margin"]))
    uploads = dict(
        connection.execute(
            select(receptions.c.version_id, receptions.c.id).where(receptions.c.bot_id == bot, receptions.c.end != "")
        ).all()
    )
    found = []
    for version in connection.execute(queries.versions(bot)).mappings():
        rated = ratings.get(version["id"])
        found.append(
            VersionRow(
                number=version["number"],
                created=version["created"],
                state=version["state"],
                language=version["language"],
                plays=version["id"] == row["version_id"],
                rating=None if rated is None else _rating(rated, ranked),
                why=version["why"] if own else "",
                upload=uploads.get(version["id"]) if own else None,
                source=bool(version["source"]) and (own or (bool(row["published"]) and version["state"] == "passed")),
                curve=tuple(_thinned(curves[version["id"]])),
            )
        )
    return tuple(found)


def _thinned(points: list[CurvePoint]) -> list[CurvePoint]:
    """At most so many points, the first and the last among them."""
    if len(points) <= POINTS:
        return points
    return [points[round(i * (len(points) - 1) / (POINTS - 1))] for i in range(POINTS)]


def _better(versions: Iterable[VersionRow]) -> tuple[tuple[float, float] | None, int | None]:
    """How far the version that plays is above the one before it.

    The two intervals are taken as independent. They are not, since both are of the difference to the same bot; so the
    true interval is narrower, and whatever is sure here is sure.
    """
    rated = [one for one in versions if one.rating is not None and one.state == "passed"]
    plays = next((one for one in rated if one.plays), None)
    if plays is None:
        return None, None
    before = next((one for one in rated if one.number < plays.number), None)
    if before is None or plays.rating is None or before.rating is None:
        return None, None
    ahead = plays.rating.elo - before.rating.elo
    doubt = math.hypot(plays.rating.margin, before.rating.margin)
    return (ahead - doubt, ahead + doubt), before.number


def _others(connection: Connection, row: RowMapping) -> tuple[RatedOther, ...]:
    if row["fit_id"] is None:
        return ()
    found = connection.execute(queries.our_ratings(row["fit_id"])).mappings()
    return tuple(
        RatedOther(one["name"], one["elo"], one["id"] == row["anchor_id"]) for one in found if one["id"] != row["id"]
    )


def _opponents(connection: Connection, bot: RowMapping) -> tuple[tuple[Opponent, ...], dict[str, Share], Share | None]:
    """The share of points by opponent, by map, and of all games that count: unrated ones say nothing about a bot."""
    season, version = bot["season"], bot["version_id"]
    if season is None or version is None:
        return (), {}, None
    met = connection.execute(queries.opponents(season, version, bot["fit_id"], MAX_OPPONENTS)).all()
    cells: dict[int, dict[str, tuple[int, int, int]]] = defaultdict(dict)
    for row in connection.execute(queries.by_opponent(season, version, [one.id for one in met])):
        cells[row.bot_id][row.map] = _sums(row)
    listed = []
    for one in met:
        whole = [sum(sums) for sums in zip(*cells[one.id].values(), strict=True)]
        on = {name: share(*sums) for name, sums in cells[one.id].items()}
        listed.append(Opponent(one.id, one.name, one.elo, share(*whole), on))
    by_map = {row.map: _sums(row) for row in connection.execute(queries.by_map(season, version))}
    score = share(*map(sum, zip(*by_map.values(), strict=True))) if by_map else None
    return tuple(listed), {name: share(*sums) for name, sums in by_map.items()}, score


def _sums(row: Any) -> tuple[int, int, int]:
    """PostgreSQL adds up in decimals."""
    return int(row.games), int(row.wins), int(row.draws)


def share(games: int, wins: int, draws: int) -> Share:
    """The share of points with its interval by Wilson's formula; a draw is half a point.

    >>> found = share(96, 57, 5)
    >>> [round(figure, 2) for figure in (found.share, found.low, found.high)]
    [0.62, 0.52, 0.71]
    """
    if not games:
        return Share(0, 0.0, 0.0, 1.0)
    points = (wins + draws / 2) / games
    square = _Z * _Z / games
    middle = (points + square / 2) / (1 + square)
    reach = _Z * math.sqrt(points * (1 - points) / games + square / (4 * games)) / (1 + square)
    return Share(games, points, max(0.0, middle - reach), min(1.0, middle + reach))


# ---- games


def _faults(connection: Connection, bot: int, own: bool, replays: Replays) -> tuple[FaultRow, ...]:
    rows = connection.execute(queries.faults_of(bot)).mappings().all()
    against = _against(connection, bot, [row["game_id"] for row in rows])
    return tuple(
        FaultRow(
            row["game_id"],
            row["done"],
            ", ".join(against[row["game_id"]]),
            (row["fault"] if own else public(row["fault"])) if row["fault"] else "",
            row["strikes"],
            _log_lines(replays, row) if own and row["replay"] else (),
            row["fault_turn"],
            row["fault_step"],
        )
        for row in rows
    )


def _log_lines(replays: Replays, row: RowMapping) -> tuple[LogLine, ...]:
    """The lines of a bot's log that say why it dropped out: those around the last words that the fault quotes."""
    try:
        with gzip.open(replays.log(row["replay"], row["entry"])) as file:
            log = plain(_TURN.sub(b"", file.read(2 * KEPT)))
    except (OSError, EOFError, zlib.error):
        return ()
    quoted = (row["fault"] or "").rpartition(": ")[2]
    found = around(log, quoted)
    causes = [LogLine(line.number, line.text, True) for line in found if line.is_cause]
    return tuple(causes or [LogLine(line.number, line.text) for line in found[-2:]])


def _recent(connection: Connection, bot: int, seats: Sequence[str]) -> tuple[GameRow, ...]:
    # Not those that wait: there may be more of them than have room here.
    shown = or_(db.games.c.state == "leased", db.games.c.cause == "played")
    rows = connection.execute(queries.games_of(bot, limit=RECENT).where(shown)).mappings().all()
    numbers = [row["id"] for row in rows]
    against = _against(connection, bot, numbers)
    versions = db.bot_versions
    of = dict(
        connection.execute(
            select(versions.c.id, versions.c.number).where(versions.c.id.in_({row["version_id"] for row in rows}))
        ).all()
    )
    return tuple(
        GameRow(
            game=row["id"],
            at=row["done"],
            state=row["state"],
            result=_result(row),
            rank=row["rank"],
            seats=len(against[row["id"]]) + 1,
            against=tuple(against[row["id"]]),
            map=row["map"],
            why=row["why"],
            # The reason of a game is told from the side of whoever won it.
            reason=in_words(Verdict.read(row["fault"])) if row["fault"] else row["reason"],
            steps=row["steps"],
            version=of.get(row["version_id"], 0),
            replay=row["replay"] is not None,
            seat="" if row["seat"] is None else seats[row["seat"]],
        )
        for row in rows
    )


def _against(connection: Connection, bot: int, games: list[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {game: [] for game in games}
    for seat in connection.execute(queries.seats_of(games)).mappings():
        if seat["bot_id"] != bot:
            found[seat["game_id"]].append(seat["name"])
    return found


def _result(row: RowMapping) -> Any:
    if row["state"] != "done":
        return ""
    if row["cause"] != "played" or not row["ranks"]:
        return "void"
    ranks = [int(rank) for rank in row["ranks"].replace(",", " ").split()]
    best, rank = min(ranks), row["rank"]
    if rank == best:
        return "drew" if ranks.count(best) > 1 else "won"
    return "lost"
