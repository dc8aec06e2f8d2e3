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
DROPPED: Final = 13
CONQUERED: Final = 14

# What a die is thrown for (2.3). Its event is ROLLED and this.
AT_BORDER: Final = 0
IN_HEX: Final = 1
FOR_RETREAT: Final = 2
FOR_GAME: Final = 3
ROLLED: Final = 15
ROLLED_BORDER: Final = 15
ROLLED_HEX: Final = 16
ROLLED_RETREAT: Final = 17
ROLLED_COIN: Final = 18

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
    ("dropped out", "10.6"),
    ("conquered", "6.7"),
    ("die at a border", "4.2"),
    ("die in a hex", "6.2"),
    ("die for a retreat", "8.4"),
    ("die for the game", "10.5"),
)
