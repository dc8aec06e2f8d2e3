"""Knock-out: the bracket, with the strongest apart for as long as can be."""

from __future__ import annotations

Slot = int | None  # an entrant, or nobody


def bracket(count: int) -> list[Slot]:
    """The first round: neighbours meet, and whoever has nobody beside them goes on. Entrants are seeded by number.

    >>> bracket(6)
    [0, None, 3, 4, 1, None, 2, 5]
    """
    order = [0]
    while len(order) < count:
        size = 2 * len(order)
        order = [slot for seed in order for slot in (seed, size - 1 - seed)]
    return [seed if seed < count else None for seed in order]


def rounds(count: int) -> int:
    """How many rounds it takes until one is left."""
    return (count - 1).bit_length()
