"""A ladder with made-up games and ratings, written into the database of a server: enough for the page of a bot."""

from __future__ import annotations

import math
import time
from pathlib import Path

from sqlalchemy import Engine, insert, select, update

from polemos.ladder import bots, ladders
from polemos.ladder.clock import writing
from polemos.ladder.files import Replays
from polemos.server.store import ladder as db
from polemos.server.store.ledger import connect

MAPS = ("Twin Gates", "Pinwheel", "Hourglass", "Serpent")
HOUR = 3600.0
# Of one opponent: rating, and wins of ten games on each map.
OTHERS = {"Aspis": (1873, (1, 2, 1, 0)), "Testudo": (1760, (4, 5, 3, 5)), "Ferry": (1561, (9, 10, 8, 9))}


def rate_in(folder: Path, bot: int, game: str) -> None:
    """The same in the folder of a server."""
    engine = connect(f"sqlite:///{folder / 'polemos.db'}")
    rate(engine, Replays(folder / "ladder" / "replays"), bot, game)
    engine.dispose()


def rate(engine: Engine, replays: Replays, bot: int, game: str) -> None:
    """Gives a bot a past on a new ladder: games, results by opponent and map, faults, and a curve."""
    now = time.time()
    with writing(engine) as connection:
        ladder = ladders.open_ladder(connection, game)
        ladders.enter(connection, ladder, bot)
        found = ladders.one(connection, ladder)
        connection.execute(update(db.seasons).where(db.seasons.c.id == found.season).values(begun=now - 30 * 24 * HOUR))
        of = db.bot_versions
        own = list(
            connection.execute(
                select(of.c.id).where(of.c.bot_id == bot, of.c.state == "passed").order_by(of.c.number)
            ).scalars()
        )
        plays = own[-1]
        ratings: list[dict[str, object]] = []
        for hour in range(0, 30 * 24, 12):
            fit = connection.execute(
                insert(db.fits)
                .values(season_id=found.season, at=now - (30 * 24 - hour) * HOUR, games=hour)
                .returning(db.fits.c.id)
            ).scalar_one()
            half = 15 * 24
            version = own[0] if hour < half and len(own) > 1 else plays
            age = (hour % half if len(own) > 1 else hour) / 12 + 1
            elo = 1500 + (120 if version == plays else 0) + 60 * (1 - math.exp(-age / 10)) + 6 * math.sin(hour / 30)
            ratings.append(
                {
                    "fit_id": fit,
                    "version_id": version,
                    "bot_id": bot,
                    "elo": elo,
                    "margin": 20 + 70 / math.sqrt(age),
                    "games": int(age * 12),
                    "listed": True,
                    "placing": False,
                    "rank_from": 4,
                    "rank_to": 9,
                    "band": 2,
                }
            )
        last = ratings[-1]["fit_id"]
        if len(own) > 1:
            ratings.append({**ratings[-1], "version_id": own[0], "elo": 1555.0, "margin": 30.0, "listed": False})
        for name, (elo, wins) in OTHERS.items():
            other = bots.add(connection, game, name, None)
            version = bots.add_version(connection, other, None)
            bots.passed(connection, version)
            ladders.enter(connection, ladder, other)
            ratings.append(
                {**ratings[0], "fit_id": last, "version_id": version, "bot_id": other, "elo": elo, "margin": 25.0}
            )
            for map, won in zip(MAPS, wins, strict=True):
                row = {"season_id": found.season, "version_id": plays, "other_id": version, "map": map}
                connection.execute(insert(db.pairs).values({**row, "games": 10, "wins": won, "draws": 0}))
        for id, name in connection.execute(
            select(db.bots.c.id, db.bots.c.version_id).where(db.bots.c.game == game, db.bots.c.builtin.is_not(None))
        ).all():
            ratings.append(
                {**ratings[0], "fit_id": last, "version_id": name, "bot_id": id, "elo": 1500.0, "margin": 0.0}
            )
        connection.execute(insert(db.fit_ratings), ratings)
        connection.execute(update(db.seasons).where(db.seasons.c.id == found.season).values(fit_id=last))
        connection.execute(
            insert(db.tallies).values(
                season_id=found.season, version_id=plays, games=120, wins=57, draws=0, faults=1, strikes=1, cpu=9.0
            )
        )
        others = list(connection.execute(select(db.bots).where(db.bots.c.name.in_(OTHERS))))
        for i in range(8):
            crashed = i == 2
            log = b"876\t[turn 876] plan\n876\tthread 'main' panicked at src/lanes.rs:214: index out of bounds\n"
            game_row = {
                "ladder_id": ladder,
                "season_id": found.season,
                "meeting": i,
                "turn": 0,
                "seed": "1",
                "bot_seed": "1",
                "map": MAPS[i % 4],
                "options": b"{}",
                "why": "placement, game 15 of 30",
                "stage": "season",
                "priority": 1,
                "counts": True,
                "seating": "",
                "created": now,
                "state": "done",
                "done": now - i * 400,
                "cause": "played",
                "ranks": "2,1" if crashed or i % 3 == 0 else "1,2",
                "reason": "the other dropped out" if crashed else "base 31 to 0",
                "steps": 300 + i,
                "replay": replays.put(b"made up %d" % i, {0: log}) if crashed else None,
            }
            number = connection.execute(insert(db.games).values(game_row).returning(db.games.c.id)).scalar_one()
            fault = "crash: exit code 101: index out of bounds" if crashed else None
            against = others[i % len(others)]
            seat = {"game_id": number, "cpu": 2.5, "wall": 3.0, "slowest": 0.09, "done": game_row["done"]}
            ranks = game_row["ranks"].split(",")  # type: ignore[attr-defined]
            connection.execute(
                insert(db.seats),
                [
                    {
                        **seat,
                        "entry": 0,
                        "bot_id": bot,
                        "version_id": plays,
                        "rank": int(ranks[0]),
                        "fault": fault,
                        "fault_step": 214 if crashed else None,
                        "fault_turn": 214 if crashed else None,
                    },
                    {
                        **seat,
                        "entry": 1,
                        "bot_id": against.id,
                        "version_id": against.version_id,
                        "rank": int(ranks[1]),
                        "fault": None,
                        "fault_step": None,
                        "fault_turn": None,
                    },
                ],
            )
