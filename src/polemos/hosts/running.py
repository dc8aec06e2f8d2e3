"""A program that has been started: how it is spoken to, watched and ended. This one runs with our own rights."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from polemos.kernel.errors import BotFault
from polemos.kernel.verdict import Verdict


class Broken(Exception):
    """The program can no longer be spoken to; the verdict says why."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(str(verdict))
        self.verdict = verdict


def require(spec: str) -> None:
    """Raises a BotFault where programs cannot be spoken to at all."""
    if sys.platform == "win32":
        raise BotFault(
            f"{spec[:60]!r} is a program, and on Windows programs cannot play. Our own bots can, and with --trust a "
            "class in a file, file.py:Name; under WSL all of them can."
        )


class Running:
    """A started program with its pipes, in a session of its own, so that all its children can be killed with it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        memory: int | None = None,
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
        if memory is not None and sys.platform == "linux":  # elsewhere nobody can limit another process
            import resource

            with suppress(OSError, ValueError):  # it may have died already
                resource.prlimit(self.process.pid, resource.RLIMIT_AS, (memory, memory))
                resource.prlimit(self.process.pid, resource.RLIMIT_CORE, (0, 0))

    def pid(self) -> int | None:
        """The program itself, which need not be the process that we have started."""
        return self.process.pid

    def signal(self, number: int) -> None:
        """Sends a signal to the program, if it still runs: one to stop it for a while, or to let it go on."""
        with suppress(OSError):
            os.killpg(self.process.pid, number)  # ours until it is waited for: nobody else has got its number

    def excess(self) -> Verdict | None:
        """What it has too much of, where nothing but looking stops it."""
        return None

    def ended(self) -> tuple[int | None, Verdict | None]:
        """Its exit code (below zero: the signal that ended it), and what is known of the reason besides."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        return self.process.returncode, None

    def end(self) -> None:
        """Ends the program and everything it has started."""
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(2)
