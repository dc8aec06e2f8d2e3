"""Building a bot in its box, with every limit watched, and keeping what it leaves."""

from __future__ import annotations

import os
import selectors
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from polemos.hosts import box
from polemos.hosts.bundle import pack_folder
from polemos.hosts.last_words import first_error
from polemos.hosts.pipe import signal_name
from polemos.hosts.running import Broken
from polemos.hosts.workshop import Allowed, Workshop
from polemos.kernel.errors import BotFault
from polemos.kernel.verdict import Verdict
from polemos.uploads.archives import Contents, unpack_tar
from polemos.uploads.limits import Limits
from polemos.uploads.logs import KEPT, Log, around, plain
from polemos.uploads.refusals import Refused, Unavailable, counted, size

LOOK: Final = 0.05  # seconds between looks at what it uses
CHUNK: Final = 1 << 16


class Built(Struct, frozen=True):
    """A finished build."""

    contents: Contents
    seconds: float
    warnings: int
    log: str


class FailedBuild(Refused):
    """With the log, as far as it was kept."""

    def __init__(self, word: str, why: str, log: str) -> None:
        super().__init__(word, why)
        self.log = log
        self.line = first_error(log)
        self.lines = around(log, self.line)


def build(
    source: Path,
    command: str,
    into: Path,
    *,
    limits: Limits,
    allowed: Allowed,
    toolchains: Sequence[Path] = (),
    tell: Callable[[str], None] = lambda text: None,
) -> Built:
    """Builds a copy of the source folder and puts the result into a new folder.

    Raises FailedBuild if the bot cannot be built, and Unavailable if this machine cannot build anything. `tell` gets
    the log while it is written, up to what is kept of its beginning.
    """
    why = box.lack()
    if why is not None:
        raise Unavailable(f"The box does not work on this machine: {why}")
    try:
        files = pack_folder(source, ())
        workshop = Workshop(files, command, allowed, toolchains)
    except (Broken, OSError, BotFault) as error:
        raise Unavailable(str(error)) from None
    watch = _Watch(workshop, allowed, tell, command)
    with tempfile.TemporaryFile(dir=into.parent) as output:
        try:
            watch.run(output.fileno())
        finally:
            watch.end()
        sent = output.seek(0, os.SEEK_END)
        output.seek(0)
        try:
            contents = unpack_tar(output, max(sent, 1), into, limits)
        except Refused as refused:
            raise FailedBuild(
                "build/result", f"The build worked, but what it left can't be used. {refused.why}", watch.text
            ) from None
    log = watch.text
    return Built(contents, round(watch.seconds, 1), log.lower().count("warning:"), log)


class _Watch:
    """Reads what a build writes and ends it when it goes too far."""

    def __init__(self, workshop: Workshop, allowed: Allowed, tell: Callable[[str], None], command: str) -> None:
        self._workshop, self._allowed, self._tell = workshop, allowed, tell
        self._began = time.monotonic()
        self.seconds = 0.0
        self._log = Log()
        self._command = command

    @property
    def text(self) -> str:
        return self._log.text()

    def run(self, output: int) -> None:
        """Waits for the end; raises FailedBuild if it is not a good one."""
        self._said(f"$ {self._command}\n".encode())
        process = self._workshop.process
        assert process.stdout is not None
        assert process.stderr is not None
        pipes = selectors.DefaultSelector()
        for pipe in (process.stdout, process.stderr):
            os.set_blocking(pipe.fileno(), False)
            pipes.register(pipe, selectors.EVENT_READ)
        taken, looked = 0, self._began
        with pipes:
            while True:
                ended = process.poll() is not None
                ready = pipes.select(0 if ended else LOOK) if pipes.get_map() else []
                for key, _ in ready:
                    chunk = os.read(key.fd, CHUNK)
                    if not chunk:
                        pipes.unregister(key.fileobj)
                    elif key.fileobj is process.stdout:
                        taken += os.write(output, chunk)
                        self._check_output(taken)
                    else:
                        self._said(chunk)
                now = time.monotonic()
                self.seconds = now - self._began
                if ended and not ready:
                    break
                if not ready and not ended and not pipes.get_map():
                    time.sleep(LOOK)
                if now - looked >= LOOK and not ended:
                    looked = now
                    self._look()
        self._judge()

    def _check_output(self, taken: int) -> None:
        most = self._allowed.disk + (16 << 20)  # with the headers of the archive
        if taken > most:
            raise self._failed("build/disk", f"The build wrote more than {size(self._allowed.disk)}.")

    def _said(self, chunk: bytes) -> None:
        room = KEPT - self._log.written
        self._log.add(chunk)
        if room > 0:
            self._tell(plain(chunk[:room]))
        if self._log.written > self._allowed.log:
            raise self._failed("build/log", f"The build wrote more than {size(self._allowed.log)} to its log.")

    def _look(self) -> None:
        if self.seconds > self._allowed.seconds:
            raise self._failed("build/time", f"The build was not done after {self._allowed.seconds:g} seconds.")
        excess = self._workshop.excess()
        if excess is not None:
            raise self._too_much(excess)

    def _too_much(self, verdict: Verdict) -> FailedBuild:
        what = size(self._allowed.memory) + " of memory" if verdict.detail == "over the limit" else verdict.detail[10:]
        return self._failed("build/memory", f"The build used more than {what}.")

    def _judge(self) -> None:
        code, known = self._workshop.ended()
        if known is not None:
            raise self._too_much(known)
        if code == 0:
            return
        if code is None or code < 0:
            ended = "was killed" if code is None else f"was ended by {signal_name(-code)}"
            raise self._failed("build/crash", f"The build {ended}.")
        if "No space left on device" in self.text:
            raise self._failed("build/disk", f"The build needs more than {size(self._allowed.disk)} of disk space.")
        line = first_error(self.text)
        said = f": {line}" if line else "."
        raise self._failed("build/error", f"The build failed with exit code {code}{said}")

    def _failed(self, word: str, why: str) -> FailedBuild:
        return FailedBuild(word, why, self.text)

    def end(self) -> None:
        """Nothing that the build has started stays."""
        self._workshop.end()
        for pipe in (self._workshop.process.stdin, self._workshop.process.stdout, self._workshop.process.stderr):
            assert pipe is not None
            pipe.close()


def words(built: Built, allowed: Allowed) -> str:
    """What the page says of a build.

    >>> words(Built(Contents("", 1, 1), 6.2, 1, ""), Allowed())
    '6.2 s of 120 s, 1 warning'
    """
    warned = f", {counted(built.warnings, 'warning')}" if built.warnings else ""
    return f"{built.seconds:g} s of {allowed.seconds:g} s{warned}"
