"""The rules of tile layout (1.1 to 1.7): which rows of letters make a map, and which maps are fair.

`structure` names what keeps rows from being played at all, `faults` also what is unfair; both name everything at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from polemos.games.demons import state

if TYPE_CHECKING:
    from polemos.games.demons.ground import Ground

Tile = tuple[int, int]
Tiles = Mapping[Tile, str]  # the letters of all tiles that are not abyss, in reading order

PLAYERS: Final = state.PLAYERS
STEPS: Final = dict(zip(state.COMPASS, state.STEPS, strict=True))
LETTERS: Final = ".orbRBpquvUVw"
PATH: Final = "ouvUVw"
BASES: Final = "RB"
TERRITORY: Final = {"red": "rp", "blue": "bq"}
SWAPPED: Final = str.maketrans("rbRBpquvUV", "brBRqpvuVU")
SYMMETRIES: Final = state.SYMMETRIES[:-1]  # without "none"

MAX_SIDE: Final = 64
MAX_TILES: Final = state.MAX_TILES
NEAREST: Final = 2  # tiles of a lane next to a base that bear no portal
MAX_PAIRS: Final = 8  # so many pairs of unlike tiles are named one by one


class Flaw(NamedTuple):
    """A broken rule of layout; `y` is its row, where it has one."""

    rule: str
    why: str
    y: int | None = None


# ---- vocabulary


def tiles_of(rows: Sequence[str]) -> dict[Tile, str]:
    """1.1 The letters of all tiles that are not abyss, in reading order."""
    return {(x, y): c for y, row in enumerate(rows) for x, c in enumerate(row) if c in LETTERS and c != "."}


def beside(tiles: Tiles, tile: Tile) -> dict[str, Tile]:
    """1.2 The path tiles next to a tile, by compass letter N, E, S, W."""
    around = ((letter, (tile[0] + dx, tile[1] + dy)) for letter, (dx, dy) in STEPS.items())
    return {letter: there for letter, there in around if tiles.get(there, ".") in PATH}


def chain(tiles: Tiles, start: Tile) -> tuple[Tile, ...]:
    """1.4 The path tiles from an exit on, as long as there is one way to go."""
    found = {start: None}  # a dictionary keeps the order
    ahead = [*beside(tiles, start).values()]
    before = start
    while len(ahead) == 1 and ahead[0] not in found:
        found[ahead[0]] = None
        ahead, before = [tile for tile in beside(tiles, ahead[0]).values() if tile != before], ahead[0]
    return tuple(found)


def image(symmetry: str, width: int, height: int, tile: Tile) -> Tile:
    """1.5 Where a symmetry takes a tile; without one, half a turn."""
    x, y = tile
    if symmetry == "diagonal":
        return y, x
    if symmetry == "antidiagonal":
        return width - 1 - y, height - 1 - x
    return x if symmetry == "mirror-y" else width - 1 - x, y if symmetry == "mirror-x" else height - 1 - y


def symmetry_of(rows: Sequence[str]) -> str:
    """1.5 The symmetry that swaps the bases and keeps the paths with the fewest tiles amiss, or `none`."""
    tiles, width, height = tiles_of(rows), max(map(len, rows), default=0), len(rows)
    best, word = MAX_SIDE**2, "none"
    for symmetry in SYMMETRIES if width == height else SYMMETRIES[:3]:
        amiss = 0
        for tile, letter in tiles.items():
            there, due = tiles.get(image(symmetry, width, height, tile), "."), letter.translate(SWAPPED)
            if there != due:
                amiss += best if due in PATH + "RB" and not (due in PATH and there in PATH) else 1
        if amiss < best:
            best, word = amiss, symmetry
    return word


# ---- what must hold for a match to be played


def structure(rows: Sequence[str]) -> list[Flaw]:
    """1.1, 1.3, 1.4 All that keeps rows from being played, fair or not."""
    tiles = tiles_of(rows)
    flaws = [] if rows else [Flaw("1.1", "The map has no rows.")]
    for y, row in enumerate(rows):
        if strange := next((c for c in row if c not in LETTERS), None):
            flaws.append(Flaw("1.1", f"{strange!r} is not a tile. Tiles are {' '.join(LETTERS)}.", y))
        if len(row) != len(rows[0]):
            flaws.append(Flaw("1.1", f"A row of {len(row)} tiles; the first row has {len(rows[0])}.", y))
    if max(len(rows), *map(len, rows), 0) > MAX_SIDE:
        flaws.append(Flaw("1.1", f"A map can be at most {MAX_SIDE} tiles wide and high."))
    if len(tiles) > MAX_TILES:
        flaws.append(Flaw("1.1", f"A map can have at most {MAX_TILES} tiles, not {len(tiles)}."))
    letters = list(tiles.values())
    for base, house, who in zip("RB", "pq", PLAYERS, strict=True):
        if (count := letters.count(base)) != 1:
            flaws.append(Flaw("1.3", f"{who.title()} must have one base (letter {base}), not {count}."))
        if (count := letters.count(house)) > 1:
            flaws.append(Flaw("1.7", f"{who.title()} must have one start house (letter {house}), not {count}."))
    return flaws + ([*_lane_flaws(tiles)] if {"R", "B"} <= {*letters} else [])


def _lane_flaws(tiles: Tiles) -> Iterator[Flaw]:
    """1.4 Each path tile on exactly one lane; lanes are chains of three tiles or more that never touch."""
    path = [tile for tile, letter in tiles.items() if letter in PATH]
    for x, y in path:
        if len(beside(tiles, (x, y))) > 2:
            yield Flaw("1.4", f"Three or four path tiles lie next to ({x}, {y}): lanes neither fork nor touch.", y)
    red, blue = (beside(tiles, next(tile for tile in tiles if tiles[tile] == base)) for base in "RB")
    if not red or len(red) != len(blue):
        numbers = f"red's has {len(red)}, blue's {len(blue)}"
        yield Flaw("1.4", f"Both bases must have the same number of exits, one to four; {numbers}.")
    chains = {letter: chain(tiles, start) for letter, start in red.items()}
    for letter, lane in chains.items():
        x, y = lane[-1]
        ended = len(beside(tiles, (x, y))) == min(1, len(lane) - 1)
        if not ended or (x, y) not in blue.values():
            yield Flaw("1.4", f"No lane leads from red's exit {letter} to blue's base; the way ends on ({x}, {y}).", y)
        elif len(lane) < 3:
            yield Flaw("1.4", f"Red's lane {letter} has {len(lane)} tiles; a lane needs at least three.", y)
        for x, y in sorted(({*lane[1:]} & {*red.values()}) | ({*lane[:-1]} & {*blue.values()})):
            yield Flaw("1.4", f"Only the end of a lane may touch a base, not ({x}, {y}).", y)
    reached = {tile for lane in chains.values() for tile in lane}
    if lost := [tile for tile in path if tile not in reached]:
        x, y = lost[0]
        yield Flaw("1.4", f"Path tiles that are not on any lane: {len(lost)}. The first is ({x}, {y}).", y)


# ---- what must hold for a match to be fair


def faults(ground: Ground) -> list[tuple[str, str]]:
    """1.1 to 1.7 Every broken rule of layout: its paragraph, and a sentence."""
    found = [(flaw.rule, flaw.why) for flaw in structure(ground.rows)]
    return [*found, *_unlike(ground), *_portals(ground), *_houses(ground)]


def _unlike(ground: Ground) -> Iterator[tuple[str, str]]:
    """1.5 Everything maps onto itself with the colours swapped."""
    if ground.symmetry not in SYMMETRIES:
        yield "1.5", f"The map does not name its symmetry. Choose one of {', '.join(SYMMETRIES)}."
        return
    if ground.symmetry.endswith("diagonal") and ground.width != ground.height:
        yield "1.5", f"A diagonal mirror needs a square board, not {ground.width} by {ground.height}."
        return
    pairs: dict[frozenset[Tile], str] = {}
    for tile, letter in ground.tiles.items():
        there, due = ground.image(*tile), letter.translate(SWAPPED)
        if ground.at(*there) != due:
            pairs.setdefault(
                frozenset((tile, there)),
                f"{tile} is {letter}, so its image {there} must be {due}, not {ground.at(*there)}.",
            )
    named = list(pairs.values())
    yield from (("1.5", why) for why in named[:MAX_PAIRS])
    if len(named) > MAX_PAIRS:
        yield "1.5", f"More pairs of tiles that are not images of each other: {len(named) - MAX_PAIRS}."


def _portals(ground: Ground) -> Iterator[tuple[str, str]]:
    """1.6 Where portals may be, and how many on a lane."""
    if not ground.portals:
        yield "1.6", "The map has no portal."
    for x, y, first, _ in ground.portals:
        if first == "drawn" and ground.image(x, y) != (x, y):
            yield "1.6", f"The portal ({x}, {y}) is not its own image, so its first target cannot be drawn (letter w)."
    gates = {(gate.x, gate.y): gate for gate in ground.portals}
    for lane in ground.lanes:
        for x, y in lane[:NEAREST] + lane[-NEAREST:]:
            if (x, y) in gates:
                yield "1.6", f"The portal ({x}, {y}) stands on one of the two tiles of its lane next to a base."
        there = [gates[tile] for tile in lane if tile in gates]  # from red's side to blue's
        for i, (x, y, first, fixed) in enumerate(there):
            for other in there[i + 1 :]:
                apart = (fixed and first == "red") or (other.fixed and other.first == "blue")
                if not apart and not ground.facing:
                    where = f"({x}, {y}) and ({other.x}, {other.y})"
                    yield "1.6", f"The portals {where} of one lane can face each other; the map must say facing: yes."


def _houses(ground: Ground) -> Iterator[tuple[str, str]]:
    """1.7 A start house each."""
    for who, letter in zip(PLAYERS, "pq", strict=True):
        if ground.houses[who] is None:
            yield "1.7", f"{who.title()} has no start house (letter {letter})."


def house_places(ground: Ground) -> dict[str, Tile]:
    """1.7 Where start houses do the least: red's tile with the fewest path tiles (bases too) within four steps,
    then nearest its base, then topmost, then leftmost; blue's is the image, or found the same way if that is taken.
    """
    path = [tile for tile, letter in ground.tiles.items() if letter in PATH + "RB"]

    def steps(a: Tile, b: Tile) -> int:
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    def worth(tile: Tile, who: str) -> tuple[int, int, int, int]:
        near = sum(steps(tile, other) <= 4 for other in path)
        return near, steps(tile, ground.bases[who]), tile[1], tile[0]

    places: dict[str, Tile] = {}
    for who in PLAYERS:
        if who == "blue" and "red" in places and (there := ground.image(*places["red"])) in ground.territory[who]:
            places[who] = there
        elif ground.territory[who]:
            places[who] = min(ground.territory[who], key=lambda tile: worth(tile, who))
    return places
