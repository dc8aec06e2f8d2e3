"""The page of a bot, from a made-up past: what everybody sees, and what only its author does."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine

from polemos.ladder.files import Replays
from polemos.server.authors import queue, shown
from polemos.server.authors.quotas import MOST
from rated import OTHERS, rate
from unit.authors.test_queue import Yard


def test_the_page_of_a_bot(engine: Engine, tmp_path: Path) -> None:
    """Figures follow from the rows: 120 games with 57 wins, 3 opponents on 4 maps, 8 games of which one crashed."""
    yard, replays = Yard(engine), Replays(tmp_path / "replays")
    ada, ben = yard.author("ada"), yard.author("ben")
    yard.play(ada, digest="1" * 64)
    bot = yard.play(ada, digest="3" * 64).bot
    with engine.connect() as connection:
        fresh = shown.page(connection, bot, ada, replays)
    assert (fresh.rating, fresh.games, fresh.opponents, fresh.recent) == (None, 0, (), ())
    rate(engine, replays, bot, "skerries")
    with engine.connect() as connection:
        page = shown.page(connection, bot, ada, replays)
        public = shown.page(connection, bot, ben, replays)
        mine = shown.yard(connection, ada, MOST)
        with pytest.raises(queue.NoSuchBot):
            shown.page(connection, bot + 10_000, ada, replays)
    assert (page.name, page.author, page.own, page.version) == ("Falcon", "ada", True, 2)
    assert page.rating is not None
    assert (page.rating.rank_from, page.rating.rank_to) == (4, 9)
    assert (page.games, page.faults, page.strikes, page.hour) == (120, 1, 1, 8)
    assert page.score is not None
    assert page.score.share == 57 / 120
    assert page.cpu == pytest.approx(8 * 2.5 / sum(range(300, 308)))
    assert [one.name for one in page.opponents] == ["Aspis", "Testudo", "Ferry"], "the strongest first"
    assert {one.name: round(40 * one.all.share) for one in page.opponents} == {
        name: sum(wins) for name, (_, wins) in OTHERS.items()
    }
    assert page.maps["Serpent"].share == (0 + 5 + 9) / 30
    # One piece of the curve for each version, as long as it played: 30 fits each.
    assert [(one.number, len(one.curve), one.plays) for one in page.versions] == [(2, 30, True), (1, 30, False)]
    assert page.before == 1
    assert page.sure is not None
    assert page.sure[0] > 0
    assert [row.result for row in page.recent] == ["won", "lost", "won", "won", "lost", "lost", "won", "lost"]
    assert page.recent[5].reason == "dropped out (crash)", "not `the other dropped out`, as its opponent's page says"
    (fault,) = page.fault_rows
    assert (fault.turn, fault.step) == (214, 214)
    assert (fault.against, fault.fault) == ("Ferry", "crash: exit code 101: index out of bounds")
    assert [line.text for line in fault.lines] == ["thread 'main' panicked at src/lanes.rs:214: index out of bounds"]
    # Others see the fault, and nothing of the log.
    assert not public.own
    assert (public.fault_rows[0].fault, public.fault_rows[0].lines) == ("crash", ())
    assert not any(one.source or one.upload for one in public.versions)
    assert (mine.bots[0].name, mine.bots[0].games, mine.bots[0].faults) == ("Falcon", 120, 1)
    assert (mine.bots[0].strikes, mine.bots[0].cpu) == (1, 9.0)
    assert mine.bots[0].rating == page.rating
