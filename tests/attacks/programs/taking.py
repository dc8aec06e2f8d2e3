"""More memory, disk and threads than there should be. How much is said in `about`: little, so that it harms nobody."""

from __future__ import annotations

import ctypes
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
WRITABLE = mmap.PROT_READ | mmap.PROT_WRITE
PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
GROWS_DOWN, FIXED = 0x100, 0x10
LIBC = ctypes.CDLL(None, use_errno=True)


def heap(about: About) -> int:
    return len(bytearray(about["bytes"]))


def mapping(about: About) -> int:
    return _take(_map(about["bytes"], WRITABLE, PRIVATE), about["bytes"])


def writable_later(about: About) -> int:
    """Reserved first, as some runtimes do, which costs nothing; then all of it made writable."""
    start = _map(about["bytes"], 0, PRIVATE)
    _must(LIBC.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(about["bytes"]), WRITABLE) == 0)
    return _take(start, about["bytes"])


def growing_down(about: About) -> int:
    """A mapping that says it is a stack: the kernel does not count those as data."""
    return _take(_map(about["bytes"], WRITABLE, PRIVATE | GROWS_DOWN), about["bytes"])


def _map(size: int, protection: int, flags: int, at: int | None = None) -> int:
    LIBC.mmap.restype = ctypes.c_void_p
    start: int | None = LIBC.mmap(ctypes.c_void_p(at), ctypes.c_size_t(size), protection, flags, -1, ctypes.c_long(0))
    _must(start is not None and start != ctypes.c_void_p(-1).value)
    assert start is not None
    return start


def _must(done: bool) -> None:
    if not done:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _touch(start: int, size: int) -> None:
    for at in range(start, start + size, PAGE):
        ctypes.memset(at, 1, 1)


def _take(start: int, size: int) -> int:
    """Fills it, and gives it back."""
    _touch(start, size)
    _must(LIBC.munmap(ctypes.c_void_p(start), ctypes.c_size_t(size)) == 0)
    return size


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
    start = _map(1024 * MB, 0, PRIVATE)
    print("reserved", flush=True)
    for at in range(start, start + about["bytes"], MB):
        _must(LIBC.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(MB), WRITABLE) == 0)
        _touch(at, MB)
    _go_on()


def reserve_behind_the_back(about: About) -> None:
    """The same in a second thread, when the first has ended: then the process seems to have no memory at all."""

    def later() -> None:
        time.sleep(0.2)
        reserve(about)

    threading.Thread(target=later).start()
    LIBC.syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)


def shared_mapping(about: About) -> None:
    """Memory that could be shared with children, if there were any: the kernel does not count it as data."""
    _touch(_map(about["bytes"], WRITABLE, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS), about["bytes"])
    _go_on()


def shared_out_of_sight(about: About) -> None:
    """The same, but each bit is put out of sight when it is full: it is kept, and no longer counts as resident."""
    _put_out_of_sight(_map(about["bytes"], WRITABLE, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS), about["bytes"])


def _put_out_of_sight(start: int, size: int) -> None:
    for at in range(start, start + size, MB):
        _touch(at, MB)
        _must(LIBC.madvise(ctypes.c_void_p(at), ctypes.c_size_t(MB), mmap.MADV_DONTNEED) == 0)
    assert ctypes.string_at(start, 1) == b"\1", "it is still there"
    _go_on()


def shared_among_many(about: About) -> None:
    """The same at the end of a long list of mappings, which is in the order of their addresses."""
    many = 24_000 * PAGE
    start = _map(many + about["bytes"], 0, PRIVATE)
    for at in range(start, start + many, 2 * PAGE):
        _must(LIBC.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(PAGE), mmap.PROT_READ) == 0)
    shared = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | FIXED
    _put_out_of_sight(_map(about["bytes"], WRITABLE, shared, start + many), about["bytes"])


def zeroes_out_of_sight(about: About) -> None:
    """The same by way of /dev/zero, whose shared mappings are memory too."""
    handle = os.open("/dev/zero", os.O_RDWR)
    taken = mmap.mmap(handle, about["bytes"])
    for at in range(0, about["bytes"], PAGE):
        taken[at] = 1
        if at % MB == MB - PAGE:
            taken.madvise(mmap.MADV_DONTNEED, at + PAGE - MB, MB)
    assert taken[0] == 1, "it is still there"
    _go_on()


def empty_files(about: About) -> None:
    """No bytes, but each costs the kernel some."""
    os.mkdir(os.path.join(about["scratch"], "empty"))
    for number in range(about["files"]):
        os.close(os.open(os.path.join(about["scratch"], "empty", str(number)), os.O_CREAT, 0o600))
    _go_on()


def _go_on() -> None:
    print("taken", flush=True)
    time.sleep(60)
