"""Large frames in a quarter of the bytes: long lists of objects as columns, and one phrase for many events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from polemos.kernel.chronicle import Chronicle, Event
from polemos.kernel.scenes import runs
from polemos.wire.table import Bulk, Lot, Rows

MANY: Final = 40  # objects of one kind


def events(chronicle: Chronicle, told: Sequence[Event]) -> tuple[list[Event], tuple[Bulk, ...]]:
    """Events to be told one by one, and the kinds of which there are many. What the time line marks is always told."""
    if len(told) <= MANY:
        return list(told), ()
    plain = msgspec.to_builtins(told)
    alike: dict[tuple[str, str, tuple[str, ...]], list[int]] = {}
    for number, event in enumerate(told):
        phrase = "" if chronicle.is_moment(event) else chronicle.phrase(event)
        if phrase:
            alike.setdefault((phrase, event.rule, tuple(plain[number])), []).append(number)
    bulk = tuple(
        Bulk(
            phrase,
            rule,
            runs(numbers),
            rows([plain[number] for number in numbers]),
            chronicle.seat_field(told[numbers[0]]),
        )
        for (phrase, rule, _), numbers in alike.items()
        if len(numbers) > MANY
    )
    apart = {number for numbers in alike.values() if len(numbers) > MANY for number in numbers}
    return [event for number, event in enumerate(told) if number not in apart], bulk


def sheets(orders: Mapping[str, Sequence[Any]]) -> dict[str, tuple[Lot, ...]]:
    """Long sheets as lots of orders of one form each; a line that could not be read is in none of them."""
    return {seat: _lots(msgspec.to_builtins(lines)) for seat, lines in orders.items() if len(lines) > MANY}


def _lots(objects: Sequence[dict[str, Any] | None]) -> tuple[Lot, ...]:
    alike: dict[tuple[str, ...], list[int]] = {}
    for number, one in enumerate(objects):
        if one is not None:
            alike.setdefault(tuple(one), []).append(number)
    return tuple(
        Lot(runs(numbers), rows([one for number in numbers if (one := objects[number]) is not None]))
        for numbers in alike.values()
    )


def view(seen: Any) -> tuple[Any, tuple[str, ...]]:
    """A view with its long lists as rows, and the names of these."""
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
    columns = {name: tuple(one[name] for one in objects) for name in objects[0]}
    same = {name: column[0] for name, column in columns.items() if all(value == column[0] for value in column)}
    return Rows(len(objects), same, {name: column for name, column in columns.items() if name not in same})


def _is_long(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes) and len(value) > MANY


def _are_alike(objects: Any) -> bool:
    """Whether these are objects with the same fields in the same order."""
    return isinstance(objects[0], dict) and all(
        isinstance(one, dict) and one.keys() == objects[0].keys() for one in objects
    )
