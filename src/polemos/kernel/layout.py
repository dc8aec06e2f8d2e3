"""The layout of a record in memory: names, places and sizes of its fields, also inside the records that it holds.

Programs in other languages read records by their bytes. They compare `layout` before they do.
"""

from __future__ import annotations

import ctypes as c
import hashlib
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from polemos.kernel.record import Record


class Field(Struct, frozen=True):
    """A field of a record: `shape` is empty for a single value, `kind` a record or a simple type of ctypes."""

    name: str
    offset: int
    kind: Any
    shape: tuple[int, ...]


def fields_of(record: type[Record]) -> list[Field]:
    """The fields of a record, in order."""
    found = []
    for name, kind in record._fields_:
        shape = []
        while issubclass(kind, c.Array):
            shape.append(kind._length_)
            kind = kind._type_
        descriptor: Any = vars(record)[name]
        found.append(Field(name, descriptor.offset, kind, tuple(shape)))
    return found


def with_parts(*records: type[Record]) -> list[type[Record]]:
    """These records and all that they hold, each after the records that it holds itself."""
    found: dict[type[Record], None] = {}
    for record in records:
        for field in fields_of(record):
            if issubclass(field.kind, Record):
                found |= dict.fromkeys(with_parts(field.kind))
        found[record] = None
    return list(found)


def layout(record: type[Record]) -> str:
    """16 hexadecimal digits that identify the layout: they change if a field is added, renamed, moved or resized."""
    text = "\n".join(_lines(record, ""))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _lines(record: type[Record], path: str) -> Iterator[str]:
    yield f"{path} {record.dtype.itemsize}"
    for field in fields_of(record):
        at = f"{path}.{field.name}"
        if issubclass(field.kind, Record):
            yield f"{at} {field.offset} {field.shape}"
            yield from _lines(field.kind, at)
        else:
            yield f"{at} {field.offset} {field.shape} {field.kind.__name__}"
