"""Answers questions about a game with its helper in Python: `driver.py MODULE`, with lines as in helping.py."""

import importlib
import json
import sys
from typing import Any

helper: Any = importlib.import_module(sys.argv[1])


def tuples(value: Any) -> Any:
    """Tiles and moves are tuples in Python."""
    return tuple(map(tuples, value)) if isinstance(value, list) else value


board: Any = None
for line in sys.stdin:
    asked = json.loads(line)
    if isinstance(asked, dict):
        board = helper.Board(asked["setting"], asked["seat"])
        board.update(asked["view"])
        continue
    name, *arguments = asked
    found = vars(helper).get(name) if name.endswith("_order") or name == "block" else getattr(board, name)
    print(json.dumps(found(*map(tuples, arguments)) if callable(found) else found))
