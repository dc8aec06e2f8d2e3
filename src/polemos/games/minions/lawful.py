"""Legal orders and their results: options, the lines of a draft, alerts before filing, curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from polemos.games.minions import view as views
from polemos.games.minions.giving import Giving
from polemos.games.minions.maps import distance, hex_name, hex_of, read_rows
from polemos.games.minions.notation import Attack, Buy, End, Move, Order, Spawn, Spells, write_order
from polemos.games.minions.orders import order_of, record_of
from polemos.games.minions.rules import choices, prospects
from polemos.games.minions.rules.prospects import HALF
from polemos.games.minions.setup import table_in
from polemos.games.minions.state import (
    ATTACK,
    BUY,
    GRAVEYARD,
    GRAVEYARDS,
    MOVE,
    NOT_THERE,
    SIDES,
    SPELLS,
    Choice,
    Prospect,
    Sight,
    State,
    Work,
)
from polemos.games.minions.tables import Unit as TableUnit
from polemos.games.minions.tables import UnitTable
from polemos.games.minions.units import reach
from polemos.games.minions.view import BoardView, Setting, TypeFacts, Unit, View, imagine, look
from polemos.kernel.capabilities.advice import Alert
from polemos.kernel.game import Option
from polemos.kernel.record import Many, many

MAX_CHOICES: Final = 8192

_MEANS_MONEY: Final = "It buys units on any board, or another spell. What you don't spend stays in your purse."
_MEANS_SPELL: Final = "The first spell of each turn is free: put it on a card of the techline. Spells are never saved."
_MEANS_CHOICE: Final = "This board was reset. Pick an advanced necromancer and the unit to keep before anything else."
_MEANS_YARDS: Final = (
    "A unit on a graveyard holds it. Destroy enemy units there or drive them off before your turn ends."
)
_MEANS_NECROMANCER: Final = (
    "This counts every enemy that is near enough to attack it, as if nothing stood in its way. Whoever loses the "
    "necromancer loses the board. Move it away, or put units around it."
)


def options(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Option]:
    """Legal orders beside the draft, for callers who only have a view."""
    if view.who != view.side or view.outcome is not None:  # nobody imagines for nothing
        return []
    return lawful(look(imagine(setting, view), view.who), draft)


def lawful(sight: Sight, draft: Sequence[Order] = ()) -> list[Option]:
    """Every single order that is legal after the draft: boards in order, then the techline, then `end`."""
    if sight.who != sight.state.side:
        return []
    giving = Giving(sight.state.copy(), SIDES[sight.who])
    for order in draft:
        giving.give(order)
    return [] if giving.bar() else options_in(giving.state)


def options_in(state: State) -> list[Option]:
    """The options of a position in the middle of a turn."""
    found, told, work, table = many(Choice, MAX_CHOICES), many(Prospect, MAX_CHOICES), Work(), table_in(state)
    options: list[Option] = []
    for at in range(state.boards):
        count = choices.list_orders(state, at, found, work)
        prospects.tell_all(state, at, found, count, told)
        options += _options(found, told, count, at + 1, table)
    count = choices.list_spells(state, found)
    prospects.tell_all(state, 0, found, count, told)
    options += _options(found, told, count, 0, table)
    return options


def _options(found: Many[Choice], told: Many[Prospect], count: int, board: int, table: UnitTable) -> Iterator[Option]:
    rows = zip(found.numbers()[:count].tolist(), told.numbers()[:count].tolist(), strict=True)
    for choice, prospect in rows:
        order = order_of(table, board, *choice)
        figures = _figures(choice[0], choice[2], *prospect)
        idle = isinstance(order, End)  # a sheet ends the turn by itself
        yield Option(order=msgspec.to_builtins(order), text=write_order(order), figures=figures, idle=idle)


def _figures(kind: int, target: int, left: int, back: int, price: int, low: int, high: int) -> dict[str, Any]:
    """What an order would bring, in the words of the options."""
    if kind == MOVE:
        return {"strikes": _hexes(low, high)} if low or high else {}
    if kind == ATTACK:
        return _done(left, back)
    if kind == BUY:
        return {"price": price, "hexes": _hexes(low, high)}
    return {"card": target + 1, "price": price} if kind == SPELLS else {}


def _done(left: int, back: int) -> dict[str, Any]:
    """What an attack does, what it leaves of the defence, and what the owner gets back."""
    if left == NOT_THERE:
        return {"does": "unsummoned", "left": 0}
    return {"does": "hit", "left": left} if left else {"does": "destroyed", "left": 0, "back": back}


def _hexes(low: int, high: int) -> list[str]:
    """The hexes whose bits are set."""
    bits = low | high << HALF
    return [hex_name(hex) for hex in range(bits.bit_length()) if bits >> hex & 1]


# ---- the lines of a draft


def line_figures(setting: Setting, view: View, draft: Sequence[Order]) -> list[dict[str, Any]]:
    """For each order in its turn who acts, on which unit, and what comes of it."""
    giving = Giving(imagine(setting, view), view.side)
    found = []
    for order in draft:
        found.append(_doing(giving.state, order))
        giving.give(order)
    return found


def _doing(state: State, order: Order) -> dict[str, Any]:
    """`unit` acts, on `target`; `does`, `left` and `back` as in the options; `yard` for a graveyard; `price`."""
    record, types = record_of(state, order), table_in(state).types
    board = state.board[record.board]
    here, there = board.hex[max(0, record.start[0])], board.hex[record.target[0]]
    choice = Choice(kind=record.kind, start=record.start[0], target=record.target[0], type=record.type)
    if isinstance(order, Move) and here.piece:
        yard = {"yard": True} if there.ground == GRAVEYARD else {}
        return {"unit": _called(types[abs(here.piece) - 1])} | yard
    if isinstance(order, Attack) and here.piece and there.piece:
        names = {"unit": _called(types[abs(here.piece) - 1]), "target": _called(types[abs(there.piece) - 1])}
        prospect = _prospect(state, record.board, choice)
        return names | _done(prospect.left, prospect.back)
    if isinstance(order, Buy | Spawn):
        price = {"price": _prospect(state, record.board, choice).price} if isinstance(order, Buy) else {}
        return {"unit": types[record.type].name} | price
    if isinstance(order, Spells):
        return {"price": _prospect(state, 0, choice).price}
    return {}


def _prospect(state: State, at: int, choice: Choice) -> Prospect:
    prospect = Prospect()
    prospects.tell_one(state, at, choice, prospect)
    return prospect


def _called(row: TableUnit) -> str:
    """Necromancers may share the name of a unit."""
    return f"{row.name} necromancer" if "Necromancer" in row.keywords else row.name


# ---- what to know before the turn ends, and curves


def alerts(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
    """After the draft: necromancers in danger, graveyards about to decide, money unspent, choices due."""
    if view.who not in SIDES or view.outcome is not None:
        return []
    mine = view.side == view.who
    if mine and draft:
        giving = Giving(imagine(setting, view), view.who)
        for order in draft:
            giving.give(order)
        view = views.view(look(giving.state, view.who))
    facts = {(unit.name, unit.letter == "N"): unit for unit in (*setting.units, *setting.necromancers)}
    found = []
    for board, rows in zip(view.boards, setting.maps, strict=True):
        found += _board_alerts(board, read_rows(rows), view.who, facts)
    cheapest = min(unit.cost for unit in setting.units if unit.basic)
    spending = any(board.state in ("normal", "reset+2") and not board.resigned for board in view.boards)
    if mine and spending and view.money[view.who] >= cheapest:
        found.append(Alert(f"You have {view.money[view.who]} money to spend.", "2.5", means=_MEANS_MONEY))
    if mine and not view.placed:
        found.append(
            Alert("You haven't placed your free spell. It is lost when the turn ends.", "8.2", means=_MEANS_SPELL)
        )
    return found


def _board_alerts(
    board: BoardView, ground: tuple[int, ...], who: str, facts: dict[tuple[str, bool], TypeFacts]
) -> list[Alert]:
    """Where it is about a unit, `where` names board and hex: "board 1 c2"."""
    found = []
    where = f"board {board.number}"
    if board.due and not board.resigned:
        found.append(Alert(f"Choose a necromancer on {where}.", "10.7", where, _MEANS_CHOICE))
    held = sum(ground[hex_of(unit.hex)] == 1 for unit in board.units if unit.side != who)
    if held >= GRAVEYARDS:
        still = f"if it still holds {GRAVEYARDS} when your turn ends, you lose the board"
        text = f"The enemy holds {held} graveyards on {where}: {still}."
        found.append(Alert(text, "12.3", where, _MEANS_YARDS, urgent=True))
    elif held == GRAVEYARDS - 1:
        text = f"The enemy holds {held} graveyards on {where} and needs {GRAVEYARDS} to win it."
        found.append(Alert(text, "12.3", where, _MEANS_YARDS))
    for unit in board.units:
        if unit.side == who and unit.letter == "N":
            enemies = [enemy for enemy in board.units if enemy.side != who]
            threat = sum(_threat(enemy, unit, facts.get((enemy.type, enemy.letter == "N"))) for enemy in enemies)
            defence = facts[unit.type, True].defence
            if threat >= defence:
                harm = f"up to {threat} damage next turn, and {defence} destroys it"
                text = f"Your necromancer on {unit.hex}, {where}, is in danger: {harm}."
                found.append(Alert(text, "12.1", f"{where} {unit.hex}", _MEANS_NECROMANCER, urgent=True))
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
