"""Other processes: seeing them, reading what they know, writing into them, ending them."""

from __future__ import annotations

import ctypes
import os
import signal
from pathlib import Path
from typing import Any

About = dict[str, Any]
IN_THE_BOX = ("memory_of_the_first_process", "files_of_the_first_process", "environment_of_the_first_process")
libc = ctypes.CDLL(None, use_errno=True)


def _write_into(pid: int) -> int:
    """Writes back what stands there: possible is possible."""
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        if " rw-p " in line:
            begin = int(line.split("-")[0], 16)
            with open(f"/proc/{pid}/mem", "r+b", buffering=0) as memory:
                memory.seek(begin)
                found = memory.read(16)
                memory.seek(begin)
                return memory.write(found)
    raise OSError("nothing to write to")


def others(about: About) -> list[str]:
    """The first process inside is the box's own."""
    found = [name for name in os.listdir("/proc") if name.isdigit() and name not in ("1", str(os.getpid()))]
    assert found
    return found


def what_another_was_told(about: About) -> str:
    text = Path(f"/proc/{about['decoy']}/cmdline").read_text()
    assert "decoy" in text
    return text


def secret_of_another(about: About) -> bool:
    assert about["secret"] in Path(f"/proc/{about['decoy']}/environ").read_text()
    return True


def what_the_umpire_was_told(about: About) -> str:
    return Path(f"/proc/{about['umpire']}/cmdline").read_text()


def files_of_the_umpire(about: About) -> list[str]:
    return os.listdir(f"/proc/{about['umpire']}/fd")


def environment_of_the_umpire(about: About) -> str:
    assert about["secret"] == os.environ["POLEMOS_TEST_SECRET"]
    return about["secret"]  # type: ignore[no-any-return]


def what_the_first_process_was_told(about: About) -> str:
    return Path("/proc/1/cmdline").read_text()


def environment_of_the_first_process(about: About) -> str:
    return Path("/proc/1/environ").read_text()


def files_of_the_first_process(about: About) -> list[str]:
    return os.listdir("/proc/1/fd")


def memory_of_the_first_process(about: About) -> int:
    """Whoever can write there runs there, without limits and without a clock."""
    return _write_into(1)


def memory_of_another(about: About) -> int:
    return _write_into(about["decoy"])


def trace_another(about: About) -> bool:
    if libc.ptrace(16, about["decoy"], 0, 0) == -1:  # PTRACE_ATTACH
        raise OSError(ctypes.get_errno(), "ptrace")
    os.waitpid(about["decoy"], 0)
    libc.ptrace(17, about["decoy"], 0, 0)
    return True


def reach_the_umpire(about: About) -> bool:
    """Goes on if it goes on: harmless, and as far as a signal that ends it."""
    os.kill(about["umpire"], signal.SIGCONT)
    return True


def reach_everybody(about: About) -> bool:
    os.kill(-1, 0)
    return True


def by_handle(about: About) -> bool:
    signal.pidfd_send_signal(os.pidfd_open(about["decoy"]), 0)
    return True


def slow_another_down(about: About) -> bool:
    os.setpriority(os.PRIO_PROCESS, about["decoy"], 19)
    return True


def leave_its_core(about: About) -> bool:
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    return True


def end_another(about: About) -> bool:
    """The last: it needs no decoy any more."""
    os.kill(about["decoy"], signal.SIGKILL)
    return True
