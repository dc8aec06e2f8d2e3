"""Replays: a match as a file that people can read and programs can verify.

JSON lines, gzipped if the name ends in `.gz`: a header, one line per step, and the end with the outcome and the key of
the dice. Every line carries a digest of itself and of all lines before it.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from polemos.kernel import dice
from polemos.kernel.decode import Unreadable, decode
from polemos.kernel.errors import (
    Damaged,
    Diverged,
    NotAReplay,
    OrderError,
    PolemosError,
    ReplayError,
    Truncated,
    WrongEdition,
)
from polemos.kernel.match import AnyMatch, Match, Step
from polemos.kernel.orders import MAX_VOID, Fault
from polemos.kernel.outcome import Outcome
from polemos.kernel.renamed import renamed
from polemos.kernel.verdict import Verdict

FORMAT = 1
MAX_BYTES = 1 << 27
MAX_LINE = 1 << 23

_CHAINED = re.compile(rb'(\{.*),"chain":"([0-9a-f]{32})"\}', re.DOTALL)


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    polemos: int  # number of the file format
    game: str
    edition: int
    options: dict[str, Any]
    position: str | None  # where the match began, if not from its options
    seats: dict[str, str]  # seat to player
    fingerprint: str  # of the key, which is published at the end
    first: str  # digest of the first state


class StepLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A step as written to the file, with verdicts as texts."""

    step: int
    orders: dict[str, tuple[str, ...] | None]
    faults: dict[str, tuple[Fault, ...]]
    calls: tuple[str, ...]
    forfeits: dict[str, str]
    cpu: dict[str, float]
    digest: str
    strikes: dict[str, str] = {}
    void: dict[str, tuple[int, ...]] = {}
    wall: dict[str, float] = {}
    gone: dict[str, str] | msgspec.UnsetType = msgspec.UNSET  # written only where there is something to tell

    @classmethod
    def of(cls, step: Step) -> StepLine:
        texts = {"forfeits": _texts(step.forfeits), "strikes": _texts(step.strikes)}
        gone = _texts(step.gone) or msgspec.UNSET
        return cls(**{**msgspec.structs.asdict(step), **texts, "gone": gone})

    def read(self) -> Step:
        verdicts = {
            "forfeits": _verdicts(self.forfeits),
            "strikes": _verdicts(self.strikes),
            "gone": _verdicts(self.gone or {}),
        }
        return Step(**{**msgspec.structs.asdict(self), **verdicts})


def _texts(verdicts: dict[str, Verdict]) -> dict[str, str]:
    return {seat: str(verdict) for seat, verdict in verdicts.items()}


def _verdicts(texts: dict[str, str]) -> dict[str, Verdict]:
    return {seat: Verdict.read(text) for seat, text in texts.items()}


