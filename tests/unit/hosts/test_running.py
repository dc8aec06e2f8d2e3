"""Programs that have ended: who is killed with them, and who is not."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from polemos.hosts.running import Running

LEAVES = """
import os, sys
if os.fork() == 0:
    sys.stdout.write(f"{os.getpid()}\\n")
    sys.stdout.flush()
    os.close(1)
    import time
    time.sleep(600)
"""


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Groups that are killed from now on."""
    found: list[int] = []
    kill = os.killpg

    def killpg(group: int, number: int) -> None:
        if number == signal.SIGKILL:
            found.append(group)
        kill(group, number)

    monkeypatch.setattr(os, "killpg", killpg)
    return found


def put_away(program: Running) -> None:
    for pipe in (program.process.stdin, program.process.stdout, program.process.stderr):
        assert pipe is not None
        pipe.close()


def test_the_number_of_a_program_that_was_waited_for_is_not_used_again(killed: list[int]) -> None:
    program = Running([sys.executable, "-c", ""])
    assert program.ended() == (0, None)
    killed.clear()
    program.end()  # at the end of the match, when another program may have got its number
    assert killed == []
    put_away(program)


def test_what_a_program_leaves_behind_ends_with_it(killed: list[int]) -> None:
    program = Running([sys.executable, "-c", LEAVES])
    assert program.process.stdout is not None
    left = int(program.process.stdout.readline())
    assert program.ended() == (0, None)
    assert killed == [program.process.pid]
    assert state_of(left) in (None, "Z", "X")
    program.end()
    put_away(program)


def state_of(pid: int) -> str | None:
    """Whether it runs (R, S) or is dead and not buried yet (Z); None if there is none."""
    until = time.monotonic() + 5
    while True:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return None
        if state in "ZX" or time.monotonic() > until:
            return state
        time.sleep(0.01)
