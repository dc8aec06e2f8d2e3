"""What may be ordered, what a player would want to know, and numbers for charts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from polemos.games.minions.maps import distance, hex_name, hex_of, read_rows
from polemos.games.minions.notation import (
    Attack,
    Buy,
    Choose,
    Move,
    Order,
    Resign,
    Spawn,
    Spells,
    Tick,
    write_order,
)
from polemos.games.minions.orders import record_of
from polemos.games.minions.rules import choices, turn
from polemos.games.minions.rules.techline import next_to_march, price_of_spell, spell_fault
from polemos.games.minions.setup import table_in
from polemos.games.minions.state import (
    ATTACK,
    BUY,
    CHOOSE,
    MARCH,
    MOST_TYPES,
    MOVE,
    RESET0,
    SIDES,
    Choice,
    State,
    Work,
)
from polemos.games.minions.view import BoardView, Setting, TypeFacts, Unit, View, imagine
from polemos.kernel.game import Alert, Option
from polemos.kernel.log import SILENT
from polemos.kernel.record import many

MOST_CHOICES = 8192


def options(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Option]:
    """Every single order that is lawful after the draft: boards in order, then the techline."""
    if view.who != view.side or view.outcome is not None:
        return []
    state, work = imagine(setting, view), Work()
    for order in draft:
        turn.apply(state, record_of(state, order), SILENT, work)
    return options_in(state)


def options_in(state: State) -> list[Option]:
    """The options of a position in the middle of a turn."""
    return [
        Option(order=msgspec.to_builtins(order), text=write_order(order), figures=figures)
        for order, figures in _orders(state)
    ]


def _orders(state: State) -> Iterator[tuple[Order, dict[str, int]]]:
    found, work = many(Choice, MOST_CHOICES), Work()
    for at in range(state.boards):
        count = choices.list_choices(state, at, found, work)
        for choice in found.numbers()[:count].tolist():
            yield from _order(state, at, *choice)
        if state.board[at].state != RESET0 and not state.board[at].resigned:
            yield Resign(at + 1), {}
    for spell, card in _spells(state):
        yield Spells((spell,)), {"card": card + 1, "price": price_of_spell(state)}


def _order(
    state: State, at: int, kind: int, start: int, target: int, type: int, swap: int
) -> Iterator[tuple[Order, dict[str, int]]]:
    board, table = at + 1, table_in(state)
    if kind == MOVE and swap:
        here, there = hex_name(start), hex_name(target)
        yield Tick(board, (f"{here}-{there}", f"{there}-{here}")), {}
    elif kind == MOVE:
        yield Move(board, hex_name(start), hex_name(target)), {}
    elif kind == ATTACK:
        yield Attack(board, hex_name(start), hex_name(target)), _damage(state, at, start, target)
    elif kind == BUY:
        yield Buy(board, table.types[type].letter), {"price": table.types[type].cost}
    elif kind == CHOOSE:
        for keep, unit in enumerate(table.units):
            if state.board[at].zone[state.side * MOST_TYPES + keep]:
                yield Choose(board, table.types[type].name, unit.letter), {}
    else:
        yield Spawn(board, table.types[type].letter, hex_name(target)), {}


def _damage(state: State, at: int, start: int, target: int) -> dict[str, int]:
    """What an attack would do: damage, and what would be left of the defence."""
    after = state.copy()
    board = state.board[at]
    record = record_of(state, Attack(at + 1, hex_name(start), hex_name(target)))
    turn.apply(after, record, SILENT, Work())
    there = after.board[at].hex[target]
    defence = state.type[abs(board.hex[target].piece) - 1].defence
    return {"left": defence - there.damage if there.piece else 0}


def _spells(state: State) -> Iterator[tuple[str, int]]:
    if spell_fault(state, MARCH) == 0:
        yield "march", next_to_march(state)
    for card in range(state.cards):
        if spell_fault(state, card) == 0:
            yield f"tech {card + 1}", card


# ---- alerts


def alerts(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
    """Necromancers in danger, graveyards about to decide, money unspent, choices due."""
    if view.who not in SIDES or view.outcome is not None:
        return []
    facts = {unit.name: unit for unit in setting.units}
    necromancers = {unit.name: unit for unit in setting.necromancers}
    found = []
    for board, rows in zip(view.boards, setting.maps, strict=True):
        found += _board_alerts(board, read_rows(rows), view.who, facts, necromancers)
    cheapest = min(unit.cost for unit in setting.units if unit.basic)
    if view.side == view.who and view.money[view.who] >= cheapest:
        found.append(Alert(f"You have {view.money[view.who]} money to spend.", "2.5"))
    return found


def _board_alerts(
    board: BoardView, ground: tuple[int, ...], who: str, facts: dict[str, TypeFacts], necromancers: dict[str, TypeFacts]
) -> list[Alert]:
    found = []
    where = f"board {board.number}"
    if board.due:
        found.append(Alert(f"Choose a necromancer on {where}.", "10.7", where))
    held = sum(ground[hex_of(unit.hex)] == 1 for unit in board.units if unit.side != who)
    if held >= 8:
        text = f"The enemy holds {held} graveyards of {where}: 8 at the end of your turn lose it."
        found.append(Alert(text, "12.3", where))
    for unit in board.units:
        if unit.side == who and unit.letter == "N":
            threat = sum(
                _threat(enemy, unit, facts.get(enemy.type) if enemy.letter != "N" else necromancers.get(enemy.type))
                for enemy in board.units
                if enemy.side != who
            )
            defence = necromancers[unit.type].defence
            if threat >= defence:
                found.append(Alert(f"Your necromancer on {unit.hex} of {where} is in danger.", "12.1", unit.hex))
    return found


def _threat(enemy: Unit, unit: Unit, facts: TypeFacts | None) -> int:
    """At most so much damage could this enemy do next turn, as the crow flies."""
    if facts is None or facts.range == 0 or facts.attack == "deathtouch":
        return 0
    reach = facts.range if "Lumbering" in facts.keywords else facts.speed + facts.range
    return facts.number if distance(hex_of(enemy.hex), hex_of(unit.hex)) <= reach else 0


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
        "cost of units": {side: float(units[side]) for side in SIDES},
        "graveyards": {side: float(yards[side]) for side in SIDES},
    }
