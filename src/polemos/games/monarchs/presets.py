"""Ways to play that need no further choice. There is one map."""

from __future__ import annotations

from typing import Final

from polemos.kernel.capabilities.presets import MapCard, Preset

PRESETS: Final = (
    Preset("quick", "Quick", "Four turns. About 10 minutes.", {"turns": 4}, 3, 120),
    Preset("standard", "Standard", "Eight turns, as in the book. About half an hour.", {}, 3, 180, first=True),
    Preset("long", "Long", "Twelve turns, with time to write letters.", {"turns": 12}, 3, 600),
    Preset(
        "open", "Without fog", "Eight turns in which everyone sees the whole map after each.", {"mode": "open"}, 3, 180
    ),
)


def map_cards() -> tuple[MapCard, ...]:
    return ()
