"""System calls forbidden to programs in the box. They fail with "operation not permitted"."""

from __future__ import annotations

import errno
import os
from functools import cache
from typing import Final

# Grouped by what they could be used for. Older kernels lack some of them, which is just as safe.
FORBIDDEN: Final = {
    "other processes": """ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp process_madvise
        inotify_init inotify_init1 inotify_add_watch""",
    "namespaces and mounts": """unshare setns mount umount umount2 pivot_root chroot open_tree move_mount fsopen
        fsconfig fsmount fspick mount_setattr open_tree_attr statmount listmount listns""",
    "the network": "socket connect bind listen accept accept4",
    "memory outside the limit": "memfd_create memfd_secret userfaultfd setxattr lsetxattr fsetxattr setxattrat",
    "work in the kernel": "io_uring_setup io_uring_enter io_uring_register io_setup bpf perf_event_open",
    "keys": "add_key request_key keyctl",
    "messages between processes": """msgget msgsnd msgrcv msgctl semget semop semtimedop semctl shmget shmat shmctl
        shmdt mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr""",
    "the machine": """init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff acct
        settimeofday clock_settime clock_adjtime adjtimex quotactl quotactl_fd sethostname setdomainname iopl ioperm
        sync syncfs syslog vhangup nfsservctl lookup_dcookie open_by_handle_at name_to_handle_at fanotify_init""",
    "locks, which files that all boxes see would carry from one to another": "flock",
    "cores of others": "sched_setaffinity sched_setscheduler sched_setattr",
    "children": "fork vfork",
}
# The library may be older than the kernel. New calls have the same number on every architecture.
NUMBERS: Final = {"statmount": 457, "listmount": 458, "setxattrat": 463, "open_tree_attr": 467, "listns": 470}
NOT_YET: Final = range(471, 512)  # calls added since this was written
THREAD: Final = 0x10000  # CLONE_THREAD
# What compilers need and bots must not have: child processes, and locks on their own files.
FOR_BUILDS: Final = ("fork", "vfork", "flock")
NAMESPACES: Final = {  # flags of clone
    "CLONE_NEWNS": 0x20000,
    "CLONE_NEWCGROUP": 0x2000000,
    "CLONE_NEWUTS": 0x4000000,
    "CLONE_NEWIPC": 0x8000000,
    "CLONE_NEWUSER": 0x10000000,
    "CLONE_NEWPID": 0x20000000,
    "CLONE_NEWNET": 0x40000000,
}
# Commands that fcntl refuses: locks and leases, change notices for folders, and larger pipes (limited per user).
LOCKS: Final = {"F_GETLK": 5, "F_SETLK": 6, "F_SETLKW": 7, "F_OFD_GETLK": 36, "F_OFD_SETLK": 37, "F_OFD_SETLKW": 38}
ON_FILES: Final = {**LOCKS, "F_SETLEASE": 1024, "F_NOTIFY": 1026, "F_SETPIPE_SZ": 1031}
GROWS_DOWN: Final = 0x100  # MAP_GROWSDOWN: mappings that count as stack, which the limit on data does not cover
INT: Final = 0xFFFFFFFF  # the kernel only reads this much of an int


@cache
def program(builds: bool = False) -> bytes:
    """The filter in the kernel's format; raises OSError if the library for it is missing.

    A bot is a single process with as many threads as it likes, so one clock and one limit cover everything it uses.
    A program that builds one may start others.
    """
    try:
        import pyseccomp
    except (ImportError, RuntimeError) as error:
        raise OSError(errno.ENOENT, f"libseccomp cannot be loaded ({error})") from None

    refused = pyseccomp.ERRNO(errno.EPERM)
    calls = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for names in FORBIDDEN.values():
        for name in names.split():
            if builds and name in FOR_BUILDS:
                continue
            number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
            if number < 0:
                number = NUMBERS.get(name, number)
            if number >= 0:
                calls.add_rule(refused, number)
    for number in NOT_YET:
        calls.add_rule(pyseccomp.ERRNO(errno.ENOSYS), number)
    for name, number in ON_FILES.items():
        if builds and name in LOCKS:
            continue
        calls.add_rule(refused, "fcntl", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, INT, number))
    calls.add_rule(refused, "mmap", pyseccomp.Arg(3, pyseccomp.MASKED_EQ, GROWS_DOWN, GROWS_DOWN))
    if builds:
        for flag in NAMESPACES.values():
            calls.add_rule(refused, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, flag, flag))
    else:
        calls.add_rule(refused, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, THREAD, 0))
    calls.add_rule(
        pyseccomp.ERRNO(errno.ENOSYS), "clone3"
    )  # its flags cannot be checked; the C library falls back to clone
    handle = os.memfd_create("calls")
    with open(handle, "w+b") as file:
        calls.export_bpf(file)
        file.seek(0)
        return file.read()
