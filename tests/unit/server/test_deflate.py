"""Compression on sockets: the same for everyone, by any window that a client wants, and readable by any client."""

from __future__ import annotations

import json
import zlib
from typing import Any

import pytest
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from polemos.server import deflate
from unit.server.serving import Server, Web

LONG = b"the same words over and over " * 400


def read(data: bytes, window: int) -> bytes:
    return zlib.decompressobj(wbits=-window).decompress(data + b"\x00\x00\xff\xff")


def test_a_message_to_many_is_compressed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []
    squeeze = deflate._compressed

    def counted(message: bytes, window: int) -> bytes:
        made.append(message)
        return squeeze(message, window)

    monkeypatch.setattr(deflate, "_compressed", counted)
    kept = deflate.Kept()
    assert {kept.compressed(LONG) for _ in range(1000)} == {squeeze(LONG, 15)}
    assert made == [LONG]


def test_little_is_kept() -> None:
    kept = deflate.Kept(most=10_000)
    for number in range(1000):
        kept.compressed(b"%d " % number * 300)
        assert kept._size == sum(len(a) + len(b) for a, b in kept._kept.items()) <= 10_000


@pytest.mark.parametrize("window", [9, 12, 15])
def test_clients_choose_the_window(window: int) -> None:
    factory = deflate.Factory(deflate.Kept())
    answer, agreed = factory.process_request_params([("server_max_window_bits", str(window))], [])
    assert ("server_no_context_takeover", None) in answer
    frame = agreed.encode(Frame(Opcode.TEXT, LONG))
    assert frame.rsv1
    assert len(frame.data) < len(LONG) / 10
    assert read(bytes(frame.data), window) == LONG


def test_short_messages_and_pings_stay_as_they_are() -> None:
    _, agreed = deflate.Factory(deflate.Kept()).process_request_params([], [])
    for frame in (Frame(Opcode.TEXT, b"{}"), Frame(Opcode.PING, b"x" * 125)):
        assert agreed.encode(frame) is frame


@pytest.mark.parametrize(
    "how", [{}, {"compression": None}, {"extensions": [ClientPerMessageDeflateFactory(server_max_window_bits=9)]}]
)
def test_any_client_can_read_it(small_server: Server, how: dict[str, Any]) -> None:
    with Web(small_server.address) as web:
        seated = web.open("skerries", people=["red"], bots={"blue": "random"})
    address = f"ws{small_server.address[4:]}/api/tables/{seated['table']}/live"
    with connect(address, max_size=1 << 22, **how) as socket:
        socket.send(json.dumps({"type": "join", "token": seated["token"], "id": 1}))
        said = [str(socket.recv(15)) for _ in range(3)]
    assert [text[:15] for text in said] == ['{"type":"table"', '{"type":"clock"', '{"type":"sheet"']
