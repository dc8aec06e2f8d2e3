"""Backups made during play: everything acknowledged before is there, on both databases."""

from __future__ import annotations

import threading
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from polemos.cli.backup import command as backup
from polemos.cli.restore import command as restore
from polemos.kernel.errors import PolemosError
from polemos.server.settings import Settings
from polemos.server.store.backup import BadBackup, back_up
from polemos.server.store.backup import restore as fill
from unit.server.postgres import Postgres
from unit.server.serving import Person, Server, Web

DUEL = {"people": ["red"], "bots": {"blue": "random"}, "options": {"turns": 40}}


def where(folder: Path, database: str | None) -> list[str]:
    return ["--folder", str(folder), *(() if database is None else ("--database", database))]


def run(command: Any, *words: str) -> str:
    result = CliRunner().invoke(command, [*words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


class Busy(threading.Thread):
    """Somebody who plays match after match, and notes how many sheets were acknowledged at each table."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.tokens: dict[str, str] = {}
        self.acknowledged: Counter[str] = Counter()
        self.enough, self.begun = threading.Event(), threading.Event()

    def run(self) -> None:
        with Web(self.address) as web:
            while not self.enough.is_set():
                seated = web.open("skerries", **DUEL)
                self.tokens[seated["table"]] = seated["token"]
                self.play(seated["table"])

    def play(self, table: str) -> None:
        with Person(self.address, table, self.tokens[table]) as ann:
            while ann.status != "over" and not self.enough.is_set():
                step = ready(ann)
                ann.file([])
                self.acknowledged[table] += 1
                ann.until(lambda: ann.step > step or ann.status == "over")  # noqa: B023
                if self.acknowledged.total() > 3:
                    self.begun.set()


def ready(person: Person) -> int:
    """The step for which this person can file now."""
    step = person.step
    person.until(lambda: person.sheet["step"] == step and person.sheet["state"] != "locked")
    return step


@pytest.mark.slow
def test_a_backup_during_play_has_everything_acknowledged_before(
    tmp_path: Path, database: str | None, request: pytest.FixtureRequest
) -> None:
    file = tmp_path / "saved.zip"
    with Server(tmp_path / "here", database) as server:
        with Web(server.address, browser=True) as web:
            web.sign_in("Rosalind")
        busy = Busy(server.address)
        busy.start()
        assert busy.begun.wait(30)
        before = busy.acknowledged.copy()
        said = run(backup, str(file), *where(tmp_path / "here", database), "--with-secret")
        assert "with the secret" in said
        busy.enough.set()
        busy.join(30)
        first = next(iter(before))
        with Person(server.address, first, busy.tokens[first]) as ann:
            ann.ask("say", text="after the backup")

    assert file.stat().st_mode & 0o777 == 0o600
    cluster: Postgres | None = None if database is None else request.getfixturevalue("cluster")
    elsewhere = None if cluster is None else cluster.new()
    run(restore, str(file), *where(tmp_path / "there", elsewhere))
    assert (tmp_path / "there" / "secret").read_bytes() == (tmp_path / "here" / "secret").read_bytes()
    with Server(tmp_path / "there", elsewhere) as server:
        for table, sheets in before.items():
            with Person(server.address, table, busy.tokens[table]) as ann:
                assert ann.step + (ann.sheet["state"] == "filed") >= sheets
                assert "after the backup" not in str(ann.talk)
                if ann.status == "playing":
                    step = ready(ann)
                    ann.file([])
                    ann.until(lambda: ann.step > step or ann.status == "over")  # noqa: B023
        with Web(server.address, browser=True) as web:
            web.sign_in("Rosalind", new=False)


def test_a_backup_without_the_secret_says_so(tmp_path: Path) -> None:
    with Server(tmp_path / "here"):
        said = run(backup, str(tmp_path / "saved.zip"), *where(tmp_path / "here", None))
    assert "without the secret" in said
    assert "secret" not in zipfile.ZipFile(tmp_path / "saved.zip").namelist()
    assert "has no secret" in run(restore, str(tmp_path / "saved.zip"), *where(tmp_path / "there", None))
    assert not (tmp_path / "there" / "secret").exists()
    assert (tmp_path / "there" / "polemos.db").stat().st_mode & 0o777 == 0o600


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    file, settings = tmp_path / "saved.zip", Settings(tmp_path / "here")
    with pytest.raises(BadBackup, match="no server's database"):
        back_up(settings, file, secret=False)
    assert not (tmp_path / "here").exists()
    with Server(tmp_path / "here"):
        back_up(settings, file, secret=True)
        with pytest.raises(BadBackup, match="already exists"):
            back_up(settings, file, secret=True)
    with pytest.raises(BadBackup, match="already are tables"):
        fill(settings, file)
    other = tmp_path / "other"
    other.mkdir()
    (other / "secret").write_bytes(b"of another server")
    with pytest.raises(BadBackup, match="secret of another server"):
        fill(Settings(other), file)
    assert (other / "secret").read_bytes() == b"of another server"
    assert [path.name for path in other.iterdir()] == ["secret"]


def test_files_that_are_not_backups_are_refused(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "there")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(BadBackup, match="not a backup, or it is damaged"):
        fill(settings, tmp_path / "text")
    with zipfile.ZipFile(tmp_path / "zip", "w") as archive:
        archive.writestr("hello", "hello")
    with pytest.raises(BadBackup, match="not a backup of Polemos"):
        fill(settings, tmp_path / "zip")
    about = {"format": 1, "polemos": "9.9", "made": 0, "database": "sqlite", "schema": "9999", "secret": False}
    with zipfile.ZipFile(tmp_path / "newer", "w") as archive:
        archive.writestr("about.json", msgspec.json.encode(about))
    with pytest.raises(BadBackup, match=r"made by Polemos 9.9, which is newer"):
        fill(settings, tmp_path / "newer")
    assert not (tmp_path / "there").exists()


def test_postgresql_without_its_programs_is_explained(
    tmp_path: Path, cluster: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = cluster.new()
    with Server(tmp_path / "here", database):
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(PolemosError, match=r"need pg_dump\. On Debian: apt-get install postgresql-client"):
            back_up(Settings(tmp_path / "here", database), tmp_path / "saved.zip", secret=False)
    with pytest.raises(BadBackup, match="can't be reached"):
        back_up(Settings(tmp_path, f"{database}_nowhere"), tmp_path / "saved.zip", secret=False)
