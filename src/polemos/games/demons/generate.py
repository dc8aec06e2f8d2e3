"""Random fair maps (1.1 to 1.7), the same for the same seed.

Lanes are drawn on a lattice whose lines lie at least two tiles apart, so that lanes without a common node never touch.
A lane that is its own image is half drawn and half reflected; the others come in pairs. Territory grows around them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple, TypeVar

from polemos.games.demons import layout
from polemos.games.demons.ground import Ground
from polemos.games.demons.layout import STEPS, Tile
from polemos.kernel.errors import BadOptions, BrokenGame

T = TypeVar("T")
Image = Callable[[Tile], Tile]


class Size(NamedTuple):
    tiles: tuple[int, int]  # fewest and most
    long: tuple[int, int]  # lines of the lattice from base to base
    wide: tuple[int, int]  # lines across
    lanes: str  # numbers of lanes, each as often as it is drawn


SIZES: Final = {
    "small": Size((60, 130), (4, 6), (3, 4), "11222333"),
    "medium": Size((130, 230), (5, 8), (4, 5), "1122233344"),
    "large": Size((230, 400), (7, 10), (5, 7), "112223334444"),
}
FAR: Final = 6  # steps from a portal to either base, at least
_SYMMETRIES: Final = ("half-turn",) * 6 + ("mirror-x",) * 4 + ("mirror-y",) * 2 + ("diagonal", "antidiagonal")
_MAX_ATTEMPTS: Final = 2000
_MAX_STEPS: Final = 200

_FIRST: Final = ("Ashen", "Black", "Bitter", "Broken", "Burnt", "Cold", "Crooked", "Drowned", "Grey", "Hollow", "Iron")
_FIRST_TOO: Final = ("Last", "Lost", "Old", "Pale", "Red", "Salt", "Silent", "Still", "Thorn", "White", "Wild")
_SECOND: Final = ("Bridges", "Causeway", "Crossing", "Downs", "Fords", "Gates", "Heath", "March", "Mire", "Moor")
_SECOND_TOO: Final = ("Passes", "Reach", "Roads", "Steps", "Vale", "Walls", "Watch", "Weald", "Wells", "Ways")


class _Dice:
    """Chance from a seed. Only `random` is used: its numbers stay the same from one Python to the next."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed).random

    def among(self, things: Sequence[T]) -> T:
        return things[int(self.random() * len(things))]

    def between(self, least: int, most: int) -> int:
        return least + int(self.random() * (most - least + 1))


def generate(seed: object, size: str | None = None) -> Ground:
    """A random map that breaks no rule of layout; without a size, of any."""
    if size is not None and size not in SIZES:
        raise BadOptions(f"There is no size called {str(size)[:20]!r}. Choose one of {', '.join(SIZES)}.", rule="1.1")
    dice = _Dice(f"polemos demons map {seed} {size}")
    frame = SIZES[size or dice.among(list(SIZES))]
    symmetry, lanes = dice.among(_SYMMETRIES), int(dice.among(frame.lanes))
    name = f"{dice.among(_FIRST + _FIRST_TOO)} {dice.among(_SECOND + _SECOND_TOO)}"
    for _ in range(_MAX_ATTEMPTS):
        ground = _attempt(dice, name, symmetry, lanes, frame)
        if ground and not layout.faults(ground):
            return ground
    raise BrokenGame(f"The seed {str(seed)[:40]!r} does not give a map.")


