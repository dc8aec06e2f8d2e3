"""The words and figures of a report. Text from outside is cleaned up here, so that it is readable and harmless."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import quote

from polemos.kernel.orders import shown
from polemos.pictures.svg import clean, escape, number

MAX_NAME: Final = 48  # characters
MAX_TEXT: Final = 300
_MAX_MARKS: Final = 2  # accents on one letter
_FORMULA: Final = ("=", "+", "-", "@")  # a spreadsheet would evaluate these

__all__ = ["escape", "names", "number", "signed", "tame"]


def tame(text: str, limit: int = MAX_TEXT) -> str:
    """One line of printable text, up to a limit: no control characters, no changes of direction, no piles of accents.

    >>> tame("Fal\\x1bcon\\u202e\\n two"), tame("abcdef", 4)
    ('Fal con two', 'abc…')
    """
    text = text[: 4 * limit]
    if not (text.isascii() and text.isprintable()):
        text = _low(unicodedata.normalize("NFC", clean(text)))
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _low(text: str) -> str:
    """The text with at most a few accents on each letter."""
    kept: list[str] = []
    marks = 0
    for sign in text:
        marks = marks + 1 if unicodedata.combining(sign) else 0
        if marks <= _MAX_MARKS:
            kept.append(sign)
    return "".join(kept)


def names(given: Sequence[str]) -> list[str]:
    """Names to show, all different even if cleaning made some of them equal.

    >>> names(["Owl", "Owl\\u200b", ""])
    ['Owl (no. 1)', 'Owl (no. 2)', 'Bot 3']
    """
    tamed = [tame(name, MAX_NAME) or f"Bot {i}" for i, name in enumerate(given, 1)]
    often = Counter(name.casefold() for name in tamed)
    return [f"{name} (no. {i})" if often[name.casefold()] > 1 else name for i, name in enumerate(tamed, 1)]


def cell(text: str) -> str:
    """Text for a spreadsheet cell; anything that looks like a formula is marked as text.

    >>> cell("=cmd()"), cell("Owl")
    ("'=cmd()", 'Owl')
    """
    tamed = tame(text)
    return f"'{tamed}" if tamed.startswith(_FORMULA) else tamed


def href(file: str | None) -> str | None:
    """A link to a file below the report; None if it would lead anywhere else.

    >>> href("replays/game-00001.jsonl.gz"), href("../../secret"), href("javascript:alert(1)")
    ('replays/game-00001.jsonl.gz', None, 'javascript%3Aalert%281%29')
    """
    if not file or len(file) > MAX_TEXT or "\\" in file:
        return None
    path = PurePosixPath(file)
    if path.is_absolute() or ".." in path.parts:
        return None
    return quote(str(path), errors="replace")


# ---- figures


def signed(elo: float) -> str:
    """A whole number with its sign.

    >>> signed(34.6), signed(-0.4), signed(-120)
    ('+35', '0', '−120')
    """
    whole = round(elo)
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole else "0"


def decimals(values: Sequence[float]) -> int:
    """The number of decimals a column needs, at most two.

    >>> decimals([1.0, 2.5]), decimals([3.0]), decimals([1 / 3])
    (1, 0, 2)
    """
    return next((n for n in (0, 1) if all(abs(value - round(value, n)) < 1e-9 for value in values)), 2)


def plural(count: int, one: str, many: str = "") -> str:
    """
    >>> plural(1, "game"), plural(12000, "game"), plural(2, "bye")
    ('1 game', '12,000 games', '2 byes')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def listed(words: Sequence[str]) -> str:
    """
    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def options(chosen: dict[str, Any]) -> str:
    """The options of the game on one line."""
    said = (f"{tame(str(name), 40)} {tame(shown(value), 80)}" for name, value in chosen.items())
    return tame(", ".join(said)) or "none, all defaults"
