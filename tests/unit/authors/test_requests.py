"""Uploads over HTTP: whole ones to their end, cut-off, oversized and forged ones, and other people's bots."""

from __future__ import annotations

import gzip
import io
import itertools
import json
import re
import socket
import tarfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select

from parcels import PASSES, PASSES_IN_C, built_by, tarred, zipped
from polemos.cli.upload import command, pack
from polemos.ladder.files import Bundles
from polemos.server.authors.desk import Authors
from polemos.server.settings import Settings
from polemos.server.store import ladder as db
from polemos.server.store.backup import back_up, restore
from polemos.uploads.archives import unpack
from polemos.uploads.refusals import Refused
from unit.server.serving import Server, Web, wait_for

LONG = 120.0  # seconds: this machine may be busy
GAME = "skerries"
_number = itertools.count()
MANIFEST = f'name = "Falcon"\nlanguage = "python"\nstart = "python3 bot.py"\ngame = "{GAME}"\n'
CRASHES = """
import sys
for line in sys.stdin:
    print('{"type":"ready"}', flush=True)
    raise ValueError('7 archers')
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def ada(server: Server) -> Iterator[Web]:
    with Web(server.address, browser=True) as browser:
        browser.sign_in(f"Ada {next(_number)}")
        yield browser


def token_of(web: Web) -> str:
    answer = web.post("/api/my/tokens", {"name": "laptop"})
    assert answer.status_code == 201, answer.text
    found: str = answer.json()["token"]
    return found


def send(web: Web, data: bytes, called: str = "falcon.py", token: str | None = None, **words: Any) -> Any:
    return web.ask("POST", "/api/my/uploads", token, params={"called": called, **words}, content=data)


def ended(web: Web, upload: int, token: str | None = None) -> dict[str, Any]:
    """An upload when it is over."""
    seen, until = -1, time.monotonic() + LONG
    while True:
        card: dict[str, Any] = web.get(f"/api/my/uploads/{upload}?seen={seen}", token).json()
        if card["state"] not in ("arriving", "waiting", "running"):
            return card
        assert time.monotonic() < until, card
        seen = card["change"]


def files_in(server: Server) -> list[str]:
    return sorted(path.name for path in (server.settings.folder / "uploads" / "arriving").iterdir())


def test_from_a_file_to_a_bot_and_all_that_its_author_can_do(server: Server, ada: Web, tmp_path: Path) -> None:
    made = zipped(
        tmp_path / "a.zip", {"bot.toml": MANIFEST, "bot.py": PASSES + "# whole"}
    )  # files that no other test sends
    answer = send(ada, made.read_bytes(), "a.zip")
    assert answer.status_code == 201, answer.text
    card = ended(ada, answer.json()["id"])
    assert (card["state"], card["name"], card["version"], card["game"]) == ("accepted", "Falcon", 1, GAME), card
    assert [step["state"] for step in card["steps"]] == ["done"] * 6
    assert card["board"]["over"]
    assert card["board"]["picture"].startswith("<svg")
    bot = card["bot"]
    page = f"/api/ladder-bots/{bot}"
    # A second version from C, which is built, and a third that crashes.
    c = MANIFEST.replace("python3 bot.py", "./bot").replace("python", "c") + 'build = "gcc -O2 -o bot bot.c"\n'
    two = send(ada, tarred(tmp_path / "c.tgz", {"bot.toml": c, "bot.c": PASSES_IN_C}).read_bytes(), "c.tgz")
    assert ended(ada, two.json()["id"])["state"] == "accepted"
    three = ended(ada, send(ada, CRASHES.encode(), "bot.py", bot=bot).json()["id"])
    assert (three["state"], three["version"], three["playing"]) == ("refused", 3, 2)
    assert three["refused"]["step"] == "trial"
    assert "7 archers" in three["refused"]["why"]
    assert [line["text"] for line in three["refused"]["lines"] if line["is_cause"]] == ["ValueError: 7 archers"]
    log = ada.get(f"/api/my/uploads/{three['id']}/logs/log")
    assert log.headers["content-type"].startswith("text/plain")
    assert "ValueError: 7 archers" in log.text
    replay = ada.get(f"/api/my/uploads/{three['id']}/trial.jsonl.gz")
    assert replay.content[:2] == b"\x1f\x8b"
    assert ada.get(f"/api/my/uploads/{two.json()['id']}/trial.jsonl.gz").status_code == 404
    same = ended(ada, send(ada, PASSES.encode(), "bot.py", bot=bot).json()["id"])
    assert same["state"] == "accepted", "without a manifest these are other files"

    shown = ada.get(page).json()
    assert [(one["number"], one["state"], one["plays"]) for one in shown["versions"]] == [
        (4, "passed", True),
        (3, "refused", False),
        (2, "passed", False),
        (1, "passed", False),
    ]
    assert shown["own"]
    assert ada.post(f"/api/my/bots/{bot}", {"act": "play", "version": 2}).json()["version"] == 2
    assert ada.post(f"/api/my/bots/{bot}", {"act": "play", "version": 3}).status_code == 422, "it was refused"
    assert ada.post(f"/api/my/bots/{bot}", {"act": "pause"}).json()["state"] == "paused"
    assert ada.post(f"/api/my/bots/{bot}", {"act": "resume"}).json()["state"] == "active"
    assert ada.post(f"/api/my/bots/{bot}", {"act": "rename", "name": "Heron"}).json()["name"] == "Heron"
    assert ada.post(f"/api/my/bots/{bot}", {"act": "rename", "name": "polemos"}).status_code == 422

    # What others see, and what they can't.
    with Web(server.address, browser=True) as ben:
        ben.sign_in(f"Ben {next(_number)}")
        public = ben.get(page).json()
        assert not public["own"]
        assert "7 archers" not in json.dumps(public)
        assert [one["upload"] for one in public["versions"]] == [None] * 4
        for path in (f"{page}/versions/1/source.tar.gz", f"/api/my/uploads/{three['id']}"):
            assert ben.get(path).status_code == 404
        assert ben.get(f"/api/my/uploads/{three['id']}/logs/log").status_code == 404
        assert ben.get(f"/api/my/uploads/{three['id']}/trial.jsonl.gz").status_code == 404
        assert ben.post(f"/api/my/bots/{bot}", {"act": "pause"}).status_code == 404
        assert ben.ask("DELETE", f"/api/my/bots/{bot}").status_code == 404
        assert send(ben, b"x", bot=bot).status_code == 404
        assert ben.get("/api/my/bots").json()["bots"] == []
        with Web(server.address) as finder:  # of Ada's token
            assert finder.get(f"{page}/versions/1/source.tar.gz", token_of(ada)).status_code == 404
        assert ada.post(f"/api/my/bots/{bot}", {"act": "publish", "open": True}).json()["published"]
        archive = ben.get(f"{page}/versions/1/source.tar.gz")
        assert 'filename="Heron-v1.tar.gz"' in archive.headers["content-disposition"]
        with tarfile.open(fileobj=io.BytesIO(archive.content)) as found:
            assert sorted(found.getnames()) == ["Heron-v1/bot.py", "Heron-v1/bot.toml"]
        assert ben.get(f"{page}/versions/3/source.tar.gz").status_code == 404, "refused ones stay private"
    assert ada.get(f"{page}/versions/3/source.tar.gz").status_code == 200

    listed = ada.get("/api/my/bots").json()
    assert [(one["name"], one["version"]) for one in listed["bots"]] == [("Heron", 2)]
    quotas = {quota["what"]: quota["used"] for quota in listed["quotas"]}
    assert quotas["bots"] == 1
    assert quotas["uploads"] == 4
    desk: Authors = server.app.state.authors
    with desk.reception.engine.connect() as connection:
        sources = {row.source for row in connection.execute(db.bot_versions.select()) if row.bot_id == bot}
    assert ada.ask("DELETE", f"/api/my/bots/{bot}").json() == {"deleted": True}
    assert ada.get(page).status_code == 404
    desk.reception.tidy()
    assert not [digest for digest in sources if desk.reception.versions.source(digest).is_dir()]
    assert files_in(server) == []


def test_the_log_of_what_could_not_be_built_is_that_of_its_build(ada: Web) -> None:
    """The page of a bot links to one log of each refused version."""
    refused = ended(ada, send(ada, b"int main( {", "bot.c", game=GAME).json()["id"])
    assert (refused["state"], refused["refused"]["step"]) == ("refused", "built")
    build, log = (ada.get(f"/api/my/uploads/{refused['id']}/logs/{kind}").text for kind in ("build", "log"))
    assert "error" in build
    assert log == build


def test_what_a_build_leaves_counts_as_well(ada: Web, tmp_path: Path) -> None:
    """One line of source can become 64 MB that are kept, in as many versions as a day allows."""

    def stored() -> int:
        return int(next(one["used"] for one in ada.get("/api/my/bots").json()["quotas"] if one["what"] == "storage"))

    made = built_by("head -c 300000 /dev/zero > big")
    good = send(ada, tarred(tmp_path / "a.tgz", made).read_bytes(), "big.tgz")
    assert ended(ada, good.json()["id"])["state"] == "accepted"
    assert 300_000 < stored() < 310_000
    bad = send(ada, tarred(tmp_path / "b.tgz", {**made, "bot.py": CRASHES}).read_bytes(), "big.tgz")
    assert ended(ada, bad.json()["id"])["state"] == "refused"
    assert 600_000 < stored() < 620_000


def test_a_restored_server_has_the_bots_of_its_authors(server: Server, ada: Web, tmp_path: Path) -> None:
    made = zipped(tmp_path / "a.zip", {"bot.toml": MANIFEST, "bot.py": PASSES + "# restored"})
    card = ended(ada, send(ada, made.read_bytes(), "a.zip").json()["id"])
    assert card["state"] == "accepted", card
    failed = ended(ada, send(ada, CRASHES.encode(), "bot.py", bot=card["bot"]).json()["id"])
    source = f"/api/ladder-bots/{card['bot']}/versions/1/source.tar.gz"
    trial = f"/api/my/uploads/{failed['id']}/trial.jsonl.gz"
    before = [gzip.decompress(ada.get(path).content) for path in (source, trial)]
    back_up(server.settings, tmp_path / "saved.zip", secret=True)
    elsewhere = Settings(tmp_path / "elsewhere")
    restore(elsewhere, tmp_path / "saved.zip")
    with Server(elsewhere.folder) as restored, Web(restored.address, browser=True) as there:
        there.client.cookies = ada.client.cookies
        there.client.headers["X-CSRF-Token"] = ada.client.headers["X-CSRF-Token"]
        assert [gzip.decompress(there.get(path).content) for path in (source, trial)] == before
        shown = there.get(f"/api/ladder-bots/{card['bot']}").json()
        assert [(one["number"], one["plays"]) for one in shown["versions"]] == [(2, False), (1, True)]
        desk: Authors = restored.app.state.authors
        with desk.reception.engine.connect() as connection:
            of = db.bot_versions.c
            digest = connection.execute(select(of.digest).where(of.bot_id == card["bot"], of.number == 1)).scalar_one()
    assert Bundles(elsewhere.ladder_home / "bots").get(digest).files


def test_a_refused_upload_says_which_game(ada: Web) -> None:
    card = ended(ada, send(ada, PASSES.encode()).json()["id"])
    assert (card["state"], card["refused"]["step"], card["version"]) == ("refused", "recognised", None)
    assert "Which game does it play?" in card["refused"]["why"]
    assert send(ada, PASSES.encode(), game="chess").status_code == 404


# ---- who may


def test_tokens_and_cookies(server: Server, ada: Web) -> None:
    token = token_of(ada)
    with Web(server.address) as program:
        assert program.get("/api/my/bots").status_code == 401
        assert program.get("/api/my/bots", "polemos_" + "a" * 43).status_code == 401
        assert program.get("/api/my/bots", token).status_code == 200
        assert send(program, b"x").status_code == 401
        # A token can upload and look, nothing else.
        assert program.post("/api/my/tokens", {"name": "more"}, token).status_code == 401
        assert program.post("/api/my/bots/1", {"act": "pause"}, token).status_code == 401
        row = ada.get("/api/my/bots").json()["tokens"][0]
        assert set(row) == {"id", "name", "created", "used"}
        assert row["used"] is not None
        assert program.ask("DELETE", f"/api/my/tokens/{row['id']}", token).status_code == 401
        assert ada.ask("DELETE", f"/api/my/tokens/{row['id']}").status_code == 200
        assert program.get("/api/my/bots", token).status_code == 401
    # Other sites can't upload in somebody's name.
    with Web(server.address) as form:  # the same browser, as a form on another site would use it
        form.client.cookies = ada.client.cookies
        assert send(form, b"x").status_code == 403
    assert (
        ada.ask("POST", "/api/my/uploads?called=a", content=b"x", headers={"Origin": "http://evil.example"}).status_code
        == 403
    )


def test_deleting_an_account(server: Server) -> None:
    with Web(server.address, browser=True) as ada, Web(server.address, browser=True) as again:
        name = ada.sign_in(f"Ada {next(_number)}")["name"]
        again.sign_in(name, new=False)
        token = token_of(ada)
        card = ended(ada, send(ada, PASSES.encode(), game=GAME).json()["id"])
        page = f"/api/ladder-bots/{card['bot']}"
        assert ada.get(page).json()["author"] == name
        assert ada.post("/api/account/deletion", {"password": "wrong"}).status_code == 403
        assert ada.get(page).status_code == 200
        assert ada.post("/api/account/deletion", {"password": "correct horse"}).json()["name"] is None
        assert again.get("/api/me").json()["name"] is None, "all sessions have ended"
        assert ada.get(page).status_code == 404, "its bots are gone"
        assert ada.get("/api/my/bots", token).status_code == 401
    with Web(server.address, browser=True) as other:
        answer = other.post("/api/session", {"name": name, "password": "correct horse"})
        assert answer.status_code == 403
        assert other.sign_in(name)["name"] == name, "the name is free"
        assert other.get("/api/my/bots").json()["bots"] == []


# ---- hostile requests


def raw(server: Server, head: str, *parts: bytes, then_close: bool = False) -> bytes:
    """Bytes as they are; returns whatever comes back."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(head.encode())
        try:
            for part in parts:
                connection.sendall(part)
            if then_close:
                return b""
            said = b""
            while (more := connection.recv(1 << 16)) and not (said := said + more).endswith(b"}"):
                pass
            return said
        except (BrokenPipeError, ConnectionResetError):
            return b""


