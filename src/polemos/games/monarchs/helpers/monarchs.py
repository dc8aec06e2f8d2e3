"""Helpers for Monarchs: the map, distances, who is where, and orders. Needs nothing but Python.

    from monarchs import Board, march_order

    board = Board(message["setting"], message["seat"])  # once, from hello
    board.update(message["view"])  # each turn
    for hex in board.armies(board.seat):
        for target in board.towards(hex, board.centre)[:1]:
            say(type="order", order=march_order(hex, target, board.regiments(hex)))

A hex is its name, such as "G5". Numbers in brackets are paragraphs of the rule book.
"""

from typing import Any


class Board:
    """The board as far as it is in sight."""

    def __init__(self, setting: dict[str, Any], seat: str) -> None:
        self.setting, self.seat = setting, seat
        self.centre: str = setting["centre"]
        self._seen: dict[str, dict[str, Any]] = {}

    def update(self, view: dict[str, Any]) -> None:
        """Reads the view of this turn."""
        self._seen = view["hexes"]

    # ---- the map

    def hexes(self) -> list[str]:
        """All 61 hexes, row by row from the top (1.1)."""
        return list(self.setting["hexes"])

    def neighbours(self, hex: str) -> list[str]:
        """The hexes next to this one (1.2)."""
        return list(self.setting["hexes"][hex])

    def base(self, nation: str) -> str:
        """The home base of a nation (1.3)."""
        base: str = self.setting["bases"][nation]
        return base

    def distance(self, a: str, b: str) -> int:
        """The number of steps between two hexes (1.2). Nothing is in the way of an army."""
        columns, rows = abs(ord(a[0]) - ord(b[0])), abs(int(a[1]) - int(b[1]))
        return rows + max(0, columns - rows) // 2

    def towards(self, start: str, target: str) -> list[str]:
        """The neighbours that are one step nearer to the target; empty if you are there."""
        nearer = self.distance(start, target) - 1
        return [hex for hex in self.neighbours(start) if self.distance(hex, target) == nearer]

    # ---- what is where

    def seen(self, hex: str) -> bool:
        """Whether a hex is in sight (9.1)."""
        return hex in self._seen

    def owner(self, hex: str) -> str | None:
        """The owner of a hex; None if it is unclaimed or out of sight."""
        return self._seen[hex]["owner"] if hex in self._seen else None

    def regiments(self, hex: str) -> int:
        """The regiments on a hex, all of its owner; 0 if it is out of sight."""
        return self._seen[hex]["regiments"] if hex in self._seen else 0

    def land(self, nation: str) -> list[str]:
        """The hexes in sight that a nation owns."""
        return [hex for hex in self._seen if self.owner(hex) == nation]

    def armies(self, nation: str) -> list[str]:
        """The hexes in sight with regiments of a nation."""
        return [hex for hex in self.land(nation) if self.regiments(hex) > 0]


# ---- orders


def march_order(start: str, target: str, number: int) -> str:
    """Regiments go to a neighbouring hex (3.2)."""
    return f"{start}-{target} {number}"


def bless_order(hex: str) -> str:
    """Your army fights better on this hex, this turn (3.7)."""
    return f"bless {hex}"
