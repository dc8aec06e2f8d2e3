"""Two bots at once do not find each other, nor what the other has left."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from attacks.harness import Said, copy_of_programs, run, start
from polemos.hosts.bundle import PYTHON
from polemos.hosts.pipe import Child

FIRST = ["leave", "leave_in_memory"]
SECOND = ["find", "find_in_memory"]


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
        child.say(asked.encode() + b"\n", time.monotonic() + 5)
        yield json.loads(child.hear(time.monotonic() + 10, float("inf")))
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


def test_all_bots_are_one_user_and_yet_apart(folder: Path) -> None:
    """What is done to all processes of a user reaches those in the same box only."""
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    running = start([PYTHON, str(folder / "run.py")], box=True)  # begun before the other does it
    child = Child(running, max_line=1 << 16, log=None, max_log=0)
    try:
        said = run(folder, "meeting", ["slow_down_who_is_alike"], {}, box=True)
        assert said["slow_down_who_is_alike"] == {"got": True}
        asked = json.dumps({"module": "meeting", "names": ["be_as_quick_as_ever"], "about": {"nice": ours}})
        child.say(asked.encode() + b"\n", time.monotonic() + 5)
        assert "got" in json.loads(child.hear(time.monotonic() + 10, float("inf")))["be_as_quick_as_ever"]
    finally:
        child.close()
    assert os.getpriority(os.PRIO_PROCESS, 0) == ours
