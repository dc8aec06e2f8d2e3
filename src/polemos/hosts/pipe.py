"""A child process that is spoken to line by line, within limits of time, size and patience. Knows no game.

Everything the child writes is read in one place, whatever is being waited for, so that a child that floods one pipe and
never reads another cannot hold anything up.
"""

from __future__ import annotations

import os
import resource
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

SLICE = 0.05  # seconds between looks at the child's CPU clock
CHUNK = 1 << 16


class Broken(Exception):
    """The child can no longer be spoken to; the text says why."""


class Late(Exception):
    """The child has not answered in time."""


class Child:
    """A process with its pipes. Its standard error goes to a file, up to a limit."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        memory: int,
        most_line: int,
        log: Path | None,
        most_log: int,
        folder: Path | None,
    ) -> None:
        self._most_line, self._most_log = most_line, most_log
        self._log = None if log is None else log.open("wb", buffering=0)
        self._logged = 0
        self._tail = b""  # the end of standard error, for guessing why it died
        self._lines = bytearray()
        self._ended = False
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                start_new_session=True,  # so that all its children can be killed with it
            )
        except (OSError, ValueError) as error:
            raise Broken(f"{command[0]!r} cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self.pid = self._process.pid
        with suppress(OSError, ValueError):  # it may have died already
            resource.prlimit(self.pid, resource.RLIMIT_AS, (memory, memory))
            resource.prlimit(self.pid, resource.RLIMIT_CORE, (0, 0))
        self._pipes = selectors.DefaultSelector()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            if pipe is not self._process.stdin:
                self._pipes.register(pipe, selectors.EVENT_READ)

    # ---- clocks

    def cpu(self) -> float:
        """CPU seconds of the process and all its threads, from the kernel's own clock for it."""
        try:
            return time.clock_gettime((~self.pid << 3) | 2)
        except OSError:
            return 0.0

    # ---- speaking

    def say(self, line: bytes, until: float) -> None:
        """Writes a line; raises Late if the child does not take it in time."""
        stdin = self._process.stdin
        assert stdin is not None
        rest = memoryview(line)
        self._pipes.register(stdin, selectors.EVENT_WRITE)
        try:
            while rest:
                if self._wait(until) is None or time.monotonic() >= until:
                    raise Late
                try:
                    rest = rest[os.write(stdin.fileno(), rest) :]
                except BlockingIOError:
                    continue
                except OSError:
                    raise Broken(self.epitaph()) from None
        finally:
            self._pipes.unregister(stdin)

    def hear(self, until: float, cpu_until: float) -> bytes:
        """The next line; raises Late by the clock on the wall, Broken when the CPU clock has run out."""
        while (end := self._lines.find(b"\n")) < 0:
            if self._ended:
                raise Broken(self.epitaph())
            if len(self._lines) > self._most_line:
                raise Broken(f"output: a line of more than {self._most_line} bytes")
            if self.cpu() > cpu_until:
                raise Broken("time: the bank is empty")
            if self._wait(min(until, time.monotonic() + SLICE)) is None and time.monotonic() >= until:
                raise Late
        if end > self._most_line:
            raise Broken(f"output: a line of more than {self._most_line} bytes")
        line = bytes(self._lines[:end])
        del self._lines[: end + 1]
        return line

    def has_spoken(self) -> bool:
        """Whether there is output that nobody has asked for."""
        self._wait(time.monotonic())
        return bool(self._lines)

    def _wait(self, until: float) -> bool | None:
        """Waits until something can be read or written, and reads what there is. None when the time is up."""
        ready = self._pipes.select(max(0.0, until - time.monotonic()))
        for key, _ in ready:
            if key.fileobj is self._process.stdout and self._room():
                self._read_lines()
            elif key.fileobj is self._process.stderr:
                self._read_log()
        return True if ready else None

    def _room(self) -> bool:
        """A child that says more than it was asked must wait until it is read. Without the pause this would spin."""
        if len(self._lines) <= self._most_line:
            return True
        time.sleep(0.001)
        return False

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        with suppress(BlockingIOError):
            chunk = os.read(self._process.stdout.fileno(), CHUNK)
            self._lines += chunk
            if not chunk:
                self._ended = True
                self._pipes.unregister(self._process.stdout)

    def _read_log(self) -> None:
        assert self._process.stderr is not None
        with suppress(BlockingIOError):
            chunk = os.read(self._process.stderr.fileno(), CHUNK)
            if not chunk:
                self._pipes.unregister(self._process.stderr)
                return
            self._tail = (self._tail + chunk)[-4000:]
            if self._log is not None and self._logged < self._most_log:
                self._log.write(chunk[: self._most_log - self._logged])
            self._logged += len(chunk)

    # ---- the end

    def epitaph(self) -> str:
        """Why the child has died, as far as can be told."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        for _ in range(16):  # what it said last may tell why
            if self._process.stderr is None or self._wait(time.monotonic() + 0.01) is None:
                break
        text = self._tail.decode(errors="replace")
        if any(word in text for word in ("MemoryError", "OutOfMemory", "out of memory", "bad_alloc", "heap limit")):
            return "memory: more than it may have"
        code = self._process.returncode
        if code is None:
            return "protocol: it closed its output"
        last = text.strip().splitlines()[-1:] or [""]
        said = f": {last[0][:120]}" if last[0] else ""
        if code < 0:
            return f"crash: {signal.Signals(-code).name}{said}"
        return f"crash: exit code {code}{said}" if code else f"crash: it ended by itself{said}"

    def close(self, patience: float = 0.0) -> None:
        """Ends the child and everything it has started."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        with suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        for _ in range(64):
            if not self._pipes.get_map() or self._wait(time.monotonic()) is None:
                break
        self._pipes.close()
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()
        if self._log is not None:
            self._log.close()
