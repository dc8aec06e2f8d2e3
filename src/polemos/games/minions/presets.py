"""Ways to play that need no further choice, and the maps as people choose them."""

from __future__ import annotations

from functools import cache
from typing import Final

from polemos.games.minions.maps import BASIC
from polemos.kernel.capabilities.presets import MapCard, Preset

PRESETS: Final = (
    Preset("quick", "Quick", "One board, first to 1 point. About 20 minutes.", {"boards": 1}, 2, 120, first=True),
    Preset("standard", "Standard", "Two boards with one pool of money. About an hour.", {"boards": 2}, 2, 180),
    Preset("long", "Long", "Four boards, for an evening of two.", {"boards": 4}, 2, 300),
    Preset(
        "teams",
        "Teams",
        "Three boards: a captain for each, and a general. Invite your side.",
        {"boards": 3},
        2,
        180,
        team=True,
    ),
)


@cache
def map_cards() -> tuple[MapCard, ...]:
    """The maps of the book; several boards get one each, in this order, unless one is chosen."""
    made = [MapCard(_word(name), name, "on every board", {"maps": name}) for name in BASIC]
    book = MapCard("book", "As in the book", "a different one on each board", {"maps": ""})
    return (book, *made, MapCard("random", "Random", "new ones for every game", {"maps": "random"}))


def _word(name: str) -> str:
    return "-".join(name.lower().split())
