"""What a player may order beside a draft, what to know before filing, and figures for charts. All from views alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from polemos.games.demons.notation import Build, Destroy, Hire, Order, Provoke, write_order
from polemos.games.demons.rules.phases import PROVOKING
from polemos.games.demons.rules.towers import HOUSE_GOLD
from polemos.games.demons.setup import figures
from polemos.games.demons.state import PLAYERS
from polemos.games.demons.view import Setting, Unit, View
from polemos.kernel.game import Alert, Option

_GROUND: Final = {"red": "rp", "blue": "bq"}  # letters of the map
_NEAR: Final = 4  # lane steps from a base at which an enemy is a threat

Place = tuple[int, int]

# ---- what may be ordered


def options(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Option]:
    """3, 4 What is still lawful beside the draft, at the prices of this turn."""
    if view.who not in PLAYERS or view.outcome is not None or view.who in view.dropped:
        return []
    built = any(isinstance(order, Build | Destroy) for order in draft)
    hired = any(isinstance(order, Hire) for order in draft)
    gold = view.bases[view.who].gold - _spent(setting, view, draft)
    found: list[Order] = []
    if not built and view.step != "mercenaries":
        found += _buildings(setting, view, gold)
    if not hired and view.step != "builders":
        price = figures(setting.rules)["mercenary_price"]
        found += [
            Hire(letter)
            for letter, queued in view.bases[view.who].queued.items()
            if gold >= price and (queued == 0 or setting.rules != "seed")
        ]
    if setting.rules != "seed" and gold >= PROVOKING and not any(isinstance(order, Provoke) for order in draft):
        found.append(Provoke())
    kinds = {(tower.x, tower.y): tower.kind for tower in view.towers}
    return [
        Option(
            order=msgspec.to_builtins(order),
            text=write_order(order),
            figures=_money(setting, view, order, gold, kinds),
        )
        for order in found
    ]


def line_figures(setting: Setting, view: View, draft: Sequence[Order]) -> list[dict[str, Any]]:
    """What each line of a draft costs or brings back, and the gold that is left after all of them."""
    if view.who not in PLAYERS:
        return [{} for _ in draft]
    kinds = {(tower.x, tower.y): tower.kind for tower in view.towers}
    gold = view.bases[view.who].gold
    found = []
    for i, order in enumerate(draft):
        others = [*draft[:i], *draft[i + 1 :]]
        found.append(_money(setting, view, order, gold - _spent(setting, view, others), kinds))
    return found


def _price(setting: Setting, view: View, order: Order, kinds: dict[Place, str]) -> int:
    """What an order costs now; what a destruction brings back counts against it."""
    if isinstance(order, Build):
        return view.prices[view.who].get(order.tower, 0)
    if isinstance(order, Hire):
        return int(figures(setting.rules)["mercenary_price"])
    if isinstance(order, Provoke):
        return PROVOKING
    kind = kinds.get((order.x, order.y))
    if kind is None:
        return 0
    listed = setting.towers[kind].price
    return -(listed // 2 if setting.rules == "seed" else listed)  # 3.8, 11.4


def _spent(setting: Setting, view: View, draft: Sequence[Order]) -> int:
    """What the draft costs; what a destruction brings back counts against it where it can be spent (3.8, 11.2)."""
    kinds = {(tower.x, tower.y): tower.kind for tower in view.towers}
    spent = 0
    for order in draft:
        if not isinstance(order, Destroy) or setting.rules == "seed":
            spent += _price(setting, view, order, kinds)
    return spent


def _money(setting: Setting, view: View, order: Order, gold: int, kinds: dict[Place, str]) -> dict[str, Any]:
    """The price, or what comes back, and the gold that is left then."""
    price = _price(setting, view, order, kinds)
    return {"back" if isinstance(order, Destroy) else "price": abs(price), "left": gold - price}


def _buildings(setting: Setting, view: View, gold: int) -> list[Order]:
    mine = _GROUND[view.who]
    taken = {(tower.x, tower.y) for tower in view.towers}
    affordable = [kind for kind, price in view.prices[view.who].items() if price <= gold]
    found: list[Order] = []
    for y, row in enumerate(setting.rows):
        for x, letter in enumerate(row):
            if letter in mine:
                found += [Destroy(x, y)] if (x, y) in taken else [Build(kind, x, y) for kind in affordable]
    return found


# ---- what to know


def alerts(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
    """What a player would want to know before filing."""
    if view.who not in PLAYERS or view.outcome is not None:
        return []
    found = []
    for portal in view.portals:
        if portal.next_in <= 1 and portal.target == view.who:
            when = "this turn" if portal.next_in == 0 else "next turn"
            text = f"A demon of {portal.health} health comes for you {when} at {portal.x},{portal.y}."
            found.append(Alert(text, "7.5", f"{portal.x},{portal.y}"))
    foes = threats(setting, view, view.who)
    if foes:
        first = foes[0]
        those = "An enemy stands" if len(foes) == 1 else f"{len(foes)} enemies stand"
        nearest = f"{'at' if len(foes) == 1 else 'the nearest at'} {first.x},{first.y} with {first.health} health"
        rule = "6.5" if first.kind == "demon" else "5.4"
        found.append(Alert(f"{those} close to your base, {nearest}.", rule, f"{first.x},{first.y}"))
    return found


def threats(setting: Setting, view: View, player: str) -> list[Unit]:
    """Units that walk to a player's base and are four lane steps or less away from it, the nearest first."""
    steps = {}
    for lane in setting.lanes:
        near = lane[:_NEAR] if player == "red" else lane[: -_NEAR - 1 : -1]
        steps.update({tile: step for step, tile in enumerate(near, start=1)})
    close = [unit for unit in view.units if (unit.x, unit.y) in steps and _wants(unit, player)]
    return sorted(close, key=lambda unit: steps[unit.x, unit.y])


