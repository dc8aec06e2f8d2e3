"""Text from outside, made harmless: one line that shows what it says, and nothing that hides or moves other text."""

from __future__ import annotations

import unicodedata
from typing import Final

MAX_MARKS: Final = 2  # accents on one letter
# Signs that count as letters or pictures and show nothing: fillers, the empty Braille cell, joiners, selectors.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800" + "".join(map(chr, range(0xFE00, 0xFE10))))


def tame(text: str, limit: int) -> str:
    """One line of printable text, up to a limit: no control characters, no changes of direction, no piles of accents.

    >>> tame("Fal\\x1bcon\\u202e\\n two", 40), tame("abcdef", 4)
    ('Fal con two', 'abc…')
    """
    text = text[: 4 * limit]
    if not (text.isascii() and text.isprintable()):
        text = " ".join("".join(map(_spaced, _low(unicodedata.normalize("NFC", text)))).split())
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def readable(line: str) -> str:
    """A line with its blanks, as a drawing in text needs them; what is not a sign becomes a blank."""
    return "".join(map(_spaced, line.expandtabs(4)))


def _spaced(sign: str) -> str:
    return " " if unicodedata.category(sign)[0] in "CZ" or sign in _BLANK else sign


def _low(text: str) -> str:
    """The text with at most a few accents on each letter."""
    kept: list[str] = []
    marks = 0
    for sign in text:
        marks = marks + 1 if unicodedata.combining(sign) else 0
        if marks <= MAX_MARKS:
            kept.append(sign)
    return "".join(kept)


# Letters of other alphabets that look like ours in small or capital letters, and signs that look like one letter.
_LOOKS: Final = {
    "a": "аα",
    "b": "вβ",
    "c": "сϲ",
    "d": "ԁ",
    "e": "еε",
    "g": "ɡ",
    "h": "н",
    "j": "ј",
    "k": "кκ",
    "l": "i1|!іιıӏ",
    "m": "мμ",
    "n": "η",
    "o": "0оο",
    "p": "рρ",
    "q": "ԛ",
    "s": "ѕ",
    "t": "тτ",
    "v": "ν",
    "w": "ԝω",
    "x": "хχ",
    "y": "уυ",
}
_SEEN: Final = str.maketrans({sign: letter for letter, signs in _LOOKS.items() for sign in signs})


def likeness(name: str) -> str:
    """What a name looks like at a glance: names with the same likeness can be taken for each other.

    >>> likeness("Кееper\\u200b") == likeness("keeper"), likeness("falcon") == likeness("falcon 2")
    (True, False)
    """
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    seen = "".join(sign for sign in folded if not unicodedata.combining(sign) and not _spaced(sign).isspace())
    return seen.translate(_SEEN)
