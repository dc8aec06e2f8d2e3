"""What lies in the bot's own folder, and what can be read of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def everything(about: dict[str, Any]) -> dict[str, str | None]:
    """Files by name, with their text; None where it cannot be read. Follows links, waits for nobody."""
    found: dict[str, str | None] = {}
    for folder, _, names in os.walk(HERE, followlinks=True):
        for name in names:
            path = Path(folder, name)
            try:
                handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
                found[str(path.relative_to(HERE))] = os.read(handle, 1000).decode(errors="replace")
                os.close(handle)
            except OSError:
                found[str(path.relative_to(HERE))] = None
    return found
