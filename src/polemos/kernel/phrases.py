"""Sentences with places for the fields of an event. Clients fill them in the same way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

_PLACE: Final = re.compile(r"\{(\w+)\}")


def filled(phrase: str, fields: Mapping[str, Any]) -> str:
    """The sentence: names of seats and other words begin large, places have commas, what is left out is 0.

    >>> filled("{seat} moves {number} from {at}.", {"seat": "green", "number": 3, "at": (4, 5)})
    'Green moves 3 from 4,5.'
    """
    return _PLACE.sub(lambda found: _shown(fields.get(found[1], 0)), phrase)


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value.capitalize()
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
