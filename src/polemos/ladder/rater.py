"""Live ratings: openskill's, of all games that count, in order of their numbers.

Games finish in any order. One that comes late is rated where it belongs, and those after it once more, so the ratings
are those of a run in which nothing ever went wrong. What nothing can come before any more is the base, and is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from math import log, sqrt
from typing import Any, Final

from sqlalchemy import Connection, Engine, RowMapping, Select, and_, bindparam, func, literal_column, select, update

from polemos.arena.tournament.plan import Played
from polemos.arena.tournament.ratings import InOrder, Skill
from polemos.ladder.clock import Writing, reading, writing
from polemos.ladder.leases import DONE
from polemos.ladder.pairing import BETA, MU
from polemos.ladder.upsert import put
from polemos.server.store import ladder as db

SCALE: Final = 400 / log(10) / (sqrt(2) * BETA)  # points of Elo in one of openskill's, between well-known bots
CENTRE: Final = 1500.0  # the rating of the anchor
MAX_AT_ONCE: Final = 2000  # games
_NORMAL_95: Final = 1.959963984540054
_games: Final = db.games


def shown(mu: float, sigma: float, anchor: float | None) -> tuple[float, float]:
    """A live rating as pages show it: on the scale of the fit, and its margin."""
    return CENTRE + SCALE * (mu - (MU if anchor is None else anchor)), _NORMAL_95 * SCALE * sigma


def current(row: RowMapping, centre: float | None, *, is_anchor: bool) -> tuple[float, float] | None:
    """The rating that all pages show, and its margin: the last fit with the change of the live rating since; without
    a fit, the live rating alone. `centre` is that of the bot whose rating is fixed.
    """
    if is_anchor:
        return CENTRE, 0.0
    if row["elo"] is not None:
        moved = 0.0 if row["mu"] is None or row["mu_then"] is None else SCALE * (row["mu"] - row["mu_then"])
        return row["elo"] + moved, row["margin"]
    return None if row["mu"] is None else shown(row["mu"], row["sigma"], centre)


class Rater:
    """Follows the games of one season. Only one may do so at a time; `begin` sees to that."""

    def __init__(self, engine: Engine, season: int, begin: Writing | None = None) -> None:
        self._engine = engine
        self._begin = begin or partial(writing, engine)
        self.season = season
        self._order: InOrder | None = None
        self._base = 0
        self._old: set[str] = set()
        self._bots: dict[int, int] = {}

    def look(self) -> int:
        """Rates the games that were finished since the last look; returns how many."""
        with reading(self._engine) as connection:
            if connection.execute(self._untaken().limit(1)).first() is None and self._order is not None:
                return 0
        try:
            with self._begin() as connection:
                return self._rate(connection)
        except BaseException:
            self._order = None  # what is in memory may be ahead of the database: read it again
            raise

    def _rate(self, connection: Connection) -> int:
        if self._order is None:
            self._load(connection)
        order = self._order
        assert order is not None
        settled = self._settled(connection)  # before reading games: all that are settled are among them
        rows = connection.execute(self._untaken().order_by(_games.c.id).limit(MAX_AT_ONCE)).mappings().all()
        if len(rows) == MAX_AT_ONCE:
            settled = min(settled, rows[-1]["id"] - 1)
        self._old |= self._seen_before(connection, rows)
        changed: set[int] = set()
        for row in rows:
            changed |= order.take(played(row))
        base = order.settle(settled)
        self._write(connection, changed, base)
        if rows:
            connection.execute(
                update(_games).where(_games.c.id == bindparam("of")).values(taken=1),
                [{"of": row["id"]} for row in rows],
            )
        if settled > self._base:
            connection.execute(update(db.seasons).where(db.seasons.c.id == self.season).values(rated_to=settled))
            self._base = settled
        return len(rows)

    # ---- reading

    def _load(self, connection: Connection) -> None:
        """The base ratings, and the games after them."""
        ratings = db.ratings
        self._base = connection.execute(
            select(db.seasons.c.rated_to).where(db.seasons.c.id == self.season)
        ).scalar_one()
        rows = connection.execute(
            select(ratings.c.version_id, ratings.c.base_mu, ratings.c.base_sigma, ratings.c.base_games).where(
                ratings.c.season_id == self.season, ratings.c.base_games > 0
            )
        )
        known = {version: Skill(mu, sigma, games) for version, mu, sigma, games in rows}
        self._order = InOrder(known, lambda played: played.fingerprint in self._old)
        after = self._all().where(_games.c.id > self._base, _games.c.taken == 1).order_by(_games.c.id)
        taken = connection.execute(after).mappings().all()
        self._old = self._seen_before(connection, taken)
        for row in taken:
            self._order.take(played(row))

    def _all(self) -> Select[Any]:
        return select(_games.c.id, _games.c.seating, _games.c.ranks, _games.c.fingerprint, _games.c.cause).where(
            _games.c.season_id == self.season, _games.c.state == DONE, _games.c.counts, _games.c.cause == "played"
        )

    def _untaken(self) -> Select[Any]:
        return self._all().where(_games.c.taken == literal_column("0"))

    def _settled(self, connection: Connection) -> int:
        """The number up to which all games are done."""
        which = and_(_games.c.season_id == self.season, _games.c.state != DONE)
        first = connection.execute(select(func.min(_games.c.id)).where(which)).scalar()
        if first is None:
            last = select(func.max(_games.c.id)).where(_games.c.season_id == self.season)
            return int(connection.execute(last).scalar() or 0)
        return int(first) - 1

    def _seen_before(self, connection: Connection, rows: Iterable[RowMapping]) -> set[str]:
        """Courses of games that repeat one which is part of the base."""
        courses = [row["fingerprint"] for row in rows]
        found: set[str] = set()
        for start in range(0, len(courses), 500):
            found |= set(
                connection.execute(
                    select(_games.c.fingerprint).where(
                        _games.c.fingerprint.in_(courses[start : start + 500]),
                        _games.c.season_id == self.season,
                        _games.c.id <= self._base,
                        _games.c.counts,
                    )
                ).scalars()
            )
        return found

    # ---- writing

    def _write(self, connection: Connection, changed: set[int], base: dict[int, Skill]) -> None:
        assert self._order is not None
        versions = sorted(changed | base.keys())
        unknown = [version for version in versions if version not in self._bots]
        if unknown:
            rows = connection.execute(
                select(db.bot_versions.c.id, db.bot_versions.c.bot_id).where(db.bot_versions.c.id.in_(unknown))
            )
            self._bots.update((version, bot) for version, bot in rows)
        for version in versions:
            now, then = self._order.skill(version), base.get(version)
            key = {"season_id": self.season, "version_id": version}
            values = {"bot_id": self._bots[version], "mu": now.mu, "sigma": now.sigma, "games": now.games}
            if then is not None:
                values |= {"base_mu": then.mu, "base_sigma": then.sigma, "base_games": then.games}
            put(connection, db.ratings, key, values, {"base_mu": 0.0, "base_sigma": 0.0, "base_games": 0})


def played(row: RowMapping) -> Played:
    """A game of which only the places matter."""
    return Played(
        number=row["id"],
        meeting=0,
        round=0,
        seating=tuple(int(version) for version in row["seating"].split(",")),
        ranks=tuple(int(rank) for rank in row["ranks"].split(",")),
        points=(),
        reason="",
        rule="",
        steps=0,
        fingerprint=row["fingerprint"],
        void_lines=(),
        forfeits={},
    )
