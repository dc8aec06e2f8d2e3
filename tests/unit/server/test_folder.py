"""The folder of a server: one server at a time, and files that nobody else can read."""

from __future__ import annotations

import errno
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from polemos.server.folder import SECRET, Claim, Unusable, secret_in
from unit.server.serving import Person, Process, Server, Web

URL = "postgresql:///unused"  # no file of a database


@pytest.fixture
def open_umask() -> Iterator[None]:
    """As on many machines: what is created can be read by everyone unless it is said otherwise."""
    before = os.umask(0o000)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


# ---- one server


def test_a_folder_is_held_by_one(tmp_path: Path) -> None:
    first = Claim(tmp_path, URL)
    with pytest.raises(Unusable) as refused:
        Claim(tmp_path, URL)
    assert str(tmp_path) in refused.value.why
    assert f"process {os.getpid()}" in refused.value.why
    first.release()
    Claim(tmp_path, URL).release()


def test_a_folder_that_cannot_be_locked_is_used_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Some network file systems know no locks."""

    def lockless(file: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("polemos.server.folder._lock", lockless)
    Claim(tmp_path, URL).release()
    assert "cannot be locked" in caplog.text


def test_a_second_server_on_the_same_folder_is_refused(tmp_path: Path, database: str | None) -> None:
    """Even after the first was killed, the lock is free again."""
    words = () if database is None else ("--database", database)
    with Process(tmp_path, database) as first, Web(first.address) as web:
        seated = web.open("skerries", people=["red"], bots={"blue": "random"})
        second = subprocess.run(
            [sys.executable, "-m", "polemos", "serve", "--port", "0", "--folder", str(tmp_path), *words],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert second.returncode == 1
        assert "Another Polemos server is using the folder" in second.stderr
        assert "Traceback" not in second.stderr
        assert "Polemos is at" not in second.stdout
        with Person(first.address, seated["table"], seated["token"]) as person:
            person.file([])
        first.kill()
        first.start()
        with Person(first.address, seated["table"], seated["token"]) as person:
            assert person.state["you"] == "red"


# ---- the secret


def test_a_secret_is_made_once(tmp_path: Path) -> None:
    made = secret_in(tmp_path)
    assert len(made) == SECRET
    assert secret_in(tmp_path) == made
    assert mode(tmp_path / "secret") == 0o600


def test_an_empty_secret_is_renewed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "secret").touch()
    made = secret_in(tmp_path)
    assert len(made) == SECRET
    assert secret_in(tmp_path) == made
    assert "was empty" in caplog.text


@pytest.mark.parametrize("length", [1, SECRET - 1])
def test_a_secret_that_is_too_short_is_refused(tmp_path: Path, length: int) -> None:
    (tmp_path / "secret").write_bytes(b"x" * length)
    with pytest.raises(Unusable) as refused:
        Claim(tmp_path, URL)
    assert f"has {length} bytes and needs {SECRET}" in refused.value.why
    assert (tmp_path / "secret").read_bytes() == b"x" * length, "it is left for whoever has to look at it"


# ---- who can read it


@pytest.mark.usefixtures("open_umask")
def test_the_files_of_a_new_server_are_private(tmp_path: Path) -> None:
    with Server(tmp_path):
        made = {path.name for path in tmp_path.iterdir()}
        assert {"polemos.db", "polemos.db-wal", "polemos.db-shm", "secret", "lock"} <= made
        modes = {path.name: mode(path) for path in tmp_path.iterdir()}
        assert modes == dict.fromkeys(made, 0o600) | {"uploads": 0o700}, (
            "a folder is private if nobody else can enter it"
        )


@pytest.mark.usefixtures("open_umask")
def test_files_that_others_could_read_are_tightened(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Server(tmp_path) as server, Web(server.address) as web:
        web.open("skerries", people=["red"], bots={"blue": "random"})
        for name in ("polemos.db", "polemos.db-wal", "polemos.db-shm", "secret"):
            (tmp_path / name).chmod(0o644)
        kept = {name: (tmp_path / name).read_bytes() for name in ("polemos.db-wal", "polemos.db-shm")}
    for name, data in kept.items():  # as a server leaves them that was killed
        (tmp_path / name).write_bytes(data)
        (tmp_path / name).chmod(0o644)
    caplog.set_level(logging.WARNING, "polemos")
    Claim(tmp_path, f"sqlite:///{tmp_path / 'polemos.db'}").release()
    assert all(mode(path) == 0o600 for path in tmp_path.iterdir() if path.is_file())
    for name in ("polemos.db", "polemos.db-wal", "polemos.db-shm", "secret"):
        assert f"could read {tmp_path / name}." in caplog.text
    caplog.clear()
    Claim(tmp_path, f"sqlite:///{tmp_path / 'polemos.db'}").release()
    assert caplog.text == ""
