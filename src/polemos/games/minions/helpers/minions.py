"""Helpers for Minions: the maps, distances, what is where, and orders. Needs nothing but Python.

    from minions import Board, move_order

    board = Board(message["setting"], message["seat"])  # once, from hello
    board.update(message["view"])  # each turn, and whenever an update has a view
    for hex in board.units(1, board.seat):
        for target in board.moves(1, hex)[:1]:
            say(type="order", order=move_order(1, hex, target))

Boards are numbered from 1. A hex is its name, such as "c2". Numbers in brackets are paragraphs of the rule book.
"""

from collections import deque
from typing import Any, Literal, NamedTuple

Side = Literal["yellow", "blue"]

_STEPS = ((-1, 0), (1, 0), (0, 1), (-1, 1), (0, -1), (1, -1))  # (1.2)
_GROUND = {"G": "graveyard", "W": "water"}
_HEXES = [f"{file}{rank}" for rank in range(10) for file in "abcdefghij"]


class Unit(NamedTuple):
    """A unit on a board, with the figures of its type (3.1)."""

    side: Side
    type: str
    letter: str  # N for necromancers
    damage: int
    speed: int
    range: int
    flying: bool
    spawn: bool  # units are spawned next to it
    fresh: bool  # was spawned this turn
    done: bool  # has moved, has attacked or was spawned this turn, so it cannot move


class Board:
    """All boards of the match as they are now."""

    def __init__(self, setting: dict[str, Any], seat: str) -> None:
        self.setting, self.seat = setting, seat
        self._grounds = [dict(zip(_HEXES, _read(rows), strict=True)) for rows in setting["maps"]]
        self._types = {(facts["name"], False): facts for facts in setting["units"]}
        self._types |= {(facts["name"], True): facts for facts in setting["necromancers"]}
        self._view: dict[str, Any] = {}
        self._units: list[dict[str, Unit]] = []

    def update(self, view: dict[str, Any]) -> None:
        """Reads the view of this turn."""
        self._view = view
        self._units = [{unit["hex"]: self._unit(unit) for unit in board["units"]} for board in view["boards"]]

    def _unit(self, unit: dict[str, Any]) -> Unit:
        facts = self._types[unit["type"], unit["letter"] == "N"]
        fresh: bool = unit.get("fresh", False)
        done = fresh or unit.get("moved", False) or unit.get("used", 0) > 0
        figures = facts["speed"], facts["range"], "Flying" in facts["keywords"], "Spawn" in facts["keywords"]
        return Unit(unit["side"], unit["type"], unit["letter"], unit.get("damage", 0), *figures, fresh, done)

    # ---- the map

    def ground(self, board: int, hex: str) -> str:
        """What a hex is: "plain", "graveyard" or "water" (1.4)."""
        return self._grounds[board - 1][hex]

    def graveyards(self, board: int) -> list[str]:
        """The graveyards of a board, rank by rank."""
        return [hex for hex, ground in self._grounds[board - 1].items() if ground == "graveyard"]

    def neighbours(self, hex: str) -> list[str]:
        """The hexes next to this one (1.2)."""
        x, y = _point(hex)
        return [_HEXES[10 * (y + dy) + x + dx] for dx, dy in _STEPS if 0 <= x + dx < 10 and 0 <= y + dy < 10]

    def distance(self, a: str, b: str) -> int:
        """The distance between two hexes, whatever lies between them (1.3)."""
        (ax, ay), (bx, by) = _point(a), _point(b)
        return max(abs(ax - bx), abs(ay - by), abs(ax - bx + ay - by))

    def walk(self, board: int, start: str, target: str) -> int | None:
        """The steps of the unit on `start` to another hex, around water and enemies, or over them if it flies.

        None if there is no way. Its speed does not count here, and friends never block (5.9, 7.1).
        """
        return self._walks(board, start).get(target)

    def moves(self, board: int, hex: str) -> list[str]:
        """The empty hexes to which the unit on `hex` can move now, rank by rank (5)."""
        unit, there = self.unit(board, hex), self._view["boards"][board - 1]
        barred = there.get("due") or there.get("closed") or there.get("resigned") or there["state"] == "reset+0"
        if unit is None or unit.done or barred or unit.side != self._view["side"]:
            return []
        walks, taken = self._walks(board, hex), self._units[board - 1]
        return [to for to in _HEXES if to not in taken and walks.get(to, 99) <= unit.speed]

    def _walks(self, board: int, start: str) -> dict[str, int]:
        unit = self.unit(board, start)
        if unit is None:
            return {}
        if unit.flying:
            return {hex: self.distance(start, hex) for hex in _HEXES}
        found, queue, units = {start: 0}, deque([start]), self._units[board - 1]
        while queue:
            here = queue.popleft()
            for hex in self.neighbours(here):
                enemy = hex in units and units[hex].side != unit.side
                if hex not in found and not enemy and self.ground(board, hex) != "water":
                    found[hex] = found[here] + 1
                    queue.append(hex)
        return found

    # ---- what is where

    def state(self, board: int) -> str:
        """The state of a board: "turn1", "normal", "reset+0", "reset+1" or "reset+2" (10.1)."""
        state: str = self._view["boards"][board - 1]["state"]
        return state

    def unit(self, board: int, hex: str) -> Unit | None:
        """The unit on a hex."""
        return self._units[board - 1].get(hex)

    def units(self, board: int, side: Side | str) -> list[str]:
        """The hexes with units of a side, rank by rank."""
        return [hex for hex, unit in self._units[board - 1].items() if unit.side == side]

    def targets(self, board: int, hex: str) -> list[str]:
        """The hexes with enemies in range of the unit on `hex` (6.2)."""
        unit = self.unit(board, hex)
        enemies = {} if unit is None else {at: e for at, e in self._units[board - 1].items() if e.side != unit.side}
        return [there for there in enemies if unit is not None and self.distance(hex, there) <= unit.range]

    def spawns(self, board: int, type: str) -> list[str]:
        """The hexes on which you can spawn a unit of a type, rank by rank (9.5 to 9.8).

        Whether you have such a unit, and a spawn phase on this board, is another question.
        """
        units, flying = self._units[board - 1], "Flying" in self._types[type, False]["keywords"]
        own = [hex for hex, unit in units.items() if unit.side == self.seat and unit.spawn and not unit.fresh]
        near = {there for hex in own for there in self.neighbours(hex)} - units.keys()
        return [hex for hex in _HEXES if hex in near and (flying or self.ground(board, hex) != "water")]

    def in_zone(self, board: int, side: Side | str, type: str) -> int:
        """How many units of a type, such as "Zombie", wait in a side's zone (2.4)."""
        waiting: int = self._view["boards"][board - 1]["zones"][side].get(type, 0)
        return waiting

    def money(self, side: Side | str) -> int:
        """What a side has in its purse (2.5)."""
        money: int = self._view["money"][side]
        return money


