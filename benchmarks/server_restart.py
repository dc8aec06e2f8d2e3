"""A restart with many unfinished tables: the time from the start of the process to the first order that is carried out.

    python benchmarks/server_restart.py [--tables 3000] [--clock] [--database postgresql://...]

Opens tables of Monarchs against two bots, plays one turn at each, kills the server (kill -9), starts it again, and
files at one of the tables, chosen at random. With --clock all of them have a running clock, so that each has to be
resumed even if nobody comes; otherwise only those where a bot has to act.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import websockets

server_load: Any = import_module("server_load")  # next to this file
AT_ONCE = 50


async def file(base: str, seated: dict[str, Any], visitor: str) -> None:
    """Files an empty sheet for the turn that is on, and waits for the next position."""
    address, headers = f"ws{base[4:]}/api/tables/{seated['table']}/live", {"X-Forwarded-For": visitor}
    async with websockets.connect(address, max_size=1 << 24, additional_headers=headers, open_timeout=60) as socket:
        await socket.send(json.dumps({"type": "join", "token": seated["token"], "id": 1}))
        filed = False
        async for message in socket:
            said = json.loads(message)
            if said["type"] == "sheet" and not filed:
                filed = True
                await socket.send(json.dumps({"type": "file", "lines": [], "step": said["step"], "id": 2}))
            if said["type"] == "frame":
                return


def address_of(number: int) -> str:
    return f"10.1.{number >> 8}.{number & 255}"


async def fill(base: str, tables: int, clock: bool) -> list[dict[str, Any]]:
    bots = {"green": {"kind": "bot", "bot": "steady"}, "blue": {"kind": "bot", "bot": "holder"}}
    wish: dict[str, Any] = {"game": "monarchs", "seats": {"red": {"kind": "person"}, **bots}}
    if clock:
        wish["clock"] = {"kind": "turn", "seconds": 86400.0}
    limit, seated = asyncio.Semaphore(AT_ONCE), list[dict[str, Any]]()

    async def one(number: int) -> None:
        async with limit:
            opened = await asyncio.to_thread(server_load.post, f"{base}/api/tables", wish, address_of(number))
            await file(base, opened, address_of(number))
            seated.append(opened)

    await asyncio.gather(*(one(number) for number in range(tables)))
    return seated


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=3000)
    parser.add_argument("--clock", action="store_true")
    parser.add_argument("--database", default=None)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        extra = () if arguments.database is None else ("--database", arguments.database)
        began = time.perf_counter()
        with server_load.Server(Path(folder), *extra) as server:
            seated = asyncio.run(fill(server.address, arguments.tables, arguments.clock))
            print(f"{len(seated)} tables opened and played one turn each, in {time.perf_counter() - began:.0f} s")
            server.kill()
        began = time.perf_counter()
        with server_load.Server(Path(folder), *extra) as server:
            up = time.perf_counter() - began
            asyncio.run(file(server.address, random.Random(1).choice(seated), "10.200.0.1"))
            first = time.perf_counter() - began
            print(f"restart: the port is open after {up:.2f} s, the first order is carried out after {first:.2f} s")


if __name__ == "__main__":
    main()
