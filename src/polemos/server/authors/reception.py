"""Takes in uploads in threads of their own, one after the other, each in a process of its own.

Everything that is known is in the database, and everything that is finished lies in the folder by its digest. So this
can be killed at any time: another process, or the next one, begins again what was left.
"""

from __future__ import annotations

import logging
import os
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

import msgspec
from sqlalchemy import Engine, func, or_, select
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError

from polemos.ladder.clock import writing
from polemos.ladder.files import Bundles
from polemos.server.authors import queue
from polemos.server.authors.progress import Progress
from polemos.server.authors.queue import LEASE, Held
from polemos.server.authors.quotas import Most
from polemos.server.store import groups
from polemos.server.store import ladder as db
from polemos.uploads.apart import Failure, Job, Running
from polemos.uploads.reception import Accepted, Change, News, Rules, Upload
from polemos.uploads.refusals import Refusal, Refused
from polemos.uploads.versions import Versions

LOOK: Final = 0.3  # seconds between two notes of the progress
IDLE: Final = 2.0  # seconds between looks for uploads that others have left
OPENING: Final = 300.0  # seconds for unpacking and recognising: what takes longer is made to
MERCY: Final = 10.0  # seconds for ending a process
TIDYING: Final = 3600.0
UNCLAIMED: Final = 3600.0  # seconds after which an upload that was unpacked and is no version's is deleted
_PLACE: Final = 32  # characters

_log = logging.getLogger("polemos")
_Ended = Accepted | Refusal | Failure


