"""Games while they are being played: how far they are, for the people who look at their pages.

Whoever plays a game writes a small file about it every few seconds. Nothing else depends on these files: pages read one
only as long as its lease holds, and one that a killed process left behind is deleted later.
"""

from __future__ import annotations

import logging
import os
import secrets
import time
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from polemos.kernel.capabilities.pictures import Pictures, picture_of
from polemos.kernel.capabilities.turn_limit import TurnLimit
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Step
from polemos.ladder.jobs import Job

PAUSE: Final = 3.0  # seconds between two files about a game; a game that is over before has none
MAX_PICTURE: Final = 512 << 10  # characters; a larger one is left out
MAX_TAIL: Final = 16 << 10  # bytes of the end of a log
MAX_FAULTS: Final = 50  # the last ones
MAX_SEATS: Final = 16
MAX_LIVE: Final = 2 * MAX_PICTURE + MAX_SEATS * MAX_TAIL  # bytes of a file
LIVE: Final = "live"  # the name of the folder
KEPT: Final = 3600.0  # seconds for which a file may lie around that nobody deletes

_log = logging.getLogger("polemos")

FaultKind = Literal["out", "strike", "void"]
Number = Annotated[int, Meta(ge=0, le=2**53)]
Few = Meta(max_length=MAX_SEATS)


class LiveFault(Struct, frozen=True, forbid_unknown_fields=True):
    """A turn that went wrong for a bot, in words that everyone may read."""

    turn: Number
    entry: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
    kind: FaultKind
    why: Annotated[str, Meta(max_length=40)]  # the kind of the verdict; of void lines, how many there are


class Live(Struct, frozen=True, forbid_unknown_fields=True):
    """A game so far. Bots are in the order of their entries."""

    id: Number
    lease: Number
    turn: Number
    turns: Number | None  # of the whole game, if that is known
    seats: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Few]
    strikes: Annotated[tuple[Number, ...], Few]
    void_lines: Annotated[tuple[Number, ...], Few]
    cpu: Annotated[tuple[Annotated[float, Meta(ge=0, le=1e9)], ...], Few]
    faults: Annotated[tuple[LiveFault, ...], Meta(max_length=MAX_FAULTS)]
    picture: Annotated[str, Meta(max_length=MAX_PICTURE)]  # SVG
    logs: dict[Annotated[int, Meta(ge=0, lt=MAX_SEATS)], Annotated[bytes, Meta(max_length=MAX_TAIL)]]  # their ends


class Lives:
    """The folder of these files, one for each game."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, live: Live) -> None:
        """Not on disk for certain when this returns: it is not worth waiting for."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._path(live.id)
        fresh = path.with_name(f".{secrets.token_hex(8)}")
        fresh.write_bytes(msgspec.msgpack.encode(live))
        fresh.replace(path)

    def get(self, game: int, lease: int) -> Live | None:
        """What is known of a game under this lease."""
        try:
            live = msgspec.msgpack.decode(self._path(game).read_bytes(), type=Live)
        except (OSError, msgspec.MsgspecError):
            return None
        return live if live.lease == lease else None

    def forget(self, game: int) -> None:
        with suppress(OSError):
            self._path(game).unlink(missing_ok=True)

    def sweep(self) -> None:
        """Deletes what killed processes left behind."""
        for path in self.folder.iterdir() if self.folder.is_dir() else ():
            with suppress(OSError):
                if path.stat().st_mtime < time.time() - KEPT:
                    path.unlink(missing_ok=True)

    def _path(self, game: int) -> Path:
        return self.folder / f"{game}.live"


class Reporter:
    """Writes down every few seconds how a game gets on."""

    def __init__(self, lives: Lives, job: Job, seating: Sequence[int], logs: Path) -> None:
        """`seating`: the entry in each seat; `logs`: the folder where the bots' logs grow."""
        self._lives, self._job, self._seating, self._logs = lives, job, tuple(seating), logs
        count = len(job.players)
        self._strikes, self._void, self._cpu = [0] * count, [0] * count, [0.0] * count
        self._faults: deque[tuple[int, int, FaultKind, str]] = deque(maxlen=MAX_FAULTS)
        self._turns: dict[int, int] = {}  # of steps with a fault
        self._next = time.monotonic() + PAUSE
        self._failed = False

    def on_step(self, match: AnyMatch, step: Step) -> None:
        if self._failed:
            return
        try:
            self._count(match, step)
            if time.monotonic() >= self._next and match.outcome is None:
                self._lives.put(self._live(match))
                self._next = time.monotonic() + PAUSE  # from the end: a board that is slow to draw is drawn less often
        except Exception as error:  # whatever happens here, the game goes on
            self._failed = True
            _log.warning("Game %d can't be shown while it is played: %r", self._job.id, error)

    def _count(self, match: AnyMatch, step: Step) -> None:
        for seat, entry in zip(match.seats, self._seating, strict=True):
            self._cpu[entry] += step.cpu.get(seat, 0.0)
            void = step.void_lines(seat)
            out = step.forfeits.get(seat) or step.gone.get(seat)
            strike = step.strikes.get(seat)
            if out is None and strike is None and not void:
                continue
            self._strikes[entry] += strike is not None
            self._void[entry] += void
            kind: FaultKind = "out" if out else "strike" if strike else "void"
            why = out.kind if out else strike.kind if strike else str(void)
            self._faults.append((step.step, entry, kind, why))

    def _live(self, match: AnyMatch) -> Live:
        game, view = match.game, match.view(UMPIRE)
        picture = picture_of(game, match.setting, view, "board", theme="screen") if isinstance(game, Pictures) else ""
        seat_of = {entry: seat for seat, entry in zip(match.seats, self._seating, strict=True)}
        tails = {entry: self._tail(seat) for entry, seat in seat_of.items()}
        return Live(
            id=self._job.id,
            lease=self._job.lease,
            turn=view.turn,
            turns=game.turns(match.setting, view) if isinstance(game, TurnLimit) else None,
            seats=tuple(seat_of[entry] for entry in range(len(seat_of))),
            strikes=tuple(self._strikes),
            void_lines=tuple(self._void),
            cpu=tuple(self._cpu),
            faults=tuple(
                LiveFault(self._turn(match, step), entry, kind, why) for step, entry, kind, why in self._faults
            ),
            picture=picture if len(picture) <= MAX_PICTURE else "",
            logs={entry: tail for entry, tail in tails.items() if tail},
        )

    def _turn(self, match: AnyMatch, step: int) -> int:
        """The turn whose orders a step adjudicated. Found out only for pages: reading an old position takes time."""
        if step not in self._turns:
            self._turns[step] = match.game.observe(match.state_at(step - 1), UMPIRE).turn
        return self._turns[step]

    def _tail(self, seat: str) -> bytes:
        """The end of a bot's log, from the beginning of a line."""
        try:
            with (self._logs / f"game-{self._job.id:05d}-{seat}.log").open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - MAX_TAIL))
                tail = file.read(MAX_TAIL)
        except OSError:  # one of our own bots has none
            return b""
        return tail if size <= MAX_TAIL else tail.partition(b"\n")[2]


def changed(lives: Lives, jobs: Iterable[Job], told: dict[int, tuple[int, int]]) -> list[Live]:
    """What is new about some games. `told` remembers it: the lease and the turn by game."""
    found = [live for job in jobs if (live := lives.get(job.id, job.lease)) is not None]
    fresh = [live for live in found if told.get(live.id) != (live.lease, live.turn)]
    told.clear()
    told.update((live.id, (live.lease, live.turn)) for live in found)
    return fresh
