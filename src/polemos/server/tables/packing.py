"""Large frames in a quarter of the bytes: long lists of objects as columns, and one phrase for many events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from polemos.wire.table import Bulk, Rows

MANY: Final = 40  # objects of one kind


def events(game: Any, told: Sequence[Any]) -> tuple[list[Any], tuple[Bulk, ...]]:
    """Events to be told one by one, and the kinds of which there are many. What the time line marks is always told."""
    if len(told) <= MANY:
        return list(told), ()
    plain = msgspec.to_builtins(told)
    alike: dict[tuple[str, str, tuple[str, ...]], list[int]] = {}
    for number, event in enumerate(told):
        phrase = "" if game.is_moment(event) else game.phrase(event)
        if phrase:
            alike.setdefault((phrase, game.rule_of(event), tuple(plain[number])), []).append(number)
    bulk = tuple(
        Bulk(phrase, rule, _runs(numbers), rows([plain[number] for number in numbers]))
        for (phrase, rule, _), numbers in alike.items()
        if len(numbers) > MANY
    )
    apart = {number for numbers in alike.values() if len(numbers) > MANY for number in numbers}
    return [event for number, event in enumerate(told) if number not in apart], bulk


def _runs(numbers: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """
    >>> _runs([3, 4, 5, 9])
    ((3, 3), (9, 1))
    """
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == sum(found[-1]):
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((number, 1))
    return tuple(found)


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
