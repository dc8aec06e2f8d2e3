"""The rules of layout (1.1 to 1.7): what a symmetry does to tiles, and which maps are fair.

`ground.flaws` names what keeps a map from being played at all, `faults` also what is unfair; both name everything.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Final

from polemos.games.monad.ground import BadMap, Ground, Tile, flaws
from polemos.games.monad.state import BLOCKED, SEATS, SYMMETRIES

STEPS: Final = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}  # 1.2
ACROSS: Final = {"right": (1, 1), "down": (-1, 1), "left": (-1, -1), "up": (1, -1)}  # 5.2, from the core
FITTING: Final = {2: ("half-turn", "mirror-x", "mirror-y"), 3: ("none",), 4: ("quarter-turn",)}  # 1.6, by seats


# ---- vocabulary


def image(symmetry: str, width: int, height: int, tile: Tile) -> Tile:
    """1.6 Where a symmetry takes a tile: to what it is for the next seat. `none` leaves it where it is."""
    x, y = tile
    if symmetry not in SYMMETRIES:
        raise BadMap(f"{symmetry[:20]!r} is not a symmetry. Choose one of {', '.join(SYMMETRIES)}.", rule="1.6")
    if symmetry == "none":
        return tile
    if symmetry == "quarter-turn":
        if width != height:
            raise BadMap(f"A quarter turn needs a square board, not {width} by {height}.", rule="1.6")
        return height - 1 - y, x
    return x if symmetry == "mirror-y" else width - 1 - x, y if symmetry == "mirror-x" else height - 1 - y


def orbit(symmetry: str, width: int, height: int, tile: Tile) -> tuple[Tile, ...]:
    """1.6 A tile and all its images, each once."""
    tiles = [tile]
    while (there := image(symmetry, width, height, tiles[-1])) != tile:
        tiles.append(there)
    return tuple(tiles)


def free_tiles(ground: Ground) -> set[Tile]:
    """1.4 The tiles on which a unit can stand."""
    return {(x, y) for y, row in enumerate(ground.rows) for x, ore in enumerate(row) if ore != BLOCKED}


def walks(free: Container[Tile], start: Tile) -> dict[Tile, int]:
    """4.1 How many steps each tile is from a start, nearest first; tiles that cannot be reached are missing."""
    found = {start: 0}
    for tile in (queue := [start]):
        for dx, dy in STEPS.values():
            there = tile[0] + dx, tile[1] + dy
            if there in free and there not in found:
                found[there] = found[tile] + 1
                queue.append(there)
    return found


def block(core: Tile, direction: str) -> tuple[Tile, ...]:
    """5.2 The four tiles of a building, its core first."""
    (x, y), (dx, dy) = core, ACROSS[direction]
    return (x, y), (x + dx, y), (x, y + dy), (x + dx, y + dy)


def blocks(tile: Tile) -> tuple[frozenset[Tile], ...]:
    """5.2 The four blocks of 2 x 2 tiles that contain a tile."""
    return tuple(frozenset(block(tile, direction)) for direction in ACROSS)


def realms(free: Container[Tile], starts: Sequence[Tile]) -> list[list[list[Tile]]]:
    """For each start the tiles that are nearer to it than to any other, by their steps: realms(..)[seat][steps]."""
    ways = [walks(free, start) for start in starts]
    found: list[list[list[Tile]]] = [[] for _ in starts]
    for seat, way in enumerate(ways):
        for tile, steps in way.items():  # nearest first
            if all(other is way or other.get(tile, steps + 1) > steps for other in ways):
                found[seat].extend([] for _ in range(len(found[seat]), steps + 1))
                found[seat][steps].append(tile)
    return found


# ---- what must hold for a match to be fair


def faults(ground: Ground) -> list[tuple[str, str]]:
    """1.1 to 1.7 Every broken rule of layout: its paragraph, and a sentence."""
    found = [(flaw.rule, flaw.why) for flaw in flaws(ground)]
    if not ground.rows or any(len(row) != ground.width for row in ground.rows):
        return found  # nothing more can be said of what is no rectangle
    return [*found, *_symmetry(ground), *_ways(ground), *_room(ground)]


def _symmetry(ground: Ground) -> Iterator[tuple[str, str]]:
    """1.6 The symmetry fits the number of players, and everything maps onto itself."""
    fitting = FITTING.get(ground.seats, ())
    if fitting and ground.symmetry not in fitting:
        yield "1.6", f"A map for {ground.seats} players must be {' or '.join(fitting)}, not {ground.symmetry[:20]}."
    if ground.symmetry not in SYMMETRIES:
        return  # a flaw that was named already
    if ground.symmetry == "quarter-turn" and ground.width != ground.height:
        yield "1.6", f"A quarter turn needs a square board, not {ground.width} by {ground.height}."
        return
    yield from _unlike(ground)
    yield from _start_order(ground)


def _unlike(ground: Ground) -> Iterator[tuple[str, str]]:
    """1.6 Tiles that are not like their images: how many, and the first."""
    amiss: list[tuple[Tile, Tile]] = []
    for y, row in enumerate(ground.rows):
        for x, ore in enumerate(row):
            there = image(ground.symmetry, ground.width, ground.height, (x, y))
            if ground.rows[there[1]][there[0]] != ore:
                amiss.append(((x, y), there))
    if amiss:
        (x, y), (to_x, to_y) = amiss[0]
        is_, other = _said(ground.rows[y][x]), _said(ground.rows[to_y][to_x])
        why = f"{x},{y} {is_}, its image {to_x},{to_y} {other}; by {ground.symmetry} they must be alike."
        yield "1.6", why + (f" Tiles besides this: {len(amiss) - 1}." if len(amiss) > 1 else "")


def _said(ore: int) -> str:
    return "is blocked" if ore == BLOCKED else f"holds {ore}"


def _start_order(ground: Ground) -> Iterator[tuple[str, str]]:
    """1.6 Each start maps onto the next seat's."""
    if ground.symmetry == "none":
        return
    for i, start in enumerate(ground.starts[: len(SEATS)]):
        after = (i + 1) % ground.seats
        x, y = image(ground.symmetry, ground.width, ground.height, start)
        if ground.starts[after] != (x, y):
            to_x, to_y = ground.starts[after]
            why = f"{SEATS[i].title()} starts on {start[0]},{start[1]}, so {_seat(after)} must start on {x},{y}"
            yield "1.6", f"{why}, not on {to_x},{to_y}."


def _seat(seat: int) -> str:
    return SEATS[seat] if seat < len(SEATS) else f"player {seat + 1}"


def _ways(ground: Ground) -> Iterator[tuple[str, str]]:
    """1.6 Every start reaches every other."""
    free = free_tiles(ground)
    starts = [start for start in ground.starts if start in free]
    reached = walks(free, starts[0]) if starts else {}
    for x, y in starts:
        if (x, y) not in reached:
            yield "1.6", f"There is no way from the start {starts[0][0]},{starts[0][1]} to {x},{y}."


def _room(ground: Ground) -> Iterator[tuple[str, str]]:
    """1.7, 5.1 Each start has room for a first building whose core it is."""
    free = free_tiles(ground)
    for x, y in ground.starts:
        if (x, y) in free and not any(block <= free for block in blocks((x, y))):
            yield "1.7", f"The start {x},{y} has no room for a building: none of its blocks of 2 x 2 tiles is free."
