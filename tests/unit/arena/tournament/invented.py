"""Invented results: a tournament without a single game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from polemos.arena.tournament.batch import void
from polemos.arena.tournament.engine import Tournament
from polemos.arena.tournament.opening import settled
from polemos.arena.tournament.plan import Entrant, Pairing, Plan, Played, System

Invent = Callable[[Pairing], Played]


def plan(count: int, *, seats: int = 2, system: System = "round-robin", rounds: int | None = None, **more: Any) -> Plan:
    entrants = tuple(Entrant(f"bot {number}", "random") for number in range(count))
    given: dict[str, Any] = {"games": seats, "seed": "s", **more}
    return settled(Plan("skerries", 1, {}, seats, entrants, system, 0, **given), rounds)


def ended(pairing: Pairing, ranks: tuple[int, ...], forfeits: Mapping[int, str] | None = None) -> Played:
    """A game with these places by seat."""
    return Played(
        number=pairing.number,
        meeting=pairing.meeting,
        round=pairing.round,
        seating=pairing.seating,
        ranks=ranks,
        points=tuple((rank == 1) / ranks.count(1) for rank in ranks),
        reason="invented",
        rule="1",
        steps=10,
        fingerprint=pairing.seed,
        void_lines=(0,) * len(ranks),
        forfeits=dict(forfeits or {}),
    )


def by_number(pairing: Pairing) -> Played:
    """The entrant with the lower number wins."""
    order = sorted(pairing.seating)
    return ended(pairing, tuple(order.index(entrant) + 1 for entrant in pairing.seating))


def drawn(pairing: Pairing) -> Played:
    return ended(pairing, (1,) * len(pairing.seating))


def at_random(salt: int, *, bad: frozenset[int] = frozenset()) -> Invent:
    """Wins, draws, forfeits and void games by chance, for each game the same; `bad` ones mostly drop out."""

    def invent(pairing: Pairing) -> Played:
        rng = Random(f"{salt} {pairing.number} {pairing.seating}")
        if rng.random() < 0.03:
            return void(pairing, "invented")
        seats = len(pairing.seating)
        forfeits = {
            seat: "crash"
            for seat, entrant in enumerate(pairing.seating)
            if rng.random() < (0.9 if entrant in bad else 0.05)
        }
        ranks = tuple(rng.randint(1, seats) for _ in range(seats))
        best = min(ranks)
        return ended(pairing, tuple(rank - best + 1 for rank in ranks), forfeits)

    return invent


def through(of: Plan, invent: Invent) -> Tournament:
    """A whole tournament."""
    tournament = Tournament(of)
    while not tournament.is_over:
        for pairing in list(tournament.due()):
            tournament.take(invent(pairing))
    return tournament


def known(tournament: Tournament) -> tuple[Any, ...]:
    """All that people see of it."""
    return tournament.rows(), tournament.notices, tournament.counted, tournament.settled, tournament.is_over
