"""Many spectators at one table without fog: the time from an order to the new position, for each of them.

    python benchmarks/server_spectators.py [--spectators 1000] [--orders 20]

Starts its own server (SQLite, fresh folder) and one table of Demons, a person against `rusher`. All spectators join at
once. Also counts the messages and bytes that joining cost all of them together.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import websockets

server_load: Any = import_module("server_load")  # next to this file


class Crowd:
    """Everyone at the table."""

    def __init__(self) -> None:
        self.sent = 0.0
        self.step = self.messages = self.bytes = self.joined = 0
        self.told: list[float] = []

    async def watch(self, address: str, visitor: str) -> None:
        headers = {"X-Forwarded-For": visitor}
        async with websockets.connect(address, max_size=1 << 24, additional_headers=headers, open_timeout=60) as socket:
            await socket.send(json.dumps({"type": "join", "id": 1}))
            self.joined += 1
            async for message in socket:
                self.messages += 1
                self.bytes += len(message)
                if str(message).startswith('{"type":"frame"') and self.sent:
                    self.told.append(time.perf_counter() - self.sent)

    async def play(self, address: str, token: str, orders: int) -> None:
        async with websockets.connect(address, max_size=1 << 24) as socket:
            await socket.send(json.dumps({"type": "join", "token": token, "id": 1}))
            for number in range(orders):
                self.sent = time.perf_counter()
                await socket.send(json.dumps({"type": "file", "lines": [], "step": number, "id": 2 + number}))
                async for message in socket:
                    if str(message).startswith('{"type":"frame"'):
                        break
                await asyncio.sleep(1.5)


async def load(base: str, spectators: int, orders: int) -> None:
    seats = {"red": {"kind": "person"}, "blue": {"kind": "bot", "bot": "rusher"}}
    seated = server_load.post(f"{base}/api/tables", {"game": "demons", "seats": seats}, "10.9.9.9")
    address, crowd = f"ws{base[4:]}/api/tables/{seated['table']}/live", Crowd()
    began = time.perf_counter()
    tasks = [
        asyncio.create_task(crowd.watch(address, f"10.1.{number >> 8}.{number & 255}")) for number in range(spectators)
    ]
    while crowd.joined < spectators:
        await asyncio.sleep(0.05)
    joined = time.perf_counter() - began
    await asyncio.sleep(5)
    cost = f"{crowd.messages} messages, {crowd.bytes / 1e6:.1f} MB"
    print(f"{spectators} spectators joined in {joined:.1f} s, which took {cost} for all of them together")
    await crowd.play(address, seated["token"], orders)
    told = sorted(crowd.told)
    print(
        f"order to view: median {statistics.median(told) * 1e3:.1f} ms, 99 % under "
        f"{told[int(len(told) * 0.99)] * 1e3:.1f} ms, maximum {told[-1] * 1e3:.1f} ms, "
        f"{len(told)} views of {orders} orders"
    )
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spectators", type=int, default=1000)
    parser.add_argument("--orders", type=int, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, server_load.Server(Path(folder)) as server:
        asyncio.run(load(server.address, arguments.spectators, arguments.orders))


if __name__ == "__main__":
    main()
