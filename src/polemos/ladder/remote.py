"""A crew on another machine: it gets its games from a server over HTTP, and sends results back.

Messages are MessagePack. The server believes nothing of them: it looks up the game itself, and adjudicates the replay.
"""

from __future__ import annotations

import http.client
import logging
import ssl
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from polemos import registry
from polemos.hosts.bundle import Bundle, is_whole
from polemos.kernel.errors import PolemosError
from polemos.kernel.tame import tame
from polemos.ladder.files import Bundles, NoFile
from polemos.ladder.jobs import Broken, Claim, Job, Report
from polemos.ladder.leases import Aside, Held
from polemos.ladder.live import Lives, changed

PATH: Final = "/api/ladder/worker"
TYPE: Final = "application/msgpack"
MAX_JOBS: Final = 64  # in one claim
MAX_REPLAY: Final = 8 << 20  # bytes
MAX_LOG: Final = 1 << 20  # bytes of one bot
MAX_SEATS: Final = 16
MAX_REPORT: Final = MAX_REPLAY + (MAX_LOG + 16) * 4 + 4096  # bytes of a message
MAX_OUT: Final = 500  # reports that wait for the server to come back
PATIENCE: Final = 60.0  # seconds for an answer
POLL: Final = 1.0  # seconds between two questions for games
_MAX_BUNDLE: Final = 96 << 20  # bytes

_log = logging.getLogger("polemos")
T = TypeVar("T")

Number = Annotated[int, Meta(ge=0, le=2**53)]


class NoServer(OSError):
    """The server is not there, or does not answer as it should. It may be back soon."""


class NotAllowed(PolemosError):
    """The server does not know this worker."""

    word = "worker/refused"


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """A worker wants games."""

    count: Annotated[int, Meta(ge=1, le=MAX_JOBS)]
    places: Annotated[int, Meta(ge=0, le=100_000)]  # games that it can play at a time
    editions: Annotated[dict[Annotated[str, Meta(max_length=40)], Number], Meta(max_length=1000)] | None = None


class Outdated(PolemosError):
    """A worker with other rules than those of the server: it could not play a single game."""

    word = "worker/outdated"


def check_editions(worker: Mapping[str, int], games: Iterable[str]) -> None:
    """Raises Outdated if a worker with these editions can't play these games as this server does."""
    for name in games:
        game = registry.load(name)
        has = worker.get(name)
        if has != game.edition:
            mine = "does not have" if has is None else f"has edition {has} of"
            raise Outdated(
                f"This worker {mine} {game.title}, and the server plays edition {game.edition}. Install the same "
                "version of Polemos and of its games on both machines, and start the worker again."
            )


class Lease(Struct, frozen=True, forbid_unknown_fields=True):
    id: Number
    lease: Number


class Leases(Struct, frozen=True, forbid_unknown_fields=True):
    """Leases to renew, or games that are given back."""

    held: Annotated[tuple[Lease, ...], Meta(max_length=10_000)]


class Lost(Struct, frozen=True, forbid_unknown_fields=True):
    """Games that this worker could not play."""

    held: Annotated[tuple[Lease, ...], Meta(max_length=MAX_JOBS)]
    why: Annotated[str, Meta(max_length=2000)]
    died: bool = False  # their process


class Sent(Struct, frozen=True, forbid_unknown_fields=True):
    """A result."""

    id: Number
    lease: Number
    replay: Annotated[bytes, Meta(max_length=MAX_REPLAY)]
    logs: dict[Annotated[int, Meta(ge=0, lt=MAX_SEATS)], Annotated[bytes, Meta(max_length=MAX_LOG)]]
    ranks: Annotated[tuple[Annotated[int, Meta(ge=1, le=MAX_SEATS)], ...], Meta(max_length=MAX_SEATS)]
    fingerprint: Annotated[str, Meta(max_length=64)]
    seconds: Annotated[float, Meta(ge=0, le=1e6)]

    def report(self) -> Report:
        return Report(self.id, self.lease, self.replay, self.logs, Claim(self.ranks, self.fingerprint), self.seconds)


