"""The table of people, read from the database."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, func, select

from polemos.ladder.rater import shown
from polemos.server.store import people as db
from polemos.server.store import schema
from polemos.wire.ladder import PeoplePage, RatedPerson

MAX_PEOPLE: Final = 500
_SURE: Final = 1.96  # sigmas to the lower end of an interval


def page(connection: Connection, game: str, rules: str | None) -> PeoplePage:
    """`rules`: a rule set; otherwise the one in which most people have played."""
    of, accounts = db.ratings, schema.accounts
    by_rules = select(of.c.rules).where(of.c.game == game).group_by(of.c.rules)
    all_rules = connection.execute(by_rules.order_by(func.count().desc(), of.c.rules)).scalars().all()
    chosen = rules or (all_rules[0] if all_rules else "")
    rows = connection.execute(
        select(accounts.c.name, of.c.mu, of.c.sigma, of.c.games, of.c.wins, of.c.draws, of.c.last)
        .join_from(of, accounts, accounts.c.id == of.c.account_id)
        .where(of.c.game == game, of.c.rules == chosen, accounts.c.password != "")  # deleted accounts have none
        .order_by((of.c.mu - _SURE * of.c.sigma).desc(), accounts.c.id)
        .limit(MAX_PEOPLE)
    )
    found = []
    for name, mu, sigma, games, wins, draws, last in rows:
        rating, margin = shown(mu, sigma, None)
        found.append(RatedPerson(name, round(rating, 1), round(margin, 1), games, wins, draws, last))
    return PeoplePage(game, chosen, tuple(all_rules), tuple(found))
