"""Control groups: a bound on the memory and the threads of a whole box, where the machine lets us have one."""

from __future__ import annotations

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

    def __init__(self, folders: dict[str, Path], counts: tuple[str, str]) -> None:
        self._folders = folders
        self._counts = counts  # the file and the word under which kills for memory are counted

    def add(self, pid: int) -> None:
        for folder in set(self._folders.values()):
            (folder / "cgroup.procs").write_text(str(pid))

    def was_killed(self) -> bool:
        """Whether the kernel ended something here for want of memory."""
        file, word = self._counts
        with suppress(OSError, ValueError):
            for line in (self._folders["memory"] / file).read_text().splitlines():
                if line.startswith(f"{word} "):
                    return int(line.split()[1]) > 0
        return False

    def remove(self) -> None:
        """Takes the group away; the kernel needs a moment to see that it is empty."""
        for folder in set(self._folders.values()):
            for _ in range(20):
                try:
                    folder.rmdir()
                    break
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.001)


def make(memory: int, threads: int) -> Group | None:
    """A group with these limits, or None where the machine has none for us."""
    _sweep()
    name = f"polemos-{os.getpid()}-{next(_numbers)}"
    for home in (_one_tree(), _tree_each()):
        if home is None:
            continue
        unified = len(set(home.values())) == 1
        folders = {what: folder / name for what, folder in home.items()}
        counts = ("memory.events", "oom_kill") if unified else ("memory.oom_control", "oom_kill")
        group = Group(folders, counts)
        try:
            for folder in set(folders.values()):
                folder.mkdir()
            (folders["memory"] / ("memory.max" if unified else "memory.limit_in_bytes")).write_text(str(memory))
            (folders["pids"] / "pids.max").write_text(str(threads))
            with suppress(OSError):  # no escaping to disk; not every kernel counts that
                swap, most = ("memory.swap.max", 0) if unified else ("memory.memsw.limit_in_bytes", memory)
                (folders["memory"] / swap).write_text(str(most))
        except OSError:
            group.remove()
            continue
        return group
    return None


def _own(controller: str) -> str | None:
    """Where this process is in the hierarchy of a controller; the empty word is the common one of version 2."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, names, path = line.split(":", 2)
            if controller in names.split(","):
                return path.lstrip("/")
    return None


@cache
def _one_tree() -> dict[str, Path] | None:
    """Version 2: the folder beside us, if it hands memory and threads on to its children and we may write there."""
    own = _own("")
    if own is None:
        return None
    for home in (ROOT / own, (ROOT / own).parent):
        with suppress(OSError):
            handed_on = (home / "cgroup.subtree_control").read_text().split()
            if {"memory", "pids"} <= set(handed_on) and os.access(home, os.W_OK):
                return {"memory": home, "pids": home}
    return None


@cache
def _tree_each() -> dict[str, Path] | None:
    """Version 1: a folder of our own in each hierarchy."""
    found = {}
    for controller in ("memory", "pids"):
        own = _own(controller)
        home = None if own is None else ROOT / controller / own
        if home is None or not (home / "cgroup.procs").exists() or not os.access(home, os.W_OK):
            return None
        found[controller] = home
    return found


@cache
def _sweep() -> None:
    """Once in a process: groups of umpires that were killed stay behind, and in them a box that was but half built."""
    for home in {*(_one_tree() or {}).values(), *(_tree_each() or {}).values()}:
        for folder in home.glob("polemos-*-*"):
            if not Path("/proc", folder.name.split("-")[1]).exists():
                with suppress(OSError, ValueError):
                    for pid in filter(None, map(int, (folder / "cgroup.procs").read_text().split())):
                        os.kill(pid, signal.SIGKILL)
                Group({"": folder}, ("", "")).remove()
