"""Several processes behind one port. Each is a server of its own; this one only starts them, and starts them again."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing import connection
from multiprocessing.context import SpawnProcess
from typing import Any, Final

import msgspec

from polemos.server import logs
from polemos.server.configuration import address_of
from polemos.server.folder import Claim
from polemos.server.settings import Settings

QUICK: Final = 10.0  # seconds; a process that ends sooner has not really begun
MAX_QUICK: Final = 3  # such ends in a row, of each process, until we give up
LOOK: Final = 0.2  # seconds between looks
PAUSE: Final = 1.0  # seconds until a process is started again
GRACE: Final = 1.0  # seconds after Ctrl-C: in a terminal it reaches all processes, otherwise we pass it on

Work = Callable[[Settings, socket.socket, int], None]

_log = logging.getLogger("polemos")


def serve(settings: Settings, listening: socket.socket, work: Work) -> int:
    """Runs the processes until we are told to stop; returns the exit status. `work` runs in each of them."""
    logs.set_up(settings)
    claim = Claim(settings.folder, settings.url)
    try:
        return _Crew(settings, listening, work).run()
    finally:
        claim.release()


class _Crew:
    def __init__(self, settings: Settings, listening: socket.socket, work: Work) -> None:
        self._settings, self._listening, self._work = settings, listening, work
        self._context = multiprocessing.get_context("spawn")
        # Nothing is ever sent: its other end closes when this process ends, in whatever way.
        self._theirs, self._ours = self._context.Pipe(duplex=False)
        self._processes: dict[int, SpawnProcess] = {}
        self._began: dict[int, float] = {}
        self._quick = 0
        self._failed = False
        self._stopping = False
        self._ending: float | None = None  # when to tell the processes to stop

    def run(self) -> int:
        signal.signal(signal.SIGTERM, lambda *_: self._stop(0.0))
        signal.signal(signal.SIGINT, lambda *_: self._stop(GRACE))
        if sys.platform != "win32":
            signal.signal(signal.SIGHUP, lambda *_: self._send(signal.SIGHUP))  # read the certificate again
        for number in range(self._settings.processes):
            self._start(number)
        while self._processes:
            if self._ending is not None and time.monotonic() >= self._ending:
                self._ending = None
                self._send(signal.SIGTERM)
            connection.wait([process.sentinel for process in self._processes.values()], timeout=LOOK)
            for number, process in list(self._processes.items()):
                if not process.is_alive():
                    self._ended(number, process)
        return 1 if self._failed else 0

    def _start(self, number: int) -> None:
        given = (of_one(self._settings, number), self._listening, number, self._work, self._theirs)
        process = self._context.Process(target=_run, args=given, name=f"polemos-{number}")
        process.start()
        self._processes[number], self._began[number] = process, time.monotonic()

    def _ended(self, number: int, process: SpawnProcess) -> None:
        del self._processes[number]
        if self._stopping:
            return
        quick = time.monotonic() - self._began[number] < QUICK
        self._quick = self._quick + 1 if quick else 0
        _log.error("Process %d ended with status %s.", number, process.exitcode)
        if self._quick >= MAX_QUICK * self._settings.processes:
            _log.error("The processes end as soon as they begin, so the server stops.")
            self._failed = True
            self._stop(0.0)
            return
        time.sleep(PAUSE if quick else 0.0)
        if not self._stopping:
            self._start(number)

    def _stop(self, after: float) -> None:
        if not self._stopping:
            self._stopping, self._ending = True, time.monotonic() + after

    def _send(self, number: int) -> None:
        for process in self._processes.values():
            if process.pid is not None and process.is_alive():
                os.kill(process.pid, number)


def of_one(settings: Settings, number: int) -> Settings:
    """The settings of one of several processes. Its figures have a port of their own."""
    if settings.metrics is None:
        return settings
    host, port = address_of(settings.metrics)
    return msgspec.structs.replace(settings, metrics=f"[{host}]:{port + number}" if port else f"[{host}]:0")


def _run(settings: Settings, listening: socket.socket, number: int, work: Work, parent: Any) -> None:
    """One of the processes. It ends when the one that started it does."""
    threading.Thread(target=_watch, args=[parent], daemon=True).start()
    work(settings, listening, number)


def _watch(parent: Any) -> None:
    try:
        parent.recv_bytes()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)
