"""What a flooding visitor costs the others: the time from an order to the new views, before and during the flood.

    python benchmarks/server_flood.py [--tables 40] [--seconds 15]

Everyone else plays at tables of Monarchs, as in `server_load.py`. The visitor stays within the limits of one address:
eight tables of Minions with 25 drafts a second each, twenty tables with the slowest bots, and records without a pause.
The flood comes from a process of its own, so that reading its answers does not delay the measuring.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import websockets

server_load: Any = import_module("server_load")  # next to this file
FLOOD = "192.0.2.66"
DRAFTS = 25.0  # a second at each of eight tables


def heavy_wish(base: str) -> dict[str, Any]:
    """A table of Minions with the strongest bot, whatever its seats are called."""
    with urllib.request.urlopen(f"{base}/api/games/minions") as answer:
        game = json.load(answer)
    first, *others = game["seats"]
    seats = {first: {"kind": "person"}, **{seat: {"kind": "bot", "bot": game["bots"][-1]} for seat in others}}
    return {"game": "minions", "seats": seats, "listed": False}


async def draft(base: str, seated: dict[str, Any]) -> None:
    address = f"ws{base[4:]}/api/tables/{seated['table']}/live"
    headers = {"X-Forwarded-For": FLOOD}
    async with websockets.connect(address, max_size=1 << 24, additional_headers=headers) as socket:
        await socket.send(json.dumps({"type": "join", "token": seated["token"]}))
        lines: list[Any] = []
        step, number = 0, 0

        async def listen() -> None:
            nonlocal lines, step
            async for message in socket:
                said = json.loads(message)
                if said["type"] == "sheet":
                    step = said["step"]
                    lines = [option["order"] for option in said["options"][:5]]

        listening = asyncio.create_task(listen())
        try:
            while True:
                number += 1
                kind = {"type": "file", "step": step} if number % 100 == 0 else {"type": "draft"}
                await socket.send(json.dumps({**kind, "lines": lines, "id": number}))
                await asyncio.sleep(1 / DRAFTS)
        finally:
            listening.cancel()


def records(base: str, table: str, until: float) -> int:
    request = urllib.request.Request(f"{base}/api/tables/{table}/record", headers={"X-Forwarded-For": FLOOD})
    count = 0
    while time.monotonic() < until:
        with suppress(urllib.error.HTTPError), urllib.request.urlopen(request) as answer:
            answer.read()
            count += 1
    return count


async def flood(base: str, seconds: float) -> None:
    """Everything that the visitor does."""
    heavy = heavy_wish(base)
    seated = [server_load.post(f"{base}/api/tables", heavy, FLOOD) for _ in range(28)]
    tasks = [asyncio.create_task(draft(base, one)) for one in seated[:8]]
    until = time.monotonic() + seconds
    counts = await asyncio.gather(
        *(asyncio.to_thread(records, base, seated[0]["table"], until) for _ in range(4)), return_exceptions=True
    )
    for task in tasks:
        task.cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    faults = {repr(one) for one in [*counts, *ended] if not isinstance(one, int | asyncio.CancelledError)}
    print(
        f"the flood: {sum(one for one in counts if isinstance(one, int))} records read; {faults or 'nothing broke off'}"
    )


def shown(name: str, tables: list[Any]) -> float:
    told = sorted(second for table in tables for second in table.told)
    last: float = told[int(len(told) * 0.99)] * 1e3
    print(
        f"{name}: median {statistics.median(told) * 1e3:.1f} ms, 99 % under {last:.1f} ms, "
        f"maximum {told[-1] * 1e3:.1f} ms, {len(told)} views"
    )
    for table in tables:
        table.told.clear()
    return last


async def load(base: str, tables: int, seconds: float) -> None:
    seats = {
        "red": {"kind": "person"},
        "green": {"kind": "bot", "bot": "steady"},
        "blue": {"kind": "bot", "bot": "holder"},
    }
    wish = {"game": "monarchs", "seats": seats, "options": {"turns": 50}}
    opened = [
        server_load.Table(base, server_load.post(f"{base}/api/tables", wish, f"10.0.0.{number}"), f"10.0.0.{number}")
        for number in range(tables)
    ]
    tasks = [
        asyncio.create_task(table.listen(table.token if socket < 2 else None, socket == 0))
        for table in opened
        for socket in range(server_load.SOCKETS)
    ]
    await asyncio.sleep(server_load.WARM * server_load.EVERY)
    shown("at first", opened)
    await asyncio.sleep(seconds)
    before = shown("alone", opened)
    flooding = await asyncio.create_subprocess_exec(sys.executable, __file__, "--flood", base, str(seconds + 5))
    await asyncio.sleep(5)
    shown("as it begins", opened)
    await asyncio.sleep(seconds)
    after = shown("flooded", opened)
    print(f"the flood moves the 99th percentile by {after - before:.0f} ms")
    await flooding.wait()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--flood", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.flood:
        asyncio.run(flood(arguments.flood[0], float(arguments.flood[1])))
        return
    server_load.EVERY = 2.0
    with tempfile.TemporaryDirectory() as folder, server_load.Server(Path(folder)) as server:
        asyncio.run(load(server.address, arguments.tables, arguments.seconds))


if __name__ == "__main__":
    main()
