"""A server for tests, and people at its tables who note every byte that they are sent."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from polemos.server import connections
from polemos.server.app import make_app
from polemos.server.settings import Settings
from polemos.server.tables.hall import Hall

R = TypeVar("R")
PATIENT = 60.0  # seconds; a busy machine may be slow, and may stand still for a while
LONG_AGO = 86400.0  # seconds; no clock in a test has as many
PASSING = ("date", "server", "x-request-id")  # headers that say nothing about a table


def dial(url: str, **how: Any) -> ClientConnection:
    """A socket that may take its time to open, and is not asked meanwhile whether anybody is still there."""
    made: ClientConnection = connect(url, **{"open_timeout": PATIENT, "ping_interval": None, **how})
    return made


class Server:
    """The application behind a real port, in a thread of this process."""

    def __init__(self, folder: Path, database: str | None = None, **settings: Any) -> None:
        self.settings = Settings(
            folder=folder,
            database=database,
            **{"limits": 1000.0, "exhibition": False, "bot_processes": 0, "ladder": False, **settings},
        )
        self.app = make_app(self.settings)
        listening = socket.socket(proto=socket.IPPROTO_TCP)  # without delay, see `polemos serve`
        listening.bind(("127.0.0.1", 0))
        self.port: int = listening.getsockname()[1]
        self.door = connections.door(self.settings)
        requests, sockets = connections.guarded(self.door, self.app)
        config = uvicorn.Config(
            self.app,
            http=requests,
            ws=sockets,
            log_config=None,
            ws_max_size=1 << 20,
            lifespan="on",
            timeout_graceful_shutdown=2,
            proxy_headers=False,
            ssl_certfile=self.settings.tls_cert,
            ssl_keyfile=self.settings.tls_key,
        )
        self._server = connections.Adopting(config, self.app, self.door)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()
        wait_for(lambda: self._server.started or not self._thread.is_alive())
        assert self._server.started, "the server has not started"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def hall(self) -> Hall:
        found: Hall = self.app.state.hall
        return found

    def within(self, doing: Coroutine[Any, Any, R]) -> R:
        """Does something where the server runs: its tables are not made for other threads."""
        assert self.hall._resuming is not None
        return asyncio.run_coroutine_threadsafe(doing, self.hall._resuming.get_loop()).result(2 * PATIENT)

    def forget(self, table: str) -> None:
        """As if a table had left memory."""

        async def forgetting() -> None:
            del self.hall.keepers[table]

        self.within(forgetting())

    def ring(self, table: str) -> None:
        """Ends the time of those whose clocks run at a table. So nobody waits for it, and nobody is late before."""

        async def ringing() -> None:
            keeper = self.hall.keepers[table]
            async with keeper._lock:  # an act that is under way is carried out at a copy
                since = keeper.table.clocks._since
                since.update({seat: at - LONG_AGO for seat, at in since.items()})
            keeper.wake()

        self.within(ringing())

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENT)
        assert not self._thread.is_alive()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


def lasting_port() -> int:
    """A free port for a server that dies and comes back: the system gives those above 32767 to any connection."""
    while True:
        port = random.SystemRandom().randrange(10_000, 30_000)
        with socket.socket() as trying, suppress(OSError):
            trying.bind(("127.0.0.1", port))
            return port


class Process:
    """`polemos serve` as a process that can be killed and started again at the same address."""

    def __init__(self, folder: Path, database: str | None = None, *words: str) -> None:
        self.folder, self.database, self.words = folder, database, words
        self.port = lasting_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"{'https' if '--tls-cert' in self.words else 'http'}://127.0.0.1:{self.port}"

    def start(self) -> None:
        database = () if self.database is None else ("--database", self.database)
        command = [sys.executable, "-m", "polemos", "serve", "--port", str(self.port), "--no-exhibition"]
        if "--bot-processes" not in self.words:
            command += ["--bot-processes", "0"]  # starting them takes longer than most tests
        if "--ladder" not in self.words:
            command += ["--no-ladder"]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--folder", str(self.folder), *database, *self.words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        assert self.process.stdout is not None
        line = next((line.decode() for line in self.process.stdout if b"Polemos is at" in line), "")
        assert line, self.log
        self.port = int(line.split()[3].rstrip("/").rpartition(":")[2])
        wait_for(self._answers)

    def _answers(self) -> bool:
        with suppress(httpx.HTTPError):
            return httpx.get(f"{self.address}/api/games/skerries", timeout=10, verify=False).status_code == 200
        return False

    @property
    def log(self) -> str:
        return (self.folder / "server.log").read_text(errors="replace")

    def kill(self) -> None:
        """As a power cut would."""
        assert self.process is not None
        if self.process.returncode is None:  # or its number may be that of somebody else
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()


def run(doing: Coroutine[Any, Any, R]) -> R:
    """Runs it in a thread of its own: a browser in the same process has an event loop going in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, doing).result()


