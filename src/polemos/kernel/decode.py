"""Reading JSON from outside: anything wrong with it raises the same kind of error."""

from __future__ import annotations

from typing import Any

import msgspec


class Unreadable(ValueError):
    """These bytes are not JSON, or not of the expected type."""


def decode(raw: bytes, kind: Any) -> Any:
    """The value, checked against its type.

    >>> decode(b'{"a": 1}', dict[str, int])
    {'a': 1}
    """
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.DecodeError as error:
        raise Unreadable(str(error)) from None
    except UnicodeDecodeError:
        raise Unreadable("The text is not UTF-8") from None
    except RecursionError:
        raise Unreadable("The value is nested too deeply") from None
