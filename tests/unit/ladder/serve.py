"""A process that runs ladders until its input ends: `serve.py URL FOLDER [PROCESSES]`. Tests kill it."""

from __future__ import annotations

import sys
from pathlib import Path

from polemos.ladder.engine import Ladders
from polemos.ladder.players import Processes
from polemos.server.store.ledger import connect

LEASE = 4.0  # seconds


def main() -> None:
    url, folder, processes = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    running = Ladders(connect(url), folder, lease=LEASE)
    running.start(Processes(processes))
    sys.stdin.read()
    running.stop()


if __name__ == "__main__":
    main()
