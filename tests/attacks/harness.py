"""Running attacks: in the box, exactly as a bot is run, and without it, as ourselves."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from polemos.hosts.box import Boxed, group_of_readers
from polemos.hosts.bundle import PYTHON, pack, unpack
from polemos.hosts.memory import HASTY, allowance
from polemos.hosts.running import Running
from polemos.wire.bot import Budget

PROGRAMS = Path(__file__).parent / "programs"
MODULES = ("reading", "writing", "watching", "reaching", "multiplying", "separating", "asking", "rising")
SECRET = "the-key-of-the-match"
SECONDS = 120
ROOT = os.getuid() == 0
Said = dict[str, dict[str, Any]]


# ---- what is tried


def attempts(module: str) -> list[str]:
    """The attempts of a module, in order."""
    loaded = importlib.import_module(f"attacks.programs.{module}")
    return [
        name
        for name, value in vars(loaded).items()
        if inspect.isfunction(value) and value.__module__ == loaded.__name__ and not name.startswith("_")
    ]


def shown_without(module: str) -> list[str]:
    """Those that can be shown to succeed without the box, on this machine and without harm to it."""
    loaded = importlib.import_module(f"attacks.programs.{module}")
    hidden = {*getattr(loaded, "IN_THE_BOX", ()), *_not_on_this_machine(module)}
    hidden |= {name for name, number in getattr(loaded, "WANTED", {}).items() if not _may(number)}
    return [name for name in attempts(module) if name not in hidden]


def _not_on_this_machine(module: str) -> set[str]:
    """What some machines forbid everybody."""
    if module == "asking" and _setting("kernel/io_uring_disabled") not in ("", "0"):
        return {"io_uring"}
    if module == "separating" and not ROOT and _setting("kernel/apparmor_restrict_unprivileged_userns") == "1":
        return set(attempts(module))
    return set()


def _may(capability: int) -> bool:
    """Whether we have a capability: root in a container has not all of them."""
    ours = int(Path("/proc/self/status").read_text().split("CapEff:")[1].split()[0], 16)
    return bool(ours >> capability & 1)


def _setting(name: str) -> str:
    path = Path("/proc/sys", name)
    return path.read_text().strip() if path.exists() else ""


# ---- running


def copy_of_programs(folder: Path) -> Path:
    """The programs in a folder of their own: without the box some write into it."""
    shutil.copytree(PROGRAMS, folder / "bot", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "beside.txt").write_text(SECRET)
    return folder / "bot"


def start(command: Sequence[str], *, box: bool, budget: Budget | None = None, hasty: bool = False) -> Running:
    """A program as a bot is started; a hasty one like those whose limit the kernel does not know, such as Java."""
    if not box:
        return Running(command)
    budget = budget or Budget()
    return Boxed(pack(command), budget, memory=allowance(budget.memory, HASTY if hasty else command))


def finish(running: Running, said: str = "") -> tuple[str, str, int]:
    """What it said, what it complained of, and its exit code; nothing of it stays."""
    try:
        out, err = running.process.communicate(said.encode(), timeout=SECONDS)
        code, _ = running.ended()
    finally:
        running.end()
        for pipe in (running.process.stdin, running.process.stdout, running.process.stderr):
            assert pipe is not None
            pipe.close()
    assert code is not None
    return out.decode(), err.decode(), code


def run(
    folder: Path,
    module: str,
    names: Sequence[str],
    about: Mapping[str, Any],
    *,
    box: bool,
    budget: Budget | None = None,
) -> Said:
    """Makes the attempts, one after the other in one process."""
    running = start([PYTHON, str(folder / "run.py")], box=box, budget=budget)
    asked = json.dumps({"module": module, "names": list(names), "about": dict(about)})
    out, err, code = finish(running, f"{asked}\n")
    assert code == 0, (code, err)
    said: Said = json.loads(out)
    assert list(said) == list(names)
    return said


# ---- what there is to attack


@contextmanager
def world(folder: Path) -> Iterator[dict[str, Any]]:
    """Files, listeners and a process beside the bot."""
    with ExitStack() as stack:
        os.environ["POLEMOS_TEST_SECRET"] = SECRET
        stack.callback(os.environ.pop, "POLEMOS_TEST_SECRET", None)
        yield {**_files(folder), **_listeners(folder, stack), "decoy": _decoy(folder, stack), **_facts()}


def _facts() -> dict[str, Any]:
    return {"secret": SECRET, "umpire": os.getpid(), "machine": socket.gethostname(), "home": str(Path.home())}


def _files(folder: Path) -> dict[str, str]:
    everybody, alone, replay = folder / "everybody.txt", folder / "alone.txt", folder / "game-00001.jsonl"
    for path, mode in ((everybody, 0o644), (alone, 0o600), (replay, 0o644)):
        path.write_text(SECRET)
        path.chmod(mode)
    (folder / "other").mkdir()
    (folder / "other" / "bot.py").write_text(SECRET)
    other = unpack(pack([PYTHON, str(folder / "other" / "bot.py")]), group_of_readers())
    common = folder / "common"
    common.mkdir()
    return {
        "for everybody": str(everybody),
        "for us alone": str(alone),
        "replay": str(replay),
        "shelf": str(other.parent),
        "other bot": str(other / "bot.py"),
        "folder": str(common),
    }


def _listeners(folder: Path, stack: ExitStack) -> dict[str, Any]:
    tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    udp.bind(("127.0.0.1", 0))
    named, abstract = (stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2))
    name = f"polemos-attack-{os.getpid()}-{folder.name}"
    path = f"/tmp/{name}"  # the way to the test's own folder is too long for a socket
    named.bind(path)
    stack.callback(os.unlink, path)
    abstract.bind(f"\0{name}")
    for way in (named, abstract):
        way.listen()
    return {"tcp": tcp.getsockname()[1], "udp": udp.getsockname()[1], "unix": path, "abstract": name}


def _decoy(folder: Path, stack: ExitStack) -> int:
    decoy = subprocess.Popen(
        [sys.executable, str(PROGRAMS / "decoy.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    stack.callback(decoy.communicate)
    stack.callback(decoy.kill)
    assert decoy.stdout is not None
    assert decoy.stdout.readline() == b"here\n"
    return decoy.pid


def is_alive(pid: int) -> bool:
    """Whether it runs; who is dead and unburied does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
