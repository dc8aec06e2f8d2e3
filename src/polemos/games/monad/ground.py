"""The ground of a match (1.1 to 1.7): a map as a value, and as text (10.4).

The text has header lines (`name:`, `symmetry:`, `starts:`), then a line for each row with a number for each tile, its
ore, or `#` for a blocked tile, separated by blanks:

    name: Quarry
    symmetry: half-turn
    starts: 1,1 18,18
    12  0 50  #  7 ...

A ground that was read can be played; whether it is fair is another question, which `layout.faults` answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from msgspec import Struct

from polemos.games.monad.state import BLOCKED, MAX_SIDE, MIN_SIDE, SEATS, SYMMETRIES
from polemos.kernel.errors import PolemosError

Tile = tuple[int, int]

MAX_ORE: Final = 9999
MIN_SEATS: Final = 2

MAX_NAME: Final = 40
MAX_TEXT: Final = 200_000


class BadMap(PolemosError):
    """A map that cannot be played."""

    word = "map/bad"


class Ground(Struct, frozen=True):
    """1.1 A map: the ore of every tile, and where the players start."""

    name: str
    symmetry: str
    starts: tuple[Tile, ...]
    rows: tuple[tuple[int, ...], ...]  # ore, or BLOCKED

    @property
    def width(self) -> int:
        return len(self.rows[0]) if self.rows else 0

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def seats(self) -> int:
        """1.5 How many play on it."""
        return len(self.starts)

    @property
    def rated(self) -> bool:
        """1.5 Only a map that treats all alike is good for a rated game."""
        return self.symmetry != "none"


# ---- what must hold for a match to be played


class Flaw(NamedTuple):
    """A broken rule of shape; `part` is the header or the row (counted from 0) that breaks it."""

    rule: str
    why: str
    part: str | int | None = None


def flaws(ground: Ground) -> list[Flaw]:
    """All that keeps a ground from being played, fair or not."""
    return [*_name_flaws(ground.name), *_symmetry_flaws(ground), *_row_flaws(ground), *_start_flaws(ground)]


def sound(ground: Ground) -> Ground:
    """The ground itself, if a match can be played on it."""
    return _sound(ground, {})


def _sound(ground: Ground, lines: dict[str | int, int]) -> Ground:
    """`lines` says on which line of the text each header and row stands."""
    found = flaws(ground)
    if found:
        rule, why, part = found[0]
        where = f"Line {lines[part]}: " if part is not None and part in lines else ""
        more = f" Faults besides this: {len(found) - 1}." if len(found) > 1 else ""
        raise BadMap(where + why + more, rule=rule)
    return ground


def _name_flaws(name: str) -> Iterator[Flaw]:
    if not name.isprintable() or len(name) > MAX_NAME or name != name.strip():
        why = (
            f"{name[:20]!r} cannot be a name: use at most {MAX_NAME} printable characters, without blanks around them."
        )
        yield Flaw("10.4", why, "name")


def _symmetry_flaws(ground: Ground) -> Iterator[Flaw]:
    if ground.symmetry not in SYMMETRIES:
        why = f"{ground.symmetry[:20]!r} is not a symmetry. Choose one of {', '.join(SYMMETRIES)}."
        yield Flaw("1.6", why, "symmetry")


def _row_flaws(ground: Ground) -> Iterator[Flaw]:
    """1.1, 1.3 A full rectangle of tiles that are blocked or hold ore."""
    width, height = ground.width, ground.height
    if not MIN_SIDE <= height <= MAX_SIDE:
        yield Flaw("1.1", f"The map has {height} rows; it must have {MIN_SIDE} to {MAX_SIDE}.", max(0, height - 1))
    if not MIN_SIDE <= width <= MAX_SIDE:
        yield Flaw("1.1", f"The first row has {width} tiles; a row must have {MIN_SIDE} to {MAX_SIDE}.", 0)
    for y, row in enumerate(ground.rows):
        if len(row) != width:
            yield Flaw("1.1", f"This row has {len(row)} tiles; all rows must have {width}, like the first.", y)
        x = next((x for x, ore in enumerate(row) if ore != BLOCKED and not 0 <= ore <= MAX_ORE), None)
        if x is not None:
            yield Flaw("1.3", f"{x},{y} holds {row[x]} ore; a tile must hold 0 to {MAX_ORE}, or be blocked.", y)


def _start_flaws(ground: Ground) -> Iterator[Flaw]:
    """1.5, 1.7 Two to four different tiles on which a unit can stand."""
    starts = ground.starts
    if not MIN_SEATS <= len(starts) <= len(SEATS):
        why = f"The map has {len(starts)} starts; it must have {MIN_SEATS} to {len(SEATS)}, such as 1,1 18,18."
        yield Flaw("1.5", why, "starts")
    for i, (x, y) in enumerate(starts):
        if (x, y) in starts[:i]:
            yield Flaw("1.7", f"Two players start on {x},{y}; each must have a tile of its own.", "starts")
        elif not (0 <= y < ground.height and 0 <= x < len(ground.rows[y])):
            why = f"The start {x},{y} is off the map; its tiles are 0,0 to {ground.width - 1},{ground.height - 1}."
            yield Flaw("1.7", why, "starts")
        elif ground.rows[y][x] == BLOCKED:
            yield Flaw("1.7", f"The start {x},{y} is blocked; a start must be free.", "starts")


# ---- text

_HEADERS: Final = ("name", "symmetry", "starts")
_BLANKS: Final = re.compile(r"[ \t]+")
_ORE: Final = re.compile(r"[0-9]{1,4}")  # not \d, which knows the digits of all scripts
_START: Final = re.compile(r"([0-9]{1,2}),([0-9]{1,2})")


def read_map(text: str, *, whole: bool = True) -> Ground:
    """The ground that a text means; raises BadMap. Only the name may be missing.

    With `whole=False` a ground that cannot be played is read too, for `layout.faults` to name all that is wrong.
    """
    if not isinstance(text, str):
        raise BadMap("A map must be a text.", rule="10.4")
    if len(text) > MAX_TEXT:
        raise BadMap(f"A map can have at most {MAX_TEXT} characters, not {len(text)}.", rule="10.4")
    header: dict[str, str] = {}
    rows: list[tuple[int, ...]] = []
    lines: dict[str | int, int] = {}
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), start=1):
        line = line.strip(" \t")
        if ":" in line and not rows:
            _read_header(header, lines, line, number)
        elif line:
            _check_place(lines, len(rows), number)
            rows.append(_read_row(line, number))
            lines[len(rows) - 1] = number
    for key in ("symmetry", "starts"):
        if key not in header:
            raise BadMap(f"The line `{key}: {_SAMPLES[key]}`, or one like it, is missing.", rule="10.4")
    symmetry, starts = header["symmetry"].lower(), _read_starts(header["starts"], lines["starts"])
    ground = Ground(header.get("name", ""), symmetry, starts, tuple(rows))
    return _sound(ground, lines) if whole else ground


_SAMPLES: Final = {"name": "Quarry", "symmetry": "half-turn", "starts": "1,1 18,18"}


def _read_header(header: dict[str, str], lines: dict[str | int, int], line: str, number: int) -> None:
    key, value = (part.strip(" \t") for part in line.split(":", 1))
    key = key.lower()
    if key not in _HEADERS:
        raise BadMap(f"Line {number}: {key[:20]!r} is not a header. Headers are {', '.join(_HEADERS)}.", rule="10.4")
    if key in header:
        raise BadMap(f"Line {number}: {key} is given twice.", rule="10.4")
    header[key], lines[key] = value, number


def _check_place(lines: dict[str | int, int], rows: int, number: int) -> None:
    """Rows follow each other, and there are not too many."""
    if rows == MAX_SIDE:
        raise BadMap(f"Line {number}: one row too many; a map can have at most {MAX_SIDE}.", rule="1.1")
    if rows and lines[rows - 1] != number - 1:
        raise BadMap(f"Line {number - 1}: this line is empty; rows must follow each other.", rule="10.4")


def _read_row(line: str, number: int) -> tuple[int, ...]:
    words = _BLANKS.split(line, maxsplit=MAX_SIDE)
    if len(words) > MAX_SIDE:
        raise BadMap(f"Line {number}: the row is too long; a map can be at most {MAX_SIDE} tiles wide.", rule="1.1")
    for word in words:
        if word != "#" and not _ORE.fullmatch(word):
            why = f"{word[:20]!r} is not a tile; write a number from 0 to {MAX_ORE}, or # for a blocked tile."
            raise BadMap(f"Line {number}: {why}", rule="1.3")
    return tuple(BLOCKED if word == "#" else int(word) for word in words)


def _read_starts(text: str, number: int) -> tuple[Tile, ...]:
    starts: list[Tile] = []
    for word in _BLANKS.split(text, maxsplit=len(SEATS)) if text else ():
        found = _START.fullmatch(word)
        if len(starts) == len(SEATS):
            raise BadMap(f"Line {number}: too many starts; at most {len(SEATS)} can play.", rule="1.5")
        if not found:
            raise BadMap(f"Line {number}: {word[:20]!r} is not a start; write a tile like 1,1.", rule="1.7")
        starts.append((int(found[1]), int(found[2])))
    return tuple(starts)


def write_map(ground: Ground) -> str:
    """A sound ground as text that `read_map` reads back."""
    sound(ground)
    rows = [["#" if ore == BLOCKED else str(ore) for ore in row] for row in ground.rows]
    wide = max(len(word) for row in rows for word in row)
    lines = [
        f"name: {ground.name}".rstrip(),
        f"symmetry: {ground.symmetry}",
        "starts: " + " ".join(f"{x},{y}" for x, y in ground.starts),
        *(" ".join(word.rjust(wide) for word in row) for row in rows),
    ]
    return "\n".join([*lines, ""])


# ---- the maps of the house


@cache
def _maps() -> dict[str, str]:
    folder = files(__package__) / "data" / "maps"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".map")), key=lambda file: file.name)
    return {file.name.removesuffix(".map"): file.read_text(encoding="utf-8") for file in found}


def shipped() -> tuple[str, ...]:
    """The words by which `load` knows our own maps."""
    return tuple(_maps())


@cache
def _loaded(word: str) -> Ground:
    return read_map(_maps()[word])


def load(name: str) -> Ground:
    """One of our own maps, by word or by name: `long-field` or `Long Field`."""
    word = "-".join(name.lower().split())
    if word not in _maps():
        raise BadMap(f"There is no map called {name[:40]!r}. There are {', '.join(_maps())}.")
    return _loaded(word)