def _attempt(dice: _Dice, name: str, symmetry: str, number: int, size: Size) -> Ground | None:
    lines_x, lines_y = dice.between(*size.long), dice.between(*size.wide)
    if symmetry.endswith("diagonal"):
        lines_x = lines_y
    elif symmetry == "mirror-y":
        lines_x, lines_y = lines_y, lines_x
    ways = _lattice_lanes(dice, symmetry, (lines_x, lines_y), number)
    if ways is None:
        return None
    margin = dice.between(1, 2)
    xs = _lines(dice, lines_x, margin)
    ys = xs if lines_x == lines_y and symmetry.endswith("diagonal") else _lines(dice, lines_y, margin)
    width, height = xs[-1] + margin + 1, ys[-1] + margin + 1
    lanes = [_straight([(xs[i], ys[j]) for i, j in way]) for way in ways]
    red, blue = lanes[0][0], lanes[0][-1]

    def image(tile: Tile) -> Tile:
        return layout.image(symmetry, width, height, tile)

    letters = {tile: "o" for lane in lanes for tile in lane} | {red: "R", blue: "B"}
    facing = dice.random() < 0.15
    portals = _portals(dice, [lane[1:-1] for lane in lanes], image, facing)
    wanted = dice.between(*size.tiles) - len(letters)
    if not portals or wanted < len(letters) // 2:
        return None
    land = _territory(dice, letters, (red, blue), image, (width, height), wanted)
    letters = letters | portals | land
    fields = [tile for tile, letter in land.items() if letter == "r"]
    covered = [sum(any(_steps(tile, field) <= 3 for field in fields) for tile in lane) for lane in lanes]
    if not size.tiles[0] <= len(letters) <= size.tiles[1] or min(covered) < FAR:
        return None
    rows = ["".join(letters.get((x, y), ".") for x in range(width)) for y in range(height)]
    return _housed(Ground(name, symmetry, _cropped(rows), facing and _crowded(lanes, portals)))


# ---- lanes


def _lattice_lanes(dice: _Dice, symmetry: str, lines: tuple[int, int], number: int) -> list[list[Tile]] | None:
    """1.4 Ways from red's node to blue's that have nothing else in common, closed under the symmetry."""
    nodes = [(i, j) for i in range(lines[0]) for j in range(lines[1])]

    def image(node: Tile) -> Tile:
        return layout.image(symmetry, *lines, node)

    def exits(node: Tile) -> int:
        return sum(_steps(node, other) == 1 for other in nodes)

    apart = [node for node in nodes if _steps(node, image(node)) * 2 >= max(lines) and exits(node) >= number]
    hollow = symmetry == "half-turn" and number % 2 and lines[0] % 2 == lines[1] % 2 == 0  # no middle to lead through
    if not apart or hollow:
        return None
    red = dice.among(apart)
    free = {*nodes} - {red, image(red)}
    ways: list[list[Tile]] = []
    pairs = number // 2 if symmetry == "half-turn" else 0
    for double in sorted([True] * pairs + [False] * (number - 2 * pairs), key=lambda _: dice.random()):
        way = _way(dice, red, free, image, double)
        if way is None:
            return None
        ways += [way, [image(node) for node in reversed(way)]] if double else [way]
        free -= {*way} | {image(node) for node in way}
    return ways


def _way(dice: _Dice, red: Tile, free: set[Tile], image: Image, double: bool) -> list[Tile] | None:
    """A random walk from red's node to blue's, its loops cut out, that never treads on its own image.

    A `double` way is free of its image; another meets it in the middle and goes on as its image.
    """
    way = [red]
    for _ in range(_MAX_STEPS):
        x, y = way[-1]
        ahead = [(x + dx, y + dy) for dx, dy in STEPS.values()]
        ahead = [node for node in ahead if node in free or (double and node == image(red) and len(way) > 1)]
        if not ahead:
            return None
        node = dice.among(ahead)
        there = image(node)
        if there == red:
            return [*way, node]
        if there in (node, way[-1]):  # the middle
            if double:
                continue
            middle = [node] if there == node else []
            return way + middle + [image(node) for node in reversed(way)]
        if seen := {node, there} & {*way}:
            del way[way.index(seen.pop()) + 1 :]
        else:
            way.append(node)
    return None


