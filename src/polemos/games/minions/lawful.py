"""What may be ordered, what a player would want to know, and numbers for charts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

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
from polemos.games.minions.rules.spawning import spawner_beside
from polemos.games.minions.rules.techline import next_to_march, price_of_spell, spell_fault
from polemos.games.minions.setup import table_in
from polemos.games.minions.state import (
    ATTACK,
    BUY,
    CHOOSE,
    GRAVEYARD,
    GRAVEYARDS,
    HEXES,
    MARCH,
    MOST_TYPES,
    MOVE,
    RESET0,
    SIDES,
    WATER,
    Choice,
    State,
    Work,
)
from polemos.games.minions.tables import Unit as TableUnit
from polemos.games.minions.units import reach
from polemos.games.minions.view import BoardView, Setting, TypeFacts, Unit, View, imagine, observe
from polemos.kernel.game import Alert, Option
from polemos.kernel.log import SILENT
from polemos.kernel.record import many

MOST_CHOICES = 8192


def options(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Option]:
    """Every single order that is lawful after the draft: boards in order, then the techline."""
    if view.who != view.side or view.outcome is not None:
        return []
    return options_in(_after(setting, view, draft))


def _after(setting: Setting, view: View, draft: Sequence[Order]) -> State:
    """The position in the middle of a turn."""
    state, work = imagine(setting, view), Work()
    for order in draft:
        turn.apply(state, record_of(state, order), SILENT, work)
    return state


def options_in(state: State) -> list[Option]:
    """The options of a position in the middle of a turn."""
    return [
        Option(order=msgspec.to_builtins(order), text=write_order(order), figures=figures)
        for order, figures in _orders(state)
    ]


def _orders(state: State) -> Iterator[tuple[Order, dict[str, Any]]]:
    found, work = many(Choice, MOST_CHOICES), Work()
    for at in range(state.boards):
        around = _Around(state, at)
        count = choices.list_choices(state, at, found, work)
        for choice in found.numbers()[:count].tolist():
            yield from around.order(*choice)
        if state.board[at].state != RESET0 and not state.board[at].resigned:
            yield Resign(at + 1), {}
    for spell, card in _spells(state):
        yield Spells((spell,)), {"card": card + 1, "price": price_of_spell(state)}


class _Around:
    """The orders of one board, each with what it would bring."""

    def __init__(self, state: State, at: int) -> None:
        self._state, self._at = state, at
        self._board, self._table = state.board[at], table_in(state)
        pieces = [self._board.hex[hex].piece for hex in range(HEXES)]
        sign = -1 if state.side else 1
        types = self._table.types
        self._enemies = [(hex, types[abs(piece) - 1]) for hex, piece in enumerate(pieces) if piece * sign < 0]
        self._room: list[int] | None = None

    def order(self, kind: int, start: int, target: int, type: int, swap: int) -> Iterator[tuple[Order, dict[str, Any]]]:
        board, row = self._at + 1, self._table.types[type]
        if kind == MOVE and swap:
            here, there = hex_name(start), hex_name(target)
            yield Tick(board, (f"{here}-{there}", f"{there}-{here}")), {}
        elif kind == MOVE:
            yield Move(board, hex_name(start), hex_name(target)), self._strikes(row, target)
        elif kind == ATTACK:
            yield Attack(board, hex_name(start), hex_name(target)), self.damage(row, target)
        elif kind == BUY:
            hexes = [hex_name(hex) for hex in self._free(row)]
            yield Buy(board, row.letter), {"price": row.cost, "hexes": hexes}
        elif kind == CHOOSE:
            for keep, unit in enumerate(self._table.units):
                if self._board.zone[self._state.side * MOST_TYPES + keep]:
                    yield Choose(board, row.name, unit.letter), {}
        else:
            yield Spawn(board, row.letter, hex_name(target)), {}

    def _strikes(self, row: TableUnit, target: int) -> dict[str, Any]:
        """Whom a unit could attack after a move to this hex (6.2, 6.8, 7.2)."""
        if "Lumbering" in row.keywords:
            return {}
        met = [
            hex_name(hex)
            for hex, enemy in self._enemies
            if distance(target, hex) <= row.range
            and not (row.attack == "deathtouch" and "Necromancer" in enemy.keywords)
        ]
        return {"strikes": met} if met else {}

    def damage(self, row: TableUnit, target: int) -> dict[str, Any]:
        """What an attack would do, what would be left of the defence, and what the owner would get back."""
        there = self._board.hex[target]
        enemy = self._table.types[abs(there.piece) - 1]
        if row.attack == "unsummon" and "Persistent" not in enemy.keywords:
            return {"does": "unsummoned", "left": 0}
        damage = row.number if row.attack == "normal" else 1
        left = 0 if row.attack == "deathtouch" else max(0, enemy.defence - there.damage - damage)
        return {"does": "hit", "left": left} if left else {"does": "destroyed", "left": 0, "back": enemy.rebate}

    def _free(self, row: TableUnit) -> list[int]:
        """Where a unit could be spawned if it were in the zone (9.5 to 9.8)."""
        if self._room is None:
            empty = [hex for hex in range(HEXES) if not self._board.hex[hex].piece]
            self._room = [hex for hex in empty if spawner_beside(self._state, self._board, hex) == 2]
        return [hex for hex in self._room if "Flying" in row.keywords or self._board.hex[hex].ground != WATER]


def _spells(state: State) -> Iterator[tuple[str, int]]:
    if spell_fault(state, MARCH) == 0:
        yield "march", next_to_march(state)
    for card in range(state.cards):
        if spell_fault(state, card) == 0:
            yield f"tech {card + 1}", card


# ---- the lines of a draft


def line_figures(setting: Setting, view: View, draft: Sequence[Order]) -> list[dict[str, Any]]:
    """For each order in its turn who acts, on whom, and what comes of it."""
    state, work = imagine(setting, view), Work()
    found = []
    for order in draft:
        found.append(_doing(state, order))
        turn.apply(state, record_of(state, order), SILENT, work)
    return found


def _doing(state: State, order: Order) -> dict[str, Any]:
    """`unit` acts, on `target`; `does`, `left` and `back` as in the options; `yard` for a graveyard; `price`."""
    record, types = record_of(state, order), table_in(state).types
    board = state.board[record.board]
    here, there = board.hex[max(0, record.start[0])], board.hex[record.target[0]]
    if isinstance(order, Move) and here.piece:
        yard = {"yard": True} if there.ground == GRAVEYARD else {}
        return {"unit": _called(types[abs(here.piece) - 1])} | yard
    if isinstance(order, Attack) and here.piece and there.piece:
        row = types[abs(here.piece) - 1]
        done = _Around(state, record.board).damage(row, record.target[0])
        return {"unit": _called(row), "target": _called(types[abs(there.piece) - 1])} | done
    if isinstance(order, Buy | Spawn):
        price = {"price": types[record.type].cost} if isinstance(order, Buy) else {}
        return {"unit": types[record.type].name} | price
    if isinstance(order, Spells):
        return {"price": price_of_spell(state)}
    return {}


def _called(row: TableUnit) -> str:
    """Necromancers may share the name of a unit."""
    return f"{row.name} necromancer" if "Necromancer" in row.keywords else row.name


# ---- alerts


def alerts(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
    """After the draft: necromancers in danger, graveyards about to decide, money unspent, choices due."""
    if view.who not in SIDES or view.outcome is not None:
        return []
    mine = view.side == view.who
    if mine and draft:
        view = observe(_after(setting, view, draft), view.who)
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
