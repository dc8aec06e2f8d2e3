"""The filter: every call that it names is refused, whatever the kernel itself would have said, and in every tongue."""

from __future__ import annotations

import errno
import json
import platform
import signal
from pathlib import Path

import pyseccomp
import pytest

from attacks.harness import copy_of_programs, finish, run, start
from polemos.hosts import calls
from polemos.hosts.bundle import PYTHON

NUMBERS = {
    name: number
    for names in calls.FORBIDDEN.values()
    for name in names.split()
    if (number := max(pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name), calls.NUMBERS.get(name, -1))) >= 0
}
# The kernel looks at the arguments of these before it asks for rights; with those that we give they do nothing.
FOR_EVERYBODY = """
    ptrace process_vm_readv pidfd_getfd inotify_init1 inotify_add_watch unshare setns chroot socket connect bind listen
    accept accept4 memfd_create setxattr lsetxattr fsetxattr io_uring_enter io_setup add_key request_key keyctl msgsnd
    msgrcv semget semop shmget shmat shmdt mq_open mq_unlink name_to_handle_at sched_setaffinity sched_setscheduler
    perf_event_open syncfs
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_of_programs(tmp_path)


def test_every_forbidden_call_is_refused(folder: Path) -> None:
    assert len(NUMBERS) > 80
    said = run(folder, "calling", ["by_number"], {"numbers": NUMBERS}, box=True)
    assert said["by_number"]["got"] == dict.fromkeys(NUMBERS, errno.EPERM)


def test_it_is_the_filter_that_refuses_them(folder: Path) -> None:
    numbers = {name: number for name, number in NUMBERS.items() if name in FOR_EVERYBODY.split()}
    assert len(numbers) > 30
    said = run(folder, "calling", ["by_number"], {"numbers": numbers}, box=False)
    assert [name for name, number in said["by_number"]["got"].items() if number == errno.EPERM] == []


def test_calls_that_nobody_knows_yet_do_not_exist(folder: Path) -> None:
    numbers = {str(number): number for number in (435, *calls.NOT_YET)}
    said = run(folder, "calling", ["by_number"], {"numbers": numbers}, box=True)
    assert said["by_number"]["got"] == dict.fromkeys(numbers, errno.ENOSYS)


def test_the_library_knows_the_calls_or_we_do() -> None:
    """Those it lacks are of other kinds of machines, or long gone, or newer than it and in our own table."""
    unknown = {name for names in calls.FORBIDDEN.values() for name in names.split()} - set(NUMBERS)
    assert unknown <= {"umount", "nfsservctl", "iopl", "ioperm", "fork", "vfork", "inotify_init", "semop", "msgget"}
    if platform.machine() == "x86_64":
        assert unknown <= {"umount"}


@pytest.mark.parametrize("name", ["in_another_tongue", "in_an_old_tongue"])
def test_calls_in_another_tongue_end_the_program(folder: Path, name: str) -> None:
    if platform.machine() != "x86_64":
        return  # elsewhere there is but one
    asked = json.dumps({"module": "calling", "names": [name], "about": {}})
    boxed = finish(start([PYTHON, str(folder / "run.py")], box=True), f"{asked}\n")
    assert boxed[::2] == ("", -signal.SIGSYS)
    out, _, code = finish(start([PYTHON, str(folder / "run.py")], box=False), f"{asked}\n")
    if name == "in_an_old_tongue" and code == 0:  # where the kernel still speaks it
        assert json.loads(out)[name]["got"] > 1
