"""The pictures of Monarchs: printed page, board for the screen, map for a terminal, and paper for a party.

All are pure functions of the setting and one view. What the view does not hold cannot be drawn, and of what it holds
a nation's page shows only its own until the end (9).
"""

from polemos.games.monarchs.draw.cards import card_pages
from polemos.games.monarchs.draw.forms import blank_board, order_form
from polemos.games.monarchs.draw.papers import papers
from polemos.games.monarchs.draw.picture import Order, board, page, small
from polemos.games.monarchs.draw.plain import text
from polemos.games.monarchs.draw.primer import rules_page
from polemos.games.monarchs.draw.words import describe

__all__ = [
    "Order",
    "blank_board",
    "board",
    "card_pages",
    "describe",
    "order_form",
    "page",
    "papers",
    "rules_page",
    "small",
    "text",
]
