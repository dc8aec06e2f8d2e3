"""A reception in a process of its own: `python -m polemos.uploads.apart`.

Its input is one line with a job; its output is one line for each piece of news, the last of which is `accepted`,
`refused` or `unavailable`. It ends at once when its input ends, and every box ends with it, so whoever started it can
stop it by closing the input, and cannot leave it behind by dying.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from polemos.uploads.reception import Accepted, Change, Logged, News, Reception, Rules, Upload
from polemos.uploads.refusals import Refusal, Unavailable
from polemos.uploads.trial import Turn
from polemos.uploads.versions import Versions

COMMAND = (sys.executable, "-m", "polemos.uploads.apart")


class Job(Struct, frozen=True):
    """What to take in, and where to keep it."""

    folder: str  # of the versions
    upload: Upload
    rules: Rules = Rules()


class Failure(Struct, frozen=True, tag_field="type", tag="unavailable"):
    """This machine could not do it. The upload can be tried again."""

    why: str


def line_of(news: News | Failure) -> bytes:
    return msgspec.json.encode(news) + b"\n"


def read(line: bytes) -> News | Failure:
    """News, from a line."""
    return msgspec.json.decode(line, type=Change | Logged | Turn | Accepted | Refusal | Failure)


def run(job: Job, output: BinaryIO) -> None:
    """Does a job and writes the news."""

    def tell(news: News | Failure) -> None:
        output.write(line_of(news))
        output.flush()

    try:
        Reception(Versions(Path(job.folder)), tell, job.rules).receive(job.upload)
    except Unavailable as error:
        tell(Failure(str(error)))


class Running:
    """A job in another process. Its news can be read once; `stop` can be called from any thread."""

    def __init__(self, job: Job) -> None:
        self._process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(msgspec.json.encode(job) + b"\n")
            self._process.stdin.flush()
        except OSError:
            pass  # it has ended already, and there will be no news

    @property
    def process(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        """Ends the process, and with it everything that it has started."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def kill(self) -> None:
        """For one that does not notice: whatever looks through a text does not look up meanwhile."""
        self._process.kill()

    def news(self) -> Iterator[News | Failure]:
        """All news; the last is the end. Closing the iterator stops the job."""
        assert self._process.stdout is not None
        last: News | Failure | None = None
        try:
            for line in self._process.stdout:
                last = read(line)
                yield last
        finally:
            self.stop()
            self._process.stdout.close()
            self._process.wait()
        if not isinstance(last, Accepted | Refusal | Failure):
            yield Failure(f"The reception ended with exit code {self._process.returncode}.")


def receive(job: Job) -> Iterator[News | Failure]:
    """Runs a job in another process and yields its news. Closing the iterator stops it."""
    yield from Running(job).news()


def _end_with_input() -> None:
    while os.read(0, 1 << 12):
        pass
    os._exit(1)


def main() -> None:
    line = bytearray()
    while not line.endswith(b"\n"):  # unbuffered: the thread reads the rest
        byte = os.read(0, 1)
        if not byte:
            return
        line += byte
    job = msgspec.json.decode(line, type=Job)
    threading.Thread(target=_end_with_input, daemon=True).start()
    run(job, sys.stdout.buffer)


if __name__ == "__main__":
    main()
