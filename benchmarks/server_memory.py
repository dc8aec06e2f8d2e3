"""Does a server grow? Many short matches one after the other, as fast as they go, and its memory every while.

    python benchmarks/server_memory.py [--minutes 5] [--tables 20] [--turns 8]

Three people play Monarchs at each table, and open the next one when it is over. A player files every 15 seconds in an
evening, so that one minute here is many of those; the last line says how many. Finished tables may stay in memory for a
while (a hundred of them), so the first quarter does not count.
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
from itertools import count
from pathlib import Path
from typing import Any

import websockets

server_load: Any = import_module("server_load")  # next to this file
SEATS = ("red", "green", "blue")


class Played:
    """What has been done so far."""

    orders = matches = 0


async def person(address: str, token: str, visitor: str, played: Played) -> None:
    """Files an empty sheet for every position, until the match is over."""
    async with websockets.connect(address, max_size=1 << 24, additional_headers={"X-Forwarded-For": visitor}) as socket:
        await socket.send(json.dumps({"type": "join", "token": token, "id": 1}))
        step = 0
        await socket.send(json.dumps({"type": "file", "lines": [], "step": 0, "id": 2}))
        async for message in socket:
            text = str(message)
            if text.startswith('{"type":"frame"'):
                step += 1
                await socket.send(json.dumps({"type": "file", "lines": [], "step": step, "id": 2}))
            elif text.startswith('{"type":"ack","re":2'):
                played.orders += 1
            elif text.startswith('{"type":"table"') and '"status":"over"' in text:
                return


async def go_on(base: str, turns: int, played: Played, numbers: Any) -> None:
    """One match after the other."""
    seats = {"red": {"kind": "person"}, "green": {"kind": "open"}, "blue": {"kind": "open"}}
    wish = {
        "game": "monarchs",
        "seats": seats,
        "clock": {"kind": "turn", "seconds": 3600.0},
        "options": {"turns": turns},
    }
    while True:
        number = next(numbers)
        visitor = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        first = await asyncio.to_thread(server_load.post, f"{base}/api/tables", wish, visitor)
        tokens = [first["token"]]
        for seat in SEATS[1:]:
            asked = {"seat": seat, "name": seat}
            taken = await asyncio.to_thread(
                server_load.post, f"{base}/api/tables/{first['table']}/seats", asked, visitor
            )
            tokens.append(taken["token"])
        address = f"ws{base[4:]}/api/tables/{first['table']}/live"
        await asyncio.gather(*(person(address, token, visitor, played) for token in tokens))
        played.matches += 1


def megabytes(process: int) -> int:
    """The memory of one process, without those that it has started."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


async def load(base: str, server: int, minutes: float, tables: int, turns: int) -> None:
    played, numbers = Played(), count(1)
    tasks = [asyncio.create_task(go_on(base, turns, played, numbers)) for _ in range(tables)]
    began, seen = time.monotonic(), list[int]()
    while time.monotonic() < began + 60 * minutes:
        await asyncio.sleep(60 * minutes / 12)
        seen.append(megabytes(server))
        minute = (time.monotonic() - began) / 60
        print(f"{minute:5.1f} min  {seen[-1]} MB  {played.orders} orders  {played.matches} matches", flush=True)
        for task in tasks:
            if task.done():
                task.result()
    evenings = played.orders / (3 * tables) * 15 / 3600
    print(
        f"memory from {min(seen[3:])} to {max(seen[3:])} MB after the first quarter, {seen[-1] - seen[2]:+d} MB over"
        f" the rest; each of the {3 * tables} people filed as often as in {evenings:.0f} hours of play"
    )
    for task in tasks:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, return_exceptions=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--turns", type=int, default=8)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, server_load.Server(Path(folder), "--limits", "100") as server:
        asyncio.run(load(server.address, server.process.pid, arguments.minutes, arguments.tables, arguments.turns))


if __name__ == "__main__":
    main()
