"""The hourly fit: one model over all games, pinned to its anchor, with what follows for ranks."""

from __future__ import annotations

import re
import time
from math import log, sqrt

import pytest
from sqlalchemy import select, update

from polemos.arena.tournament.fit import ELO
from polemos.ladder import bots, fits, ladders
from polemos.ladder.clock import now, writing
from polemos.ladder.fits import Outcomes, rated
from polemos.ladder.pairing import NARROW
from polemos.ladder.rater import CENTRE
from polemos.server.store import ladder as db
from polemos.server.store import ledger
from unit.ladder.small import Small, by_strength, result_of

BOTS = {version: version + 100 for version in range(1, 9)}


def score(one: int, other: int, wins: int, losses: int) -> Outcomes:
    return [((one, other), (1, 2), wins), ((one, other), (2, 1), losses)]


def test_the_anchor_is_1500_and_has_no_interval() -> None:
    found = {one.version: one for one in rated(score(1, 2, 300, 100), BOTS, BOTS, anchor=2)}
    assert found[2].elo == CENTRE
    assert found[2].margin == pytest.approx(0, abs=1e-6)
    # Three wins to one are 191 points; the prior, half a drawn game of each, takes off a little.
    assert found[1].elo - CENTRE == pytest.approx(ELO * log(3), abs=1)
    # The information about the difference is 400 * 3/16, whatever the field's mean is.
    assert found[1].margin == pytest.approx(1.96 * ELO / sqrt(400 * 3 / 16), rel=0.01)
    assert (found[1].games, found[1].bot) == (400, 101)


def test_without_its_anchor_the_mean_is_1500() -> None:
    found = rated(score(1, 2, 30, 10), BOTS, BOTS, anchor=7)
    assert sum(one.elo for one in found) / 2 == pytest.approx(CENTRE)


def test_ranks_are_only_for_versions_on_the_ladder() -> None:
    results = [*score(1, 2, 300, 100), *score(2, 3, 300, 100), *score(1, 3, 380, 20)]
    found = {one.version: one for one in rated(results, {1: 101, 3: 103}, BOTS, anchor=None)}
    assert found[2].standing is None
    first, last = found[1].standing, found[3].standing
    assert first is not None
    assert last is not None
    assert (first.rank_from, first.rank_to, first.band) == (1, 1, 1)
    assert (last.rank_from, last.rank_to, last.band) == (2, 2, 2)


def test_few_games_are_placing() -> None:
    results = [*score(1, 2, 200, 200), *score(3, 1, 5, 5), *score(4, 2, 20, 15)]
    found = {one.version: one for one in rated(results, BOTS, BOTS, anchor=1)}
    assert {version: one.placing for version, one in found.items()} == {1: False, 2: False, 3: True, 4: False}
    assert found[3].standing is not None
    assert found[3].standing.rank_from is None


def test_an_anchor_that_nobody_beats_does_not_hide_what_is_known_about_the_others() -> None:
    """All intervals are wide then, because they are of the difference to it; who is above whom is known."""
    level = [*score(2, 3, 200, 200), *score(4, 5, 200, 200)]
    apart = [game for one in (2, 3) for other in (4, 5) for game in score(one, other, 300, 100)]
    unbeaten = [game for other in (2, 3, 4, 5) for game in score(1, other, 20, 0)]
    results = [*level, *apart, *unbeaten]
    found = {one.version: one for one in rated(results, BOTS, BOTS, anchor=1)}
    assert min(found[version].margin for version in (2, 3, 4, 5)) > NARROW
    bands = {version: one.standing.band for version, one in found.items() if one.standing is not None}
    assert bands[2] == bands[3] < bands[4] == bands[5]


def test_too_many_versions_leave_out_the_oldest_that_no_longer_play() -> None:
    results = [*score(1, 2, 5, 5), *score(3, 2, 5, 5), *score(4, 3, 5, 5)]
    found = rated(results, {4: 104, 2: 102}, BOTS, anchor=None, most=3)
    assert {one.version for one in found} == {2, 3, 4}


def test_a_fit_is_written_and_found_again(small: Small) -> None:
    for i in range(3):
        small.bot(f"bot {i}")
    strengths = {version: float(version) for (version,) in small.rows(select(db.bot_versions.c.id))}
    with small.engine.connect() as connection:
        assert not fits.is_due(connection, small.ladder.season)
    for _ in range(6):
        small.scheduler.look()
        small.play_all(by_strength(strengths))
    with small.engine.connect() as connection:
        assert fits.is_due(connection, small.ladder.season)
    number = fits.fit(small.engine, small.ladder)
    assert number is not None
    of = db.fit_ratings.c
    elos = dict(small.rows(select(of.version_id, of.elo).where(of.fit_id == number)))
    # Our own two, which lost all games, were not paired with each other.
    assert sorted(elos, key=lambda version: elos[version])[2:] == sorted(strengths)[2:]
    (anchor,) = small.one(select(db.bots.c.version_id).where(db.bots.c.id == small.ladder.anchor))
    assert elos[anchor] == CENTRE
    with small.engine.connect() as connection:
        assert not fits.is_due(connection, small.ladder.season)


