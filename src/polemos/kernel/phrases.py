"""Sentences with gaps for the fields of an event. The client fills them in the same way (`lib/phrases.ts`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

PLACE: Final = re.compile(r"\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}")


def filled(phrase: str, of: object) -> str:
    """The sentence: `{Seat}` is capitalised, places are written with commas, `{number|one|many}` picks the right form.

    >>> from types import SimpleNamespace
    >>> moved = SimpleNamespace(seat="green", number=1, at=(4, 5))
    >>> filled("{Seat} moves {number} {number|unit|units} from {at}, says {seat}.", moved)
    'Green moves 1 unit from 4,5, says green.'
    """
    text, places = _parted(phrase)
    return text % tuple([shown(getattr(of, field)) for field, shown in places])


@lru_cache(1024)
def _parted(phrase: str) -> tuple[str, list[tuple[str, Callable[[Any], str]]]]:
    """A phrase for the operator %, and the values for its gaps. A turn may use one phrase thousands of times."""
    places = [(field.lower(), _shows(field, one, many)) for field, one, many in PLACE.findall(phrase)]
    return "%s".join(part.replace("%", "%%") for part in PLACE.split(phrase)[::4]), places


def _shows(field: str, one: str, many: str) -> Callable[[Any], str]:
    if one or many:
        return lambda value: one if value == 1 else many
    return _capital if field[0].isupper() else written


def _capital(value: Any) -> str:
    text = written(value)
    return text[:1].upper() + text[1:]


def written(value: Any) -> str:
    """A value as phrases write it; None is "nobody"."""
    if value is None:
        return "nobody"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
