"""What the pages ask: right on a small ladder, and by index on a large one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import Engine, Select, func, insert, select
from sqlalchemy.dialects import sqlite

from polemos.ladder import fits, queries
from polemos.ladder.rater import Rater
from polemos.server.store import ladder as db
from unit.ladder.small import Small, by_strength

LARGE = ("ladder_games", "ladder_seats", "ladder_pairs", "ladder_fit_ratings", "ladder_tallies", "ladder_ratings")


@pytest.fixture
def played(engine: Engine) -> Small:
    """A ladder with some games, a fit, and games that wait or are being played."""
    small = Small(engine)
    for number in range(3):
        small.bot(f"bot {number}")
    strengths = {version: float(version) for (version,) in small.rows(select(db.bot_versions.c.id))}
    for _ in range(8):
        small.scheduler.look()
        small.play_all(by_strength(strengths))
        Rater(engine, small.ladder.season).look()
    fits.fit(engine, small.ladder)
    small.scheduler.look()
    small.claim(2)
    return small


def asked(small: Small) -> dict[str, Select[Any]]:
    ladder = small.ladder
    (bot, version, account) = small.one(
        select(db.bots.c.id, db.bots.c.version_id, db.bots.c.account_id).where(db.bots.c.name == "bot 2")
    )
    (fit,) = small.one(select(db.seasons.c.fit_id).where(db.seasons.c.id == ladder.season))
    return {
        "table": queries.table(ladder.id, ladder.season),
        "games of": queries.games_of(bot, limit=200),
        "games before": queries.games_of(bot, before=20),
        "seats": queries.seats_of([1, 2, 3]),
        "standings": queries.standings(select(db.bots.c.id).where(db.bots.c.account_id == account)),
        "ranked": queries.ranked(fit),
        "lately": queries.games_since(bot, 0.0),
        "curves": queries.curves(bot, ladder.id),
        "public ladders": queries.public_ladders(bot),
        "ratings": queries.ratings_in(fit, select(db.bot_versions.c.id).where(db.bot_versions.c.bot_id == bot)),
        "ours": queries.our_ratings(fit),
        "opponents": queries.opponents(ladder.season, version, fit, 2),
        "by opponent": queries.by_opponent(ladder.season, version, [bot - 1, bot - 2]),
        "by map": queries.by_map(ladder.season, version),
        "results": queries.results_of(bot, 10),
        "results before": queries.results_of(bot, 10, before=20),
        "field": queries.field(ladder),
        "between": queries.between(bot, [bot - 1], 5, 100),
        "on public ladders": queries.on_public_ladders(),
        "called": queries.called([version]),
        "faults": queries.faults_of(bot),
        "times": queries.times_of(version),
        "pace": queries.pace([ladder.season]),
        "versions": queries.versions(bot),
        "finished": queries.finished(ladder.season),
        "playing": queries.playing(),
        "waiting": queries.waiting(),
        "since": queries.since_fit(ladder.season),
        "notices": queries.notices(account),
        "archive": queries.archive(ladder.id),
    }


def test_every_question_has_an_answer(played: Small) -> None:
    with played.engine.connect() as connection:
        rows = {
            name: [dict(row) for row in connection.execute(query).mappings()] for name, query in asked(played).items()
        }
    assert [row["name"] for row in rows["table"][:3]] == ["bot 2", "bot 1", "bot 0"]
    first = rows["table"][0]
    assert first["rank_from"] == 1
    assert first["games"] == first["wins"] > 0
    assert sum(row["state"] == "done" for row in rows["games of"]) == first["games"] < 200
    assert [row["id"] for row in rows["games of"]] == sorted((row["id"] for row in rows["games of"]), reverse=True)
    assert all(row["id"] < 20 for row in rows["games before"])
    assert len(rows["seats"]) == 6
    assert [row["name"] for row in rows["opponents"]] == ["bot 1", "bot 0"]
    assert {row["bot_id"] for row in rows["by opponent"]} == {row["id"] for row in rows["opponents"]}
    assert sum(row["games"] for row in rows["by map"]) == sum(row["wins"] for row in rows["by map"]) == first["games"]
    assert 0 < sum(row["games"] for row in rows["by opponent"]) < first["games"]
    done = [row["id"] for row in rows["games of"] if row["state"] == "done"]
    assert [row["game_id"] for row in rows["results"]] == done[:10]
    assert [row["game_id"] for row in rows["results before"]] == [id for id in done if id < 20][:10] != []
    assert {row["rank"] for row in rows["results"]} == {1}
    assert len(rows["between"]) == 5
    assert {row["id"] for row in rows["between"]} < set(done)
    assert first["bot"] in {row["bot_id"] for row in rows["on public ladders"]}
    assert [row["name"] for row in rows["field"]] == sorted(row["name"] for row in rows["table"])
    assert [row["name"] for row in rows["called"]] == ["bot 2"]
    assert len(rows["curves"]) == len(rows["versions"]) == len(rows["standings"]) == len(rows["archive"]) == 1
    assert rows["standings"][0]["rank_from"] == 1
    assert [row["id"] for row in rows["public ladders"]] == [played.id]
    assert [row["elo"] for row in rows["ratings"]] == [first["elo"]]
    ours = {row["name"] for row in rows["table"] if row["builtin"] and row["elo"] is not None}
    assert {row["name"] for row in rows["ours"]} == ours != set()
    assert rows["faults"] == []
    assert [*rows["lately"][0].values()] == [first["games"]]
    assert len(rows["playing"]) == 2
    assert rows["waiting"]
    assert all(row["why"] for row in rows["waiting"])
    times = [row["done"] for row in rows["finished"]]
    assert times == sorted(times, reverse=True)
    assert [*rows["since"][0].values()] == [0]
    assert [(row["kind"], row["bot_id"]) for row in rows["notices"]] == [("rated", first["bot"])]


def test_no_page_reads_a_large_table_from_end_to_end(played: Small, kind: str) -> None:
    """With a million games that would take seconds."""
    if kind != "sqlite":
        with played.engine.begin() as connection:
            connection.exec_driver_sql("SET enable_seqscan = off")  # then a plan has one only where there is no index
            for name, query in asked(played).items():
                text = query.compile(connection, compile_kwargs={"literal_binds": True})
                plan = " ".join(row[0] for row in connection.exec_driver_sql(f"EXPLAIN {text}".replace("%", "%%")))
                assert not any(f"Seq Scan on {table}" in plan for table in LARGE), f"{name}: {plan}"
        return
    with played.engine.connect() as connection:
        for name, query in asked(played).items():
            text = query.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True})
            steps = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}")]
            whole = [step for step in steps if step.startswith("SCAN") and "INDEX" not in step]
            assert not any(table in step for table in LARGE for step in whole), f"{name}: {steps}"


def test_the_queue_is_found_by_an_index_of_its_own(played: Small, kind: str) -> None:
    """An index over the games that wait stays small, however many have been played, and keeps them in order."""
    with played.engine.begin() as connection:
        if kind == "sqlite":
            text = queries.waiting().compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True})
            plan = " ".join(row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}"))
            assert "TEMP B-TREE" not in plan
        else:
            connection.exec_driver_sql("SET enable_seqscan = off")
            connection.exec_driver_sql("SET enable_sort = off")
            text = queries.waiting().compile(connection, compile_kwargs={"literal_binds": True})
            plan = " ".join(row[0] for row in connection.exec_driver_sql(f"EXPLAIN {text}"))
    assert "ix_ladder_games_waiting" in plan


def test_the_time_is_asked_for_once(played: Small, kind: str) -> None:
    """PostgreSQL would ask for every row, so that an index over times were useless: it would read a whole season."""
    with played.engine.begin() as connection:
        text = str(queries.pace([played.ladder.season]).compile(connection, compile_kwargs={"literal_binds": True}))
        plan = "\n".join(str(row) for row in connection.exec_driver_sql(f"EXPLAIN {text}".replace("%", "%%")))
    if kind == "postgresql":
        assert "clock_timestamp()" in text
        assert "InitPlan" in plan
        assert "clock_timestamp()" not in plan  # beside a row


def test_few_games_are_expected_to_be_the_latest(played: Small, kind: str) -> None:
    """PostgreSQL does not know the time when it plans: if it took a third of all games for late ones, it would read
    all of them."""
    if kind == "sqlite":
        return  # it always takes an index
    of, season = db.games, played.ladder.season
    kept = [column.name for column in of.c if column.name not in ("id", "done")]
    one = select(of.c.id).where(of.c.done.is_not(None)).limit(1).scalar_subquery()
    with played.engine.connect() as connection:  # nothing of this is kept
        age = func.generate_series(1, 20_000)  # a row for each
        many = select(*(of.c[name] for name in kept), of.c.done - age).where(of.c.id == one)
        connection.execute(insert(of).from_select([*kept, "done"], many))
        connection.exec_driver_sql("ANALYZE ladder_games")
        for query in (queries.pace([season]), queries.since_fit(season)):
            text = str(query.compile(connection, compile_kwargs={"literal_binds": True}))
            plan = [row[0] for row in connection.exec_driver_sql(f"EXPLAIN {text}".replace("%", "%%"))]
            scan = next(line for line in plan if "on ladder_games" in line)
            found = re.search(r"rows=(\d+)", scan)
            assert found is not None
            assert int(found[1]) < 400, scan
