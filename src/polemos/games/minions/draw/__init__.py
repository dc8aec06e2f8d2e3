"""The pictures of Minions: all boards and the techline for the screen, a printed page, text for a terminal.

All are pure functions of the setting and one view. Everything is open but the turn in progress, which is in the view
of its own side only (2.7), so nothing is held back here.
"""

from polemos.games.minions.draw.picture import board, page, small
from polemos.games.minions.draw.plain import text
from polemos.games.minions.draw.words import describe

__all__ = ["board", "describe", "page", "small", "text"]
