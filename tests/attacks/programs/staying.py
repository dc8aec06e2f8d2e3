"""A program that does not want to end: `staying.py HOW MARK`. It says when it is ready to be ended."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from contextlib import suppress

SECONDS = 120  # so that nothing stays for long where a test fails


def ignore() -> None:
    """Every signal that can be ignored, and the death of its parent."""
    for number in range(1, signal.NSIG):
        if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD, 32, 33):
            signal.signal(number, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)  # PR_SET_PDEATHSIG
    here()


def leave() -> None:
    """A session of its own, deaf and dumb."""
    with suppress(OSError):  # it may have one
        os.setsid()
    here()
    for handle in (0, 1, 2):
        os.close(handle)


def stop() -> None:
    here()
    os.kill(os.getpid(), signal.SIGSTOP)


def spin() -> None:
    """In every way at once."""
    for _ in range(8):
        threading.Thread(target=run_in_circles, daemon=True).start()
    here()
    run_in_circles()


def run_in_circles() -> None:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        pass


def begin_again() -> None:
    """From a second thread, so that what bound the first one to its parent is gone."""
    threading.Thread(target=os.execv, args=(sys.executable, [sys.executable, __file__, "leave", sys.argv[2]])).start()


def fork() -> None:
    """The child of a child, in a session of its own."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            leave()
            time.sleep(SECONDS)
        os._exit(0)


def here() -> None:
    print("here", flush=True)


WAYS = {"ignore": ignore, "leave": leave, "stop": stop, "spin": spin, "begin-again": begin_again, "fork": fork}
WAYS[sys.argv[1]]()
time.sleep(SECONDS)
