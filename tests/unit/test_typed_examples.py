"""The example in the line where orders are typed is itself an order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from polemos import registry

GAMES = Path(__file__).parents[2] / "web" / "src" / "games"
EXAMPLE = re.compile(r'^ {2}typed: "(.+)",$', re.MULTILINE)
FOUND = {
    path.parent.name: EXAMPLE.findall(path.read_text(encoding="utf-8"))
    for path in sorted(GAMES.glob("*/index.ts"))
    if path.parent.name in registry.names()
}


@pytest.mark.parametrize("game", FOUND)
def test_the_example_can_be_read(game: str) -> None:
    (example,) = FOUND[game]
    loaded = registry.load(game)
    assert loaded.read(loaded.write(loaded.read(example))) == loaded.read(example)
