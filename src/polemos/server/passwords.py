"""Passwords that anybody would try first. The list is a Bloom filter: small, and wrong once in two thousand times.

`tools/common-passwords` makes it.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from polemos.server.names import looks

SHORTEST: Final = 8
LONGEST: Final = 200
BITS: Final = 1 << 18
MARKS: Final = 11  # bits for each password
ROWS: Final = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "azertyuiop",
)


def fault_in(password: str, name: str) -> str | None:
    """Why this is not a password for somebody of this name; None if it is fine."""
    if not SHORTEST <= len(password) <= LONGEST:
        return f"A password must have {SHORTEST} to {LONGEST} characters."
    if is_common(password):
        return "This password is one of those that are tried first. Choose another: four words of your own are good."
    if looks(name) and looks(name) in looks(password) and len(looks(password)) < len(looks(name)) + SHORTEST:
        return "This password is little more than your name. Choose another: four words of your own are good."
    return None


def is_common(password: str) -> bool:
    """Whether many people have it, or it is a mere pattern. Digits and signs at the end do not make it better.

    >>> [is_common(text) for text in ("password", "Passw0rd", "iloveyou99!", "aaaaaaaaaa", "abcabcabc", "98765432")]
    [True, True, True, True, True, True]
    >>> is_common("correct horse battery staple")
    False
    """
    plain = _plain(password)
    bare = plain.rstrip("0123456789!?.,;:*#$%&@+-_= ")
    return any(_is_listed(text) for text in (plain, bare)) or _is_pattern(plain)


def _plain(password: str) -> str:
    return unicodedata.normalize("NFKC", password).casefold()


def _is_pattern(plain: str) -> bool:
    """Whether it repeats a few characters, or follows the alphabet, the digits or a row of keys."""
    if (plain + plain).find(plain, 1) < len(plain) or len(set(plain)) <= 2:
        return True
    return any(plain in row + row or plain in (row + row)[::-1] for row in ROWS)


def _is_listed(plain: str) -> bool:
    bits = _filter()
    return len(plain) >= SHORTEST and all(bits[at >> 3] >> (at & 7) & 1 for at in _places(plain))


def bloom(passwords: Iterable[str]) -> bytes:
    """The filter for these passwords; those that are too short are refused anyway."""
    bits = bytearray(BITS >> 3)
    for plain in map(_plain, passwords):
        for at in _places(plain) if len(plain) >= SHORTEST else ():
            bits[at >> 3] |= 1 << (at & 7)
    return bytes(bits)


def _places(plain: str) -> Iterator[int]:
    digest = hashlib.blake2b(plain.encode(errors="replace"), digest_size=4 * MARKS).digest()
    return (int.from_bytes(digest[at : at + 4], "little") % BITS for at in range(0, 4 * MARKS, 4))


@cache
def _filter() -> bytes:
    return (files("polemos.server") / "common-passwords.bloom").read_bytes()
