"""Between orders as players give them and the records of the rules; refusals in words."""

from __future__ import annotations

from typing import Final

from polemos.games.minions.maps import hex_name, hex_of
from polemos.games.minions.notation import (
    Attack,
    Blink,
    Buy,
    Choose,
    End,
    Move,
    Order,
    Resign,
    Spawn,
    Spells,
    Tick,
    pair_of,
    unreadable,
)
from polemos.games.minions.setup import table_in
from polemos.games.minions.state import (
    ATTACK,
    BLINKING,
    BLINKS,
    BUY,
    CHOOSE,
    END,
    KEEP_DEAREST,
    KEEP_NONE,
    MARCH,
    MOVE,
    NO_CARD,
    RESIGN,
    SPAWNING,
    SPELLS,
    State,
)
from polemos.games.minions.state import Order as OrderRecord
from polemos.games.minions.tables import Unit, UnitTable
from polemos.kernel.errors import IllegalOrder


def record_of(state: State, order: Order, line: int = 0) -> OrderRecord:
    """4.3 The record of an order, with its line; raises a NotationError for names that this match does not know."""
    table = table_in(state)
    record = OrderRecord(keep=KEEP_DEAREST, count=1, line=line)
    if isinstance(order, Spells):
        _enter_spells(record, order, state, table)
        return record
    if isinstance(order, End):
        record.kind = END
        return record
    record.board = _board(state, order.board)
    match order:
        case Move() | Attack():
            record.kind = MOVE if isinstance(order, Move) else ATTACK
            record.start[0], record.target[0] = hex_of(order.start), hex_of(order.target)
        case Tick():
            record.kind, record.count = MOVE, len(order.moves)
            for i, pair in enumerate(order.moves):
                record.start[i], record.target[i] = pair_of(pair)
        case Blink():
            if not state.switches & BLINKS:
                raise unreadable("No unit can blink under these rules.")
            record.kind, record.start[0] = BLINKING, hex_of(order.start)
        case Buy():
            record.kind, record.type = BUY, _anybody(table, order.unit)
        case Spawn():
            record.kind, record.type, record.target[0] = SPAWNING, _unit(table, order.unit), hex_of(order.target)
        case Choose():
            record.kind, record.type = CHOOSE, _necromancer(table, order.necromancer)
            if order.keep is not None:
                record.keep = KEEP_NONE if order.keep.lower() == "none" else _unit(table, order.keep)
        case Resign():
            record.kind = RESIGN
    return record


def order_of(table: UnitTable, board: int, kind: int, start: int, target: int, type: int, swap: int = 0) -> Order:
    """The order that a choice of the rules stands for, as players give it; boards count from 1."""
    if kind == MOVE and swap:
        here, there = hex_name(start), hex_name(target)
        return Tick(board, (f"{here}-{there}", f"{there}-{here}"))
    if kind in (MOVE, ATTACK):
        return (Move if kind == MOVE else Attack)(board, hex_name(start), hex_name(target))
    if kind == BLINKING:
        return Blink(board, hex_name(start))
    if kind == BUY:
        return Buy(board, table.types[type].letter)
    if kind == SPAWNING:
        return Spawn(board, table.types[type].letter, hex_name(target))
    if kind == CHOOSE:
        keep = None if start == KEEP_DEAREST else table.types[start].letter
        return Choose(board, table.types[type].name, keep)
    if kind == SPELLS:
        return Spells(("march" if start == MARCH else f"tech {start + 1}",))
    return Resign(board) if kind == RESIGN else End()


def _board(state: State, number: int | None) -> int:
    if number is None and state.boards > 1:
        raise unreadable(f"Say which of the {state.boards} boards you mean.")
    if number is not None and number > state.boards:
        raise unreadable(f"There is no board {number}; boards are 1 to {state.boards}.")
    return (number or 1) - 1


