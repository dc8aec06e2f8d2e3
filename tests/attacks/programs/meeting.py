"""Two bots that know each other look for a place to meet."""

from __future__ import annotations

import ctypes
import fcntl
import os
import struct
from pathlib import Path
from typing import Any

About = dict[str, Any]
libc = ctypes.CDLL(None, use_errno=True)
PLACES = ("/tmp", "/dev/shm", "/var/tmp", "/run/lock", "/bot")


def leave(about: About) -> list[str]:
    """A word wherever one can be left."""
    left = []
    for place in PLACES:
        try:
            Path(place, about["word"]).write_text(about["word"])
            left.append(place)
        except OSError:
            pass
    return left


def leave_in_memory(about: About) -> int:
    number: int = libc.shmget(about["key"], 4096, 0o1666)
    if number < 0:
        raise OSError(ctypes.get_errno(), "shmget")
    return number


def find(about: About) -> list[str]:
    found = [place for place in PLACES if Path(place, about["word"]).exists()]
    for place in found:
        Path(place, about["word"]).unlink()
    assert found
    return found


def find_in_memory(about: About) -> bool:
    number = libc.shmget(about["key"], 4096, 0o666)
    if number < 0:
        raise OSError(ctypes.get_errno(), "shmget")
    libc.shmctl(number, 0, 0)
    return True


def slow_down_who_is_alike(about: About) -> bool:
    """Everybody with the same user number."""
    os.setpriority(os.PRIO_USER, 0, 19)
    return True


def signal_who_is_alike(about: About) -> bool:
    os.kill(-1, 0)
    return True


def be_as_quick_as_ever(about: About) -> int:
    assert os.getpriority(os.PRIO_PROCESS, 0) == about["nice"]
    return os.getpriority(os.PRIO_PROCESS, 0)


# ---- what all boxes see, and what the kernel counts for a user

SEEN_BY_ALL = "/usr/bin/env"
LOCK = struct.Struct("hhqqi4x")  # struct flock
_kept: list[int] = []  # open for as long as the program runs


def lock_what_all_see(about: About) -> bool:
    _kept.append(os.open(SEEN_BY_ALL, os.O_RDONLY))
    fcntl.flock(_kept[-1], fcntl.LOCK_EX)
    return True


def feel_the_lock(about: About) -> bool:
    """A bit a file and turn: whether the other has locked it."""
    handle = os.open(SEEN_BY_ALL, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    raise AssertionError("nobody holds it")


def lock_a_part_of_what_all_see(about: About) -> bool:
    _kept.append(os.open(SEEN_BY_ALL, os.O_RDONLY))
    fcntl.fcntl(_kept[-1], fcntl.F_OFD_SETLK, LOCK.pack(fcntl.F_RDLCK, os.SEEK_SET, about["key"], 1, 0))
    return True


def ask_who_has_locked_a_part(about: About) -> bool:
    wanted = LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, about["key"], 1, 0)
    said = LOCK.unpack(fcntl.fcntl(os.open(SEEN_BY_ALL, os.O_RDONLY), fcntl.F_OFD_GETLK, wanted))
    assert said[0] != fcntl.F_UNLCK
    return True


def read_the_locks_of_the_machine(about: About) -> bool:
    assert Path("/proc/locks").read_text().strip()
    return True


def read_figures_of_the_machine(about: About) -> list[str]:
    """Of which each bot could move one that the other reads."""
    names = ("loadavg", "stat", "vmstat", "interrupts", "softirqs", "schedstat", "sys/fs/file-nr", "pressure/cpu")
    found = [name for name in names if Path("/proc", name).exists() and Path("/proc", name).read_text().strip()]
    assert found
    return found


def _timers() -> int:
    """Makes timers until it is refused one; the kernel counts those of all processes of a user."""
    made, timer = 0, ctypes.c_void_p()
    while made < 200_000 and libc.timer_create(1, None, ctypes.byref(timer)) == 0:
        made += 1
    return made


def take_all_timers(about: About) -> int:
    return _timers()


def have_a_timer(about: About) -> bool:
    timer = ctypes.c_void_p()
    assert libc.timer_create(1, None, ctypes.byref(timer)) == 0
    return True
