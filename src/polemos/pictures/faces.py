"""The typefaces that come with Polemos, and how wide their letters are.

Pictures must not depend on the fonts a machine has installed, so the files are in `fonts/` and measured here.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "fonts"

SANS: Final = "Roboto"
DISPLAY: Final = "Spectral"

_FILES: Final = {"sans": "Roboto-Regular.ttf", "bold": "Roboto-Bold.ttf", "display": "Spectral-Bold.ttf"}
_GENERIC: Final = {SANS: "Noto Sans, Arial, sans-serif", DISPLAY: "Palatino, P052, Georgia, serif"}

# The height of capitals and figures as a fraction of the size, for centring them.
CAPITALS: Final = 0.711


@dataclass(frozen=True)
class Face:
    """The advance widths of one font file, as fractions of the size."""

    widths: dict[int, float]

    def width(self, text: str, size: float) -> float:
        return size * sum((self.widths.get(ord(sign), 1.0) for sign in text), 0.0)

    def known(self, text: str) -> str:
        """The text with a question mark for every character that the face lacks (converters would leave a gap)."""
        return "".join(sign if ord(sign) in self.widths else "?" for sign in text)


def families(first: str) -> str:
    """The value of `font-family`: the bundled family first, then fallbacks for browsers."""
    return f"{first}, {_GENERIC[first]}"


@cache
def face(name: str) -> Face:
    """The face "sans", "bold" or "display"."""
    return Face(_widths((FOLDER / _FILES[name]).read_bytes()))


def width(text: str, size: float, *, bold: bool = False, display: bool = False) -> float:
    """The width of a line of text, ignoring kerning.

    >>> width("00", 10) == 2 * width("0", 10)
    True
    """
    return face(_name(bold, display)).width(text, size)


def shorten(text: str, size: float, room: float, *, bold: bool = False, display: bool = False) -> str:
    """The text, cut off with an ellipsis if it is wider than `room`."""
    used = face(_name(bold, display))
    known = used.known(text)
    if used.width(known, size) <= room:
        return known
    kept = known
    while kept and used.width(kept + "…", size) > room:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def fit(text: str, size: float, room: float, *, bold: bool = False, display: bool = False) -> float:
    """The largest size up to `size` at which the text is no wider than `room`."""
    wide = width(text, size, bold=bold, display=display)
    return size if wide <= room else size * room / wide


def wrap(words: Sequence[str], size: float, room: float, *, bold: bool = False) -> list[str]:
    """The words on as many lines as they need."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _name(bold: bool, display: bool) -> str:
    return "display" if display else "bold" if bold else "sans"


def _widths(data: bytes) -> dict[int, float]:
    """Character to advance width, from the tables cmap and hmtx of a font file."""
    tables = _tables(data)
    em: int = struct.unpack_from(">H", data, tables["head"] + 18)[0]
    metrics: int = struct.unpack_from(">H", data, tables["hhea"] + 34)[0]

    def advance(glyph: int) -> float:
        at = tables["hmtx"] + 4 * min(glyph, metrics - 1)
        return float(struct.unpack_from(">H", data, at)[0]) / em

    return {sign: advance(glyph) for sign, glyph in _glyphs(data, tables["cmap"]).items()}


def _tables(data: bytes) -> dict[str, int]:
    """Name to offset of every table."""
    count = struct.unpack_from(">H", data, 4)[0]
    entries = (struct.unpack_from(">4sIII", data, 12 + 16 * i) for i in range(count))
    return {tag.decode("latin-1"): offset for tag, _, offset, _ in entries}


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """Character to glyph, from the subtable of format 4 (the first 65,536 characters)."""
    count = struct.unpack_from(">H", data, cmap + 2)[0]
    entries = (struct.unpack_from(">HHI", data, cmap + 4 + 8 * i) for i in range(count))
    start = next(cmap + at for one, two, at in entries if (one, two) == (3, 1))
    double = struct.unpack_from(">H", data, start + 6)[0]
    ranges = double // 2
    ends = struct.unpack_from(f">{ranges}H", data, start + 14)
    starts = struct.unpack_from(f">{ranges}H", data, start + 16 + double)
    deltas = struct.unpack_from(f">{ranges}H", data, start + 16 + 2 * double)
    table = start + 16 + 3 * double
    offsets = struct.unpack_from(f">{ranges}H", data, table)
    glyphs: dict[int, int] = {}
    for i in range(ranges):
        for sign in range(starts[i], min(ends[i], 0xFFFE) + 1):
            glyph = sign
            if offsets[i]:
                glyph = struct.unpack_from(">H", data, table + 2 * i + offsets[i] + 2 * (sign - starts[i]))[0]
            if glyph or not offsets[i]:
                glyphs[sign] = (glyph + deltas[i]) & 0xFFFF
    return {sign: glyph for sign, glyph in glyphs.items() if glyph}
