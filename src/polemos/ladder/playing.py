"""Playing leased games in a worker process, with the code that plays the games of tournaments."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from polemos import registry
from polemos.arena.tournament import batch
from polemos.arena.tournament.plan import Entrant, Pairing, Plan
from polemos.hosts import bundle
from polemos.hosts.pipe import note_turns, turns_of
from polemos.kernel.capabilities.sealed_bids import SealedBids
from polemos.kernel.errors import PolemosError
from polemos.kernel.match import Match
from polemos.kernel.orders import shown
from polemos.ladder.files import Bundles
from polemos.ladder.jobs import Broken, Claim, Job, Lot, Report
from polemos.ladder.live import Lives, Reporter

NICE: Final = 5  # nobody who looks at a page should wait for games that bots play among themselves
COURSE: Final = 32  # signs of the digest of a course
_MAX_LOG: Final = 1 << 20  # bytes


def play(lot: Lot) -> tuple[Report | Broken, ...]:
    """Plays a lot. Runs in a worker process."""
    programs = any(player.builtin is None for job in lot.jobs for player in job.players)
    batch.move_in(takes_core=programs)
    note_turns()
    return tuple(_play(lot, job) for job in lot.jobs)


def _play(lot: Lot, job: Job) -> Report | Broken:
    try:
        _install(lot, job)
        with tempfile.TemporaryDirectory(prefix="polemos-") as folder:
            return play_one(job, Path(folder), None if lot.live is None else Lives(Path(lot.live)))
    except PolemosError as error:  # something is missing on this machine
        return Broken(job.id, job.lease, f"{type(error).__name__}: {shown(error.why)}")
    except OSError as error:  # without the path: everybody can read this
        return Broken(job.id, job.lease, f"{type(error).__name__}: {error.strerror or 'failed'}")
    finally:
        bundle.forget(player.spec for player in job.players)
        if lot.live is not None:
            Lives(Path(lot.live)).forget(job.id)


def _install(lot: Lot, job: Job) -> None:
    """Makes the files of programs known to the hosts."""
    for player in job.players:
        if player.digest is not None:
            there = lot.bundles.get(player.spec)
            if there is None and lot.folder is not None:
                there = Bundles(Path(lot.folder)).get(player.digest)
            bundle.install({} if there is None else {player.spec: there})


def play_one(job: Job, out: Path, lives: Lives | None = None) -> Report | Broken:
    """Plays a game; its files go into a folder. `lives` is told how the game gets on."""
    game = registry.load(job.game)
    if game.edition != job.edition:
        why = f"this worker has edition {game.edition} of {game.title}, and the game needs edition {job.edition}"
        return Broken(job.id, job.lease, why)
    options, seating = seated(game, job)
    plan = Plan(
        game=job.game,
        edition=job.edition,
        options=options,
        seats=len(job.players),
        entrants=tuple(Entrant(player.name, player.spec, player.digest) for player in job.players),
        system="round-robin",
        rounds=1,
        games=1,
        seed=job.seed,
        budget=job.budget,
    )
    pairing = Pairing(job.id, meeting=1, round=1, seating=seating, seed=job.seed, bot_seed=job.bot_seed)
    on_step = None if lives is None else Reporter(lives, job, seating, out).on_step
    played = batch.play_one(plan, pairing, out, on_step)
    if played.void or played.replay is None:
        return Broken(job.id, job.lease, played.reason)
    path = out / Path(played.replay).name
    claim = Claim(by_entry(played.ranks, seating), fingerprint(job, seating, played.fingerprint[-COURSE:]))
    return Report(job.id, job.lease, path.read_bytes(), _logs(out, game, job, seating), claim, played.seconds)


def seated(game: Any, job: Job) -> tuple[dict[str, Any], tuple[int, ...]]:
    """The options of the match, and the entry in each seat. Bids decide both, in games that have them."""
    seating = tuple(range(len(job.players)))
    asked = game.sealed(job.options) if job.bids and isinstance(game, SealedBids) else None
    if asked is None:
        return job.options, seating
    seats = game.facts.seats[: len(job.players)]
    bids = [_bid(player.bid, asked.least, asked.most, asked.usual) for player in job.players]
    options = game.unseal(job.options, dict(zip(seats, bids, strict=True)))
    moved: Mapping[str, str] = game.moved(Match(game, options, seed=job.seed).state)
    sits = {moved.get(seat, seat): entry for entry, seat in enumerate(seats)}
    return options, tuple(sits[seat] for seat in seats)


def _bid(given: int | None, least: int, most: int, usual: int) -> int:
    return given if given is not None and least <= given <= most else usual


def by_entry(of_seats: Sequence[int], seating: Sequence[int]) -> tuple[int, ...]:
    """Values of seats, in order of the entries that sit there."""
    found = dict(zip(seating, of_seats, strict=True))
    return tuple(found[entry] for entry in range(len(seating)))


def fingerprint(job: Job, seating: Sequence[int], course: str) -> str:
    """Equal for identical games between the same versions in the same seats: the second one tells us nothing."""
    versions = [job.players[entry].version for entry in seating]
    return hashlib.blake2b(f"{versions}{course}".encode(), digest_size=16).hexdigest()


def _logs(out: Path, game: Any, job: Job, seating: Sequence[int]) -> dict[int, bytes]:
    found = {}
    for seat, entry in zip(game.facts.seats, seating, strict=False):
        path = out / f"game-{job.id:05d}-{seat}.log"
        if path.is_file() and path.stat().st_size:
            with path.open("rb") as file:
                found[entry] = by_turn(file.read(_MAX_LOG), _turns(path))[:_MAX_LOG]
    return found


def _turns(log: Path) -> list[tuple[int, int]]:
    """The turns of a log and the bytes where they begin."""
    beside = turns_of(log)
    lines = beside.read_text().splitlines() if beside.is_file() else []
    return [(int(turn), int(at)) for turn, at in (line.split() for line in lines)]


def by_turn(log: bytes, turns: Sequence[tuple[int, int]]) -> bytes:
    """A log with the number of the turn before each line, so that its page can follow the game.

    >>> by_turn(b"hello\\nplan a\\nplan b\\n", [(1, 6), (2, 13)]).decode().splitlines()
    ['0\\thello', '1\\tplan a', '2\\tplan b']
    """
    found, at, place = [], 0, -1
    for line in log.splitlines(keepends=True):
        while place + 1 < len(turns) and turns[place + 1][1] <= at:
            place += 1
        found.append(b"%d\t%s" % (turns[place][0] if place >= 0 else 0, line))
        at += len(line)
    return b"".join(found)
