"""More rights, and higher limits, than it was given."""

from __future__ import annotations

import fcntl
import os
import resource
from pathlib import Path
from typing import Any

About = dict[str, Any]
WANTED = {"root": 7, "groups": 6, "capabilities": 7, "more_processes": 24, "a_higher_priority": 23}  # without the box
IN_THE_BOX = ("the_terminal", "typing_for_the_umpire")


def _status(word: str) -> str:
    return Path("/proc/self/status").read_text().split(f"{word}:")[1].split()[0]


def _raise(limit: int) -> bool:
    """One more than it has; what is not limited at all is high enough."""
    _, hard = resource.getrlimit(limit)
    if hard != resource.RLIM_INFINITY:
        resource.setrlimit(limit, (hard + 1, hard + 1))
    return True


def root(about: About) -> bool:
    os.setresuid(0, 0, 0)
    return True


def groups(about: About) -> bool:
    os.setgroups([0])
    return True


def capabilities(about: About) -> str:
    assert int(_status("CapEff"), 16)
    return _status("CapEff")


def capabilities_within_reach(about: About) -> str:
    assert int(_status("CapBnd"), 16)
    return _status("CapBnd")


def new_rights_by_programs(about: About) -> bool:
    assert _status("NoNewPrivs") == "0"
    return True


def rights_of_who_owns_a_program(about: About) -> bool:
    assert not os.statvfs("/usr").f_flag & os.ST_NOSUID
    return True


def calls_without_a_filter(about: About) -> bool:
    assert _status("Seccomp") == "0"
    return True


def more_memory(about: About) -> bool:
    return _raise(resource.RLIMIT_AS)


def more_data(about: About) -> bool:
    return _raise(resource.RLIMIT_DATA)


def more_processes(about: About) -> bool:
    return _raise(resource.RLIMIT_NPROC)


def more_of_the_clock(about: About) -> bool:
    return _raise(resource.RLIMIT_CPU)


def bigger_files(about: About) -> bool:
    return _raise(resource.RLIMIT_FSIZE)


def remains_of_a_crash(about: About) -> bool:
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (1, max(1, hard) if hard >= 0 else hard))
    return True


def many_open_files(about: About) -> int:
    opened = [os.open("/dev/null", os.O_RDONLY) for _ in range(100)]
    for handle in opened:
        os.close(handle)
    return len(opened)


def a_higher_priority(about: About) -> bool:
    os.setpriority(os.PRIO_PROCESS, 0, -1)
    return True


def the_terminal(about: About) -> bool:
    os.close(os.open("/dev/tty", os.O_RDWR))
    return True


def typing_for_the_umpire(about: About) -> bool:
    for handle in (0, 1, 2):
        try:
            fcntl.ioctl(handle, 0x5412, b"x")  # TIOCSTI
            return True
        except OSError:
            pass
    raise OSError("no terminal")
