"""The tables of a report for spreadsheets and scripts. The same games always give the same bytes.

Text is always quoted, so nothing in it can start a new cell, and it never looks like a formula.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from polemos.arena.times import Used
from polemos.arena.tournament.plan import Played, Row
from polemos.arena.tournament.report_facts import Facts
from polemos.arena.tournament.report_words import cell

Value = str | int | float | None


def standings(facts: Facts, members: Sequence[str] = ()) -> str:
    """`members`: whose bot each entrant is, where that is known."""
    head = "place entrant name points played wins draws losses tie_break byes walkovers elo elo_low elo_high"
    head += " live mu sigma rated_games void_lines forfeits paused spec digest strikes cpu clock slowest"
    rows = ([*_standing(facts, row), *members[row.entrant : row.entrant + 1]] for row in facts.rows)
    return table([*head.split(), *(["member"] if members else [])], rows)


def _standing(facts: Facts, row: Row) -> list[Value]:
    entrant, rating = facts.plan.entrants[row.entrant], facts.ratings.get(row.entrant)
    values: list[Value] = [row.place, row.entrant, facts.names[row.entrant], row.points, row.played]
    values += [row.wins, row.draws, row.losses, row.tie_break, row.byes, row.walkovers]
    if rating is None:
        values += [None] * 7
    else:
        values += [rating.elo, rating.low, rating.high, rating.live, rating.mu, rating.sigma, rating.games]
    values += [row.void_lines, row.forfeits, int(row.paused), entrant.spec, entrant.digest or ""]
    return [*values, row.strikes, *_times(facts.used.get(row.entrant))]


def _times(used: Used | None) -> list[Value]:
    """Seconds of the processor, on the clock, and of the slowest answer."""
    return [None, None, None] if used is None else [used.cpu, used.wall, used.slowest]


def games(facts: Facts) -> str:
    """One line per game, with separate columns for each seat."""
    head = ["game", "round", "meeting"]
    for seat in range(1, facts.plan.seats + 1):
        head += [f"{word}_{seat}" for word in ("entrant", "name", "rank", "points", "void_lines", "dropped_out")]
        head += [f"{word}_{seat}" for word in ("strikes", "cpu", "clock", "slowest")]
    return table(
        [*head, "reason", "rule", "turns", "fingerprint", "replay"], (_game(facts, one) for one in facts.played)
    )


def _game(facts: Facts, game: Played) -> list[Value]:
    values: list[Value] = [game.number, game.round, game.meeting]
    for seat, entrant in enumerate(game.seating):
        values += [entrant, facts.names[entrant], game.ranks[seat], game.points[seat], game.void_lines[seat]]
        passed = f"passed to the end: {game.gone[seat]}" if seat in game.gone else ""
        values += [game.forfeits.get(seat, passed), game.strikes[seat] if game.strikes else None]
        values += _times(game.used[seat] if game.used else None)
    return [*values, game.reason, game.rule, game.steps, game.fingerprint, game.replay or ""]


def crosstable(facts: Facts) -> str:
    """Rows and columns in order of the standings: points with two seats, mean points with more; empty if never met."""
    order = [row.entrant for row in facts.rows]
    return table(
        ["name", *(facts.names[entrant] for entrant in order)],
        ([facts.names[one], *(_against(facts, one, other) for other in order)] for one in order),
    )


def _against(facts: Facts, one: int, other: int) -> Value:
    at = facts.cells.get((one, other))
    return None if at is None else at.points if facts.is_duel else at.mean


def table(head: Sequence[str], lines: Iterable[Sequence[Value]]) -> str:
    """A table with these columns."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow([cell(word) for word in head])
    writer.writerows([_value(value) for value in line] for line in lines)
    return file.getvalue()


def _value(value: Value) -> Value:
    if isinstance(value, float):
        return round(value, 4) + 0.0  # no negative zero
    return cell(value) if isinstance(value, str) else value
