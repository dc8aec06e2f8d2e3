"""The hourly fit over all games of a season, with intervals, ranks and bands."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import numpy as np
from msgspec import Struct
from sqlalchemy import Connection, Engine, Integer, cast, delete, func, insert, or_, select, update
from sqlalchemy.sql import ColumnElement

from polemos.arena.tournament.fit import ELO, NORMAL_95, fitted
from polemos.ladder import ladders
from polemos.ladder.clock import now, reading, time_of, writing
from polemos.ladder.ladders import Ladder
from polemos.ladder.leases import DONE
from polemos.ladder.pairing import NARROW, PLACEMENT
from polemos.ladder.rater import CENTRE
from polemos.ladder.standings import Standing, anchored, own_doubts, standings
from polemos.server.store import ladder as db
from polemos.server.store.ledger import connect

HOUR: Final = 3600.0
SOON: Final = 30.0  # seconds between two fits of a young season
MANY: Final = 10_000  # games; with more, it is not young any more
HOURLY: Final = 3 * 86400.0  # seconds for which all fits are kept; after that one a day
SHOWN_PAUSED: Final = 7 * 86400.0  # seconds for which a paused bot keeps its row
MAX_VERSIONS: Final = 1500  # in an hourly fit: those that play, then the newest
MAX_LAST: Final = 3000  # in the last fit of a season, chosen likewise: its matrices have so many rows and columns
_games: Final = db.games

Outcomes = list[tuple[tuple[int, ...], tuple[int, ...], int]]


class Rated(Struct, frozen=True):
    """A version in a fit."""

    version: int
    bot: int
    elo: float
    margin: float
    games: int
    listed: bool
    placing: bool
    standing: Standing | None


def outcomes(connection: Connection, season: int) -> Outcomes:
    """The results of a season: who played, with what ranks, in how many distinct games."""
    rows = connection.execute(
        select(_games.c.seating, _games.c.ranks, func.count(_games.c.fingerprint.distinct()))
        .where(_games.c.season_id == season, _games.c.state == DONE, _games.c.cause == "played", _games.c.counts)
        .group_by(_games.c.seating, _games.c.ranks)
    )
    return [(_numbers(seating), _numbers(ranks), int(count)) for seating, ranks, count in rows]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def listed(connection: Connection, ladder: Ladder) -> dict[int, int]:
    """The versions with a row on the ladder, and their bots. In a final, those that were locked for it: nobody wins a
    season by staying away from its end.
    """
    entries, bots = db.entries, db.bots
    locked: ColumnElement[Any] = entries.c.version_id
    version = locked if ladder.phase == "final" else func.coalesce(locked, bots.c.version_id)
    rows = connection.execute(
        select(version, bots.c.id)
        .join_from(entries, bots, bots.c.id == entries.c.bot_id)
        .where(
            entries.c.ladder_id == ladder.id,
            version.is_not(None),
            bots.c.state != "deleted",
            or_(bots.c.state == "active", bots.c.changed > now() - SHOWN_PAUSED),
        )
    )
    return {version: bot for version, bot in rows}  # noqa: C416  rows are not pairs to the type checker


def rated(
    results: Outcomes, shown: dict[int, int], bots: dict[int, int], anchor: int | None, *, most: int | None = None
) -> list[Rated]:
    """The fit as a pure function of results. `shown` are the versions with a row on the ladder, `bots` those of all."""
    played: Counter[int] = Counter()
    for seating, _, times in results:
        played.update(dict.fromkeys(seating, times))
    versions = sorted(played, key=lambda version: (version not in shown, version != anchor, -version))[:most]
    if not versions:
        return []
    place = {version: i for i, version in enumerate(versions)}
    kept = [
        ([place[version] for version in seating], ranks, times)
        for seating, ranks, times in results
        if all(version in place for version in seating)
    ]
    of = fitted(len(versions), kept)
    strengths, covariance = of.strengths, of.covariance
    if anchor in place:
        strengths, covariance = anchored(strengths, covariance, place[anchor])
    elos = CENTRE + ELO * strengths
    margins = NORMAL_95 * ELO * np.sqrt(np.maximum(0.0, np.diag(covariance)))
    placing = [played[version] < PLACEMENT and margins[i] > NARROW for version, i in place.items()]
    rows = [i for version, i in place.items() if version in shown]
    found: dict[int, Standing] = {}
    if rows:
        at = np.ix_(rows, rows)
        wide = [bool(doubt) for doubt in NORMAL_95 * ELO * np.sqrt(own_doubts(covariance[at])) > NARROW]
        said = standings(strengths[rows], covariance[at], [bool(placing[i]) for i in rows], wide)
        found = dict(zip(rows, said, strict=True))
    return [
        Rated(
            version=version,
            bot=bots[version],
            elo=float(elos[i]),
            margin=float(margins[i]),
            games=played[version],
            listed=version in shown,
            placing=bool(placing[i]),
            standing=found.get(i),
        )
        for version, i in place.items()
    ]


def fit(engine: Engine, ladder: Ladder, *, everything: bool = False) -> int | None:
    """Fits a season and writes what it says; returns the number of the fit, or None if nobody has played.

    `everything`: also versions that do not play any more, as far as there is room.
    """
    with reading(engine) as connection:  # a long read, which nobody waits for
        results = outcomes(connection, ladder.season)
        shown = listed(connection, ladder)
        bots = _bots(connection, ladder.season)
        anchor = _anchor(connection, ladder)
    found = rated(results, shown, bots, anchor, most=MAX_LAST if everything else MAX_VERSIONS)
    if not found:
        return None
    with writing(engine) as connection:
        games = sum(times for _, _, times in results)
        row = {"season_id": ladder.season, "at": now(), "games": games, "anchor_id": anchor}
        number = int(connection.execute(insert(db.fits).values(row).returning(db.fits.c.id)).scalar_one())
        if not ladder.circle:
            _tell_authors(connection, ladder, found)
        live = _live(connection, ladder.season)
        kept = found if everything else _kept(found)
        rows = [{**_row(number, one), "mu": live.get(one.version)} for one in kept]
        if rows:
            connection.execute(insert(db.fit_ratings), rows)
        connection.execute(update(db.seasons).where(db.seasons.c.id == ladder.season).values(fit_id=number))
    return number


def _tell_authors(connection: Connection, ladder: Ladder, found: list[Rated]) -> None:
    """Tells authors of versions that have just been placed, once on each ladder, in whatever season."""
    of, fits, seasons, bots, versions = db.fit_ratings, db.fits, db.seasons, db.bots, db.bot_versions
    last = select(seasons.c.fit_id).where(seasons.c.id == ladder.season).scalar_subquery()
    known = set(connection.execute(select(of.c.version_id).where(of.c.fit_id == last, ~of.c.placing)).scalars())
    placed = {one.version: one for one in found if one.listed and not one.placing and one.version not in known}
    before = (
        select(of.c.version_id)
        .join_from(of, fits, fits.c.id == of.c.fit_id)
        .join(seasons, seasons.c.id == fits.c.season_id)
        .where(of.c.version_id == versions.c.id, ~of.c.placing, seasons.c.ladder_id == ladder.id)
        .exists()
    )
    rows = connection.execute(
        select(versions.c.id, versions.c.number, bots.c.id.label("bot"), bots.c.name, bots.c.account_id)
        .join_from(versions, bots, bots.c.id == versions.c.bot_id)
        .where(versions.c.id.in_(placed), bots.c.account_id.is_not(None), ~before)
    ).all()
    where = f" on {ladder.title}" if ladder.is_extra else ""  # its page shows that of the usual rules first
    for row in rows:
        one = placed[row.id]
        rating = f"{one.elo:.0f} ±{one.margin:.0f}{_rank(one.standing)}"
        text = f"{row.name} v{row.number} has its first rating{where}: {rating}."
        connection.execute(
            insert(db.notices).values(account_id=row.account_id, bot_id=row.bot, at=now(), kind="rated", text=text)
        )


def _rank(said: Standing | None) -> str:
    if said is None or said.rank_from is None:
        return ""
    return f", rank {said.rank_from}" + ("" if said.rank_to == said.rank_from else f"–{said.rank_to}")


def _kept(found: list[Rated]) -> list[Rated]:
    """The versions on the ladder, and the newest other one of each of these bots: is it better than that one was?"""
    playing = {one.bot for one in found if one.listed}
    others: dict[int, int] = {}
    for one in found:
        if not one.listed and one.bot in playing:
            others[one.bot] = max(one.version, others.get(one.bot, 0))
    return [one for one in found if one.listed or others.get(one.bot) == one.version]


def fit_at(url: str, ladder: int, everything: bool) -> int | None:
    """The same in another process."""
    engine = connect(url)
    try:
        with reading(engine) as connection:
            found = ladders.one(connection, ladder)
        return fit(engine, found, everything=everything)
    finally:
        engine.dispose()


def is_large(connection: Connection, season: int) -> bool:
    """Whether a season had many games when it was last fitted."""
    fits, seasons = db.fits, db.seasons
    games = connection.execute(
        select(fits.c.games).join_from(seasons, fits, fits.c.id == seasons.c.fit_id).where(seasons.c.id == season)
    ).scalar()
    return games is not None and games >= MANY


def _row(number: int, one: Rated) -> dict[str, Any]:
    said = one.standing or Standing(None, None, 0)
    return {
        "fit_id": number,
        "version_id": one.version,
        "bot_id": one.bot,
        "elo": one.elo,
        "margin": one.margin,
        "games": one.games,
        "listed": one.listed,
        "placing": one.placing,
        "rank_from": said.rank_from,
        "rank_to": said.rank_to,
        "band": said.band or None,
        "doubt_from": said.doubt_from,
        "doubt_to": said.doubt_to,
    }


def _live(connection: Connection, season: int) -> dict[int, float]:
    """The live ratings of all versions."""
    of = db.ratings
    rows = connection.execute(select(of.c.version_id, of.c.mu).where(of.c.season_id == season))
    return {version: mu for version, mu in rows}  # noqa: C416


def _bots(connection: Connection, season: int) -> dict[int, int]:
    """The bots of all versions that have played."""
    tallies, versions = db.tallies, db.bot_versions
    rows = connection.execute(
        select(versions.c.id, versions.c.bot_id)
        .join_from(tallies, versions, versions.c.id == tallies.c.version_id)
        .where(tallies.c.season_id == season)
    )
    return {version: bot for version, bot in rows}  # noqa: C416


def _anchor(connection: Connection, ladder: Ladder) -> int | None:
    """The version whose rating is fixed."""
    found = connection.execute(select(db.bots.c.version_id).where(db.bots.c.id == ladder.anchor)).scalar()
    return None if found is None else int(found)


def is_due(connection: Connection, season: int, every: float = HOUR) -> bool:
    """Whether the last fit is too old, and something has been played since.

    A young season is fitted sooner: whenever its games have doubled, so that newcomers to it need not wait for an hour.
    """
    fits, seasons = db.fits, db.seasons
    last = connection.execute(
        select(fits.c.at, fits.c.games)
        .join_from(seasons, fits, fits.c.id == seasons.c.fit_id)
        .where(seasons.c.id == season)
    ).one_or_none()
    if last is None:
        return _played_since(connection, season, 0.0, 1)
    age = time_of(connection) - last.at
    if age >= every:
        return _played_since(connection, season, last.at, 1)
    return age >= SOON and last.games < MANY and _played_since(connection, season, last.at, max(1, last.games))


def _played_since(connection: Connection, season: int, then: float, least: int) -> bool:
    """Whether at least so many games have been finished since then."""
    some = select(_games.c.id).where(_games.c.season_id == season, _games.c.done > then).limit(least).subquery()
    return int(connection.execute(select(func.count()).select_from(some)).scalar_one()) >= least


def thin_out(connection: Connection, season: int) -> int:
    """Deletes old fits but for the last one of each day; returns how many."""
    fits = db.fits
    kept = select(func.max(fits.c.id)).where(fits.c.season_id == season).group_by(cast(fits.c.at / 86400.0, Integer))
    old = (
        connection.execute(
            select(fits.c.id).where(
                fits.c.season_id == season, fits.c.at < now() - HOURLY, fits.c.id.not_in(kept.scalar_subquery())
            )
        )
        .scalars()
        .all()
    )
    for number in old:
        connection.execute(delete(db.fit_ratings).where(db.fit_ratings.c.fit_id == number))
        connection.execute(delete(fits).where(fits.c.id == number))
    return len(old)
