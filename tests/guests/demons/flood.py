"""A guest that writes more to its standard error than a pipe holds, every turn. The original waited for it for ever."""

from __future__ import annotations

import sys

colour, state, end = input(), input(), input()
print("Floods")
while True:
    sys.stderr.write(("x" * 79 + "\n") * 2500)
    print('{"action": "nothing", "x": 0, "y": 0}')
    state, end = input(), input()
