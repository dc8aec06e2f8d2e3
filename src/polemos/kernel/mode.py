"""How rules run in this process: compiled, compiled with bounds checks, or interpreted. Decided once, at import.

Modes cannot be mixed in one process, because rules call each other by name.
"""

from __future__ import annotations

import os
from typing import Final

INTERPRETED: Final = os.environ.get("POLEMOS_INTERPRET", "") not in ("", "0")
CHECKED: Final = os.environ.get("POLEMOS_CHECKED", "") not in ("", "0")


def name() -> str:
    """The mode in one word."""
    return "interpreted" if INTERPRETED else "checked" if CHECKED else "compiled"
