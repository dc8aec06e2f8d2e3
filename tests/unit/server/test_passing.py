"""Connections that are passed to the process that owns their table, and what happens if they can't be."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException

from polemos.server.cluster import passing
from polemos.server.cluster.membership import Member
from polemos.server.cluster.passing import Passing
from polemos.server.metrics import HANDED_OVER, PASSED
from unit.server.postgres import Postgres
from unit.server.serving import PATIENT, Person, Server, Web, dial, run, wait_for
from unit.server.test_operators import certificate

TURN = {"kind": "turn", "seconds": 600.0}
HOST = "127.0.0.1"
# "join" as a spectator, as a client sends it: the last byte of the head says that a mask follows, which is zero here.
JOIN = b'{"type":"join","id":1}'
FRAME = bytes([0x81, 0x80 | len(JOIN), 0, 0, 0, 0]) + JOIN
UPGRADE = (
    "GET /api/tables/{table}/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class Count:
    """How often something was counted since."""

    def __init__(self, of: Any) -> None:
        self._of, self._before = of, of._value.get()

    @property
    def times(self) -> int:
        return int(self._of._value.get() - self._before)


def make_server(path: Path, database: str, **settings: Any) -> Server:
    path.mkdir()
    (path / "secret").write_bytes(bytes(range(32)))
    (path / "secret").chmod(0o600)
    return Server(path, database, **settings)


def know_each_other(*servers: Server) -> None:
    others = len(servers) - 1
    wait_for(lambda: all(len(server.app.state.company.member.others) == others for server in servers))


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine the other process, which is a thread here, may take its time to answer."""
    monkeypatch.setattr(passing, "PATIENCE", PATIENT)
    monkeypatch.setattr(passing, "REST", PATIENT)


@pytest.fixture
def database(cluster: Postgres) -> str:
    return cluster.new()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def two(tmp_path: Path, database: str, stack: ExitStack) -> tuple[Server, Server]:
    """Two servers that know each other."""
    a, b = (stack.enter_context(make_server(tmp_path / name, database)) for name in "ab")
    know_each_other(a, b)
    return a, b


def opened(server: Server) -> tuple[dict[str, Any], dict[str, Any]]:
    """A table of red and blue, opened at one server."""
    with Web(server.address) as web:
        red = web.open("skerries", people=["red"], clock=TURN)
        return red, web.take(red["table"], "blue")


def sit(stack: ExitStack, server: Server, seated: dict[str, Any]) -> Person:
    return stack.enter_context(Person(server.address, seated["table"], seated["token"]))


def passing_of(server: Server) -> Passing:
    found: Passing = server.app.state.handover.passing
    return found


def play(*people: Person) -> None:
    step = people[0].step
    for person in people:
        person.file([f"step {step}"])
    for person in people:
        person.wait_for_step(step + 1)


def inside(server: Server) -> int:
    return server.door._inside[HOST]


# ---- passed


def test_a_connection_is_passed_to_the_owner_and_goes_on_without_the_other(
    tmp_path: Path, database: str, stack: ExitStack
) -> None:
    a = stack.enter_context(make_server(tmp_path / "a", database))
    with make_server(tmp_path / "b", database) as b:
        know_each_other(a, b)
        at_red, at_blue = opened(a)
        red = sit(stack, a, at_red)
        passed, handed_over = Count(PASSED), Count(HANDED_OVER)
        blue = sit(stack, b, at_blue)
        wait_for(lambda: (passed.times, handed_over.times) == (1, 1))
        wait_for(lambda: (inside(a), inside(b)) == (2, 0))
        play(red, blue)
    play(red, blue)


def test_a_stranger_to_the_table_is_passed_too(two: tuple[Server, Server], stack: ExitStack) -> None:
    """Nobody has asked the second server about this table before, so it looks for the owner."""
    a, b = two
    at_red, _ = opened(a)
    passed = Count(PASSED)
    spectator = stack.enter_context(Person(b.address, at_red["table"]))
    assert spectator.state["you"] is None
    wait_for(lambda: passed.times == 1)


