"""What a seat can still order, asked of the function that judges orders; and what helps it to decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from polemos.kernel.capabilities.advice import Alert
from polemos.kernel.errors import IllegalOrder, OrderError
from polemos.kernel.game import Option
from skerries.notation import Row, write_order
from skerries.rules.turn import fault, is_over, read
from skerries.state import GOOD, MAX_LINES, NAMES, NOT_NEXT, SEATS, TOO_MANY, UNREADABLE, Sheet, Sight, State
from skerries.view import Setting, View


def enter(sheet: Sheet, orders: Sequence[Row | None]) -> Sheet:
    """Writes orders into the record that the rules read."""
    sheet.count = min(len(orders), MAX_LINES)
    for line, order in zip(sheet.lines, orders, strict=False):
        line.fault = UNREADABLE if order is None else GOOD
        if order is not None:
            line.origin, line.target = NAMES.index(order.origin), NAMES.index(order.target)
            line.number = order.number
    return sheet


def judge(state: State, seat: str, orders: Sequence[Row | None]) -> list[OrderError | None]:
    """For each order why it is void, or None."""
    state, who, sheet = state.copy(), SEATS.index(seat), enter(Sheet(), orders)
    read(state, who, sheet)
    found: list[OrderError | None] = []
    for line, order in zip(sheet.lines, orders, strict=False):
        if order is not None and line.fault == NOT_NEXT:
            near = [name for place, name in enumerate(NAMES) if fault(state, who, line.origin, place, 0) == GOOD]
            where = f"They can row to {', '.join(near)}." if near else "It is not in this sea."
            found.append(IllegalOrder(f"Boats on {order.origin} cannot row to {order.target}. {where}", rule="2.2"))
        elif order is not None and line.fault == TOO_MANY:
            found.append(IllegalOrder(f"You have fewer than {order.number} boats left on {order.origin}.", rule="2.3"))
        else:
            found.append(None)
    return found


def options(sight: Sight, draft: Sequence[Row] = ()) -> list[Option]:
    """2 Every line that is legal after the draft, with the most boats it can ask for."""
    state, who = sight.known.copy(), sight.who  # what is not seen cannot change an option
    if who < 0 or is_over(state) or state.crews[who].out or len(draft) >= MAX_LINES:
        return []
    read(state, who, enter(Sheet(), draft))
    found = []
    for origin, boats in enumerate(list(state.crews[who].boats)):
        for target in range(len(NAMES)) if boats else ():
            if fault(state, who, origin, target, 1) == GOOD:
                order = Row(NAMES[origin], NAMES[target], 1)
                found.append(Option(msgspec.to_builtins(order), write_order(order), 1, boats))
    return found


def alerts(setting: Setting, view: View, draft: Sequence[Row] = ()) -> list[Alert]:
    """What a player would want to know before filing."""
    return [Alert("This is the last turn.", "4.2")] if view.turn == setting.turns else []


def figures(setting: Setting, view: View) -> dict[str, dict[str, float]]:
    """Curves for charts."""
    return {"points": {seat: float(crew.points) for seat, crew in view.crews.items()}}


def line_figures(setting: Setting, view: View, draft: Sequence[Row]) -> list[dict[str, Any]]:
    """There is nothing to say of single lines, such as odds."""
    return [{} for _ in draft]
