"""Becoming more than one process."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import pty
import signal
import struct
import subprocess
import sys
from typing import Any

About = dict[str, Any]
libc = ctypes.CDLL(None, use_errno=True)
CLONE = {"x86_64": 56, "aarch64": 220}
COUNT = 5


def _child(pid: int) -> int:
    """In the child: ends at once. In the parent: waits for it."""
    if pid == 0:
        os._exit(0)
    if pid < 0:
        raise OSError(ctypes.get_errno(), "no child")
    os.waitpid(pid, 0)
    return pid


def fork(about: About) -> list[int]:
    return [_child(os.fork()) for _ in range(COUNT)]


def fork_with_a_terminal(about: About) -> int:
    pid, handle = pty.fork()
    _child(pid)
    os.close(handle)
    return pid


def clone(about: About) -> int:
    return _child(libc.syscall(CLONE[os.uname().machine], int(signal.SIGCHLD), 0, 0, 0, 0))


def clone3(about: About) -> int:
    wanted = ctypes.create_string_buffer(struct.pack("=11Q", 0, 0, 0, 0, int(signal.SIGCHLD), 0, 0, 0, 0, 0, 0))
    return _child(libc.syscall(435, wanted, 88))


def spawn(about: About) -> int:
    return _child(os.posix_spawn("/bin/true", ["true"], {}))


def a_command(about: About) -> int:
    return subprocess.run([sys.executable, "-c", ""], check=True).returncode


def a_shell(about: About) -> bool:
    assert os.system("true") == 0
    return True


def a_worker(about: About) -> bool:
    worker = multiprocessing.get_context("fork").Process(target=len, args=("",))
    worker.start()
    worker.join()
    return True


def out_of_its_group(about: About) -> bool:
    """A child in a session of its own, whose parent ends: nobody's, and out of reach of who would end the group."""
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os._exit(0 if os.fork() >= 0 else 1)
    return os.waitpid(pid, 0)[1] == 0