def _read(rows: str) -> list[str]:
    """The 100 hexes of a map (15.1)."""
    found = []
    for sign in rows.replace("/", ""):
        found += [_GROUND[sign]] if sign in _GROUND else ["plain"] * (int(sign) or 10)
    return found


def _point(hex: str) -> tuple[int, int]:
    return ord(hex[0]) - ord("a"), int(hex[1])


# ---- orders


def move_order(board: int, start: str, target: str) -> str:
    """Moves one unit (5)."""
    return f"{board} move {start}-{target}"


def tick_order(board: int, moves: list[tuple[str, str]]) -> str:
    """Moves several units at once, so that they can change places (5.10)."""
    return f"{board} tick {' '.join(f'{start}-{target}' for start, target in moves)}"


def attack_order(board: int, start: str, target: str) -> str:
    """The unit on one hex attacks the one on another (6)."""
    return f"{board} attack {start}-{target}"


def buy_order(board: int, unit: str) -> str:
    """Buys a unit, named by its letter or its name (9.3)."""
    return f"{board} buy {unit}"


def spawn_order(board: int, unit: str, hex: str) -> str:
    """Spawns a unit of the zone (9.4)."""
    return f"{board} spawn {unit} {hex}"


def choose_order(board: int, necromancer: str, keep: str) -> str:
    """Chooses a necromancer and the unit of the zone to keep (10.7, 10.10)."""
    return f"{board} choose {necromancer} keep {keep}"


def resign_order(board: int) -> str:
    """Gives up a board (13.1)."""
    return f"{board} resign"


def march_order() -> str:
    """Puts a spell under the first card where you have none (8.4)."""
    return "march"


def tech_order(card: int) -> str:
    """Puts a second spell under a card; places count from 1 (8.5)."""
    return f"tech {card}"


def end_order() -> str:
    """Ends the turn (4.8)."""
    return "end"
