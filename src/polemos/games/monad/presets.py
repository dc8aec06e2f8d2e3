"""Ways to play that need no further choice, and the maps as people choose them."""

from __future__ import annotations

from functools import cache
from typing import Final

from polemos.games.monad.ground import load, shipped
from polemos.kernel.capabilities.presets import MapCard, Preset

PRESETS: Final = (
    Preset(
        "quick",
        "Quick",
        "Two players on 8 by 8 tiles, 120 turns. About 15 minutes.",
        {"map": "duel", "turns": 120},
        2,
        30,
        first=True,
    ),
    Preset(
        "standard",
        "Standard",
        "Two players on 20 by 20 tiles, 500 turns.",
        {"map": "quarry", "turns": 500},
        2,
        45,
    ),
    Preset("long", "Long", "Two players on a whole continent, up to 2000 turns.", {"map": "continent"}, 2, 60),
    Preset(
        "four",
        "Four players",
        "Everyone against everyone on 20 by 20 tiles, 500 turns.",
        {"map": "crown", "turns": 500},
        4,
        45,
    ),
)
FIRST: Final = ("quarry", "duel", "crossing", "narrows", "triad", "crown")


@cache
def map_cards() -> tuple[MapCard, ...]:
    """The best for newcomers first."""
    words = sorted(shipped(), key=lambda word: (FIRST.index(word) if word in FIRST else len(FIRST), word))
    made = [_card(word) for word in words]
    return (*made, MapCard("random", "Random", "A fair new map for every game", {"map": "random"}))


def _card(word: str) -> MapCard:
    ground = load(word)
    about = f"{ground.width} by {ground.height}, {ground.seats} players"
    return MapCard(word, ground.name, about, {"map": word}, ground.seats)
