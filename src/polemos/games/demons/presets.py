"""Ways to play that need no further choice, and the maps as people choose them."""

from __future__ import annotations

from functools import cache
from typing import Final

from polemos.games.demons.ground import load, shipped
from polemos.kernel.capabilities.presets import MapCard, Preset

PRESETS: Final = (
    Preset(
        "quick",
        "Quick",
        "One lane on a small map, 150 turns. About 10 minutes.",
        {"map": "skirmish", "turns": 150},
        2,
        15,
        first=True,  # the map of the introduction: one lane, where what it advises is enough against the first level
    ),
    Preset(
        "standard",
        "Standard",
        "Three lanes, at most 1000 turns. About half an hour.",
        {"map": "twin-gates"},
        2,
        15,
    ),
    Preset(
        "long", "Long", "Four lanes on a large map, with time to think. An hour or more.", {"map": "pinwheel"}, 2, 60
    ),
    Preset(
        "finals",
        "Finals of 2025",
        "The rules of the 2025 finals, with churches and 300 turns.",
        {"rules": "finals-2025", "map": "three-bridges"},
        2,
        15,
    ),
)
FIRST: Final = ("twin-gates", "skirmish", "hourglass", "three-bridges", "pinwheel")


@cache
def map_cards() -> tuple[MapCard, ...]:
    """The best for newcomers first."""
    words = sorted(shipped(), key=lambda word: (FIRST.index(word) if word in FIRST else len(FIRST), word))
    made = [_card(word) for word in words]
    return (*made, MapCard("random", "Random", "A fair new map for every game", {"map": "random"}, 2))


def _card(word: str) -> MapCard:
    ground = load(word)
    lanes = len(ground.lanes)
    return MapCard(word, ground.name, f"{lanes} {'lane' if lanes == 1 else 'lanes'}", {"map": word}, 2)
