"""Packs large frames into a quarter of the bytes: long lists of objects as columns, one phrase for many events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

import msgspec

from polemos.kernel.capabilities.phrased_orders import PhrasedOrders
from polemos.kernel.chronicle import Chronicle, Event
from polemos.kernel.game import AnyGame
from polemos.kernel.scenes import runs
from polemos.wire.table import Bulk, Lot, Rows

MANY: Final = 40  # objects of one kind, at least, to pack them
LINES: Final = 8  # of a sheet, at least, to pack it: orders have many fields in common


def events(chronicle: Chronicle, told: Sequence[Event]) -> tuple[list[Event], tuple[Bulk, ...]]:
    """The events to send one by one, and the kinds to send in bulk. Events marked on the timeline are never in bulk."""
    if len(told) <= MANY:
        return list(told), ()
    phrases = {kind.type: kind.says for kind in chronicle.kinds if isinstance(kind.says, str) and not kind.is_moment}
    plain = msgspec.to_builtins(told)
    alike: dict[tuple[Any, ...], list[int]] = {}
    for number, (event, one) in enumerate(zip(told, plain, strict=True)):
        alike.setdefault((type(event), event.rule, *one), []).append(number)
    many = [
        (phrase, numbers)
        for (type_, *_), numbers in alike.items()
        if len(numbers) > MANY and (phrase := phrases.get(type_))
    ]
    bulk = tuple(
        Bulk(
            phrase,
            told[numbers[0]].rule,
            runs(numbers),
            rows([plain[number] for number in numbers]),
            chronicle.seat_field(told[numbers[0]]),
        )
        for phrase, numbers in many
    )
    apart = {number for _, numbers in many for number in numbers}
    return [event for number, event in enumerate(told) if number not in apart], bulk


def sheets(game: AnyGame, orders: Mapping[str, Sequence[Any]]) -> dict[str, tuple[Lot, ...]]:
    """Long sheets as lots of similar orders; unreadable lines are in none of them."""
    return {seat: _lots(game, lines) for seat, lines in orders.items() if len(lines) > LINES}


def _lots(game: AnyGame, orders: Sequence[Any]) -> tuple[Lot, ...]:
    phrased = game if isinstance(game, PhrasedOrders) else None
    objects = msgspec.to_builtins(orders)
    alike: dict[tuple[str, ...], list[int]] = {}
    for number, (order, one) in enumerate(zip(orders, objects, strict=True)):
        if order is not None:
            alike.setdefault((phrased.order_phrase(order) if phrased else "", *one), []).append(number)
    return tuple(
        Lot(runs(numbers), rows([objects[number] for number in numbers]), phrase)
        for (phrase, *_), numbers in alike.items()
    )


def is_phrased(lots: Sequence[Lot], lines: int) -> bool:
    """Whether the text of every line follows from its order."""
    return all(lot.phrase for lot in lots) and sum(lot.rows.count for lot in lots) == lines


def view(seen: Any) -> tuple[Any, tuple[str, ...]]:
    """A view with its long lists as rows, and the names of those lists."""
    long = [name for name in seen.__struct_fields__ if _is_long(getattr(seen, name))]
    if not long:
        return seen, ()
    plain = msgspec.to_builtins(seen)
    packed = [name for name in long if _are_alike(plain.get(name))]
    return {**plain, **{name: rows(plain[name]) for name in packed}}, tuple(packed)


def rows(objects: Sequence[dict[str, Any]]) -> Rows:
    """
    >>> rows([{"kind": "ant", "at": 1}, {"kind": "ant", "at": 2}])
    Rows(count=2, same={'kind': 'ant'}, columns={'at': (1, 2)})
    """
    columns = {name: tuple(map(itemgetter(name), objects)) for name in objects[0]}
    same = {name: column[0] for name, column in columns.items() if column.count(column[0]) == len(column)}
    return Rows(len(objects), same, {name: column for name, column in columns.items() if name not in same})


def _is_long(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes) and len(value) > MANY


def _are_alike(objects: Any) -> bool:
    """Whether these are objects with the same fields in the same order."""
    if not all(isinstance(one, dict) for one in objects):
        return False
    return len(set(map(tuple, objects))) == 1
