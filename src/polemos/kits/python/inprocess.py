"""The same bot as a class. It runs inside Polemos: quick to try, with your permissions (--trust) and no clock."""

import random
from typing import Any

import polemos

GAME = polemos.load("__GAME__")
MAX_ORDERS = 40  # in one turn
ENOUGH = 0.1  # the chance to stop before each order


class Starter:
    """Created once per match and asked once per turn."""

    def __init__(self, setting: Any, seat: str, seed: int) -> None:
        self.setting, self.seat, self.dice = setting, seat, random.Random(seed)

    def orders(self, view: Any, time_left: float) -> list[Any]:
        """The orders for this turn, chosen one by one from those that are legal after the ones before."""
        draft: list[Any] = []
        while len(draft) < MAX_ORDERS:
            options = [option for option in GAME.options(self.setting, view, draft) if not option.idle]
            options = [option for option in options if option.order["order"] != "resign"]
            if not options or self.dice.random() < ENOUGH:
                break
            option = self.dice.choice(options)
            order = dict(option.order)
            if option.least is not None:  # we can choose the order's number
                order["number"] = self.dice.randint(option.least, option.most)
            draft.append(GAME.read(order))
        return draft
