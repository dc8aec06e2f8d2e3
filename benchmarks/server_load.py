"""Live tables under load: the time from an order to the new views of everyone watching.

    python benchmarks/server_load.py [--tables 200] [--seconds 60] [--every 5] [--database ... --processes 2]

Starts its own server (SQLite, fresh folder), opens tables with one person against bots, and five sockets at each: two
for the person and three for spectators. Every table files one order every five seconds. The times are measured from
sending the order until a socket has received the new position.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import websockets

SOCKETS = 5
WARM = 3  # orders at each table before times count


class Table:
    """One table, as seen by its clients."""

    def __init__(self, base: str, seated: dict[str, Any], visitor: str) -> None:
        self.headers = {"X-Forwarded-For": visitor}
        self.address = f"ws{base[4:]}/api/tables/{seated['table']}/live"
        self.token = seated["token"]
        self.sent = 0.0
        self.step = 0
        self.over = False
        self.orders = self.refused = 0
        self.told: list[float] = []

    async def listen(self, token: str | None, acts: bool) -> None:
        async with websockets.connect(self.address, max_size=1 << 22, additional_headers=self.headers) as socket:
            await socket.send(json.dumps({"type": "join", "token": token, "id": 1}))
            filing = asyncio.create_task(self._file(socket)) if acts else None
            try:
                async for message in socket:
                    self._hear(str(message))
            finally:
                if filing is not None:
                    filing.cancel()

    def _hear(self, text: str) -> None:
        if text.startswith('{"type":"frame"') and self.sent:
            self.told.append(time.perf_counter() - self.sent)
            self.step = max(self.step, int(json.loads(text)["frame"]["number"]))
        elif text.startswith('{"type":"table"') and '"status":"over"' in text:
            self.over = True
        elif text.startswith('{"type":"refused"'):
            self.refused += 1

    async def _file(self, socket: Any) -> None:
        await asyncio.sleep(random.random() * EVERY)
        while not self.over:
            self.sent = time.perf_counter()
            await socket.send(json.dumps({"type": "file", "lines": [], "step": self.step, "id": 2}))
            self.orders += 1
            await asyncio.sleep(EVERY)


def post(url: str, body: dict[str, Any], address: str) -> Any:
    """Pretends to come from this address, because a single address may not open this many tables."""
    headers = {"Content-Type": "application/json", "X-Forwarded-For": address}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def cpu(server: int) -> float:
    """CPU seconds of the server and of the processes that it has started."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if server in (int(path.parent.name), int(fields[1])):
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def load(base: str, server: int, tables: int, seconds: float) -> None:
    opened = []
    for number in range(tables):
        wish = {
            "game": GAME,
            "seats": SEATS,
            "title": f"load {number}",
            "options": OPTIONS,
        }
        visitor = f"10.0.{number >> 8}.{number & 255}"
        opened.append(Table(base, post(f"{base}/api/tables", wish, visitor), visitor))
    tasks = [
        asyncio.create_task(table.listen(table.token if socket < 2 else None, socket == 0))
        for table in opened
        for socket in range(SOCKETS)
    ]
    await asyncio.sleep(WARM * EVERY)
    for table in opened:
        table.told.clear()
        table.orders = table.refused = 0
    began, mine, its = time.perf_counter(), time.process_time(), cpu(server)
    await asyncio.sleep(seconds)
    took = time.perf_counter() - began
    told = sorted(second for table in opened for second in table.told)
    memory = int(Path(f"/proc/{server}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
    print(f"{tables} tables, {SOCKETS} sockets each, one order every {EVERY:g} s per table, {took:.0f} s")
    print(
        f"order to view: median {statistics.median(told) * 1e3:.1f} ms, "
        f"99 % under {told[int(len(told) * 0.99)] * 1e3:.1f} ms, maximum {told[-1] * 1e3:.1f} ms, {len(told)} views "
        f"of {sum(table.orders for table in opened)} orders, {sum(table.refused for table in opened)} refused"
    )
    print(
        f"CPU: server {(cpu(server) - its) / took:.0%} of one core, this load generator "
        f"{(time.process_time() - mine) / took:.0%}; memory of the server {memory} MB"
    )
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class Server:
    """`polemos serve` as a process; ready when it answers."""

    def __init__(self, folder: Path, *extra: str) -> None:
        self._command = [
            *(sys.executable, "-m", "polemos", "serve", "--port", "0", "--no-exhibition", "--no-ladder"),
            *("--folder", str(folder), "--behind", "127.0.0.1", *extra),
        ]

    def __enter__(self) -> Server:
        self.process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        assert self.process.stdout is not None
        line = next(line for line in self.process.stdout if "Polemos is at" in line)
        self.address = line.split()[3].rstrip("/")
        for _ in range(2000):
            try:
                urllib.request.urlopen(f"{self.address}/api/games")
                break
            except OSError:
                time.sleep(0.01)
        return self

    def kill(self) -> None:
        if self.process.returncode is None:  # or its number may be that of somebody else
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def __exit__(self, *error: object) -> None:
        self.process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(20)
        self.kill()


def main() -> None:
    extra = ("--processes", str(ARGUMENTS.processes))
    extra += () if ARGUMENTS.database is None else ("--database", ARGUMENTS.database)
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), *extra) as server:
        asyncio.run(load(server.address, server.process.pid, ARGUMENTS.tables, ARGUMENTS.seconds))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=5)
    parser.add_argument("--database", default=None)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--game", default="monarchs")
    parser.add_argument(
        "--seats", default="red=,green=steady,blue=holder", help="seat=bot; an empty one is the person's"
    )
    parser.add_argument("--option", action="append", default=["turns=50"])
    ARGUMENTS = parser.parse_args()
    EVERY, GAME = ARGUMENTS.every, ARGUMENTS.game
    SEATS = {
        seat: {"kind": "bot", "bot": bot} if bot else {"kind": "person"}
        for seat, bot in (pair.split("=") for pair in ARGUMENTS.seats.split(","))
    }
    OPTIONS = {name: int(value) for name, value in (pair.split("=") for pair in ARGUMENTS.option)}
    main()
