"""The box in which a stranger's bot is built. Compilers start other programs and write files, so it differs from the
box that bots play in: it has child processes, two folders to write to, more memory, and locks. Like the other, it has
no network and sees nothing of this machine but /usr and the files to build.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from polemos.hosts import calls
from polemos.hosts.box import Boxed, Plan, group_of_readers, outline
from polemos.hosts.bundle import INSIDE, Bundle, unpack
from polemos.hosts.memory import OUTER, RESERVE, held
from polemos.hosts.running import Broken
from polemos.kernel.errors import BotFault
from polemos.kernel.verdict import Verdict

SOURCE: Final = "/source"  # where the files are, read-only
SCRATCH: Final = "/tmp"
SHARED_MEMORY: Final = 64 << 20
OPEN_FILES: Final = 1024  # of one process
MAX_FILES: Final = 50_000  # in both folders: even empty files cost about a kilobyte of memory each
NICE: Final = 10  # whoever plays goes first
ENVIRONMENT: Final = {
    "GOPROXY": "off",
    "GOTOOLCHAIN": "local",
    "GOMAXPROCS": "2",  # a build must not need more because the machine has many cores
    "CARGO_HOME": f"{SCRATCH}/cargo",
    "CARGO_NET_OFFLINE": "true",
    "CARGO_BUILD_JOBS": "2",
    "JAVA_TOOL_OPTIONS": "-Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1",  # by default Java looks at the machine
    "npm_config_offline": "true",
}
# Copies the files to where the bot will find them, builds it there, and sends the result to standard output.
# Everything the build itself writes goes to the log.
SCRIPT: Final = f"""
cp -R {SOURCE}/. {INSIDE} && chmod -R u+w {INSIDE} || exit
/bin/sh -c "$1" </dev/null >&2 || exit
exec /usr/bin/tar --create --hard-dereference --file=- --directory={INSIDE} .
"""


class Allowed(Struct, frozen=True):
    """The limits on a build."""

    seconds: float = 120.0  # on the clock
    memory: int = 1 << 30  # bytes, all processes together
    processes: int = 256  # at a time, threads included
    disk: int = 256 << 20  # bytes in the bot's folder, and as much in /tmp
    log: int = 16 << 20  # bytes that it may write to its log


class Workshop(Boxed):
    """A build in its box. Standard output carries the bot's folder as a tar archive, standard error the log.

    `toolchains` are folders outside /usr with compilers (in their `bin`) that every user of this machine can read.
    """

    def __init__(
        self, source: Bundle, build: str, allowed: Allowed | None = None, toolchains: Sequence[Path] = ()
    ) -> None:
        self._allowed = allowed or Allowed()
        filter_ = calls.program(builds=True)
        try:
            files = unpack(source, group_of_readers())
        except (OSError, BotFault) as error:
            raise Broken(Verdict("box", str(error))) from None
        command = (*_limits(self._allowed), "/bin/sh", "-c", SCRIPT, "sh", build)
        memory = self._allowed.memory + 2 * self._allowed.disk
        self._build(Plan(_namespaces(files, self._allowed, toolchains), command, memory, filter_))

    def excess(self) -> Verdict | None:
        """Checks the number of files and memory. A control group ends one process; the build is over all the same."""
        if self._first is None:
            return None
        for folder in (INSIDE, SCRATCH):
            with suppress(OSError):
                about = os.statvfs(f"/proc/{self._first}/root{folder}")
                if about.f_files - about.f_ffree > MAX_FILES:
                    return Verdict("memory", f"more than {MAX_FILES} files")
        if self._group is not None:
            return Verdict("memory", "over the limit") if self._group.was_killed() else None
        limit = self._allowed.memory
        if sum(held(pid, limit) for pid in family(self._first)) > limit:
            return Verdict("memory", "over the limit")
        return None


def family(pid: int) -> Iterator[int]:
    """A process and everything that comes from it. Orphans inside a box are adopted by its first process."""
    waiting = [pid]
    while waiting:
        pid = waiting.pop()
        yield pid
        with suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                with suppress(OSError):
                    waiting += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())


def _namespaces(files: Path, allowed: Allowed, toolchains: Sequence[Path]) -> list[str]:
    words = list(outline())
    for name, value in ENVIRONMENT.items():
        words += ["--setenv", name, value]
    if toolchains:
        path = ":".join([*(f"{folder}/bin" for folder in toolchains), "/usr/local/bin:/usr/bin:/bin"])
        words += ["--setenv", "PATH", path]
    return [
        *words,
        *("--ro-bind", str(files), SOURCE),
        *("--size", str(allowed.disk), "--tmpfs", INSIDE, "--chdir", INSIDE),
        *("--size", str(allowed.disk), "--tmpfs", SCRATCH),
        *("--size", str(SHARED_MEMORY), "--tmpfs", "/dev/shm"),
        *(word for folder in toolchains for word in ("--ro-bind", str(folder), str(folder))),
        *("--remount-ro", "/dev", "--remount-ro", "/"),
    ]


def _limits(allowed: Allowed) -> list[str]:
    """Hard limits of each process; those of all together are checked from outside."""
    return [
        *("/usr/bin/nice", "-n", str(NICE)),
        *("/usr/bin/prlimit", f"--as={allowed.memory + 2 * RESERVE}", f"--data={max(OUTER, allowed.memory)}"),
        *(f"--cpu={int(allowed.seconds) + 1}", f"--nproc={allowed.processes}", f"--nofile={OPEN_FILES}"),
        *("--core=0", "--memlock=65536", "--"),
    ]
