"""What a player would want to know before the turn ends, and numbers for charts."""

from __future__ import annotations

from collections.abc import Sequence

from polemos.games.minions.giving import Giving
from polemos.games.minions.maps import distance, hex_of, read_rows
from polemos.games.minions.notation import Order
from polemos.games.minions.state import GRAVEYARDS, SIDES
from polemos.games.minions.units import reach
from polemos.games.minions.view import (
    BoardView,
    Setting,
    TypeFacts,
    Unit,
    View,
    imagine,
    look,
)
from polemos.games.minions.view import view as view_of
from polemos.kernel.game import Alert


def alerts(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
    """After the draft: necromancers in danger, graveyards about to decide, money unspent, choices due."""
    if view.who not in SIDES or view.outcome is not None:
        return []
    mine = view.side == view.who
    if mine and draft:
        giving = Giving(imagine(setting, view), view.who)
        for order in draft:
            giving.give(order)
        view = view_of(look(giving.state, view.who))
    facts = {(unit.name, unit.letter == "N"): unit for unit in (*setting.units, *setting.necromancers)}
    found = []
    for board, rows in zip(view.boards, setting.maps, strict=True):
        found += _board_alerts(board, read_rows(rows), view.who, facts)
    cheapest = min(unit.cost for unit in setting.units if unit.basic)
    spending = any(board.state in ("normal", "reset+2") and not board.resigned for board in view.boards)
    if mine and spending and view.money[view.who] >= cheapest:
        found.append(Alert(f"You have {view.money[view.who]} money to spend.", "2.5"))
    if mine and not view.placed:
        found.append(Alert("Your free spell is not placed; it is lost at the end of the turn.", "8.2"))
    return found


def _board_alerts(
    board: BoardView, ground: tuple[int, ...], who: str, facts: dict[tuple[str, bool], TypeFacts]
) -> list[Alert]:
    """Where it is about a unit, `where` names board and hex: "board 1 c2"."""
    found = []
    where = f"board {board.number}"
    if board.due and not board.resigned:
        found.append(Alert(f"Choose a necromancer on {where}.", "10.7", where))
    held = sum(ground[hex_of(unit.hex)] == 1 for unit in board.units if unit.side != who)
    if held >= GRAVEYARDS:
        text = f"The enemy holds {held} graveyards of {where}: {GRAVEYARDS} at the end of your turn lose it."
        found.append(Alert(text, "12.3", where))
    elif held == GRAVEYARDS - 1:
        text = f"The enemy holds {held} graveyards of {where}; {GRAVEYARDS} win it."
        found.append(Alert(text, "12.3", where))
    for unit in board.units:
        if unit.side == who and unit.letter == "N":
            enemies = [enemy for enemy in board.units if enemy.side != who]
            threat = sum(_threat(enemy, unit, facts.get((enemy.type, enemy.letter == "N"))) for enemy in enemies)
            if threat >= facts[unit.type, True].defence:
                text = f"Your necromancer on {unit.hex} of {where} is in danger."
                found.append(Alert(text, "12.1", f"{where} {unit.hex}"))
    return found


def _threat(enemy: Unit, unit: Unit, facts: TypeFacts | None) -> int:
    """At most so much damage could this enemy do next turn, as the crow flies."""
    if facts is None or facts.range == 0 or facts.attack == "deathtouch":
        return 0
    return facts.number if distance(hex_of(enemy.hex), hex_of(unit.hex)) <= reach(facts) else 0


def figures(setting: Setting, view: View) -> dict[str, dict[str, float]]:
    """Curves for charts."""
    cost = {unit.name: unit.cost for unit in setting.units}
    units, yards = dict.fromkeys(SIDES, 0), dict.fromkeys(SIDES, 0)
    for board, rows in zip(view.boards, setting.maps, strict=True):
        ground = read_rows(rows)
        for unit in board.units:
            yards[unit.side] += ground[hex_of(unit.hex)] == 1
            units[unit.side] += 0 if unit.letter == "N" else cost[unit.type]
    return {
        "points": {side: float(view.points[side]) for side in SIDES},
        "money": {side: float(view.money[side]) for side in SIDES},
        "income": {side: float(sum(board.income.get(side, 0) for board in view.boards)) for side in SIDES},
        "cost of units": {side: float(units[side]) for side in SIDES},
        "graveyards": {side: float(yards[side]) for side in SIDES},
    }
