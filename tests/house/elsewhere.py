"""Run by test_elsewhere.py: makes this Python look like one on another system, tries Polemos there, prints what it saw.

Everything that Polemos uses is loaded first, then what the other system lacks is taken away, then Polemos is loaded
again.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pkgutil
import signal
import sys
import tempfile
import types
from pathlib import Path
from typing import Any

# What our code could reach for, and the system lacks: modules, names of `os`, names of `signal`.
LACKING = {
    "darwin": (
        ["pyseccomp"],
        ["sched_setaffinity", "sched_getaffinity", "memfd_create", "pidfd_open"],
        ["pidfd_send_signal"],
    ),
    "win32": (
        ["fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "syslog", "readline", "curses", "pyseccomp"],
        [
            *("sched_setaffinity", "sched_getaffinity", "memfd_create", "pidfd_open", "getuid", "geteuid", "getgid"),
            *("fork", "killpg", "setsid", "pread", "pwrite", "chown", "statvfs", "waitid", "uname", "sysconf"),
            *("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "WNOHANG"),
        ],
        ["pidfd_send_signal", "SIGKILL", "SIGHUP", "SIGRTMAX", "SIGALRM", "alarm", "setitimer"],
    ),
}
NOT_MODULES = ("polemos.__main__", "polemos.server.store.migrations")  # run by Python, and by Alembic


def load_all() -> int:
    import polemos

    found = [one.name for one in pkgutil.walk_packages(polemos.__path__, "polemos.")]
    modules = [name for name in found if not name.startswith(NOT_MODULES)]
    for name in modules:
        importlib.import_module(name)
    return len(modules)


def move_to(platform: str) -> None:
    modules, of_os, of_signal = LACKING[platform]
    for name in [name for name in sys.modules if name.partition(".")[0] == "polemos"]:
        del sys.modules[name]
    sys.platform = platform
    for name in modules:
        sys.modules[name] = None  # type: ignore[assignment]
    for home, names in ((os, of_os), (signal, of_signal)):
        for name in names:
            with contextlib.suppress(AttributeError):
                delattr(home, name)


def refusal(trust: bool) -> str:
    """What is said to a program that wants to play."""
    from polemos import registry
    from polemos.hosts import specs
    from polemos.kernel.errors import BotFault

    try:
        specs.check(registry.load("skerries"), sys.executable, trust=trust)
    except BotFault as error:
        return str(error)
    return ""


def doctor() -> str:
    from click.testing import CliRunner

    from polemos.cli.doctor import command

    return CliRunner().invoke(command).output


def journal() -> list[Any]:
    """What a file holds after two lines of which the second never counted; and how it was locked."""
    from polemos.kernel.own_file import OwnFile, sync_folder

    locked: list[tuple[int, int, int]] = []
    if sys.platform == "win32":  # the one module that only Windows has
        msvcrt: Any = types.ModuleType("msvcrt")
        msvcrt.LK_NBLCK = 2
        msvcrt.locking = lambda handle, how, many: locked.append((how, os.lseek(handle, 0, os.SEEK_CUR), many))
        sys.modules["msvcrt"] = msvcrt
        os.O_BINARY = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "journal")
        file = OwnFile(path)
        file.write(b"one\n", 0)
        file.write(b"two\n", 4)
        file.cut(4)
        file.close()
        sync_folder(Path(folder))
        return [path.read_text(), locked]


def match() -> list[Any]:
    """A turn, and whether compiled rules would be kept."""
    import polemos
    from polemos.kernel import cache

    match = polemos.Match(polemos.load("skerries"), seed=7)
    match.submit("red", ["A1-A2 2", "A1-A3 1"])
    return [match.run().step, cache.folder_for("polemos.kernel.dice") is not None]


def worker() -> str:
    """What a process that plays games for a tournament does as soon as it starts, and then its first task."""
    from polemos.arena import workers

    workers._begin_work()
    return workers.at_work(str, "played")


if __name__ == "__main__":
    load_all()
    move_to(sys.argv[1])
    print(
        json.dumps(
            {
                "modules": load_all(),
                "doctor": doctor(),
                "boxed": refusal(trust=False),
                "trusted": refusal(trust=True),
                "journal": journal(),
                "match": match(),
                "worker": worker(),
            }
        )
    )
