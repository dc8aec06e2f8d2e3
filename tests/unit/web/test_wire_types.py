"""The types of the client are those of the server: what is committed is what tools/wire-types writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from polemos import registry

ROOT = Path(__file__).parents[3]


TABLES = ROOT / "web" / "src" / "games"


@pytest.mark.parametrize("game", [None, *(name for name in registry.names() if (TABLES / name).is_dir())])
def test_types_of_the_client_are_up_to_date(game: str | None) -> None:
    wanted = [game] if game else []
    path = ROOT / "web" / "src" / ("wire.ts" if game is None else f"games/{game}/wire.ts")
    written = subprocess.run(
        [sys.executable, "tools/wire-types", *wanted], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    shown = " ".join(["tools/wire-types", *wanted])
    assert path.read_text(encoding="utf-8") == written, f"run: {shown} > {path.relative_to(ROOT)}"