class HttpSource:
    """Gets games from a server. Results that can't be sent now are kept, and sent when the server is back."""

    def __init__(self, server: str, token: str, folder: Path, places: int) -> None:
        """`folder` keeps the files of bots; `places`: games that can be played at a time."""
        parts = urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise NotAllowed(f"{tame(server, 80)!r} isn't the address of a server. Write it like https://example.org.")
        self._host, self._port, self._tls = parts.hostname, parts.port, parts.scheme == "https"
        self._base = parts.path.rstrip("/") + PATH
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": TYPE, "Accept": TYPE}
        self._connection: http.client.HTTPConnection | None = None
        self._bundles = Bundles(folder)
        self._places = places
        self._editions = {name: int(registry.load(name).edition) for name in registry.names()}
        self._out: list[tuple[Job, Report | Broken]] = []
        self._shows = True
        self._told: dict[int, tuple[int, int]] = {}  # lease and turn of games that were shown

    # ---- as a source

    def claim(self, count: int) -> list[Job]:
        self._send()
        jobs = self._ask("claim", Asked(min(count, MAX_JOBS), self._places, self._editions), tuple[Job, ...])
        return [job for job in jobs if self._has_files(job)]

    def renew(self, jobs: Sequence[Job]) -> None:
        held = [*jobs, *(job for job, _ in self._out)]
        self._ask("renew", Leases(tuple(Lease(job.id, job.lease) for job in held)))

    def report(self, job: Job, report: Report | Broken) -> None:
        self._out = [*self._out, (job, report)][-MAX_OUT:]
        with suppress(NoServer):
            self._send()

    def give_back(self, jobs: Sequence[Job]) -> None:
        if jobs:
            self._ask("back", Leases(tuple(Lease(job.id, job.lease) for job in jobs)))

    def lost(self, jobs: Sequence[Job], why: str) -> None:
        for job in jobs:
            self._out = [*self._out, (job, Broken(job.id, job.lease, why, died=True))][-MAX_OUT:]
        with suppress(NoServer):
            self._send()

    def bundle(self, digest: str) -> Bundle:
        return self._bundles.get(digest)

    def show(self, jobs: Sequence[Job], lives: Lives) -> None:
        """Not worth a second try. A server that doesn't know the message isn't asked again."""
        if not self._shows:
            return
        with suppress(NoServer):
            for live in changed(lives, jobs, self._told):
                try:
                    self._ask("live", live)
                except (NotAllowed, _Rejected):
                    self._shows = False
                    return

    def settle(self) -> None:
        self._send()

    def finish(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while self._out and time.monotonic() < until:
            try:
                self._send()
            except NoServer:
                time.sleep(0.2)

    def wait(self, seconds: float) -> None:
        time.sleep(min(seconds, POLL))

    # ---- sending

    def _send(self) -> None:
        """Sends the reports that wait, the oldest first."""
        while self._out:
            job, report = self._out[0]
            again: list[tuple[Job, Report | Broken]] = []
            sent = 1
            try:
                if isinstance(report, Broken):  # those of one process together: it died once
                    lost = _alike(report, [other for _, other in self._out[:MAX_JOBS]])
                    sent = len(lost)
                    self._ask("lost", Lost(lost, tame(report.why, 500), report.died))
                else:
                    self._ask("report", _sent(report))
            except _Rejected as error:
                _log.error("The server can't use the result of game %d: %s", job.id, error)
                again = [] if isinstance(report, Broken) else [(job, Broken(job.id, job.lease, str(error)))]
            self._out = [*again, *self._out[sent:]]

    def _has_files(self, job: Job) -> bool:
        """Fetches the files of the bots in a game. Without them, it is given back as one that could not be played."""
        for player in job.players:
            if player.digest is None:
                continue
            try:
                self._bundles.get(player.digest)
                continue
            except (NoFile, msgspec.MsgspecError):
                pass
            try:
                data = self._request("GET", f"bundles/{player.digest}", None)
                found = msgspec.msgpack.decode(data, type=Bundle)
            except (NotAllowed, msgspec.MsgspecError):  # the lease may have ended in the meantime
                found = None
            if found is None or found.digest != player.digest or not is_whole(found):
                self.report(job, Broken(job.id, job.lease, f"the files of {player.name} did not arrive whole"))
                return False
            self._bundles.put(found)
        return True

    def _ask(self, what: str, message: Any, answer: type[T] = dict) -> T:  # type: ignore[assignment]
        data = self._request("POST", what, msgspec.msgpack.encode(message))
        try:
            return msgspec.msgpack.decode(data, type=answer)
        except msgspec.MsgspecError as error:
            raise NoServer(f"The server's answer can't be read: {error}") from None

    def _request(self, method: str, what: str, body: bytes | None) -> bytes:
        try:
            connection = self._connection or self._connected()
            self._connection = connection
            connection.request(method, f"{self._base}/{what}", body, self._headers)
            answer = connection.getresponse()
            data = answer.read(_MAX_BUNDLE + 1)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise NoServer(f"The server at {self._host} doesn't answer: {str(error) or type(error).__name__}") from None
        if answer.status >= 400 or len(data) > _MAX_BUNDLE:
            self._refused(answer.status, data)
        return data

    def close(self) -> None:
        """Ends the connection. The next request makes another."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _connected(self) -> http.client.HTTPConnection:
        if self._tls:
            safe = ssl.create_default_context()
            return http.client.HTTPSConnection(self._host, self._port, timeout=PATIENCE, context=safe)
        return http.client.HTTPConnection(self._host, self._port, timeout=PATIENCE)

    def _refused(self, status: int, data: bytes) -> None:
        """Raises the server's refusal: it may be back later, it has set us aside, or it does not want us at all."""
        try:
            said = msgspec.json.decode(data, type=_Refusal)
        except msgspec.MsgspecError:
            said = _Refusal(why=f"error {status}")
        why = tame(said.why, 300)
        self.close()
        if said.word == Aside.word:
            raise Aside(why)
        if status in (401, 403, 404):
            raise NotAllowed(why)
        if status in (400, 413, 422):
            raise _Rejected(why)
        raise NoServer(f"The server can't do this now: {why}")


class _Rejected(NoServer):
    """The server can't use a message, and never will."""


class _Refusal(Struct):
    word: str = ""
    why: str = ""


def _alike(one: Broken, reports: Sequence[Report | Broken]) -> tuple[Lease, ...]:
    """The first of some reports, as far as they say the same of other games."""
    same = takewhile(
        lambda other: isinstance(other, Broken) and (other.why, other.died) == (one.why, one.died), reports
    )
    return tuple(Lease(other.id, other.lease) for other in same)


def _sent(report: Report) -> Sent:
    claim = report.claim
    return Sent(
        report.id,
        report.lease,
        report.replay,
        {entry: log[:MAX_LOG] for entry, log in report.logs.items()},
        claim.ranks,
        claim.fingerprint,
        min(report.seconds, 1e6),
    )


def held(leases: Sequence[Lease]) -> list[Held]:
    return [Held(one.id, one.lease) for one in leases]
