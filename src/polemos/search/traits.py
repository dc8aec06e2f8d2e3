"""Changed rows of traits: how scripts are grown while a match goes on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

Row = tuple[int, ...]

NEXT: Final = 0.6  # of all changes, those to the next value up or down; the others are to any value


def changed(row: Row, choices: Sequence[Sequence[int]], chance: random.Random) -> Row:
    """A row with one to three traits moved to another of the values that are worth trying."""
    found = list(row)
    for _ in range(chance.choice((1, 1, 2, 3))):
        at = chance.randrange(len(found))
        near = choices[at]
        place = min(range(len(near)), key=lambda i: abs(near[i] - found[at]))
        step = chance.choice((-1, 1)) if chance.random() < NEXT else chance.randrange(len(near)) - place
        found[at] = near[max(0, min(len(near) - 1, place + step))]
    return tuple(found)


def crossed(one: Row, other: Row, chance: random.Random) -> Row:
    """Each trait is that of one of two parents."""
    return tuple(chance.choice(pair) for pair in zip(one, other, strict=True))
