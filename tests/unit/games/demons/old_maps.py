"""The maps of the original competition in figures: its files have no licence, so what they hold is told, not copied.

A lane is the way from red's base (`N2 E12 S1`), territory is red's by row (`0:0-5` for y 0, x 0 to 5), blue's is its
image; a portal is its place, its first target, and `f` where it never changes it. From these `file` makes what the
original's own file says, in its format.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


class OldMap(NamedTuple):
    size: tuple[int, int]
    tiles: tuple[int, int, int]  # of red, of blue, path with the bases
    bases: tuple[tuple[int, int], tuple[int, int]]
    symmetry: str  # mirror-x, or half-turn
    lanes: str
    portals: str
    land: str
    fair: bool = True


MAPS = {
    "map0": OldMap(
        (17, 7), (28, 28, 43), ((2, 3), (14, 3)), "half-turn",
        "N2 E12 S1; E11; S2 E12 N1",
        "8,1 r; 8,5 b",
        "0:0-5 1:0-1 2:0-1,3-5 3:0-1 4:0-1,3-5 5:0-1 6:0-5",
    ),
    "map1": OldMap(
        (19, 7), (21, 21, 78), ((2, 4), (16, 4)), "mirror-x",
        "N2 E14 S1; E13; S2 E14 N1; W2 N4 E18 S4 W1",
        "9,0 r; 9,6 b",
        "1:1-8 2:1 3:1,3 5:0-1,3-8 6:0-1",
        fair=False,
    ),
    "map2": OldMap(
        (18, 7), (27, 27, 50), ((2, 3), (15, 3)), "half-turn",
        "N3 E8 S4 E2 N3 E3 S1; S2 E3 N3 E2 S4 E8 N2",
        "7,4 r; 10,2 b",
        "0:0-1 1:0-1,3 2:0-1,9 3:0-1,6,9 4:0-1,3,6,9 5:0-1,6 6:0-6",
    ),
    "map3": OldMap(
        (17, 8), (21, 21, 32), ((1, 4), (15, 4)), "mirror-x",
        "E13; S2 E14 N1",
        "9,4 b f; 7,4 r f",
        "0:0-7 2:6 3:0-2 4:0 5:0,2 6:0 7:0-4",
    ),
    "map4": OldMap(
        (17, 7), (27, 27, 43), ((2, 3), (14, 3)), "half-turn",
        "N2 E12 S1; E11; S2 E12 N1",
        "8,1 r; 8,5 b; 9,3 b f; 7,3 r f",
        "0:0-1,4-6 1:0-1 2:0-1 3:0-1 4:0-1,5-11 5:0-1 6:0-1,4-6",
    ),
    "map5": OldMap(
        (17, 7), (19, 19, 65), ((1, 3), (15, 3)), "half-turn",
        "N3 E8 S1 E1 S1 E2 N2 E3 S2; E2 N1 E4 S1 E2 S1 E4 N1 E1; S3 E3 N2 E2 S1 E1 S1 E8 N2",
        "9,0 r; 7,6 b",
        "1:4-6 2:0,2 3:0,4-6 4:0,2-3,7-8 5:2-3,5 6:5-6",
    ),
    "map6": OldMap(
        (16, 9), (16, 16, 44), ((5, 3), (10, 3)), "mirror-x",
        "N2 E1 N1 E3 S1 E1 S1; S2 E1 S1 E3 N1 E1 N1; W2 S5 E9 N5 W1",
        "7,8 r f; 8,8 b f",
        "1:8 2:4,7,9,12-13 3:6,8,13 4:4,7,9,13 5:8 7:8 8:15",
    ),
    "map_funky": OldMap(
        (17, 11), (22, 22, 87), ((1, 6), (15, 6)), "mirror-x",
        "N3 E1 N1 E1 N1 E1 N1 E2 S1 E1 S1 E2 N1 E1 N1 E2 S1 E1 S1 E1 S1 E1 S2; "
        "E3 N3 E2 S3 E1 S1 E2 N1 E1 N3 E2 S3 E2; "
        "S4 E2 N1 E1 N1 E2 S1 E1 S1 E2 N1 E1 N1 E2 S1 E1 S1 E2 N3",
        "7,2 r f; 9,2 b f; 7,7 r f; 9,7 b f; 7,9 r f; 9,9 b f",
        "0:1 1:5 2:4-6 4:5 5:0,2-3,5,7 6:0,5 7:0,2-6 8:3,7 10:5",
    ),
    "map_gnarly": OldMap(
        (17, 11), (5, 5, 72), ((3, 5), (13, 5)), "mirror-x",
        "N5 E2 S4 E2 N4 E2 S4 E2 N4 E2 S4; S5 E2 N4 E2 S4 E2 N4 E2 S4 E2 N4",
        "4,0 r f; 12,0 b f; 4,10 r f; 12,10 b f",
        "2:6 5:4,6,16 8:6",
    ),
    "map_mondo": OldMap(
        (29, 21), (31, 31, 93), ((5, 10), (23, 10)), "half-turn",
        "N10 E18 S9; E17; S10 E18 N9",
        "14,0 r; 14,20 b",
        "5:10-13 9:6 11:6 15:10-13 " + " ".join(f"{y}:0" for y in range(21)),
    ),
    "map_tubular": OldMap(
        (18, 12), (19, 17, 114), ((4, 2), (13, 2)), "mirror-x",
        "N2 W4 S11 E17 N11 W4 S1; E2 S3 E5 N3 E1; S5 E9 N4; W2 S7 E13 N7 W1",
        "6,9 r f; 11,9 b f; 8,11 r f; 9,11 b f",
        "0:9-10 1:1,9-10 2:10 3:3,9-10 4:3,9-10 6:9-10 8:9-10 10:1,8,16",
        fair=False,
    ),
}  # fmt: skip


def file(name: str) -> str:
    """The map as the competition's program reads it."""
    told = MAPS[name]
    width, height = told.size
    rows = [[" "] * width for _ in range(height)]

    def put(x: int, y: int, letter: str) -> None:
        assert rows[y][x] in (" ", letter), (name, x, y)
        rows[y][x] = letter

    for base in told.bases:
        put(*base, "O")
    for lane in told.lanes.split("; "):
        x, y = told.bases[0]
        for word in lane.split():
            for _ in range(int(word[1:])):
                x, y = x + _STEPS[word[0]][0], y + _STEPS[word[0]][1]
                put(x, y, "O")
    land = [(x, y) for y, xs in _runs(told.land) for x in xs]
    for x, y in land:
        put(x, y, "r")
    for x, y in land:
        there = width - 1 - x, y if told.symmetry == "mirror-x" else height - 1 - y
        if there not in land:
            put(*there, "b")
    (red_x, red_y), (blue_x, blue_y) = told.bases
    return json.dumps(
        {
            "FloorTiles": ["".join(row) for row in rows],
            "PlayerBaseR": {"x": red_x, "y": red_y},
            "PlayerBaseB": {"x": blue_x, "y": blue_y},
            "DemonSpawners": [_portal(portal) for portal in told.portals.split("; ")],
        }
    )


def _runs(land: str) -> list[tuple[int, list[int]]]:
    found = []
    for y, runs in re.findall(r"(\d+):([\d,-]+)", land):
        ends = [run.split("-") for run in runs.split(",")]
        found.append((int(y), [x for first, *last in ends for x in range(int(first), int((last or [first])[0]) + 1)]))
    return found


def _portal(text: str) -> dict[str, Any]:
    place, target, *fixed = text.split()
    x, y = place.split(",")
    return {"x": int(x), "y": int(y), "initial_target": target, "switch_target": not fixed}
