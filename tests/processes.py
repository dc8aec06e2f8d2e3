"""What runs on this machine, for tests that nothing of a bot stays behind."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

SECONDS = 30.0  # for the kernel to put away what was killed, on a busy machine too


def commands() -> dict[int, list[str]]:
    """The command lines of all processes; those that are dead and only wait to be buried have none."""
    found = {}
    for path in [Path("/proc", pid, "cmdline") for pid in os.listdir("/proc") if pid.isdigit()]:
        with suppress(OSError):
            found[int(path.parent.name)] = path.read_text(errors="replace").split("\0")
    return found


def playing(program: str) -> list[int]:
    """The processes in which Python runs a file of this name, in the box or without."""
    return [pid for pid, words in commands().items() if words[1:2] and words[1].endswith(f"/{program}")]


def left_of(program: str) -> list[int]:
    """Whatever still has the name in its command line after a moment, be it the program or what held it."""
    until = time.monotonic() + SECONDS
    while True:
        left = [pid for pid, words in commands().items() if any(program in word for word in words)]
        if not left or time.monotonic() > until:
            return left
        time.sleep(0.05)
