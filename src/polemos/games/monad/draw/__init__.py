"""The pictures of Monad: board for the screen, printed page, board for a terminal.

All are pure functions of the setting and one view. Everybody sees everything (1.8), so nothing is held back.
"""

from polemos.games.monad.draw.picture import board, page, small
from polemos.games.monad.draw.plain import text
from polemos.games.monad.draw.words import describe

__all__ = ["board", "describe", "page", "small", "text"]
