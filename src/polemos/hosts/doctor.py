"""What holds on this machine: every layer of the box is tried, not looked up."""

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
    """One thing that was tried."""

    name: str
    holds: bool
    detail: str
    repair: str | None = None  # the command that mends it
    needed: bool = True  # for programs that nobody has read


# Runs inside the box: what it manages to do is a hole. It says so in one line.
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
                  ("AS", "CPU", "NOFILE", "NPROC", "FSIZE", "CORE")),
    "memfd": works(lambda: os.memfd_create("x")),
    "io_uring": works(call(425)),
    "unshare": works(call(272)) if os.uname().machine == "x86_64" else False,
}))
"""


def findings() -> list[Finding]:
    """Everything in turn; what stands on a layer that is missing is not tried."""
    found = [_user(), _bubblewrap(), _limits_program(), _filter(), _interpreter()]
    if all(finding.holds for finding in found):
        found += _inside()
    return [*found, _group(), _ray()]


def _installs(package: str) -> str:
    sudo = "" if os.getuid() == 0 else "sudo "
    return f"{sudo}apt-get install -y {package}"


def _user() -> Finding:
    name = "a user without rights"
    if os.getuid() != 0:
        return Finding(name, True, f"programs run as you, user {os.getuid()}, inside namespaces of their own")
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
        return Finding(name, False, f"{said.strip()}; 0.8 or newer is wanted", _installs("bubblewrap"))
    return Finding(name, True, said.strip())


def _limits_program() -> Finding:
    name = "limits"
    try:
        return Finding(name, True, f"set by {box.found('prlimit')}")
    except OSError as error:
        return Finding(name, False, str(error), _installs("util-linux"))


def _filter() -> Finding:
    name = "filter on kernel calls"
    try:
        size = len(calls.program())
    except OSError as error:
        return Finding(name, False, error.strerror or str(error), _installs("libseccomp2"))
    count = sum(len(names.split()) for names in calls.FORBIDDEN.values())
    return Finding(name, True, f"{count} calls are refused ({size} bytes of filter)")


def _interpreter() -> Finding:
    name = "Python for bots"
    try:
        said = subprocess.run([PYTHON, "--version"], capture_output=True, text=True, timeout=5).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return Finding(name, False, f"there is no {PYTHON}", _installs("python3"))
    return Finding(name, True, f"{said} at {PYTHON}")


# ---- from the inside


def _inside() -> list[Finding]:
    """The box, built once, with a program in it that tries the door handles."""
    name = "namespaces"
    try:
        seen = _probe()
    except (Broken, OSError, ValueError) as error:
        return [Finding(name, False, str(error), _namespace_repair())]
    megabytes = box.SHARED_MEMORY >> 20

    def shut(what: str, good: bool, detail: str, bad: str) -> Finding:
        return Finding(what, good, detail if good else bad)

    return [
        shut(name, seen["seen"] <= 2, "a program sees itself and nothing else", f"it sees {seen['seen']} processes"),
        shut("no rights inside", seen["user"] == box.NOBODY, f"user {seen['user']}", f"it is user {seen['user']}"),
        shut("no network", not seen["network"] and not seen["interfaces"], "no sockets", "it can open sockets"),
        shut(
            "read-only files",
            not any(seen[what] for what in ("root", "usr", "dev", "bot", "passwd")),
            "only /usr and its own folder are seen, and neither can be written",
            "it can write or see what it should not",
        ),
        shut(
            "bounded scratch",
            seen["scratch"] and not seen["fill"] and not seen["shm"],
            f"{Budget().scratch >> 20} MB in {box.SCRATCH}, {megabytes} MB of shared memory",
            "scratch is missing or has no bound",
        ),
        shut("one process", not seen["fork"], f"no children, up to {box.THREADS} threads", "it can start processes"),
        shut("hard limits", seen["limits"], "memory, time, files, threads, file size", "some have no bound"),
        shut("bounded memory", not seen["memory"] and not seen["memfd"], "2 GB were refused", "2 GB were given"),
        shut(
            "kernel calls",
            not seen["io_uring"] and not seen["unshare"],
            "io_uring and new namespaces are refused",
            "io_uring or new namespaces are open",
        ),
    ]


def _probe() -> dict[str, Any]:
    budget = Budget()
    running = Boxed(Bundle((PYTHON, "-I", "-c", PROBE), (), "0"), budget, address_space=budget.memory)
    try:
        said, complaint = running.process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        raise Broken(Verdict("box", "the program does not answer")) from None
    finally:
        running.end()
    if not said:
        said_last = complaint.decode(errors="replace").strip()[-200:]
        raise Broken(Verdict("box", said_last or "the program said nothing"))
    answer: dict[str, Any] = json.loads(said)
    return answer


# Settings that forbid namespaces to users without rights, and the value that allows them.
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


# ---- what is good to have


def _group() -> Finding:
    name = "control group"
    group = groups.make(64 << 20)
    if group is None:
        return Finding(
            name,
            False,
            "none that we may use; resident memory is watched instead, some twenty times a second",
            "systemd-run --user --scope -p Delegate=yes polemos ...",
            needed=False,
        )
    group.remove()
    return Finding(name, True, "bounds the memory of every box", needed=False)


def _ray() -> Finding:
    name = "Ray"
    if find_spec("ray") is None:
        repair = f"{Path(sys.executable).name} -m pip install 'polemos[ray]'"
        return Finding(name, False, "tournaments stay on this machine", repair, needed=False)
    return Finding(name, True, "tournaments can use many machines: polemos tournament --ray ADDRESS", needed=False)
