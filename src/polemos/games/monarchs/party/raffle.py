"""The winning courtiers (12.23): the best score, and a raffle with visible tickets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from polemos.games.monarchs.party.draws import draw, one_of

WINNERS: Final = 3


class Winner(Struct, frozen=True, omit_defaults=True):
    """One winning courtier. In a draw: the ticket, out of how many, and who held which tickets."""

    role: str
    how: Literal["best score", "raffle", "even draw"]
    ticket: int = 0
    of: int = 0
    held: tuple[tuple[str, int], ...] = ()  # in the order in which tickets are numbered


def tickets(score: int, is_february: bool) -> int:
    """12.23 Score squared, or one for each point in February 2022; none below zero.

    >>> tickets(34, is_february=False), tickets(34, is_february=True), tickets(-8, is_february=False)
    (1156, 34, 0)
    """
    if score <= 0:
        return 0
    return score if is_february else score * score


def best(scores: Mapping[str, int], key: str) -> str:
    """12.23 The best score wins outright; the highest keyed die decides among equals."""
    top = max(scores.values())
    return max((role for role in scores if scores[role] == top), key=lambda role: draw(key, "best", role))


def held_by(ticket: int, held: Mapping[str, int]) -> str:
    """Who holds the ticket with this number, counted from 1 in the order given.

    >>> held_by(1, {"a": 2, "b": 0, "c": 1}), held_by(3, {"a": 2, "b": 0, "c": 1})
    ('a', 'c')
    """
    for role, count in held.items():
        if ticket <= count:
            return role
        ticket -= count
    raise ValueError("There is no such ticket.")


def drawn(held: Mapping[str, int], key: str, number: int) -> Winner:
    """12.23 One draw. If nobody holds a ticket, everybody who is left gets one."""
    is_even = not any(held.values())
    counts = dict.fromkeys(held, 1) if is_even else dict(held)
    of = sum(counts.values())
    ticket = one_of(key, of, "raffle", number)
    how: Literal["raffle", "even draw"] = "even draw" if is_even else "raffle"
    return Winner(held_by(ticket, counts), how, ticket, of, tuple(counts.items()))


def winners(scores: Mapping[str, int], key: str, is_february: bool) -> tuple[Winner, ...]:
    """12.23 The three winning courtiers, in the order in which they are found."""
    left = {role: tickets(score, is_february) for role, score in scores.items()}
    found = [] if is_february else [Winner(best(scores, key), "best score")]
    for winner in found:
        del left[winner.role]
    while len(found) < WINNERS:
        found.append(drawn(left, key, len(found)))
        del left[found[-1].role]
    return tuple(found)