def wait_for(condition: Callable[[], Any], seconds: float = PATIENT) -> Any:
    """What the condition gives as soon as it gives something."""
    until = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.01)
    return found


class Web:
    """A browser or program that speaks to the server over HTTP; a browser has a cookie and knows the token."""

    def __init__(self, address: str, *, browser: bool = False, headers: Mapping[str, str] | None = None) -> None:
        self.address = address
        sent = {name.encode(): value.encode("latin-1") for name, value in (headers or {}).items()}
        # Nothing here is encrypted, and reading certificates takes a while.
        self.client = httpx.Client(base_url=address, timeout=2 * PATIENT, headers=sent, verify=False)
        self.raw: list[bytes] = []  # all that was received
        if browser:
            self.client.headers["X-CSRF-Token"] = self.get("/api/me").json()["csrf"]

    def get(self, path: str, token: str | None = None, **how: Any) -> httpx.Response:
        return self.ask("GET", path, token, **how)

    def post(self, path: str, body: object = None, token: str | None = None, **how: Any) -> httpx.Response:
        return self.ask("POST", path, token, **({"json": body} if body is not None else {}), **how)

    def ask(self, method: str, path: str, token: str | None = None, **how: Any) -> httpx.Response:
        given = {**({} if token is None else {"Authorization": f"Bearer {token}"}), **how.pop("headers", {})}
        headers = {name: value.encode("latin-1") for name, value in given.items()}
        answer = self.client.request(method, path, headers=headers, **how)
        head = "\n".join(f"{name}: {value}" for name, value in answer.headers.items() if name not in PASSING)
        self.raw.append(head.encode() + b"\n" + answer.content)
        return answer

    def sign_in(self, name: str, password: str = "correct horse", *, new: bool = True) -> dict[str, Any]:
        """Makes the account, or uses it."""
        answer = self.post("/api/accounts" if new else "/api/session", {"name": name, "password": password})
        assert answer.is_success, answer.text
        me: dict[str, Any] = answer.json()
        self.client.headers["X-CSRF-Token"] = me["csrf"]
        return me

    def open(self, game: str, **wish: Any) -> dict[str, Any]:
        """A table; bots are given as `bots={seat: name}`, persons as `people=[seat]`."""
        seats = {seat: {"kind": "bot", "bot": bot} for seat, bot in wish.pop("bots", {}).items()}
        seats |= {seat: {"kind": "person"} for seat in wish.pop("people", ())}
        seats |= wish.pop("seats", {})
        answer = self.post("/api/tables", {"game": game, "seats": seats, **wish})
        assert answer.status_code == 201, answer.text
        return answer.json()  # type: ignore[no-any-return]

    def take(self, table: str, seat: str, name: str = "") -> dict[str, Any]:
        answer = self.post(f"/api/tables/{table}/seats", {"seat": seat, "name": name})
        assert answer.status_code == 201, answer.text
        return answer.json()  # type: ignore[no-any-return]

    def close(self) -> None:
        self.client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class Refused(AssertionError):
    """The table did not do it."""

    def __init__(self, said: dict[str, Any]) -> None:
        super().__init__(said["why"])
        self.said = said


