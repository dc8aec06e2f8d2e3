"""The engine of all ladders of a server: it pairs, rates, fits, ends seasons and tidies up, in threads of its own.

It keeps nothing that is not in the database, so it can be stopped or killed at any time. Several processes can run one
on the same database: one of them is on duty, the others lease games and count results, and take over if it dies.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct
from sqlalchemy import Engine, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from polemos.ladder import fits, ladders, leases, people, queries, results, seasons
from polemos.ladder.bell import Bell
from polemos.ladder.clock import now, reading, writing
from polemos.ladder.desk import AtTheDesk, Desk
from polemos.ladder.duty import Duty, OffDuty
from polemos.ladder.files import Bundles, Replays
from polemos.ladder.judging import Referee
from polemos.ladder.ladders import Ladder
from polemos.ladder.live import LIVE, Lives
from polemos.ladder.players import Crew, Executor
from polemos.ladder.rater import Rater
from polemos.ladder.retention import Keeper
from polemos.ladder.scheduler import Scheduler
from polemos.ladder.tournaments import Tournaments
from polemos.server.store import ladder as db

TICK: Final = 1.0  # seconds between two looks of the scheduler
EXPIRY: Final = 5.0
RENEWAL: Final = 3.0  # of the duty
PEOPLE: Final = 5.0  # between looks for rated matches that have ended
FITS: Final = 30.0  # between looks whether a fit is due
TIDYING: Final = 3600.0
MEASURES: Final = 10.0
LOADS: Final = 600.0  # between two points of the day
DAY: Final = 25 * 3600.0  # for which they are kept

_log = logging.getLogger("polemos")


class Condition(Struct, frozen=True):
    """How the ladders are, a few seconds ago."""

    on_duty: bool
    waiting: int
    leased: int
    a_minute: float  # games


class Every:
    """Something that is done from time to time. `seconds` of CPU time were spent on it so far."""

    def __init__(self, name: str, seconds: float, what: Callable[[], object], *, if_: Callable[[], bool]) -> None:
        self.name = name
        self.seconds = 0.0
        self._pause = seconds
        self._what = what
        self._if = if_
        self._next = 0.0
        self._failed = False

    def look(self) -> None:
        if time.monotonic() < self._next or not self._if():
            return
        self._next = time.monotonic() + self._pause
        began = time.thread_time()
        try:
            self._what()
            self._failed = False
        except OffDuty:
            _log.warning("Another process looks after the ladders now.")
        except Exception as error:  # the database is gone for a while, say: the ladders must go on afterwards
            if not self._failed:  # once is enough
                _log.exception("The ladders could not %s; trying again.", self.name, exc_info=error)
            self._failed = True
        finally:
            self.seconds += time.thread_time() - began


class Ladders:
    """Everything that makes ladders run on this server."""

    def __init__(
        self,
        engine: Engine,
        folder: Path,
        *,
        games: Sequence[str] = (),
        lease: float = leases.LEASE,
        fit_every: float = fits.HOUR,
        limits: float = 1.0,
    ) -> None:
        """`games`: those that have a ladder from the start. `limits` multiplies the quotas of accounts."""
        self.engine = engine
        self.bundles = Bundles(folder / "bots")
        self.replays = Replays(folder / "replays")
        self.lives = Lives(folder / LIVE)
        self.bell = Bell(engine)
        self.referee = Referee()
        self.desk = Desk(engine, self.bundles, self.replays, self.referee, self.bell, lease=lease)
        self.duty = Duty(engine, alone=engine.dialect.name == "sqlite")
        self.condition = Condition(False, 0, 0, 0.0)
        self.chores: list[Every] = []
        self.threads: list[threading.Thread] = []
        self._games = tuple(games)
        self._lease = lease
        self._fit_every = fit_every
        self._scheduler = Scheduler(engine, self.bell, self.duty.writing, limits=limits)
        self._tournaments = Tournaments(engine, self.bell)
        self._raters: dict[int, Rater] = {}
        self._keeper = Keeper(engine, self.replays)
        self._stop = threading.Event()

    def start(self, executor: Executor | None = None, name: str = "this server", *, may_lead: bool = True) -> None:
        """Begins. With an executor, games are played here; otherwise only by workers that connect.

        `may_lead`: whether this process may be the one that pairs and rates.
        """

        def always() -> bool:
            return True

        def on_duty() -> bool:
            return self.duty.is_held

        soon = [
            Every("renew leases", self._lease / 3, lambda: self.desk.renew(()), if_=always),
            Every("count results", TICK, self.desk.settle, if_=always),
            Every("end leases", EXPIRY, self.expire, if_=always),
            Every("measure", MEASURES, self.measure, if_=always),
        ]
        if may_lead:
            soon.insert(0, Every("go on duty", RENEWAL, self.duty.hold, if_=always))
            soon += [
                Every("open", TIDYING, self.open_ladders, if_=on_duty),
                Every("look after groups", TICK, self._tournaments.look, if_=on_duty),
                Every("pair", TICK, self.schedule, if_=on_duty),
                Every("rate", TICK, self.rate, if_=on_duty),
                Every("rate people", PEOPLE, self.rate_people, if_=on_duty),
            ]
            later = [
                Every("fit", FITS, self.fit, if_=on_duty),
                Every("turn seasons", FITS / 3, self.turn_seasons, if_=on_duty),
                Every("note the load", LOADS, self.note_load, if_=on_duty),
                Every("tidy up", TIDYING, self.tidy, if_=on_duty),
            ]
            self._run("ladder fits", later)
        self._run("ladder", soon)
        if executor is not None:
            self._play(executor, name)

    def _play(self, executor: Executor, name: str) -> None:
        """Plays games in a thread of its own. The database may not be there yet."""

        def go() -> None:
            while not self._stop.is_set():
                try:
                    source = AtTheDesk(self.desk, name, executor.room)
                except SQLAlchemyError:
                    self._stop.wait(RENEWAL)
                else:
                    bots, live = str(self.bundles.folder), self.lives.folder
                    Crew(source, executor, folder=bots, live=live, lease=self._lease).run(self._stop)
                    return
            executor.close()

        self._begin("ladder crew", go)

    def stop(self) -> None:
        """Games that are being played are given back; everything else is in the database."""
        self._stop.set()
        self.bell.close()
        for thread in self.threads:
            thread.join(30)
        self.referee.close()
        if self.duty.is_held:
            try:
                self.duty.leave()
            except SQLAlchemyError:
                _log.warning("The database is gone; others look after the ladders in a few seconds.")

    def _run(self, name: str, chores: list[Every]) -> None:
        def go() -> None:
            while not self._stop.is_set():
                for chore in chores:
                    if not self._stop.is_set():
                        chore.look()
                self._stop.wait(TICK)

        self.chores += chores
        self._begin(name, go)

    def _begin(self, name: str, what: Callable[[], None]) -> None:
        self.threads.append(threading.Thread(target=what, name=name, daemon=True))
        self.threads[-1].start()

    # ---- what is done from time to time

    def open_ladders(self) -> None:
        """Opens the ladders that are missing, and seats our own bots."""
        ladders.open_missing(self.engine, self._games)

    def played(self) -> list[str]:
        """The games that have a ladder."""
        with reading(self.engine) as connection:
            return list(connection.execute(select(db.ladders.c.game).distinct()).scalars())

    def schedule(self) -> int:
        return self._scheduler.look()

    def expire(self) -> None:
        with writing(self.engine) as connection:
            results.given_up(connection, leases.expire(connection))

    def rate(self) -> int:
        """Brings live ratings up to date."""
        with reading(self.engine) as connection:
            current = [ladder.season for ladder in ladders.all_of(connection)]
        known = self._raters
        if not self.duty.is_held:  # somebody asks for it although nobody runs here
            return sum(Rater(self.engine, season).look() for season in current)
        self._raters = {
            season: known.get(season) or Rater(self.engine, season, self.duty.writing) for season in current
        }
        try:
            return sum(rater.look() for rater in self._raters.values())
        except OffDuty:
            self._raters = {}  # others rate now; what is in memory is of no use any more
            raise

    def rate_people(self) -> int:
        return people.rate(self.engine, self.duty.writing if self.duty.is_held else None)

    def fit(self) -> None:
        """Fits every season whose last fit is too old."""
        with reading(self.engine) as connection:
            due = [one for one in ladders.all_of(connection) if fits.is_due(connection, one.season, self._fit_every)]
        for ladder in due:
            self._fit(ladder)

    def _fit(self, ladder: Ladder, *, everything: bool = False) -> int | None:
        """A large season is not fitted here: pages would have to wait for it."""
        with reading(self.engine) as connection:
            is_large = fits.is_large(connection, ladder.season)
        if not is_large:
            return fits.fit(self.engine, ladder, everything=everything)
        url = self.engine.url.render_as_string(hide_password=False)
        return self.referee.run(fits.fit_at, url, ladder.id, everything).result()

    def turn_seasons(self) -> None:
        with reading(self.engine) as connection:
            found = ladders.all_of(connection)
        for ladder in found:
            seasons.look(self.engine, ladder, partial(self._fit, everything=True))

    def tidy(self) -> None:
        self._keeper.look()
        self._keeper.sweep()
        self.lives.sweep()
        with writing(self.engine) as connection:
            for ladder in ladders.all_of(connection):
                fits.thin_out(connection, ladder.season)

    def measure(self) -> None:
        """Takes a look at the queue, for the operator's figures."""
        with reading(self.engine) as connection:
            played = queries.pace([ladder.season for ladder in ladders.all_of(connection)])
            self.condition = Condition(
                on_duty=self.duty.is_held,
                waiting=leases.waiting(connection),
                leased=leases.leases_out(connection),
                a_minute=int(connection.execute(played).scalar_one()) * 60 / queries.PACE,
            )

    def note_load(self) -> None:
        """A point of the curve that the page of the queue shows."""
        of = db.loads
        with writing(self.engine) as connection:
            row = {"at": now(), "waiting": leases.waiting(connection), "leased": leases.leases_out(connection)}
            connection.execute(insert(of).values(row))
            connection.execute(delete(of).where(of.c.at < now() - DAY))
