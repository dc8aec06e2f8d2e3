"""How many games an hour the bots of one account get. The turn of bots makes ladders fair; this bounds an account.

Games of a challenge are paid by whoever asked for it, whosever bots they are.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, func, select

from polemos.ladder.clock import now
from polemos.server.store import groups as store
from polemos.server.store import ladder as db
from polemos.server.store import schema

GAMES: Final = 3000  # an hour, unless an operator has set another quota
WHAT: Final = "games"  # the name of the quota
EVERYONE: Final = 0  # stands for all accounts in the table of quotas
HOUR: Final = 3600.0
LOOK: Final = 15.0  # seconds between two counts


def lock(connection: Connection, account: int) -> None:
    """Until this transaction ends, nobody else counts for this account: several at once can't share the same room."""
    of = schema.accounts
    connection.execute(select(of.c.id).where(of.c.id == account).with_for_update())


class Hourly:
    """The accounts that have used up their games."""

    def __init__(self, limits: float = 1.0) -> None:
        self.spent: frozenset[int] = frozenset()
        self._limits = limits
        self._looked = -LOOK

    def look(self, connection: Connection, seasons: Sequence[int]) -> None:
        """Counts again, unless that was done a moment ago."""
        if time.monotonic() - self._looked < LOOK:
            return
        self._looked = time.monotonic()
        most = quotas(connection, self._limits)
        played = games(connection, seasons)
        self.spent = frozenset(
            account for account, count in played.items() if count >= most.get(account, most[EVERYONE])
        )


def quotas(connection: Connection, limits: float = 1.0) -> dict[int, int]:
    """The quota of every account that has one of its own, and of everyone."""
    of = schema.quotas
    rows = connection.execute(select(of.c.account_id, of.c.most).where(of.c.what == WHAT))
    return {EVERYONE: int(GAMES * limits), **{int(account): int(most) for account, most in rows}}


def games(connection: Connection, seasons: Sequence[int]) -> dict[int, int]:
    """The games of each account that were played in the last hour."""
    of, seats, bots = db.games, db.seats, db.bots
    rows = connection.execute(
        select(bots.c.account_id, func.count())
        .join_from(of, seats, seats.c.game_id == of.c.id)
        .join(bots, bots.c.id == seats.c.bot_id)
        .where(
            of.c.season_id.in_(seasons),
            of.c.done > now() - HOUR,
            of.c.cause == "played",
            of.c.stage != "challenge",
            bots.c.account_id.is_not(None),
        )
        .group_by(bots.c.account_id)
    )
    found = Counter({int(account): int(count) for account, count in rows})
    asked = store.challenges
    for account, count in connection.execute(
        select(asked.c.account_id, func.sum(asked.c.games))
        .where(asked.c.created > now() - HOUR)
        .group_by(asked.c.account_id)
    ):
        found[int(account)] += int(count)
    return found


def games_of(connection: Connection, account: int) -> int:
    """The games of one account that were played in the last hour, and those that it asked for."""
    seats, bots, links, asked = db.seats, db.bots, store.challenge_games, store.challenges
    own = select(bots.c.id).where(bots.c.account_id == account)
    lately = (seats.c.bot_id.in_(own), seats.c.done > now() - HOUR)
    challenge = select(links.c.game_id).where(links.c.game_id == seats.c.game_id).exists()
    played = connection.execute(select(func.count()).where(*lately, ~challenge)).scalar_one()
    mine = (asked.c.account_id == account, asked.c.created > now() - HOUR)
    return int(played) + int(
        connection.execute(select(func.coalesce(func.sum(asked.c.games), 0)).where(*mine)).scalar_one()
    )
