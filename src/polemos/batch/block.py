"""Records of one kind in one block of memory, and arrays over their fields that share it."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, cast

import numpy as np

from polemos.kernel.mode import INTERPRETED
from polemos.kernel.record import Many, Record
from polemos.kernel.spaces import field_of

LINE = 64  # bytes: where memory begins that other libraries take as it is


class Block:
    """`count` records one after the other, of each no more than `extent` bytes."""

    def __init__(self, record: type[Record], count: int, extent: int | None, layout: np.dtype[Any]) -> None:
        whole = layout.itemsize
        self.record, self.count, self.layout = record, count, layout
        self.extent = whole if extent is None else min(whole, extent)
        self.stride = min(whole, -(-self.extent // 8) * 8)
        # The last record is whole: rules may be handed any of them as one.
        self.size = max(0, count - 1) * self.stride + whole

    def strided(self, field: str, lead: tuple[int, ...], shape: tuple[int, ...]) -> dict[str, Any]:
        """What NumPy and CUDA want to know of an array over a field: `lead` divides the records, `shape` the field."""
        kind, offset = field_of(self.layout, field)
        strides = (*strides_of(lead, self.stride), *strides_of(shape, kind.itemsize))
        return {"shape": (*lead, *shape), "dtype": kind, "offset": offset, "strides": strides}


class HostBlock(Block):
    """A block in the memory of the computer."""

    def __init__(self, record: type[Record], count: int, extent: int | None = None) -> None:
        super().__init__(record, count, extent, record.dtype)
        self.bytes = _zeros(self.size)
        dense: Any = np.ndarray((count,), dtype=record.dtype, buffer=self.bytes.data, strides=(self.stride,))
        records = dense.view(cast(Any, Many))
        records.record = record
        self.records: Many[Any] = records
        # Compiled rules take plain arrays sooner; interpreted rules need records.
        self._rows: Any = records if INTERPRETED else dense

    def part(self, first: int, after: int) -> Any:
        """Some of the records, for the rules."""
        if first == 0 and after == self.count:
            return self._rows
        return self.records.part(first, after) if INTERPRETED else self._rows[first:after]

    def array(self, field: str, lead: tuple[int, ...], shape: tuple[int, ...] = ()) -> Any:
        """A field of all records as one array."""
        return np.ndarray(buffer=self.bytes.data, **self.strided(field, lead, shape))

    @cached_property
    def plain(self) -> Any:
        """The records as a structured array. Each ends with what is in use of it: then the next one begins."""
        kind = in_use(self.layout, self.extent)
        return np.ndarray((self.count,), dtype=kind, buffer=self.bytes.data, strides=(self.stride,))

    def memory(self, lead: tuple[int, ...]) -> Any:
        """The bytes of the records without gaps; `lead` divides the records."""
        return self.bytes[: self.count * self.stride].reshape(*lead, self.stride)


def in_use(layout: np.dtype[Any], extent: int) -> np.dtype[Any]:
    """The layout of records of which only so many bytes are in use: the array at the end is as long as it fits in."""
    if layout.itemsize <= extent:
        return layout
    names, formats, offsets = [], [], []
    for name in layout.names or ():
        kind, offset = layout.fields[name][:2]  # type: ignore[index]
        room = extent - offset
        if kind.subdtype is not None and kind.itemsize > room:
            one, (_, *rest) = kind.subdtype
            kind = np.dtype((one, (room // (one.itemsize * math.prod(rest)), *rest)))
        names.append(name)
        formats.append(in_use(kind, room))
        offsets.append(offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": extent})


def is_on_device(array: Any) -> bool:
    """Whether an array is in the memory of a GPU. Those of PyTorch and JAX have this elsewhere too: it fails."""
    try:
        return array.__cuda_array_interface__ is not None
    except AttributeError:
        return False


def bytes_of(records: Many[Any]) -> Any:
    """The bytes of every record, (count, bytes), sharing memory."""
    numbers = records.numbers()
    shape, strides = (len(numbers), numbers.dtype.itemsize), (*numbers.strides, 1)
    return np.lib.stride_tricks.as_strided(numbers.getfield(np.uint8), shape, strides)


def _zeros(size: int) -> Any:
    """So many bytes from the beginning of a cache line on. JAX would copy them otherwise."""
    room = np.zeros(size + LINE, dtype=np.uint8)
    first = -room.ctypes.data % LINE
    return room[first : first + size]


def strides_of(shape: tuple[int, ...], innermost: int) -> tuple[int, ...]:
    """Steps through an array whose last axis has this step."""
    steps = [innermost]
    for length in reversed(shape[1:]):
        steps.append(steps[-1] * length)
    return tuple(reversed(steps)) if shape else ()
