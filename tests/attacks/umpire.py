"""An umpire to be killed: `umpire.py WHEN BOX COMMAND...` starts a program and says so, or dies while it starts it."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any

from polemos.hosts import box
from polemos.hosts.box import Boxed
from polemos.hosts.bundle import pack
from polemos.hosts.running import Running
from polemos.wire.bot import Budget


def die(*whatever: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_after(name: str) -> None:
    """When this part of the start is done."""
    part = getattr(Boxed, name)

    def first(self: Boxed, *words: Any) -> None:
        part(self, *words)
        die()

    setattr(Boxed, name, first)


def die_before(name: str, seconds: float = 0.0) -> None:
    """When this part would begin, or a moment later."""

    def instead(self: Boxed, *words: Any) -> None:
        time.sleep(seconds)
        die()

    setattr(Boxed, name, instead)


WHEN = {
    "never": lambda: None,
    "as soon as it is started": lambda: die_before("_enter"),
    "when the namespaces stand": lambda: die_after("_enter"),
    "while the box is built": lambda: die_before("_begin", 0.002),
    "when the box is built": lambda: die_before("_begin", 0.1),
    "when it has begun": lambda: die_after("_begin"),
}


def main() -> None:
    when, boxed, *command = sys.argv[1:]
    bundle = pack(command)
    assert box.lack() is None
    WHEN[when]()
    running = Boxed(bundle, Budget()) if boxed == "boxed" else Running(command)
    assert running.process.stdout is not None
    print(running.process.stdout.readline().decode(), end="", flush=True)
    time.sleep(60)


if __name__ == "__main__":
    main()
