"""Random maps (10.2), the same for the same seed on every machine: whole numbers and hashes, nothing else.

Ore and blocked tiles are drawn for orbits, that is for a tile together with all its images, so a map cannot but be
symmetric (1.6). The lie of the land comes from smooth noise; its tiles are ranked, and ranks become ore.

Three players (1.5) cannot be treated alike on a grid of squares, for no symmetry of it takes three tiles round. Their
starts are as far apart as they can be, and as equally: on 20 x 20 all three pairs are 22 steps apart, and no three
tiles one step in from the edge can do better. Walls leave these distances as they are. Each player finds the same ore
at every number of steps from the start, as far as all three have tiles there to which they are nearest. What stays
unequal is room: on an open 20 x 20 red, at the corner, is nearest to 101 tiles, blue to 136 and green to 134 (the
other 29 are as near to two), so red's ore lies denser and its borders are shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from heapq import heappop, heappush
from typing import Final, NamedTuple

from polemos.games.monad import layout
from polemos.games.monad.ground import Ground, Tile
from polemos.games.monad.layout import FITTING, STEPS
from polemos.games.monad.state import BLOCKED, MAX_SIDE, MIN_SIDE
from polemos.kernel.dice import derive, number
from polemos.kernel.errors import BadOptions

Orbit = tuple[Tile, ...]
Field = list[int]  # a number for each orbit, in their order

CHARACTERS: Final = ("even", "rich", "veins", "islands", "mixed")
OBSTACLES: Final = {"none": 0, "few": 5, "many": 13}  # blocked tiles in a hundred, about
RICHEST: Final = 50  # 1.3 on our maps
NEAR: Final = 3  # steps from a start
MIN_NEAR: Final = 150  # ore so near: enough for a second building, and some to spare
DENSEST: Final = 38  # ore a tile where three players are made level, so that no realm is a plain of 50s
SMALL: Final = 8  # tiles; a smaller part that is walled in is filled up, a larger one is opened
DRAFTS: Final = 8  # of walls for three players

_FINE: Final = 1 << 16  # noise is a whole number below this


class _Board(NamedTuple):
    """What a map is drawn on."""

    key: str  # all chance of the map
    symmetry: str
    width: int
    height: int
    starts: tuple[Tile, ...]
    orbits: tuple[Orbit, ...]  # in reading order of their first tiles

    def chance(self, *purpose: object) -> int:
        return number(self.key, *purpose)

    def orbit(self, tile: Tile) -> Orbit:
        return layout.orbit(self.symmetry, self.width, self.height, tile)


def generate(
    seed: object,
    *,
    seats: int = 2,
    width: int = 20,
    height: int = 20,
    symmetry: str = "half-turn",
    obstacles: str = "none",
    character: str = "mixed",
) -> Ground:
    """A random map that breaks no rule of layout. Three and four players have one symmetry each, said or not."""
    symmetry = _fitting(seats, width, height, symmetry)
    _known("obstacles", obstacles, tuple(OBSTACLES), "1.4")
    _known("character", character, CHARACTERS, "1.3")
    key = derive(seed, "monad map", seats, width, height, symmetry, obstacles, character)
    board = _Board(
        key, symmetry, width, height, _starts(seats, width, height, symmetry), _orbits(symmetry, width, height)
    )
    blocked = _walls(board, OBSTACLES[obstacles])
    ore = _ore(board, character, blocked)
    rows = tuple(tuple(ore.get((x, y), BLOCKED) for x in range(width)) for y in range(height))
    return Ground(f"random {width}x{height} {key[:4]}", symmetry, board.starts, rows)


def _fitting(seats: int, width: int, height: int, symmetry: str) -> str:
    """1.6 The symmetry to be used; `half-turn`, which is what is not said, stands for the only one there is."""
    if seats not in FITTING:
        raise BadOptions(f"{str(seats)[:20]!r} players can't play; two to four can.", rule="1.5")
    for side in (width, height):
        if not MIN_SIDE <= side <= MAX_SIDE:
            raise BadOptions(f"A map must be {MIN_SIDE} to {MAX_SIDE} tiles wide and high, not {side}.", rule="1.1")
    if symmetry == "half-turn":
        symmetry = FITTING[seats][0]
    _known(f"symmetry for {seats} players", symmetry, FITTING[seats], "1.6")
    if symmetry == "quarter-turn" and width != height:
        raise BadOptions(f"Four players need a square board, not {width} by {height}.", rule="1.6")
    return symmetry


def _known(what: str, word: str, words: Sequence[str], rule: str) -> None:
    if word not in words:
        raise BadOptions(f"{str(word)[:20]!r} is not a {what}. Choose one of {', '.join(words)}.", rule=rule)


@cache
def _orbits(symmetry: str, width: int, height: int) -> tuple[Orbit, ...]:
    seen: set[Tile] = set()
    orbits: list[Orbit] = []
    for tile in ((x, y) for y in range(height) for x in range(width)):
        if tile not in seen:
            orbits.append(layout.orbit(symmetry, width, height, tile))
            seen.update(orbits[-1])
    return tuple(orbits)


# ---- starts


def _starts(seats: int, width: int, height: int, symmetry: str) -> tuple[Tile, ...]:
    """10.3 One tile in from the corners."""
    return _triad(width, height) if seats == 3 else layout.orbit(symmetry, width, height, (1, 1))


@cache
def _triad(width: int, height: int) -> tuple[Tile, ...]:
    """1.5 Near the top left corner, one tile in from the right edge, and from the bottom: the pair that is nearest as
    far apart as can be, then all pairs as alike, then the tiles to which each is nearest as many."""
    right, bottom = width - 2, height - 2
    found: dict[tuple[int, int], list[tuple[Tile, ...]]] = {}
    for red in ((x, y) for y in (1, 2, 3) for x in (1, 2, 3)):
        for blue in ((right, y) for y in range(1, height - 1)):
            for green in ((x, bottom) for x in range(1, width - 1)):
                apart = _apart(red, blue), _apart(blue, green), _apart(green, red)
                found.setdefault((min(apart), -max(apart)), []).append((red, blue, green))
    return min(found[max(found)], key=lambda starts: (_imbalance(width, height, starts), starts))


def _imbalance(width: int, height: int, starts: tuple[Tile, ...]) -> int:
    """By how many tiles the largest realm is larger than the smallest, on an open board."""
    sizes = [0] * len(starts)
    for tile in ((x, y) for y in range(height) for x in range(width)):
        steps = [_apart(tile, start) for start in starts]
        if steps.count(min(steps)) == 1:
            sizes[steps.index(min(steps))] += 1
    return max(sizes) - min(sizes)


def _apart(a: Tile, b: Tile) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


# ---- the lie of the land


def _smooth(board: _Board, what: str, step: int) -> Field:
    """Hills and hollows about `step` tiles wide. Images are added up, so nothing breaks where halves meet."""
    nodes: dict[Tile, int] = {}

    def node(i: int, j: int) -> int:
        if (i, j) not in nodes:
            nodes[i, j] = board.chance(what, i, j) % _FINE
        return nodes[i, j]

    def height(x: int, y: int) -> int:
        (i, right), (j, down) = divmod(x, step), divmod(y, step)
        top = node(i, j) * (step - right) + node(i + 1, j) * right
        bottom = node(i, j + 1) * (step - right) + node(i + 1, j + 1) * right
        return top * (step - down) + bottom * down

    return [sum(height(x, y) for x, y in orbit) * (4 // len(orbit)) for orbit in board.orbits]


def _ranks(field: Field) -> Field:
    """For each number, how many in a thousand are smaller; equal ones are ranked as they come."""
    ranks = [0] * len(field)
    for place, i in enumerate(sorted(range(len(field)), key=lambda i: (field[i], i))):
        ranks[i] = place * 1000 // len(field)
    return ranks


def _spread(board: _Board, what: str, most: int) -> Field:
    """Any number from 0 to `most`, for each orbit on its own."""
    return [board.chance(what, *orbit[0]) % (most + 1) for orbit in board.orbits]


# ---- ore


def _even(board: _Board) -> Field:
    """Anything anywhere."""
    return _spread(board, "even", RICHEST)


def _rich(board: _Board) -> Field:
    """Wide fields of 30 to 50, and middling ground between them."""
    ranks, loose = _ranks(_smooth(board, "rich", 4)), _spread(board, "rich loose", 4)
    return [
        more + (12 + rank * 14 // 350 if rank < 350 else 30 + (rank - 350) * 17 // 650)
        for rank, more in zip(ranks, loose, strict=True)
    ]


def _veins(board: _Board) -> Field:
    """Winding bands of high ore along a contour of the land, through poor ground."""
    land = _smooth(board, "veins", 5)
    middle = sorted(land)[len(land) // 2]
    ranks, loose = _ranks([abs(height - middle) for height in land]), _spread(board, "veins loose", 9)
    return [
        RICHEST - rank * 12 // 220 - more // 2 if rank < 220 else more for rank, more in zip(ranks, loose, strict=True)
    ]


def _islands(board: _Board) -> Field:
    """A few dense clumps with a thin shore, and next to nothing elsewhere."""
    ranks, loose = _ranks(_smooth(board, "islands", 5)), _spread(board, "islands loose", 4)
    kinds = [RICHEST - 4 - (999 - rank) * 16 // 160 if rank >= 840 else 10 if rank >= 760 else 0 for rank in ranks]
    return [kind + more for kind, more in zip(kinds, loose, strict=True)]


_PURE: Final[dict[str, Callable[[_Board], Field]]] = {
    "even": _even,
    "rich": _rich,
    "veins": _veins,
    "islands": _islands,
}


def _mixed(board: _Board) -> Field:
    """Now one character alone, now two that share the board by regions."""
    words = list(_PURE)
    first = words.pop(board.chance("first") % len(words))
    if board.chance("pure") % 3 == 0:
        return _PURE[first](board)
    second = words[board.chance("second") % len(words)]
    regions = _ranks(_smooth(board, "regions", 7))
    pairs = zip(regions, _PURE[first](board), _PURE[second](board), strict=True)
    return [one if region < 500 else other for region, one, other in pairs]


def _ore(board: _Board, character: str, blocked: set[Tile]) -> dict[Tile, int]:
    """1.3 The ore of all tiles that are not blocked."""
    field = _mixed(board) if character == "mixed" else _PURE[character](board)
    ore = {
        tile: amount for orbit, amount in zip(board.orbits, field, strict=True) for tile in orbit if tile not in blocked
    }
    _lift(board, ore)
    if len(board.starts) == 3:
        _level(board, ore)
        _lift(board, ore)  # on the smallest boards levelling can take from the little there is
    return ore


def _lift(board: _Board, ore: dict[Tile, int]) -> None:
    """Enough ore near each start for a second building; what is added somewhere is added to all images."""
    for start in board.starts:
        near = [tile for tile, steps in layout.walks(ore, start).items() if steps <= NEAR]
        while sum(ore[tile] for tile in near) < MIN_NEAR:
            for tile in near:
                more = 1 + board.chance("lift", *board.orbit(tile)[0]) % 4
                ore.update(dict.fromkeys(board.orbit(tile), min(RICHEST, ore[tile] + more)))


def _level(board: _Board, ore: dict[Tile, int]) -> None:
    """1.5 As much ore for each of three players at each number of steps, as far as all are nearest to some tiles."""
    realms = layout.realms(ore, board.starts)
    for steps, rings in enumerate(zip(*realms, strict=False)):
        sums = [sum(ore[tile] for tile in ring) for ring in rings]
        densest = RICHEST if steps <= NEAR else DENSEST
        wanted = min(sum(sums) // len(sums), densest * min(map(len, rings)))
        for ring, there in zip(rings, sums, strict=True):
            for tile in ring:  # in proportion first, so that rich tiles stay rich and poor ones poor
                ore[tile] = min(RICHEST, ore[tile] * wanted // max(1, there))
            _shift(ore, ring, wanted - sum(ore[tile] for tile in ring))


def _shift(ore: dict[Tile, int], tiles: Sequence[Tile], more: int) -> None:
    """Some more ore or less on these tiles altogether, spread evenly; there must be room for it."""
    step = 1 if more > 0 else -1
    while more:
        for tile in tiles:
            if more and 0 <= ore[tile] + step <= RICHEST:
                ore[tile] += step
                more -= step


# ---- blocked tiles


def _walls(board: _Board, share: int) -> set[Tile]:
    """1.4 The blocked tiles; for three players those of several drafts that leave them the most equal realms."""
    drafts = DRAFTS if len(board.starts) == 3 and share else 1
    found = [_blocked(board._replace(key=derive(board.key, "walls", draft)), share) for draft in range(drafts)]
    return found[0] if drafts == 1 else min(found, key=lambda blocked: _inequality(board, blocked))


def _inequality(board: _Board, blocked: set[Tile]) -> int:
    """By how many tiles the largest realm is larger than the smallest."""
    free = {tile for orbit in board.orbits for tile in orbit} - blocked
    sizes = [sum(map(len, realm)) for realm in layout.realms(free, board.starts)]
    return max(sizes) - min(sizes)


def _blocked(board: _Board, share: int) -> set[Tile]:
    """Clumps and walls that cut nobody off and leave every start its neighbourhood."""
    blocked: set[Tile] = set()
    kept = {(x + i, y + j) for x, y in board.starts for i in (-1, 0, 1) for j in (-1, 0, 1)}
    clump = 0
    while len(blocked) * 100 < board.width * board.height * share and clump < board.width * board.height:
        for tile in _clump(board, clump):
            orbit = board.orbit(tile)
            if not kept.intersection(orbit):
                blocked.update(orbit)
        clump += 1
    if blocked:
        _open_starts(board, blocked)
        _open_rest(board, blocked)
    return blocked


def _clump(board: _Board, which: int) -> Iterable[Tile]:
    """A crooked row of tiles, that goes straight on more often than not."""
    x, y = board.orbits[board.chance("clump", which) % len(board.orbits)][0]
    steps = list(STEPS.values())
    way = board.chance("way", which) % 4
    for i in range(1 + board.chance("length", which) % 6):
        if 0 <= x < board.width and 0 <= y < board.height:
            yield x, y
        way = (way + (0, 0, 0, 1, 3)[board.chance("turn", which, i) % 5]) % 4
        x, y = x + steps[way][0], y + steps[way][1]


def _open_starts(board: _Board, blocked: set[Tile]) -> None:
    """1.6 A way from every start to every other; for three players a shortest one, so that none is farther off."""
    shortest = board.symmetry == "none"
    for i, start in enumerate(board.starts):
        for other in board.starts[i + 1 :]:
            _open(board, blocked, start, {other}, 1000 if shortest else 1, 1 if shortest else 1000)


def _open_rest(board: _Board, blocked: set[Tile]) -> None:
    """Parts that are walled in: large ones are opened, small ones filled up."""
    tiles = {tile for orbit in board.orbits for tile in orbit}
    while True:
        rest = tiles - blocked - layout.walks(tiles - blocked, board.starts[0]).keys()
        part = _largest(rest)
        if len(part) <= SMALL:
            blocked.update(rest)
            return
        _open(board, blocked, board.starts[0], part, 1, 1000)


def _largest(tiles: set[Tile]) -> set[Tile]:
    """The largest part of these tiles that hangs together."""
    rest, largest = {*tiles}, set[Tile]()
    while rest:
        part = {*layout.walks(rest, min(rest))}
        rest -= part
        largest = max(largest, part, key=len)
    return largest


def _open(board: _Board, blocked: set[Tile], start: Tile, ends: set[Tile], step: int, wall: int) -> None:
    """Take away what is blocked on the cheapest way, where a step costs `step` and a blocked tile `wall` besides."""
    heap: list[tuple[int, Tile, Tile]] = [(0, start, start)]
    came: dict[Tile, Tile] = {}
    while heap:
        cost, tile, before = heappop(heap)
        if tile in came:
            continue
        came[tile] = before
        if tile in ends:
            break
        for dx, dy in STEPS.values():
            there = tile[0] + dx, tile[1] + dy
            if there not in came and 0 <= there[0] < board.width and 0 <= there[1] < board.height:
                heappush(heap, (cost + step + wall * (there in blocked), there, tile))
    tile = next(tile for tile in came if tile in ends)
    while tile != start:
        blocked.difference_update(board.orbit(tile))
        tile = came[tile]