def head_of(server: Server, token: str, *lines: str) -> str:
    first = f"POST /api/my/uploads?called=falcon.py&game={GAME} HTTP/1.1"
    return "\r\n".join((first, f"Host: 127.0.0.1:{server.port}", f"Authorization: Bearer {token}", *lines, "", ""))


def test_cut_off_and_lying_uploads_leave_nothing(server: Server, ada: Web) -> None:
    token = token_of(ada)
    raw(server, head_of(server, token, "Content-Length: 100000"), b"x" * 5000, then_close=True)
    raw(server, head_of(server, token, "Transfer-Encoding: chunked"), b"5\r\nhello\r\n", then_close=True)
    raw(server, head_of(server, token, "Transfer-Encoding: chunked"), b"zz\r\nhello\r\n0\r\n\r\n")
    assert b"413" in raw(server, head_of(server, token, f"Content-Length: {1 << 40}"), b"x" * 5000)
    assert b" 4" in raw(server, head_of(server, token, "Content-Length: -5"), b"x")
    assert b" 4" in raw(server, head_of(server, token, "Content-Length: 5", "Content-Length: 6"), b"xxxxxx")
    assert b"upload/empty" in raw(server, head_of(server, token, "Content-Length: 0"))

    def nothing_is_left() -> bool:
        quotas = {quota["what"]: quota["used"] for quota in ada.get("/api/my/bots").json()["quotas"]}
        return quotas["uploads"] == 0 and files_in(server) == [] and ada.get("/api/my/uploads").json() == []

    wait_for(nothing_is_left)  # one that was cut off may still be on its way


