"""Workers on which bots fail oftener than elsewhere, or which can't play what others can. A person decides: the bots
may be at fault after all.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

from msgspec import Struct

from polemos.ladder.losses import DOUBT

MIN_SEATS: Final = 40  # bots in games of a worker before anything is said about it
MIN_GAMES: Final = 10  # games that it was given, played or not
FAR: Final = 4.0  # standard deviations


class Record(Struct, frozen=True):
    """How bots fared on a worker."""

    name: str
    seats: int  # bots in its games
    failures: int  # of these, dropped out
    games: int = 0  # that it played
    broken: int = 0  # that it could not play
    breaks: int = 0  # of these, since it last played one


def suspects(workers: Sequence[Record]) -> list[str]:
    """The workers whose share of failures, or of games that they could not play, is far above that of all others
    together; and those that have not played one of their last games.

    >>> suspects([Record("a", 1000, 10), Record("b", 1000, 12), Record("c", 100, 30)])
    ['c']
    >>> suspects([Record("a", 1000, 10, games=500, broken=3), Record("b", 12, 0, games=6, broken=20)])
    ['b']
    """
    found = []
    for one in workers:
        others = [other for other in workers if other is not one]
        seats, failures = sum(other.seats for other in others), sum(other.failures for other in others)
        given, broken = sum(other.games + other.broken for other in others), sum(other.broken for other in others)
        if (
            one.breaks >= DOUBT
            or _is_far(one.failures, one.seats, failures, seats, MIN_SEATS)
            or _is_far(one.broken, one.games + one.broken, broken, given, MIN_GAMES)
        ):
            found.append(one.name)
    return found


def _is_far(mine: int, of_mine: int, theirs: int, of_theirs: int, least: int) -> bool:
    """Whether one share is so much above another that it can't be luck."""
    if of_mine < least or of_theirs < least:
        return False
    share = (theirs + mine + 1) / (of_theirs + of_mine + 2)
    spread = sqrt(share * (1 - share) * (1 / of_theirs + 1 / of_mine))
    return mine / of_mine - theirs / of_theirs > FAR * spread
