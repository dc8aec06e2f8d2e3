"""Text that people write and others see: names, titles, chat. Which names are allowed is said in `names`."""

from __future__ import annotations

import unicodedata
from typing import Final

MAX_MARKS: Final = 2  # accents on one letter; more would overlap the lines above and below

# Letters and signs that are invisible: a name made of them would be empty.
_BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\ufffc\U0001d159")
# Marks that are never seen by themselves: they choose between forms of the sign before them, or join it to the next.
_UNSEEN: Final = frozenset(
    map(chr, (0x34F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), 0x16FE4, *range(0xE0100, 0xE01F0)))
)


def tidy(text: str, limit: int) -> str:
    """Text without characters that are invisible or displayed in the wrong place.

    >>> tidy("  a\\tb\\u202ec\\u3164 ", 40)
    'a b c'
    """
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", "".join(sign for sign in text[: 4 * limit] if sign not in _UNSEEN)):
        marks = marks + 1 if unicodedata.combining(sign) else 0
        if marks <= MAX_MARKS:
            kept.append(sign if sign.isprintable() and sign not in _BLANK else " ")
    return " ".join("".join(kept).split())[:limit].strip()


def folded(name: str) -> str:
    """A name normalised for comparison, so that names that look the same are equal.

    >>> folded("Ａda  Lovelace") == folded("ada lovelace")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())[:80]


def scripts(name: str) -> set[str]:
    """The scripts that a name is written in: letters from two scripts can look alike.

    >>> sorted(scripts("ada")), sorted(scripts("\\u0430da"))
    (['LATIN'], ['CYRILLIC', 'LATIN'])
    """
    plain = unicodedata.normalize("NFKC", name)
    return {unicodedata.name(sign, "?").partition(" ")[0] for sign in plain if sign.isalpha()} - {"MODIFIER"}
