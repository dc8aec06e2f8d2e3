"""6.6 The odds of a hex battle, exact for ideal dice."""

from __future__ import annotations

from fractions import Fraction
from functools import cache


def chance(quarters: int) -> Fraction:
    """The chance of an army that is this many quarters of a regiment stronger than its one opponent.

    >>> [str(chance(a)) for a in (0, 1, 2, 3, 4)]
    ['1/2', '23/32', '7/8', '31/32', '1']
    """
    if quarters < 0:
        return 1 - chance(-quarters)
    short = max(0, 4 - quarters)
    return 1 - Fraction(short * short, 32)


@cache
def attack(difference: int, blessed: bool, they_bless: bool) -> Fraction:
    """The attacker's chance against the owner of a hex, by the difference in regiments.

    >>> str(attack(0, blessed=True, they_bless=False))
    '23/32'
    """
    return chance(4 * difference - 1 + 2 * blessed - 2 * they_bless)
