"""What a player may order beside a draft, and the money of its lines, as the rules judge them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from polemos.games.demons.notation import Order
from polemos.games.demons.orders import entered, part_of
from polemos.games.demons.rules import choices, turn
from polemos.games.demons.state import BUILDER, COMPASS, GOOD, HIRE, KINDS, MOST_TILES, TOWERS, Choice, Sight, Work
from polemos.kernel.game import Option
from polemos.kernel.record import many

_MOST: Final = MOST_TILES * KINDS + 5  # a tower of each kind on every tile, four directions, provoking


def lawful(sight: Sight, draft: Sequence[Order] = ()) -> list[Option]:
    """3, 4, 11 Every single order that is lawful beside the draft, with its price and the gold that is left then."""
    if sight.who < 0:
        return []
    found = many(Choice, _MOST)
    record = entered(sight.state, sight.who, draft)
    count = choices.list_choices(sight, record, found, Work())
    return [_option(*choice) for choice in found.numbers()[:count].tolist()]


def _option(part: int, kind: int, x: int, y: int, price: int, left: int) -> Option:
    # Written out, not made from orders: there may be a thousand of them.
    if part == BUILDER and kind < 0:
        figures = {"back": -price, "left": left}
        return Option(order={"order": "destroy", "x": x, "y": y}, text=f"destroy {x},{y}", figures=figures)
    figures = {"price": price, "left": left}
    if part == BUILDER:
        order: dict[str, Any] = {"order": "build", "tower": TOWERS[kind], "x": x, "y": y}
        return Option(order=order, text=f"build {TOWERS[kind]} {x},{y}", figures=figures)
    if part == HIRE:
        letter = COMPASS[kind]
        return Option(order={"order": "hire", "direction": letter}, text=f"hire {letter}", figures=figures)
    return Option(order={"order": "provoke"}, text="provoke", figures=figures)


def line_figures(sight: Sight, draft: Sequence[Order]) -> list[dict[str, Any]]:
    """What each good line of a draft costs or brings back, and the gold that is left after all of them."""
    if sight.who < 0:
        return [{} for _ in draft]
    record = entered(sight.state, sight.who, draft)
    left = turn.judge(sight.state, sight.who, record)
    found = []
    for order in draft:
        part = part_of(order)
        price = record.price[part]
        money = {"price": price} if price >= 0 else {"back": -price}
        found.append({**money, "left": left} if record.fault[part] == GOOD else {})
    return found
