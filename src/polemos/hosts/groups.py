"""Control groups: a memory limit for a whole box, if the machine gives us one.

Moving a process into a group takes the kernel several milliseconds, so there is only one group and one move. Threads
have their own limit, and no further processes can be started.
"""

from __future__ import annotations

import errno
import os
import signal
import time
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

ROOT: Final = Path("/sys/fs/cgroup")
_numbers = count(1)


class Group:
    """The control group of one box."""

    def __init__(self, folder: Path, counted: str = "") -> None:
        self._folder = folder
        self._counted = counted  # the file that counts out-of-memory kills

    def add(self, pid: int) -> None:
        """Moves a process into the group, unless it is already there."""
        members = self._folder / "cgroup.procs"
        if str(pid) not in members.read_text().split():
            members.write_text(str(pid))

    def was_killed(self) -> bool:
        """Whether the kernel killed a process in this group because it ran out of memory."""
        with suppress(OSError, ValueError):
            for line in (self._folder / self._counted).read_text().splitlines():
                if line.startswith("oom_kill "):
                    return int(line.split()[1]) > 0
        return False

    def remove(self, patience: float = 2.0) -> None:
        """Deletes the group; the kernel needs a moment to notice that it is empty."""
        until = time.monotonic() + patience
        while True:
            try:
                self._folder.rmdir()
            except OSError as error:
                if error.errno == errno.EBUSY and time.monotonic() < until:
                    time.sleep(0.001)
                    continue
            return


def make(memory: int) -> Group | None:
    """A group with this limit, or None if this machine does not let us create one."""
    _sweep()
    name = f"polemos-{os.getpid()}-{next(_numbers)}"
    for home, limit, swap, counted in (
        (_one_tree(), "memory.max", ("memory.swap.max", 0), "memory.events"),
        (_old_tree(), "memory.limit_in_bytes", ("memory.memsw.limit_in_bytes", memory), "memory.oom_control"),
    ):
        if home is None:
            continue
        group = Group(home / name, counted)
        try:
            (home / name).mkdir()
            (home / name / limit).write_text(str(memory))
            with suppress(OSError):  # no swapping; not every kernel supports this
                (home / name / swap[0]).write_text(str(swap[1]))
        except OSError:
            group.remove()
            continue
        return group
    return None


def _own(controller: str) -> str | None:
    """This process's place in a controller's hierarchy; the empty string means version 2's single hierarchy."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, names, path = line.split(":", 2)
            if controller in names.split(","):
                return path.lstrip("/")
    return None


@cache
def _one_tree() -> Path | None:
    """Version 2: our parent folder, if it delegates memory to its children and we can write to it."""
    own = _own("")
    if own is None:
        return None
    for home in (ROOT / own, (ROOT / own).parent):
        with suppress(OSError):
            if "memory" in (home / "cgroup.subtree_control").read_text().split() and os.access(home, os.W_OK):
                return home
    return None


@cache
def _old_tree() -> Path | None:
    """Version 1: our own folder in the memory hierarchy."""
    own = _own("memory")
    home = None if own is None else ROOT / "memory" / own
    return home if home is not None and (home / "cgroup.procs").exists() and os.access(home, os.W_OK) else None


@cache
def _sweep() -> None:
    """Deletes groups left behind by umpires that were killed, including half-built boxes. Runs once per process."""
    for home in filter(None, (_one_tree(), _old_tree())):
        for folder in home.glob("polemos-*-*"):
            if not Path("/proc", folder.name.split("-")[1]).exists():
                with suppress(OSError, ValueError):
                    for pid in filter(None, map(int, (folder / "cgroup.procs").read_text().split())):
                        os.kill(pid, signal.SIGKILL)
                Group(folder).remove(0.02)  # it may hold what we cannot end
