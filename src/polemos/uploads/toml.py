"""TOML from strangers. Python's reader takes the square of the depth of a key, in time and in memory."""

from __future__ import annotations

import tomllib
from typing import Any, Final

MAX_BYTES: Final = 1 << 16
MAX_DOTS: Final = 100  # in one line: they may all be those of a key, and each leads one table deeper


class BadToml(ValueError):
    """Says what is wrong as the rest of a sentence about the file."""


def parsed(text: str) -> dict[str, Any]:
    """What a file says; raises BadToml.

    >>> parsed("a.b = 1")
    {'a': {'b': 1}}
    """
    if len(text) > MAX_BYTES:
        raise BadToml(f"has more than {MAX_BYTES >> 10} KB")
    # Only at the end of a line: other signs that end one elsewhere can stand inside a key.
    if any(line.count(".") > MAX_DOTS and not line.lstrip().startswith("#") for line in text.split("\n")):
        raise BadToml(f"has more than {MAX_DOTS} dots in one line")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadToml(f"is not TOML: {error}") from None
    except RecursionError:
        raise BadToml("is not TOML: it is nested too deeply") from None
    except ValueError:
        raise BadToml("has a number with thousands of digits") from None