class Person:
    """Somebody at a table, by its socket. `state`, `sheet` and `clock` are what was said last."""

    def __init__(
        self, address: str, table: str, token: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        self.table, self.token = table, token
        self.raw: list[bytes] = []
        self.heard: list[dict[str, Any]] = []
        self.frames: dict[int, dict[str, Any]] = {}
        self.talk: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}
        self.sheet: dict[str, Any] = {}
        self.clock: dict[str, Any] = {}
        self._id = 0
        url = f"ws{address[4:]}/api/tables/{table}/live"
        self._open = ExitStack()
        self.socket: ClientConnection = self._open.enter_context(
            dial(url, max_size=1 << 24, additional_headers=headers)
        )
        with suppress(ConnectionClosed):  # what was said before the end is still heard
            self.send({"type": "join", "token": token})
        self.until(lambda: self.clock and (self.state["you"] is None or self.sheet))

    # ---- speaking

    def send(self, message: object) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Says something and waits for its answer, which has come with all that was said before."""
        self._id += 1
        id = self._id
        self.send({"type": kind, "id": id, **fields})
        return self.answer(id)

    def answer(self, id: int) -> dict[str, Any]:
        found: dict[str, Any] = self.until(
            lambda: next((said for said in reversed(self.heard) if said.get("re") == id), None)
        )
        if found["type"] == "refused":
            raise Refused(found)
        return found

    def file(self, lines: Sequence[Any] = (), step: int | None = None) -> dict[str, Any]:
        return self.ask("file", lines=list(lines), step=self.step if step is None else step)

    def act(self, what: str) -> dict[str, Any]:
        return self.ask("act", what=what)

    # ---- listening

    @property
    def step(self) -> int:
        frames: int = self.state["frames"]
        return frames - 1

    @property
    def status(self) -> str:
        status: str = self.state["card"]["status"]
        return status

    @property
    def may(self) -> list[str]:
        may: list[str] = self.state["may"]
        return may

    def seat(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = next(seat for seat in self.state["card"]["seats"] if seat["seat"] == name)
        return found

    def until(self, condition: Callable[[], Any], seconds: float = PATIENT) -> Any:
        """Listens until something is the case, and gives it."""
        end = time.monotonic() + seconds
        while not (found := condition()):
            left = end - time.monotonic()
            assert left > 0, f"it did not happen; last heard: {[said['type'] for said in self.heard[-8:]]}"
            with suppress(TimeoutError):
                self._hear(self.socket.recv(timeout=left, decode=False))
        return found

    def listen(self, seconds: float = 0.15) -> None:
        """Whatever comes until nothing has come for so long, from a server that is not too busy to say anything.

        So it is asked something before and after, which is always refused. That is not among what was heard.
        """
        with suppress(ConnectionClosed):
            came = True
            while came:
                self._knock()
                before = len(self.heard)
                with suppress(TimeoutError):
                    while True:
                        self._hear(self.socket.recv(timeout=seconds, decode=False))
                self._knock()
                came = len(self.heard) > before

    def _knock(self) -> None:
        """Messages keep their order: when this is answered, all that was said before has come."""
        self._id += 1
        with suppress(ConnectionClosed):  # then what came before the end is still there to be read
            self.send({"type": "join", "id": self._id})
        self.until(lambda: self.heard and self.heard[-1].get("re") == self._id)
        del self.raw[-1], self.heard[-1]

    def wait_for_step(self, step: int, seconds: float = PATIENT) -> None:
        self.until(lambda: self.step >= step or self.status == "over", seconds)

    def _hear(self, raw: bytes) -> None:
        self.raw.append(raw)
        said = json.loads(raw)
        self.heard.append(said)
        match said["type"]:
            case "table":
                self.state = said
            case "sheet":
                self.sheet = said
            case "clock":
                self.clock = said["clock"]
            case "chat":
                self.talk.append(said)
            case "frame":
                self.frames[said["frame"]["number"]] = said["frame"]
            case "refused" if not self.state:
                raise Refused(said)

    def close(self) -> None:
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
