"""A server that stops finishes what it has begun, tells everyone when to come back, and goes on where it stopped."""

from __future__ import annotations

import json
import signal
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from polemos.server.tables import judging as tables_judging
from unit.server.serving import Person, Process, Server, Web, dial, run, wait_for

CLOCK = {"kind": "turn", "seconds": 600}
pytestmark = pytest.mark.slow
DUEL = {"people": ["red"], "bots": {"blue": "random"}, "options": {"turns": 40}}


def rest_of(socket: ClientConnection) -> list[dict[str, Any]]:
    """Everything until the connection ends."""
    heard = []
    with suppress(ConnectionClosed):
        while True:
            heard.append(json.loads(socket.recv(timeout=60)))
    return heard


def stop(process: Process) -> None:
    assert process.process is not None
    process.process.send_signal(signal.SIGTERM)
    process.process.wait(60)
    assert process.process.stdout is not None
    process.process.stdout.close()


def test_everyone_is_told_when_to_come_back(tmp_path: Path, database: str | None) -> None:
    with Process(tmp_path, database, "--retry-seconds", "2") as process, Web(process.address) as web:
        seated = web.open("skerries", **DUEL)
        program = web.open("skerries", seats={"red": {"kind": "program"}}, bots={"blue": "random"}, clock=CLOCK)
        taken = web.take(program["table"], "red", "first")
        with (
            dial(f"ws{process.address[4:]}/api/bots/{taken['table']}/{taken['token']}") as bot,
            Person(process.address, seated["table"], seated["token"]) as ann,
            Person(process.address, seated["table"]) as eve,
        ):
            bot.recv(timeout=60)
            ann.send({"type": "file", "id": 77, "lines": [], "step": 0})
            stop(process)
            heard = rest_of(ann.socket)
            for person, last in ((ann, heard[-1]), (eve, rest_of(eve.socket)[-1])):
                assert last["type"] == "restarting"
                assert 2 <= last["seconds"] <= 4
                assert person.socket.close_code == 1012
                reason = f"The server is restarting. Connect again in {last['seconds']:g} s."
                assert person.socket.close_reason == reason
            answers = [said["type"] for said in heard if said.get("re") == 77]
            rest_of(bot)
            assert bot.close_code == 1012
        errors = [line for line in process.log.splitlines() if "ERROR" in line]
        assert not [line for line in errors if "timeout graceful shutdown exceeded" not in line], "but for slow clients"
        process.start()
        with Person(process.address, seated["table"], seated["token"]) as ann:
            filed = ann.step > 0 or ann.sheet["state"] == "filed"
            assert filed == (answers == ["ack"]), "acknowledged if and only if it is there"
            if not filed:
                ann.file([])
            ann.wait_for_step(1)


def test_an_act_that_has_begun_is_confirmed_before_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is slow; the server is told to stop in the middle of a write."""
    server = Server(tmp_path)
    writing, may_write = threading.Event(), threading.Event()
    commit = server.hall.ledger._commit

    def slowly(batch: Any) -> None:
        if any("acts" in str(statement) for write in batch for statement in write.statements):
            writing.set()
            may_write.wait(60)
        commit(batch)

    with Web(server.address) as web:
        seated = web.open("skerries", people=["red"], clock=CLOCK)
        web.take(seated["table"], "blue")
    with Person(server.address, seated["table"], seated["token"]) as ann:
        monkeypatch.setattr(server.hall.ledger, "_commit", slowly)
        ann.send({"type": "file", "id": 77, "lines": [], "step": 0})
        assert writing.wait(60)
        keeper = server.hall.keepers[seated["table"]]
        stopping = threading.Thread(target=run, args=(_goodbye(server),))
        stopping.start()
        wait_for(lambda: keeper._closed)
        may_write.set()
        heard = rest_of(ann.socket)
        stopping.join(60)
    said = [message["type"] for message in heard if message.get("re") == 77 or message["type"] == "restarting"]
    assert said == ["ack", "restarting"]
    with dial(f"ws{server.address[4:]}/api/tables/{seated['table']}/live") as late:
        assert [said["word"] for said in rest_of(late)] == ["server/restarting"]
        assert late.close_code == 1012
    server.stop()


def test_what_was_filed_is_confirmed_even_while_its_sheet_is_still_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Confirmations come after the sheet of the new position, which a thread judges; the server stops meanwhile."""
    server = Server(tmp_path)
    judging, may_judge = threading.Event(), threading.Event()
    judged = tables_judging._written

    def slowly(*given: Any) -> Any:
        judging.set()
        may_judge.wait(60)
        return judged(*given)

    with Web(server.address) as web:
        seated = web.open("skerries", **DUEL, clock=CLOCK)
    with Person(server.address, seated["table"], seated["token"]) as ann:
        monkeypatch.setattr(server.hall.work, "is_quick", lambda *_: False)
        monkeypatch.setattr(tables_judging, "_written", slowly)
        ann.send({"type": "file", "id": 77, "lines": [], "step": 0})
        assert judging.wait(60)
        stopping = threading.Thread(target=run, args=(_goodbye(server),))
        stopping.start()
        heard = rest_of(ann.socket)
        may_judge.set()
        stopping.join(60)
    said = [message["type"] for message in heard if message.get("re") == 77 or message["type"] == "restarting"]
    assert said == ["ack", "restarting"]
    server.stop()


def test_a_request_that_takes_too_long_is_told_to_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawing, may_draw = threading.Event(), threading.Event()

    def draw(*_: object) -> str:
        drawing.set()
        may_draw.wait(60)
        return ""

    monkeypatch.setattr("polemos.server.routes.games._picture", draw)
    server = Server(tmp_path)
    answers: list[httpx.Response] = []
    asking = threading.Thread(
        target=lambda: answers.append(httpx.get(f"{server.address}/api/games/skerries/picture.svg", timeout=60))
    )
    asking.start()
    assert drawing.wait(60)
    server.hall.stopping = True
    stopping = threading.Thread(target=server.stop)
    stopping.start()
    asking.join(60)
    may_draw.set()
    stopping.join(60)
    assert (answers[0].status_code, answers[0].headers["retry-after"]) == (503, "5")


async def _goodbye(server: Server) -> None:
    """Says goodbye on the server's own loop."""
    import asyncio

    from polemos.server.stopping import say_goodbye

    beating = server.hall._beating
    assert beating is not None
    done = asyncio.run_coroutine_threadsafe(say_goodbye(server.hall, 60, 1), beating.get_loop())
    await asyncio.wrap_future(done)
