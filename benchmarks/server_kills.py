"""Kills a server again and again at random moments: is a confirmed order ever lost, or carried out twice?

    python benchmarks/server_kills.py [--kills 50] [--tables 8] [--seed 1] [--database postgresql://...] [--two]

Starts its own server (SQLite in a fresh folder by default) with tables of one person against a bot, of two people, and
of three people with fog; when a match ends, another follows. Everyone files without pausing, every sheet has a unique
mark, and some people file twice or chat. The server gets SIGKILL at a random moment, is down for a while, and starts
again on the same port; the people reconnect by themselves. At the end, the record is checked for everything that was
confirmed. With --two there are two servers on one PostgreSQL, and the people are at both; one of them is killed at a
time, and the other takes over its tables.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter, deque
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import websockets

# Longer than a match is waited for: somebody whose order is lost must not be helped by the clock.
CLOCK: dict[str, Any] = {"kind": "turn", "seconds": 40.0}
SOON = 5.0  # seconds in which matches usually go on; then the server is asked again and again,
LOOK = 0.1  # with so many seconds in between,
LOOKS = 250  # and after so many answers a match that still waits is given up: on a slow machine, that takes longer
LAST = 300.0  # seconds for a server that does not even answer
AGAIN = ("limit/rate", "server/unwritten")  # refusals that tell people to try again
IDLE_CLOCK: dict[str, Any] = {"kind": "bank", "seconds": 1000.0}


def lasting_port() -> int:
    """A free port for a server that dies and comes back: the system gives those above 32767 to any connection."""
    while True:
        port = random.SystemRandom().randrange(10_000, 30_000)
        with socket.socket() as trying, suppress(OSError):
            trying.bind(("127.0.0.1", port))
            return port


class Server:
    """`polemos serve` as a process."""

    def __init__(self, folder: Path, database: str | None) -> None:
        self._folder, self._database = folder, database
        self._process: subprocess.Popen[bytes] | None = None
        self.port = lasting_port()
        self.tokens: list[str] = []  # that it has handed out

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "polemos", "serve", "--port", str(self.port), "--no-exhibition", "--no-ladder"]
        command += ["--folder", str(self._folder), "--bot-processes", "0"]  # starting them takes longer than the rest
        command += [] if self._database is None else ["--database", self._database]
        with (self._folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
                env={**os.environ, "PYTHONFAULTHANDLER": "1"},  # see `abort`
            )
        assert self._process.stdout is not None
        line = next((line.decode() for line in self._process.stdout if b"Polemos is at" in line), "")
        assert line, self.log
        self.port = int(line.split()[3].rstrip("/").rpartition(":")[2])

    async def answers(self) -> None:
        while True:
            with suppress(OSError):
                await asyncio.to_thread(get, f"{self.address}/api/me")
                return
            code = None if self._process is None else self._process.poll()
            assert code is None, f"somebody else ended the server (exit code {code}): {self.log}"
            await asyncio.sleep(0.05)

    def kill(self) -> None:
        assert self._process is not None
        if self._process.returncode is None:  # or its number may be that of somebody else
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def abort(self) -> None:
        """Ends a server that hangs. It writes down in its log what each of its threads was doing."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGABRT)
            self._process.wait(30)

    def end(self) -> None:
        self.kill()

    @property
    def log(self) -> str:
        return (self._folder / "server.log").read_text(errors="replace")


class Pair(Server):
    """Two servers on one database. Killing hits one of them, which comes back as another in a new folder.

    So nothing but the end of its lease tells that the old one is dead.
    """

    def __init__(self, folder: Path, database: str, chance: random.Random) -> None:
        super().__init__(folder, database)
        self._chance, self._number = chance, count()
        self._secret = bytes(range(32))
        self._living: list[Server] = []
        self._all: list[Server] = []
        self._ports: list[int] = []  # of those that are dead

    @property
    def address(self) -> str:
        return self._chance.choice(self._living).address

    def start(self) -> None:
        while len(self._living) < 2:
            folder = self._folder / f"server-{next(self._number)}"
            folder.mkdir()
            (folder / "secret").write_bytes(self._secret)
            server = Server(folder, self._database)
            server.port = self._ports.pop() if self._ports else server.port
            server.start()
            self._living.append(server)
            self._all.append(server)

    def kill(self) -> None:
        server = self._living.pop(self._chance.randrange(2))
        server.kill()
        self._ports.append(server.port)

    def abort(self) -> None:
        for server in self._living:
            server.abort()

    def end(self) -> None:
        for server in self._living:
            server.kill()

    @property
    def log(self) -> str:
        return "".join(server.log for server in self._all)