def _unit(table: UnitTable, word: str) -> int:
    found = _found(table.units, word)
    if found < 0:
        raise unreadable(f"There is no unit called {word[:20]!r}.")
    return found


def _anybody(table: UnitTable, word: str) -> int:
    """A unit, or a necromancer, who cannot be bought (9.2)."""
    return _unit(table, word) if _found(table.units, word) >= 0 else _necromancer(table, word)


def _found(units: tuple[Unit, ...], word: str) -> int:
    for index, unit in enumerate(units):
        if word.lower() in (unit.name.lower(), unit.letter.lower()):
            return index
    return -1


def _necromancer(table: UnitTable, word: str) -> int:
    for index, unit in enumerate(table.necromancers):
        if word.lower() == unit.name.lower():
            return len(table.units) + index
    raise unreadable(f"There is no necromancer called {word[:20]!r}.")


def _enter_spells(record: OrderRecord, order: Spells, state: State, table: UnitTable) -> None:
    record.kind, record.count = SPELLS, len(order.spells)
    for i, spell in enumerate(order.spells):
        record.start[i] = MARCH if spell == "march" else _card(state, table, spell.removeprefix("tech "))


def _card(state: State, table: UnitTable, word: str) -> int:
    """8.9 A place from 1, or the letter or name of a type; -2 for what the line does not have."""
    if word.isdigit():
        return int(word) - 1 if 1 <= int(word) <= state.cards else NO_CARD
    kind = _found(table.units, word)
    if kind < 0:
        raise unreadable(f"There is no unit called {word[:20]!r}.")
    places = [place for place in range(state.cards) if state.card[place] == kind]
    return places[0] if places else NO_CARD


_WHY: Final = {
    406: "You have to choose a necromancer there first.",
    407: "The attack phase on this board is over, because you have bought or spawned there.",
    408: "You have already ended the turn.",
    502: "You have no unit there.",
    503: "A unit can move only once in a tick, and to another hex.",
    504: "That unit has already moved this turn.",
    505: "That unit has already attacked this turn.",
    506: "The hex is taken.",
    507: "Two units can't move to the same hex.",
    508: "That is too far for the unit's speed.",
    509: "There is no way there over land without enemies.",
    601: "You can only attack an enemy unit with one of your own.",
    602: "The target is out of range.",
    604: "That unit has already attacked this turn.",
    605: "That unit has used all its attacks this turn.",
    606: "That unit has used all its attacks this turn.",
    607: "That unit has already attacked this turn.",
    608: "Deathtouch can't be used on a necromancer.",
    702: "A Lumbering unit can't attack after it has moved.",
    803: "You don't have enough money for this spell.",
    805: "You can tech a card only if you have exactly one spell under it.",
    806: "The enemy has already teched this card.",
    809: "There is no such card, or no card left to march to.",
    901: "You can't buy or spawn on this board this turn.",
    902: "You can't buy this unit yet: its card must have been teched before this turn.",
    903: "You don't have enough money.",
    904: "There is no such unit in your zone on this board.",
    905: "The hex is not empty.",
    906: "You can only spawn next to one of your units with Spawn.",
    907: "You can't spawn next to a unit that was spawned this turn.",
    908: "Only Flying units can be spawned on water.",
    1003: "You have just lost this board, so you can't give orders there this turn.",
    1007: "You can't choose a necromancer there now, or not this one.",
    1008: "You have already used that necromancer.",
    1010: "You must keep exactly one unit of the zone.",
    1302: "You have resigned this board.",
    1305: "Too many of your orders were refused, so the turn is over.",
    1602: "The zone is full.",
    1703: "That unit can't blink.",
}


def paragraph(fault: int) -> str:
    """506 is 5.6."""
    return f"{fault // 100}.{fault % 100}"


def refusal(fault: int) -> IllegalOrder:
    """The refusal that a rule returned, in words."""
    return IllegalOrder(_WHY[fault], rule=paragraph(fault))
