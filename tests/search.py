"""How many examples a property is tried with."""

from __future__ import annotations

import os

from hypothesis import settings

SEARCHING = bool(os.environ.get("POLEMOS_SEARCH"))
NIGHTLY = bool(os.environ.get("POLEMOS_NIGHTLY"))  # `make nightly`: what takes minutes is tried, too
TIMES = 20  # more examples when time does not matter


def examples(count: int) -> settings:
    """So many in `make test`, the same in every run; many times as many, and others each time, in `make nightly`."""
    return settings(max_examples=count * TIMES if SEARCHING else count)
