"""The bot `random`: legal orders without a thought."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.minions.bots.draft import Draft, may_order
from polemos.games.minions.notation import Order
from polemos.games.minions.rules import choices
from polemos.games.minions.state import CHOOSE, KEEP_DEAREST, MARCH, Choice
from polemos.games.minions.view import Setting, View
from polemos.kernel.record import many

MAX_ORDERS = 30  # on a board
MAX_CHOICES = 8192


class RandomBot:
    """Places its spell anywhere, and gives each board some of its legal orders."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        self._setting = setting
        self._chance = Random(seed)
        self._found = many(Choice, MAX_CHOICES)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if not may_order(view):
            return ()
        draft = Draft(self._setting, view)
        cards = [MARCH, *range(draft.state.cards)]
        self._chance.shuffle(cards)
        any(draft.spell(card) for card in cards)
        for at in range(draft.state.boards):
            self._play(draft, at)
        return draft.orders

    def _play(self, draft: Draft, at: int) -> None:
        """First by kind, then by number: there are many more moves than attacks."""
        for _ in range(self._chance.randint(1, MAX_ORDERS)):
            count = choices.list_choices(draft.state, at, self._found, draft.work)
            if not count:
                return
            rows = self._found.numbers()[:count].tolist()
            kind = self._chance.choice(sorted({row[0] for row in rows}))
            found = [row for row in rows if row[0] == kind]
            if kind == CHOOSE:  # the necromancer is left to chance, the unit to keep is not
                found = list(dict.fromkeys((kind, KEEP_DEAREST, target, type, 0) for _, _, target, type, _ in found))
            kind, start, target, type, swap = self._chance.choice(found)
            draft.give(kind, at, start, target, type, swap)
