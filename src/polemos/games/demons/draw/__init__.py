"""The pictures of Demons: board for the screen, printed page, map for a terminal.

All are pure functions of the setting and one view. Everybody sees everything (10.1), so nothing is held back.
"""

from polemos.games.demons.draw.picture import board, page, small
from polemos.games.demons.draw.plain import text
from polemos.games.demons.draw.words import describe

__all__ = ["board", "describe", "page", "small", "text"]
