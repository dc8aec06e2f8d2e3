"""A guest that dies on its third turn."""

from __future__ import annotations

import sys

colour, state, end = input(), input(), input()
print("Mayflies")
for _ in range(2):
    print('{"action": "nothing", "x": 0, "y": 0}')
    state, end = input(), input()
sys.exit("an error of its own")
