"""The box: a sandbox for programs that nobody has reviewed.

From the outside in: an unprivileged user, separate namespaces (processes, network, files, users), limits on memory,
time, files and threads, and a filter on system calls. No layer is enough by itself; the attacks in tests/attacks try
them all. `polemos doctor` says which protections work on a machine.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from polemos.hosts import calls, groups, ours
from polemos.hosts.bundle import INSIDE, Bundle, unpack
from polemos.hosts.memory import Memory, allowance, held
from polemos.hosts.running import DEATH, Broken, Running
from polemos.hosts.users import COMMON, User
from polemos.kernel.errors import BotFault
from polemos.kernel.verdict import Verdict
from polemos.wire.bot import Budget

NOBODY: Final = 65534  # the user id inside
SCRATCH: Final = "/tmp"
SHARED_MEMORY: Final = 4 << 20
THREADS: Final = 64
FILES: Final = 64  # open at a time
SIGNALS: Final = 256  # pending at a time, including timers: the kernel counts them for all boxes of a user
KEPT_FILES: Final = 8192  # in scratch: even empty files cost about a kilobyte of memory each
PATIENCE: Final = 30.0  # seconds to wait for the box to be built: usually hundredths of one, but not where all is busy

# Needed to find and start this machine's programs; links on a merged /usr, folders elsewhere.
SHORT_CUTS: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
# Figures of the whole machine: two bots could tell each other something by what they do to them.
MACHINE_FILES: Final = """buddyinfo diskstats interrupts key-users keys loadavg locks pagetypeinfo schedstat slabinfo
    softirqs stat swaps timer_list uptime vmstat zoneinfo"""
MACHINE_FOLDERS: Final = "fs pressure sys/fs sys/kernel/random sys/kernel/keys sys/net sysvipc"
SETTINGS: Final = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d")
# Reports that it is ready and waits for the signal to begin. If we die first, its input ends and it exits.
GATE: Final = ("/bin/sh", "-c", 'echo && read -r _ && exec "$@"', "sh")
ENVIRONMENT: Final = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": SCRATCH,
    "TMPDIR": SCRATCH,
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",  # so that the same seed gives the same game
    "PYTHONDONTWRITEBYTECODE": "1",
    "MALLOC_ARENA_MAX": "2",  # otherwise every thread reserves 64 MB of address space
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}


class Plan(Struct, frozen=True):
    """What a box is built from."""

    namespaces: Sequence[str]
    command: Sequence[str]  # with the program that sets its limits
    memory: int  # bytes that all of it may use, files in scratch included
    calls: bytes  # the filter


class Boxed(Running):
    """A program in the box."""

    def __init__(
        self, bundle: Bundle, budget: Budget, *, memory: Memory | None = None, in_scratch: bool = False
    ) -> None:
        self._memory = memory or allowance(budget.memory, bundle.command)
        allowed = calls.program()
        try:
            namespaces = _namespaces(bundle, budget, SCRATCH if in_scratch else INSIDE)
        except OSError as error:  # the bot's files cannot be unpacked
            raise Broken(Verdict("box", str(error))) from None
        command = (*_limits(budget, self._memory), *bundle.command)
        self._build(Plan(namespaces, command, self._memory.used + budget.scratch, allowed))

    def _build(self, plan: Plan) -> None:
        """Builds the box and starts the program in it; leaves nothing behind if it cannot."""
        self._inside: int | None = None  # a handle to the first process inside, which cannot be reused
        self._first: int | None = None
        self._program: int | None = None
        self._handle: int | None = None  # the program, by a handle that cannot be reused
        self._group: groups.Group | None = None
        # Information about the box goes to a file: with a pipe that nobody reads (if we die, say), building it would
        # stop halfway.
        filter_, info = _sealed(plan.calls), os.memfd_create("info")
        self._user = User()
        try:
            self._group = groups.make(plan.memory)
            super().__init__(
                [
                    *_unprivileged(self._user),
                    *plan.namespaces,
                    *("--seccomp", str(filter_), "--info-fd", str(info), "--"),
                    *(*GATE, *plan.command),
                ],
                pass_fds=(filter_, info),
                env={},  # the first process inside is bubblewrap's own, and the bot could read its environment
                folder=Path("/"),
            )
            try:
                self._enter(info)
                self._begin()
            except BaseException:
                self.end()
                raise
        except BaseException as error:
            if self._group is not None:
                self._group.remove()
            self._user.give_back()
            if isinstance(error, OSError):  # a problem with the machine: a full disk, too many open files
                raise Broken(Verdict("box", str(error))) from None
            raise
        finally:
            os.close(filter_)
            os.close(info)

    def _enter(self, info: int) -> None:
        """Waits for the namespaces, then puts their first process into its group while the rest is being built."""
        become_reaper()
        until = time.monotonic() + PATIENCE
        while b"}" not in (text := os.pread(info, 4096, 0)):
            if self.process.poll() is not None or time.monotonic() > until:
                raise Broken(Verdict("box", self._complaint()))
            time.sleep(0.0002)
        self._first = int(json.loads(text)["child-pid"])
        try:
            self._inside = os.pidfd_open(self._first)
            if self._group is not None:
                self._group.add(self._first)
        except OSError:
            raise Broken(Verdict("box", self._complaint())) from None

    def _begin(self) -> None:
        """Starts the program in its group, once the first process inside is sure to die with us.

        That process ties itself to us before it installs the filter, and we can see the filter from here.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        until = time.monotonic() + PATIENCE
        if not _ready(self.process.stdout.fileno(), PATIENCE) or not os.read(self.process.stdout.fileno(), 1):
            raise Broken(Verdict("box", self._complaint()))
        while "Seccomp:\t2" not in Path(f"/proc/{self._first}/status").read_text():
            if time.monotonic() > until:
                raise Broken(Verdict("box", self._complaint()))
            time.sleep(0.0001)
        program = self.pid()
        if program is None:
            raise Broken(Verdict("box", self._complaint()))
        with suppress(OSError):
            self._handle = os.pidfd_open(program)
        if self._group is not None:
            self._group.add(program)  # it may have started before its parent was moved
        os.write(self.process.stdin.fileno(), b"\n")

    def _complaint(self) -> str:
        """The error message of the program that builds the box."""
        self.process.kill()
        said = b""
        with suppress(subprocess.TimeoutExpired):  # a half-built box may keep the pipes open
            _, said = self.process.communicate(timeout=2)
        return said.decode(errors="replace").strip()[:200] or "it could not be built"

    # ---- watching

    def pid(self) -> int | None:
        """The bot: the only child of the first process inside."""
        if self._program is None and self._first is not None:
            with suppress(OSError, ValueError, IndexError):
                self._program = int(Path(f"/proc/{self._first}/task/{self._first}/children").read_text().split()[0])
        return self._program

    def signal(self, number: int) -> None:
        if self._handle is not None:
            with suppress(OSError):
                signal.pidfd_send_signal(self._handle, number)

    def excess(self) -> Verdict | None:
        """Checks memory and files, if no control group does."""
        if self._group is None and (pid := self.pid()) is not None:
            if held(pid, self._memory.used) > self._memory.used:
                return Verdict("memory", "over the limit")
            with suppress(OSError):
                about = os.statvfs(f"/proc/{self._first}/root{SCRATCH}")
                if about.f_files - about.f_ffree > KEPT_FILES:
                    return Verdict("memory", f"more than {KEPT_FILES} files in {SCRATCH}")
        return None

    def ended(self) -> tuple[int | None, Verdict | None]:
        """Bubblewrap reports a signal as 128 plus its number."""
        code, known = super().ended()
        if self._group is not None and self._group.was_killed():
            return code, Verdict("memory", "over the limit")
        return (128 - code if code is not None and 128 < code <= 128 + signal.SIGRTMAX else code), known

    # ---- the end

    def end(self, patience: float = 0.0) -> None:
        """Kills the first process inside, and with it everything running there."""
        if patience:
            self._wait(patience)
        if self._inside is not None:
            with suppress(OSError):
                signal.pidfd_send_signal(self._inside, signal.SIGKILL)
            _ready(self._inside, DEATH)  # it is the last process inside to die
            os.close(self._inside)
            self._inside = None
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
        try:
            self.process.wait(DEATH)
        except subprocess.TimeoutExpired:
            super().end()
        if self._first is not None:
            with suppress(OSError):  # if its parent did not wait for it, we have inherited it
                os.waitpid(self._first, os.WNOHANG)
            self._first = None
        if self._group is not None:
            self._group.remove()
        self._user.give_back()


