"""Half-sent requests, and more connections than there is room for."""

from __future__ import annotations

import asyncio
import http.client
import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from polemos.server import connections
from polemos.server.connections import Door, Quiet
from unit.server.serving import PATIENT, Person, Server, Web, wait_for

SHORT = 0.8  # seconds for a head or a body; a request that is sent at once is there sooner on any machine
HEAD = b"GET /api/games HTTP/1.1\r\nHost: x\r\n"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(connections, "HEAD", SHORT)
    monkeypatch.setattr(connections, "BODY", SHORT)
    with Server(tmp_path) as running:
        yield running


def line_to(server: Server, said: bytes = b"") -> socket.socket:
    made = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENT)
    made.sendall(said)
    return made


def answer(line: socket.socket) -> bytes:
    """Everything until the connection ends."""
    found = b""
    while more := line.recv(65536):
        found += more
    return found


def is_refused(server: Server) -> bool:
    """Whether a new connection ends at once."""
    with line_to(server) as line, suppress(ConnectionResetError):
        return line.recv(1) == b""
    return True


@pytest.mark.parametrize("said", [b"", b"GET /api", HEAD, HEAD + b"X-More: 1"])
def test_a_head_must_arrive_in_time(server: Server, said: bytes) -> None:
    with line_to(server, said) as line:
        assert answer(line).startswith(b"HTTP/1.1 408 ")


def test_a_body_must_arrive_in_time(server: Server) -> None:
    head = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    with line_to(server, head) as line:
        assert b" 201 " not in answer(line)


def test_the_next_head_must_arrive_in_time_too(server: Server) -> None:
    with line_to(server, HEAD + b"\r\n") as line:
        first = http.client.HTTPResponse(line)
        first.begin()
        assert first.status == 200
        first.read()
        line.sendall(HEAD)
        assert b"HTTP/1.1 408 " in answer(line)


def test_whole_requests_and_sockets_may_take_their_time(server: Server) -> None:
    with Web(server.address) as web:
        seated = web.open("skerries", people=["red"], bots={"blue": "random"})
        with Person(server.address, seated["table"], seated["token"]) as ann:
            ann.listen(2 * SHORT)
            assert ann.file()["type"] == "ack"


def test_one_address_has_so_many_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_OWN", 0.006)  # times the limits of the server, which are a thousand
    with Server(tmp_path) as server, ExitStack() as stack:
        lines = [stack.enter_context(line_to(server, b"GET")) for _ in range(6)]
        wait_for(lambda: server.door._inside["127.0.0.1"] == 6)
        assert is_refused(server)
        for line in lines[:3]:
            line.close()
        wait_for(lambda: server.door._inside["127.0.0.1"] == 3)
        with Web(server.address) as web:
            seated = web.open("skerries", people=["red"], bots={"blue": "random"})
            with Person(server.address, seated["table"], seated["token"]):
                assert server.door._inside["127.0.0.1"] == 5
        wait_for(lambda: server.door._inside["127.0.0.1"] == 3)


def test_networks_and_proxies(caplog: pytest.LogCaptureFixture) -> None:
    door = Door(2, 6, lambda host: host == "10.0.0.1")
    assert [door.enter(f"2001:db8::{number}") for number in range(3)] == [True, True, False]
    assert [door.enter("10.0.0.1") for _ in range(5)] == [True, True, True, True, False], "the server is full"
    door.leave("2001:db8::9")
    assert door.enter("192.0.2.1")
    refused = [record for record in caplog.records if "refused" in record.getMessage()]
    assert len(refused) == 1, "only one of the refusals is logged"


def test_running_out_of_files_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    handler, loop = Quiet(), asyncio.new_event_loop()
    caplog.set_level(logging.ERROR)
    for _ in range(1000):
        handler(loop, {"message": "socket.accept() out of system resource", "exception": OSError(24, "Too many")})
    assert len(caplog.records) == 1
    handler(loop, {"message": "something else"})
    assert len(caplog.records) == 2
    loop.close()
