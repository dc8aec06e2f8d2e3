"""Words that earlier versions used for values of options and settings: still read everywhere, never written again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from msgspec import Meta, Struct, inspect

# Every game's own rules are called `classic`. They were called `seed`, a word that now means random numbers only.
ONCE_SEED: Final = Meta(extra={"renamed": {"seed": "classic"}})


def holds_options(kind: type[Struct]) -> Meta:
    """Marks a field that holds a whole set of options as an object."""
    return Meta(extra={"options": kind})


def renamed(kind: type[Struct], given: Mapping[str, Any]) -> dict[str, Any]:
    """Options or a setting in today's words; `kind` says by its marks which words have changed.

    >>> from typing import Annotated, Literal
    >>> import msgspec
    >>> Rules = msgspec.defstruct("Rules", [("rules", Annotated[Literal["classic", "new"], ONCE_SEED])])
    >>> renamed(Rules, {"rules": "seed", "seed": "seed"})
    {'rules': 'classic', 'seed': 'seed'}
    """
    return {name: _today(_marks(kind).get(name, {}), value) for name, value in given.items()}


def word_today(mark: Meta, word: str) -> str:
    """The same for a single word, such as one of a position's text.

    >>> word_today(ONCE_SEED, "seed"), word_today(ONCE_SEED, "finals-2025")
    ('classic', 'finals-2025')
    """
    found: str = _today(mark.extra or {}, word)
    return found


def _today(marks: Mapping[str, Any], value: Any) -> Any:
    if isinstance(value, str):
        return marks.get("renamed", {}).get(value, value)
    if isinstance(value, Mapping) and "options" in marks:
        return renamed(marks["options"], value)
    return value


@cache
def _marks(kind: type[Struct]) -> dict[str, dict[str, Any]]:
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    return {
        field.encode_name: field.type.extra or {} for field in found.fields if isinstance(field.type, inspect.Metadata)
    }
