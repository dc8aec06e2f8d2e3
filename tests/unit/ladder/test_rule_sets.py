"""A ladder for every rule set of a game: all bots are on it, operators have the last word, and it takes its share."""

from __future__ import annotations

from collections import Counter

import pytest
from sqlalchemy import Engine, func, select

from polemos.ladder import bots, ladders
from polemos.ladder.clock import writing
from polemos.ladder.engine import Ladders
from polemos.ladder.results import MAX_FAILED
from polemos.server.store import ladder as db
from unit.ladder.small import Small, by_strength, result_of


def public(engine: Engine) -> dict[tuple[str, str], tuple[str, str]]:
    of = db.ladders
    with engine.connect() as connection:
        rows = connection.execute(select(of.c.game, of.c.rules, of.c.title, of.c.state).where(of.c.circle == ""))
        return {(game, rules): (title, state) for game, rules, title, state in rows}


@pytest.mark.needs("demons")
def test_every_rule_set_has_a_ladder_with_all_bots_of_the_game(engine: Engine) -> None:
    small = Small(engine)  # another game
    author = small.author("Ada")
    ladders.open_missing(engine, ["skerries"])
    with writing(engine) as connection:
        old = bots.add(connection, "demons", "Falcon", author)
        bots.passed(connection, bots.add_version(connection, old, "0" * 32))
        never = bots.add(connection, "demons", "Egg", author)
    ladders.open_missing(engine, ["demons", "skerries"])
    assert public(engine) == {
        ("skerries", "usual"): ("Skerries (usual)", "open"),  # as it was
        ("demons", "usual"): ("Demons", "open"),
        ("demons", "finals-2025"): ("Demons (Finals of 2025)", "open"),
    }
    with writing(engine) as connection:  # as an upload does when it is accepted
        new = bots.add(connection, "demons", "Kestrel", author)
        bots.passed(connection, bots.add_version(connection, new, "1" * 32))
        ladders.enter_all(connection, new)
    with engine.connect() as connection:
        found = {one.rules: one for one in ladders.all_of(connection) if one.game == "demons"}
        seated = {
            rules: set(
                connection.execute(select(db.entries.c.bot_id).where(db.entries.c.ladder_id == one.id)).scalars()
            )
            for rules, one in found.items()
        }
    assert seated["usual"] == seated["finals-2025"] > {old, new}
    assert never not in seated["usual"]
    assert len(seated["usual"]) == 4 + 2
    assert found["finals-2025"].options == {"rules": "finals-2025"}
    assert len(found["finals-2025"].maps) > 1


@pytest.mark.needs("demons")
def test_a_ladder_that_an_operator_paused_stays_paused(engine: Engine) -> None:
    ladders.open_missing(engine, ["demons"])
    with writing(engine) as connection:
        finals = next(one for one in ladders.all_of(connection) if one.rules == "finals-2025")
        ladders.pause(connection, finals.id, paused=True)
    before = public(engine)
    ladders.open_missing(engine, ["demons"])  # as a server does when it starts, and every hour
    assert public(engine) == before
    assert before["demons", "finals-2025"] == ("Demons (Finals of 2025)", "paused")
    assert before["demons", "usual"] == ("Demons", "open")


@pytest.mark.needs("demons", "minions", "monad", "monarchs")
def test_rule_sets_are_called_as_people_call_them() -> None:
    assert ladders.rule_sets("skerries") == {"usual": "Usual rules"}
    assert ladders.rule_sets("monad") == {"usual": "Classic"}
    assert ladders.rule_sets("demons") == {"usual": "Classic", "finals-2025": "Finals of 2025"}
    assert ladders.rule_sets("minions") == {"usual": "Classic", "umi-2025": "UMI engines of 2025"}
    assert ladders.rule_sets("monarchs") == {"usual": "Classic", "2022-04": "April 2022"}


def test_the_usual_rules_have_the_larger_share_and_idle_ladders_none(engine: Engine) -> None:
    small = Small(engine)
    with writing(engine) as connection:
        extra = ladders.open_ladder(connection, "skerries", rules="short", options={"seats": 2, "turns": 6})
        idle = ladders.open_ladder(connection, "skerries", rules="idle", options={"seats": 2, "turns": 6})
    for number in range(6):
        bot = small.bot(f"bot {number}")
        with writing(engine) as connection:
            ladders.enter(connection, extra, bot)
    of = db.games.c
    for _ in range(12):
        small.scheduler.look()
        strengths = {version: float(version) for (version,) in small.rows(select(db.bot_versions.c.id))}
        for job in small.claim(6):  # fewer than wait: they are played in their order
            small.commit(job, result_of(by_strength(strengths)(job), f"{job.id:032x}"))
    played = Counter(ladder for (ladder,) in small.rows(select(of.ladder_id).where(of.cause == "played")))
    assert idle not in played
    assert 2 * played[extra] < played[small.id] < 5 * played[extra]


