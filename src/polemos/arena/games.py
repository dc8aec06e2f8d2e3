"""Many games between bots, in rounds: with the same start and the same dice, every bot plays every seat once."""

from __future__ import annotations

import hashlib
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from polemos import registry
from polemos.arena.times import Used, total, used
from polemos.arena.workers import Workers, at_work
from polemos.hosts import names, specs
from polemos.hosts.process import ProcessBot
from polemos.kernel import dice, replay
from polemos.kernel.errors import BotFault
from polemos.kernel.match import AnyMatch, Match, Step
from polemos.kernel.outcome import Outcome
from polemos.kernel.playing import play
from polemos.kernel.verdict import Verdict
from polemos.wire.bot import Budget


class Task(Struct, frozen=True):
    """One game to be played."""

    number: int
    game: str
    options: dict[str, Any]
    bots: tuple[str, ...]  # as named on the command line
    seating: tuple[int, ...]  # seating[i] is the bot in seat i
    seed: str
    out: str | None
    budget: Budget = Budget()
    trust: bool = False  # programs run without the box
    bot_seed: str | None = None  # the seed for the bots, if it differs from the seed of the game
    names: tuple[str, ...] = ()  # of the bots, if they are settled
    numbered: bool = True  # otherwise, whether two that nothing else tells apart get numbers


class Result(Struct, frozen=True):
    number: int
    seating: tuple[int, ...]
    winner: int | None  # index of the bot
    points: tuple[float, ...]  # by bot
    steps: int
    fingerprint: str  # of the whole game
    faults: tuple[int, ...]  # void lines by bot
    forfeits: dict[int, Verdict]
    replay: str | None
    seats: tuple[str, ...]
    outcome: Outcome
    strikes: tuple[int, ...] = ()  # by bot
    used: tuple[Used, ...] = ()  # the time of each bot
    names: tuple[str, ...] = ()  # of the bots
    gone: dict[int, Verdict] = {}  # bots that were gone before the end and passed, and why


class Table(Struct, frozen=True):
    """The results, with every distinct game counted once."""

    bots: tuple[str, ...]  # as named on the command line
    names: tuple[str, ...]  # as people call them
    games: int
    distinct: int
    wins: tuple[int, ...]
    draws: int
    losses: tuple[int, ...]
    points: tuple[float, ...]
    by_seat: dict[str, tuple[int, ...]]  # seat to wins of each bot there
    void_lines: tuple[int, ...]
    strikes: tuple[int, ...]  # as all that follows, in all games
    dropped: tuple[int, ...]  # games that each bot dropped out of
    forfeits: dict[str, str]  # bot and game, and the verdict as text
    steps: int
    used: tuple[Used, ...]
    gone: dict[str, str] = {}  # the same, for bots that were gone and passed


