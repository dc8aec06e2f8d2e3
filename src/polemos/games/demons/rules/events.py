"""What can happen in a turn: the kinds of events and the paragraph each belongs to."""

from __future__ import annotations

from typing import Final

BUILT: Final = 0
DESTROYED: Final = 1
HIRED: Final = 2
PROVOKED: Final = 3
BANISHED: Final = 4
MOVED: Final = 5
HIT: Final = 6
HIT_BASE: Final = 7
FELL: Final = 8
ARRIVED: Final = 9
WAVE: Final = 10
SHOT: Final = 11
INCOME: Final = 12
BLESSED: Final = 13
ENDED: Final = 14
DROPPED: Final = 15
COMING: Final = 16
ROLLED: Final = 17

# kind: word, paragraph
KINDS: Final = (
    ("built", "3.3"),
    ("destroyed", "3.7"),
    ("hired", "4.1"),
    ("provoked", "11.10"),
    ("banished", "11.10"),
    ("moved", "5.6"),
    ("hit", "5.7"),
    ("hit base", "5.4"),
    ("fell", "5.8"),
    ("arrived", "7.1"),
    ("demon arrived", "7.3"),
    ("shot", "8.4"),
    ("income", "8.7"),
    ("strengthened", "11.9"),
    ("ended", "9.1"),
    ("dropped out", "9.6"),
    ("demons next turn", "7.5"),
    ("die", "2.6"),
)

# What a die is thrown for (2.6).
FOR_COIN: Final = 0
FOR_TARGET: Final = 1
