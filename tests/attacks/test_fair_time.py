"""Whoever burns the machine's time burns its own, and nobody is late for it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from attacks.harness import SECRET
from attacks.test_matches import GAME, PATIENT, bot, played, verdicts
from polemos.hosts import quiet, specs
from polemos.kernel.match import AnyMatch, Match

# Answers, and burns with sixty threads while the other thinks.
BURNER = """
import hashlib, json, sys, threading
def say(message):
    print(json.dumps(message), flush=True)
burn = threading.Event()
def after():
    while burn.wait():
        hashlib.pbkdf2_hmac("sha256", b"burn", b"burn", 500)  # works beside the other threads
threading.stack_size(1 << 16)
for _ in range(60): threading.Thread(target=after, daemon=True).start()
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "hello":
        say({"type": "ready"})
    elif kind == "view":
        burn.clear()
        say({"type": "orders", "orders": []})
        burn.set()
    else:
        break
"""
THINKER = bot("t = time.process_time()\n        while time.process_time() - t < 0.02: pass")


def burner(folder: Path) -> tuple[AnyMatch, Any]:
    """The burner alone, in the box, after its first answer."""
    match = Match(GAME, {"turns": 8}, seed=SECRET)
    (folder / "bot.py").write_text(BURNER)
    budget = msgspec.structs.replace(PATIENT, bank=30)
    made = specs.make(GAME, str(folder / "bot.py"), match.setting, "red", 7, seats=match.seats, budget=budget)
    assert list(made.orders(match.view("red"), 0)) == []
    return match, made


def state_of(program: Any) -> str:
    """R: it runs, S: it sleeps, T: it is stopped."""
    pid = program._child._running.pid()
    text = Path(f"/proc/{pid}/status").read_text()
    return text.split("State:\t")[1][0]


def test_who_burns_after_its_answer_is_stopped_until_it_is_asked(tmp_path: Path) -> None:
    match, program = burner(tmp_path)
    try:
        for _ in range(3):
            until = time.monotonic() + 20
            while state_of(program) != "T" and time.monotonic() < until:
                time.sleep(0.001)
            assert state_of(program) == "T"
            assert list(program.orders(match.view("red"), 0)) == []
    finally:
        program.close(None)


def test_without_the_guard_it_would_burn_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet.Guard, "answered", lambda guard, program: None)
    _, program = burner(tmp_path)
    try:
        began = program._child.cpu()
        until = time.monotonic() + 20
        while program._child.cpu() < began + 0.1 and time.monotonic() < until:
            time.sleep(0.01)
        assert program._child.cpu() >= began + 0.1
        assert state_of(program) != "T"
    finally:
        program.close(None)


def test_a_quiet_bot_is_never_stopped(tmp_path: Path) -> None:
    halted: list[object] = []
    match = Match(GAME, {"turns": 8}, seed=SECRET)
    (tmp_path / "bot.py").write_text(bot())
    program = specs.make(GAME, str(tmp_path / "bot.py"), match.setting, "red", 7, seats=match.seats, budget=PATIENT)
    program._child.halt = lambda: halted.append(program)
    try:
        program.orders(match.view("red"), 0)
        time.sleep(0.2)
        until = time.monotonic() + 20  # on a busy machine it may still be waiting to put its answer away
        while state_of(program) != "S" and time.monotonic() < until:
            time.sleep(0.01)
        assert state_of(program) == "S"
        assert halted == []
    finally:
        program.close(None)


# ---- in a control group with a small share of the CPU, as under Docker or systemd

IN_A_GROUP = """
import sys
from pathlib import Path
import msgspec
sys.path.insert(0, sys.argv[2])
from attacks import test_fair_time as here
from polemos.hosts import patience
for name in sys.argv[3:]:
    Path(name).write_text(str(__import__("os").getpid()))
if sys.argv[1] == "without":
    patience.kept = lambda before, after: 0.0
    here.quiet.Guard.answered = lambda guard, program: None
here.hurried(Path.cwd())
"""


def hurried(folder: Path) -> None:
    """A match in which an answer may take a second, and the first burns the group's share after its answers.

    The second wants a fiftieth of a second of CPU time. Beside sixty threads that would take it several seconds.
    """
    budget = msgspec.structs.replace(PATIENT, bank=30, wall_factor=0, wall_extra=1.0)
    match = played(folder, BURNER, THINKER, budget, turns=6)
    late = sorted({seat for step in match.steps for seat in step.strikes})
    print(msgspec.json.encode({"late": late, "out": sorted(verdicts(match))}).decode())


@contextmanager
def small_share() -> Iterator[list[str]]:
    """Files where a process writes its number to be in a group that gets a fifth of a core. None where we may not."""
    made: list[Path] = []
    try:
        for home, quota in ((Path("/sys/fs/cgroup/cpu"), "cpu.cfs_quota_us"), (Path("/sys/fs/cgroup"), "cpu.max")):
            with suppress(OSError):
                group = home / f"polemos-share-{uuid4().hex[:8]}"
                if not (home / "cgroup.procs").exists():
                    continue
                group.mkdir()
                made.append(group)
                (group / quota).write_text("20000" if quota != "cpu.max" else "20000 100000")
                break
        yield [str(group / "cgroup.procs") for group in made]
    finally:
        for group in made:
            with suppress(OSError):
                group.rmdir()


def in_a_group(folder: Path, how: str) -> dict[str, object]:
    root = Path(__file__).parents[1]
    with small_share() as entries:
        said = subprocess.run(
            [sys.executable, "-c", IN_A_GROUP, how, str(root), *entries],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            timeout=900,
        )
    assert said.returncode == 0, said.stderr
    answer: dict[str, object] = msgspec.json.decode(said.stdout.splitlines()[-1])
    return answer


def test_in_a_small_share_nobody_is_late_because_of_another(tmp_path: Path) -> None:
    assert in_a_group(tmp_path, "with") == {"late": [], "out": []}


def test_without_fair_clocks_somebody_would_be_late(tmp_path: Path) -> None:
    with small_share() as entries:
        has_groups = bool(entries)
    if has_groups:  # elsewhere the burner takes no more than its core
        # Whom it hits is up to the scheduler of the machine: one of a few burners does.
        folders = [tmp_path / str(number) for number in range(4)]
        for folder in folders:
            folder.mkdir()
        assert any(in_a_group(folder, "without")["late"] for folder in folders)
