"""A party online: how long messages take with everybody at it, and whether a server that is killed loses anything.

    python benchmarks/party.py phones [--seconds 20]
    python benchmarks/party.py kills [--kills 200]

`phones`: eighteen phones and four screens at one party. Every phone does something about twice a second: walks, talks,
writes a sheet. A message takes as long as from the moment somebody sends an act until a phone has what follows from it:
the confirmation, what was said, the new sight.
`kills`: the same people go on while the server gets SIGKILL at random moments and starts again. Everything that was
confirmed has to be there afterwards, once and in order, and the clocks have to show the same deadline.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import random
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import websockets

NATIONS = ("red", "green", "blue")
COURTIERS = 5
SCREENS = ("clock", "screen", "spectator", "clock")


def _servers() -> Any:
    """`Server` of the other benchmark."""
    spec = importlib.util.spec_from_file_location("server_kills", Path(__file__).with_name("server_kills.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def call(address: str, path: str, token: str | None = None, body: Any = None) -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{address}/api/parties{path}", data, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        raw = answer.read()
    return json.loads(raw) if raw else None


class Party:
    """A party that somebody leads by hand, so that nothing ends while it is measured."""

    def __init__(self, address: str) -> None:
        courts = {
            nation: {"monarch": f"Queen {nation}", "courtiers": [f"{nation} {n + 1}" for n in range(COURTIERS)]}
            for nation in NATIONS
        }
        options = {"rounds": 8, "common": ["hall", "garden", "stairs"], "round_seconds": 86_400}
        wish = {"title": "Winter", "courts": courts, "options": options, "is_led": False}
        opened = call(address, "", None, {"game": "monarchs", "wish": wish})
        self.id, self.host = opened["id"], opened["token"]
        self.tokens: dict[str, str] = {}
        self.screens: dict[str, str] = {}
        for row in call(address, f"/{self.id}/links", self.host):
            if row["name"]:
                claimed = call(address, f"/{self.id}/claim", None, {"code": row["code"]})
                self.tokens[row["role"]] = claimed["token"]
            elif not row["is_host"]:
                self.screens[row["role"]] = row["code"]
        for act in ("deal", "release"):
            call(address, f"/{self.id}/acts", self.host, {"act": {"act": act}})


class Phone:
    """One role: it does things, and notes what it was told when."""

    def __init__(self, party: Party, role: str, token: str, seed: int) -> None:
        self.party, self.role, self.token = party, role, token
        self.chance = random.Random(f"{seed} {role}")
        self.sight: dict[str, Any] = {}
        self.taken: list[float] = []
        self.said: list[str] = []  # confirmed, by this phone
        self.written: list[list[str]] = []  # sent, by this monarch
        self.confirmed = -1  # the last of them that was confirmed
        self.offset = 0.0
        self.number = 0
        self._sent: dict[int, tuple[float, Any]] = {}

    def wish(self) -> dict[str, Any]:
        kind = self.chance.random()
        if kind < 0.4:
            return {"type": "say", "text": f"{self.role} {self.number} {time.time():.6f}"}
        if self.role in NATIONS:
            self.written.append([f"A5-B6 {len(self.written) + 1}"])
            return {"type": "do", "act": {"act": "write", "court": self.role, "lines": self.written[-1]}}
        own = self.role.partition("-")[0]
        room = self.chance.choice(
            [room for room in ("hall", "garden", "stairs", own) if room != self.sight.get("room")]
        )
        return {"type": "do", "act": {"act": "enter", "role": self.role, "room": room}}

    async def live(self, address: str, pause: float, until: asyncio.Event) -> None:
        """Stays at the party until it is over, and comes back when the connection is lost."""
        while not until.is_set():
            with suppress(OSError, websockets.WebSocketException, TimeoutError):
                url = f"ws{address[4:]}/api/parties/{self.party.id}/live"
                async with websockets.connect(url, open_timeout=5) as socket:
                    await socket.send(json.dumps({"type": "join", "token": self.token}))
                    await asyncio.gather(self._hear(socket), self._speak(socket, pause, until))
            self._sent.clear()
            await asyncio.sleep(0.05)

    async def _hear(self, socket: Any) -> None:
        async for raw in socket:
            said, now = json.loads(raw), time.time()
            if said["type"] == "here":
                self.offset = abs(said["now"] / 1000 - now)
            elif said["type"] == "sight":
                self.sight = said["sight"]
            elif said["type"] == "heard" and said["role"] != self.role:
                self.taken.append(now - float(said["text"].rpartition(" ")[2]))
            elif said["type"] in ("done", "refused") and said["re"] in self._sent:
                sent, wish = self._sent.pop(said["re"])
                self.taken.append(now - sent)
                if said["type"] == "done":
                    self._note(wish)

    def _note(self, wish: dict[str, Any]) -> None:
        if wish["type"] == "say":
            self.said.append(wish["text"])
        elif wish["act"]["act"] == "write":
            self.confirmed = max(self.confirmed, self.written.index(wish["act"]["lines"]))

    async def _speak(self, socket: Any, pause: float, until: asyncio.Event) -> None:
        try:
            while not until.is_set():
                await asyncio.sleep(pause * (0.5 + self.chance.random()))
                if pause >= 3600:
                    continue
                self.number += 1
                wish = self.wish()
                self._sent[self.number] = (time.time(), wish)
                await socket.send(json.dumps({**wish, "id": self.number}))
        finally:
            await socket.close()


async def together(party: Party, address: str, pause: float, seed: int) -> tuple[list[Phone], asyncio.Event, list[Any]]:
    phones = [Phone(party, role, token, seed) for role, token in party.tokens.items()]
    phones += [Phone(party, role, party.screens[role], seed) for role in SCREENS]
    until = asyncio.Event()
    tasks = [
        asyncio.create_task(phone.live(address, pause if phone.role in party.tokens else 0.2, until))
        if phone.role in party.tokens
        else asyncio.create_task(_look_on(phone, address, until))
        for phone in phones
    ]
    return phones, until, tasks


async def _look_on(phone: Phone, address: str, until: asyncio.Event) -> None:
    """A screen: it listens, and says nothing."""
    while not until.is_set():
        with suppress(OSError, websockets.WebSocketException, TimeoutError):
            url = f"ws{address[4:]}/api/parties/{phone.party.id}/live"
            async with websockets.connect(url, open_timeout=5) as socket:
                await socket.send(json.dumps({"type": "join", "token": phone.token}))
                hearing = asyncio.create_task(phone._hear(socket))
                await asyncio.wait({hearing, asyncio.create_task(until.wait())}, return_when=asyncio.FIRST_COMPLETED)
                hearing.cancel()
        await asyncio.sleep(0.05)


def percentile(taken: list[float], part: float) -> float:
    return sorted(taken)[min(len(taken) - 1, int(part * len(taken)))] * 1000


async def measure_phones(seconds: float, seed: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        server = _servers().Server(Path(folder), None)
        server.start()
        await server.answers()
        try:
            party = await asyncio.to_thread(Party, server.address)
            phones, until, tasks = await together(party, server.address, 0.5, seed)
            await asyncio.sleep(2)
            for phone in phones:
                phone.taken.clear()
            await asyncio.sleep(seconds)
            until.set()
            await asyncio.wait(tasks, timeout=5)
        finally:
            server.end()
    taken = [one for phone in phones for one in phone.taken]
    return {
        "phones and screens": len(phones),
        "messages": len(taken),
        "a second": round(len(taken) / seconds),
        "median ms": round(percentile(taken, 0.5), 1),
        "p99 ms": round(percentile(taken, 0.99), 1),
        "longest ms": round(max(taken) * 1000, 1),
    }


async def measure_kills(kills: int, seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    found: dict[str, Any] = {"kills": 0, "confirmed": 0, "lost": 0, "doubled": 0, "worst clock ms": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        server = _servers().Server(Path(folder), None)
        server.start()
        await server.answers()
        try:
            party = await asyncio.to_thread(Party, server.address)
            due = call(server.address, f"/{party.id}/sight", party.screens["clock"])["times"]["due"]["at"]
            phones, until, tasks = await together(party, server.address, 0.15, seed)
            for _ in range(kills):
                await asyncio.sleep(chance.uniform(0.2, 1.0))
                server.kill()
                found["kills"] += 1
                await asyncio.to_thread(server.start)
                await server.answers()
                after = call(server.address, f"/{party.id}/sight", party.screens["clock"])["times"]["due"]["at"]
                found["worst clock ms"] = max(found["worst clock ms"], abs(after - due))
            await asyncio.sleep(1)
            until.set()
            await asyncio.wait(tasks, timeout=10)
            found["worst clock ms"] += 1000 * max(phone.offset for phone in phones)
            state = call(server.address, f"/{party.id}/sight", party.host)["everything"]
            heard = {phone.role: await _heard(server.address, party, phone) for phone in phones if phone.said}
        finally:
            server.end()
    for phone in phones:
        lines = heard.get(phone.role, [])
        found["confirmed"] += len(phone.said) + phone.confirmed + 1
        kept = phone.said[-5:]  # a phone gets the last lines of its room again, not all of them
        found["lost"] += sum(text not in lines for text in kept)
        found["doubled"] += len(lines) - len(set(lines))
        if phone.confirmed >= 0:
            sheet = state["sheets"].get(phone.role)
            found["lost"] += sheet not in phone.written[phone.confirmed :]
    found["worst clock ms"] = round(found["worst clock ms"], 1)
    return found


async def _heard(address: str, party: Party, phone: Phone) -> list[str]:
    """What a phone gets again of its own words when it connects."""
    url, lines = f"ws{address[4:]}/api/parties/{party.id}/live", []
    async with websockets.connect(url) as socket:
        await socket.send(json.dumps({"type": "join", "token": phone.token}))
        with suppress(TimeoutError):
            while True:
                said = json.loads(await asyncio.wait_for(socket.recv(), 0.5))
                if said["type"] == "heard" and said["role"] == phone.role:
                    lines.append(said["text"])
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["phones", "kills"])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    doing = (
        measure_phones(given.seconds, given.seed) if given.what == "phones" else measure_kills(given.kills, given.seed)
    )
    for name, value in asyncio.run(doing).items():
        print(f"{name:>20} {value}")


if __name__ == "__main__":
    main()
