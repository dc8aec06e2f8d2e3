"""When a match is over nothing of a bot is left, whatever it does, and also if it was the umpire who died."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from attacks.harness import PROGRAMS, start
from attacks.umpire import WHEN
from polemos import registry
from polemos.hosts import groups, specs
from polemos.hosts.bundle import PYTHON
from polemos.hosts.running import Running
from polemos.kernel.match import Match
from polemos.kernel.playing import play
from processes import commands, left_of

SECONDS = 120  # as long as the programs stay by themselves
WAYS = ["ignore", "leave", "stop", "spin", "begin-again"]
UMPIRE = Path(__file__).with_name("umpire.py")


@pytest.fixture
def mark(request: pytest.FixtureRequest) -> str:
    """A word of the command line by which everything that belongs to a test can be found."""
    return f"mark-{os.getpid()}-{abs(hash(request.node.name))}-{time.monotonic_ns()}"


def command(way: str, mark: str) -> list[str]:
    return [PYTHON, str(PROGRAMS / "staying.py"), way, mark]


def ended(running: Running) -> float:
    """Waits until it is there, ends it, and says how long that took."""
    assert running.process.stdout is not None
    assert running.process.stdout.readline() == b"here\n"
    began = time.monotonic()
    running.end()
    taken = time.monotonic() - began
    for pipe in (running.process.stdin, running.process.stdout, running.process.stderr):
        assert pipe is not None
        pipe.close()
    return taken


def marked(mark: str) -> list[int]:
    return [pid for pid, words in commands().items() if mark in words]


@pytest.mark.parametrize("way", WAYS)
def test_the_end_of_a_match_is_its_end(way: str, mark: str) -> None:
    assert ended(start(command(way, mark), box=True)) < SECONDS / 2, "it would sleep for much longer"
    assert left_of(mark) == []


def test_without_the_box_a_child_of_a_child_stays(mark: str) -> None:
    ended(start(command("fork", mark), box=False))
    bury(mark)
    assert left_of(mark) == []


def bury(mark: str) -> None:
    """Ends the one that is left."""
    until = time.monotonic() + SECONDS / 4
    while len(left := marked(mark)) > 1 and time.monotonic() < until:
        time.sleep(0.01)  # those who left it may still be on their way out
    assert len(left) == 1
    os.kill(left[0], signal.SIGKILL)
    with suppress(OSError):
        os.waitpid(left[0], 0)  # it may have been left to us


# ---- the death of the umpire


def umpire(when: str, box: str, way: str, mark: str) -> subprocess.Popen[bytes]:
    words = [sys.executable, str(UMPIRE), when, box, *command(way, mark)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def killed(started: subprocess.Popen[bytes]) -> None:
    """Kills the umpire when its program is there."""
    assert started.stdout is not None
    assert started.stdout.readline() == b"here\n"
    started.kill()
    started.communicate()


@pytest.mark.parametrize("way", WAYS)
def test_a_bot_dies_with_its_umpire(way: str, mark: str) -> None:
    killed(umpire("never", "boxed", way, mark))
    assert left_of(mark) == []


def test_without_the_box_it_lives_on(mark: str) -> None:
    started = umpire("never", "free", "leave", mark)
    assert started.stdout is not None
    assert started.stdout.readline() == b"here\n"
    started.kill()
    started.wait()
    bury(mark)
    started.communicate()
    assert left_of(mark) == []


@pytest.mark.parametrize("when", [when for when in WHEN if when != "never"])
def test_a_bot_never_begins_after_the_death_of_its_umpire(when: str, mark: str) -> None:
    """At no moment of the start is there a gap.

    Bubblewrap itself may be caught half-way and then waits for its own dead parent. It runs nothing, and is taken away
    with its group by the next umpire.
    """
    for _ in range(2):
        started = umpire(when, "boxed", "leave", mark)
        _, complaint = started.communicate(timeout=SECONDS / 2)
        assert started.returncode == -signal.SIGKILL, complaint
        time.sleep(0.1)
        until = time.monotonic() + 2
        while marked(mark) and time.monotonic() < until:  # others may be slow to get where they wait or end
            sweep()
            time.sleep(0.05)
        if groups._one_tree() is groups._old_tree() is None:  # there are no groups here
            for pid in marked(mark):
                if commands().get(pid, [""])[0].endswith("bwrap"):
                    os.kill(pid, signal.SIGKILL)
        assert left_of(mark) == []


def test_groups_of_the_dead_are_taken_away_by_the_next(mark: str) -> None:
    started = umpire("never", "boxed", "leave", mark)
    killed(started)
    assert left_of(mark) == []
    until = time.monotonic() + SECONDS / 4
    sweep()
    while groups_of(started.pid) and time.monotonic() < until:  # the kernel takes a moment to see that it is empty
        time.sleep(0.05)
        sweep()
    assert groups_of(started.pid) == []


def sweep() -> None:
    """What every umpire does before its first match."""
    groups._sweep.cache_clear()
    groups._sweep()


# ---- many matches


def groups_of(pid: int) -> list[Path]:
    return list(groups.ROOT.glob(f"**/polemos-{pid}-*"))


def shadows() -> list[int]:
    """Our children, dead or alive."""
    found: list[int] = []
    for path in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):  # a thread may end at any time
            found += map(int, path.read_text().split())
    return found


GOOD = """
import json, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "result": break
    print(json.dumps({"type": "ready"} if kind == "hello" else {"type": "orders", "orders": []}), flush=True)
"""
BAD = GOOD.replace('{"type": "orders", "orders": []}', "1 / 0")


def test_twenty_matches_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.load("skerries")
    before, make = set(shadows()), tempfile.mkdtemp
    made: list[str] = []

    def noted(*given: Any, **named: Any) -> str:
        folder: str = make(*given, **named)
        made.append(folder)
        return folder

    monkeypatch.setattr(tempfile, "mkdtemp", noted)  # others make folders there at the same time
    for number in range(20):
        match = Match(game, {"turns": 2}, seed=number)
        bots = {}
        for seat, text in zip(match.seats, (GOOD, GOOD if number % 2 else BAD), strict=True):
            file = tmp_path / seat / f"bot-{number % 2}.py"
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
            bots[seat] = specs.make(game, str(file), match.setting, seat, 1, seats=match.seats)
        outcome = play(match, bots)
        specs.close(list(bots.values()), outcome)
        assert len(match.steps[0].forfeits) == 1 - number % 2
    assert set(shadows()) <= before
    assert groups_of(os.getpid()) == []
    assert left_of(str(tmp_path)) == []
    assert [folder for folder in made if Path(folder).exists()] == []
