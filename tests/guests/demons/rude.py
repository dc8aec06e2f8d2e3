"""A guest whose answers are anything but an action."""

from __future__ import annotations

LINES = [
    "",
    "null",
    "[]",
    "[" * 9000,
    '{"action": "build"}',
    '{"action": "build", "x": NaN, "y": 1e999, "tower_type": "House"}',
    '{"action": "build", "x": true, "y": false, "tower_type": "House"}',
    '{"action": "build", "x": 1.5, "y": "3", "tower_type": "House", "merc_direction": "left"}',
    '{"action": "destroy", "x": ' + "9" * 4000 + ', "y": null}',
    '{"action": 7, "x": 0, "y": 0}',
    '{"action": "\\ud800", "x": {"x": [[]]}, "y": 0, "merc_direction": "\\u017f"}',
    "{" + " " * 200_000 + "}",
    "\u202e\N{SNOWMAN}",
]

colour, state, end = input(), input(), input()
print("")
turn = 0
while True:
    print(LINES[turn % len(LINES)])
    turn += 1
    state, end = input(), input()
