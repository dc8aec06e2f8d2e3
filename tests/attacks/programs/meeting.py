"""Two bots that know each other look for a place to meet."""

from __future__ import annotations

import ctypes
import os
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