def test_nothing_that_came_meanwhile_is_lost(
    two: tuple[Server, Server], stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = two
    at_red, _ = opened(a)
    asked, answer = asyncio.Event(), asyncio.Event()
    is_ours = passing_of(a)._is_ours

    async def slowly(id: str) -> bool:
        asked.set()
        await answer.wait()
        return await is_ours(id)

    monkeypatch.setattr(passing_of(a), "_is_ours", slowly)
    passed = Count(PASSED)
    with socket.create_connection((HOST, b.port), timeout=PATIENT) as client:
        client.sendall(UPGRADE.format(table=at_red["table"]).encode())
        wait_for(asked.is_set)
        client.sendall(FRAME)
        a.app.state.company.member._loop.call_soon_threadsafe(answer.set)
        heard = b""
        while b'"type":"table"' not in heard:
            more = client.recv(65536)
            assert more, heard
            heard += more
    assert heard.startswith(b"HTTP/1.1 101 ")
    wait_for(lambda: passed.times == 1)  # the giver may count it after the taker has answered


def test_a_connection_is_passed_once(
    tmp_path: Path, two: tuple[Server, Server], database: str, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the table is elsewhere when it arrives, its messages are carried."""
    a, b = two
    c = stack.enter_context(make_server(tmp_path / "c", database))
    know_each_other(a, b, c)
    at_red, at_blue = opened(a)

    async def was_ours(id: str) -> bool:
        return True

    member = c.app.state.company.member
    b.app.state.handover._known[at_blue["table"]] = Member(member.id, member.address)
    monkeypatch.setattr(passing_of(c), "_is_ours", was_ours)
    passed, handed_over = Count(PASSED), Count(HANDED_OVER)
    blue = sit(stack, b, at_blue)
    wait_for(lambda: (passed.times, handed_over.times) == (1, 2))
    wait_for(lambda: inside(c) == 1)
    play(sit(stack, a, at_red), blue)


# ---- not passed


def unsupported(a: Server, b: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passing, "_SUPPORTED", False)


def on_another_machine(a: Server, b: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passing_of(b), "_name", lambda address: b"\0polemos-nobody")


def not_open_yet(a: Server, b: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passing_of(a), "adopter", None)


def full(a: Server, b: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(a.door, "_own", 0)


def moved_away(a: Server, b: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async def no(id: str) -> bool:
        return False

    monkeypatch.setattr(passing_of(a), "_is_ours", no)


def silent(a: Server, b: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(id: str) -> bool:
        await asyncio.sleep(10 * PATIENT)
        return True

    monkeypatch.setattr(passing, "PATIENCE", 0.2)
    monkeypatch.setattr(passing_of(a), "_is_ours", never)


def broken(a: Server, b: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(scope: Any, connection: int, head: bytes) -> bool:
        raise RuntimeError("nobody expects this")

    monkeypatch.setattr(b.app.state.handover, "pass_on", fails)


@pytest.mark.parametrize("why", [unsupported, on_another_machine, not_open_yet, full, moved_away, silent, broken])
def test_otherwise_its_messages_are_carried(
    two: tuple[Server, Server], stack: ExitStack, monkeypatch: pytest.MonkeyPatch, why: Any
) -> None:
    a, b = two
    at_red, at_blue = opened(a)
    red = sit(stack, a, at_red)
    why(a, b, monkeypatch)
    passed, handed_over = Count(PASSED), Count(HANDED_OVER)
    blue = sit(stack, b, at_blue)
    wait_for(lambda: (passed.times, handed_over.times) == (0, 1))
    wait_for(lambda: inside(b) == 1)
    play(red, blue)
    blue.close()
    wait_for(lambda: inside(b) == 0)


def test_a_process_that_does_not_answer_is_not_asked_for_a_while(
    two: tuple[Server, Server], stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = two
    _, at_blue = opened(a)
    silent(a, b, monkeypatch)
    sit(stack, b, at_blue)
    asked: list[str] = []
    monkeypatch.setattr(passing_of(a), "_is_ours", asked.append)
    sit(stack, b, at_blue)
    assert asked == []


def test_carried_messages_end_when_the_owner_is_declared_dead(
    two: tuple[Server, Server], stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may only be paused, so that its connections stay open."""
    a, b = two
    _, at_blue = opened(a)
    unsupported(a, b, monkeypatch)
    blue = sit(stack, b, at_blue)
    loop, handover = b.app.state.company.member._loop, b.app.state.handover
    monkeypatch.setattr(b.app.state.company.member, "_look", lambda connection: None)
    for _ in range(2):  # the second look decides
        loop.call_soon_threadsafe(handover.cut_dead_lines, frozenset())
    with pytest.raises(ConnectionClosed) as closed:
        blue.until(lambda: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012


def test_an_encrypted_connection_stays_where_it_is(tmp_path: Path, database: str, stack: ExitStack) -> None:
    cert, key = certificate(tmp_path, "first")
    a = stack.enter_context(make_server(tmp_path / "a", database))
    b = stack.enter_context(make_server(tmp_path / "b", database, tls_cert=cert, tls_key=key))
    know_each_other(a, b)
    at_red, _ = opened(a)
    passed, handed_over = Count(PASSED), Count(HANDED_OVER)
    context = ssl.create_default_context(cafile=cert)
    with dial(f"wss://{HOST}:{b.port}/api/tables/{at_red['table']}/live", ssl=context) as client:
        client.send(json.dumps({"type": "join", "token": at_red["token"], "id": 1}))
        assert "refused" not in str(client.recv(timeout=PATIENT))
        wait_for(lambda: (passed.times, handed_over.times) == (0, 1))


def test_if_the_owner_dies_with_it_the_client_connects_again(
    two: tuple[Server, Server], stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = two
    at_red, at_blue = opened(a)
    adopter = passing_of(a).adopter
    assert adopter is not None

    async def dies(connection: socket.socket, head: bytes) -> None:
        connection.close()

    with monkeypatch.context() as dying:
        dying.setattr(adopter, "adopt", dies)
        with pytest.raises((WebSocketException, OSError)):
            sit(stack, b, at_blue)
    play(sit(stack, a, at_red), sit(stack, b, at_blue))


# ---- strangers


class Adopter:
    """Notes what it was given."""

    def __init__(self) -> None:
        self.heads: list[bytes] = []

    def has_room(self, connection: socket.socket) -> bool:
        return True

    async def adopt(self, connection: socket.socket, head: bytes) -> None:
        self.heads.append(head)
        connection.close()


async def yes(id: str) -> bool:
    return True


@pytest.mark.parametrize("secret", [b"the same", b"another"])
def test_both_sides_must_know_the_secret(secret: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if a stranger has found out the name, which others on the machine can see."""
    monkeypatch.setattr(Passing, "_name", lambda self, address: b"\0polemos-test-%d-" % os.getpid() + address.encode())
    adopter = Adopter()

    async def give() -> bool:
        taker, giver = Passing(b"the same", yes), Passing(secret, yes)
        taker.adopter = adopter
        taker.listen(f"strangers {secret!r}")
        ours, theirs = socket.socketpair()
        with ours, theirs:
            given = await giver.give(f"strangers {secret!r}", "0123456789ab", ours.fileno(), b"head")
            ours.close()
            theirs.settimeout(PATIENT)
            assert await asyncio.to_thread(theirs.recv, 1) == b"", "nobody has kept it"
        await taker.close()
        return given

    known = secret == b"the same"
    assert run(give()) == known
    assert adopter.heads == ([b"head"] if known else [])


def test_the_giver_tells_nothing_to_a_taker_that_does_not_know_the_secret() -> None:
    """It took the name of a process that has ended."""
    giver = Passing(b"the secret", yes)
    heard: list[bytes] = []

    async def give() -> bool:
        with passing._unix_socket() as stranger, socket.socket() as connection:
            stranger.bind(giver._name("ended"))
            stranger.listen()
            loop = asyncio.get_running_loop()
            giving = asyncio.create_task(giver.give("ended", "0123456789ab", connection.fileno(), b"head"))
            caller, _ = await loop.sock_accept(stranger)
            with caller:
                await loop.sock_sendall(caller, bytes(32))
                heard.append(await loop.sock_recv(caller, 1000))
                await loop.sock_sendall(caller, heard[0][32:])  # its own proof, sent back
                given = await giving
                heard.append(await loop.sock_recv(caller, 1000))
                return given

    assert run(give()) is False
    assert len(heard[0]) == 64
    assert heard[1] == b""
