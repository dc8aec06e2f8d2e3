"""What can happen in a turn: the kinds of events and the paragraph each belongs to."""

from __future__ import annotations

from typing import Final

BLESSED: Final = 0
BORDER_WON: Final = 1
HELD: Final = 2
MARCHED: Final = 3
TAKEN: Final = 4
WON: Final = 5
BEATEN: Final = 6
BASE_HELD: Final = 7
SENT_HOME: Final = 8
RETREATED: Final = 9
NO_REFUGE: Final = 10
SCORED: Final = 11
ENDED: Final = 12
ROLLED_BORDER: Final = 13
ROLLED_HEX: Final = 14
ROLLED_RETREAT: Final = 15
ROLLED_COIN: Final = 16
DROPPED: Final = 17
CONQUERED: Final = 18

# kind: word, paragraph
KINDS: Final = (
    ("blessed", "3.7"),
    ("border won", "4.1"),
    ("held at the border", "4.3"),
    ("marched", "5.1"),
    ("taken", "5.2"),
    ("won", "6.1"),
    ("beaten", "6.1"),
    ("base held", "7.1"),
    ("sent home", "8.1"),
    ("retreated", "8.2"),
    ("no refuge", "8.5"),
    ("scored", "10.1"),
    ("ended", "10.5"),
    ("die at a border", "4.2"),
    ("die in a hex", "6.2"),
    ("die for a retreat", "8.4"),
    ("die for the game", "10.5"),
    ("dropped out", "10.6"),
    ("conquered", "6.7"),
)

# What a die is thrown for (2.3).
AT_BORDER: Final = 1
IN_HEX: Final = 2
FOR_RETREAT: Final = 3
FOR_GAME: Final = 4
