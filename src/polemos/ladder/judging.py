"""A result counts once its replay has been adjudicated again. All that counts is read from the replay."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from polemos import registry
from polemos.arena.games import course
from polemos.arena.times import used
from polemos.arena.tournament.batch import ranks_of
from polemos.arena.workers import Workers, at_work
from polemos.kernel import dice, replay
from polemos.kernel.capabilities.pictures import Pictures, small_picture_of
from polemos.kernel.errors import PolemosError, ReplayError
from polemos.kernel.game import UMPIRE, AnyGame
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.replay import Replay, header_of
from polemos.kernel.tame import tame
from polemos.kernel.verdict import Verdict, without_quotes
from polemos.ladder.jobs import Entry, Job, Report, Result
from polemos.ladder.playing import NICE, by_entry, fingerprint, seated

MAX_FAULT: Final = 400  # characters; hosts write fewer
MAX_SECONDS: Final = 1e6  # of one game
R = TypeVar("R")


class Forged(PolemosError):
    """A report that its own replay contradicts, or a replay of another game."""

    word = "ladder/forged"


def judge(job: Job, report: Report) -> Result:
    """The result of a game by its replay; raises Forged if the replay is not one of this game."""
    game = registry.load(job.game)
    options, seating = seated(game, job)
    expected = Match(game, options, seed=job.seed)
    found, match = _replayed(game, report.replay, expected, _seeds(job, expected.seats))
    result = replace(_result(job, match, seating), replay=_for_everyone(found), board=_drawn(game, match))
    if tuple(entry.rank for entry in result.entries) != report.claim.ranks:
        raise Forged(f"The worker reported the places {report.claim.ranks}, and the replay has others.")
    if result.fingerprint != report.claim.fingerprint:
        raise Forged("The worker reported another course of the game than its replay has.")
    return result


def _replayed(game: Any, data: bytes, expected: AnyMatch, seeds: dict[str, int]) -> tuple[Replay, AnyMatch]:
    """A replay and its match at the end, every step adjudicated again."""
    with tempfile.TemporaryDirectory() as folder:  # Windows can't open a temporary file a second time
        file = Path(folder) / "replay.jsonl.gz"
        file.write_bytes(data)
        try:
            found = replay.read(file)
            if found.header != header_of(expected, found.header.seats) or found.end.key != expected.key:
                raise Forged("The replay is one of another game: its start or its dice are not those of this one.")
            if found.end.agreed or (found.end.seeds and found.end.seeds != seeds):
                raise Forged("The bots agreed on a draw, or drew on other numbers than this game gives them.")
            *_, match = replay.replayed(found, game)
        except ReplayError as error:
            raise Forged(f"The replay does not hold: {error.why}") from None
    if match.outcome is None:
        raise Forged("The replay ends before the game is over.")
    return found, match


def _drawn(game: AnyGame, match: AnyMatch) -> bytes:
    """The last position, for lists of games. Drawn here, once: pages would have to play the game again."""
    if not isinstance(game, Pictures):
        return b""
    drawn = small_picture_of(game, match.setting, match.view(UMPIRE), theme="screen")
    return gzip.compress(drawn.encode(), 6, mtime=0)


def _for_everyone(found: Replay) -> bytes | None:
    """The replay without what verdicts quote from a bot's log, which is its author's; None if there is nothing."""
    steps = tuple(
        replace(step, **{name: _quiet(getattr(step, name)) for name in ("forfeits", "strikes", "gone")})
        for step in found.steps
    )
    return None if steps == found.steps else replay.packed(replace(found, steps=steps))


def _quiet(verdicts: dict[str, Verdict]) -> dict[str, Verdict]:
    return {seat: without_quotes(verdict) for seat, verdict in verdicts.items()}


def _seeds(job: Job, seats: Sequence[str]) -> dict[str, int]:
    """As the arena gives them to bots."""
    return {seat: dice.number(job.bot_seed, "bot", seat) for seat in seats}


def _result(job: Job, match: AnyMatch, seating: tuple[int, ...]) -> Result:
    outcome = match.outcome
    assert outcome is not None
    ranks = ranks_of(outcome)
    verdicts: dict[str, str] = {}
    for step in match.steps:
        for seat, verdict in (*step.forfeits.items(), *step.gone.items()):
            verdicts.setdefault(seat, tame(str(verdict), MAX_FAULT))
    found = []
    for entry, place in enumerate(by_entry(range(len(seating)), seating)):
        seat = match.seats[place]
        time, at = used(match.steps, seat), _faulty_step(match, seat)
        found.append(
            Entry(
                seat=place,
                rank=ranks[seat],
                points=outcome.points[seat],
                fault=verdicts.get(seat),
                strikes=sum(seat in step.strikes for step in match.steps),
                void_lines=sum(step.void_lines(seat) for step in match.steps),
                cpu=_seconds(time.cpu),
                wall=_seconds(time.wall),
                slowest=_seconds(time.slowest),
                fault_step=at,
                fault_turn=None if at is None else match.game.observe(match.state_at(at - 1), UMPIRE).turn,
            )
        )
        assert seating[place] == entry
    return Result(
        tuple(found), outcome.reason, outcome.rule, len(match.steps), fingerprint(job, seating, course(match.steps))
    )


def _faulty_step(match: AnyMatch, seat: str) -> int | None:
    """The number of the step in which a seat dropped out, or else of its last strike."""
    out = (number for number, step in enumerate(match.steps, 1) if seat in step.forfeits or seat in step.gone)
    struck = (number for number, step in reversed([*enumerate(match.steps, 1)]) if seat in step.strikes)
    return next(out, None) or next(struck, None)


def _seconds(said: float) -> float:
    """Nobody can prove a time, so it is only kept from spoiling sums."""
    return min(MAX_SECONDS, max(0.0, said))


class Referee:
    """Judges reports in processes of its own, so that whoever waits for pages does not wait for this."""

    def __init__(self, processes: int = 1) -> None:
        self._processes = processes
        self._workers = Workers(processes, nice=NICE)

    def submit(self, job: Job, report: Report) -> Future[Result]:
        return self.run(judge, job, report)

    def run(self, task: Callable[..., R], *given: Any) -> Future[R]:
        """Does something else that takes long, in the same processes."""
        try:
            return self._workers.pool.submit(at_work, task, *given)
        except BrokenProcessPool:  # somebody killed it, or a replay did
            self._workers.close()
            self._workers = Workers(self._processes, nice=NICE)
            return self._workers.pool.submit(at_work, task, *given)

    def close(self) -> None:
        self._workers.close()