class Reception:
    """All uploads of a server that come into its folder."""

    def __init__(
        self,
        engine: Engine,
        folder: Path,
        bundles: Bundles,
        most: Callable[[int], Most],
        rules: Rules,
        processes: int = 1,
    ) -> None:
        """`most`: the quotas of an account. `processes` share this machine and the folder."""
        self.engine = engine
        self.versions = Versions(folder)
        self.files = folder / "arriving"
        self.files.mkdir(exist_ok=True, mode=0o700)
        self.place = _place_of(folder)
        self.rules = rules
        self.most = most
        self._bundles = bundles
        self._count = max(1, min(4, (os.cpu_count() or 2) // 2) // processes)
        self._complained = False
        self._stop = threading.Event()
        self._news = threading.Condition()
        self._threads: list[threading.Thread] = []

    def start(self, *, alone: bool = False) -> None:
        """`alone`: no other process uses this folder."""
        if alone:
            with writing(self.engine) as connection:
                queue.take_over(connection, self.place)
            self.versions.clear()
        for number in range(self._count):
            self._threads.append(threading.Thread(target=self._go, name=f"reception {number}", daemon=True))
        self._threads.append(threading.Thread(target=self._tidy, name="reception tidying", daemon=True))
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """What is being taken in is given back."""
        self._stop.set()
        self.wake()
        for thread in self._threads:
            thread.join(10)

    def wake(self) -> None:
        """Says that something has arrived."""
        with self._news:
            self._news.notify_all()

    def file_of(self, upload: int) -> Path:
        return self.files / str(upload)

    # ---- threads

    def _go(self) -> None:
        while not self._stop.is_set():
            try:
                held = self._claim()
                self._complained = False
                if held is not None:
                    self._take_in_or_fail(held)
                    continue
            except SQLAlchemyError as error:
                if not self._complained:  # once, however long the database is gone
                    _log.error("The queue of uploads could not be read or written; trying again. %s", error)
                self._complained = True
            except Exception:
                _log.exception("The queue of uploads could not be worked off; trying again.")
            with self._news:
                if not self._stop.is_set():
                    self._news.wait(IDLE)

    def _claim(self) -> Held | None:
        """The next upload. Looks first, so that an idle server takes no locks."""
        with self.engine.connect() as connection:
            if not queue.is_due(connection, self.place):
                return None
        with writing(self.engine) as connection:
            return queue.claim(connection, self.place)

    def _take_in_or_fail(self, held: Held) -> None:
        """Whatever goes wrong is tried again a few times, not forever: others wait. Nobody is to blame for it."""
        try:
            self._take_in(held)
        except (OperationalError, InterfaceError):  # the database is gone: another time, as if this had been killed
            raise
        except Exception as error:
            _log.exception("Upload %d could not be taken in.", held.id)
            with writing(self.engine) as connection:
                queue.fail(connection, held, held.progress, f"an error on the server ({type(error).__name__})")

    def _take_in(self, held: Held) -> None:
        path = self.file_of(held.id)
        progress = held.progress
        if not path.is_file():
            self._ended(held, progress, Failure("The file is not here any more. Upload it again."))
            return
        upload = Upload(str(path), held.called, held.game, held.name, one_game=True)
        running = Running(Job(str(self.versions.folder), upload, self.rules))
        news: SimpleQueue[News | Failure] = SimpleQueue()
        reader = threading.Thread(target=_read, args=(running, news), daemon=True)
        reader.start()
        try:
            end = self._follow(held, progress, news)
        finally:
            running.stop()
            reader.join(MERCY)
            if reader.is_alive():
                running.kill()
                reader.join(MERCY)
            if not reader.is_alive():
                self.versions.clear_after(running.process)
        if end is not None:
            self._ended(held, progress, end)
        elif self._stop.is_set():
            with writing(self.engine) as connection:
                queue.give_back(connection, held)

    def _follow(self, held: Held, progress: Progress, news: SimpleQueue[News | Failure]) -> _Ended | None:
        """Stores the progress until the end, which it returns; None if the lease is lost, or the server stops."""
        began = written = noted = time.monotonic()
        changed = True
        is_opened = False
        while not self._stop.is_set():
            with suppress(Empty):
                one = news.get(timeout=LOOK)
                if isinstance(one, Failure):
                    return one
                progress.hear(one)
                changed = True
                if isinstance(one, Accepted | Refusal):
                    return one
                is_opened |= isinstance(one, Change) and one.step == "built"
                if isinstance(one, Change) and one.step == "recognised" and one.state == "done":
                    try:
                        if not self._settle(held, progress):
                            return None
                    except Refused as refused:
                        refusal = Refusal("recognised", refused.word, refused.why)
                        progress.hear(refusal)
                        return refusal
            if not is_opened and time.monotonic() - began > OPENING:
                refusal = Refusal("unpacked", "archive/time", "It takes too long to unpack. Pack the bot again.")
                progress.hear(refusal)
                return refusal
            due = changed and time.monotonic() - noted >= LOOK
            if not due and time.monotonic() - written < LEASE / 3:
                continue
            noted = time.monotonic()
            try:
                with writing(self.engine) as connection:
                    if not queue.write(connection, held, progress if changed else None):
                        return None
                written, changed = noted, False
            except SQLAlchemyError as error:
                _log.warning("The progress of an upload could not be written; trying again. %s", error)
                if noted - written > LEASE:  # somebody else may have it by now
                    return None
        return None

    def _settle(self, held: Held, progress: Progress) -> bool:
        size = self._size(progress.digest)
        with writing(self.engine) as connection:
            return queue.settle(connection, held, progress, self.most(held.account), size) is not None

    def _size(self, digest: str) -> int:
        """Bytes of an upload, unpacked, and of what its build has left."""
        source = sum(path.stat().st_size for path in self.versions.source(digest).rglob("*") if path.is_file())
        version = self.versions.version(digest)
        return source + (version.size if version is not None and version.build else 0)

    def _ended(self, held: Held, progress: Progress, end: _Ended) -> None:
        if isinstance(end, Accepted):
            bundle = self.versions.bundle(end.version)
            digest = self._bundles.put(bundle)  # before anybody can be told to play it
            size = self._size(end.version.digest)
            bid = next((trial.bid for trial in end.trials if trial.bid is not None), None)
            with writing(self.engine) as connection:
                done = queue.accept(connection, held, progress, digest, size, bid)
        elif isinstance(end, Refusal):
            size = self._size(progress.digest) if progress.digest else 0
            with writing(self.engine) as connection:
                done = queue.refuse(connection, held, progress, size)
        else:
            _log.error("Upload %d could not be taken in: %s", held.id, end.why)
            with writing(self.engine) as connection:
                queue.fail(connection, held, progress, end.why)
            return
        if done:
            self.file_of(held.id).unlink(missing_ok=True)

    # ---- tidying

    def _tidy(self) -> None:
        while not self._stop.wait(1.0):
            try:
                self.tidy()
            except (SQLAlchemyError, OSError):
                _log.exception("Old uploads could not be tidied up.")
            if self._stop.wait(TIDYING):
                return

    def tidy(self) -> None:
        """Deletes files that nobody needs: of uploads that are over or were refused, and of bots that were deleted."""
        with writing(self.engine) as connection:
            queue.tidy(connection)
        for path in self.files.iterdir():
            if path.name.isdigit() and not self._is_due(int(path.name)):
                path.unlink(missing_ok=True)
        for source, digest in self._unused():
            if source:
                self.versions.delete(source)
            if digest:
                (self._bundles.folder / f"{digest}.bot").unlink(missing_ok=True)
        for digest in self._nobodys():
            self.versions.delete(digest)
        for path in self._bundles.unfinished(time.time() - UNCLAIMED):
            path.unlink(missing_ok=True)

    def _nobodys(self) -> list[str]:
        """Uploads that were unpacked a while ago and belong to no version: they were refused before they had a name,
        or so long ago that nobody asks for them any more.
        """
        found = self.versions.sources(UNCLAIMED)
        if not found:
            return []
        with self.engine.connect() as connection:
            known = set(connection.execute(select(db.bot_versions.c.source).distinct()).scalars())
        return [digest for digest in found if digest not in known]

    def _is_due(self, upload: int) -> bool:
        of = queue._of
        with self.engine.connect() as connection:
            state = connection.execute(select(of.c.state).where(of.c.id == upload)).scalar()
        return state is not None and state != "done"

    def _unused(self) -> list[tuple[str, str]]:
        """Sources and bundles that belong to deleted bots alone, none of which is still playing."""
        versions, bots, games, seats = db.bot_versions, db.bots, db.games, db.seats
        links, of = groups.tournament_games, groups.tournaments
        tournament = select(links.c.game_id).join_from(links, of).where(of.c.state == "playing")
        playing = (
            select(seats.c.version_id)
            .join_from(seats, games, games.c.id == seats.c.game_id)
            .where(or_(games.c.state != "done", games.c.id.in_(tournament)))  # locked versions play to the end
        )
        with self.engine.connect() as connection:
            # Also those whose first game is not paired yet.
            begun = connection.execute(select(of.c.versions).where(of.c.state == "playing")).scalars().all()
            entered = {version for some in begun for version in msgspec.json.decode(some, type=list[int])}
            plays = or_(versions.c.id.in_(playing), versions.c.id.in_(entered))
            rows = connection.execute(
                select(versions.c.source, versions.c.digest, bots.c.state, plays)
                .join_from(versions, bots, bots.c.id == versions.c.bot_id)
                .where(
                    versions.c.source.in_(
                        select(versions.c.source)
                        .join_from(versions, bots, bots.c.id == versions.c.bot_id)
                        .where(bots.c.state == "deleted", func.length(versions.c.source) > 0)
                    )
                )
            ).all()
            needed = {source for source, _, state, still in rows if state != "deleted" or still}
            gone = {(source, digest or "") for source, digest, _, _ in rows if source not in needed}
            # Other sources may give the same files once they are built.
            also = select(versions.c.digest).join_from(versions, bots, bots.c.id == versions.c.bot_id)
            shared = set(
                connection.execute(
                    also.where(
                        versions.c.digest.in_({digest for _, digest in gone}),
                        versions.c.source.not_in({source for source, _ in gone}),
                        or_(bots.c.state != "deleted", plays),
                    )
                ).scalars()
            )
        kept = [(source, "" if digest in shared else digest) for source, digest in gone]
        return [(source, digest) for source, digest in kept if self.versions.source(source).is_dir() or digest]


def _read(running: Running, news: SimpleQueue[News | Failure]) -> None:
    try:
        for one in running.news():
            news.put(one)
    except Exception as error:  # a line that can't be read, say: whoever waits for the end must hear of it
        _log.exception("The news of an upload could not be read.")
        news.put(Failure(f"Its news could not be read ({type(error).__name__})."))


def _place_of(folder: Path) -> str:
    """A name for this folder, which all processes that share it know."""
    path = folder / "place"
    with suppress(FileNotFoundError):
        if len(found := path.read_text()) == _PLACE:
            return found
    fresh = folder / f".place-{os.getpid()}"
    fresh.write_text(secrets.token_hex(_PLACE // 2))
    with suppress(FileExistsError):
        os.link(fresh, path)
    fresh.unlink()
    return path.read_text()
