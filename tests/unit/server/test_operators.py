"""What operators rely on: health, readiness, figures, logs without secrets, certificates."""

from __future__ import annotations

import json
import logging
import re
import signal
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from polemos.server import logs
from polemos.server.settings import Settings
from unit.server.postgres import Postgres
from unit.server.serving import PATIENT, Person, Process, Server, Web, dial, lasting_port, wait_for

DUEL = {"people": ["red"], "bots": {"blue": "random"}, "options": {"turns": 9}}
TOKEN = "a-token-for-prometheus"


def value(text: str, name: str) -> float:
    """A figure. Other tests may have servers in the same process, with tables of their own."""
    found = re.findall(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    assert found, f"{name} is not in:\n{text}"
    return sum(map(float, found))


# ---- health and readiness


def test_a_server_is_alive_and_ready(web: Web) -> None:
    assert (web.get("/health").status_code, web.get("/health").json()) == (200, {"status": "alive"})
    assert (web.get("/ready").status_code, web.get("/ready").json()) == (200, {"status": "ready"})


def test_a_server_without_its_database_is_alive_but_not_ready(
    tmp_path: Path, cluster: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polemos.server.routes.operators.FRESH", 0.0)
    database = cluster.new()
    with Server(tmp_path, database) as server, Web(server.address) as web:
        assert web.get("/ready").status_code == 200
        cluster.drop(database)
        answer = web.get("/ready")
        assert (answer.status_code, answer.json()) == (503, {"status": "no database"})
        assert web.get("/health").status_code == 200


def test_a_server_that_stops_is_not_ready(tmp_path: Path) -> None:
    with Server(tmp_path) as server, Web(server.address) as web:
        server.hall.stopping = True
        assert (web.get("/ready").status_code, web.get("/ready").json()) == (503, {"status": "stopping"})


# ---- figures


def test_strangers_do_not_read_the_figures(small_server: Server, tmp_path: Path) -> None:
    with Web(small_server.address) as web:
        assert web.get("/metrics").status_code == 404, "off unless somebody turns it on"
        assert web.get("/metrics", token="None").status_code == 404
    with Server(tmp_path, metrics_token=TOKEN) as server, Web(server.address) as web:
        assert web.get("/metrics").status_code == 404
        assert web.get("/metrics", token=TOKEN[:-1]).status_code == 404
        assert web.get("/metrics", token=TOKEN).status_code == 200


ONCE = (
    'polemos_tables{status="playing"}',
    'polemos_sockets{role="player"}',
    'polemos_sockets{role="spectator"}',
    'polemos_orders_seconds_count{by="person"}',
    'polemos_orders_seconds_bucket{by="person",le="+Inf"}',
)


def test_the_figures_follow_what_happens(tmp_path: Path) -> None:
    with Server(tmp_path, metrics_token=TOKEN) as server, Web(server.address) as web:

        def figures() -> str:
            return web.get("/metrics", token=TOKEN).text

        before = figures()
        seated = web.open("skerries", **DUEL)
        assert web.get("/api/tables/000000000000").status_code == 404
        with Person(server.address, seated["table"], seated["token"]) as ann, Person(server.address, seated["table"]):
            ann.file([])
            ann.wait_for_step(1)
            after = before

            def grown(name: str) -> float:
                return (value(after, name) if name in after else 0) - (value(before, name) if name in before else 0)

            def is_counted() -> bool:
                """What has happened is counted when it is done, maybe after it was told."""
                nonlocal after
                after = figures()
                written = grown('polemos_database_seconds_count{kind="write"}')
                return written >= 3 and all(map(grown, ("polemos_bot_cpu_seconds_total", *ONCE)))

            wait_for(is_counted)
        assert [grown(name) for name in ONCE] == [1] * len(ONCE)
        assert grown('polemos_database_seconds_count{kind="write"}') >= 3  # opened, filed, the bot's sheet
        assert grown('polemos_refusals_total{word="table/unknown"}') == 1
        assert grown("polemos_bot_cpu_seconds_total") > 0
        for name in ('polemos_queue{of="writes"}', 'polemos_queue{of="messages"}', "polemos_bots_asked"):
            assert value(after, name) >= 0
        assert seated["table"] not in after


# ---- logs


@pytest.fixture
def lines() -> Iterator[list[dict[str, object]]]:
    """Log lines as they would be written as JSON."""
    found: list[dict[str, object]] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(json.loads(logs.Json().format(record)))

    handler = Keeping()
    logger = logging.getLogger("polemos")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel("DEBUG")
    yield found
    logger.removeHandler(handler)
    logger.setLevel(level)


def test_every_answer_has_the_id_of_its_request(tmp_path: Path, lines: list[dict[str, object]]) -> None:
    with Server(tmp_path, access_log=True, behind="127.0.0.1") as server, Web(server.address) as web:
        own = web.get("/api/games").headers["x-request-id"]
        assert re.fullmatch("[0-9a-f]{16}", own)
        assert [line["request"] for line in lines if line["logger"] == "polemos.access"] == [own], "at once"
        assert web.get("/api/games").headers["x-request-id"] != own
        given = web.get("/nowhere", headers={"X-Request-Id": "proxy-1", "X-Forwarded-For": "9.9.9.9, 8.8.8.8"})
        assert given.headers["x-request-id"] == "proxy-1"
        strange = web.post("/api/nowhere", headers={"X-Request-Id": "two words\x7f"})
        assert re.fullmatch("[0-9a-f]{16}", strange.headers["x-request-id"])
        seated = web.open("skerries", **DUEL)
        with Person(server.address, seated["table"]) as ann:
            assert ann.socket.response is not None
            socket_id = ann.socket.response.headers["x-request-id"]
        wait_for(lambda: any(line.get("request") == socket_id for line in lines))
    found = {line["request"]: line for line in lines if line["logger"] == "polemos.access"}
    assert found[own]["path"] == "/api/games"
    assert (found["proxy-1"]["client"], found["proxy-1"]["status"]) == ("8.8.8.8", 200)
    assert found[strange.headers["x-request-id"]]["method"] == "POST"
    assert (found[socket_id]["method"], found[socket_id]["status"]) == ("WEBSOCKET", 101)


def test_ids_of_strangers_are_not_taken(small_server: Server) -> None:
    with Web(small_server.address) as web:
        answer = web.get("/health", headers={"X-Request-Id": "forged"})
    assert answer.headers["x-request-id"] != "forged"


def test_a_line_is_plain_or_json_and_has_its_time() -> None:
    record = logging.LogRecord("polemos", logging.ERROR, "", 0, "Table %s\nfailed", ("a1",), None)
    record.created, record.msecs = 0.25, 250.0
    assert logs.Plain().format(record) == "1970-01-01T00:00:00.250Z ERROR polemos: Table a1\nfailed"
    said = {"time": "1970-01-01T00:00:00.250Z", "level": "error", "logger": "polemos", "text": "Table a1\nfailed"}
    assert json.loads(logs.Json().format(record)) == said
    assert "\n" not in logs.Json().format(record)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["plain", "json"])
def test_logs_hold_no_secrets_and_no_orders(tmp_path: Path, form: str) -> None:
    """Everything that people send in a match, with the database failing in the middle, and nothing of it in the log."""
    port = lasting_port()
    words = ("--access-log", "--log-format", form, "--log-level", "debug", "--metrics", f"127.0.0.1:{port}")
    with Process(tmp_path, None, *words, "--metrics-token", TOKEN) as process:
        with Web(process.address, browser=True) as web:
            web.sign_in("Rosalind", "correct horse battery")
            secrets = [web.client.cookies["polemos"], web.client.headers["X-CSRF-Token"], "correct horse battery"]
            seated = web.open("skerries", **DUEL)
            program = web.open("skerries", seats={"red": {"kind": "program"}}, bots={"blue": "random"})
            taken = web.take(program["table"], "red", "first")
            web.get(f"/api/tables/{seated['table']}/frames?secret=in-the-query", token=seated["token"])
            web.get("/metrics", token=TOKEN)
            assert httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=PATIENT).status_code == 200
        with dial(f"ws{process.address[4:]}/api/bots/{taken['table']}/{taken['token']}") as socket:
            socket.recv(timeout=60)
        with Person(process.address, seated["table"], seated["token"]) as ann:
            ann.ask("draft", lines=["secret draft"])
            ann.file(["secret order"])
            ann.wait_for_step(1)
            ann.ask("say", text="secret talk")
            ann.ask("note", place="A1", text="secret note")
            with _locked(tmp_path / "polemos.db"):
                ann.send({"type": "file", "id": 99, "lines": ["secret order"], "step": ann.step})
                wait_for(lambda: "could not be written" in process.log)
        secrets += [seated["token"], taken["token"], TOKEN, "in-the-query", "secret draft", "secret order"]
        secrets += ["secret talk", "secret note"]
        log = process.log
    assert "/api/bots/" in log
    assert [secret for secret in secrets if secret in log] == []
    if form == "json":
        for line in log.splitlines():
            assert {"time", "level", "logger", "text"} <= json.loads(line).keys()
    else:
        assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO polemos", log)


