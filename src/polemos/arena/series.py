"""A series between a new bot and an old one, played until we know which is better.

The unit is a block: every seating of the two bots with one match seed, so both get the same start and the same dice
from every seat. With two seats that is a pair of games with seats swapped. Blocks are played in parallel and counted in
order, so the verdict depends only on the seed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import count, product
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from polemos.arena import sprt
from polemos.arena.games import Result, Task, play_one
from polemos.arena.sprt import Hypotheses, Sums
from polemos.arena.times import Used
from polemos.arena.workers import Workers, at_work
from polemos.kernel import dice
from polemos.kernel.errors import BotFault
from polemos.wire.bot import Budget

NEW: Final = 0
OLD: Final = 1
STALE: Final = 32  # blocks in a row without a new game
AHEAD: Final = 64  # blocks per worker that may finish ahead of their turn
_LOOK: Final = 0.25  # seconds between checks of the clock
_PATIENCE: Final = 3.0  # seconds for workers to shut down their bots
_MAX_NOTES: Final = 6


class Plan(Struct, frozen=True):
    """Everything a series depends on."""

    game: str
    options: dict[str, Any]
    new: str
    old: str
    seats: int
    seed: str
    hypotheses: Hypotheses = Hypotheses()
    max_games: int = 20_000
    budget: Budget = Budget()
    trust: bool = False  # programs run without the box

    @property
    def games(self) -> int:
        """Games in a block."""
        return (1 << self.seats) - 2

    @property
    def max_blocks(self) -> int:
        return max(1, self.max_games // self.games)


class Played(Struct, frozen=True):
    """One block, as returned by a worker."""

    number: int
    results: tuple[Result, ...]
    cpu: float  # seconds

    @property
    def score(self) -> float:
        """The new bot's mean points."""
        return sum(result.points[NEW] for result in self.results) / len(self.results)

    @property
    def steps(self) -> int:
        return sum(result.steps for result in self.results)


class Pace(Struct):
    """How fast it went. This is the only thing that depends on the machine."""

    seconds: float = 0.0
    steps: int = 0
    cpu: float = 0.0

    @property
    def steps_per_second(self) -> float:
        return self.steps / self.seconds if self.seconds else 0.0

    @property
    def cores_busy(self) -> float:
        return self.cpu / self.seconds if self.seconds else 0.0


def seatings(seats: int) -> list[tuple[int, ...]]:
    """Every way to seat the two bots with at least one seat for each; the new bot comes first."""
    return [seating for seating in product((NEW, OLD), repeat=seats) if 0 < sum(seating) < seats]


def tasks(plan: Plan, number: int) -> list[Task]:
    """The games of a block: one match seed, and separate bot seeds for every game."""
    seed = dice.derive(plan.seed, "block", number)
    return [
        Task(
            number=number,
            game=plan.game,
            options=plan.options,
            bots=(plan.new, plan.old),
            seating=seating,
            seed=seed,
            out=None,
            budget=plan.budget,
            trust=plan.trust,
            bot_seed=dice.derive(seed, "bots", game),
            numbered=False,  # they are NEW and OLD
        )
        for game, seating in enumerate(seatings(plan.seats))
    ]


def play_block(plan: Plan, number: int) -> Played:
    """Plays all games of a block. Runs in a worker process."""
    began = _cpu()
    results = tuple(play_one(task) for task in tasks(plan, number))
    return Played(number, results, _cpu() - began)


def _cpu() -> float:
    """CPU seconds of this process and of its finished children."""
    return sum(os.times()[:4])


# ---- results so far