def _wants(unit: Unit, player: str) -> bool:
    """Whether a unit walks to this player's base."""
    return (unit.side == player) == (unit.kind == "demon")


# ---- figures


def curves(setting: Setting, view: View) -> dict[str, dict[str, float]]:
    """Curves for charts, and for whatever else follows the game."""
    worth = {name: sum(setting.towers[t.kind].price for t in view.towers if t.owner == name) for name in PLAYERS}
    return {
        "gold": {name: float(base.gold) for name, base in view.bases.items()},
        "health": {name: float(base.health) for name, base in view.bases.items()},
        "towers": {name: float(sum(tower.owner == name for tower in view.towers)) for name in PLAYERS},
        "worth": {name: float(worth[name]) for name in PLAYERS},
        "income": {name: _income(setting, view, name) for name in PLAYERS},
        "mercenaries": {
            name: float(sum(unit.side == name and unit.kind == "mercenary" for unit in view.units)) for name in PLAYERS
        },
        "tension": {name: _tension(setting, view, name) for name in PLAYERS},
    }


def _income(setting: Setting, view: View, player: str) -> float:
    """Gold that the houses of a player give in ten turns, on average."""
    houses = sum(tower.owner == player and tower.kind == "house" for tower in view.towers)
    ready = setting.guide.ready if setting.guide else 1
    return round(houses * HOUSE_GOLD * 10 / (setting.towers["house"].cooldown + 1 - ready), 1)


def _tension(setting: Setting, view: View, player: str) -> float:
    """From 0 to 1: fights on the board, enemies close to the base, and what the base has lost."""
    full = setting.guide.health if setting.guide else view.bases[player].health
    lost = 1 - max(0, view.bases[player].health) / max(1, full)
    fights = sum(unit.state == "fighting" for unit in view.units)
    return round(min(1.0, 0.03 * fights + 0.1 * len(threats(setting, view, player)) + 0.5 * max(0.0, lost)), 3)
