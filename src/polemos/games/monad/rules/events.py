"""What can happen in a turn: the kinds of events and the paragraph each belongs to."""

from __future__ import annotations

from typing import Final

CUT: Final = 0
COLLIDED: Final = 1
MOVED: Final = 2
FOUNDED: Final = 3
CLASHED: Final = 4
MINED: Final = 5
LOST: Final = 6
REPELLED: Final = 7
DESTROYED: Final = 8
PRODUCED: Final = 9
CAPPED: Final = 10
OUT: Final = 11
FORFEITED: Final = 12
ALONE: Final = 13
ENDED: Final = 14

# kind: word, paragraph
KINDS: Final = (
    ("cut", "2.5"),
    ("collided", "4.2"),
    ("moved", "4.5"),
    ("founded", "5.7"),
    ("clashed", "5.6"),
    ("mined", "7.1"),
    ("lost", "8.1"),
    ("assault failed", "8.4"),
    ("destroyed", "8.3"),
    ("produced", "6.4"),
    ("over the limit", "3.3"),
    ("out", "9.6"),
    ("forfeited", "9.7"),
    ("alone", "9.2"),
    ("ended", "9.4"),
)
