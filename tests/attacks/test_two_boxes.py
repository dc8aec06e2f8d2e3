"""Two bots at once do not find each other, nor what the other has left."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from attacks.harness import ROOT, Said, copy_of_programs, finish, run, start
from polemos.hosts import box, users
from polemos.hosts.bundle import PYTHON
from polemos.hosts.patience import Patience
from polemos.hosts.pipe import Child

FIRST = ["leave", "leave_in_memory"]
SECOND = ["find", "find_in_memory"]
LOCKING = ["lock_what_all_see", "lock_a_part_of_what_all_see"]
FEELING = ["feel_the_lock", "ask_who_has_locked_a_part", "read_the_locks_of_the_machine"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_of_programs(tmp_path)


@contextmanager
def staying(folder: Path, names: list[str], about: dict[str, object], *, box: bool) -> Iterator[Said]:
    """The first of the two: says what it has achieved, and is still there."""
    text = (folder / "run.py").read_text().replace("\nmain()\n", "\nmain()\nsys.stdin.read()\n")
    (folder / "stay.py").write_text(text)
    running = start([PYTHON, str(folder / "stay.py")], box=box)
    child = Child(running, max_line=1 << 16, log=None, max_log=0)
    try:
        asked = json.dumps({"module": "meeting", "names": names, "about": about})
        child.say(asked.encode() + b"\n", Patience(60))
        yield json.loads(child.hear(Patience(60), float("inf")))
    finally:
        child.close()


def test_nothing_is_found_in_another_box(folder: Path) -> None:
    about: dict[str, object] = {"word": f"polemos-{os.getpid()}", "key": os.getpid(), "nice": 0}
    with staying(folder, FIRST, about, box=True) as first:
        assert first["leave"]["got"] == ["/tmp", "/dev/shm"], "where it may write"
        assert "refused" in first["leave_in_memory"]
        second = run(folder, "meeting", [*SECOND, "signal_who_is_alike"], about, box=True)
        assert [name for name, said in second.items() if "got" in said] == []


def test_without_the_box_it_is_found(folder: Path) -> None:
    about: dict[str, object] = {"word": f"polemos-{os.getpid()}", "key": os.getpid(), "nice": 0}
    with staying(folder, FIRST, about, box=False) as first:
        assert "/tmp" in first["leave"]["got"]
        second = run(folder, "meeting", [*SECOND, "signal_who_is_alike"], about, box=False)
        assert [name for name, said in second.items() if "refused" in said] == []


def test_no_lock_is_felt_in_another_box(folder: Path) -> None:
    """Locks on files of the system carried 32 bits a turn."""
    about: dict[str, object] = {"key": os.getpid()}
    with staying(folder, LOCKING, about, box=True) as first:
        assert [name for name, said in first.items() if "got" in said] == []
    with staying(folder, LOCKING, about, box=False) as first:  # somebody outside holds them: they cannot be felt either
        assert [name for name, said in first.items() if "refused" in said] == []
        second = run(folder, "meeting", FEELING, about, box=True)
        assert [name for name, said in second.items() if "got" in said] == []
        second = run(folder, "meeting", FEELING, about, box=False)
        assert [name for name, said in second.items() if "refused" in said] == []


def test_figures_of_the_machine_are_not_shown(folder: Path) -> None:
    assert (
        "refused"
        in run(folder, "meeting", ["read_figures_of_the_machine"], {}, box=True)["read_figures_of_the_machine"]
    )
    assert (
        "got" in run(folder, "meeting", ["read_figures_of_the_machine"], {}, box=False)["read_figures_of_the_machine"]
    )


@pytest.mark.parametrize("alike", [False, True], ids=["a user each", "one user"])
def test_who_takes_all_timers_takes_them_from_nobody_else(
    folder: Path, alike: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where all boxes must be one user, as without root."""
    if alike:
        monkeypatch.setattr(users, "OWN", range(0))
    with staying(folder, ["take_all_timers"], {}, box=True) as first:
        assert 0 < first["take_all_timers"]["got"] <= box.SIGNALS
        assert "got" in run(folder, "meeting", ["have_a_timer"], {}, box=True)["have_a_timer"]


@pytest.mark.skipif(not ROOT, reason="only root can give a box a user of its own")
def test_every_box_has_a_user_of_its_own(folder: Path) -> None:
    boxes = [start([PYTHON, str(folder / "run.py")], box=True) for _ in range(3)]
    try:
        owners = {Path(f"/proc/{box.pid()}").stat().st_uid for box in boxes}
        assert len(owners) == len(boxes)
        assert os.getuid() not in owners
    finally:
        for one in boxes:
            finish(one, "{}")


def test_all_bots_are_one_user_and_yet_apart(folder: Path) -> None:
    """What is done to all processes of a user reaches those in the same box only."""
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    running = start([PYTHON, str(folder / "run.py")], box=True)  # begun before the other does it
    child = Child(running, max_line=1 << 16, log=None, max_log=0)
    try:
        said = run(folder, "meeting", ["slow_down_who_is_alike"], {}, box=True)
        assert said["slow_down_who_is_alike"] == {"got": True}
        asked = json.dumps({"module": "meeting", "names": ["be_as_quick_as_ever"], "about": {"nice": ours}})
        child.say(asked.encode() + b"\n", Patience(60))
        assert "got" in json.loads(child.hear(Patience(60), float("inf")))["be_as_quick_as_ever"]
    finally:
        child.close()
    assert os.getpriority(os.PRIO_PROCESS, 0) == ours
