"""The page of a game: what it says of the other games of its meeting, and of the bots in it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import select

from polemos.ladder import ladders
from polemos.ladder.clock import writing
from polemos.ladder.live import Lives
from polemos.ladder.scheduler import add_game
from polemos.server.ladder.pages import LadderPages
from polemos.server.store import ladder as db
from unit.ladder.small import Small


def test_games_of_a_meeting_find_each_other_with_others_in_between(small: Small, tmp_path: Path) -> None:
    """PostgreSQL numbers the games of all ladders together, and two of them can be paired at the same time."""
    players = [small.bot("first"), small.bot("second")]
    ladder = small.ladder
    row = {"seed": "1", "bot_seed": "1", "map": "any", "options": b"{}", "why": "", "stage": "season", "priority": 3}
    with writing(small.engine) as connection:
        of = db.bots.c
        rows = connection.execute(select(of.id, of.version_id).where(of.id.in_(players)).order_by(of.id))
        seated = [(row.id, row.version_id) for row in rows]
        elsewhere = ladders.one(connection, ladders.open_ladder(connection, "skerries", rules="others"))
        games = [
            add_game(connection, where, seated, meeting=1, turn=turn, counts=True, **row)
            for turn, where in ((0, ladder), *((turn, elsewhere) for turn in range(6)), (1, ladder))
        ]
    pages = LadderPages(small.engine, Lives(tmp_path / "lives"))
    for one, other in ((games[0], games[-1]), (games[-1], games[0])):
        found = pages.game(one)
        assert found is not None
        page = pages.game_page(found, ladder, None)
        assert [game.id for game in page.others] == [other]
        assert page.ratings == {}
