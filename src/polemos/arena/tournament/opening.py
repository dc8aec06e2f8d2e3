"""Opening a tournament in its folder: a new one, or the one recorded in the journal there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from polemos.arena.tournament import entrants
from polemos.arena.tournament.engine import Tournament
from polemos.arena.tournament.journal import NAME, Journal, JournalError
from polemos.arena.tournament.plan import Plan
from polemos.arena.tournament.systems import full_rounds, max_meetings
from polemos.kernel.errors import BadOptions

MAX_GAMES = 1_000_000


def settled(plan: Plan, rounds: int | None) -> Plan:
    """The plan with its number of rounds; raises BadOptions if it cannot be played."""
    count, seats, system = len(plan.entrants), plan.seats, plan.system
    if count < max(2, seats):
        raise BadOptions(f"{seats} seats need at least {max(2, seats)} bots, but you named {count}.")
    if system == "knock-out" and seats != 2:
        raise BadOptions(f"A knock-out needs two seats, but this match has {seats}. Choose round-robin or swiss.")
    if system == "knock-out" and plan.games % 2:
        raise BadOptions(f"A knock-out needs an even number of games per meeting, not {plan.games}.")
    _bounded(max_meetings(system, count, seats, rounds or count**seats) * plan.games)
    full = full_rounds(system, count, seats)
    too_many = rounds is not None and rounds > full and system != "swiss"
    if too_many or (rounds is not None and rounds < full and system == "knock-out"):
        raise BadOptions(
            f"You asked for {rounds} rounds, but a {system} of {count} bots with {seats} seats has {full}."
            " To play more, raise the number of games per meeting."
        )
    return replace(plan, rounds=rounds or full)


def _bounded(games: int) -> None:
    if games > MAX_GAMES:
        raise BadOptions(
            f"That could be up to {games:,} games, and the maximum is {MAX_GAMES:,}. Reduce the rounds or the games."
        )


def begun(folder: Path, plan: Plan, *, any_seed: bool) -> Journal:
    """The journal of this plan, new or unfinished. A folder with a different plan is refused."""
    journal = Journal(folder)
    try:
        if journal.plan is None:
            journal.begin(plan)
        else:
            _same(journal.plan, replace(plan, seed=journal.plan.seed) if any_seed else plan, folder)
    except BaseException:
        journal.close()
        raise
    return journal


def resumed(folder: Path) -> Journal:
    """The journal of an unfinished tournament."""
    if not (folder / NAME).is_file():
        raise JournalError(f"There is no tournament in {folder}: it has no {NAME}.")
    journal = Journal(folder)
    if journal.plan is None:
        journal.close()
        raise JournalError(f"The tournament in {folder} was stopped before its plan was written. Start it again.")
    return journal


def _same(there: Plan, given: Plan, folder: Path) -> None:
    if [(e.spec, e.digest) for e in there.entrants] == [(e.spec, e.digest) for e in given.entrants]:
        given = replace(given, entrants=there.entrants)  # names are for people, and a bot may announce another one
    one, other = msgspec.to_builtins(there), msgspec.to_builtins(given)
    changed = [name for name in one if one[name] != other[name]]
    if changed:
        raise JournalError(
            f"{folder} holds a tournament with a different plan ({', '.join(changed)}). Resume that one with"
            f" --resume {folder}, or choose another folder."
        )


def checked(game: Any, plan: Plan, folder: Path) -> None:
    """Raises an error if a tournament cannot be resumed: if the edition of the rules or a bot's files have changed."""
    if game.edition != plan.edition:
        raise JournalError(
            f"The tournament in {folder} uses edition {plan.edition} of {game.title}, but this is edition"
            f" {game.edition}. Resume it with the version that started it."
        )
    entrants.unchanged(game, plan.entrants, trust=plan.trust, out=folder)


def caught_up(journal: Journal) -> Tournament:
    """The tournament as recorded in its journal."""
    assert journal.plan is not None
    tournament = Tournament(journal.plan)
    for number in sorted(journal.games):
        tournament.take(journal.games[number])
    return tournament
