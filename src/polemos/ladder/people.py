"""Ratings of people: openskill's, of rated matches at tables, for every game and rule set apart.

They have nothing to do with those of bots: a match counts here only if people alone play it.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from openskill.models import PlackettLuce
from sqlalchemy import Connection, Engine, RowMapping, literal_column, select, update

from polemos.ladder.clock import Writing, reading, writing
from polemos.ladder.upsert import put
from polemos.server.store import people as db

MAX_AT_ONCE: Final = 200  # matches
_model: Final = PlackettLuce()


def rate(engine: Engine, begin: Writing | None = None) -> int:
    """Rates the matches that have ended since the last time; returns how many. Only one process may do so at a time.

    A match is marked in the transaction that changes the ratings, so it counts once.
    """
    untaken = select(db.results).where(db.results.c.taken == literal_column("0"))
    untaken = untaken.order_by(db.results.c.at, db.results.c.table_id).limit(MAX_AT_ONCE)
    with reading(engine) as connection:
        if connection.execute(untaken.limit(1)).first() is None:
            return 0
    with (begin or partial(writing, engine))() as connection:
        rows = connection.execute(untaken).mappings().all()
        for row in rows:
            _count(connection, row)
        return len(rows)


def _count(connection: Connection, row: RowMapping) -> None:
    of, accounts = db.ratings, [int(account) for account in row["people"].split(",")]
    ranks = [int(rank) for rank in row["ranks"].split(",")]
    which = (of.c.game == row["game"], of.c.rules == row["rules"], of.c.account_id.in_(accounts))
    known = {found["account_id"]: found for found in connection.execute(select(of).where(*which)).mappings()}
    before = [
        _model.rating(known[account]["mu"], known[account]["sigma"]) if account in known else _model.rating()
        for account in accounts
    ]
    after = _model.rate([[one] for one in before], ranks=[float(rank) for rank in ranks])
    for account, rank, (skill,) in zip(accounts, ranks, after, strict=True):
        old, first = known.get(account), rank == 1
        shared = ranks.count(1) > 1
        values = {
            "mu": skill.mu,
            "sigma": skill.sigma,
            "games": (old["games"] if old else 0) + 1,
            "wins": (old["wins"] if old else 0) + (first and not shared),
            "draws": (old["draws"] if old else 0) + (first and shared),
            "last": row["at"],
        }
        put(connection, of, {"game": row["game"], "rules": row["rules"], "account_id": account}, values)
    connection.execute(update(db.results).where(db.results.c.table_id == row["table_id"]).values(taken=1))
