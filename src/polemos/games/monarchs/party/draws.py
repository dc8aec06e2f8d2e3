"""Chance at the party (12.24): every draw is a number that follows from the key and its purpose alone."""

from __future__ import annotations

from polemos.kernel import dice


def draw(key: str, *purpose: object) -> int:
    """12.24 The number drawn for this purpose, from 0 to 2^128 - 1."""
    return int(dice.derive(key, "party", *purpose), 16)


def one_of(key: str, count: int, *purpose: object) -> int:
    """12.24 A number from 1 to `count`. The remainder favours none by more than one part in 2^80."""
    return draw(key, *purpose) % count + 1
