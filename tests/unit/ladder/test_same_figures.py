"""A bot has one rating: its ladder, its own page, that of its author and that of a group say the same."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import select

from polemos.ladder import fits, group_pages
from polemos.ladder.files import Replays
from polemos.ladder.live import Lives
from polemos.ladder.rater import Rater
from polemos.server.authors import shown
from polemos.server.authors.quotas import MOST
from polemos.server.ladder.pages import LadderPages
from polemos.server.store import ladder as db
from unit.ladder.small import Small, by_strength


def figures(small: Small, folder: Path) -> dict[str, tuple[float, float] | None]:
    """The rating of each bot, after the pages were compared."""
    pages, replays = LadderPages(small.engine, Lives(folder / "lives")), Replays(folder / "replays")
    found: dict[str, tuple[float, float] | None] = {}
    with small.engine.connect() as connection:
        groups = {bot.bot: bot for bot in group_pages._bots(connection, small.ladder)}
        for row in pages.page(small.ladder).rows:
            said = None if row.rating is None or row.margin is None else (row.rating, row.margin)
            page = shown.page(connection, row.bot, None, replays)
            account = connection.execute(select(db.bots.c.account_id).where(db.bots.c.id == row.bot)).scalar()
            mine = [] if account is None else [bot.rating for bot in shown.yard(connection, account, MOST).bots]
            for rating in (page.rating, *mine, *(one.rating for one in page.versions if one.plays)):
                assert said == (None if rating is None else (round(rating.elo, 1), round(rating.margin, 1)))
            assert (page.rating is None or page.rating.placing) == row.placing
            group = groups[row.bot]
            assert said == (None if group.elo is None else (round(group.elo, 1), round(group.margin or 0.0, 1)))
            found[row.name] = said
    return found


def test_all_pages_say_the_same(small: Small, tmp_path: Path) -> None:
    for name in ("low", "middle", "high"):
        small.bot(name)
    strengths = {version: float(version) for (version,) in small.rows(select(db.bot_versions.c.id))}
    assert figures(small, tmp_path)["low"] is None
    for _ in range(3):
        small.scheduler.look()
        small.play_all(by_strength(strengths))
    Rater(small.engine, small.ladder.season).look()
    live = figures(small, tmp_path)
    assert live["low"] is not None, "there is a rating before the first fit"
    fits.fit(small.engine, small.ladder)
    fitted = figures(small, tmp_path)
    assert fitted != live
    for _ in range(3):
        small.scheduler.look()
        small.play_all(by_strength(strengths))
    Rater(small.engine, small.ladder.season).look()
    assert figures(small, tmp_path)["low"] != fitted["low"], "it moves between two fits"
