"""Knock-out: the bracket, which keeps the strongest apart for as long as possible."""

from __future__ import annotations

Slot = int | None  # an entrant, or nobody


def bracket(count: int) -> list[Slot]:
    """The first round: neighbours meet, and an entrant without a neighbour goes through. Entrants are seeded by number.

    >>> bracket(6)
    [0, None, 3, 4, 1, None, 2, 5]
    """
    order = [0]
    while len(order) < count:
        size = 2 * len(order)
        order = [slot for seed in order for slot in (seed, size - 1 - seed)]
    return [seed if seed < count else None for seed in order]


def rounds(count: int) -> int:
    """The number of rounds until one entrant is left."""
    return (count - 1).bit_length()
