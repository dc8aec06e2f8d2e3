"""What a page costs does not depend on how many games have ever been played.

SQLite counts the steps of its machine, which are the same on every computer however busy it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, Table, event, insert, select, update

from polemos.ladder import challenges, fits, group_pages, quotas, season_pages
from polemos.ladder.clock import now, writing
from polemos.ladder.files import Replays
from polemos.ladder.live import Lives
from polemos.ladder.rater import Rater
from polemos.ladder.retention import Keeper
from polemos.server.authors import shown
from polemos.server.authors.quotas import MOST
from polemos.server.ladder import search
from polemos.server.ladder.pages import LadderPages
from polemos.server.ladder.search import Search
from polemos.server.office import ladders as office
from polemos.server.store import ladder as db
from polemos.server.store import migrate
from polemos.server.store.ledger import connect
from unit.ladder.small import Small, by_strength, result_of

TIMES = 16  # as many games
STEP = 10  # SQLite tells us after so many steps of its machine
LIMIT = 20  # results in a file


class Steps:
    """Counts what SQLite does."""

    def __init__(self, engine: Engine) -> None:
        self.count = 0
        event.listen(engine, "connect", self._watch)

    def _watch(self, connection: Any, record: object) -> None:
        connection.set_progress_handler(self._tick, STEP)

    def _tick(self) -> int:
        self.count += STEP
        return 0

    def of(self, what: Callable[[], object]) -> int:
        before = self.count
        what()
        return self.count - before


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = connect(f"sqlite:///{tmp_path / 'polemos.db'}")
    migrate.upgrade(made)
    made.dispose()
    yield made
    made.dispose()


def played(engine: Engine) -> Small:
    """A ladder with games of two days ago, faults among them, and a fit since."""
    small = Small(engine)
    for number in range(4):
        small.bot(f"bot {number}")
    strengths = {version: float(version) for (version,) in small.rows(select(db.bot_versions.c.id))}
    for _ in range(6):
        small.scheduler.look()
        small.play_all(by_strength(strengths))
    for job in small.claim(2) or (small.scheduler.look(), small.claim(2))[1]:
        small.commit(job, result_of((1, 2), f"{job.id:032x}", (None, "crash: exit code 1")))
    Rater(engine, small.ladder.season).look()
    with writing(engine) as connection:
        for table in (db.games, db.seats):
            connection.execute(update(table).where(table.c.done.is_not(None)).values(done=now() - 2 * 86400))
        connection.execute(update(db.games).where(db.games.c.state == "done").values(replay="ab" * 16))
    fits.fit(engine, small.ladder)
    return small


def multiply(engine: Engine, times: int) -> None:
    """All finished games so many times, with the bots in them."""
    with writing(engine) as connection:
        last = connection.execute(select(db.games.c.id).order_by(db.games.c.id.desc()).limit(1)).scalar_one()
        done = select(db.games.c.id).where(db.games.c.state == "done", db.games.c.id <= last)
        for i in range(1, times):
            _copy(connection, db.games, "id", i * last, done)
            _copy(connection, db.seats, "game_id", i * last, done)


def _copy(connection: Connection, table: Table, key: str, more: int, games: Any) -> None:
    names = [column.name for column in table.c]
    rows = select(*(table.c[name] + more if name == key else table.c[name] for name in names))
    connection.execute(insert(table).from_select(names, rows.where(table.c[key].in_(games))))


def test_no_page_works_harder_however_many_games_there_are(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "FAR", LIMIT)  # as far back as there are games from the beginning
    steps = Steps(engine)
    small = played(engine)
    ladder = small.ladder
    bot, account = small.one(select(db.bots.c.id, db.bots.c.account_id).where(db.bots.c.name == "bot 1"))
    game = small.one(select(db.games.c.id).where(db.games.c.state == "done").limit(1))[0]
    replays = Replays(tmp_path / "replays")

    def ask(what: Callable[[Connection], object]) -> Callable[[], object]:
        def go() -> object:
            with engine.connect() as connection:
                return what(connection)

        return go

    def of_ladder(what: Callable[[LadderPages], object]) -> Callable[[], object]:
        return lambda: what(LadderPages(engine, Lives(tmp_path / "lives")))

    def game_page(pages: LadderPages) -> object:
        found = pages.game(game)
        assert found is not None
        return pages.game_page(found, ladder, account)

    def searched(text: str) -> object:
        found = Search(engine, LadderPages(engine, Lives(tmp_path / "lives")))
        games = found.games(text, found.bots(text, account))
        assert games
        return games, found.people(text)

    def read(statement: Any) -> Any:
        with engine.connect() as connection:
            return connection.execute(statement).mappings().all()

    asked: dict[str, Callable[[], object]] = {
        "ladders": of_ladder(lambda pages: pages.cards(pages.all())),
        "ladder": of_ladder(lambda pages: pages.written(ladder)),
        "trends": of_ladder(lambda pages: pages.trends(ladder)),
        "table": of_ladder(lambda pages: pages.sheet(ladder)),
        "queue": of_ladder(lambda pages: pages.queue()),
        "game": of_ladder(game_page),
        "results": of_ladder(lambda pages: pages.results_of(bot, LIMIT)),
        "search": lambda: searched("bot 1"),
        "search for a meeting": lambda: searched("bot 1 vs bot 2"),
        "results as a table": of_ladder(lambda pages: pages.results_sheet(bot, LIMIT)),
        "bot": ask(lambda connection: shown.page(connection, bot, account, replays)),
        "own bots": ask(lambda connection: shown.yard(connection, account, MOST)),
        "quota": ask(lambda connection: quotas.games_of(connection, account)),
        "challenge": ask(lambda connection: challenges.form(connection, ladder, account)),
        "seasons": ask(lambda connection: season_pages.cards(connection, ladder.id)),
        "season": ask(lambda connection: season_pages.page(connection, ladder.id, 1, None)),
        "group": ask(lambda connection: group_pages._bots(connection, ladder)),
        "operators": lambda: office.health(read),
    }
    before = {name: steps.of(what) for name, what in asked.items()}
    multiply(engine, TIMES)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")
    after = {name: steps.of(what) for name, what in asked.items()}
    harder = {name: (before[name], after[name]) for name in asked if after[name] > 2 * before[name] + 500}
    assert not harder
    assert all(before.values())
    # That it would be noticed: a statement that reads all games does.
    assert steps.of(ask(lambda connection: fits.outcomes(connection, ladder.season))) > TIMES * before["seasons"]


def test_replays_without_a_game_are_found_by_an_index(engine: Engine, tmp_path: Path) -> None:
    steps = Steps(engine)
    played(engine)
    replays = Replays(tmp_path / "replays")

    def sweep() -> int:
        for number in range(3):
            os.utime(replays.path(replays.put(b"stray %d" % number, {})), (1000.0, 1000.0))
        return Keeper(engine, replays).sweep()

    before = steps.of(sweep)
    multiply(engine, TIMES)
    assert 0 < steps.of(sweep) <= 2 * before + 500
