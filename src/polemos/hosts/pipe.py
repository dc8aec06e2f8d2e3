"""A child process that we talk to line by line, with limits on time and size. Knows no game.

Everything the child writes is read in one place, whatever we are waiting for, so a child that floods one pipe and never
reads the other cannot block anything.
"""

from __future__ import annotations

import os
import selectors
import signal
import time
from contextlib import suppress
from pathlib import Path

from polemos.hosts.last_words import useful_line
from polemos.hosts.patience import SLICE, Patience
from polemos.hosts.quiet import GUARD
from polemos.hosts.running import Broken, Running
from polemos.kernel.orders import printable
from polemos.kernel.verdict import Verdict

CHUNK = 1 << 16
MAX_TAIL = 1 << 16  # bytes of a log that are looked at for the reason of a crash: dumps of stacks are long

__all__ = ["Broken", "Child", "Late"]


_notes_turns = False


def note_turns() -> None:
    """From now on, every log of this process gets a file beside it that says where each turn begins in it."""
    global _notes_turns
    _notes_turns = True


def turns_of(log: Path) -> Path:
    """The file beside a log: lines with the number of a turn, and of the byte where it begins."""
    return log.with_suffix(".turns")


class Late(Exception):
    """The child did not answer in time."""


class Child:
    """A running program and its pipes. Its standard error goes to a file, up to a limit."""

    def __init__(self, running: Running, *, max_line: int, log: Path | None, max_log: int) -> None:
        self._running, self._process = running, running.process
        self._max_line, self._max_log = max_line, max_log
        self._log = None if log is None else log.open("wb", buffering=0)
        self._turns = turns_of(log) if log is not None and _notes_turns else None
        self._marks: dict[int, int] = {}  # byte of the log to the turn that begins there
        self._logged = 0
        self._tail = b""  # the end of standard error, to guess why it died
        self._lines = bytearray()
        self._ended = False
        self._looked = time.monotonic()
        self._pipes = selectors.DefaultSelector()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            if pipe is not self._process.stdin:
                self._pipes.register(pipe, selectors.EVENT_READ)

    # ---- clocks

    def cpu(self) -> float:
        """CPU seconds of the process and all its threads."""
        return self._running.cpu()

    def _look(self) -> None:
        """Checks, now and then, for excessive use of anything that the kernel does not limit."""
        now = time.monotonic()
        if now - self._looked >= SLICE:
            self._looked = now
            excess = self._running.excess()
            if excess is not None:
                raise Broken(excess)

    def patience(self, seconds: float) -> Patience:
        """The time for an answer. The child may work until `answered` is called."""
        GUARD.asked(self)
        return Patience(seconds, self._running.pid, self.cpu)

    def answered(self) -> None:
        """The child has answered and must be quiet until it is asked again."""
        if not self._ended:
            GUARD.answered(self)

    def halt(self) -> None:
        self._running.signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._running.signal(signal.SIGCONT)

    # ---- talking

    def say(self, line: bytes, patience: Patience) -> None:
        """Writes a line; raises Late if the child does not read it in time."""
        stdin = self._process.stdin
        assert stdin is not None
        rest = memoryview(line)
        self._pipes.register(stdin, selectors.EVENT_WRITE)
        try:
            while rest:
                if self._wait(patience.nap) is None or patience.left <= 0:
                    if patience.is_over():
                        raise Late
                    continue
                try:
                    rest = rest[os.write(stdin.fileno(), rest) :]
                except BlockingIOError:
                    continue
                except OSError:
                    raise Broken(self.epitaph()) from None
        finally:
            self._pipes.unregister(stdin)

    def hear(self, patience: Patience, cpu_until: float) -> bytes:
        """The next line; raises Late when patience runs out, Broken when the CPU clock does."""
        while (end := self._lines.find(b"\n")) < 0:
            if self._ended:
                raise Broken(self.epitaph())
            if len(self._lines) > self._max_line:
                raise Broken(Verdict("output", f"a line longer than {self._max_line} bytes"))
            if self.cpu() > cpu_until:
                raise Broken(Verdict("time", "the bank is empty"))
            self._look()
            if self._wait(patience.nap) is None and patience.is_over():
                raise Late
        if end > self._max_line:
            raise Broken(Verdict("output", f"a line longer than {self._max_line} bytes"))
        self._look()
        line = bytes(self._lines[:end])
        del self._lines[: end + 1]
        return line

    def forget(self) -> None:
        """Discards lines that the child sent without being asked."""
        if self.has_spoken():
            del self._lines[: self._lines.rfind(b"\n") + 1]

    def has_spoken(self) -> bool:
        """Whether there is output that nobody asked for."""
        self._wait(0)
        return bool(self._lines)

    def _wait(self, seconds: float) -> bool | None:
        """Waits until something can be read or written, and reads it. None if there was nothing."""
        ready = self._pipes.select(seconds)
        for key, _ in ready:
            if key.fileobj is self._process.stdout and self._room():
                self._read_lines()
            elif key.fileobj is self._process.stderr:
                self._read_log()
        return True if ready else None

    def _room(self) -> bool:
        """Whether to read more. A child that sends too much has to wait; without the pause this would spin."""
        if len(self._lines) <= self._max_line:
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
            self._tail = (self._tail + chunk)[-MAX_TAIL:]
            if self._log is not None and self._logged < self._max_log:
                self._log.write(chunk[: self._max_log - self._logged])
            self._logged += len(chunk)

    def mark(self, turn: int) -> None:
        """What the child logs from now on belongs to this turn."""
        if self._turns is not None:
            self._marks[self._logged] = turn

    # ---- the end

    def epitaph(self) -> Verdict:
        """Why the child died, as far as we can tell."""
        code, known = self._running.ended()
        for _ in range(16):  # its last output may say why
            if self._process.stderr is None or self._wait(0.01) is None:
                break
        if known is not None:
            return known
        text = self._tail.decode(errors="replace")
        if any(word in text for word in ("MemoryError", "OutOfMemory", "out of memory", "bad_alloc", "heap limit")):
            return Verdict("memory", "over the limit")
        if code is None:
            return Verdict("protocol", "it closed its output")
        last = useful_line(text)
        said = f": {printable(last)}" if last else ""
        if code < 0:
            return Verdict("crash", f"{signal_name(-code)}{said}")
        return Verdict("crash", f"exit code {code}{said}" if code else f"it exited by itself{said}")

    def close(self, patience: float = 0.0) -> None:
        """Kills the child and everything it started."""
        assert self._process.stdin is not None
        GUARD.asked(self)
        with suppress(OSError):
            self._process.stdin.close()
        self._running.end(patience)
        for _ in range(64):
            if not self._pipes.get_map() or self._wait(0) is None:
                break
        self._pipes.close()
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()
        if self._log is not None:
            self._log.close()
        if self._turns is not None and self._logged:
            self._turns.write_text("".join(f"{turn} {at}\n" for at, turn in self._marks.items() if at < self._logged))


def signal_name(number: int) -> str:
    """Some signals have no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
