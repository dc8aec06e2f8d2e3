"""A running program: talking to it, watching it and killing it. This one runs with our own permissions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from polemos.hosts.memory import Memory
from polemos.hosts.patience import Patience
from polemos.kernel.errors import BotFault
from polemos.kernel.verdict import Verdict

DEATH: Final = 10.0  # seconds for the kernel to put away what was killed; a busy machine may need a while


class Broken(Exception):
    """We can no longer talk to the program; the verdict says why."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(str(verdict))
        self.verdict = verdict


def require(spec: str) -> None:
    """Raises a BotFault on systems where programs cannot play at all."""
    if sys.platform == "win32":
        raise BotFault(
            f"{spec[:60]!r} is a program, and programs cannot play on Windows. Use WSL, one of our own bots, or, with "
            "--trust, a class in a file: file.py:Name."
        )


class Running:
    """A running program and its pipes, in its own session so that all its children can be killed with it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        memory: Memory | None = None,
        folder: Path | None = None,
        pass_fds: Sequence[int] = (),
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._clock: int | None = None
        try:
            self.process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                env=env,
                pass_fds=pass_fds,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            said = (error.strerror if isinstance(error, OSError) else None) or error
            raise Broken(Verdict("start", f"{command[0]!r} cannot be started: {said}")) from None
        if memory is not None and sys.platform == "linux":  # elsewhere there is no way to limit another process
            import resource

            with suppress(OSError, ValueError):  # it may have died already
                for limit, value in (
                    (resource.RLIMIT_AS, memory.address_space),
                    (resource.RLIMIT_DATA, memory.writable),
                    (resource.RLIMIT_CORE, 0),
                ):
                    resource.prlimit(self.process.pid, limit, (value, value))

    def pid(self) -> int | None:
        """The program itself, which is not always the process that we started."""
        return self.process.pid

    def cpu(self) -> float:
        """CPU seconds of the program and all its threads, from the kernel's own clock."""
        if self._clock is None:
            pid = self.pid()
            if pid is None:
                return 0.0
            self._clock = (~pid << 3) | 2
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return 0.0

    def signal(self, number: int) -> None:
        """Sends a signal to the program, if it still runs: one to stop it for a while, or to let it go on."""
        with suppress(OSError):
            os.killpg(self.process.pid, number)  # ours until it is waited for: nobody else has got its number

    def excess(self) -> Verdict | None:
        """The verdict if the program is over a limit that we have to check ourselves."""
        return None

    def ended(self) -> tuple[int | None, Verdict | None]:
        """Its exit code (negative: the signal that killed it), and a verdict if more is known."""
        if self.process.returncode is None and self._wait(1):
            self._end_group()  # what it has left behind
        return self.process.returncode, None

    def end(self, patience: float = 0.0) -> None:
        """Kills the program and everything it started, once it has had so many seconds to end by itself."""
        if self.process.returncode is not None:
            return  # it was waited for long ago: by now its number may be that of somebody else
        self._wait(patience)
        self._end_group()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(DEATH)

    def _wait(self, seconds: float) -> bool:
        """Whether it ends within so many seconds; those in which it wants to and is not let do not count."""
        patience = Patience(seconds, self.pid, self.cpu)
        while self.process.poll() is None:
            if patience.is_over():
                return False
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(patience.nap)
        return True

    def _end_group(self) -> None:
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
