"""Helpers for Monad: the map, distances, who is where, and orders. Needs nothing but Python.

    from monad import Board, move_order

    board = Board(message["setting"], message["seat"])  # once, from hello
    board.update(message["view"])  # each turn
    for tile in board.stacks(board.seat):
        for direction in board.towards(tile, (4, 7))[:1]:
            say(type="order", order=move_order(tile, direction, board.units(tile)))

A tile is a pair (x, y). Numbers in brackets are paragraphs of the rule book.
"""

from collections import deque
from typing import Any, Literal, NamedTuple

Tile = tuple[int, int]
Direction = Literal["up", "right", "down", "left"]

STEPS: dict[Direction, Tile] = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}  # (1.2)
# Where the block of a building lies, seen from its core (5.2).
BLOCKS: dict[Direction, Tile] = {"up": (1, -1), "right": (1, 1), "down": (-1, 1), "left": (-1, -1)}


class Building(NamedTuple):
    """A building, by its core."""

    owner: str
    direction: Direction
    points: int


class Board:
    """The whole board as it is now."""

    def __init__(self, setting: dict[str, Any], seat: str) -> None:
        self.setting, self.seat = setting, seat
        self.width, self.height = setting["width"], setting["height"]
        self.stock = 0  # mine
        self._start_ore: dict[Tile, int] = {
            (x, y): ore for y, row in enumerate(setting["ore"]) for x, ore in enumerate(row) if ore >= 0
        }
        self._ore = self._start_ore
        self._stacks: dict[Tile, tuple[str, int]] = {}
        self._buildings: dict[Tile, Building] = {}
        self._covered: set[Tile] = set()
        self._fields: dict[Tile, dict[Tile, int]] = {}

    def update(self, view: dict[str, Any]) -> None:
        """Reads the view of this turn."""
        self.stock = view["stock"][self.seat]
        self._ore = self._start_ore | {(ore["x"], ore["y"]): ore["left"] for ore in view["ore"]}
        self._stacks = {(stack["x"], stack["y"]): (stack["owner"], stack["units"]) for stack in view["stacks"]}
        self._buildings = {
            (b["x"], b["y"]): Building(b["owner"], b["direction"], b["points"]) for b in view["buildings"]
        }
        self._covered = {tile for core, b in self._buildings.items() for tile in block(core, b.direction)}

    # ---- the map

    def blocked(self, tile: Tile) -> bool:
        """Whether nobody can enter a tile: it is blocked (1.4) or not on the board."""
        return tile not in self._start_ore

    def neighbours(self, tile: Tile) -> dict[Direction, Tile]:
        """The tiles that a unit can enter from here, by direction (1.2, 4.1)."""
        x, y = tile
        near: dict[Direction, Tile] = {way: (x + dx, y + dy) for way, (dx, dy) in STEPS.items()}
        return {way: there for way, there in near.items() if not self.blocked(there)}

    def distance(self, start: Tile, target: Tile) -> int | None:
        """The number of moves from tile to tile, around blocked tiles; None if there is no way."""
        return self._field(target).get(start)

    def towards(self, start: Tile, target: Tile) -> list[Direction]:
        """Every direction that begins a shortest way; empty if there is none, or if you are there."""
        field = self._field(target)
        near = self.neighbours(start).items()
        return [way for way, there in near if start in field and field[there] == field[start] - 1]

    def _field(self, target: Tile) -> dict[Tile, int]:
        """The distance of every tile to the target, worked out once per target."""
        if target not in self._fields:
            field = {} if self.blocked(target) else {target: 0}
            queue = deque(field)
            while queue:
                tile = queue.popleft()
                for there in self.neighbours(tile).values():
                    if there not in field:
                        field[there] = field[tile] + 1
                        queue.append(there)
            self._fields[target] = field
        return self._fields[target]

    # ---- what is where

    def owner(self, tile: Tile) -> str | None:
        """Whose units stand on a tile."""
        return self._stacks[tile][0] if tile in self._stacks else None

    def units(self, tile: Tile) -> int:
        """How many units stand on a tile, whoever owns them."""
        return self._stacks[tile][1] if tile in self._stacks else 0

    def ore(self, tile: Tile) -> int:
        """How much ore is left on a tile."""
        return self._ore.get(tile, 0)

    def stacks(self, owner: str) -> list[Tile]:
        """The tiles with units of a player, in reading order."""
        return [tile for tile, stack in self._stacks.items() if stack[0] == owner]

    def building(self, tile: Tile) -> Building | None:
        """The building whose core is on this tile (5.1)."""
        return self._buildings.get(tile)

    def cores(self, owner: str) -> list[Tile]:
        """The cores of a player's buildings, in reading order."""
        return [core for core, building in self._buildings.items() if building.owner == owner]

    def covered(self, tile: Tile) -> bool:
        """Whether a tile is part of a building."""
        return tile in self._covered

    def sites(self, core: Tile) -> list[Direction]:
        """The directions in which a building has room here (5.3). Whether you can pay for it is another question."""
        return [way for way in BLOCKS if not any(self.blocked(t) or self.covered(t) for t in block(core, way))]


def block(core: Tile, direction: Direction) -> list[Tile]:
    """The four tiles of a building, the core first (5.2)."""
    (x, y), (dx, dy) = core, BLOCKS[direction]
    return [(x, y), (x + dx, y), (x, y + dy), (x + dx, y + dy)]


# ---- orders


def move_order(tile: Tile, direction: Direction, number: int) -> str:
    """Units go one step (4.1)."""
    return f"move {tile[0]},{tile[1]} {direction} {number}"


def build_order(tile: Tile, direction: Direction, number: int = 1) -> str:
    """Units found a building (5)."""
    return f"build {tile[0]},{tile[1]} {direction} {number}"


def work_order(tile: Tile, number: int) -> str:
    """Units work in your building; 5 count (6.1, 6.3)."""
    return f"work {tile[0]},{tile[1]} {number}"


def mine_order(tile: Tile, number: int) -> str:
    """Units mine, 1 ore each (7.1)."""
    return f"mine {tile[0]},{tile[1]} {number}"
