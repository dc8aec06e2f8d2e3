"""A running program: talking to it, watching it and killing it. This one runs with our own permissions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from polemos.hosts.memory import Memory
from polemos.kernel.errors import BotFault
from polemos.kernel.verdict import Verdict


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

    def signal(self, number: int) -> None:
        """Sends a signal to the program, if it still runs: one to stop it for a while, or to let it go on."""
        with suppress(OSError):
            os.killpg(self.process.pid, number)  # ours until it is waited for: nobody else has got its number

    def excess(self) -> Verdict | None:
        """The verdict if the program is over a limit that we have to check ourselves."""
        return None

    def ended(self) -> tuple[int | None, Verdict | None]:
        """Its exit code (negative: the signal that killed it), and a verdict if more is known."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        return self.process.returncode, None

    def end(self) -> None:
        """Kills the program and everything it started."""
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(2)
