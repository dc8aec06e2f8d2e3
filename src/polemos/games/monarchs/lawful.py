"""The orders that are legal besides a draft, alerts before filing, and curves for charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from polemos.games.monarchs import odds
from polemos.games.monarchs.board import BASES, DIRECTIONS, HEXES, INDEX, NAMES, NATIONS
from polemos.games.monarchs.notation import Bless, March, Order, write_order
from polemos.games.monarchs.rules.choices import list_choices
from polemos.games.monarchs.sheets import enter
from polemos.games.monarchs.state import BLESS, MAX_TURNS, Choice, Sheet, Sight, State, Work
from polemos.games.monarchs.view import Setting, View, view_of
from polemos.kernel.capabilities.advice import Alert
from polemos.kernel.game import SPECTATOR, Option
from polemos.kernel.record import many

_MEANS_BASE: Final = (
    "Nobody can conquer a home base. Your regiments would lose a battle there, and you would lose points."
)
_MEANS_BLESSING: Final = (
    "You may bless one hex each turn. If your army fights there, the blessing adds half a regiment to its strength. It "
    "costs nothing."
)
_MEANS_LAST: Final = "What this turn scores is added to your total twice."


def _free(view: View, draft: Sequence[Order]) -> dict[str, int]:
    """Regiments of `view.who` that the draft leaves unordered, by hex."""
    free = {h: ground.regiments for h, ground in view.hexes.items() if ground.owner == view.who and ground.regiments}
    for order in draft:
        if isinstance(order, March) and order.origin in free:
            free[order.origin] -= order.number
    return free


def options(sight: Sight, draft: Sequence[Order] = ()) -> list[Option]:
    """3 Every march that the draft leaves possible, with its odds, and the blessing if it is still to give."""
    sheet = Sheet()
    enter(sheet, draft)
    count = list_choices(sight, sheet, _found, State(), Work())
    if not count:
        return []
    view = view_of(sight)
    odds_to: dict[tuple[int, int], dict[str, object]] = {}
    found = []
    for kind, origin, target, most in _found.numbers()[:count].tolist():
        name = NAMES[target]
        if kind == BLESS:
            found.append(Option({"order": "bless", "hex": name}, f"bless {name}"))
            continue
        if (target, most) not in odds_to:
            odds_to[target, most] = _figures(view, draft, name, most)
        march = March(NAMES[origin], name, 1)
        found.append(Option(msgspec.to_builtins(march), write_order(march), 1, most, odds_to[target, most]))
    return found


_found = many(Choice, HEXES * DIRECTIONS + HEXES)


def _figures(view: View, draft: Sequence[Order], target: str, left: int) -> dict[str, object]:
    """What is seen of the target, and the chance in percent for each number: if they do not bless, and if they do.

    Counts what is in sight, together with what the draft already sends there.
    """
    ground = view.hexes.get(target)
    if ground is None or ground.owner in (view.who, None):
        return {}
    if INDEX[target] in BASES:
        return {"holds": ground.regiments, "base": True}
    if ground.regiments == 0:
        return {"holds": 0}
    sent = sum(order.number for order in draft if isinstance(order, March) and order.target == target)
    blessed = any(isinstance(order, Bless) and order.hex == target for order in draft)
    chances = [
        [float(100 * odds.attack(sent + n - ground.regiments, blessed, they_bless)) for they_bless in (False, True)]
        for n in range(1, left + 1)
    ]
    return {"holds": ground.regiments, "chances": chances}


def line_figures(view: View, draft: Sequence[Order]) -> list[dict[str, object]]:
    """The odds of each march of the draft, counted with all its other lines."""
    found: list[dict[str, object]] = []
    for i, order in enumerate(draft):
        others = [*draft[:i], *draft[i + 1 :]]
        left = _free(view, others).get(order.origin, 0) if isinstance(order, March) else 0
        found.append(_figures(view, others, order.target, left) if isinstance(order, March) and left > 0 else {})
    return found


def alerts(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
    """Orders that are legal but probably a mistake."""
    found = []
    for order in draft:
        if isinstance(order, March):
            host = next((n for n, base in setting.bases.items() if base == order.target), view.who)
            if host != view.who:
                text = f"{order.target} is {host}'s home base: any army that enters it is beaten."
                found.append(Alert(text, "7.1", order.target, _MEANS_BASE))
    if not any(isinstance(order, Bless) for order in draft):
        found.append(Alert("You haven't blessed a hex yet.", "3.7", means=_MEANS_BLESSING))
    if view.turn == (view.turns or MAX_TURNS):
        found.append(Alert("This is the last turn. It counts twice.", "10.4", means=_MEANS_LAST))
    return found


def figures(view: View) -> dict[str, dict[str, float]]:
    """Curves for charts, as far as they are in sight."""
    land = [(ground.owner, ground.regiments) for ground in view.hexes.values() if ground.owner]
    known = [view.who] if view.who in NATIONS and view.outcome is None else list(NATIONS)
    if view.who == SPECTATOR and not land:
        known = []
    return {
        "hexes": {n: float(sum(owner == n for owner, _ in land)) for n in known},
        "regiments": {n: float(sum(r for owner, r in land if owner == n)) for n in known},
        "score": {n: float(report.score) for n, report in view.reports.items()},
        "total": {n: float(report.total) for n, report in view.reports.items()},
    }