class Person:
    """Someone who keeps filing sheets. `sent` and `acknowledged` are marks by step."""

    def __init__(self, server: Server, seated: dict[str, Any], chance: random.Random, marks: count[int]) -> None:
        self.server, self._chance, self._marks = server, chance, marks
        self.table, self.seat, self.token = seated["table"], seated["seat"], seated["token"]
        server.tokens.append(self.token)
        self.sent: dict[int, list[str]] = {}
        self.acknowledged: dict[int, str] = {}
        self.said: list[str] = []  # confirmed lines of chat
        self.steps = 0
        self.over = False
        self.repeated = 0  # sheets filed again because the server said so
        self.connections = 0
        self.heard = "nothing"  # the last message, in short, unless it was chat,
        self.heard_at = time.monotonic()  # and when
        self.trouble: deque[str] = deque(maxlen=6)  # refusals, and why connections ended
        self._step = -1
        self._waiting: dict[int, tuple[int, str]] = {}  # id of a message: step and mark

    def __str__(self) -> str:
        ago = time.monotonic() - self.heard_at
        return (
            f"{self.table} {self.seat}: at step {self.steps}, filed for step {self._step}, waits for an answer to "
            f"{list(self._waiting.values())}; connected {self.connections} times, heard {self.heard} {ago:.1f} s ago; "
            f"troubles: {list(self.trouble)}"
        )

    async def play(self) -> None:
        """Plays until the match is over, whatever happens to the connection."""
        while not self.over:
            url = f"ws{self.server.address[4:]}/api/tables/{self.table}/live"
            try:
                async with websockets.connect(url, max_size=1 << 24, open_timeout=5) as socket:
                    self.connections += 1
                    self._step = -1
                    self._waiting.clear()
                    await socket.send(json.dumps({"type": "join", "token": self.token}))
                    async for message in socket:
                        await self._hear(socket, json.loads(message))
                self.trouble.append(f"closed with {socket.close_code} {socket.close_reason}")
            except (OSError, websockets.WebSocketException, TimeoutError) as error:
                self.trouble.append(f"{type(error).__name__}: {error}")
            await asyncio.sleep(0.2)

    async def _hear(self, socket: Any, said: dict[str, Any]) -> None:
        if said["type"] != "chat":
            parts = [said["type"], *(f"{key} {said[key]}" for key in ("state", "step", "frames", "re") if key in said)]
            self.heard, self.heard_at = ", ".join(parts), time.monotonic()
        if said["type"] == "refused":
            step, mark = self._waiting.pop(said.get("re") or 0, (-1, ""))
            self.trouble.append(f"refused {mark!r} for step {step}: {said['word']}, {said['why']}")
            if step >= 0 and step == self._step and said["word"] in AGAIN:
                self.repeated += 1
                await asyncio.sleep(said.get("seconds") or 0.5)
                await self._file(socket)
        if said["type"] == "table":
            self.steps = said["frames"] - 1
            self.over = said["card"]["status"] == "over"
            if self.over:
                await socket.close()
        elif said["type"] == "ack" and said["re"] in self._waiting:
            step, mark = self._waiting.pop(said["re"])
            if step < 0:
                self.said.append(mark)
            else:
                self.acknowledged[step] = mark
        elif said["type"] == "sheet" and said["state"] in ("empty", "draft") and said["step"] != self._step:
            self._step = said["step"]
            await self._file(socket)

    async def _file(self, socket: Any) -> None:
        """Files a sheet with a mark, sometimes another one right after it, sometimes with a line of chat."""
        for _ in range(1 + (self._chance.random() < 0.3)):
            await asyncio.sleep(self._chance.random() * 0.02)
            mark = f"mark {next(self._marks)}"
            self.sent.setdefault(self._step, []).append(mark)
            await self._say(socket, self._step, mark, {"type": "file", "lines": [mark], "step": self._step})
        if self._chance.random() < 0.1:
            mark = f"word {next(self._marks)}"
            await self._say(socket, -1, mark, {"type": "say", "text": mark})

    async def _say(self, socket: Any, step: int, mark: str, message: dict[str, Any]) -> None:
        id = next(self._marks)
        self._waiting[id] = step, mark
        await socket.send(json.dumps({**message, "id": id}))


def get(url: str, token: str | None = None) -> Any:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=30) as answer:
        return json.load(answer)