def test_the_version_before_stays_in_the_fit(small: Small) -> None:
    """The page of a bot compares the two; older ones are left out, or every fit would be longer than the last."""
    bot = small.bot("Falcon")
    versions: list[int] = []
    number: int | None = None
    for _ in range(3):
        small.scheduler.look()
        small.play_all(lambda job: [1, 2])
        versions.append(small.one(select(db.bots.c.version_id).where(db.bots.c.id == bot))[0])
        number = fits.fit(small.engine, small.ladder)
        small.upload(bot)
    of = db.fit_ratings.c
    rows = small.rows(select(of.version_id, of.listed, of.rank_from).where(of.fit_id == number, of.bot_id == bot))
    assert [(version, listed) for version, listed, _ in sorted(rows)] == [(versions[1], False), (versions[2], True)]
    assert [rank for version, _, rank in rows if version == versions[1]] == [None]


def test_an_author_is_told_of_the_first_rating_of_a_version_once(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fits, "PLACEMENT", 12)  # one look of the scheduler gives a newcomer eight games
    bot = small.bot("Falcon")

    def told() -> list[str]:
        small.scheduler.look()
        small.play_all(lambda job: [1, 2])
        fits.fit(small.engine, small.ladder)
        return [text for (text,) in small.rows(select(db.notices.c.text).where(db.notices.c.kind == "rated"))]

    assert told() == []  # not placed yet
    (text,) = told()
    assert re.fullmatch(r"Falcon v1 has its first rating: \d+ ±\d+, rank \d(–\d)?\.", text)
    (row,) = small.rows(select(db.notices.c.account_id, db.notices.c.bot_id))
    assert row == (small.one(select(db.bots.c.account_id).where(db.bots.c.id == bot))[0], bot)
    small.upload(bot)
    assert told() == [text]
    texts = told()
    assert [text.split(" has")[0] for text in texts] == ["Falcon v1", "Falcon v2"]
    with writing(small.engine) as connection:  # it goes back: that version was rated before
        first = (
            connection.execute(select(db.bot_versions.c.id).where(db.bot_versions.c.bot_id == bot)).scalars().first()
        )
        assert first is not None
        bots.go_back(connection, bot, first)
    assert told() == texts


def test_an_author_is_told_once_on_each_ladder_and_of_which(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fits, "PLACEMENT", 4)
    bot = small.bot("Falcon")
    other = Small(small.engine, rules="stormy", turns=6)
    with writing(small.engine) as connection:
        ladders.enter(connection, other.id, bot)

    def told() -> list[str]:
        small.scheduler.look()
        small.play_all(lambda job: [1, 2])
        for ladder in (small.ladder, other.ladder):
            fits.fit(small.engine, ladder)
        found = select(db.notices.c.text).where(db.notices.c.kind == "rated")
        return sorted(re.sub(r"[\d±, –]+(rank)?[\d –]*", " ", text) for (text,) in small.rows(found))

    both = ["Falcon v has its first rating on Skerries (stormy): .", "Falcon v has its first rating: ."]
    texts: list[str] = []
    for _ in range(8):
        texts = texts if len(texts) == 2 else told()
    assert texts == both
    with writing(small.engine) as connection:
        connection.execute(update(db.seasons).values(fit_id=None))  # as in a new season
    assert told() == both


def test_identical_games_count_once(small: Small) -> None:
    small.bot("Falcon")
    small.scheduler.look()
    for job in small.claim(50):
        small.commit(job, result_of((1, 2), f"{job.players[0].version:032x}"))
    with small.engine.connect() as connection:
        found = fits.outcomes(connection, small.ladder.season)
    assert found
    assert all(times == 1 for _, _, times in found)


def test_a_season_without_games_has_no_fit(small: Small) -> None:
    assert fits.fit(small.engine, small.ladder) is None


def test_a_paused_bot_keeps_its_row_for_a_week(small: Small) -> None:
    bot = small.bot("Falcon")
    with writing(small.engine) as connection:
        bots.pause(connection, bot, "author", "")
        assert bot in fits.listed(connection, small.ladder).values()
        connection.execute(update(db.bots).where(db.bots.c.id == bot).values(changed=now() - 8 * 86400))
        assert bot not in fits.listed(connection, small.ladder).values()


def test_old_fits_are_thinned_out_to_one_a_day(small: Small) -> None:
    day = 86400.0
    with writing(small.engine) as connection:
        noon = 20_000 * day + day / 4  # long ago, and no midnight near
        for hours in (0, 1, 2, 24, 25):
            row = {"season_id": small.ladder.season, "at": noon + hours * 3600, "games": 1}
            connection.execute(db.fits.insert().values(row))
        connection.execute(db.fits.insert().values(season_id=small.ladder.season, at=now(), games=1))
        assert fits.thin_out(connection, small.ladder.season) == 3
    assert [id for (id,) in small.rows(select(db.fits.c.id).order_by(db.fits.c.id))] == [3, 5, 6]


def test_a_fit_takes_as_long_as_it_takes(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL ends a transaction that pauses: a million results are not read in a moment, and not in one."""
    for name in ("one", "other"):
        small.bot(name)
    small.scheduler.look()
    small.play_all(lambda job: [1, 2])
    monkeypatch.setattr(ledger, "MAX_PAUSE", 1500)  # milliseconds; a busy machine makes pauses, too
    impatient = ledger.connect(small.engine.url.render_as_string(hide_password=False))
    plain, pauses = fits._numbers, iter([2.5])

    def slowly(text: str) -> tuple[int, ...]:
        time.sleep(next(pauses, 0))
        return plain(text)

    monkeypatch.setattr(fits, "_numbers", slowly)
    assert fits.fit(impatient, small.ladder) is not None
    assert next(pauses, None) is None, "it has paused"
    impatient.dispose()