class End(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    end: Outcome
    key: str
    agreed: bool = False  # a draw agreed by all seats, not one under the rules
    seeds: dict[str, int] = {}  # the seeds that the bots got, so that one can be asked again


class Replay(Struct, frozen=True):
    header: Header
    steps: tuple[Step, ...]
    end: End


def header_of(match: AnyMatch, players: dict[str, str]) -> Header:
    return Header(
        polemos=FORMAT,
        game=match.game.name,
        edition=match.game.edition,
        options=match.options,
        position=match.position,
        seats=players,
        fingerprint=dice.fingerprint(match.key),
        first=match.first_digest,
    )


def _chained(part: Struct, before: str) -> tuple[bytes, str]:
    body = msgspec.json.encode(part)[:-1]
    chain = hashlib.blake2b(before.encode() + body, digest_size=16).hexdigest()
    return body + f',"chain":"{chain}"}}\n'.encode(), chain


def packed(found: Replay) -> bytes:
    """The bytes of a replay, compressed, with a chain of its own."""
    chain, lines = "", b""
    for part in (found.header, *map(StepLine.of, found.steps), found.end):
        line, chain = _chained(part, chain)
        lines += line
    return gzip.compress(lines, mtime=0)


class Writer:
    """Writes a replay while the match is being played; each step is on disk before the next begins."""

    def __init__(
        self, path: Path, match: AnyMatch, players: dict[str, str], seeds: Mapping[str, int] | None = None
    ) -> None:
        # Stays open until `close`. The same match must give the same bytes, so the gzip header has no timestamp.
        plain = path.open("wb")
        self._file: Any = gzip.GzipFile("", "wb", fileobj=plain, mtime=0) if path.suffix == ".gz" else plain
        self._plain = plain
        self._chain = ""
        self._match = match
        self._seeds = dict(seeds or {})
        self._put(header_of(match, players))

    def _put(self, part: Struct) -> None:
        line, self._chain = _chained(part, self._chain)
        self._file.write(line)
        self._file.flush()

    def step(self, step: Step) -> None:
        self._put(StepLine.of(step))

    def close(self) -> None:
        """Closes the file, after adding the outcome and the key if the match has ended."""
        if (outcome := self._match.outcome) is not None:
            self._put(End(outcome, self._match.key, self._match.agreed is not None, self._seeds))
        self._file.close()
        self._plain.close()


def write(path: Path, match: AnyMatch, players: dict[str, str], seeds: Mapping[str, int] | None = None) -> None:
    """Writes a whole match at once; the file appears complete or not at all."""
    fresh = path.with_name(f".{os.getpid()}-{path.name}")
    writer = Writer(fresh, match, players, seeds)
    for step in match.steps:
        writer.step(step)
    writer.close()
    fresh.replace(path)


# ---- reading


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if raw[:2] == b"\x1f\x8b":
            with gzip.open(path) as unpacked:
                raw = unpacked.read(MAX_BYTES + 1)
    except EOFError:
        raise Truncated(f"{path.name} is cut off: its compressed data ends too early.") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise Damaged(f"{path.name} was changed: its compressed data is broken ({error}).") from None
    except OSError as error:
        raise NotAReplay(f"{path} cannot be read: {error.strerror or error}.") from None
    if len(raw) > MAX_BYTES:
        raise NotAReplay(f"{path.name} is larger than {MAX_BYTES >> 20} MiB, so Polemos did not write it.")
    return raw


def read(path: Path | str) -> Replay:
    """Reads a finished replay and verifies its chain of digests."""
    path = Path(path)
    raw = _bytes(path)
    *whole, rest = raw.split(b"\n")
    if not raw.startswith(b'{"polemos":') and not (whole and _CHAINED.fullmatch(whole[0])):
        raise NotAReplay(f"{path.name} is not a Polemos replay: it does not begin with a header.")
    bodies = []
    chain = ""
    for number, line in enumerate(whole, 1):
        if len(line) > MAX_LINE:
            raise NotAReplay(f"{path.name} has a line longer than {MAX_LINE >> 20} MiB, so Polemos did not write it.")
        found = _CHAINED.fullmatch(line)
        good = hashlib.blake2b(chain.encode() + (found[1] if found else b""), digest_size=16).hexdigest()
        if found is None or found[2].decode() != good:
            raise Damaged(f"{path.name} was changed: line {number} does not match its chain of digests.")
        chain = good
        bodies.append(found[1] + b"}")
    if rest:
        raise Truncated(f"{path.name} is cut off in the middle of line {len(whole) + 1}.")
    return _parts(path, bodies)


def _parts(path: Path, bodies: list[bytes]) -> Replay:
    try:
        header: Header = decode(bodies[0], Header)
    except Unreadable as error:
        raise NotAReplay(f"{path.name} has a header that this version of Polemos cannot read: {error}.") from None
    if header.polemos != FORMAT:
        raise NotAReplay(
            f"{path.name} is in format {header.polemos}, but this version of Polemos reads format {FORMAT}."
        )
    if len(bodies) == 1 or not bodies[-1].startswith(b'{"end":'):
        raise Truncated(
            f"{path.name} ends after step {len(bodies) - 1} without an outcome: cut off, or the match is not over."
        )
    try:
        steps = tuple(decode(body, StepLine).read() for body in bodies[1:-1])
        return Replay(header, steps, decode(bodies[-1], End))
    except Unreadable as error:
        raise NotAReplay(f"{path.name} has lines that this version of Polemos cannot read: {error}.") from None


def replayed(replay: Replay, game: Any) -> Iterator[AnyMatch]:
    """Plays the replay again, verifying each step. Yields the match before the first step and after every step."""
    header = replay.header
    if header.edition != game.edition:
        raise WrongEdition(
            f"This match was played under edition {header.edition} of {game.title}, but this version of Polemos has"
            f" edition {game.edition}, whose results can differ. Use a release with edition {header.edition}."
        )
    try:
        yield from _again(replay, game)
    except ReplayError:
        raise
    except (PolemosError, ValueError, KeyError) as error:
        raise Diverged(f"This match cannot be adjudicated again: {error}") from None


def _again(replay: Replay, game: Any) -> Iterator[AnyMatch]:
    header, key = replay.header, replay.end.key
    if header.game != game.name:
        raise Diverged(f"This is a replay of {header.game}, not of {game.name}.")
    if re.fullmatch(r"[0-9a-f]{32}", key) is None or dice.fingerprint(key) != header.fingerprint:
        raise Diverged("The key at the end does not match the fingerprint in the header.")
    today = msgspec.structs.replace(header, options=renamed(game.options_type, header.options))
    match = Match(game, today.options, key=key, position=header.position)
    if header_of(match, header.seats) != today or not set(header.seats) <= set(match.seats):
        raise Diverged("The header does not describe this match.")
    if match.first_digest != header.first:
        raise Diverged("The match does not begin with the position set up by its options.")
    yield match
    for number, step in enumerate(replay.steps, 1):
        if step.step != number or not _named(step) <= set(match.seats):
            raise Diverged(f"Step {number} has the wrong number, or names a seat that does not exist.")
        for text in step.calls:
            match.call(text)
        for seat, verdict in step.forfeits.items():
            match.forfeit(seat, verdict)
        for seat, lines in step.orders.items():
            if lines is not None and seat in match.to_act:
                match.submit(seat, lines)
        again = match.run(step.cpu, step.strikes, step.wall, step.gone)
        if again.digest != step.digest:
            raise Diverged(f"Step {number}: adjudicating it again gives a different position.")
        if again.faults != step.faults and _void(again, game) != _void(step, game):
            raise Diverged(f"Step {number}: adjudicating it again gives different void lines.")
        if not _agree(again, step, game) or (again.calls, again.forfeits) != (step.calls, step.forfeits):
            raise Diverged(f"Step {number}: adjudicating it again gives different sheets, calls or forfeits.")
        yield match
    if replay.end.agreed and match.outcome is None:
        match.agree_on_draw([seat for seat, points in replay.end.end.points.items() if points > 0])
    if match.outcome != replay.end.end:
        raise Diverged("Adjudicating the match again gives a different outcome.")


def _named(step: Step) -> set[str]:
    """All seats that a step names."""
    return {*step.orders, *step.forfeits, *step.strikes, *step.cpu, *step.wall}


def _void(step: Step, game: Any) -> dict[str, list[tuple[int, str]]]:
    """The void lines without the reasons, which may differ: objects are stored as text and read again as text."""
    return {
        seat: [(fault.line, _text(fault.order, game)) for fault in of[:MAX_VOID]] for seat, of in step.faults.items()
    }


def _agree(again: Step, step: Step, game: Any) -> bool:
    """Whether both have the same sheets. Older versions kept all unreadable lines; now the last ones are empty."""
    return again.orders.keys() == step.orders.keys() and all(
        of == (was := step.orders[seat]) or (of is not None and was is not None and _same(of, was, game))
        for seat, of in again.orders.items()
    )


def _same(lines: tuple[str, ...], before: tuple[str, ...], game: Any) -> bool:
    return len(lines) == len(before) and all(
        not line or line == was or _text(line, game) == _text(was, game)
        for line, was in zip(lines, before, strict=True)
    )


def _text(text: str, game: Any) -> str:
    """A line as it is written today: older versions wrote some orders as they were spelled."""
    try:
        written: str = game.write(game.read(text))
    except OrderError:
        return text
    return written


def verify(replay: Replay, game: Any) -> int:
    """Plays the replay again and returns the number of steps that were verified."""
    steps = 0
    for match in replayed(replay, game):
        steps = len(match.steps)
    return steps
