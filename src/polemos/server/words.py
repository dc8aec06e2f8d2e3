"""Text of people, as others will see it: names, titles, talk."""

from __future__ import annotations

import unicodedata
from typing import Final

MAX_MARKS: Final = 2  # accents on one letter; more would paint over the lines above and below

# Letters that show nothing: a name of them would be no name.
_BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")


def tidy(text: str, most: int) -> str:
    """Text without what a screen does not show, or shows where it does not belong.

    >>> tidy("  a\\tb\\u202ec\\u3164 ", 40)
    'a b c'
    """
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", text[: 4 * most]):
        marks = marks + 1 if unicodedata.combining(sign) else 0
        if marks <= MAX_MARKS:
            kept.append(sign if sign.isprintable() and sign not in _BLANK else " ")
    return " ".join("".join(kept).split())[:most].strip()


def folded(name: str) -> str:
    """Names that look the same are the same.

    >>> folded("Ａda  Lovelace") == folded("ada lovelace")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())[:80]


def scripts(name: str) -> set[str]:
    """The scripts that a name is written in: letters of two may look alike.

    >>> sorted(scripts("ada")), sorted(scripts("\\u0430da"))
    (['LATIN'], ['CYRILLIC', 'LATIN'])
    """
    return {unicodedata.name(sign, "?").partition(" ")[0] for sign in name if sign.isalpha()}
