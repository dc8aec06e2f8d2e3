"""What a bot's folder shows in the box: its own plain files and nothing else, however it was prepared."""

from __future__ import annotations

import os
import socket
import stat
import tempfile
import time
from pathlib import Path

import pytest

from attacks.harness import ROOT, SECRET, copy_of_programs, finish, run, start
from polemos.hosts import bundle
from polemos.hosts.box import group_of_readers
from polemos.hosts.bundle import KEPT, PYTHON, Bundle, pack, unpack
from polemos.kernel.errors import BotFault


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_of_programs(tmp_path)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shelf for this test alone."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path / f"polemos-bots-{os.getuid()}"


def names(packed: Bundle) -> set[str]:
    return {file.path for file in packed.files}


def prepared(tmp_path: Path, folder: Path) -> dict[str, Path]:
    """A folder with everything in it that leads out, by name."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text(SECRET)
    made = {name: folder / name for name in ("file", "folder", "up", "passwd", "far", "root", "fifo", "socket", "zero")}
    made["file"].symlink_to(outside / "secret.txt")
    made["folder"].symlink_to(outside)
    made["up"].symlink_to("..")
    made["passwd"].symlink_to("/etc/passwd")
    made["far"].symlink_to("../../../../../../../../etc/passwd")
    made["root"].symlink_to("/")
    made["zero"].symlink_to("/dev/zero")
    os.mkfifo(made["fifo"])
    here = os.getcwd()
    os.chdir(folder)  # a long path has no socket
    with socket.socket(socket.AF_UNIX) as way:
        way.bind("socket")
    os.chdir(here)
    if ROOT:
        os.mknod(folder / "null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        made["null"] = folder / "null"
    for hidden in (".git", "__pycache__"):
        (folder / hidden).mkdir()
        made[hidden] = folder / hidden / "config"
        made[hidden].write_text(SECRET)
    return made


def test_what_leads_out_of_the_folder_stays_behind(tmp_path: Path, folder: Path) -> None:
    plain = names(pack([PYTHON, str(folder / "run.py")]))
    made = prepared(tmp_path, folder)
    assert names(pack([PYTHON, str(folder / "run.py")])) == plain
    said = run(folder, "listing", ["everything"], {}, box=True)["everything"]["got"]
    assert said.keys() == plain
    assert SECRET not in said.values()
    (folder / "root").unlink()  # without the box it would be followed all over the machine
    (folder / "up").unlink()
    said = run(folder, "listing", ["everything"], {}, box=False)["everything"]["got"]
    assert {said["file"], said["folder/secret.txt"], said[".git/config"]} == {SECRET}
    assert said.keys() > plain
    assert len(made) > 10


def test_links_within_the_folder_are_files(folder: Path) -> None:
    (folder / "same.py").symlink_to("run.py")
    files = {file.path: file.data for file in pack([PYTHON, str(folder / "run.py")]).files}
    assert files["same.py"] == files["run.py"]


def test_the_folder_of_replays_is_not_packed(folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "game-00001.jsonl").write_text(SECRET)
    packed = pack([PYTHON, str(folder / "run.py")], folder / "out")
    assert not any(name.startswith("out") for name in names(packed))


def test_a_program_reaches_no_further_than_its_folder(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(BotFault, match="one folder"):
        pack([PYTHON, str(folder / "run.py"), "/etc/passwd"])
    with pytest.raises(BotFault, match="one folder"):
        pack([PYTHON, str(folder / "run.py"), str(tmp_path)])
    with pytest.raises(BotFault, match="one folder"):
        pack([PYTHON, str(folder / "run.py"), str(folder / ".." / "beside.txt")])


def test_a_folder_may_not_be_too_big(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "MAX_BYTES", 1 << 20)
    monkeypatch.setattr(bundle, "MAX_FILES", 10)
    (tmp_path / "bot.py").write_text("")
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(BotFault, match="more than 1 MB"):
        pack([PYTHON, str(tmp_path / "bot.py")])
    (tmp_path / "huge").unlink()
    for number in range(10):
        (tmp_path / f"{number}").write_text("")
    with pytest.raises(BotFault, match="more than 10 files"):
        pack([PYTHON, str(tmp_path / "bot.py")])


def test_two_bots_are_never_taken_for_one(tmp_path: Path) -> None:
    """Whatever their files are called: here one file whose name reads like the list of two."""
    for name, files in {"one": {"a False 0\nb": "x"}, "two": {"a": "", "b": "x"}}.items():
        (tmp_path / name).mkdir()
        for file, text in {**files, "z.py": ""}.items():
            (tmp_path / name / file).write_text(text)
    one, two = (pack([PYTHON, str(tmp_path / name / "z.py")]) for name in ("one", "two"))
    assert one.command == two.command
    assert one.digest != two.digest


# ---- the shelf


def test_nobody_else_may_look_at_the_shelf(folder: Path, shelf: Path) -> None:
    place = unpack(pack([PYTHON, str(folder / "run.py")]), group_of_readers())
    assert place.parent == shelf
    for path in (shelf, place, *place.rglob("*")):
        assert path.stat().st_mode & 0o007 == 0, path
        assert path.stat().st_uid == os.getuid()
    assert shelf.stat().st_mode & 0o040 == 0, "the group passes, but does not look around"


def test_a_shelf_that_somebody_else_has_made_is_not_used(folder: Path, shelf: Path) -> None:
    packed = pack([PYTHON, str(folder / "run.py")])
    shelf.symlink_to(folder)
    with pytest.raises(BotFault, match="not a private folder of this user"):
        unpack(packed, None)
    shelf.unlink()
    shelf.mkdir()
    shelf.chmod(0o777)
    with pytest.raises(BotFault, match="not a private folder of this user"):
        unpack(packed, None)


def test_files_only_for_root_are_not_for_the_box(folder: Path) -> None:
    """The box is not started by root, so root's files are as closed there as for anybody."""
    (folder / "mark.txt").write_text(str(folder))  # a bundle that no other test has
    place = unpack(pack([PYTHON, str(folder / "run.py")]), group_of_readers())
    (place / "decoy.py").chmod(0o600 if ROOT else 0)
    try:
        said = run(folder, "listing", ["everything"], {}, box=True)["everything"]["got"]
    finally:
        (place / "decoy.py").chmod(0o440)
    assert said["decoy.py"] is None
    assert said["run.py"]


def test_the_shelf_is_cleared(folder: Path, shelf: Path) -> None:
    old, used = (unpack(Bundle((PYTHON,), (), digest), None) for digest in ("old", "used"))
    half = shelf / "tmphalf"
    half.mkdir()
    for place in (old, used, half):
        os.utime(place, (0, time.time() - KEPT - 60))
    unpack(Bundle((PYTHON,), (), "used"), None)
    unpack(Bundle((PYTHON,), (), "new"), None)
    assert {path.name for path in shelf.iterdir()} == {"used", "new"}


def test_a_bot_that_nobody_else_can_read_plays(tmp_path: Path) -> None:
    """Homes are often closed to all others."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "bot.py").write_text("print('here')")
    (home / "bot.py").chmod(0o600)
    assert finish(start([PYTHON, str(home / "bot.py")], box=True))[0] == "here\n"