class Standing:
    """The results of a series so far. Takes blocks in order; the same blocks always give the same standing."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.blocks = 0  # played and counted
        self.counted = 0  # of these, with at least one new game
        self.games = 0
        self.steps = 0
        self.wins = self.draws = self.losses = 0  # of the new bot, in distinct games
        self.pairs = [0] * 5  # with two seats: blocks by points of the new bot, 0 to 2
        self.sums = Sums()
        self.faults = [0, 0]  # void lines by bot, in distinct games
        self.strikes = [0, 0]
        self.forfeits = [0, 0]
        self.used = [Used(), Used()]  # time by bot, in all games
        self._names: tuple[str, ...] = ()  # as the bots announced themselves in their first game
        self.notes: list[str] = []  # the first forfeits in words
        self.passed: list[str] = []  # the same for bots that were gone and passed to the end
        self.llr = 0.0
        self.decided: str | None = None
        self.interrupted = False
        self._stale = 0
        self._seen: set[str] = set()

    @property
    def distinct(self) -> int:
        return len(self._seen)

    @property
    def is_stale(self) -> bool:
        return self._stale >= STALE

    @property
    def is_over(self) -> bool:
        return self.decided is not None or self.is_stale or self.blocks >= self.plan.max_blocks

    @property
    def verdict(self) -> str:
        return {None: "undecided", "H0": "not better", "H1": "better"}[self.decided]

    def take(self, played: Played) -> None:
        """Counts a block, unless it only repeats games already seen and so tells us nothing."""
        plan = self.plan
        self.blocks += 1
        self.games += len(played.results)
        self.steps += played.steps
        for result in played.results:
            self._names = self._names or result.names
            for bot, more in enumerate(result.used):
                self.used[bot] = self.used[bot].plus(more)
        fresh = [result for result in played.results if result.fingerprint not in self._seen]
        self._seen.update(result.fingerprint for result in fresh)
        for result in fresh:
            self._take_game(result)
        self._stale = 0 if fresh else self._stale + 1
        if not fresh:
            return
        self.counted += 1
        self.sums = self.sums.plus(played.score)
        if plan.seats == 2:
            self.pairs[round(played.score * 4)] += 1
        self.llr = sprt.llr(self.sums, plan.hypotheses, plan.seats, plan.games)
        self.decided = sprt.decided(self.llr, plan.hypotheses)

    def _take_game(self, result: Result) -> None:
        self.wins += result.winner == NEW
        self.losses += result.winner == OLD
        self.draws += result.winner is None
        for bot in (NEW, OLD):
            self.faults[bot] += result.faults[bot]
            self.strikes[bot] += result.strikes[bot] if result.strikes else 0
            self.forfeits[bot] += bot in result.forfeits
        unit = "pair" if self.plan.seats == 2 else "block"
        for notes, told in ((self.notes, result.forfeits), (self.passed, result.gone)):
            for bot, why in told.items():
                if len(notes) < _MAX_NOTES:
                    notes.append(f"{self.name_of(bot)} in {unit} {result.number}: {why}")

    @property
    def names(self) -> tuple[str, str]:
        """What the new and the old bot are called. Before their first game nobody knows."""
        new, old = self._names or (self.plan.new, self.plan.old)
        return new, old

    def name_of(self, bot: int) -> str:
        return f"{'NEW' if bot == NEW else 'OLD'} {self.names[bot]}"

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference in Elo with its 95% confidence interval: low, most likely, high."""
        return sprt.elo_interval(self.sums, self.plan.seats, self.plan.games)

    def sentence(self) -> str:
        """The verdict in one sentence."""
        test = self.plan.hypotheses
        new, old = self.name_of(NEW), self.name_of(OLD)
        low, middle, high = self.elo
        known = f"{elo_text(middle)} Elo ({elo_text(low)} to {elo_text(high)})"
        h0, h1 = elo_text(test.elo0), elo_text(test.elo1)
        if self.decided == "H1":
            claim = "is better than" if test.elo1 > 0 else "is not worse than"
            return f"{new} {claim} {old}: {known} in {self.games} games, which favour {h1} Elo over {h0}."
        if self.decided == "H0":
            claim = "is not better than" if test.elo1 > 0 else "is worse than"
            return f"{new} {claim} {old}: {known} in {self.games} games, which favour {h0} Elo over {h1}."
        if self.is_stale:
            same = "game" if self.distinct == 1 else f"{self.distinct} games"
            known += f"; the bots keep repeating the same {same}, so playing more would not help"
        elif not self.counted:
            known = "nothing is known yet"
        stopped = "Stopped, undecided" if self.interrupted else "Undecided"
        return f"{stopped} after {self.games} games between {new} and {old}: {known}."


def elo_text(elo: float) -> str:
    """An Elo difference with its sign.

    >>> elo_text(12.34), elo_text(-0.04), elo_text(float("-inf"))
    ('+12.3', '0', '-∞')
    """
    if elo in (float("inf"), float("-inf")):
        return "+∞" if elo > 0 else "-∞"
    text = f"{elo:+.0f}" if abs(elo) >= 100 else f"{elo:+.1f}".removesuffix(".0")
    return "0" if float(text) == 0 else text


# ---- playing


Show = Callable[[Standing, Pace], None]


def run(plan: Plan, workers: int | None, show: Show) -> tuple[Standing, Pace]:
    """Plays until there is a verdict, the games run out, or Ctrl-C; uses all cores unless `workers` says otherwise."""
    workers = min(workers or os.cpu_count() or 1, plan.max_blocks)
    standing, pace, began = Standing(plan), Pace(), time.perf_counter()

    def looked(played: Played | None) -> None:
        """Called when a block has arrived, or some time has passed."""
        if played is not None:
            pace.steps += played.steps
            pace.cpu += played.cpu
        pace.seconds = time.perf_counter() - began
        show(standing, pace)

    try:
        if workers <= 1:
            for number in range(1, plan.max_blocks + 1):
                played = play_block(plan, number)
                standing.take(played)
                looked(played)
                if standing.is_over:
                    break
        else:
            _run_side_by_side(standing, workers, looked)
    except KeyboardInterrupt:
        standing.interrupted = True
    pace.seconds = time.perf_counter() - began
    return standing, pace


def _run_side_by_side(standing: Standing, workers: int, looked: Callable[[Played | None], None]) -> None:
    try:
        with Workers(workers) as pool:
            for played in _in_order(pool, standing.plan, workers, looked):
                standing.take(played)
                looked(None)
                if standing.is_over:
                    return
    except BrokenProcessPool:
        raise BotFault("A bot ended the process that played it. Run it by itself to see which.") from None


def _in_order(
    pool: ProcessPoolExecutor, plan: Plan, workers: int, looked: Callable[[Played | None], None]
) -> Iterator[Played]:
    """The blocks by number, whichever finishes first."""
    numbers = iter(range(1, plan.max_blocks + 1))
    running: set[Future[Played]] = set()
    finished: dict[int, Played] = {}
    for wanted in count(1):
        while wanted not in finished:
            while len(running) < 2 * workers and len(finished) < AHEAD * workers:
                if (number := next(numbers, None)) is None:
                    break
                running.add(pool.submit(_work, plan, number))
            if not running:
                return
            done, running = wait(running, _LOOK, FIRST_COMPLETED)
            for future in done:
                played = future.result()
                finished[played.number] = played
                looked(played)
            if not done:
                looked(None)
        yield finished.pop(wanted)


# ---- in a worker

_charged = 0.0  # CPU seconds of this worker already accounted for


def _work(plan: Plan, number: int) -> Played:
    global _charged
    played = at_work(play_block, plan, number)
    before, _charged = _charged, _cpu()
    return replace(played, cpu=_charged - before)  # including the time it took to start
