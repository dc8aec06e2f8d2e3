"""What to know before filing, and figures for charts. All from views alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polemos.games.demons.notation import Order
from polemos.games.demons.rules.towers import HOUSE_GOLD
from polemos.games.demons.state import PLAYERS
from polemos.games.demons.view import Setting, Unit, View
from polemos.kernel.game import Alert

_NEAR: Final = 4  # lane steps from a base at which an enemy is a threat

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
