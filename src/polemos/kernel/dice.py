"""Chance. A die is a pure hash of the match's key and the purpose it is rolled for.

So dice do not depend on the order of evaluation, correcting one order leaves all other dice unchanged, and every
machine rolls the same. The key is never part of a state, so nobody can predict dice from a state.

All unsigned arithmetic of Polemos lives in this module (elsewhere it would change its meaning when compiled).
"""

from __future__ import annotations

import hashlib
import secrets
from decimal import Decimal, InvalidOperation

from polemos.kernel.errors import NotationError
from polemos.kernel.orders import shown
from polemos.kernel.record import Array, Record, i32, i64, size, u64
from polemos.kernel.rule import rule

SIDES = 1 << 32  # a die is a whole number from 0 to SIDES - 1, read as a fraction of SIDES
MAX_FIXED = 256


class FixedRoll(Record):
    """A die whose value has been set from outside."""

    what: i32
    where: i32
    who: i32
    again: i32
    value: i64


class Chance(Record):
    """The key of a match, and rolls fixed for tests and conformance."""

    key: u64
    salt: u64
    fixed: i32
    rolls: Array[FixedRoll] = size(MAX_FIXED)

    def fix(self, what: int, where: int, who: int, value: int, again: int = 0) -> None:
        """Sets the value of one die; if it is set twice, the first value counts."""
        if self.fixed == MAX_FIXED:
            raise NotationError(f"At most {MAX_FIXED} dice can be fixed.")
        given = self.rolls[self.fixed]
        given.what, given.where, given.who, given.again, given.value = what, where, who, again, value
        self.fixed += 1


@rule
def mix(x: u64) -> u64:
    """A bijection of 64 bits in which every bit of the result depends on every bit of the argument."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return x ^ (x >> 31)


@rule
def turn_key(chance: Chance, turn: int) -> u64:
    """The key shared by all dice of a turn, computed once per turn."""
    return mix(mix(chance.key ^ turn) ^ chance.salt)


@rule
def roll(chance: Chance, key: u64, what: int, where: int, who: int, again: int) -> int:
    """The die rolled for (turn, what, where, who), the `again`-th reroll: 0 <= die < 2^32.

    `key` is the turn's. `where` is below 2^24, `who` and `what` below 2^8, `again` below 2^16.
    """
    for i in range(chance.fixed):
        f = chance.rolls[i]
        if f.what == what and f.where == where and f.who == who and f.again == again:
            return f.value
    return (mix(key ^ ((what << 48) ^ (where << 24) ^ (who << 16) ^ again)) >> 32) & 0xFFFFFFFF


@rule
def scatter(key: u64, count: int) -> int:
    """The `count`-th 62 random bits of a stream: for made-up orders, never for adjudication."""
    return (mix(key ^ count) >> 2) & 0x3FFFFFFFFFFFFFFF


# ---- keys and streams, in Python


def new_key() -> str:
    """A fresh secret key: 32 hexadecimal digits."""
    return secrets.token_hex(16)


def derive(seed: object, *purpose: object) -> str:
    """The key of one stream of a seed. The map, the dice and every bot each have their own stream.

    >>> derive(7, "chance") == derive(7, "chance"), derive(7, "chance") == derive(7, "map")
    (True, False)
    """
    text = "\x1f".join(str(part) for part in (seed, *purpose))
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16, person=b"polemos-stream").hexdigest()


def number(seed: object, *purpose: object) -> int:
    """A stream's key as a whole number below 2^63."""
    return int(derive(seed, *purpose)[:16], 16) >> 1


def fingerprint(key: str) -> str:
    """A digest of the key that can be published before the end: it commits the umpire and reveals nothing."""
    return hashlib.blake2b(bytes.fromhex(key), digest_size=16, person=b"polemos-finger").hexdigest()


def chance_of(key: str) -> Chance:
    """The chance record of a key of 32 hexadecimal digits."""
    return Chance(key=int(key[:16], 16), salt=int(key[16:32], 16))


def die_text(die: int) -> str:
    """A die as a decimal that `die_of` reads back.

    >>> die_text(1 << 30), die_of("0.25", "2.3") == 1 << 30
    ('0.25', True)
    """
    return f"{die / SIDES:.10f}".rstrip("0").rstrip(".") or "0"


def die_of(value: object, rule: str) -> int:
    """The die for a decimal fraction 0 <= u < 1; raises a NotationError that cites the game's paragraph."""
    text = shown(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    try:
        die = Decimal(text)
    except InvalidOperation:
        die = Decimal(-1)
    if not die.is_finite() or not 0 <= die < 1:
        raise NotationError(
            f"{shown(value)[:20]!r} is not a die roll. Write a decimal such as 0.25: at least 0 and less than 1.",
            rule=rule,
        )
    return min(round(die * SIDES), SIDES - 1)
