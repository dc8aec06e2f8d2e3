"""The ground of a match (1.1 to 1.8): a map as a value, and as text.

The text has header lines (`name:`, `symmetry:`, `facing: yes` where portals may face each other, and `portals: 9,4 7,4`
where their order is not the reading order), then rows with one letter a tile:

    .    abyss                          o    path
    r b  territory                      R B  base
    p q  red's, blue's start house      u v  portal, first demon to red, to blue, then alternating
    U V  portal aimed at red, at blue   w    alternating portal, first target drawn

A ground that was read has lanes; whether it is fair is another question, which `layout.faults` answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from polemos.games.demons import layout
from polemos.games.demons.layout import MAX_SIDE, PLAYERS, STEPS, SYMMETRIES, TERRITORY, Tile
from polemos.kernel.errors import PolemosError

GATES: Final = {
    "u": ("red", False),
    "v": ("blue", False),
    "U": ("red", True),
    "V": ("blue", True),
    "w": ("drawn", False),
}

MAX_NAME: Final = 40
MAX_TEXT: Final = 20_000


class BadMap(PolemosError):
    """A map that cannot be played."""

    word = "map/bad"


class Gate(NamedTuple):
    """1.6 A portal as the map knows it."""

    x: int
    y: int
    first: str  # target of its first demon: red, blue, drawn
    fixed: bool


class Ground(Struct, frozen=True, dict=True):
    """1.1 A map. All else is derived from its rows and its symmetry."""

    name: str
    symmetry: str
    rows: tuple[str, ...]
    facing: bool = False
    order: tuple[Tile, ...] = ()  # of the portals, where it is not the reading order

    @cached_property
    def width(self) -> int:
        return max(map(len, self.rows), default=0)

    @property
    def height(self) -> int:
        return len(self.rows)

    @cached_property
    def tiles(self) -> dict[Tile, str]:
        """1.1 The letters of all tiles that are not abyss, in reading order."""
        return layout.tiles_of(self.rows)

    def at(self, x: int, y: int) -> str:
        """The letter of a tile; beyond the edge is abyss."""
        return self.tiles.get((x, y), ".")

    def _all(self, letters: str) -> list[Tile]:
        return [tile for tile, letter in self.tiles.items() if letter in letters]

    @cached_property
    def bases(self) -> dict[str, Tile]:
        """1.3 Where the bases stand."""
        return {who: there[0] for who, letter in zip(PLAYERS, "RB", strict=True) if (there := self._all(letter))}

    @cached_property
    def territory(self) -> dict[str, frozenset[Tile]]:
        """1.1 Where each player may build, the tiles of start houses included."""
        return {who: frozenset(self._all(letters)) for who, letters in TERRITORY.items()}

    @cached_property
    def houses(self) -> dict[str, Tile | None]:
        """1.7 Where the start houses stand."""
        return {who: next(iter(self._all(letter)), None) for who, letter in zip(PLAYERS, "pq", strict=True)}

    @cached_property
    def portals(self) -> tuple[Gate, ...]:
        """1.6 The demon spawners, in reading order unless the map says otherwise."""
        places = self.order or self._all("".join(GATES))
        return tuple(Gate(x, y, *GATES[self.tiles[x, y]]) for x, y in places)

    def ordered(self, places: Sequence[Tile]) -> Ground:
        """1.6 The same map with its portals in this order; raises BadMap unless each is named once."""
        known = self._all("".join(GATES))
        if sorted(places) != sorted(known):
            raise BadMap(f"portals must name every portal of the map once: {_places(known)}.", rule="1.6")
        return replace(self, order=() if [*places] == known else tuple(places))

    @property
    def variant(self) -> bool:
        """1.6 Whether some portal keeps its target for ever."""
        return any(gate.fixed for gate in self.portals)

    def exits(self, player: str) -> dict[str, Tile]:
        """1.4 The path tiles next to a base, by compass letter N, E, S, W."""
        return layout.beside(self.tiles, self.bases[player]) if player in self.bases else {}

    @cached_property
    def lanes(self) -> tuple[tuple[Tile, ...], ...]:
        """1.4, 1.8 The lanes from red's base to blue's, by red's exits N, E, S, W."""
        ends = self.exits("blue").values()
        chains = (layout.chain(self.tiles, start) for start in self.exits("red").values())
        return tuple(lane for lane in chains if lane[-1] in ends)

    @cached_property
    def lane_of_blue(self) -> tuple[int, ...]:
        """1.8 Blue's lane i, the image of red's lane i, is this lane."""
        index = {lane[-1]: i for i, lane in enumerate(self.lanes)}
        exits = self.exits("blue")
        ends = (exits.get(self.turned(letter)) for letter in STEPS)
        return tuple(index[tile] for tile in ends if tile in index)

    def image(self, x: int, y: int) -> Tile:
        """1.5 The tile that is to the other player what this one is to you; without symmetry, half a turn away."""
        return layout.image(self.symmetry, self.width, self.height, (x, y))

    def turned(self, letter: str) -> str:
        """1.5 The image of a compass direction."""
        (x, y), (to_x, to_y) = self.image(0, 0), self.image(*STEPS[letter])
        return next(other for other, step in STEPS.items() if step == (to_x - x, to_y - y))

    @cached_property
    def directions(self) -> dict[str, dict[str, str]]:
        """1.8 What ahead, right, back and left mean to each player."""
        (rx, ry), (bx, by) = self.bases["red"], self.bases["blue"]
        if abs(bx - rx) >= abs(by - ry):
            ahead = "E" if bx > rx else "W"
        else:
            ahead = "S" if by > ry else "N"
        clock = "NESWNESW"["NESW".index(ahead) :]
        red = dict(zip(("ahead", "right", "back", "left"), clock, strict=False))
        return {"red": red, "blue": {word: self.turned(letter) for word, letter in red.items()}}

    def put(self, letters: Mapping[Tile, str]) -> Ground:
        """The same map with other letters on some tiles, its portals in reading order."""
        rows = [list(row) for row in self.rows]
        for (x, y), letter in letters.items():
            if not (0 <= y < len(rows) and 0 <= x < len(rows[y]) and len(letter) == 1):
                raise BadMap(f"({x}, {y}) cannot hold {letter[:20]!r}.", rule="1.1")
            rows[y][x] = letter
        return sound(replace(self, rows=tuple(map("".join, rows)), order=()))


