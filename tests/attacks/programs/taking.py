"""More memory, disk and threads than there should be. How much is said in `about`: little, so that it harms nobody."""

from __future__ import annotations

import mmap
import os
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

About = dict[str, Any]
PAGE = 4096
MB = 1 << 20


def heap(about: About) -> int:
    return len(bytearray(about["bytes"]))


def mapping(about: About) -> int:
    taken = mmap.mmap(-1, about["bytes"])
    for at in range(0, about["bytes"], PAGE):
        taken[at] = 1
    return about["bytes"]  # type: ignore[no-any-return]


def many_small(about: About) -> int:
    return len([bytearray(MB) for _ in range(about["bytes"] // MB)])


def stacks(about: About) -> int:
    """Threads that sleep, with large stacks."""
    return _threads(about["bytes"] // (16 * MB), 16 * MB)


def threads(about: About) -> int:
    return _threads(about["threads"], MB // 4)


def _threads(number: int, stack: int = 0) -> int:
    done = threading.Event()
    begun = []
    threading.stack_size(stack)
    try:
        for _ in range(number):
            thread = threading.Thread(target=done.wait)
            thread.start()
            begun.append(thread)
    finally:
        done.set()
        for thread in begun:
            thread.join()
    return len(begun)


def some_threads(about: About) -> int:
    """What every bot may have."""
    return _threads(16)


def _fill(folder: str, file: int, total: int) -> int:
    """Files of a size, up to a total; they are gone at the end."""
    made = []
    try:
        for number in range(total // file):
            path = Path(folder, f"fill-{os.getpid()}-{number}")
            made.append(path)
            path.write_bytes(bytes(file))
    finally:
        for path in made:
            path.unlink(missing_ok=True)
    return total


def scratch(about: About) -> int:
    return _fill(about["scratch"], MB // 2, about["disk"])


def some_scratch(about: About) -> int:
    """What every bot may have."""
    return _fill(about["scratch"], MB // 2, MB)


def one_file(about: About) -> int:
    return _fill(about["scratch"], about["disk"], about["disk"])


def files_without_names(about: About) -> int:
    """Unlinked, but open."""
    with ExitStack() as stack:
        for number in range(about["disk"] // MB):
            path = Path(about["scratch"], f"open-{number}")
            file = stack.enter_context(path.open("wb", buffering=0))
            path.unlink()
            assert file.write(bytes(MB)) == MB
    return about["disk"]  # type: ignore[no-any-return]


def shared_memory(about: About) -> int:
    return _fill("/dev/shm", MB, 5 * MB)


# ---- until somebody stops it: these say a line when they have taken something, and then go on for a moment


def reserve(about: About) -> None:
    """Much address space and no memory, as some runtimes do; then memory, bit by bit."""
    taken = mmap.mmap(-1, 1024 * MB)
    print("reserved", flush=True)
    for at in range(0, about["bytes"], PAGE):
        taken[at] = 1
    _go_on()


def reserve_behind_the_back(about: About) -> None:
    """The same in a second thread, when the first has ended: then the process seems to have no memory at all."""
    import ctypes

    def later() -> None:
        time.sleep(0.2)
        reserve(about)

    threading.Thread(target=later).start()
    ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)


def empty_files(about: About) -> None:
    """No bytes, but each costs the kernel some."""
    os.mkdir(os.path.join(about["scratch"], "empty"))
    for number in range(about["files"]):
        os.close(os.open(os.path.join(about["scratch"], "empty", str(number)), os.O_CREAT, 0o600))
    _go_on()


def _go_on() -> None:
    print("taken", flush=True)
    time.sleep(1)