def post(url: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


Wish = tuple[str, list[str], dict[str, str], dict[str, Any]]  # game, people, bots, options
KINDS: list[Wish] = [
    ("demons", ["red"], {"blue": "economist"}, {}),
    ("demons", ["red", "blue"], {}, {}),
    ("monarchs", ["red", "green", "blue"], {}, {"turns": 50}),
]


class Party:
    """People at one table, and at the next one when a match is over."""

    def __init__(self, server: Server, number: int, chance: random.Random, marks: count[int]) -> None:
        self._server, self._wish, self._chance, self._marks = server, KINDS[number % len(KINDS)], chance, marks
        self.people: list[Person] = []  # including those of finished matches

    async def go_on(self) -> None:
        while True:
            with suppress(OSError):  # the server may be down, or have too many tables
                people = await asyncio.to_thread(self._sit_down)
                self.people += people
                await asyncio.gather(*(person.play() for person in people))
            await asyncio.sleep(0.1)

    def _sit_down(self) -> list[Person]:
        game, seats, bots, options = self._wish
        taken = {seats[0]: {"kind": "person"}, **{seat: {"kind": "bot", "bot": bot} for seat, bot in bots.items()}}
        at = f"{self._server.address}/api/tables"
        seated = [post(at, {"game": game, "options": options, "clock": CLOCK, "seats": taken})]
        for seat in seats[1:]:
            seated.append(post(f"{at}/{seated[0]['table']}/seats", {"seat": seat}))
        return [Person(self._server, one, self._chance, self._marks) for one in seated]


def open_idle(server: Server) -> dict[str, Any]:
    """An idle table, to check its clock."""
    seats = {"red": {"kind": "person"}, "blue": {"kind": "bot", "bot": "random"}}
    seated: dict[str, Any] = post(
        f"{server.address}/api/tables", {"game": "demons", "clock": IDLE_CLOCK, "seats": seats}
    )
    return seated


async def clock_of(server: Server, seated: dict[str, Any]) -> float:
    url = f"ws{server.address[4:]}/api/tables/{seated['table']}/live"
    async with websockets.connect(url, max_size=1 << 24) as socket:
        await socket.send(json.dumps({"type": "join", "token": seated["token"]}))
        async for message in socket:
            said = json.loads(message)
            if said["type"] == "clock":
                return float(said["clock"]["left"]["red"])
    raise AssertionError("no clock was sent")


class Count(Counter[str]):
    """The counts: acknowledged, lost, doubled, missed."""


async def run(server: Server, kills: int, tables: int, seed: int, away: float = 0.5) -> Count:
    """Kills the server this many times while people play, and counts."""
    server.start()
    try:
        await server.answers()
        return await _run(server, kills, tables, random.Random(seed), away)
    finally:
        server.end()


async def _run(server: Server, kills: int, tables: int, chance: random.Random, away: float) -> Count:
    marks = count(1)
    parties = [Party(server, number, random.Random(chance.random()), marks) for number in range(tables)]
    playing = [asyncio.create_task(party.go_on()) for party in parties]
    idle = await asyncio.to_thread(open_idle, server)
    began, down = time.monotonic(), 0.0
    found = Count()
    for _ in range(kills):
        await asyncio.sleep(0.05 + chance.random() * 1.2)
        before = {person: person.steps for party in parties for person in party.people if not person.over}
        await asyncio.to_thread(server.kill)
        died = time.monotonic()
        await asyncio.sleep(chance.random() * away)
        await asyncio.to_thread(server.start)
        await server.answers()
        down += time.monotonic() - died
        await _goes_on(server, before, playing)
        found["resumed ms"] = max(found["resumed ms"], int((time.monotonic() - died) * 1000))
        found["kills"] += 1
    found["clock ms"] = int((IDLE_CLOCK["seconds"] - await clock_of(server, idle)) * 1000)
    found["alive ms"] = int((time.monotonic() - began - down) * 1000)
    found["down ms"] = int(down * 1000)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    for party in parties:
        for person in party.people:
            await asyncio.to_thread(_look_for, server, person, found)
    return found


async def _goes_on(server: Server, before: dict[Person, int], playing: list[asyncio.Task[None]]) -> None:
    """Checks that every match goes on after every restart.

    How long that may take is counted in answers of the server, which are as slow as everything else on a busy machine.
    """
    began, answers = time.monotonic(), 0
    while waiting := [person for person, then in before.items() if person.steps <= then and not person.over]:
        for task in playing:
            if task.done():
                task.result()  # an error: they play for ever
        waited = time.monotonic() - began
        if answers >= LOOKS or waited > LAST:
            lines = await asyncio.to_thread(_why, server, waiting, before)
            raise AssertionError("\n".join([f"a match does not go on ({waited:.0f} s, {answers} answers)", *lines]))
        if waited < SOON:
            await asyncio.sleep(0.02)
            continue
        with suppress(OSError):
            await asyncio.to_thread(get, f"{server.address}/api/me")
            answers += 1
        await asyncio.sleep(LOOK)


def _why(server: Server, waiting: list[Person], before: dict[Person, int]) -> list[str]:
    """What is known about people whose match does not go on. The server is ended for it."""
    lines = [f"{len(waiting)} of {len(before)} people wait; load {os.getloadavg()}"]
    for person in waiting:
        try:
            known = json.dumps(get(f"{server.address}/api/tables/{person.table}", person.token))
        except (OSError, ValueError) as error:
            known = f"{type(error).__name__}: {error}"
        lines += [f"- {person}", f"  was at step {before[person]}; the server says {known[:1500]}"]
    server.abort()
    return [*lines, "the log of the server ends with", server.log[-8000:]]


def _look_for(server: Server, person: Person, found: Count) -> None:
    """Checks everything confirmed to one person against the server's record."""
    at = f"{server.address}/api/tables/{person.table}"
    frames: list[dict[str, Any]] = []
    while more := get(f"{at}/frames?from={len(frames)}&to={len(frames) + 200}", person.token):
        frames += more
    orders = {frame["number"] - 1: frame["orders"].get(person.seat, ()) for frame in frames[1:]}
    for step, mark in person.acknowledged.items():
        found["acknowledged"] += 1
        sheets = person.sent[step]
        later = sheets[sheets.index(mark) :]  # a sheet sent later may have replaced it
        is_open = step == len(frames) - 1  # filed, but the step has not been played yet
        found["lost"] += not is_open and not set(later) & set(orders.get(step) or ())
    times = Counter(mark for lines in orders.values() for mark in lines or ())
    found["doubled"] += sum(number - 1 for number in times.values())
    found["missed"] += sum(orders.get(step) is None for step in range(person.steps))  # while they were playing
    found["steps"] += len(frames) - 1
    found["repeated"] += person.repeated
    found["words"] += len(person.said)
    found["words lost"] += _words_lost(server, person)


def _words_lost(server: Server, person: Person) -> int:
    """Lost lines among the last hundred, which are sent to everyone who joins."""
    url = f"ws{server.address[4:]}/api/tables/{person.table}/live"

    async def talk() -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = []
        async with websockets.connect(url, max_size=1 << 24) as socket:
            await socket.send(json.dumps({"type": "join", "token": person.token}))
            with suppress(TimeoutError):
                while True:
                    said = json.loads(await asyncio.wait_for(socket.recv(), 0.3))
                    lines += [said] if said["type"] == "chat" else []
        return lines

    heard = asyncio.run(talk())
    numbers = [line["number"] for line in heard]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else True
    texts = [line["text"] for line in heard]
    whole = len(texts) < 100
    return sum(mark not in texts for mark in person.said) if whole else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default=None)
    parser.add_argument("--two", action="store_true", help="two servers on one PostgreSQL")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), given.database)
        if given.two:
            server = Pair(Path(folder), given.database, random.Random(given.seed))
        found = asyncio.run(run(server, given.kills, given.tables, given.seed))
        noted = [line for line in server.log.splitlines() if "ERROR" in line or "Traceback" in line]
    print(f"{found['kills']} kills, {given.tables} tables, {found['steps']} steps seen by their people")
    print(f"confirmed sheets {found['acknowledged']}, lost {found['lost']}, carried out twice {found['doubled']}")
    print(f"confirmed chat lines {found['words']}, lost {found['words lost']}; turns missed {found['missed']}")
    print(f"sheets filed again after a refusal {found['repeated']}")
    print(
        f"the server was down for {found['down ms'] / 1000:.1f} s and up for {found['alive ms'] / 1000:.1f} s; "
        f"the clock of a waiting player ran for {found['clock ms'] / 1000:.1f} s"
    )
    print(f"at the latest {found['resumed ms'] / 1000:.1f} s after a kill, every match had gone on")
    print(f"errors in the log: {len(noted)}")


if __name__ == "__main__":
    main()