def _lines(dice: _Dice, number: int, margin: int) -> list[int]:
    """Where the lines of the lattice lie, alike from both ends, with a tile in the very middle."""
    gaps = [dice.among((2, 2, 2, 3, 3, 4)) for _ in range((number - 1) // 2)]
    middle = [dice.among((2, 2, 4))] if number % 2 == 0 else []
    places = [margin]
    for gap in [*gaps, *middle, *reversed(gaps)]:
        places.append(places[-1] + gap)
    return places


def _straight(corners: list[Tile]) -> list[Tile]:
    """All tiles from corner to corner."""
    tiles = corners[:1]
    for x, y in corners[1:]:
        while tiles[-1] != (x, y):
            at_x, at_y = tiles[-1]
            tiles.append((at_x + (x > at_x) - (x < at_x), at_y + (y > at_y) - (y < at_y)))
    return tiles


# ---- portals


def _portals(dice: _Dice, lanes: list[list[Tile]], image: Image, facing: bool) -> dict[Tile, str]:
    """1.6 One to three groups, most often one: a drawn portal in the middle of a lane, or a pair of images."""
    groups: list[dict[Tile, str]] = []
    for lane in lanes:
        far = lane[FAR - 1 : 1 - FAR]
        middle = [tile for tile in far if image(tile) == tile]
        whole = {*lane} == {image(tile) for tile in lane}
        if whole and facing:
            far = far[: len(far) // 2 - 1]
        elif whole:
            groups += [{tile: "w"} for tile in middle]
            continue
        if far:
            tile, letter = dice.among(far), dice.among("uv")
            groups.append({tile: letter, image(tile): letter.translate(layout.SWAPPED)})
    groups.sort(key=lambda _: dice.random())
    portals: dict[Tile, str] = {}
    for group in groups[: dice.among((1, 1, 1, 1, 1, 1, 2, 2, 2, 3))]:
        few = list((portals | group).values()).count("w") <= 2  # T64: two are one for each base
        if few and (facing or not _crowded(lanes, portals | group)):
            portals |= group
    return portals


def _crowded(lanes: list[list[Tile]], portals: dict[Tile, str]) -> bool:
    """1.6 Has a lane two portals?"""
    return any(sum(tile in portals for tile in lane) > 1 for lane in lanes)


# ---- territory


def _territory(
    dice: _Dice, path: dict[Tile, str], bases: tuple[Tile, Tile], image: Image, board: tuple[int, int], wanted: int
) -> dict[Tile, str]:
    """1.1 Pairs of tiles near the lanes, each the colour of the nearer base, in clumps; some maps have enclaves."""
    reach, neutral, enclaves = dice.between(1, 3), dice.between(0, 2), dice.among((0.0, 0.0, 0.15))
    off = dict.fromkeys(path, 0)
    for tile in (queue := list(path)):
        for there in ((tile[0] + dx, tile[1] + dy) for dx, dy in STEPS.values()):
            if there not in off and off[tile] < reach and 0 <= there[0] < board[0] and 0 <= there[1] < board[1]:
                off[there] = off[tile] + 1
                queue.append(there)
    clumps: dict[Tile, tuple[float, float]] = {}
    ranked: list[tuple[float, Tile, Tile]] = []
    for tile in queue[len(path) :]:
        lean = _steps(tile, bases[0]) - _steps(tile, bases[1])
        if tile < image(tile) and abs(lean) > neutral:
            clump, mood = clumps.setdefault((tile[0] // 3, tile[1] // 3), (dice.random(), dice.random()))
            red = tile if (lean < 0) != (mood < enclaves) else image(tile)
            ranked.append((off[tile] + 2 * clump + dice.random() / 2, red, image(red)))
    ranked.sort()
    return {tile: letter for _, *pair in ranked[: wanted // 2] for tile, letter in zip(pair, "rb", strict=True)}


def _steps(a: Tile, b: Tile) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _cropped(rows: list[str]) -> tuple[str, ...]:
    """The rows without a rim of abyss."""
    tiles = layout.tiles_of(rows)
    xs, ys = {x for x, _ in tiles}, {y for _, y in tiles}
    return tuple(row[min(xs) : max(xs) + 1] for row in rows[min(ys) : max(ys) + 1])


def _housed(ground: Ground) -> Ground | None:
    """1.7 The ground with its start houses."""
    houses = layout.house_places(ground)
    return ground.put({houses["red"]: "p", houses["blue"]: "q"}) if len(houses) == 2 else None
