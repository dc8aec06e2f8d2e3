"""Memory, disk, threads: a bot gets what its budget says, whichever way it asks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from attacks.harness import copy_of_programs, run, start
from polemos.hosts import groups
from polemos.hosts.bundle import PYTHON
from polemos.hosts.pipe import Broken, Child, Late
from polemos.wire.bot import Budget

MB = 1 << 20
SMALL = Budget(memory=96 * MB, scratch=2 * MB)
ASKED = {"bytes": 128 * MB, "disk": 4 * MB, "threads": 100, "files": 9_000}
TOO_MUCH = ["heap", "mapping", "writable_later", "growing_down", "many_small", "stacks", "threads"]
TOO_MUCH += ["scratch", "one_file", "files_without_names", "shared_memory"]
ENOUGH = ["some_threads", "some_scratch"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_of_programs(tmp_path)


def test_too_much_is_refused_and_enough_is_not(folder: Path) -> None:
    said = run(folder, "taking", TOO_MUCH, {**ASKED, "scratch": "/tmp"}, box=True, budget=SMALL)
    assert [name for name in TOO_MUCH if "got" in said[name]] == []
    said = run(folder, "taking", [*TOO_MUCH, *ENOUGH], {**ASKED, "scratch": "/tmp"}, box=True)
    assert [name for name in [*TOO_MUCH, *ENOUGH] if "refused" in said[name]] == [
        "growing_down",
        "threads",
        "shared_memory",
    ]


def test_without_the_box_nothing_is_too_much(folder: Path, tmp_path: Path) -> None:
    said = run(folder, "taking", TOO_MUCH, {**ASKED, "scratch": str(tmp_path)}, box=False)
    assert [name for name in TOO_MUCH if "refused" in said[name]] == []


@pytest.mark.parametrize("place", ["/", "/dev", "/bot", "/proc", "/etc", "/usr", "/dev/pts"])
def test_nothing_else_can_be_filled(folder: Path, place: str) -> None:
    said = run(folder, "taking", ["some_scratch"], {"scratch": place}, box=True)
    assert "refused" in said["some_scratch"]


@pytest.mark.parametrize("grouped", [True, False], ids=["by the group, where there is one", "by looking"])
@pytest.mark.parametrize("name", ["reserve", "reserve_behind_the_back"])
def test_address_space_is_not_memory(folder: Path, name: str, grouped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A runtime may reserve gigabytes; what it uses is bounded even so."""
    if not grouped:
        monkeypatch.setattr(groups, "make", lambda *limits: None)
    lines, why = watched(folder, name, box=True)
    assert lines == [b"reserved"]
    assert why.startswith("memory")
    lines, why = watched(folder, name, box=False)
    assert lines == [b"reserved", b"taken"]


@pytest.mark.parametrize("grouped", [True, False], ids=["by the group, where there is one", "by looking"])
@pytest.mark.parametrize("name", ["shared_mapping", "shared_out_of_sight", "shared_among_many", "zeroes_out_of_sight"])
def test_shared_memory_is_memory(folder: Path, name: str, grouped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """No limit of the kernel on a single process counts it; somebody must, also what is not resident."""
    if not grouped:
        monkeypatch.setattr(groups, "make", lambda *limits: None)
    lines, why = watched(folder, name, box=True)
    assert lines == []
    assert why.startswith("memory")
    lines, why = watched(folder, name, box=False)
    assert lines == [b"taken"]


def test_empty_files_are_not_free(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A control group counts them as memory; where there is none they are counted by us."""
    monkeypatch.setattr(groups, "make", lambda *limits: None)
    _, why = watched(folder, "empty_files", box=True)
    assert why.startswith("memory"), why
    lines, _ = watched(folder, "empty_files", box=False, scratch=str(tmp_path))
    assert lines == [b"taken"]


def watched(folder: Path, name: str, *, box: bool, scratch: str = "/tmp") -> tuple[list[bytes], str]:
    """The lines that it says, heard as a bot is, and why it could no longer be spoken to."""
    running = start([PYTHON, str(folder / "run.py")], box=box, budget=SMALL, hasty=True)
    child = Child(running, max_line=1000, log=None, max_log=0)
    asked = {"module": "taking", "names": [name], "about": {**ASKED, "bytes": 256 * MB, "scratch": scratch}}
    lines: list[bytes] = []
    try:
        child.say(json.dumps(asked).encode() + b"\n", child.patience(60))
        while lines[-1:] != [b"taken"]:
            lines.append(child.hear(child.patience(60), float("inf")))
        child.hear(child.patience(0.5), float("inf"))
    except Broken as error:
        return lines, str(error)
    except Late:
        pass
    finally:
        child.close()
    return lines, ""
