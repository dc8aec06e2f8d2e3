"""A batch of games: the request to a worker on any machine, playing the games, and the reply."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from polemos import registry
from polemos.arena import games as arena
from polemos.arena.games import Result, Task
from polemos.arena.tournament.plan import Pairing, Plan, Played
from polemos.hosts import bundle, specs
from polemos.hosts.bundle import Bundle
from polemos.kernel.errors import BotFault
from polemos.kernel.match import AnyMatch, Step
from polemos.kernel.orders import shown
from polemos.kernel.outcome import Outcome

REPLAYS: Final = "replays"  # the name of their folder


class Setting(Struct, frozen=True):
    """The settings shared by all batches of a tournament."""

    plan: Plan
    folder: str | None  # of the tournament; None if workers may not reach it and must send their files back
    bundles: dict[str, Bundle] = {}  # the files of programs, by spec: they are sent to wherever the games are played


class Batch(Struct, frozen=True):
    """Games to play one after the other."""

    pairings: tuple[Pairing, ...]


class Done(Struct, frozen=True):
    """The result of a batch."""

    played: tuple[Played, ...]
    files: dict[str, bytes] = {}  # name to content, for the folder of replays
    seconds: float = 0.0  # that the worker spent on it
    cpu: float = 0.0  # seconds, including starting up


def void(pairing: Pairing, why: str) -> Played:
    """A game that could not be played."""
    return Played(
        number=pairing.number,
        meeting=pairing.meeting,
        round=pairing.round,
        seating=pairing.seating,
        ranks=(),
        points=(),
        reason=why,
        rule="",
        steps=0,
        fingerprint="",
        void_lines=(),
        forfeits={},
        void=True,
    )


# ---- in a worker


def play(setting: Setting, batch: Batch) -> Done:
    """Plays a batch."""
    began = time.perf_counter()
    bundle.install(setting.bundles)
    game = registry.load(setting.plan.game)
    move_in(takes_core=any(specs.is_program(game, entrant.spec) for entrant in setting.plan.entrants))
    files = {}
    if setting.folder is not None:
        played = _play_all(setting.plan, batch, Path(setting.folder) / REPLAYS)
    else:
        with tempfile.TemporaryDirectory(prefix="polemos-") as folder:
            played = _play_all(setting.plan, batch, Path(folder))
            files = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
    return Done(played, files, time.perf_counter() - began, _uncharged())


def _play_all(plan: Plan, batch: Batch, out: Path) -> tuple[Played, ...]:
    return tuple(play_one(plan, pairing, out) for pairing in batch.pairings)


def play_one(
    plan: Plan, pairing: Pairing, out: Path, on_step: Callable[[AnyMatch, Step], None] | None = None
) -> Played:
    """Plays a game and saves its replay in a folder. If the umpire fails, the game is void and not played again."""
    task = Task(
        number=pairing.number,
        game=plan.game,
        options=plan.options,
        bots=tuple(entrant.spec for entrant in plan.entrants),
        names=tuple(entrant.name for entrant in plan.entrants),
        seating=pairing.seating,
        seed=pairing.seed,
        out=str(out),
        budget=plan.budget,
        trust=plan.trust,
        bot_seed=pairing.bot_seed,
    )
    began, cpu = time.perf_counter(), _cpu()
    try:
        result = arena.play_one(task, on_step)
    except (BotFault, OSError):
        raise  # something is missing on this machine; once it is installed, the game can be played
    except Exception as error:
        return void(pairing, f"{type(error).__name__}: {shown(str(error))}")
    return _played(pairing, result, time.perf_counter() - began, _cpu() - cpu)


def _played(pairing: Pairing, result: Result, seconds: float, cpu: float) -> Played:
    assert result.replay is not None
    outcome = result.outcome
    ranks = ranks_of(outcome)
    seat_of = {entrant: seat for seat, entrant in enumerate(pairing.seating)}
    return Played(
        number=pairing.number,
        meeting=pairing.meeting,
        round=pairing.round,
        seating=pairing.seating,
        ranks=tuple(ranks[seat] for seat in result.seats),
        points=tuple(result.points[entrant] for entrant in pairing.seating),
        reason=outcome.reason,
        rule=outcome.rule,
        steps=result.steps,
        fingerprint=result.fingerprint,
        void_lines=tuple(result.faults[entrant] for entrant in pairing.seating),
        forfeits={seat_of[entrant]: str(verdict) for entrant, verdict in result.forfeits.items()},
        replay=f"{REPLAYS}/{Path(result.replay).name}",
        seconds=round(seconds, 6),
        cpu=round(cpu, 6),
        strikes=tuple(result.strikes[entrant] for entrant in pairing.seating),
        used=tuple(result.used[entrant] for entrant in pairing.seating),
        gone={seat_of[entrant]: str(verdict) for entrant, verdict in result.gone.items()},
    )


def ranks_of(outcome: Outcome) -> dict[str, int]:
    """The place of every seat. In a draw without ranks, the seats with the most points come first."""
    if outcome.ranks:
        return outcome.ranks
    most = max(outcome.points.values())
    return {
        seat: 1 if outcome.winner is None and outcome.points[seat] == most else place
        for place, seat in enumerate(outcome.places, 1)
    }


# ---- a worker's life

_lived_in: list[Any] = []  # objects that this process keeps until it exits
_charged = 0.0  # CPU seconds already accounted for


def move_in(*, takes_core: bool) -> None:
    """Prepares this process, once: if it plays with programs, it takes a core for them."""
    if takes_core and not _lived_in:
        _lived_in.append(take_core())


def take_core(name: str = "polemos-core") -> socket.socket | None:
    """Takes a core for a match and its programs. No two matches share one: the owner of a name owns that core."""
    if sys.platform != "linux":
        return None
    for core in sorted(os.sched_getaffinity(0)):
        held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            held.bind(f"\0{name}-{core}")  # released when the process ends, however it ends
        except OSError:
            held.close()
            continue
        os.sched_setaffinity(0, {core})
        return held
    return None


def _cpu() -> float:
    """CPU seconds of this process and of its finished children."""
    return sum(os.times()[:4])


def _uncharged() -> float:
    global _charged
    before, _charged = _charged, _cpu()
    return _charged - before
