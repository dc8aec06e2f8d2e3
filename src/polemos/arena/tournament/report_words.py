"""The words and figures of a report. Text from outside is cleaned up here, so that it is readable and harmless."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any, Final, TypeGuard
from urllib.parse import quote

import msgspec

from polemos.kernel.tame import readable
from polemos.kernel.tame import tame as harmless
from polemos.pictures.svg import escape, number

MAX_NAME: Final = 56  # characters: a name, and what tells it apart
MAX_TEXT: Final = 300
_MAX_OPTION: Final = 120  # of an option that stands in a line with others
_MAX_LINES, _MAX_LINE = 400, 400  # of one that does not
_TITLE: Final = re.compile(r"\s*name:\s*(\S.*)")  # what maps begin with
_FORMULA: Final = tuple("=+-@＝＋－＠")  # a spreadsheet would evaluate these; some take wide signs for the others

__all__ = ["escape", "names", "number", "signed", "tame"]


def tame(text: str, limit: int = MAX_TEXT) -> str:
    """One line of harmless text, up to a limit."""
    return harmless(text, limit)


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

    >>> cell("=cmd()"), cell("＝cmd()"), cell("Owl")
    ("'=cmd()", "'＝cmd()", 'Owl')
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
    """The options of the game on one line; of long texts, such as maps, only what they are.

    >>> options({"turns": 9, "map": "name: Long Strait\\n.rr\\n.bb"})
    'turns 9, map Long Strait (a text of 3 lines, below)'
    """
    said = (f"{tame(str(name), 40)} {_brief(value)}" for name, value in chosen.items())
    return ", ".join(said) or "none, all defaults"


def _brief(value: object) -> str:
    if not _is_long(value):
        return tame(value if isinstance(value, str) else msgspec.json.encode(value).decode(), _MAX_OPTION)
    title = _title(value)
    return f"{title}{' ' if title else ''}(a text of {plural(len(value.splitlines()), 'line')}, below)"


def long_texts(chosen: dict[str, Any]) -> dict[str, str]:
    """Options too long for a line, by name and title: line by line as they were written, blanks and all."""
    return {
        f"{tame(str(name), 40)}{f': {title}' if (title := _title(value)) else ''}": _block(value)
        for name, value in chosen.items()
        if _is_long(value)
    }


def _is_long(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and ("\n" in value.strip() or len(value) > _MAX_OPTION)


def _title(text: str) -> str:
    found = _TITLE.match(text)
    return tame(found[1], MAX_NAME) if found else ""


def _block(text: str) -> str:
    lines = text.rstrip("\n").splitlines()
    shown = [readable(line[:_MAX_LINE]) + ("…" if len(line) > _MAX_LINE else "") for line in lines[:_MAX_LINES]]
    more = len(lines) - len(shown)
    return "\n".join([*shown, *([f"… and {plural(more, 'more line')}"] if more else [])])
