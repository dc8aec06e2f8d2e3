"""Runs the attempts of one module and says in one line of JSON what each achieved.

    {"passwords": {"got": 1200}, "replays": {"refused": "FileNotFoundError: ..."}}

It is told what to try in the first line of its input: {"module": ..., "names": [...], "about": {...}}.
"""

from __future__ import annotations

import importlib
import json
import sys


def main() -> None:
    asked = json.loads(sys.stdin.readline())
    module = importlib.import_module(asked["module"])
    said = {}
    for name in asked["names"]:
        try:
            said[name] = {"got": getattr(module, name)(asked["about"])}
        except Exception as error:
            said[name] = {"refused": f"{type(error).__name__}: {error}"}
    print(json.dumps(said), flush=True)


main()
