"""Challenges: chosen bots on a chosen map, counted only if wanted."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from polemos.ladder import bots, quotas
from polemos.ladder.challenges import BadChallenge, ask, challenge
from polemos.ladder.clock import writing
from polemos.ladder.files import Replays
from polemos.ladder.ladders import Map
from polemos.server.authors import shown
from polemos.server.store import ladder as db
from polemos.wire.authors import Share
from unit.ladder.small import Small, live, result_of

MAPS = (Map("short", {"turns": 3}), Map("long", {"turns": 8}))


@pytest.fixture
def small(engine: Engine) -> Small:
    return Small(engine, maps=MAPS)


@pytest.mark.parametrize("counts", [True, False])
def test_a_challenge_is_played_from_both_seats(small: Small, counts: bool) -> None:
    one, other = small.bot("Falcon"), small.bot("Heron")
    with writing(small.engine) as connection:
        meeting = challenge(connection, small.ladder, [one, other], "long", counts=counts, by="Rosalind")
    of = db.games.c
    games = small.rows(select(of.map, of.why, of.stage, of.counts, of.seating).where(of.meeting == meeting))
    assert [row[:4] for row in games] == [("long", "challenge by Rosalind", "challenge", counts)] * 2
    assert games[0][4].split(",") == games[1][4].split(",")[::-1]
    for job in small.claim(10):
        assert job.options["turns"] == 8
        assert small.commit(job, result_of((1, 2), f"{job.id:032x}")) == "counted"
    assert live(small) == {}  # until the rater has looked
    assert bool(small.rows(select(db.pairs))) == counts


def test_unrated_games_say_nothing_about_a_bot(small: Small, tmp_path: Path) -> None:
    """Its page counts them, and their faults and time, but not their points: their opponents are chosen by anyone."""
    one, other = small.bot("Falcon"), small.bot("Heron")

    def shares() -> list[Share | None]:
        with small.engine.connect() as connection:
            pages = [shown.page(connection, bot, None, Replays(tmp_path)) for bot in (one, other)]
        assert [page.games for page in pages] == [played, played]
        return [page.score for page in pages]

    played = 0
    assert shares() == [None, None]
    for counts in (True, False, False):
        with writing(small.engine) as connection:
            challenge(connection, small.ladder, [one, other], "long", counts=counts, by="Rosalind")
        for job in small.claim(10):
            wins = [player.name.startswith("Falcon") != counts for player in job.players]
            small.commit(job, result_of([1 if win else 2 for win in wins], f"{job.id:032x}"))
        played += 2
        assert shares() == [shown.share(2, 0, 0), shown.share(2, 2, 0)]


def test_what_cannot_be_played_is_refused_with_a_reason(small: Small) -> None:
    one, other = small.bot("Falcon"), small.bot("Heron")
    with writing(small.engine) as connection:
        bots.pause(connection, other, "author", "")
        for players, map, words in [
            ([one], "long", "2 seats"),
            ([one, one], "long", "2 seats"),
            ([one, other], "moon", "short, long"),
            ([one, other], "long", "can't play now"),
        ]:
            with pytest.raises(BadChallenge, match=words):
                challenge(connection, small.ladder, players, map, counts=True, by="Rosalind")
    assert small.states() == {}


def test_who_asks_pays_and_nobody_else(small: Small) -> None:
    asks, other = small.author("asks"), small.author("other")
    one, two = small.bot("Falcon", asks), small.bot("Heron", other)
    season = [small.ladder.season]
    with writing(small.engine) as connection:
        ask(connection, asks, "asks", small.ladder, [one, two], "long", meetings=2, counts=False)
    for job in small.claim(10):
        assert small.commit(job, result_of((1, 2), f"{job.id:032x}")) == "counted"
    with small.engine.connect() as connection:
        assert quotas.games(connection, season) == {asks: 4}
        assert [quotas.games_of(connection, account) for account in (asks, other)] == [4, 0]
    with writing(small.engine) as connection, pytest.raises(BadChallenge, match="are 4 of 5"):
        ask(connection, asks, "asks", small.ladder, [one, two], "long", meetings=1, counts=False, most=5)
    with writing(small.engine) as connection:
        ask(connection, other, "other", small.ladder, [one, two], "long", meetings=1, counts=False, most=5)