# ---- the layers


def _unprivileged(user: User) -> list[str]:
    """Switches away from root: root inside would still be root for files outside."""
    if os.getuid() != 0:
        return []
    numbers = (f"--reuid={user.number}", f"--regid={COMMON}")  # the group is that of the bots' files
    return ["/usr/bin/setpriv", *numbers, "--clear-groups", "--inh-caps=-all", "--"]


def group_of_readers() -> int | None:
    """The group that must be able to read the files of bots, besides us."""
    return COMMON if os.getuid() == 0 else None


def _namespaces(bundle: Bundle, budget: Budget, work_in: str) -> list[str]:
    """A machine with only /usr, the bot's files and a limited scratch space, which is the only writable place."""
    files = unpack(bundle, group_of_readers())
    return [
        *outline(),
        *("--ro-bind", str(files), INSIDE, "--chdir", work_in),
        *("--size", str(max(budget.scratch, 1)), "--tmpfs", SCRATCH),  # 0 would mean no limit
        *("--size", str(SHARED_MEMORY), "--tmpfs", "/dev/shm"),
        *ours.shown(bundle.command, group_of_readers()),  # after these: Polemos may be installed below one of them
        *("--remount-ro", "/dev", "--remount-ro", "/"),
    ]


@cache
def outline() -> tuple[str, ...]:
    """What every box begins with: everything separate, and /usr."""
    words = [
        *(found("bwrap"), "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *("--uid", str(NOBODY), "--gid", str(NOBODY), "--hostname", "box", "--clearenv"),
    ]
    for name, value in ENVIRONMENT.items():
        words += ["--setenv", name, value]
    words += ["--ro-bind", "/usr", "/usr"]
    for name in SHORT_CUTS:
        path = Path("/", name)
        if path.is_symlink():
            words += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    for path in sorted([Path("/etc", name) for name in SETTINGS] + list(Path("/etc").glob("java-*"))):
        words += ["--ro-bind-try", str(path), str(path)]
    # The first process inside has the same rights as the bot: through its folder the bot could write to its memory,
    # and then run there without a clock or limits.
    words += ["--proc", "/proc", "--size", "1", "--tmpfs", "/proc/1", "--remount-ro", "/proc/1"]
    for name in MACHINE_FILES.split():
        if Path("/proc", name).exists():
            words += ["--ro-bind", os.devnull, f"/proc/{name}"]
    for name in MACHINE_FOLDERS.split():
        if Path("/proc", name).is_dir():
            words += ["--size", "1", "--tmpfs", f"/proc/{name}", "--remount-ro", f"/proc/{name}"]
    return (*words, "--remount-ro", "/proc", "--dev", "/dev")


def _limits(budget: Budget, memory: Memory) -> list[str]:
    """Hard limits set in the kernel. The umpire's own clock stops a bot long before this CPU limit does."""
    seconds = int(budget.start + budget.bank + budget.turn * 20_000) + 1
    return [
        *("/usr/bin/prlimit", f"--as={memory.address_space}", f"--data={memory.writable}"),
        *(f"--cpu={seconds}", f"--fsize={budget.scratch}"),
        *(f"--nproc={THREADS}", f"--nofile={FILES}", "--core=0", "--memlock=65536"),
        *(f"--sigpending={SIGNALS}", "--"),
    ]


def _ready(handle: int, seconds: float) -> bool:
    """Whether there is something to read within this time; for a process handle, whether the process has ended."""
    waiting = select.poll()
    waiting.register(handle, select.POLLIN)
    return bool(waiting.poll(seconds * 1000))


def _sealed(data: bytes) -> int:
    """A handle from which the data can be read once."""
    handle = os.memfd_create("polemos")
    os.write(handle, data)
    os.lseek(handle, 0, os.SEEK_SET)
    return handle


@cache
def become_reaper() -> None:
    """Adopts processes whose parent is gone, so that none is left behind as a zombie."""
    ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


# ---- whether the box works here


def found(program: str) -> str:
    path = shutil.which(program, path="/usr/bin:/bin:/usr/local/bin")
    if path is None:
        raise FileNotFoundError(f"{program} is not installed")
    return path


@cache
def lack() -> str | None:
    """Why the box does not work on this machine, or None if it does. Tried once per process."""
    if sys.platform != "linux":
        return "it needs Linux"
    try:
        for program in ("bwrap", "prlimit", *(("setpriv",) if os.getuid() == 0 else ())):
            found(program)
        said = try_out(["/usr/bin/true"])
    except (OSError, Broken) as error:
        return str(error)
    return said


def try_out(command: Sequence[str]) -> str | None:
    """Runs a command in the box and returns its error message, or None if it succeeded."""
    budget = Budget()
    running = Boxed(Bundle(tuple(command), (), "0"), budget)
    try:
        _, said = running.process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "it does not answer"
    finally:
        running.end()
    if running.process.returncode == 0:
        return None
    return said.decode(errors="replace").strip()[:200] or f"exit code {running.process.returncode}"


def require(spec: str) -> None:
    """Raises a BotFault if a program cannot be boxed. It is never silently run without the box."""
    why = lack()
    if why is not None:
        raise BotFault(
            f"{spec[:60]!r} is not one of our bots, so it needs the box, which does not work on this machine: {why}. "
            "Run `polemos doctor` to see how to fix that, or add --trust to run it without the box."
        )
