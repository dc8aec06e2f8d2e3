"""Hexes and maps (1.1 to 1.8, 15.1 to 15.7): geometry, a map as a value and as text, what admits it, drawn maps.

A ground is a tuple of 100 numbers, one for each hex; hex x,y is number 10 y + x. A ground that was read from text may
still be unfair or cut in two: `flaws` names everything that keeps it from a game, `sound` raises it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Final, NamedTuple

from polemos.games.minions.rules.geometry import STEPS, apart, beside
from polemos.games.minions.state import FILES, GRAVEYARD, HEX_NAMES, HEXES, PLAIN, SIDE, START, WATER
from polemos.kernel.dice import number
from polemos.kernel.errors import NotationError, PolemosError
from polemos.kernel.orders import shown

Ground = tuple[int, ...]
Image = Callable[[int], int]

MAX_TEXT: Final = 200  # characters of a row code; 109 are enough
YARDS: Final = 10  # 15.3

__all__ = [
    "BASIC", "FILES", "GRAVEYARD", "HEXES", "IMAGES", "OPEN", "PLAIN", "RINGS", "SIDE", "START", "STEPS", "WATER",
    "BadMap", "Ground", "admitted", "distance", "draw_map", "flaws", "hex_name", "hex_of", "load", "name_of",
    "neighbours", "read_rows", "sound", "walks", "write_rows",
]  # fmt: skip


class BadMap(PolemosError):
    """A map that cannot be played."""

    word = "map/bad"


# ---- geometry

_NEIGHBOURS: Final = tuple(tuple(there for there in beside(hex) if there >= 0) for hex in range(HEXES))


def neighbours(hex: int) -> tuple[int, ...]:
    """1.2 The hexes next to this one."""
    return _NEIGHBOURS[hex]


def distance(a: int, b: int) -> int:
    """1.3 Steps on an empty board."""
    return apart(a, b)


def hex_name(hex: int) -> str:
    """1.1 File, then rank."""
    return HEX_NAMES[hex]


def hex_of(text: object) -> int:
    """1.1 The hex that a text names; raises NotationError."""
    if isinstance(text, str) and len(word := text.strip()) == 2:
        x, y = FILES.find(word[0].lower()), "0123456789".find(word[1])
        if x >= 0 and y >= 0:
            return SIDE * y + x
    raise NotationError(f"{shown(text)[:20]!r} is not a hex. A hex is a file and a rank, a0 to j9.", rule="4.3")


RINGS: Final = tuple(
    tuple(hex_of(word) for word in ring.split()) for ring in ("b2 b3 c1 c3 d1 d2", "g7 g8 h6 h8 i6 i7")
)  # 1.8


def _half_turn(hex: int) -> int:
    return HEXES - 1 - hex


def _reflection(hex: int) -> int:
    y, x = divmod(hex, SIDE)
    return SIDE * (SIDE - 1 - x) + SIDE - 1 - y


IMAGES: Final[dict[str, Image]] = {"half turn": _half_turn, "reflection": _reflection}  # 15.2


def walks(ground: Sequence[int], start: int) -> dict[int, int]:
    """1.4 How many steps over land each hex is from a start; what cannot be reached is missing."""
    if ground[start] == WATER:
        return {}
    found = {start: 0}
    for hex in (queue := [start]):
        for there in _NEIGHBOURS[hex]:
            if there not in found and ground[there] != WATER:
                found[there] = found[hex] + 1
                queue.append(there)
    return found


# ---- text

_SIGNS: Final[dict[str, Ground]] = {
    "G": (GRAVEYARD,),
    "g": (GRAVEYARD,),
    "W": (WATER,),
    "w": (WATER,),
    "0": (PLAIN,) * SIDE,
    **{str(i): (PLAIN,) * i for i in range(1, SIDE)},
}


def read_rows(text: object) -> Ground:
    """15.1 The ground that a row code means; raises BadMap."""
    if not isinstance(text, str):
        raise BadMap("A map must be a text.", rule="15.1")
    if len(text) > MAX_TEXT:
        raise BadMap(f"A map can have at most {MAX_TEXT} characters, not {len(text)}.", rule="15.1")
    rows = text.strip().split("/")
    if len(rows) != SIDE:
        raise BadMap(f"A map must have {SIDE} rows separated by /, not {len(rows)}.", rule="15.1")
    return tuple(kind for rank, row in enumerate(rows) for kind in _read_row(row, rank))


def _read_row(row: str, rank: int) -> list[int]:
    kinds: list[int] = []
    for sign in row:
        if sign not in _SIGNS:
            why = f"Rank {rank}: {shown(sign) or ' '!r} can't be part of a row; use digits, G and W."
            raise BadMap(why, rule="15.1")
        kinds.extend(_SIGNS[sign])
    if len(kinds) != SIDE:
        raise BadMap(f"Rank {rank}: {row!r} makes {len(kinds)} hexes; a row must have {SIDE}.", rule="15.1")
    return kinds


def write_rows(ground: Ground) -> str:
    """15.1 A ground as its row code, which `read_rows` reads back."""
    _shaped(ground)
    return "/".join(_written(ground[SIDE * y : SIDE * (y + 1)]) for y in range(SIDE))


def _written(row: Ground) -> str:
    text, plain = "", 0
    for kind in row:
        if kind == PLAIN:
            plain += 1
            continue
        text += f"{plain or ''}{'G' if kind == GRAVEYARD else 'W'}"
        plain = 0
    return text + (str(plain % SIDE) if plain else "")


# ---- what admits a map


def flaws(ground: Ground) -> list[tuple[str, str]]:
    """15.1 to 15.5 Every broken rule: its paragraph, and a sentence that names the first hex."""
    shape = _shape(ground)
    if shape:
        return [("15.1", shape)]
    return [*_unlike(ground), *_yards(ground), *_start_land(ground), *_routes(ground)]


def admitted(ground: Ground) -> bool:
    """15.2 to 15.5 Whether a game can be started on it."""
    return not flaws(ground)


def sound(ground: Ground) -> Ground:
    """15.2 to 15.5 The ground itself, if a game can be started on it; raises BadMap."""
    found = flaws(ground)
    if found:
        rule, why = found[0]
        raise BadMap(why + (f" Faults besides this: {len(found) - 1}." if len(found) > 1 else ""), rule=rule)
    return ground


def _shape(ground: Ground) -> str:
    if len(ground) != HEXES:
        return f"A map must have {HEXES} hexes, not {len(ground)}."
    wrong = next((hex for hex, kind in enumerate(ground) if kind not in (PLAIN, GRAVEYARD, WATER)), None)
    return "" if wrong is None else f"{hex_name(wrong)} is neither plain nor graveyard nor water."


def _shaped(ground: Ground) -> None:
    shape = _shape(ground)
    if shape:
        raise BadMap(shape, rule="15.1")


_KINDS: Final = {PLAIN: "plain", GRAVEYARD: "a graveyard", WATER: "water"}


def _unlike(ground: Ground) -> Iterator[tuple[str, str]]:
    """15.2 Neither symmetry carries the map onto itself: for each the first hex that is not like its image."""
    parts = []
    for name, image in IMAGES.items():
        hex = next((hex for hex in range(HEXES) if ground[hex] != ground[image(hex)]), None)
        if hex is None:
            return
        there = image(hex)
        is_, other = _KINDS[ground[hex]], _KINDS[ground[there]]
        parts.append(f"by the {name} {hex_name(hex)} is {is_} and {hex_name(there)} {other}")
    yield "15.2", f"The map is not symmetric: {'; '.join(parts)}."


def _yards(ground: Ground) -> Iterator[tuple[str, str]]:
    """15.3 Ten graveyards, no two of them neighbours."""
    yards = [hex for hex in range(HEXES) if ground[hex] == GRAVEYARD]
    if len(yards) != YARDS:
        yield "15.3", f"The map has {len(yards)} graveyards; it must have {YARDS}."
    pair = next(((a, b) for a in yards for b in yards if a < b and distance(a, b) == 1), None)
    if pair:
        yield "15.3", f"The graveyards {hex_name(pair[0])} and {hex_name(pair[1])} are neighbours."


def _start_land(ground: Ground) -> Iterator[tuple[str, str]]:
    """15.4 No water on start hexes and rings."""
    wet = next((hex for hex in sorted(_KEPT) if ground[hex] == WATER), None)
    if wet is not None:
        yield "15.4", f"{hex_name(wet)} is water; start hexes and their rings must be land."


def _routes(ground: Ground) -> Iterator[tuple[str, str]]:
    """15.5 Ways over land from c2 to h7 and to every graveyard."""
    yellow, blue = START
    reached = walks(ground, yellow)
    if blue not in reached:
        yield "15.5", f"There is no way over land from {hex_name(yellow)} to {hex_name(blue)}."
    far = next((hex for hex in range(HEXES) if ground[hex] == GRAVEYARD and hex not in reached), None)
    if far is not None:
        yield "15.5", f"There is no way over land from {hex_name(yellow)} to the graveyard {hex_name(far)}."


_KEPT: Final = frozenset([*START, *RINGS[0], *RINGS[1]])


# ---- the maps of the house


@cache
def _basic() -> dict[str, Ground]:
    text = (files(__package__) / "data" / "maps.toml").read_text(encoding="utf-8")
    return {name: read_rows(rows) for name, rows in tomllib.loads(text).items()}


BASIC: Final = tuple(_basic())  # 15.6, in their order
OPEN: Final[Ground] = (PLAIN,) * HEXES  # 15.6, for positions set up by hand


def _word(name: str) -> str:
    return "".join(name.lower().replace("-", " ").split())


def load(name: object) -> Ground:
    """15.6 A map by its name, or `open`; capitals, blanks and hyphens do not matter."""
    named = {_word(known): ground for known, ground in _basic().items()} | {"open": OPEN}
    if not isinstance(name, str) or _word(name) not in named:
        raise BadMap(f"There is no map called {shown(name)[:40]!r}. There are {', '.join(BASIC)}.", rule="15.6")
    return named[_word(name)]


def name_of(ground: Ground) -> str | None:
    """15.6 The name of a map of the house, `open`, or None."""
    if ground == OPEN:
        return "open"
    return next((name for name, known in _basic().items() if known == ground), None)


# ---- drawn maps (15.7)

MAX_WANTED: Final = 30  # hexes of water
MAX_WATER: Final = 36  # with land that was cut off and is flooded too
MAX_FLOODED: Final = 6
LONGEST: Final = 13  # steps from start to start; 10 are the fewest
STROKES: Final = 24  # of water in one draft
NEAR: Final = 5  # steps
MIN_NEAR: Final = 2  # graveyards so near to each side

_TURNS: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # the steps of 1.2, in turn around a hex
_EDGE: Final = tuple(
    SIDE * y + x
    for x, y in (
        *((i, 0) for i in range(SIDE - 1)),
        *((SIDE - 1, i) for i in range(SIDE - 1)),
        *((i, SIDE - 1) for i in range(SIDE - 1, 0, -1)),
        *((0, i) for i in range(SIDE - 1, 0, -1)),
    )
)


class _Draft(NamedTuple):
    """One attempt at a map: its chance, and what is the same in all attempts."""

    key: int
    image: Image
    water: int  # hexes wanted

    def chance(self, *purpose: object) -> int:
        return number(self.key, *purpose)

    def orbit(self, hex: int) -> frozenset[int]:
        """A hex together with its image."""
        return frozenset((hex, self.image(hex)))


def draw_map(seed: object) -> Ground:
    """15.7 A map from a seed: one half is drawn, the other is its image; drawn again until it is admitted."""
    image = tuple(IMAGES.values())[number(seed, "minions symmetry") % len(IMAGES)]
    water = number(seed, "minions water") % (MAX_WANTED + 1)
    drafts = (_Draft(number(seed, "minions map", i), image, water) for i in count())
    return next(ground for ground in map(_drawn, drafts) if ground is not None and admitted(ground))


def _drawn(draft: _Draft) -> Ground | None:
    """One attempt, or None if water or graveyards do not fit."""
    ground = _land(_water(draft))
    yards = _placed(draft, ground) if ground else None
    return tuple(GRAVEYARD if hex in yards else ground[hex] for hex in range(HEXES)) if ground and yards else None


def _land(water: set[int]) -> Ground | None:
    """The ground with this water; small parts that are cut off are flooded, so that all land hangs together."""
    ground = tuple(WATER if hex in water else PLAIN for hex in range(HEXES))
    reached = walks(ground, START[0])
    flooded = HEXES - len(reached) - len(water)
    if reached.get(START[1], HEXES) > LONGEST or flooded > MAX_FLOODED or HEXES - len(reached) > MAX_WATER:
        return None
    return tuple(PLAIN if hex in reached else WATER for hex in range(HEXES))


# ---- water: lakes, rivers and shores, each with its image


def _water(draft: _Draft) -> set[int]:
    strokes = ((_lake,), (_river,), (_shore,), (_lake, _river), (_lake, _shore), (_lake, _river, _shore))
    kinds = strokes[draft.chance("kinds") % len(strokes)]
    water: set[int] = set()
    for which in range(STROKES):
        if len(water) >= draft.water:
            break
        stroke = kinds[draft.chance("kind", which) % len(kinds)]
        for hex in stroke(draft, which):
            if len(water) < draft.water and not draft.orbit(hex) & _KEPT:
                water |= draft.orbit(hex)
    return water


def _lake(draft: _Draft, which: int) -> Iterable[int]:
    """A round clump: it grows where it already touches a hex most."""
    lake = [draft.chance("lake", which) % HEXES]
    for i in range(draft.chance("size", which) % 7):
        around = sorted({there for hex in lake for there in _NEIGHBOURS[hex]} - {*lake})
        lake.append(max(around, key=lambda hex: _pull(draft, lake, which, i, hex)))
    return lake


def _pull(draft: _Draft, lake: list[int], which: int, i: int, hex: int) -> int:
    return 30 * len({*lake}.intersection(_NEIGHBOURS[hex])) + draft.chance("grow", which, i, hex) % 60


def _river(draft: _Draft, which: int) -> Iterable[int]:
    """A winding row that comes in from the edge and goes straight on more often than not."""
    y, x = divmod(_EDGE[draft.chance("river", which) % len(_EDGE)], SIDE)
    way = draft.chance("way", which) % 6
    for i in range(4 + draft.chance("length", which) % 6):
        if not (0 <= x < SIDE and 0 <= y < SIDE) or SIDE * y + x in _KEPT:
            return
        yield SIDE * y + x
        way = (way + (0, 0, 0, 1, 5)[draft.chance("bend", which, i) % 5]) % 6
        x, y = x + _TURNS[way][0], y + _TURNS[way][1]


def _shore(draft: _Draft, which: int) -> Iterable[int]:
    """A stretch of the edge, here and there two hexes wide."""
    start = draft.chance("shore", which) % len(_EDGE)
    for i in range(3 + draft.chance("stretch", which) % 7):
        hex = _EDGE[(start + i) % len(_EDGE)]
        yield hex
        if draft.chance("wide", which, i) % 4 == 0:
            yield _NEIGHBOURS[hex][draft.chance("where", which, i) % len(_NEIGHBOURS[hex])]


# ---- graveyards


def _placed(draft: _Draft, ground: Ground) -> frozenset[int] | None:
    """15.3 Ten graveyards, spread out: of some hexes drawn the one that is farthest from the others."""
    alone = 2 * (draft.chance("alone") % 3)  # on hexes that are their own images; a half turn has none
    sizes = [1] * alone + [2] * ((YARDS - alone) // 2) if _alone(draft) else [2] * (YARDS // 2)
    orbits = _orbits(draft, ground)
    yards: frozenset[int] = frozenset()
    for i, size in enumerate(sizes):
        free = [orbit for orbit in orbits if len(orbit) == size and _gap(orbit, yards) > 1]
        if not free:
            return None
        some = [free[draft.chance("yard", i, j) % len(free)] for j in range(4)]
        gaps = [_gap(orbit, yards) for orbit in some]
        yards |= some[gaps.index(max(gaps))]
    return yards if _near(ground, yards) >= MIN_NEAR else None


def _alone(draft: _Draft) -> bool:
    return any(draft.image(hex) == hex for hex in range(HEXES))


def _orbits(draft: _Draft, ground: Ground) -> list[frozenset[int]]:
    """15.7 Where graveyards may lie: on land, not on start hexes and rings."""
    free = [hex for hex in range(HEXES) if ground[hex] == PLAIN and hex not in _KEPT]
    return [draft.orbit(hex) for hex in free if hex <= draft.image(hex)]


def _gap(orbit: frozenset[int], yards: frozenset[int]) -> int:
    """How far the nearest graveyard, or their own image, is from these hexes."""
    return min((distance(a, b) for a in orbit for b in orbit | yards if a != b), default=HEXES)


def _near(ground: Ground, yards: Iterable[int]) -> int:
    """How many graveyards are near Yellow's start; as many are near Blue's."""
    steps = walks(ground, START[0])
    return sum(steps[hex] <= NEAR for hex in yards)
