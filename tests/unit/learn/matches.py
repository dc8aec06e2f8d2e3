"""Short matches that the suites of other libraries play."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

MATCHES: list[tuple[str, dict[str, Any]]] = [
    ("demons", {"map": "hourglass", "turns": 12}),
    ("demons", {"map": "pinwheel", "rules": "finals-2025", "turns": 8}),
    ("minions", {"boards": 2, "turns": 4}),
    ("monad", {"seats": 3, "turns": 4, "units": 5}),
    ("monarchs", {"mode": "online", "turns": 3}),
]
SIMULTANEOUS = [match for match in MATCHES if match[0] != "minions"]
