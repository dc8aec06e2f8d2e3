"""Replays as records for the viewer, and as a page that needs no server."""

from __future__ import annotations

import base64
import gzip
import html
import math
import tempfile
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec

from polemos import registry
from polemos.kernel import replay
from polemos.kernel.errors import PolemosError
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch
from polemos.server.tables import audience
from polemos.wire.table import Record

PLACE: Final = "<!--polemos-record-->"  # in the built viewer


class TooLarge(PolemosError):
    word = "request/large"


class NoViewer(PolemosError):
    word = "client/missing"


def record_of(data: bytes, title: str = "", seconds: float = math.inf, *, packed: bool = False) -> Record:
    """Reads and verifies a replay, and shows all of it: the match is over."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "replay.jsonl"
        path.write_bytes(data)
        read = replay.read(path)
    game = registry.load(read.header.game)
    *_, match = _in_time(replay.replayed(read, game), seconds)
    frames = (audience.written_frame(match, number, UMPIRE, packed) for number in range(len(match.steps) + 1))
    return audience.record(match, UMPIRE, title, read.header.seats, frames)


def _in_time(steps: Iterator[AnyMatch], seconds: float) -> Iterator[AnyMatch]:
    until = time.monotonic() + seconds
    for match in steps:
        if time.monotonic() > until:
            raise TooLarge(f"Adjudicating this match again takes more than {seconds:g} s, which is too long for here.")
        yield match


def page_of(record: Record) -> str:
    """The viewer and one record in a single page. The record is packed: a long match is mostly repetition."""
    viewer = files("polemos.server") / "static" / "viewer.html"
    if not viewer.is_file():
        raise NoViewer("The viewer was not built: run make set-up in the folder of Polemos (it needs Node 20).")
    packed = base64.b64encode(gzip.compress(msgspec.json.encode(record), 9, mtime=0)).decode()
    script = f'<script type="text/plain" id="polemos-record" data-packed="gzip">{packed}</script>'
    title = html.escape(f"{registry.load(record.game).title}: {' against '.join(record.seats.values())}")
    page = viewer.read_text(encoding="utf-8").replace(PLACE, script)
    return page.replace("<title>Polemos</title>", f"<title>{title}</title>", 1)
