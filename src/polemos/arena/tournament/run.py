"""Playing a tournament: games that are due are sent out in batches, and count once the results are in the journal."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct

from polemos.arena.tournament.batch import REPLAYS, Batch, Done
from polemos.arena.tournament.engine import Tournament
from polemos.arena.tournament.executor import Executor
from polemos.arena.tournament.journal import Journal
from polemos.kernel.errors import BrokenGame

BATCH: Final = 1.5  # seconds that a batch should take
SHORTEST: Final = 0.2  # towards the end, when batches get smaller so that all cores finish together
_REMEMBERED: Final = 200  # games used to estimate the length of the next ones
_LOOK: Final = 0.25  # seconds between checks of the clock


class Pace(Struct):
    """How fast it goes. This is the only thing that depends on the machine."""

    cores: int = 1
    games: int = 0
    steps: int = 0
    seconds: float = 0.0
    work: float = 0.0  # seconds that workers were busy
    cpu: float = 0.0  # seconds of CPU time

    @property
    def cores_busy(self) -> float:
        """The average number of busy cores. On a busy machine there are fewer than there are workers."""
        return self.cpu / self.seconds if self.seconds else 0.0

    @property
    def at_work(self) -> float:
        """The fraction of time in which workers had something to do."""
        return self.work / self.seconds / self.cores if self.seconds else 0.0


Show = Callable[[Tournament, Pace], None]


class Sizes:
    """The number of games in a batch, learnt from the games played so far."""

    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=_REMEMBERED)

    def learn(self, done: Done) -> None:
        self._seconds += (game.seconds for game in done.played if not game.void)

    def size(self, left: int, cores: int) -> int:
        """Large enough that the cost of sending is negligible, but smaller when few games are left for each core."""
        if not self._seconds:
            return 1
        mean = max(1e-6, sum(self._seconds) / len(self._seconds))
        share = left / (2 * cores)
        return max(1, min(int(BATCH / mean), max(int(SHORTEST / mean), int(share))))


class Runner:
    """One run, from the state in the journal to the end or to Ctrl-C."""

    def __init__(self, tournament: Tournament, journal: Journal, executor: Executor, show: Show) -> None:
        self.tournament = tournament
        self.pace = Pace()
        self._journal = journal
        self._executor = executor
        self._show = show
        self._sizes = Sizes()
        self._sent = 0  # all games up to this number that are due have been sent
        self._out: set[int] = set()  # sent, but not back yet
        self._began = time.perf_counter()

    def run(self) -> None:
        """Plays games until none are due."""
        while not self.tournament.is_over:
            self._send()
            if not self._out:
                raise BrokenGame(
                    f"No game is due after game {self.tournament.settled}, but the tournament is not over."
                )
            arrived = self._executor.wait(_LOOK)
            self._out.difference_update(game.number for done in arrived for game in done.played)
            self._send()  # before writing, so that cores do not wait for the disk
            for done in arrived:
                self._take(done)
            self.pace.cores = self._executor.cores
            self.pace.seconds = time.perf_counter() - self._began
            self._show(self.tournament, self.pace)

    def _send(self) -> None:
        while self._executor.room > 0:
            size = self._sizes.size(self.tournament.left(self._sent), self._executor.cores)
            pairings = tuple(islice(self.tournament.due(self._sent), size))
            if not pairings:
                return
            self._sent = pairings[-1].number
            self._out.update(pairing.number for pairing in pairings)
            self._executor.submit(Batch(pairings))

    def _take(self, done: Done) -> None:
        self._sizes.learn(done)
        for name, content in done.files.items():
            _put(self._journal.folder / REPLAYS / name, content)
        for game in self._journal.add(done.played):
            self.pace.games += 1
            self.pace.steps += game.steps
            self.tournament.take(game)
        self.pace.work += done.seconds
        self.pace.cpu += done.cpu


def _put(path: Path, content: bytes) -> None:
    """The file appears complete or not at all."""
    fresh = path.with_name(f".{path.name}")
    fresh.write_bytes(content)
    fresh.replace(path)


def sweep(folder: Path) -> None:
    """Creates the folder for replays, and deletes partial files left by a killed run."""
    replays = folder / REPLAYS
    replays.mkdir(exist_ok=True)
    for path in replays.glob(".*"):
        path.unlink(missing_ok=True)
