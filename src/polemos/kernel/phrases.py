"""Sentences with places for the fields of an event. The client fills them in by the same rules (`lib/phrases.ts`)."""

from __future__ import annotations

import re
from typing import Any, Final

PLACE: Final = re.compile(r"\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}")


def filled(phrase: str, of: object) -> str:
    """The sentence: `{Seat}` begins with a capital, a place is written with commas, `{number|one|many}` chooses.

    >>> from types import SimpleNamespace
    >>> moved = SimpleNamespace(seat="green", number=1, at=(4, 5))
    >>> filled("{Seat} moves {number} {number|unit|units} from {at}, says {seat}.", moved)
    'Green moves 1 unit from 4,5, says green.'
    """
    return PLACE.sub(lambda found: _shown(of, *found.groups()), phrase)


def _shown(of: object, field: str, one: str | None, many: str | None) -> str:
    value = getattr(of, field.lower())
    if one is not None and many is not None:
        return one if value == 1 else many
    text = written(value)
    return text[:1].upper() + text[1:] if field[0].isupper() else text


def written(value: Any) -> str:
    """A value as phrases write it; nothing is "nobody"."""
    if value is None:
        return "nobody"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
