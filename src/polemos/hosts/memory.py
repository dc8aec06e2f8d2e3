"""How much memory a program may use, and how much it has.

Address space is not memory: the runtimes of Go, Java and Node reserve hundreds of megabytes that they never touch. So
a program may reserve more than it may use. The kernel limits what it can write to (RLIMIT_DATA); memory that could be
shared with other processes is not part of that, so a control group counts it, or we do.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

RESERVE: Final = 4 << 30  # bytes of address space that a program may reserve besides the memory that it uses
# Runtimes that make memory writable long before they use it: here the kernel only sets an outer bound.
HASTY: Final = ("node", "java", "nodejs")
OUTER: Final = 2 << 30
MAX_MAPS: Final = 1 << 19  # bytes of the list of mappings: some five thousand of them, where a runtime needs hundreds
_SHARED: Final = re.compile(rb"^([0-9a-f]+)-([0-9a-f]+) ...s ", re.MULTILINE)


class Memory(Struct, frozen=True):
    """Limits in bytes: what may be used, what may be writable, and what may be reserved."""

    used: int
    writable: int
    address_space: int


def allowance(memory: int, command: Sequence[str]) -> Memory:
    """The limits for a program that may use this much memory."""
    return Memory(memory, max(OUTER, memory) if is_hasty(command) else memory, memory + RESERVE)


def is_hasty(command: Sequence[str]) -> bool:
    name = Path(command[0]).name
    found = shutil.which(command[0])
    return name in HASTY or (found is not None and Path(found).resolve().name in HASTY)


def held(pid: int, limit: int) -> int:
    """Bytes that a program holds. Beyond the limit, and when it has ended, the exact figure does not matter.

    Shared mappings count in full, because their pages stay in memory even if the program has put them out of its sight.
    The list of mappings is only read if there is enough address space for them to matter.
    """
    about = _about(pid)
    resident = about.get("VmRSS", 0) + about.get("VmSwap", 0)
    if resident > limit or about.get("VmSize", 0) <= limit:
        return resident
    return resident - about.get("RssShmem", 0) + max(about.get("RssShmem", 0), _shared(pid, limit))


def _about(pid: int) -> dict[str, int]:
    """The figures of /proc/PID/status, in bytes. A thread that has ended reports none, even if it was the first."""
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                status = Path(f"/proc/{pid}/task/{task}/status").read_text(errors="replace")
                if figures := re.findall(r"^(\w+):\s+(\d+) kB$", status, re.MULTILINE):
                    return {name: int(number) << 10 for name, number in figures}
    return {}


def _shared(pid: int, limit: int) -> int:
    """The size of all shared mappings; more than the limit if there are too many mappings to look at."""
    with suppress(OSError), open(f"/proc/{pid}/maps", "rb") as file:
        maps = file.read(MAX_MAPS)
        if len(maps) == MAX_MAPS:
            return limit + 1
        return sum(int(end, 16) - int(start, 16) for start, end in _SHARED.findall(maps))
    return 0
