"""Namespaces and mounts of its own, each on top of the one before."""

from __future__ import annotations

import ctypes
import os
from typing import Any

About = dict[str, Any]
libc = ctypes.CDLL(None, use_errno=True)


def _did(code: int, what: str) -> bool:
    if code != 0:
        raise OSError(ctypes.get_errno(), what)
    return True


def users(about: About) -> bool:
    return _did(libc.unshare(0x10000000), "unshare")


def mounts(about: About) -> bool:
    return _did(libc.unshare(0x00020000), "unshare")


def network(about: About) -> bool:
    return _did(libc.unshare(0x40000000), "unshare")


def processes(about: About) -> bool:
    return _did(libc.unshare(0x20000000), "unshare")


def enter(about: About) -> bool:
    handle = os.open("/proc/self/ns/net", os.O_RDONLY)
    return _did(libc.setns(handle, 0), "setns")


def mount(about: About) -> bool:
    _did(libc.mount(None, b"/", None, 0x44000, None), "mount")  # MS_REC | MS_PRIVATE: nobody else sees it
    return _did(libc.mount(b"none", about["folder"].encode(), b"tmpfs", 0, None), "mount")


def unmount(about: About) -> bool:
    """Also what hides the first process inside."""
    return _did(libc.umount2(about["folder"].encode() if about["folder"] else b"/proc/1", 2), "umount")


def name(about: About) -> bool:
    _did(libc.unshare(0x04000000), "unshare")
    return _did(libc.sethostname(b"other", 5), "sethostname")


def another_root(about: About) -> bool:
    os.chroot("/usr")
    return True
