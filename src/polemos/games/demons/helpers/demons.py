"""Helpers for Demons: the map, lanes and ranges, what is where, and orders. Needs nothing but Python.

    from demons import Board, build_order

    board = Board(message["setting"], message["seat"])  # once, from hello
    board.update(message["view"])  # each turn
    if board.gold >= board.price("house"):
        say(type="order", order=build_order("house", board.sites()[0]))

A tile is a pair (x, y). Numbers in brackets are paragraphs of the rule book.
"""

from typing import Any, Literal, NamedTuple

Tile = tuple[int, int]
Compass = Literal["N", "E", "S", "W"]
Kind = Literal["house", "crossbow", "cannon", "minigun", "church"]  # church: only under the rules of the finals

STEPS: dict[Compass, Tile] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}  # (1.2)
_GROUND = {".": "abyss", "r": "red", "p": "red", "b": "blue", "q": "blue", "R": "base", "B": "base"}  # (1.1)


class Tower(NamedTuple):
    """A tower on a tile."""

    kind: Kind
    owner: str
    cooldown: int


class Unit(NamedTuple):
    """A unit on a tile: a mercenary and its owner, or a demon and its target."""

    kind: Literal["mercenary", "demon"]
    side: str
    health: int
    damage: int


class Board:
    """The board as it is now."""

    def __init__(self, setting: dict[str, Any], seat: str) -> None:
        self.setting, self.seat = setting, seat
        self.gold = 0  # mine
        self._rows: list[str] = setting["rows"]
        self._lanes: dict[Tile, tuple[int, int]] = {  # the lane of a tile, and its place there
            (x, y): (lane, place) for lane, tiles in enumerate(setting["lanes"]) for place, (x, y) in enumerate(tiles)
        }
        self._covers = {kind: {(dx, dy) for dx, dy in tiles} for kind, tiles in setting["guide"]["covers"].items()}
        self._prices: dict[str, int] = {}
        self._exits: dict[str, int] = {}
        self._towers: dict[Tile, Tower] = {}
        self._units: dict[Tile, Unit] = {}

    def update(self, view: dict[str, Any]) -> None:
        """Reads the view of this turn."""
        base = view["bases"][self.seat]
        self.gold, self._exits, self._prices = base["gold"], base["queued"], view["prices"][self.seat]
        self._towers = {(t["x"], t["y"]): Tower(t["kind"], t["owner"], t["cooldown"]) for t in view["towers"]}
        self._units = {
            (unit["x"], unit["y"]): Unit(unit["kind"], unit["side"], unit["health"], unit["damage"])
            for unit in view["units"]
        }

    # ---- the map

    def ground(self, tile: Tile) -> str:
        """What a square is: "red" or "blue" territory, "path", "base" or "abyss" (1.1)."""
        x, y = tile
        inside = 0 <= y < len(self._rows) and 0 <= x < len(self._rows[0])
        return _GROUND.get(self._rows[y][x], "path") if inside else "abyss"

    def neighbours(self, tile: Tile) -> dict[Compass, Tile]:
        """The tiles next to this one, by direction, without the abyss (1.2)."""
        x, y = tile
        near: dict[Compass, Tile] = {way: (x + dx, y + dy) for way, (dx, dy) in STEPS.items()}
        return {way: there for way, there in near.items() if self.ground(there) != "abyss"}

    def distance(self, a: Tile, b: Tile) -> int:
        """Squares along rows and columns, as the range of towers counts (8.3). For lanes see `lane_steps`."""
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    def reaches(self, kind: Kind, tower: Tile, target: Tile) -> bool:
        """Whether a tower of this kind on one tile has another in its range, under the rules of this match (8.3)."""
        return (target[0] - tower[0], target[1] - tower[1]) in self._covers.get(kind, ())

    def lane(self, tile: Tile) -> int | None:
        """The number of the lane on which a tile lies, as red counts them (1.8)."""
        return self._lanes[tile][0] if tile in self._lanes else None

    def lane_steps(self, tile: Tile, player: str) -> int | None:
        """The number of steps along the lane from a tile to a player's base (1.4)."""
        if tile not in self._lanes:
            return None
        lane, place = self._lanes[tile]
        return place + 1 if player == "red" else len(self.setting["lanes"][lane]) - place

    # ---- what is where

    def tower(self, tile: Tile) -> Tower | None:
        """The tower on a tile."""
        return self._towers.get(tile)

    def unit(self, tile: Tile) -> Unit | None:
        """The unit on a tile."""
        return self._units.get(tile)

    def towers(self, owner: str) -> list[Tile]:
        """The tiles with towers of a player."""
        return [tile for tile, tower in self._towers.items() if tower.owner == owner]

    def mercenaries(self, owner: str) -> list[Tile]:
        """The tiles with mercenaries of a player."""
        return [tile for tile, unit in self._units.items() if unit.kind == "mercenary" and unit.side == owner]

    def demons(self, target: str) -> list[Tile]:
        """The tiles with demons on their way to a player's base."""
        return [tile for tile, unit in self._units.items() if unit.kind == "demon" and unit.side == target]

    def sites(self) -> list[Tile]:
        """The tiles on which you can build: your territory without towers (3.3, 3.4), row by row."""
        tiles = ((x, y) for y, row in enumerate(self._rows) for x in range(len(row)))
        return [tile for tile in tiles if self.ground(tile) == self.seat and tile not in self._towers]

    def exits(self) -> list[Compass]:
        """The directions in which you can send mercenaries (4.2)."""
        return [way for way in STEPS if way in self._exits]

    def price(self, kind: Kind) -> int:
        """What a tower costs you now (8.1, 11.4)."""
        return self._prices[kind]


# ---- orders


def build_order(kind: Kind, tile: Tile) -> str:
    """Builds a tower (3.2)."""
    return f"build {kind} {tile[0]},{tile[1]}"


def destroy_order(tile: Tile) -> str:
    """Destroys one of your towers (3.7)."""
    return f"destroy {tile[0]},{tile[1]}"


def hire_order(direction: Compass) -> str:
    """Hires a mercenary and sends it this way (4.1)."""
    return f"hire {direction}"


def provoke_order() -> str:
    """Provokes the demons, under the rules of the finals (11.10)."""
    return "provoke"
