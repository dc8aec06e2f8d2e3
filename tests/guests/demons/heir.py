"""A guest that builds five crossbows, each on the free tile of its own next to most path tiles, and dies."""

from __future__ import annotations

import json
import sys

colour = "r" if input() == "--YOU ARE RED--" else "b"


def answer() -> str:
    state = json.loads(input())
    input()
    floor, grid = state["FloorTiles"], state["EntityGrid"]
    own = [(x, y) for y, row in enumerate(floor) for x, tile in enumerate(row) if tile == colour and not grid[y][x]]
    paths = [(x, y) for y, row in enumerate(floor) for x, tile in enumerate(row) if tile == "O"]
    x, y = max(own, key=lambda tile: sum(abs(tile[0] - x) + abs(tile[1] - y) <= 3 for x, y in paths))
    return json.dumps({"action": "build", "x": x, "y": y, "tower_type": "crossbow"})


first = answer()
print("Heirs")
print(first)
for _ in range(4):
    print(answer())
input()
sys.exit("an error of its own")
