"""Kills a party's desk in the middle of its acts: `python benchmarks/party_kills.py [KILLS]`.

A process goes through an evening as fast as it can and says each act once it is confirmed. It is killed at a random
moment, and the journal is opened again: nothing confirmed may be missing, the clock must stand where it stood, and a
sheet that was filed must not lie there half-typed.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from polemos import registry
from polemos.desk.party import PartyDesk

NATIONS = ("red", "green", "blue")


def setup() -> dict[str, Any]:
    courts = {n: {"monarch": f"Monarch {n}", "courtiers": [f"{n} {i}" for i in range(1, 6)]} for n in NATIONS}
    return {"title": "Kills", "courts": courts, "options": {"holding_seconds": 0}}


def go_on(folder: Path) -> None:
    """The process that is killed: rounds without end, each act said once it is confirmed."""
    desk = PartyDesk.open(folder, registry.load("monarchs"), setup())
    while True:
        card = desk.rules.card(desk.evening, desk.now())
        if card.stage.next == "deal":
            desk.do({"act": "deal"})
        elif card.stage.next == "release":
            desk.do({"act": "release"})
        elif card.stage.next == "play":
            desk.play()
        else:
            nation = card.stage.courts[0]
            if desk.evening.state.errand(nation).arrived is None:
                role = next(one.role for one in card.carriers[nation] if not one.why)
                desk.do({"act": "arrive", "role": role, "errand": "orders"})
            else:
                desk.draft(nation, ["A5-B6"])
                desk.draft(nation, ["A5-B6 1"])
                desk.file(nation, ["A5-B6 1"])
        print(len(desk.evening.entries), flush=True)


def main(kills: int) -> None:
    chance, game = random.Random(20), registry.load("monarchs")
    lost = wrong = stale = acts = 0
    slowest = 0.0
    folder = Path(tempfile.mkdtemp())
    for number in range(kills):
        if number % 10 == 0:
            folder = Path(tempfile.mkdtemp())
        command = [sys.executable, __file__, "--go-on", str(folder)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        said = int(process.stdout.readline() or 0)
        time.sleep(chance.uniform(0, 0.15))
        process.kill()
        said = max([said, *(int(line) for line in process.stdout.read().split() if line)])
        process.wait()
        began = time.perf_counter()
        desk = PartyDesk.open(folder, game)
        slowest = max(slowest, time.perf_counter() - began)
        lost += max(0, said - len(desk.evening.entries))
        state = desk.evening.state
        released = [entry.at for entry in desk.evening.entries if type(entry.act).__name__ == "Release"]
        wrong += bool(released) and abs(state.due - (released[-1] + 900_000)) > 1000
        stale += sum(bool(desk.drafts.get(n)) and state.errand(n).handed is not None for n in NATIONS)
        acts = len(desk.evening.entries)
        desk.close()
    print(f"{kills} kills: {lost} confirmed acts lost, {wrong} clocks wrong, {stale} filed sheets half-typed;")
    print(f"{acts} acts in the last journal, opened again in at most {1000 * slowest:.0f} ms")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--go-on"]:
        go_on(Path(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
