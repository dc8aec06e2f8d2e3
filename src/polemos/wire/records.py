"""Replays as records for the viewer."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from polemos import registry
from polemos.kernel import replay
from polemos.kernel.errors import PolemosError
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch
from polemos.kernel.tame import tame
from polemos.wire import frames
from polemos.wire.table import Record

MAX_PLAYER = 80  # characters of a name: the file may come from anyone


class TooLarge(PolemosError):
    word = "request/large"


def record_of(
    data: bytes, title: str = "", seconds: float = math.inf, *, packed: bool = False, boards: str | None = None
) -> Record:
    """Reads and verifies a replay and shows all of it, as the match is over. `boards`: see `frames.is_pictured`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "replay.jsonl"
        path.write_bytes(data)
        read = replay.read(path)
    game = registry.load(read.header.game)
    *_, match = _in_time(replay.replayed(read, game), seconds)
    how = packed, frames.is_pictured(game, boards)
    written = (frames.written_frame(match, number, UMPIRE, *how) for number in range(len(match.steps) + 1))
    players = {seat: tame(player, MAX_PLAYER) for seat, player in read.header.seats.items()}
    return frames.record(match, UMPIRE, title, players, written)


def _in_time(steps: Iterator[AnyMatch], seconds: float) -> Iterator[AnyMatch]:
    until = time.monotonic() + seconds
    for match in steps:
        if time.monotonic() > until:
            raise TooLarge(f"Adjudicating this match again takes more than {seconds:g} s, which is too long here.")
        yield match
