"""Live ratings: those of all games in order, whatever order they finish in and however often the rater is killed."""

from __future__ import annotations

from random import Random

from openskill.models import PlackettLuce
from sqlalchemy import select

from polemos.ladder.jobs import Job
from polemos.ladder.playing import fingerprint
from polemos.ladder.rater import CENTRE, Rater, shown
from polemos.server.store import ladder as db
from unit.ladder.small import Small, by_strength, close, expected, live, result_of


def field(small: Small, count: int) -> dict[int, float]:
    """Bots with strengths."""
    for number in range(count):
        small.bot(f"bot {number}")
    return {version: version * 1.5 for (version,) in small.rows(select(db.bot_versions.c.id))}


def course(job: Job, which: int) -> str:
    """Of a game that repeats others between the same bots."""
    return fingerprint(job, range(len(job.players)), f"{which}")


def test_games_in_order_are_rated_as_openskill_does(small: Small) -> None:
    strengths = field(small, 4)
    rater = Rater(small.engine, small.ladder.season)
    for _ in range(5):
        small.scheduler.look()
        assert small.play_all(by_strength(strengths)) > 0
        rater.look()
    assert close(live(small), expected(small))


def test_games_that_finish_in_any_order_give_the_ratings_of_their_numbers(small: Small) -> None:
    """The rater is also thrown away now and then, as if it were killed."""
    random = Random(11)
    ranks = by_strength(field(small, 5))
    rater = Rater(small.engine, small.ladder.season)
    out: list[Job] = []
    for _ in range(40):
        small.scheduler.look()
        while jobs := small.claim(8):
            out += jobs
        random.shuffle(out)
        for job in out[: random.randrange(1, 6)]:
            small.commit(job, result_of(ranks(job), course(job, job.id % 4)))
            out.remove(job)
        if random.random() < 0.3:
            rater = Rater(small.engine, small.ladder.season)
        if random.random() < 0.7:
            rater.look()
    rater.look()
    assert len(expected(small)) > 4
    assert close(live(small), expected(small))
    (base,) = small.one(select(db.seasons.c.rated_to))
    unfinished = [row[0] for row in small.rows(select(db.games.c.id).where(db.games.c.state != "done"))]
    assert 0 < base < min(unfinished)


def test_a_repeated_game_counts_once_even_if_the_first_is_long_ago(small: Small) -> None:
    field(small, 2)
    rater = Rater(small.engine, small.ladder.season)
    for _ in range(8):
        small.scheduler.look()
        for job in small.claim(50):
            small.commit(job, result_of((1, 2), course(job, 0)))
        rater.look()
    assert sum(games for _, _, games in live(small).values()) < len(small.rows(select(db.games.c.id))) / 2
    assert close(live(small), expected(small))


def test_games_that_do_not_count_change_no_rating(small: Small) -> None:
    ranks = by_strength(field(small, 2))
    small.scheduler.look()
    with small.engine.begin() as connection:
        connection.execute(db.games.update().values(counts=False))
    small.play_all(ranks)
    rater = Rater(small.engine, small.ladder.season)
    assert rater.look() == 0
    assert live(small) == {}


def test_the_anchor_shows_1500_and_doubt_falls_with_games(small: Small) -> None:
    strengths = field(small, 2)
    for _ in range(4):
        small.scheduler.look()
        small.play_all(by_strength(strengths))
        Rater(small.engine, small.ladder.season).look()
    found = live(small)
    (anchor,) = small.one(select(db.bots.c.version_id).where(db.bots.c.id == small.ladder.anchor))
    rating, _ = shown(*found[anchor][:2], anchor=found[anchor][0])
    assert rating == CENTRE
    margins = [shown(mu, sigma, None)[1] for mu, sigma, _ in found.values()]
    fresh = shown(PlackettLuce().mu, PlackettLuce().sigma, None)[1]
    assert max(margins) < fresh