def test_who_fails_under_other_rules_leaves_that_ladder_alone(engine: Engine) -> None:
    small = Small(engine)
    with writing(engine) as connection:
        extra = ladders.open_ladder(connection, "skerries", rules="short", options={"seats": 2, "turns": 6})
    author = small.author("Ada")
    falcon = small.bot("Falcon", author)
    with writing(engine) as connection:
        ladders.enter(connection, extra, falcon)
    (version,) = small.one(select(db.bots.c.version_id).where(db.bots.c.id == falcon))
    failed = 0
    while failed < MAX_FAILED:
        small.scheduler.look()
        jobs = small.claim(50)
        there = dict(small.rows(select(db.games.c.id, db.games.c.ladder_id)))
        for job in jobs:
            fails = there[job.id] == extra and any(player.version == version for player in job.players)
            faults = ["crash: boom" if fails and player.version == version else None for player in job.players]
            ranks = [2 if fault else 1 for fault in faults]
            small.commit(job, result_of(ranks if fails else [1, 2], f"{job.id:032x}", faults))
            failed += fails
    assert small.one(select(db.bots.c.state, db.bots.c.failed).where(db.bots.c.id == falcon)) == ("active", 0)
    on = set(small.rows(select(db.entries.c.ladder_id).where(db.entries.c.bot_id == falcon)))
    assert on == {(small.id,)}
    told = small.rows(select(db.notices.c.account_id, db.notices.c.kind, db.notices.c.text))
    assert [(account, kind) for account, kind, _ in told] == [(author, "left")]
    assert "boom" in told[0][2]
    waits = select(func.count()).where(db.games.c.ladder_id == extra, db.games.c.state != "done")
    assert small.one(waits)[0] == 0
    with writing(engine) as connection:  # a new version gets another chance
        ladders.enter_all(connection, falcon)
    assert len(small.rows(select(db.entries.c.ladder_id).where(db.entries.c.bot_id == falcon))) == 2


def test_games_under_other_rules_excuse_no_failures(engine: Engine) -> None:
    """Three failed games in a row under the usual rules pause a bot, whatever it plays elsewhere in between."""
    small = Small(engine)
    with writing(engine) as connection:
        extra = ladders.open_ladder(connection, "skerries", rules="short", options={"seats": 2, "turns": 6})
    falcon = small.bot("Falcon")
    with writing(engine) as connection:
        ladders.enter(connection, extra, falcon)
    (version,) = small.one(select(db.bots.c.version_id).where(db.bots.c.id == falcon))
    small.scheduler.look()
    there = dict(small.rows(select(db.games.c.id, db.games.c.ladder_id)))
    jobs = [job for job in small.claim(50) if any(player.version == version for player in job.players)]
    at = {where: [job for job in jobs if there[job.id] == where] for where in (small.id, extra)}
    assert len(at[small.id]) >= MAX_FAILED
    assert at[extra]
    for number in range(MAX_FAILED):
        for where in (extra, small.id):
            if number < len(at[where]):
                job = at[where][number]
                faults = ["crash" if where == small.id and one.version == version else None for one in job.players]
                small.commit(job, result_of([2 if fault else 1 for fault in faults], f"{job.id:032x}", faults))
    assert small.one(select(db.bots.c.paused_by).where(db.bots.c.id == falcon)) == ("failures",)


@pytest.mark.needs("demons")
def test_a_restart_keeps_what_operators_decided(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("ladder")
    first = Ladders(engine, folder, games=["demons"])
    first.open_ladders()
    with writing(engine) as connection:
        for one in ladders.all_of(connection):
            ladders.pause(connection, one.id, paused=one.rules == "usual")
    first.stop()
    second = Ladders(engine, folder, games=["demons"])
    second.open_ladders()
    second.stop()
    assert {rules: state for (_, rules), (_, state) in public(engine).items()} == {
        "usual": "paused",
        "finals-2025": "open",
    }
