"""A record and the viewer as one page that needs no server."""

from __future__ import annotations

import base64
import gzip
import html
import re
from importlib.resources import files
from typing import Final

import msgspec

from polemos import registry
from polemos.kernel.errors import PolemosError
from polemos.wire.table import Record

PLACE: Final = "<!--polemos-record-->"  # in the built viewer
BOARDS: Final = re.compile(r'<meta name="polemos-boards" content="([^"]*)"')  # games with their own boards


class NoViewer(PolemosError):
    word = "client/missing"


def boards() -> str:
    """The games that the viewer has boards for, as `a,b`; records of other games must include pictures."""
    found = BOARDS.search(_viewer())
    return "" if found is None else found[1]


def _viewer() -> str:
    viewer = files("polemos.server") / "static" / "viewer.html"
    if not viewer.is_file():
        raise NoViewer("The viewer has not been built. Run make set-up in the Polemos folder (it needs Node 20).")
    return viewer.read_text(encoding="utf-8")


def page_of(record: Record) -> str:
    """The viewer and one record in a single page. The record is compressed, as a long match is mostly repetition."""
    packed = base64.b64encode(gzip.compress(msgspec.json.encode(record), 9, mtime=0)).decode()
    script = f'<script type="text/plain" id="polemos-record" data-packed="gzip">{packed}</script>'
    title = html.escape(f"{registry.load(record.game).title}: {' against '.join(record.seats.values())}")
    page = _viewer().replace(PLACE, script)
    return page.replace("<title>Polemos</title>", f"<title>{title}</title>", 1)
