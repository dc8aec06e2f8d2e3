"""A guest that says more than it is asked: the first line of a turn counts, and the others never shift later turns."""

from __future__ import annotations

import json
import sys

colour, state, end = input(), json.loads(input()), input()
print("Chatterbox", flush=True)
while True:
    # The line names its turn, so that one taken for the answer of another turn would be seen.
    turn = state["CurrentTurn"]
    lines = [
        json.dumps({"action": "destroy", "x": turn, "y": 0}),
        "I did well.",
        '{"action": "nothing", "x": 0, "y": 0}',
    ]
    # All at once, as Python does by itself unless it is told not to buffer.
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()
    state, end = json.loads(input()), input()
