"""What only the kernel can do, and what it keeps for processes outside of their memory."""

from __future__ import annotations

import ctypes
import fcntl
import os
from typing import Any

About = dict[str, Any]
WANTED = {"programs_in_the_kernel": 21, "faults_in_user_hands": 19}  # without the box: the capability for it
IN_THE_BOX = ("nobody_knows_what",)
libc = ctypes.CDLL(None, use_errno=True)
KEY = 0x706F6C65
USERFAULTFD, BPF, FCNTL = {"x86_64": (323, 321, 72), "aarch64": (282, 280, 25)}[os.uname().machine]


def _got(code: int, what: str) -> int:
    if code < 0:
        raise OSError(ctypes.get_errno(), what)
    return code


def io_uring(about: About) -> int:
    return _got(libc.syscall(425, 4, ctypes.create_string_buffer(120)), "io_uring_setup")


def memory_without_a_name(about: About) -> int:
    handle = os.memfd_create("x")
    return os.write(handle, bytes(1 << 20))


def memory_by_key(about: About) -> int:
    number = _got(libc.shmget(KEY, 4096, 0o1600), "shmget")
    return _got(libc.shmctl(number, 0, 0), "shmctl")


def a_queue_by_key(about: About) -> int:
    number = _got(libc.msgget(KEY, 0o1600), "msgget")
    return _got(libc.msgctl(number, 0, 0), "msgctl")


def a_lock_by_key(about: About) -> int:
    number = _got(libc.semget(KEY, 1, 0o1600), "semget")
    return _got(libc.semctl(number, 0, 0), "semctl")


def a_queue_by_name(about: About) -> int:
    _got(libc.mq_open(b"/polemos-attack", os.O_CREAT | os.O_RDWR, 0o600, None), "mq_open")
    return _got(libc.mq_unlink(b"/polemos-attack"), "mq_unlink")


def watching_files(about: About) -> int:
    """Who starts which program, and when."""
    return _got(libc.inotify_add_watch(_got(libc.inotify_init1(0), "inotify"), b"/usr/bin", 0x20), "watch")


def watching_folders(about: About) -> int:
    return fcntl.fcntl(os.open(about["folder"] or "/usr/bin", os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS)


def watching_folders_in_disguise(about: About) -> int:
    """The kernel reads only the lower half of this number; so must who forbids it."""
    handle = os.open(about["folder"] or "/usr/bin", os.O_RDONLY)
    disguised = ctypes.c_long((1 << 32) | fcntl.F_NOTIFY)
    return _got(libc.syscall(FCNTL, handle, disguised, fcntl.DN_ACCESS), "fcntl")


def notes_on_files(about: About) -> bool:
    """Kept in the kernel's memory, and in no limit of ours."""
    path = os.path.join(about["folder"] or "/tmp", "noted")
    os.close(os.open(path, os.O_CREAT, 0o600))
    os.setxattr(path, "user.note", b"x" * 1000)
    return True


def programs_in_the_kernel(about: About) -> int:
    return _got(libc.syscall(BPF, 0, ctypes.create_string_buffer(b"\2\0\0\0\4\0\0\0\4\0\0\0\1\0\0\0", 72), 72), "bpf")


def faults_in_user_hands(about: About) -> int:
    return _got(libc.syscall(USERFAULTFD, 0), "userfaultfd")


def nobody_knows_what(about: About) -> int:
    """A call that a kernel of tomorrow may have."""
    return _got(libc.syscall(500), "call")
