"""Analyses of finished matches: made one at a time, in a process of their own, and kept in a folder.

Anyone may ask for one, so they cost little: an analysis has a limit of CPU time, everyone may have few of them waiting,
and its process gives way to everything else. How far one is stands in a file beside the place of the
result, so that all processes of a server see it.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import msgspec

from polemos.kernel import replay
from polemos.kernel.errors import PolemosError
from polemos.kernel.rooms import playouts_of
from polemos.search.analysis import FORMAT, Analysis, Depth, analyse
from polemos.server import shelf, thinker
from polemos.server.limits import TooMany
from polemos.server.thinking import thread
from polemos.server.work import Line, Rank
from polemos.wire.analysis import AnalysisCard

DEPTH: Final = Depth(seconds=20.0)
MAX_WAITING: Final = 20  # in all,
MAX_OWN: Final = 2  # and of one visitor
KEPT: Final = 2000  # results in the folder
MAX_FAILED: Final = 200  # reasons that are remembered
TELL: Final = 0.3  # seconds between two notes of how far it is
FRESH: Final = 30.0  # seconds after which such a note is one of a process that has died
NICE: Final = 5  # on top of what bots' processes have

_log = logging.getLogger("polemos")


def process() -> Executor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=begin)


def begin() -> None:
    thinker.begin()
    if sys.platform != "win32":
        os.nice(NICE)


def make(folder: Path, processes: int | None) -> Analyses:
    """With no processes for bots there is none for analyses either."""
    return Analyses(folder, thread if processes == 0 else process)


class Analyses:
    def __init__(self, folder: Path, maker: Callable[[], Executor]) -> None:
        self._folder = folder
        self._owner = f"{socket.gethostname()}-{os.getpid()}-{id(self)}"
        self._line = Line(maker)
        self._jobs: dict[str, tuple[str, asyncio.Task[None]]] = {}  # by name: who waits for it
        self._failed: dict[str, str] = {}

    def card(self, game: str, name: str) -> AnalysisCard:
        """How far it is; with the result, if there is one. `name` stands for one finished match."""
        adapter = shelf.load(game)
        if playouts_of(adapter) is None:
            return AnalysisCard(
                "impossible", why=f"{adapter.title} can't be analysed yet: nobody has taught a computer to play it on."
            )
        with suppress(OSError, msgspec.MsgspecError):
            found = msgspec.json.decode(gzip.decompress(self._path(name).read_bytes()), type=Analysis)
            return AnalysisCard("done", found.playouts, found.playouts, analysis=found)
        if name in self._failed:
            return AnalysisCard("failed", why=self._failed[name])
        note = self._note(name)
        if note is not None:
            return AnalysisCard("running", *note)
        return AnalysisCard("waiting" if name in self._jobs else "none")

    def begin(self, name: str, who: str, read: Callable[[], Awaitable[bytes]]) -> None:
        """Makes one when its turn comes, and returns at once. `read` gets the replay."""
        if name in self._jobs:
            return
        waiting = [other for other, _ in self._jobs.values()]
        if len(waiting) >= MAX_WAITING or waiting.count(who) >= MAX_OWN:
            raise TooMany("analyses", 20.0)
        self._failed.pop(name, None)
        self._jobs[name] = who, asyncio.create_task(self._make(name, who, read))

    async def _make(self, name: str, who: str, read: Callable[[], Awaitable[bytes]]) -> None:
        try:
            data = await read()
            outcome = await self._line.run(who, Rank.IDLE, work, data, str(self._path(name)), self._owner)
            if outcome.error is not None:
                raise outcome.error
        except PolemosError as error:
            self._fail(name, str(error))
        except Exception as error:  # a bug of ours, or the process has died
            _log.error("An analysis failed: %s", name, exc_info=error)
            self._fail(name, "Something went wrong inside Polemos. The error has been logged.")
        finally:
            del self._jobs[name]
            self._line.rest()

    def _fail(self, name: str, why: str) -> None:
        self._failed[name] = why
        while len(self._failed) > MAX_FAILED:
            del self._failed[next(iter(self._failed))]

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}-{FORMAT}.json.gz"

    def _note(self, name: str) -> tuple[int, int] | None:
        path = _note_of(self._path(name))
        with suppress(OSError, ValueError):
            if time.time() - path.stat().st_mtime < FRESH:
                done, of, _ = path.read_text().split()
                return int(done), int(of)
        return None

    def _is_own(self, note: Path) -> bool:
        """Several servers share the folder, and may be asked for the same match."""
        with suppress(OSError):
            return self._owner in note.read_text()
        return False

    async def close(self) -> None:
        """Whatever is not done yet is forgotten; people can ask for it again. What runs here ends with its note."""
        jobs = dict(self._jobs)
        for _, task in jobs.values():
            task.cancel()
        await asyncio.gather(*(task for _, task in jobs.values()), return_exceptions=True)
        for note in (_note_of(self._path(name)) for name in jobs):
            if self._is_own(note):
                with suppress(OSError):
                    note.unlink(missing_ok=True)
        self._line.close()


class _Unwanted(Exception):
    """Somebody has taken the note of an analysis away: nobody waits for it any more."""


def work(data: bytes, place: str, owner: str = "nobody") -> None:
    """Reads a replay, analyses it for a server and writes the result. Runs in the process for analyses."""
    path = Path(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    note, told = _note_of(path), time.monotonic()

    def tell(done: int, of: int) -> None:
        nonlocal told
        if time.monotonic() - told >= TELL:
            told = time.monotonic()
            try:
                with note.open("r+") as file:
                    file.write(f"{done} {of} {owner}")
                    file.truncate()
            except FileNotFoundError:
                raise _Unwanted from None

    note.write_text(f"0 0 {owner}")
    try:
        with _kept_fresh(note):
            _analysed(data, path, tell)
    except _Unwanted:
        return
    finally:
        note.unlink(missing_ok=True)
    _tidy(path.parent)


def _analysed(data: bytes, path: Path, tell: Callable[[int, int], None]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "replay.jsonl"
        file.write_bytes(data)
        read = replay.read(file)
    *_, match = replay.replayed(read, shelf.load(read.header.game))
    made = gzip.compress(msgspec.json.encode(analyse(match, DEPTH, progress=tell)), mtime=0)
    fresh = path.with_name(f".{os.getpid()}-{path.name}")
    fresh.write_bytes(made)
    fresh.replace(path)


@contextmanager
def _kept_fresh(note: Path) -> Iterator[None]:
    """Touches the note meanwhile: reading a long match or compiling a game tells nothing for longer than `FRESH`."""
    done = threading.Event()

    def touch() -> None:
        while not done.wait(FRESH / 4):
            with suppress(OSError):
                os.utime(note)

    toucher = threading.Thread(target=touch, daemon=True)
    toucher.start()
    try:
        yield
    finally:
        done.set()
        toucher.join()


def _note_of(path: Path) -> Path:
    return path.with_suffix(".part")


def _tidy(folder: Path) -> None:
    """Deletes the oldest results, if there are too many. They can be made again."""
    found = sorted(folder.glob("*.json.gz"), key=lambda path: path.stat().st_mtime)
    for path in found[: max(0, len(found) - KEPT)]:
        path.unlink(missing_ok=True)
