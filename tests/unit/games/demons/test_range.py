"""8.3, 11.6 The range that is drawn is the range that is shot: pictures have it from the guide of the setting."""

from __future__ import annotations

import pytest

from polemos.games.demons.draw.facts import covers
from polemos.games.demons.game import GAME
from polemos.games.demons.rules.towers import in_range


@pytest.mark.parametrize(
    "rules", ["classic", "finals-2025; quirks all", "finals-2025; quirks none", "finals-2025; quirks Q3"]
)
def test_what_is_drawn_as_covered_can_be_shot(rules: str) -> None:
    kinds = ["crossbow", "cannon", "minigun"] + ["church"] * rules.startswith("finals")
    for kind in kinds:
        position = f"map pinwheel; no houses; rules {rules}; tower {kind} red 8,4"
        state = GAME.read_position(position)
        setting, tower = GAME.setting(state), GAME.observe(state, "umpire").towers[0]
        tiles = [(state.tile[i].x, state.tile[i].y) for i in range(state.path)]
        seen = 0
        for tile in tiles:
            there = GAME.read_position(f"{position}; merc blue {tile[0]},{tile[1]}") if _far(setting, tile) else None
            if there is not None:
                assert covers(setting, tower, tile) == bool(in_range(there, 0, 0)), (kind, tile)
                seen += covers(setting, tower, tile)
        assert seen > 3


def _far(setting: object, tile: tuple[int, int]) -> bool:
    """1.9 No unit stands beside the base it attacks, so such a tile cannot be tried."""
    lanes = getattr(setting, "lanes", ())
    return all(tile != lane[0] for lane in lanes)