class _locked:
    """Another program that keeps the database to itself, for longer than the server waits."""

    def __init__(self, path: Path) -> None:
        import sqlite3

        self._connection = sqlite3.connect(path, PATIENT, isolation_level=None)

    def __enter__(self) -> None:
        self._connection.execute("BEGIN EXCLUSIVE")

    def __exit__(self, *_: object) -> None:
        self._connection.execute("ROLLBACK")
        self._connection.close()


# ---- certificates


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate for this machine that nobody vouches for."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        [
            *(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
            ),
            *("-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert),
        ],
        check=True,
        capture_output=True,
    )
    return cert, key


def name_at(port: int) -> bytes:
    """The certificate that a port shows."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port)) as line, context.wrap_socket(line) as secure:
        found = secure.getpeercert(binary_form=True)
    assert found is not None
    return found


@pytest.mark.slow
def test_https_by_certificate_files_that_can_be_renewed(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path, "first")
    with Process(tmp_path, None, "--tls-cert", str(cert), "--tls-key", str(key)) as process:
        port = process.port
        context = ssl.create_default_context(cafile=cert)
        answer = httpx.get(f"https://127.0.0.1:{port}/api/me", verify=context, timeout=PATIENT)
        assert answer.status_code == 200
        assert "secure" in answer.headers["set-cookie"].lower()
        first = name_at(port)
        cert.write_text("not a certificate")
        assert process.process is not None
        process.process.send_signal(signal.SIGHUP)
        wait_for(lambda: "the old one stays" in process.log)
        assert name_at(port) == first
        certificate(tmp_path, "second")
        process.process.send_signal(signal.SIGHUP)
        wait_for(lambda: "The certificate was read again." in process.log)
        assert name_at(port) != first


@pytest.mark.slow
def test_a_server_without_a_certificate_is_not_stopped_by_a_reload(tmp_path: Path) -> None:
    with Process(tmp_path) as process:
        assert process.process is not None
        process.process.send_signal(signal.SIGHUP)
        wait_for(lambda: "There is no certificate to read again." in process.log)
        assert httpx.get(f"{process.address}/health", timeout=PATIENT).status_code == 200


@pytest.mark.slow
def test_a_bad_certificate_and_a_busy_port_are_reported_at_once(tmp_path: Path) -> None:
    from polemos.server.app import make_app
    from polemos.server.configuration import BadSettings
    from polemos.server.running import make_server

    cert, key = certificate(tmp_path, "first")
    key.write_text("no key")
    settings = Settings(tmp_path, tls_cert=cert, tls_key=key)
    with pytest.raises(BadSettings, match="Both files must be in PEM form"):
        make_server(make_app(settings), settings)
    settings = Settings(tmp_path, tls_cert=tmp_path / "gone", tls_key=key)
    with pytest.raises(BadSettings, match="No such file"):
        make_server(make_app(settings), settings)
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        settings = Settings(tmp_path, metrics=f"127.0.0.1:{busy.getsockname()[1]}")
        with pytest.raises(BadSettings, match="Choose another address"):
            make_server(make_app(settings), settings)
