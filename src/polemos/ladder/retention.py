"""Replays take up room: they are kept for some time, and only so many for each bot. Results stay forever."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, Engine, and_, bindparam, select, update

from polemos.ladder.clock import now, reading, time_of, writing
from polemos.ladder.files import Replays
from polemos.server.store import ladder as db

AGE: Final = 90 * 86400.0  # seconds
PER_BOT: Final = 500  # the newest of each bot
STRAY: Final = 86400.0  # seconds after which a replay that no game names is deleted
MAX_AT_ONCE: Final = 1000
_games: Final = db.games
_seats: Final = db.seats


class Keeper:
    """Deletes replays that nobody keeps: too old, or beyond the number of every bot in them."""

    def __init__(self, engine: Engine, replays: Replays, *, age: float = AGE, per_bot: int = PER_BOT) -> None:
        self._engine = engine
        self._replays = replays
        self._age = age
        self._per_bot = per_bot
        self._done: dict[int, int] = {}  # bot to the number of the last game that it no longer keeps

    def look(self) -> int:
        """Deletes what is due; returns how many replays."""
        with reading(self._engine) as connection:
            many = set(self._too_many(connection))
        deleted = self._delete(many)
        while True:  # a busy week ends as quickly as it came
            with reading(self._engine) as connection:
                old = self._too_old(connection)
            deleted += self._delete(set(old))
            if len(old) < MAX_AT_ONCE:
                return deleted

    def _too_old(self, connection: Connection) -> list[tuple[int, str]]:
        rows = connection.execute(
            select(_games.c.id, _games.c.replay)
            .where(_games.c.replay.is_not(None), _games.c.done < now() - self._age)
            .limit(MAX_AT_ONCE)
        )
        return [(id, replay) for id, replay in rows]

    def _too_many(self, connection: Connection) -> Iterable[tuple[int, str]]:
        kept: dict[int, int] = {}  # bot to the oldest of the games that it keeps
        for bot in connection.execute(select(db.bots.c.id)).scalars().all():
            oldest = connection.execute(
                select(_seats.c.game_id)
                .where(_seats.c.bot_id == bot)
                .order_by(_seats.c.game_id.desc())
                .offset(self._per_bot - 1)
                .limit(1)
            ).scalar()
            kept[bot] = 0 if oldest is None else int(oldest)
        for bot, oldest in kept.items():
            rows = connection.execute(
                select(_games.c.id, _games.c.replay)
                .join_from(_seats, _games, _games.c.id == _seats.c.game_id)
                .where(
                    and_(_seats.c.bot_id == bot, _seats.c.game_id < oldest, _seats.c.game_id >= self._done.get(bot, 0)),
                    _games.c.replay.is_not(None),
                )
            ).all()
            self._done[bot] = oldest  # one that another bot still keeps is found when that one lets go of it
            for id, replay in rows:
                others = connection.execute(select(_seats.c.bot_id).where(_seats.c.game_id == id)).scalars()
                if all(id < kept[other] for other in others):
                    yield id, replay

    def _delete(self, old: set[tuple[int, str]]) -> int:
        rows = sorted(old)
        for start in range(0, len(rows), MAX_AT_ONCE):  # results wait for whoever writes
            some = rows[start : start + MAX_AT_ONCE]
            with writing(self._engine) as connection:  # first the rows: a page must not offer what is gone
                connection.execute(
                    update(_games).where(_games.c.id == bindparam("of")).values(replay=None),
                    [{"of": id} for id, _ in some],
                )
            self._replays.delete(digest for _, digest in some)
        return len(old)

    def sweep(self) -> int:
        """Deletes files that no game names, left by a server that was killed; returns of how many games."""
        with reading(self._engine) as connection:
            since = time_of(connection) - STRAY
            before = list(self._replays.before(since))
            known: set[str] = set()
            for start in range(0, len(before), 500):
                part = before[start : start + 500]
                known |= set(connection.execute(select(_games.c.replay).where(_games.c.replay.in_(part))).scalars())
        stray = {digest for digest in before if digest not in known}
        self._replays.delete(stray)
        for path in self._replays.unfinished(since):
            path.unlink(missing_ok=True)
        return len(stray)
