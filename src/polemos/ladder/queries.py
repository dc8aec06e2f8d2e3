"""What the pages ask. Every statement finds its rows by an index, however many games there are."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Select, and_, func, literal_column, or_, select
from sqlalchemy.sql import ColumnElement

from polemos.ladder.clock import now
from polemos.ladder.ladders import USUAL, Ladder
from polemos.ladder.leases import LEASED, WAITING
from polemos.server.store import ladder as db
from polemos.server.store import schema

PACE: Final = 120.0  # seconds over which games a minute are counted
Query = Select[Any]
_games = db.games
_seats = db.seats
_bots = db.bots
_versions = db.bot_versions
PLAYS: Final = func.coalesce(db.entries.c.version_id, _bots.c.version_id)  # the locked version, or the newest


@lru_cache(maxsize=100)  # to put it together takes as long as to read a hundred rows
def table(ladder: int, season: int) -> Query:
    """The ladder: every bot with its last fit, its live rating and its figures, from first to last."""
    entries, ratings, tallies, fit, seasons = db.entries, db.ratings, db.tallies, db.fit_ratings, db.seasons
    last = select(seasons.c.fit_id).where(seasons.c.id == season).scalar_subquery()
    return (
        select(
            _bots.c.id.label("bot"),
            _bots.c.name,
            _bots.c.account_id,
            schema.accounts.c.name.label("author"),
            _bots.c.builtin,
            _bots.c.state,
            _bots.c.paused_by,
            _bots.c.why,
            _bots.c.changed,
            PLAYS.label("version"),
            _versions.c.number,
            _versions.c.language,
            entries.c.version_id.is_not(None).label("locked"),
            fit.c.elo,
            fit.c.margin,
            fit.c.placing,
            fit.c.rank_from,
            fit.c.rank_to,
            fit.c.band,
            fit.c.doubt_from,
            fit.c.doubt_to,
            fit.c.mu.label("mu_then"),
            ratings.c.mu,
            ratings.c.sigma,
            tallies.c.games,
            tallies.c.wins,
            tallies.c.draws,
            tallies.c.faults,
            tallies.c.strikes,
            tallies.c.void_lines,
            tallies.c.cpu,
        )
        .join_from(entries, _bots, _bots.c.id == entries.c.bot_id)
        .join(_versions, _versions.c.id == PLAYS)
        .outerjoin(schema.accounts, schema.accounts.c.id == _bots.c.account_id)
        .outerjoin(fit, and_(fit.c.fit_id == last, fit.c.version_id == PLAYS))
        .outerjoin(ratings, and_(ratings.c.season_id == season, ratings.c.version_id == PLAYS))
        .outerjoin(tallies, and_(tallies.c.season_id == season, tallies.c.version_id == PLAYS))
        .where(entries.c.ladder_id == ladder, _bots.c.state != "deleted")
        .order_by(fit.c.elo.is_(None), fit.c.elo.desc(), _bots.c.id)
    )


def can_play(ladder: Ladder) -> tuple[ColumnElement[bool], ...]:
    """Which of the bots on a ladder can play there now. In a final, those that were locked for it, even if their author
    has paused them since.
    """
    is_final = ladder.phase == "final"
    chosen = db.entries.c.version_id if is_final else PLAYS
    active = _bots.c.state == "active"
    if is_final:
        active = or_(active, and_(_bots.c.state == "paused", _bots.c.paused_by == "author"))
    return db.entries.c.ladder_id == ladder.id, active, chosen.is_not(None)


def field(ladder: Ladder) -> Query:
    """The bots that can play on a ladder now, by name."""
    return (
        _named()
        .join_from(db.entries, _bots, _bots.c.id == db.entries.c.bot_id)
        .join(_versions, _versions.c.id == PLAYS)
        .outerjoin(schema.accounts, schema.accounts.c.id == _bots.c.account_id)
        .where(*can_play(ladder))
    )


def called(versions: list[int]) -> Query:
    """Versions with their bots and authors, by name."""
    return (
        _named()
        .join_from(_versions, _bots, _bots.c.id == _versions.c.bot_id)
        .outerjoin(schema.accounts, schema.accounts.c.id == _bots.c.account_id)
        .where(_versions.c.id.in_(versions))
    )


def _named() -> Query:
    author = schema.accounts.c.name.label("author")
    return select(_bots.c.id, _bots.c.name, _bots.c.account_id, _versions.c.number, author).order_by(
        _bots.c.name, _bots.c.id
    )


LISTED = (
    _games.c.id,
    _games.c.meeting,
    _games.c.turn,
    _games.c.map,
    _games.c.why,
    _games.c.stage,
    _games.c.counts,
    _games.c.state,
    _games.c.cause,
    _games.c.done,
    _games.c.reason,
    _games.c.steps,
    _games.c.ranks,
    _games.c.seating,
    _games.c.faulty,
    _games.c.replay,
    _games.c.begun,
    _games.c.trouble,
)


def is_public() -> ColumnElement[bool]:
    """Whether a game belongs to a public ladder. What is played in groups concerns their members."""
    return _games.c.ladder_id.in_(select(db.ladders.c.id).where(db.ladders.c.circle == ""))


def games_of(bot: int, before: int | None = None, limit: int = 50) -> Query:
    """The public games of a bot, newest first, with its own seat."""
    which = and_(_seats.c.bot_id == bot, is_public())
    return (
        select(*LISTED, _seats)
        .join_from(_seats, _games, _games.c.id == _seats.c.game_id)
        .where(which if before is None else and_(which, _seats.c.game_id < before))
        .order_by(_seats.c.game_id.desc())
        .limit(limit)
    )


def on_public_ladders() -> Query:
    """The bots on public ladders."""
    of = db.ladders
    return select(db.entries.c.bot_id).where(db.entries.c.ladder_id.in_(select(of.c.id).where(of.c.circle == "")))


def between(bot: int, others: list[int], limit: int, far: int) -> Query:
    """The last public games of a bot against some others, newest first, among so many of its own."""
    mine = (
        select(_seats.c.game_id)
        .where(_seats.c.bot_id == bot, _seats.c.done.is_not(None))
        .order_by(_seats.c.game_id.desc())
        .limit(far)
        .cte("mine")
    )
    other = _seats.alias("other")
    met = and_(other.c.game_id == mine.c.game_id, other.c.bot_id.in_(others))
    return (
        select(*LISTED, _games.c.ladder_id)
        .distinct()  # in a game of several seats, more than one of the others may sit
        .join_from(mine, other, met)
        .join(_games, _games.c.id == mine.c.game_id)
        .where(_games.c.cause == "played", is_public())
        .order_by(_games.c.id.desc())
        .limit(limit)
    )


def results_of(bot: int, limit: int, before: int | None = None) -> Query:
    """The last public results of a bot, newest first: a row for each of its opponents, in order of their entries."""
    which = and_(_seats.c.bot_id == bot, _seats.c.done.is_not(None), is_public())
    mine = (
        select(_seats, _games.c.map)
        .join_from(_seats, _games, _games.c.id == _seats.c.game_id)
        .where(which if before is None else and_(which, _seats.c.game_id < before))
        .order_by(_seats.c.game_id.desc())
        .limit(limit)
        .cte("mine")
    )
    own, other, others = _versions.alias("own"), _seats.alias("other"), _versions.alias("others")
    return (
        select(
            *(mine.c[name] for name in ("game_id", "done", "map", "rank", "points", "fault", "strikes", "cpu")),
            own.c.number,
            _bots.c.name.label("other"),
            others.c.number.label("other_number"),
        )
        .join_from(mine, own, own.c.id == mine.c.version_id)
        .join(other, and_(other.c.game_id == mine.c.game_id, other.c.entry != mine.c.entry))
        .join(_bots, _bots.c.id == other.c.bot_id)
        .join(others, others.c.id == other.c.version_id)
        .order_by(mine.c.game_id.desc(), other.c.entry)
    )


def seats_of(games: list[int]) -> Query:
    """The bots in some games, with their names."""
    return (
        select(_seats, _bots.c.name, _versions.c.number)
        .join_from(_seats, _bots, _bots.c.id == _seats.c.bot_id)
        .join(_versions, _versions.c.id == _seats.c.version_id)
        .where(_seats.c.game_id.in_(games))
        .order_by(_seats.c.game_id, _seats.c.entry)
    )


def versions(bot: int) -> Query:
    return select(_versions).where(_versions.c.bot_id == bot).order_by(_versions.c.number.desc())


def finished(season: int, limit: int = 20) -> Query:
    """The games that finished last on a ladder."""
    return (
        select(*LISTED, _games.c.ladder_id)
        .where(_games.c.season_id == season, _games.c.done.is_not(None))
        .order_by(_games.c.done.desc())
        .limit(limit)
    )


def playing() -> Query:
    """The games that are being played now."""
    return (
        select(*LISTED, _games.c.ladder_id, _games.c.lease, _games.c.expires, db.workers.c.name.label("worker"))
        .outerjoin_from(_games, db.workers, db.workers.c.id == _games.c.worker_id)
        .where(_games.c.state == LEASED)
        .order_by(_games.c.expires)
    )


def waiting(limit: int = 100) -> Query:
    """The games that are played next, in order."""
    return (
        select(*LISTED, _games.c.ladder_id, _games.c.priority, _games.c.created)
        .where(_games.c.state == WAITING)
        .order_by(_games.c.priority, _games.c.id)
        .limit(limit)
    )


def since_fit(season: int) -> Query:
    """How many results there are since the last fit."""
    fits, seasons = db.fits, db.seasons
    last = (
        select(fits.c.at)
        .join_from(seasons, fits, fits.c.id == seasons.c.fit_id)
        .where(seasons.c.id == season)
        .scalar_subquery()
    )
    rated = (_games.c.cause == "played", _games.c.counts)
    return select(func.count()).where(_games.c.season_id == season, *_done_since(last), *rated)


def pace(seasons: Select[Any] | list[int], seconds: float = PACE) -> Query:
    """How many games have been played on some ladders in the last seconds."""
    return select(func.count().label("n")).where(
        _games.c.season_id.in_(seasons), *_done_since(now() - seconds), _games.c.cause == "played"
    )


def _done_since(time: Any) -> tuple[ColumnElement[bool], ...]:
    """Games that ended after a time.

    PostgreSQL does not know the time when it plans. From one bound it takes a third of all games to be later, and reads
    them all; from two it takes half a hundredth, and uses the index.
    """
    return _games.c.done > time, _games.c.done <= now()


def notices(account: int, limit: int = 50) -> Query:
    of = db.notices
    return select(of).where(of.c.account_id == account).order_by(of.c.id.desc()).limit(limit)


def archive(ladder: int) -> Query:
    """The seasons of a ladder, newest first."""
    return select(db.seasons).where(db.seasons.c.ladder_id == ladder).order_by(db.seasons.c.number.desc())


# ---- of authors, and the page of a bot


def standings(bots: Select[Any], ladder: int | None = None) -> Query:
    """Bots, each with the version that plays and its standing on a public ladder, if it is on it.

    `bots` selects their numbers. Without a ladder, it is the one of the usual rules, or else the oldest.
    """
    entries, ladders, seasons, fit, tallies = db.entries, db.ladders, db.seasons, db.fit_ratings, db.tallies
    live, of_anchor, anchor = db.ratings, db.ratings.alias("of_anchor"), db.bots.alias("anchor")
    centre = (
        select(of_anchor.c.mu)
        .join_from(anchor, of_anchor, of_anchor.c.version_id == anchor.c.version_id)
        .where(anchor.c.id == ladders.c.anchor_id, of_anchor.c.season_id == seasons.c.id)
        .scalar_subquery()
    )
    of = ladders.alias("of")
    on = (
        select(entries.c.ladder_id)
        .join_from(entries, of, of.c.id == entries.c.ladder_id)
        .where(entries.c.bot_id == _bots.c.id, of.c.circle == "")
        .order_by(of.c.rules != USUAL, of.c.id)
        .limit(1)
    )
    first = (on if ladder is None else on.where(of.c.id == ladder)).scalar_subquery()
    return (
        select(
            _bots,
            _versions.c.number,
            _versions.c.language,
            ladders.c.id.label("ladder"),
            ladders.c.budget,
            ladders.c.anchor_id,
            seasons.c.id.label("season"),
            seasons.c.number.label("season_number"),
            seasons.c.begun,
            seasons.c.fit_id,
            fit.c.elo,
            fit.c.margin,
            fit.c.placing,
            fit.c.rank_from,
            fit.c.rank_to,
            fit.c.mu.label("mu_then"),
            live.c.mu,
            live.c.sigma,
            centre.label("centre"),
            tallies.c.games,
            tallies.c.wins,
            tallies.c.draws,
            tallies.c.faults,
            tallies.c.strikes,
            tallies.c.cpu,
        )
        .outerjoin_from(_bots, _versions, _versions.c.id == _bots.c.version_id)
        .outerjoin(ladders, ladders.c.id == first)
        .outerjoin(seasons, and_(seasons.c.ladder_id == ladders.c.id, seasons.c.phase != "over"))
        .outerjoin(fit, and_(fit.c.fit_id == seasons.c.fit_id, fit.c.version_id == _bots.c.version_id))
        .outerjoin(live, and_(live.c.season_id == seasons.c.id, live.c.version_id == _bots.c.version_id))
        .outerjoin(tallies, and_(tallies.c.season_id == seasons.c.id, tallies.c.version_id == _bots.c.version_id))
        .where(_bots.c.id.in_(bots), _bots.c.state != "deleted")
        .order_by(_bots.c.name)
    )


def ranked(fit: int) -> Query:
    """How many bots have a rank in a fit."""
    of = db.fit_ratings
    return select(func.count()).where(of.c.fit_id == fit, of.c.listed, of.c.rank_from.is_not(None))


def games_since(bot: int, since: float) -> Query:
    """How many games of a bot were played after a time."""
    return select(func.count()).where(_seats.c.bot_id == bot, _seats.c.done > since)


def public_ladders(bot: int) -> Query:
    """The public ladders that a bot is on, that of the usual rules first."""
    of, entries = db.ladders, db.entries
    return (
        select(of.c.id, of.c.rules, of.c.title)
        .join_from(entries, of, of.c.id == entries.c.ladder_id)
        .where(entries.c.bot_id == bot, of.c.circle == "")
        .order_by(of.c.rules != USUAL, of.c.id)
    )


def curves(bot: int, ladder: int | None) -> Query:
    """The ratings of all versions of a bot on a ladder over time, each for as long as it played."""
    fit, fits, seasons = db.fit_ratings, db.fits, db.seasons
    own = select(_versions.c.id).where(_versions.c.bot_id == bot)
    return (
        select(fit.c.version_id, fits.c.at, fit.c.elo, fit.c.margin)
        .join_from(fit, fits, fits.c.id == fit.c.fit_id)
        .join(seasons, seasons.c.id == fits.c.season_id)
        .where(fit.c.version_id.in_(own), fit.c.listed, seasons.c.ladder_id == ladder)
        .order_by(fit.c.version_id, fit.c.fit_id)
    )


def ratings_in(fit: int, versions: Select[Any]) -> Query:
    """The ratings of versions in a fit."""
    of = db.fit_ratings
    return select(of).where(of.c.fit_id == fit, of.c.version_id.in_(versions))


def our_ratings(fit: int) -> Query:
    """Our own bots in a fit."""
    of = db.fit_ratings
    return (
        select(_bots.c.id, _bots.c.name, of.c.elo)
        .join_from(of, _bots, _bots.c.id == of.c.bot_id)
        .where(of.c.fit_id == fit, _bots.c.builtin.is_not(None), of.c.listed)
        .order_by(of.c.elo)
    )


def opponents(season: int, version: int, fit: int | None, limit: int) -> Query:
    """The strongest opponents of a version, with their ratings; those without one last."""
    pairs, of = db.pairs, db.fit_ratings
    return (
        select(_bots.c.id, _bots.c.name, of.c.elo)
        .join_from(pairs, _versions, _versions.c.id == pairs.c.other_id)
        .join(_bots, _bots.c.id == _versions.c.bot_id)
        .outerjoin(of, and_(of.c.fit_id == fit, of.c.version_id == _bots.c.version_id))
        .where(pairs.c.season_id == season, pairs.c.version_id == version)
        .group_by(_bots.c.id, _bots.c.name, of.c.elo)
        .order_by(of.c.elo.is_(None), of.c.elo.desc(), _bots.c.name, _bots.c.id)
        .limit(limit)
    )


_SUMS = tuple(func.sum(db.pairs.c[name]).label(name) for name in ("games", "wins", "draws"))


def by_opponent(season: int, version: int, bots: list[int]) -> Query:
    """The results of a version against some bots, by map."""
    pairs = db.pairs
    others = select(_versions.c.id).where(_versions.c.bot_id.in_(bots))
    return (
        select(_versions.c.bot_id, pairs.c.map, *_SUMS)
        .join_from(pairs, _versions, _versions.c.id == pairs.c.other_id)
        .where(pairs.c.season_id == season, pairs.c.version_id == version, pairs.c.other_id.in_(others))
        .group_by(_versions.c.bot_id, pairs.c.map)
        .order_by(_versions.c.bot_id, pairs.c.map)
    )


def by_map(season: int, version: int) -> Query:
    """The results of a version against everybody, by map."""
    pairs = db.pairs
    which = (pairs.c.season_id == season, pairs.c.version_id == version)
    return select(pairs.c.map, *_SUMS).where(*which).group_by(pairs.c.map).order_by(pairs.c.map)


# As the index over just these rows says it: databases compare the text.
HAD_TROUBLE: Final = or_(_seats.c.fault.is_not(None), _seats.c.strikes > literal_column("0"))


def faults_of(bot: int, limit: int = 8) -> Query:
    """The last public games of a bot with a fault or a strike."""
    return (
        select(_seats, _games.c.replay)
        .join_from(_seats, _games, _games.c.id == _seats.c.game_id)
        .where(_seats.c.bot_id == bot, HAD_TROUBLE, is_public())
        .order_by(_seats.c.game_id.desc())
        .limit(limit)
    )


def times_of(version: int, among: int = 50) -> Query:
    """The CPU time of a version in the last games that it played: all of it, the steps, and the slowest answer."""
    last = (
        select(_seats.c.cpu, _seats.c.slowest, _games.c.steps)
        .join_from(_seats, _games, _games.c.id == _seats.c.game_id)
        .where(_seats.c.version_id == version, _seats.c.done.is_not(None))
        .order_by(_seats.c.game_id.desc())
        .limit(among)
        .subquery()
    )
    return select(
        func.sum(last.c.cpu).label("cpu"),
        func.sum(last.c.steps).label("steps"),
        func.max(last.c.slowest).label("slowest"),
    )
