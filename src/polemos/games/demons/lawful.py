"""The legal orders beside a draft, alerts before a sheet is filed, and curves for charts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from polemos.games.demons.forecast import losses
from polemos.games.demons.ground import Ground
from polemos.games.demons.layout import faults
from polemos.games.demons.notation import Order
from polemos.games.demons.orders import entered, part_of
from polemos.games.demons.rules import choices, turn
from polemos.games.demons.rules.towers import HOUSE_GOLD
from polemos.games.demons.state import (
    BUILDER,
    COMPASS,
    GOOD,
    HIRE,
    KINDS,
    MAX_TILES,
    PLAYERS,
    TOWERS,
    Choice,
    Sight,
    Work,
)
from polemos.games.demons.view import Setting, Unit, View
from polemos.kernel.capabilities.advice import Alert
from polemos.kernel.game import Option
from polemos.kernel.record import many

_MAX: Final = MAX_TILES * KINDS + 5  # a tower of each kind on every tile, four directions, provoking
_NEAR: Final = 4  # lane steps from a base at which an enemy is a threat

_MEANS_UNFAIR: Final = (
    "One side has the better map. The finals were played on such maps; the classic rules refuse them."
)
_MEANS_WAVE: Final = (
    "A demon walks along its lane to the base that it attacks, and fights whatever stands in its way. Towers in range "
    "shoot at it, and your mercenaries fight it."
)
_MEANS_NEAR: Final = (
    "The umpire has played the next two turns with the orders on your sheet and no others. Units strike before towers "
    "shoot, so you can't prevent the damage of this turn; towers and mercenaries can prevent later damage."
)
_MEANS_MEET: Final = (
    "Mercenaries walk out of your base along a lane and fight the first enemy on it. Nothing else stops a demon at "
    "your base as surely: towers shoot only now and then."
)
_WAYS: Final = {(0, -1): ("N", "north"), (1, 0): ("E", "east"), (0, 1): ("S", "south"), (-1, 0): ("W", "west")}

# ---- what may be ordered


def lawful(sight: Sight, draft: Sequence[Order] = ()) -> list[Option]:
    """3, 4, 11 Every single order that is legal beside the draft, with its price and the gold that is left then."""
    if sight.who < 0:
        return []
    found = many(Choice, _MAX)
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


# ---- what to know


def alerts(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
    """What a player should know before filing a sheet."""
    if view.who not in PLAYERS or view.outcome is not None:
        return []
    found = []
    if view.turn == 0 and (unfair := _unfair(setting.name, setting.symmetry, setting.rows, setting.facing)):
        rule, why = unfair
        found.append(Alert(f"The map is not fair. {why}", rule, means=_MEANS_UNFAIR))
    for portal in view.portals:
        if portal.next_in <= 1 and portal.target == view.who:
            when = "this turn" if portal.next_in == 0 else "next turn"
            text = f"A demon with {portal.health} health comes for you at {portal.x},{portal.y} {when}."
            found.append(Alert(text, "7.5", f"{portal.x},{portal.y}", _MEANS_WAVE))
    if foes := threats(setting, view, view.who):
        first = foes[0]
        now, then = losses(setting, view, draft, 2)
        text = _threatening(foes, now, then) + _falling(view.bases[view.who].health, now, then)
        rule = "6.5" if first.kind == "demon" else "5.4"
        found.append(Alert(text, rule, f"{first.x},{first.y}", _MEANS_NEAR, urgent=True))
        if advice := _meeting(setting, view, first, draft):
            found.append(Alert(advice, "5.1", None, _MEANS_MEET))
    return found


def _meeting(setting: Setting, view: View, foe: Unit, draft: Sequence[Order]) -> str:
    """4.1, 5.7 Which way a mercenary would meet an enemy: towers alone lose a beginner's first games."""
    if setting.guide is None or any(part_of(order) == HIRE for order in draft):
        return ""
    base = view.bases[view.who]
    for lane in setting.lanes:
        x, y = lane[0] if view.who == "red" else lane[-1]
        letter, word = _WAYS.get((x - base.x, y - base.y), ("", ""))
        if (foe.x, foe.y) in lane and base.queued.get(letter) == 0:
            price = setting.guide.mercenary.price
            missing = "" if base.gold >= price else f"; you have {base.gold}"
            return f"A mercenary sent {word} would fight it: {price} gold{missing}."
    return ""


def _threatening(foes: Sequence[Unit], now: int, then: int) -> str:
    """5.4, 6.5 Who is near a base, and what it loses this turn and next."""
    alone = len(foes) == 1
    it = "it" if alone else "them"
    those = "An enemy" if alone else f"{len(foes)} enemies"
    if now:
        more = f", {then} more next turn unless you stop {it}" if then else ""
        return f"{those} {'at' if alone else 'at or near'} your base: {now} damage this turn{more}."
    first = foes[0]
    nearest = f"{'at' if alone else 'the nearest at'} {first.x},{first.y} with {first.health} health"
    harm = f"{then} damage next turn unless you stop {it}" if then else "no damage this turn or next"
    return f"{those} close to your base, {nearest}: {harm}."


def _falling(health: int, now: int, then: int) -> str:
    """9.2 A base without health is destroyed."""
    if now + then < health:
        return ""
    return f" Your base has {health} health and falls {'this' if now >= health else 'next'} turn."


@cache
def _unfair(name: str, symmetry: str, rows: tuple[str, ...], facing: bool) -> tuple[str, str] | None:
    """1.5, 1.6 What is unfair about a map, first of all."""
    return next((flaw for flaw in faults(Ground(name, symmetry, rows, facing)) if flaw[0] != "1.7"), None)


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
        "health": {name: float(max(0, base.health)) for name, base in view.bases.items()},
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