def test_an_upload_without_a_length_is_counted_as_it_comes(
    server: Server, ada: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk: Authors = server.app.state.authors
    monkeypatch.setattr(desk, "limit", 1 << 16)
    token = token_of(ada)
    chunk = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
    said = raw(server, head_of(server, token, "Transfer-Encoding: chunked"), *[chunk] * 8)
    assert said == b"" or b"upload/too-large" in said
    assert send(ada, b"x" * ((1 << 16) + 1)).json()["word"] == "upload/too-large"
    wait_for(lambda: files_in(server) == [] and ada.get("/api/my/uploads").json() == [])


@pytest.mark.parametrize("called", ["../../etc/passwd", "a\x00b.py", "\u202e" * 200, "x" * 250, ".", "", "<img src=x>"])
def test_names_of_files_are_only_names(server: Server, ada: Web, called: str) -> None:
    """Whatever it is called, it is stored under its number."""
    answer = send(ada, b"not a bot", called, game=GAME)
    assert answer.status_code == 201, answer.text
    assert "/" not in files_in(server)
    card = ended(ada, answer.json()["id"])
    assert card["state"] == "refused"
    assert card["called"].isprintable()


def test_numbers_that_no_database_has(ada: Web) -> None:
    for number in (0, -1, 10**15, 2**64, 10**40):
        for path in (f"my/uploads/{number}", f"ladder-bots/{number}", f"ladder-bots/{number}/versions/1/source.tar.gz"):
            assert ada.get(f"/api/{path}").status_code == 404, path
        assert ada.get(f"/api/my/uploads/{number}?seen={number}").status_code == 404
        assert ada.ask("DELETE", f"/api/my/bots/{number}").status_code == 404
        assert ada.ask("DELETE", f"/api/my/uploads/{number}").status_code == 404
        assert ada.post(f"/api/my/bots/{number}", {"act": "play", "version": number}).status_code == 404
        assert send(ada, b"x", bot=number).status_code == 404


def test_a_full_disk_refuses_uploads(ada: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polemos.server.authors.files.SPARE", 1 << 60)
    answer = send(ada, b"x")
    assert (answer.status_code, answer.json()["word"]) == (503, "upload/no-room")


def test_an_endless_build_is_cancelled_and_one_that_is_left_is_begun_again(
    server: Server, ada: Web, tmp_path: Path
) -> None:
    """A server that stops gives its uploads back; the next one in the folder starts them again."""
    endless = built_by("echo begun; sleep 1000")
    data = tarred(tmp_path / "endless.tar.gz", endless).read_bytes()
    upload = send(ada, data, "endless.tar.gz").json()["id"]

    def log() -> Any:
        card = ada.get(f"/api/my/uploads/{upload}").json()
        return card if any("begun" in line["text"] for line in card["build"]["lines"]) else None

    wait_for(log, LONG)
    desk: Authors = server.app.state.authors
    desk.reception.stop()
    left = ada.get(f"/api/my/uploads/{upload}").json()
    assert (left["state"], left["again"]) == ("waiting", True)
    assert any("begun" in line["text"] for line in left["build"]["lines"]), "the log is kept"
    desk.reception._stop = threading.Event()
    desk.reception._threads.clear()
    desk.reception.start()
    wait_for(lambda: ada.get(f"/api/my/uploads/{upload}").json()["state"] == "running", LONG)
    cancelled = ada.ask("DELETE", f"/api/my/uploads/{upload}").json()
    assert cancelled["state"] == "cancelled"
    assert cancelled["words"] == ""
    assert ada.ask("DELETE", f"/api/my/uploads/{upload}").status_code == 404
    wait_for(lambda: not list((desk.reception.versions.folder / "making").iterdir()), LONG)


# ---- the command


def run(*words: str, token: str | None = None) -> Result:
    given = {"POLEMOS_TOKEN": token} if token is not None else {"POLEMOS_TOKEN": "", "HOME": "/nonexistent"}
    return CliRunner().invoke(command, words, env=given, catch_exceptions=False)


def test_links_in_a_folder_are_sent_as_links(tmp_path: Path) -> None:
    """Nothing is left out unseen: the server says why it can't take a folder that lies elsewhere."""
    folder = tmp_path / "falcon"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "bot.py").write_text(PASSES)
    (folder / "lib").symlink_to("../common", target_is_directory=True)
    (tmp_path / "common").mkdir()
    (folder / "src" / "same.py").symlink_to("bot.py")
    (folder / "src" / "gone.py").symlink_to("nowhere.py")
    sent = io.BytesIO()
    assert pack(folder, sent) == "falcon.tar.gz"
    sent.seek(0)
    with tarfile.open(fileobj=sent) as archive:
        found = {info.name: info.linkname if info.issym() else None for info in archive}
    links = {"lib": "../common", "src/same.py": "bot.py", "src/gone.py": "nowhere.py"}
    assert found == {"src/bot.py": None, **links}
    (tmp_path / "sent.tgz").write_bytes(sent.getvalue())
    with pytest.raises(Refused, match='"lib" is a link that leads out'):
        unpack(tmp_path / "sent.tgz", "falcon.tar.gz", tmp_path / "out")


def test_the_command(server: Server, ada: Web, tmp_path: Path) -> None:
    folder = tmp_path / "falcon"
    folder.mkdir()
    (folder / "bot.py").write_text(PASSES)
    (folder / ".secrets").write_text("do not send")
    (folder / "bot.toml").write_text(MANIFEST)
    here = ("--server", server.address)
    nobody = run(str(folder), *here)
    assert nobody.exit_code == 2
    assert "Create one on the page of your bots" in nobody.output
    token = token_of(ada)
    good = run(str(folder), *here, token=token)
    assert good.exit_code == 0, good.output
    assert "Unpacked: 2 files, nothing skipped" in good.output
    assert re.search(r"Falcon v1 plays from now on: http://127.0.0.1:\d+/bots/\d+", good.output)
    (folder / "bot.py").write_text(CRASHES)
    kept = tmp_path / "token"
    kept.write_text(f"{token}\n")
    kept.chmod(0o600)
    bad = run(str(folder), *here, "--token-file", str(kept))
    assert bad.exit_code == 1, bad.output
    assert "Falcon v2 was refused." in bad.output
    assert re.search(r"^>\s+\d+\s+ValueError: 7 archers$", bad.output, re.MULTILINE)
    assert "version 1 keeps playing" in bad.output
    wrong = run(str(folder), *here, token="polemos_" + "a" * 43)
    assert (wrong.exit_code, "has been revoked" in wrong.output) == (3, True)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        dead = run(str(folder), "--server", f"http://127.0.0.1:{unused.getsockname()[1]}", token=token)
    assert dead.exit_code == 3
    assert run(str(folder), "--server", "ftp://x", token=token).exit_code == 2
    for result in (good, bad, wrong, dead):
        assert token not in result.output
