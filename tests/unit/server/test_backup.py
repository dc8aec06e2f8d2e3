"""Backups made during play: everything acknowledged before is there, on both databases."""

from __future__ import annotations

import threading
import zipfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from polemos.cli.backup import command as backup
from polemos.cli.restore import command as restore
from polemos.hosts.bundle import Bundle, File
from polemos.kernel.errors import PolemosError
from polemos.ladder.files import Bundles, Replays
from polemos.server.settings import Settings
from polemos.server.store.backup import BadBackup, back_up
from polemos.server.store.backup import restore as fill
from unit.server.postgres import Postgres
from unit.server.serving import Person, Refused, Server, Web

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
        assert busy.begun.wait(60)
        before = busy.acknowledged.copy()
        said = run(backup, str(file), *where(tmp_path / "here", database), "--with-secret")
        assert "with the secret" in said
        busy.enough.set()
        busy.join(60)
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
                    with suppress(Refused):  # a sheet that was filed before the backup may be carried out meanwhile
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


# ---- the files of the ladder


def furnished(settings: Settings) -> tuple[Bundle, str]:
    """Fills the folders of a server: a bot that plays with its source, a replay with a log, and unfinished things."""
    bundle = Bundle(("./bot",), (File("bot", True, b"plays"),), "ab" * 16)
    Bundles(settings.ladder_home / "bots").put(bundle)
    replay = Replays(settings.ladder_home / "replays").put(b"a replay", {1: b"a log"})
    (settings.ladder_home / "replays" / replay[:2] / f".half-{replay}.jsonl.gz").write_bytes(b"half")
    uploads = settings.folder / "uploads"
    for name in ("sources/12/src", "versions/12/files", "trials/12", "making/99-x", "arriving", "locks"):
        (uploads / name).mkdir(parents=True, exist_ok=True)
    (uploads / "place").write_text("here")
    (uploads / "arriving" / "7").write_bytes(b"waits for its turn")
    (uploads / "making/99-x/half").write_bytes(b"half")
    (uploads / "trials/12/skerries.json").write_bytes(b"{}")
    source, program = uploads / "sources/12/src/main.c", uploads / "versions/12/files/bot"
    source.write_text("int main;")
    program.write_text("built")
    source.chmod(0o440)
    program.chmod(0o550)
    for folder in ("sources/12/src", "sources/12", "versions/12/files", "versions/12"):
        (uploads / folder).chmod(0o550)
    return bundle, replay


def files_of(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_mode & 0o777, path.read_bytes() if path.is_file() else b"")
        for path in sorted(folder.rglob("*"))
    }


def test_files_of_bots_and_replays_are_in_it(tmp_path: Path) -> None:
    here, there = Settings(tmp_path / "here"), Settings(tmp_path / "there", ladder_folder=tmp_path / "shared")
    with Server(tmp_path / "here"):
        bundle, replay = furnished(here)
        said = run(backup, str(tmp_path / "saved.zip"), *where(here.folder, None))
        assert "It has the files of 1 version of uploaded bots, and 1 replay of the ladder." in said
        small = run(backup, str(tmp_path / "small.zip"), *where(here.folder, None), "--without-replays")
        assert "and no replays of the ladder" in small
    place = ("--ladder-folder", str(tmp_path / "shared"))
    run(restore, str(tmp_path / "saved.zip"), *where(there.folder, None), *place)
    assert Bundles(tmp_path / "shared" / "bots").get(bundle.digest) == bundle
    replays = Replays(tmp_path / "shared" / "replays")
    assert replays.path(replay).read_bytes() == b"a replay"
    assert replays.log(replay, 1).is_file()
    assert not list((tmp_path / "shared").rglob(".*")), "unfinished files are left behind"
    kept = {
        name: of for name, of in files_of(here.folder / "uploads").items() if not name.startswith(("making", "locks"))
    }
    assert kept == files_of(there.folder / "uploads")

    run(restore, str(tmp_path / "small.zip"), *where(tmp_path / "less", None))
    assert (tmp_path / "less" / "uploads/sources/12/src/main.c").read_text() == "int main;"
    assert (tmp_path / "less" / "ladder/bots" / f"{bundle.digest}.bot").is_file()
    assert not (tmp_path / "less" / "ladder/replays").exists()


def test_files_that_are_there_stay_and_none_lies_elsewhere(tmp_path: Path) -> None:
    """A folder may have outlived its database. Names are digests, so what is there is what the backup has."""
    here, file = Settings(tmp_path / "here"), tmp_path / "saved.zip"
    with Server(tmp_path / "here"):
        furnished(here)
        back_up(here, file, secret=False)
    there = Settings(tmp_path / "there")
    (there.folder / "uploads/arriving").mkdir(parents=True)
    (there.folder / "uploads/arriving/7").write_bytes(b"newer")
    with zipfile.ZipFile(file) as good, zipfile.ZipFile(tmp_path / "bad.zip", "w") as bad:
        for info in good.infolist():
            bad.writestr(info, good.read(info))
        bad.writestr("uploads/sources/../../../evil", "evil")
    with pytest.raises(BadBackup, match="not a backup of Polemos: it has a file"):
        fill(there, tmp_path / "bad.zip")
    assert not (there.folder / "uploads/sources").exists()
    assert not (tmp_path / "evil").exists()
    fill(there, file)
    assert (there.folder / "uploads/arriving/7").read_bytes() == b"newer"
    assert (there.folder / "uploads/versions/12/files/bot").read_text() == "built"


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
