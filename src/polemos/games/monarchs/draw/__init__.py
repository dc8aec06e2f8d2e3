"""The pictures of Monarchs: printed page, board for the screen, map for a terminal.

All are pure functions of the setting and one view. What the view does not hold cannot be drawn, and of what it holds
a nation's page shows only its own until the end (9).
"""

from polemos.games.monarchs.draw.picture import Order, board, page
from polemos.games.monarchs.draw.plain import text
from polemos.games.monarchs.draw.words import describe

__all__ = ["Order", "board", "describe", "page", "text"]
