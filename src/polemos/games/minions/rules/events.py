"""What can happen in a turn: the kinds of events and the paragraph each belongs to."""

from __future__ import annotations

from typing import Final

MOVED: Final = 0
HIT: Final = 1
DESTROYED: Final = 2
UNSUMMONED: Final = 3
REBATE: Final = 4
BOUGHT: Final = 5
SPAWNED: Final = 6
CHOSEN: Final = 7
KEPT: Final = 8
MARCHED: Final = 9
TECHED: Final = 10
PAID: Final = 11
RESIGNED: Final = 12
INCOME: Final = 13
WON: Final = 14
LOST: Final = 15
RESET: Final = 16
ENDED: Final = 17
GAVE_UP: Final = 18
LEFT_OPEN: Final = 19

# kind: word, paragraph
KINDS: Final = (
    ("moved", "5.1"),
    ("hit", "6.9"),
    ("destroyed", "6.10"),
    ("unsummoned", "6.6"),
    ("rebate", "6.11"),
    ("bought", "9.3"),
    ("spawned", "9.4"),
    ("chosen", "10.7"),
    ("kept", "10.10"),
    ("marched", "8.4"),
    ("teched", "8.5"),
    ("paid", "8.3"),
    ("resigned", "13.1"),
    ("income", "11.2"),
    ("board won", "12.1"),
    ("board lost", "12.3"),
    ("reset", "10.5"),
    ("ended", "12.6"),
    ("gave up", "13.6"),
    ("choice left open", "10.13"),
)
