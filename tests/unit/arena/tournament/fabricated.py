"""Tournaments that were never played, for looking at reports: `python tests/unit/arena/tournament/fabricated.py FOLDER`

Strengths are known, results are drawn from them. The course of the tournament is that of the engine.
"""

from __future__ import annotations

import sys
from math import exp
from pathlib import Path
from random import Random

from msgspec import Struct

from polemos.arena.tournament import ratings, report
from polemos.arena.tournament.engine import Tournament
from polemos.arena.tournament.plan import Entrant, Pairing, Plan, Played, Rating, System

BIRDS = ["Falcon", "Heron", "Kestrel", "Plover", "Lapwing", "Wren", "Osprey", "Curlew", "Dunlin", "Merlin"]
DUEL = ("base destroyed", "7.2"), ("turn limit, more health", "7.4"), ("turn limit, equal", "7.5")
MORE = ("turn limit", "9.3"), ("last one standing", "9.1")


class Field(Struct, frozen=True):
    """A plan with what is needed to invent its games."""

    plan: Plan
    strengths: tuple[float, ...]  # natural logarithms
    draws: float = 0.1
    crashing: int | None = None  # an entrant that keeps dropping out
    sloppy: int | None = None  # an entrant with void lines


def entrants(count: int) -> tuple[Entrant, ...]:
    """Birds, some of them ours and some programs."""
    found = []
    for i in range(count):
        name = BIRDS[i] if count <= len(BIRDS) else f"{BIRDS[i % len(BIRDS)]} {i // len(BIRDS) + 1}"
        word = name.lower().replace(" ", "-")
        ours = i % 3 == 0
        found.append(Entrant(name, word if ours else f"bots/{word}/run", None if ours else f"{i:02x}" * 16))
    return tuple(found)


def field(
    game: str, seats: int, count: int, system: System, rounds: int, games: int, *, spread: float = 2.0, **more: int
) -> Field:
    plan = Plan(game, 1, {}, seats, entrants(count), system, rounds, games, f"fabricated {game} {count}")
    middle = (count - 1) / 2
    strengths = tuple(spread * (middle - i) / max(1, count - 1) for i in range(count))
    return Field(plan, strengths, 0.1, more.get("crashing"), more.get("sloppy"))


ROUND_ROBIN = field("skerries", 2, 6, "round-robin", 5, 4, crashing=4, sloppy=2)
SWISS = field("skerries", 3, 7, "swiss", 5, 3, sloppy=1)
KNOCK_OUT = field("skerries", 2, 8, "knock-out", 3, 2)
STRESS = field("skerries", 2, 100, "round-robin", 99, 2, spread=4.0, sloppy=7)
LARGE_SWISS = field("skerries", 4, 100, "swiss", 10, 40, spread=4.0, sloppy=7)


def ranked(rng: Random, strengths: list[float], draws: float) -> tuple[int, ...]:
    """Places drawn as Plackett and Luce have it; with some chance the first two share theirs."""
    left = list(range(len(strengths)))
    order = []
    while left:
        order.append(rng.choices(left, [exp(strengths[seat]) for seat in left])[0])
        left.remove(order[-1])
    ranks = [order.index(seat) + 1 for seat in range(len(strengths))]
    if rng.random() < draws:
        ranks[order[1]] = 1
    return tuple(ranks)


def game(of: Field, pairing: Pairing) -> Played:
    """An invented game; the same pairing always has the same."""
    rng = Random(f"{pairing.number} {pairing.seed}")
    forfeits = {}
    strengths = [of.strengths[entrant] for entrant in pairing.seating]
    for seat, entrant in enumerate(pairing.seating):
        if entrant == of.crashing and rng.random() < 0.7:
            forfeits[seat] = rng.choice(["crash: exit code 1: list index out of range", "time: the bank is empty"])
            strengths[seat] = -20.0
    ranks = ranked(rng, strengths, 0.0 if forfeits else of.draws)
    first = ranks.count(1)
    endings = DUEL if of.plan.seats == 2 else MORE
    reason, rule = endings[-1] if first > 1 else endings[rng.randrange(len(endings) - 1)]
    return Played(
        number=pairing.number,
        meeting=pairing.meeting,
        round=pairing.round,
        seating=pairing.seating,
        ranks=ranks,
        points=tuple((rank == 1) / first for rank in ranks),
        reason=reason,
        rule=rule,
        steps=rng.randrange(40, 900),
        fingerprint=f"{rng.getrandbits(128):032x}",
        void_lines=tuple(rng.randrange(3) if entrant == of.sloppy else 0 for entrant in pairing.seating),
        forfeits=forfeits,
        replay=f"replays/game-{pairing.number:05d}.jsonl.gz",
    )


def play(of: Field, most: int | None = None) -> Tournament:
    """The tournament after so many games, or at its end."""
    tournament = Tournament(of.plan)
    while not tournament.is_over:
        for pairing in list(tournament.due()):
            if most is not None and len(tournament.counted) >= most:
                return tournament
            tournament.take(game(of, pairing))
    return tournament


def write(folder: Path, tournament: Tournament) -> list[Rating]:
    found = ratings.rate(tournament.plan, tournament.counted)
    report.write(
        folder,
        tournament.plan,
        tournament.counted,
        tournament.rows(),
        tournament.notices,
        found,
        done=tournament.settled,
        due=tournament.expected,
        running=not tournament.is_over,
    )
    return found


if __name__ == "__main__":  # pragma: no cover
    target = Path(sys.argv[1])
    write(target / "round-robin", play(ROUND_ROBIN))
    write(target / "running", play(ROUND_ROBIN, 25))
    write(target / "swiss", play(SWISS))
    write(target / "knock-out", play(KNOCK_OUT))
    write(target / "stress", play(STRESS))
    write(target / "large-swiss", play(LARGE_SWISS))
