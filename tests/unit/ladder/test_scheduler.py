"""The queue of a ladder: never empty, never long, and every pairing with all seats exchanged."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from sqlalchemy import Engine, func, select

from polemos.ladder import bots, ladders
from polemos.ladder.challenges import challenge
from polemos.ladder.clock import writing
from polemos.ladder.ladders import Map
from polemos.ladder.scheduler import MIN_AHEAD, Scheduler
from polemos.server.store import ladder as db
from unit.ladder.small import Small, by_strength

MAPS = (Map("short", {"turns": 3}), Map("middle", {"turns": 5}), Map("long", {"turns": 8}))


def strengths(small: Small) -> dict[int, float]:
    return {version: float(version) for (version,) in small.rows(select(db.bot_versions.c.id))}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_pairing_is_played_from_every_seat_with_one_seed_and_draw(engine: Engine, seats: int) -> None:
    small = Small(engine, seats=seats, maps=MAPS)
    for number in range(6):
        small.bot(f"bot {number}")
    small.scheduler.look()
    of = db.games.c
    meetings = defaultdict(list)
    for row in small.rows(select(of.meeting, of.turn, of.seating, of.seed, of.bot_seed, of.map, of.options)):
        meetings[row[0]].append(row)
    assert len(meetings) > 2
    for games in meetings.values():
        assert [row[1] for row in games] == list(range(seats))
        sat: dict[str, set[int]] = defaultdict(set)
        for row in games:
            for seat, version in enumerate(row[2].split(",")):
                sat[version].add(seat)
        assert len(sat) == seats
        assert all(where == set(range(seats)) for where in sat.values())
        assert len({(seed, map, options) for _, _, _, seed, _, map, options in games}) == 1
        assert len({row[4] for row in games}) == seats
    assert len({games[0][3] for games in meetings.values()}) == len(meetings)


def test_maps_rotate(engine: Engine) -> None:
    small = Small(engine, maps=MAPS)
    for number in range(4):
        small.bot(f"bot {number}")
    for _ in range(12):
        small.scheduler.look()
        small.play_all(by_strength(strengths(small)))
    maps = Counter(map for (map,) in small.rows(select(db.games.c.map)))
    assert set(maps) == {"short", "middle", "long"}
    assert max(maps.values()) < 1.7 * min(maps.values())


def test_every_game_says_why_it_is_played(small: Small) -> None:
    small.bot("Falcon")
    small.scheduler.look()
    whys = [why for (why,) in small.rows(select(db.games.c.why))]
    assert whys
    assert all(why.startswith("placement, game ") for why in whys)


def test_the_queue_stays_short(small: Small) -> None:
    for number in range(8):
        small.bot(f"bot {number}")
    for _ in range(5):
        small.scheduler.look()
    assert MIN_AHEAD <= small.states()["waiting"] <= MIN_AHEAD + 4


def test_ladders_on_which_nobody_can_be_paired_take_no_share_from_the_others(small: Small) -> None:
    """As in groups whose members have entered bots without a version, or have had all their games of this hour."""
    for number in range(6):
        small.bot(f"bot {number}")
    author = small.author("Ada")
    with writing(small.engine) as connection:
        egg = bots.add(connection, "skerries", "Egg", author)
        for circle in "abcdefghij":
            options = {"seats": 2, "turns": 6}
            group = ladders.open_ladder(connection, "skerries", circle=circle, options=options)
            ladders.enter(connection, group, egg)
    small.scheduler.look()
    small.scheduler.look()
    assert small.states()["waiting"] >= MIN_AHEAD
    with writing(small.engine) as connection:
        bots.passed(connection, bots.add_version(connection, egg, "e" * 32))
    small.scheduler.look()
    of = db.games.c.ladder_id
    assert len(small.rows(select(of).distinct())) == 11, "and when it can play, it does so at once"


def test_a_ladder_of_our_own_bots_alone_stands_still(small: Small) -> None:
    assert small.scheduler.look() == 0


def test_a_paused_ladder_pairs_nothing(small: Small) -> None:
    small.bot("Falcon")
    with writing(small.engine) as connection:
        ladders.pause(connection, small.id, paused=True)
    assert small.scheduler.look() == 0
    with writing(small.engine) as connection:
        ladders.pause(connection, small.id, paused=False)
    assert small.scheduler.look() > 0


def test_a_new_version_is_paired_instead_of_the_old_one_at_once(small: Small) -> None:
    """What was paired before is played, by the old one."""
    bot = small.bot("Falcon")
    small.scheduler.look()
    (last,) = small.one(select(func.max(db.games.c.id)))
    (old,) = small.one(select(db.bots.c.version_id).where(db.bots.c.id == bot))
    new = small.upload(bot)
    small.scheduler.look()
    seats, of = db.seats.c, db.games.c
    waiting = {
        version
        for (version,) in small.rows(
            select(seats.version_id)
            .join_from(db.seats, db.games, of.id == seats.game_id)
            .where(of.state == "waiting", seats.bot_id == bot, of.id > last)
        )
    }
    assert waiting == {new} != {old}


def test_placement_games_pass_those_that_wait(small: Small) -> None:
    for number in range(3):
        small.bot(f"bot {number}")
    with small.engine.begin() as connection:  # as if they had all been placed long ago
        for version in strengths(small):
            row: dict[str, float] = {"season_id": small.ladder.season, "version_id": version, "bot_id": version}
            row |= {"mu": 25.0, "sigma": 1.0, "games": 100, "base_mu": 25.0, "base_sigma": 1.0}
            connection.execute(db.ratings.insert().values(row))
    small.scheduler.look()
    small.claim(4)
    small.bot("Falcon")
    small.scheduler.look()
    job = small.claim(1)[0]
    assert "Falcon v1" in [player.name for player in job.players]


def test_challenges_that_wait_do_not_keep_a_newcomer_waiting(small: Small) -> None:
    bots = [small.bot("Kite"), small.bot("Heron")]
    with writing(small.engine) as connection:
        for _ in range(MIN_AHEAD):
            challenge(connection, small.ladder, bots, small.ladder.maps[0].name, counts=False, by="Rosalind")
    small.bot("Falcon")
    assert small.scheduler.look() > 0
    names = {player.name for job in small.claim(4) for player in job.players}
    assert "Falcon v1" in names


def test_two_schedulers_number_their_meetings_apart(small: Small) -> None:
    """As when a server is restarted while the old one still breathes."""
    for number in range(4):
        small.bot(f"bot {number}")
    small.scheduler.look()
    small.play_all(by_strength(strengths(small)))
    Scheduler(small.engine, small.bell).look()
    meetings = Counter(meeting for (meeting,) in small.rows(select(db.games.c.meeting)))
    assert set(meetings.values()) == {2}