def sound(ground: Ground, top: int | None = None) -> Ground:
    """The ground itself, if a match can be played on it; `top` is the line of its first row in the text."""
    if flaws := layout.structure(ground.rows):
        rule, why, y = flaws[0]
        where = "" if top is None or y is None else f"Line {top + y}: "
        more = f" Faults besides this: {len(flaws) - 1}." if len(flaws) > 1 else ""
        raise BadMap(where + why + more, rule=rule)
    return ground


# ---- text


def read_map(text: str, *, whole: bool = True) -> Ground:
    """The ground that a text means; raises BadMap. Header lines may be missing.

    With `whole=False` rows that cannot be played are read too, for `layout.faults` to name all that is wrong.
    """
    if not isinstance(text, str):
        raise BadMap("A map must be a text.")
    if len(text) > MAX_TEXT:
        raise BadMap(f"A map can have at most {MAX_TEXT} characters.")
    header: dict[str, str] = {}
    rows: dict[int, str] = {}
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), start=1):
        line = line.strip()
        if ":" in line and not rows:
            _read_header(header, line, f"Line {number}: ")
        elif line:
            rows[number] = line
            if max(len(line), len(rows)) > MAX_SIDE:
                raise BadMap(f"Line {number}: a map can be at most {MAX_SIDE} tiles wide and high.", rule="1.1")
    top, last = min(rows, default=1), max(rows, default=0)
    if gap := next((number for number in range(top, last) if number not in rows), None):
        raise BadMap(f"Line {gap}: this line is empty; write dots for the abyss.", rule="1.1")
    ground = Ground(
        header.get("name", ""),
        header.get("symmetry") or layout.symmetry_of([*rows.values()]),
        tuple(rows.values()),
        header.get("facing") == "yes",
    )
    ground = sound(ground, top) if whole else ground
    return ground.ordered(read_places(header["portals"])) if "portals" in header else ground


def read_places(text: str) -> list[Tile]:
    """The tiles that a text such as `9,4 7,4` names; raises BadMap."""
    words = text.split()
    if not all(re.fullmatch(r"[0-9]{1,3},[0-9]{1,3}", word, re.ASCII) for word in words):
        raise BadMap(f"portals: {text[:40]!r} is not a list of places. Write them like 9,4 7,4.", rule="1.6")
    return [(int(x), int(y)) for x, y in (word.split(",") for word in words)]


def _places(tiles: Sequence[Tile]) -> str:
    return " ".join(f"{x},{y}" for x, y in tiles)


_HEADERS = {"name": (), "symmetry": (*SYMMETRIES, "none"), "facing": ("yes", "no"), "portals": ()}


def _read_header(header: dict[str, str], line: str, where: str) -> None:
    key, value = (part.strip() for part in line.split(":", 1))
    key = key.lower()
    if key not in _HEADERS:
        raise BadMap(f"{where}{key[:20]!r} is not a header. Headers are {', '.join(_HEADERS)}.")
    if key in header:
        raise BadMap(f"{where}{key} is given twice.")
    if words := _HEADERS[key]:
        value = value.lower()
        if value not in words:
            raise BadMap(f"{where}{key} cannot be {value[:20]!r}. Choose one of {', '.join(words)}.", rule="1.5")
    elif key == "name":
        value = plain_name(value, where)
    header[key] = value


def plain_name(name: str, where: str = "") -> str:
    """A name that fits on one line."""
    name = name.strip()
    if not name.isprintable() or len(name) > MAX_NAME:
        raise BadMap(f"{where}{name[:20]!r} cannot be a name: use at most {MAX_NAME} printable characters.")
    return name


def write_map(ground: Ground) -> str:
    """The ground as text that `read_map` reads back."""
    lines = [f"name: {plain_name(ground.name)}"] if ground.name else []
    lines.append(f"symmetry: {ground.symmetry}")
    lines += ["facing: yes"] if ground.facing else []
    lines += [f"portals: {_places(ground.order)}"] if ground.order else []
    return "\n".join([*lines, *ground.rows, ""])


# ---- the maps of the house


@cache
def _maps() -> dict[str, str]:
    folder = files(__package__) / "data" / "maps"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".map")), key=lambda file: file.name)
    return {file.name.removesuffix(".map"): file.read_text(encoding="utf-8") for file in found}


def shipped() -> list[str]:
    """The words by which `load` knows our own maps."""
    return list(_maps())


def load(name: str) -> Ground:
    """One of our own maps, by word or by name: `twin-gates` or `Twin Gates`."""
    word = "-".join(name.lower().split())
    if word not in _maps():
        raise BadMap(f"There is no map called {name[:40]!r}. There are {', '.join(_maps())}.")
    return read_map(_maps()[word])
