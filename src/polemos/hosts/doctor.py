"""Checks which protections work on this machine, by actually trying every layer of the box."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from polemos.hosts import box, calls, groups
from polemos.hosts.box import Boxed
from polemos.hosts.bundle import PYTHON, Bundle
from polemos.hosts.running import Broken
from polemos.hosts.users import OWN
from polemos.kernel.verdict import Verdict
from polemos.wire.bot import Budget

OLDEST_BWRAP: Final = (0, 8)


class Finding(Struct, frozen=True):
    """The result of one check."""

    name: str
    holds: bool
    detail: str
    repair: str | None = None  # the command that fixes it
    needed: bool = True  # for programs that nobody has reviewed


# Runs inside the box and reports, in one line, what it managed to do: each success is a hole.
PROBE: Final = """
import ctypes, json, os, resource, socket
def works(do):
    try:
        do()
    except Exception:
        return False
    return True
def fill(path):
    with open(path, "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
    os.unlink(path)
libc = ctypes.CDLL(None, use_errno=True)
def call(number):
    def do():
        if libc.syscall(number, 0, 0, 0, 0, 0) == -1 and ctypes.get_errno() == 1:
            raise PermissionError
    return do
print(json.dumps({
    "user": os.getuid(),
    "seen": len([name for name in os.listdir("/proc") if name.isdigit()]),
    "network": works(lambda: socket.socket()),
    "interfaces": os.path.exists("/sys"),
    "root": works(lambda: open("/x", "w")),
    "usr": works(lambda: open("/usr/x", "w")),
    "dev": works(lambda: open("/dev/x", "w")),
    "bot": works(lambda: open("/bot/x", "w")),
    "passwd": os.path.exists("/etc/passwd"),
    "scratch": works(lambda: open("/tmp/x", "w")),
    "fill": works(lambda: fill("/tmp/y")),
    "shm": works(lambda: fill("/dev/shm/y")),
    "fork": works(lambda: os.fork() or os._exit(0)),
    "memory": works(lambda: bytearray(2 << 30)),
    "limits": all(resource.getrlimit(getattr(resource, "RLIMIT_" + what))[1] >= 0 for what in
                  ("AS", "DATA", "CPU", "NOFILE", "NPROC", "FSIZE", "CORE")),
    "memfd": works(lambda: os.memfd_create("x")),
    "io_uring": works(call(425)),
    "unshare": works(call(272)) if os.uname().machine == "x86_64" else False,
}))
"""


def findings() -> list[Finding]:
    """Runs all checks in order; those that depend on a missing layer are skipped."""
    found = [_user(), _bubblewrap(), _limits_program(), _filter(), _interpreter()]
    if all(finding.holds for finding in found):
        found += _inside()
    return [*found, _group(), _ray()]


def _installs(package: str) -> str:
    sudo = "" if os.getuid() == 0 else "sudo "
    return f"{sudo}apt-get install -y {package}"


def _user() -> Finding:
    name = "unprivileged user"
    if os.getuid() != 0:
        return Finding(name, True, f"programs run as you (user {os.getuid()}), in their own namespaces")
    try:
        box.found("setpriv")
    except OSError as error:
        return Finding(name, False, str(error), _installs("util-linux"))
    return Finding(name, True, f"you are root; every program runs as a user of its own, {OWN[0]} to {OWN[-1]}")


def _bubblewrap() -> Finding:
    name = "bubblewrap"
    try:
        said = subprocess.run([box.found("bwrap"), "--version"], capture_output=True, text=True, timeout=5).stdout
    except (OSError, subprocess.SubprocessError) as error:
        return Finding(name, False, str(error), _installs("bubblewrap"))
    version = tuple(int(part) for part in re.findall(r"\d+", said)[:2])
    if version < OLDEST_BWRAP:
        return Finding(name, False, f"{said.strip()}, but 0.8 or newer is required", _installs("bubblewrap"))
    return Finding(name, True, said.strip())


def _limits_program() -> Finding:
    name = "limits"
    try:
        return Finding(name, True, f"set by {box.found('prlimit')}")
    except OSError as error:
        return Finding(name, False, str(error), _installs("util-linux"))


def _filter() -> Finding:
    name = "system call filter"
    try:
        size = len(calls.program())
    except OSError as error:
        return Finding(name, False, error.strerror or str(error), _installs("libseccomp2"))
    count = sum(len(names.split()) for names in calls.FORBIDDEN.values())
    return Finding(name, True, f"{count} system calls are blocked ({size} bytes of filter)")


def _interpreter() -> Finding:
    name = "Python for bots"
    try:
        said = subprocess.run([PYTHON, "--version"], capture_output=True, text=True, timeout=5).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return Finding(name, False, f"there is no {PYTHON}", _installs("python3"))
    return Finding(name, True, f"{said} at {PYTHON}")


# ---- from the inside


def _inside() -> list[Finding]:
    """Builds the box once and runs a program in it that tries to get out."""
    name = "namespaces"
    try:
        seen = _probe()
    except (Broken, OSError, ValueError) as error:
        return [Finding(name, False, str(error), _namespace_repair())]
    megabytes = box.SHARED_MEMORY >> 20

    def shut(what: str, good: bool, detail: str, bad: str) -> Finding:
        return Finding(what, good, detail if good else bad)

    return [
        shut(name, seen["seen"] <= 2, "a program sees only itself", f"it sees {seen['seen']} processes"),
        shut("no privileges inside", seen["user"] == box.NOBODY, f"user {seen['user']}", f"it is user {seen['user']}"),
        shut("no network", not seen["network"] and not seen["interfaces"], "no sockets", "it can open sockets"),
        shut(
            "read-only files",
            not any(seen[what] for what in ("root", "usr", "dev", "bot", "passwd")),
            "it sees only /usr and its own folder, and can write to neither",
            "it can read or write files that it should not",
        ),
        shut(
            "limited scratch space",
            seen["scratch"] and not seen["fill"] and not seen["shm"],
            f"{Budget().scratch >> 20} MB in {box.SCRATCH}, {megabytes} MB of shared memory",
            "the scratch space is missing or unlimited",
        ),
        shut("one process", not seen["fork"], f"no children, up to {box.THREADS} threads", "it can start processes"),
        shut("hard limits", seen["limits"], "memory, time, files, threads, file size", "some are missing"),
        shut("limited memory", not seen["memory"] and not seen["memfd"], "2 GB was refused", "2 GB was granted"),
        shut(
            "system calls",
            not seen["io_uring"] and not seen["unshare"],
            "io_uring and new namespaces are blocked",
            "io_uring or new namespaces are allowed",
        ),
    ]


def _probe() -> dict[str, Any]:
    budget = Budget()
    running = Boxed(Bundle((PYTHON, "-I", "-c", PROBE), (), "0"), budget)
    try:
        said, complaint = running.process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        raise Broken(Verdict("box", "the program does not answer")) from None
    finally:
        running.end()
    if not said:
        said_last = complaint.decode(errors="replace").strip()[-200:]
        raise Broken(Verdict("box", said_last or "the program wrote nothing"))
    answer: dict[str, Any] = json.loads(said)
    return answer


# Settings that deny namespaces to unprivileged users, and the value that allows them.
SETTINGS: Final = {
    "kernel/unprivileged_userns_clone": ("0", "1"),
    "kernel/apparmor_restrict_unprivileged_userns": ("1", "0"),
    "user/max_user_namespaces": ("0", "10000"),
}


def _namespace_repair() -> str:
    for setting, (bad, good) in SETTINGS.items():
        with suppress(OSError):
            if Path("/proc/sys", setting).read_text().strip() == bad:
                return f"sudo sysctl -w {setting.replace('/', '.')}={good}"
    return "in a container: allow user namespaces, for example docker run --security-opt seccomp=unconfined"


# ---- optional extras


def _group() -> Finding:
    name = "control group"
    group = groups.make(64 << 20)
    if group is None:
        return Finding(
            name,
            False,
            "not available; memory use is checked about twenty times a second instead",
            "systemd-run --user --scope -p Delegate=yes polemos ...",
            needed=False,
        )
    group.remove()
    return Finding(name, True, "limits the memory of every box", needed=False)


def _ray() -> Finding:
    name = "Ray"
    if find_spec("ray") is None:
        repair = f"{Path(sys.executable).name} -m pip install 'polemos[ray]'"
        return Finding(name, False, "tournaments run on this machine only", repair, needed=False)
    return Finding(name, True, "tournaments can use many machines: polemos tournament --ray ADDRESS", needed=False)
