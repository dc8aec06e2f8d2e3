"""How much one process carries and how much two do, on one PostgreSQL, without bots.

    python benchmarks/server_processes.py --database postgresql://... [--tables 60] [--seconds 20] [--rounds 2]

At every table three people play Monarchs, and each files again as soon as the new position has come. So the server does
as much as it can. Prints orders a second, the CPU time of the server's processes for each order, and how long orders
took, in turn for one process and for two. The database must be empty, and is filled.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import websockets

server_load: Any = import_module("server_load")  # next to this file
SEATS = ("red", "green", "blue")
CLOCK = {"kind": "turn", "seconds": 3600.0}


class Person:
    """Files an empty sheet for every position."""

    orders = 0
    took: list[float]

    def __init__(self, base: str, table: str, token: str, visitor: str) -> None:
        self._address, self._token = f"ws{base[4:]}/api/tables/{table}/live", token
        self._headers = {"X-Forwarded-For": visitor}
        self.took = []

    async def play(self) -> None:
        async with websockets.connect(self._address, max_size=1 << 24, additional_headers=self._headers) as socket:
            await socket.send(json.dumps({"type": "join", "token": self._token, "id": 1}))
            step, sent = 0, time.perf_counter()
            await socket.send(json.dumps({"type": "file", "lines": [], "step": 0, "id": 2}))
            async for message in socket:
                text = str(message)
                if text.startswith('{"type":"ack","re":2'):
                    self.orders += 1
                    self.took.append(time.perf_counter() - sent)
                elif text.startswith('{"type":"frame"'):
                    step += 1
                    sent = time.perf_counter()
                    await socket.send(json.dumps({"type": "file", "lines": [], "step": step, "id": 2}))


def opened(base: str, number: int) -> list[Person]:
    """Three people at a new table."""
    visitor = f"10.0.{number >> 8}.{number & 255}"
    seats = {"red": {"kind": "person"}, "green": {"kind": "open"}, "blue": {"kind": "open"}}
    wish = {"game": "monarchs", "seats": seats, "clock": CLOCK, "options": {"turns": 50}}
    first = server_load.post(f"{base}/api/tables", wish, visitor)
    tokens = {"red": first["token"]}
    for seat in SEATS[1:]:
        taken = server_load.post(f"{base}/api/tables/{first['table']}/seats", {"seat": seat, "name": seat}, visitor)
        tokens[seat] = taken["token"]
    return [Person(base, first["table"], tokens[seat], visitor) for seat in SEATS]


def cpu(root: int) -> float:
    """CPU seconds of a process and of all that it has started, however deep."""
    parents, ticks = dict[int, int](), dict[int, int]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            parents[int(path.parent.name)] = int(fields[1])
            ticks[int(path.parent.name)] = int(fields[11]) + int(fields[12])

    def is_ours(process: int) -> bool:
        return process == root or (process in parents and is_ours(parents[process]))

    return sum(of for process, of in ticks.items() if is_ours(process)) / os.sysconf("SC_CLK_TCK")


def database_cpu() -> float:
    """CPU seconds of all processes of PostgreSQL on this machine."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            text = path.read_text()
            if "(postgres" in text:
                fields = text.rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def load(base: str, server: int, tables: int, seconds: float) -> tuple[float, float]:
    people = [person for number in range(tables) for person in opened(base, number)]
    tasks = [asyncio.create_task(person.play()) for person in people]
    await asyncio.sleep(5)
    before = sum(person.orders for person in people)
    for person in people:
        person.took.clear()
    began, its, mine = time.perf_counter(), cpu(server), time.process_time()
    stored = database_cpu()
    await asyncio.sleep(seconds)
    took = time.perf_counter() - began
    orders = sum(person.orders for person in people) - before
    each, rate = (cpu(server) - its) / orders, orders / took
    stored = (database_cpu() - stored) / orders
    times = sorted(second for person in people for second in person.took)
    print(
        f"  {rate:.0f} orders a second, {each * 1e3:.2f} ms of CPU each ({stored * 1e3:.2f} more for PostgreSQL), "
        f"99 % confirmed within {times[int(len(times) * 0.99)] * 1e3:.0f} ms; "
        f"generator {(time.process_time() - mine) / took:.0%}"
    )
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return rate, each


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", required=True)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=2)
    arguments = parser.parse_args()
    found: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    for _ in range(arguments.rounds):
        for processes, results in found.items():
            print(f"{processes} process{'es' if processes > 1 else ''}:")
            extra = ("--processes", str(processes), "--database", arguments.database, "--bot-processes", "0")
            with tempfile.TemporaryDirectory() as folder, server_load.Server(Path(folder), *extra) as server:
                results.append(
                    asyncio.run(load(server.address, server.process.pid, arguments.tables, arguments.seconds))
                )
    one, two = ([sum(column) / arguments.rounds for column in zip(*found[n], strict=True)] for n in (1, 2))
    print(f"two carry {two[0] / one[0]:.2f} times the orders, at {two[1] / one[1]:.2f} times the CPU time each")


if __name__ == "__main__":
    main()
