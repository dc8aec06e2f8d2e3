"""The configurations in `deploy/` as they are, in front of a real server: pages, requests and sockets go through.

nginx and Caddy are only started if `POLEMOS_PROXIES="nginx caddy"` names them; `make nightly` does.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from unit.server.serving import PATIENT, Process, dial, lasting_port, wait_for
from unit.server.test_operators import certificate

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "deploy"
NAME = "play.example.org"
TESTED = os.environ.get("POLEMOS_PROXIES", "").split()
FLAGS = ("--behind", "127.0.0.1", "--secure", "--public", f"https://{NAME}", "--access-log", "--log-format", "json")


def changed(text: str, *pairs: tuple[str, str]) -> str:
    """The configuration with other ports and files, and otherwise to the letter."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


@contextmanager
def nginx(folder: Path, port: int, backend: int) -> Iterator[Path]:
    cert, key = certificate(folder, NAME)
    site = changed(
        (DEPLOY / "nginx.conf").read_text(),
        ("server 127.0.0.1:8000;", f"server 127.0.0.1:{backend};"),
        ("listen 80;", f"listen 127.0.0.1:{lasting_port()};"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/letsencrypt/live/play.example.org/fullchain.pem", str(cert)),
        ("/etc/letsencrypt/live/play.example.org/privkey.pem", str(key)),
    )
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = f"daemon off; error_log {folder}/error.log; pid {folder}/nginx.pid; events {{}}\n"
    (folder / "nginx.conf").write_text(f"{whole}http {{ access_log off; {paths}\n{site}\n}}\n")
    with started("nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")):
        yield cert


@contextmanager
def caddy(folder: Path, port: int, backend: int) -> Iterator[Path]:
    cert, key = certificate(folder, NAME)
    site = changed(
        (DEPLOY / "Caddyfile").read_text(),
        ("play.example.org {", f"https://{NAME}:{port} {{\n\ttls {cert} {key}"),
        ("127.0.0.1:8000", f"127.0.0.1:{backend}"),
    )
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https disable_redirects\n}}\n{site}")
    subprocess.run(["caddy", "validate", "--config", folder / "Caddyfile", "--adapter", "caddyfile"], check=True)
    with started("caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile", HOME=str(folder)):
        yield cert


@contextmanager
def started(program: str, *words: str, **env: str) -> Iterator[None]:
    found = shutil.which(program) or f"/usr/sbin/{program}"
    process = subprocess.Popen([found, *words], env={**os.environ, **env}, stderr=subprocess.PIPE)
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)
        assert process.stderr is not None
        process.stderr.close()


PROXIES = {"nginx": nginx, "caddy": caddy}


def match_through(proxy: str, tmp_path: Path) -> None:
    port = lasting_port()
    with Process(tmp_path, None, *FLAGS) as process, PROXIES[proxy](tmp_path, port, process.port) as cert:
        context = ssl.create_default_context(cafile=cert)
        context.check_hostname = False  # it is made for an address, and asked for by name
        headers = {"Host": NAME, "X-Forwarded-For": "6.6.6.6"}
        with httpx.Client(
            base_url=f"https://127.0.0.1:{port}", verify=context, headers=headers, timeout=PATIENT
        ) as web:
            extensions = {"sni_hostname": NAME}
            wait_for(lambda: _listens(port))
            page = web.get("/", extensions=extensions)
            assert page.status_code == 200
            assert "max-age=31536000" in page.headers["strict-transport-security"]
            assert web.get("/metrics", extensions=extensions).status_code == 404
            assert web.get("/ready", extensions=extensions).status_code == 404
            me = web.get("/api/me", extensions=extensions)
            assert "secure" in me.headers["set-cookie"].lower()
            wish = {"game": "skerries", "seats": {"red": {"kind": "person"}, "blue": {"kind": "bot", "bot": "random"}}}
            answer = web.post(
                "/api/tables",
                json={**wish, "options": {"turns": 3}},
                headers={"X-CSRF-Token": me.json()["csrf"], "Origin": f"https://{NAME}"},
                extensions=extensions,
            )
            assert answer.status_code == 201, answer.text
            id = answer.headers["x-request-id"]
            large = web.post("/api/replays", content=b"x" * (18 << 20), extensions=extensions)
            assert large.status_code == 413
        outcome = _play(port, context, answer.json())
        assert outcome is not None
        lines = [json.loads(line) for line in process.log.splitlines()]
    (line,) = [line for line in lines if line.get("request") == id and line["logger"] == "polemos.access"]
    assert line["client"] == "127.0.0.1", "what the client claimed does not count"
    assert re.fullmatch(r"[0-9a-f-]{32,36}", id), "the proxy's own id"


if TESTED:  # otherwise there is nothing to leave out

    @pytest.mark.slow
    @pytest.mark.parametrize("proxy", TESTED)
    def test_a_match_through_a_proxy(proxy: str, tmp_path: Path) -> None:
        match_through(proxy, tmp_path)


def _play(port: int, context: ssl.SSLContext, seated: dict[str, str]) -> Any:
    """Plays a match to its end by socket, and gives its outcome."""
    with (
        socket.create_connection(("127.0.0.1", port)) as line,
        dial(
            f"wss://{NAME}/api/tables/{seated['table']}/live",
            sock=line,
            ssl=context,
            server_hostname=NAME,
            additional_headers={"Origin": f"https://{NAME}"},
            proxy=None,
        ) as table,
    ):
        table.send(json.dumps({"type": "join", "token": seated["token"]}))
        filed = -1
        while True:
            said = json.loads(table.recv(timeout=60))
            if said["type"] == "table" and said["card"]["status"] == "over":
                return said["card"]["outcome"]
            if said["type"] == "sheet" and said["state"] == "empty" and said["step"] > filed:
                filed = said["step"]
                table.send(json.dumps({"type": "file", "lines": [], "step": filed, "id": 1}))


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_every_proxy_that_is_named_is_known() -> None:
    assert set(TESTED) <= set(PROXIES)
    for name, file in (("nginx", "nginx.conf"), ("caddy", "Caddyfile")):
        assert name in PROXIES
        assert NAME in (DEPLOY / file).read_text()