def tasks(
    game: Any,
    bots: Sequence[str],
    games: int,
    seed: object,
    options: Mapping[str, Any],
    out: Path | None,
    budget: Budget | None = None,
    trust: bool = False,
) -> list[Task]:
    """The games to play, in rounds: in each, every bot plays every seat once, with the same start and dice."""
    count = len(bots)
    return [
        Task(
            number=n + 1,
            game=game.name,
            options=dict(options),
            bots=tuple(bots),
            seating=tuple((seat + n) % count for seat in range(count)),
            seed=dice.derive(seed, "game", n // count),
            out=None if out is None else str(out),
            budget=budget or Budget(),
            trust=trust,
            bot_seed=dice.derive(seed, "game", n),
        )
        for n in range(games)
    ]


def play_one(task: Task, on_step: Callable[[AnyMatch, Step], None] | None = None) -> Result:
    """Plays one game. Runs in a worker process. `on_step` is called after each step."""
    game = registry.load(task.game)
    match = Match(game, task.options, seed=task.seed)
    players = {seat: task.bots[bot] for seat, bot in zip(match.seats, task.seating, strict=True)}
    with _on_one_core(not any(specs.is_program(game, name) for name in players.values()), task.number):
        outcome, said = _played(task, game, match, players, on_step)
    called = _names(task, game, match.seats, said)
    bot_of = dict(zip(match.seats, task.seating, strict=True))
    file = None
    if task.out is not None:
        path = Path(task.out) / f"game-{task.number:05d}.jsonl.gz"
        by_seat = {seat: called[bot] for seat, bot in zip(match.seats, task.seating, strict=True)}
        replay.write(path, match, by_seat, _seeds(task, match.seats))
        file = str(path)
    points = [0.0] * len(task.bots)
    faults = [0] * len(task.bots)
    strikes = [0] * len(task.bots)
    times = [Used()] * len(task.bots)
    for seat, bot in bot_of.items():
        points[bot] += outcome.points[seat]
        faults[bot] += sum(step.void_lines(seat) for step in match.steps)
        strikes[bot] += sum(seat in step.strikes for step in match.steps)
        times[bot] = times[bot].plus(used(match.steps, seat))
    return Result(
        number=task.number,
        seating=task.seating,
        winner=None if outcome.winner is None else bot_of[outcome.winner],
        points=tuple(points),
        steps=len(match.steps),
        fingerprint=f"{task.seating}{course(match.steps)}",
        faults=tuple(faults),
        forfeits={bot_of[seat]: verdict for step in match.steps for seat, verdict in step.forfeits.items()},
        replay=file,
        seats=match.seats,
        outcome=outcome,
        strikes=tuple(strikes),
        used=tuple(times),
        names=tuple(called),
        gone={bot_of[seat]: verdict for step in match.steps for seat, verdict in step.gone.items()},
    )


def course(steps: Iterable[Step]) -> str:
    """A digest of all positions of a game."""
    found = hashlib.blake2b(digest_size=16)
    for step in steps:
        found.update(step.digest.encode())
    return found.hexdigest()


def _names(task: Task, game: Any, seats: Sequence[str], said: Mapping[str, str]) -> list[str]:
    """What the bots are called. Only those that play have announced anything."""
    if task.names:
        return list(task.names)
    by_bot = {bot: said[seat] for seat, bot in reversed([*zip(seats, task.seating, strict=True)])}
    bots = tuple((spec, by_bot.get(bot, "")) for bot, spec in enumerate(task.bots))
    return list(_told_apart(game.name, bots, task.numbered))


@lru_cache
def _told_apart(game: str, bots: tuple[tuple[str, str], ...], numbered: bool) -> tuple[str, ...]:
    """The names of bots, from their specs and what they announced; the same in every game, so found out once."""
    loaded = registry.load(game)
    found = [names.called(loaded, spec, said) for spec, said in bots]
    return tuple(names.told_apart(loaded, found, numbered=numbered))


def _played(
    task: Task,
    game: Any,
    match: AnyMatch,
    players: dict[str, str],
    on_step: Callable[[AnyMatch, Step], None] | None,
) -> tuple[Outcome, dict[str, str]]:
    """Plays one match; whatever happens, no bot process outlives it. Returns the names that programs announced, too."""
    bots: dict[str, Any] = {}
    outcome, seeds = None, _seeds(task, match.seats)
    try:
        for seat, name in players.items():
            bots[seat] = specs.make(
                game,
                name,
                game.setting(match.state),  # each bot gets its own copy, so it cannot spoil the others'
                seat,
                seeds[seat],
                seats=match.seats,
                budget=task.budget,
                trust=task.trust,
                log=None if task.out is None else Path(task.out) / f"game-{task.number:05d}-{seat}.log",
            )
        outcome = play(match, bots, None if on_step is None else partial(on_step, match))
        return outcome, {seat: bot.name if isinstance(bot, ProcessBot) else "" for seat, bot in bots.items()}
    finally:
        specs.close(list(bots.values()), outcome)


def _seeds(task: Task, seats: Sequence[str]) -> dict[str, int]:
    """What each bot draws on: in every game something else."""
    return {seat: dice.number(task.bot_seed or task.seed, "bot", seat) for seat in seats}


@contextmanager
def _on_one_core(alone: bool, number: int) -> Iterator[None]:
    """Keeps a match and its processes on one core: passing a line to another core costs more than reading it."""
    if alone or sys.platform != "linux":
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(cores)[number % len(cores)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def run(work: Sequence[Task], workers: int | None, on_result: Callable[[Result], None]) -> list[Result]:
    """Plays all games and returns them in order; uses all cores unless `workers` says otherwise. Ctrl-C stops early."""
    workers = min(workers or os.cpu_count() or 1, len(work))
    results: list[Result] = []
    with suppress(KeyboardInterrupt):
        if workers <= 1:
            for task in work:
                results.append(play_one(task))
                on_result(results[-1])
        else:
            _run_side_by_side(work, workers, results, on_result)
    return sorted(results, key=lambda result: result.number)


def _run_side_by_side(
    work: Sequence[Task], workers: int, results: list[Result], on_result: Callable[[Result], None]
) -> None:
    try:
        with Workers(workers) as pool:
            for future in as_completed([pool.submit(at_work, play_one, task) for task in work]):
                results.append(future.result())
                on_result(results[-1])
    except BrokenProcessPool:
        raise BotFault(
            "A bot killed the process it was running in. Run each bot on its own to find out which."
        ) from None


def tally(seats: Sequence[str], bots: Sequence[str], results: Sequence[Result]) -> Table:
    """Adds up the results; identical games count once."""
    once = list({result.fingerprint: result for result in reversed(results)}.values())
    wins = Counter(result.winner for result in once)
    count = len(bots)
    called = results[0].names if results and results[0].names else tuple(bots)
    return Table(
        bots=tuple(bots),
        names=called,
        games=len(results),
        distinct=len(once),
        wins=tuple(wins[b] for b in range(count)),
        draws=wins[None],
        losses=tuple(len(once) - wins[b] - wins[None] for b in range(count)),
        points=tuple(sum(result.points[b] for result in once) for b in range(count)),
        by_seat={
            seat: tuple(sum(r.winner == b == r.seating[i] for r in once) for b in range(count))
            for i, seat in enumerate(seats)
        },
        void_lines=tuple(sum(result.faults[b] for result in once) for b in range(count)),
        strikes=tuple(sum(result.strikes[b] for result in results if result.strikes) for b in range(count)),
        dropped=tuple(sum(b in result.forfeits for result in results) for b in range(count)),
        forfeits={f"{called[b]} in game {r.number}": str(why) for r in results for b, why in r.forfeits.items()},
        steps=sum(result.steps for result in results),
        used=tuple(total(result.used[b] for result in results if result.used) for b in range(count)),
        gone={f"{called[b]} in game {r.number}": str(why) for r in results for b, why in r.gone.items()},
    )


def _who(bots: Sequence[str], bot: int, result: Result) -> str:
    """A bot in a game."""
    return f"{bots[bot]}{f' (bot {bot + 1})' if bots.count(bots[bot]) > 1 else ''} in game {result.number}"
