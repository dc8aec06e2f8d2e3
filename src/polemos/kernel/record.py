"""Records: annotated classes over one block of bytes that Python, mypy and the compiler all understand.

    class Hex(Record):
        owner: i8
        regiments: Array[i16] = size(3)

Underneath is a ctypes structure; the NumPy dtype is derived from it. Memory starts zeroed and padding stays zero, so
equality, digest and saving use the raw bytes. When rules run interpreted, records are strict: a negative index or a
value that does not fit its field raises, where compiled code would silently wrap.
"""

from __future__ import annotations

import ctypes as c
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    Protocol,
    Self,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from polemos.kernel.mode import INTERPRETED

T = TypeVar("T")

i8 = Annotated[int, c.c_int8]
i16 = Annotated[int, c.c_int16]
i32 = Annotated[int, c.c_int32]
i64 = Annotated[int, c.c_int64]
u64 = Annotated[int, c.c_uint64]  # only for keys of dice: mixing it with signed numbers changes its meaning


class Array(Protocol[T]):
    """A fixed array inside a record; its length is given by `size`."""

    def __getitem__(self, index: int, /) -> T: ...
    def __setitem__(self, index: int, value: T, /) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[T]: ...


def size(*shape: int) -> Any:
    """The lengths of an array field; typed Any so that `hexes: Array[Hex] = size(61)` type-checks."""
    return shape


def _check_index(array: Any, index: int) -> None:
    if not 0 <= index < len(array):
        raise IndexError(f"index {index} outside 0..{len(array) - 1}")


def _strict(ctype: Any) -> Any:
    """The array type, refusing negative indices and values that do not fit. For interpreted rules only."""
    simple = issubclass(ctype._type_, c._SimpleCData)

    class Strict(ctype):  # type: ignore[misc]
        def __getitem__(self, index: int) -> Any:
            _check_index(self, index)
            return super().__getitem__(index)

        def __setitem__(self, index: int, value: Any) -> None:
            _check_index(self, index)
            super().__setitem__(index, value)
            if simple and super().__getitem__(index) != value:
                raise OverflowError(f"{value} does not fit {ctype._type_.__name__}")

    return Strict


def _ctype(hint: Any, shape: tuple[int, ...], where: str) -> Any:
    while get_origin(hint) is Array:
        (hint,) = get_args(hint)
    ctype = c.c_bool if hint is bool else hint.__metadata__[0] if hasattr(hint, "__metadata__") else hint
    if shape and ctype is c.c_bool:
        raise TypeError(f"{where}: arrays of bool do not compile, use i8")
    if not isinstance(ctype, type) or not issubclass(ctype, (c._SimpleCData, c.Structure)):
        raise TypeError(f"{where}: {hint!r} is not a fixed-size type")
    for n in reversed(shape):
        ctype = ctype * n
        if INTERPRETED:
            ctype = _strict(ctype)
    return ctype


def _copy(to: Any, of: Any) -> None:
    """Copies only the bytes in use: in a dense batch the next record begins right after them."""
    c.memmove(c.addressof(to), c.addressof(of), of.extent())


class _Layout(type(c.Structure)):  # type: ignore[misc]
    """Turns the annotations of a class into its fields."""

    def __new__(cls: Any, name: str, bases: Any, body: dict[str, Any]) -> Any:
        return super().__new__(cls, name, bases, {"__slots__": (), **body})  # so a misspelt field raises

    def __init__(cls: Any, name: str, bases: Any, body: dict[str, Any]) -> None:
        super().__init__(name, bases, body)
        if bases[0] is c.Structure or name == "Record":
            return
        if bases[0] is not Record:
            raise TypeError(f"{name}: a record can only inherit from Record; put the other record into a field instead")
        hints = get_type_hints(cls, include_extras=True)
        for field in cls.__annotations__:
            if hasattr(Record, field) or field == "dtype":
                raise TypeError(f"{name}.{field}: the name is taken by Record")
        # Here and not in __init_subclass__, because ctypes cannot take fields before this point.
        cls._fields_ = [(f, _ctype(hints[f], cls.__dict__.get(f, ()), f"{name}.{f}")) for f in cls.__annotations__]
        cls.dtype = np.dtype(cls)


if TYPE_CHECKING:

    class _Block:
        """The type checker sees this class: the real stubs of ctypes structures let any misspelt field pass."""

        def __init__(self, **values: Any) -> None: ...
        def __buffer__(self, flags: int, /) -> memoryview: ...
        @classmethod
        def from_buffer_copy(cls, source: Any, offset: int = 0) -> Self: ...
        @classmethod
        def from_buffer(cls, source: Any, offset: int = 0) -> Self: ...

else:

    class _Block(c.Structure, metaclass=_Layout):
        pass


class Record(_Block):
    """A block of bytes with named fields. Copy, compare, digest, save and batch come for free."""

    dtype: ClassVar[np.dtype[Any]]
    data = property(memoryview)  # where the compiler finds the address

    def extent(self) -> int:
        """How many bytes are in use. A record whose last array varies by match overrides this."""
        return c.sizeof(cast(Any, self))

    def raw(self) -> bytes:
        """The bytes in use."""
        return bytes(memoryview(self).cast("B")[: self.extent()])

    @classmethod
    def from_raw(cls, raw: bytes) -> Self:
        """The record with these bytes; bytes that are missing at the end are zero."""
        whole = c.sizeof(cast(Any, cls))
        if len(raw) > whole:
            raise ValueError(f"{cls.__name__} has {whole} bytes, got {len(raw)}")
        return cls.from_buffer_copy(raw.ljust(whole, b"\0"))

    def copy(self) -> Self:
        fresh = type(self)()
        _copy(fresh, self)
        return fresh

    def digest(self) -> str:
        """32 hexadecimal digits that identify the contents."""
        return hashlib.blake2b(self.raw(), digest_size=16).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and type(other) is type(self) and other.raw() == self.raw()

    __hash__ = None  # type: ignore[assignment]

    if INTERPRETED and not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)
            if isinstance(value, int) and getattr(self, name) != value:
                raise OverflowError(f"{type(self).__name__}.{name}: {value} does not fit")

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, as plain numbers, lists and dictionaries.

        >>> class Purse(Record):
        ...     gold: i16
        ...     gems: Array[i8] = size(2)
        >>> Purse(gold=7).to_dict()
        {'gold': 7, 'gems': [0, 0]}
        """
        return {name: _plain(getattr(self, name)) for name, _ in self._fields_}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """The record with these fields; refuses unknown names, wrong lengths and numbers that do not fit."""
        record = cls()
        _fill(record, fields, cls.__name__)
        return record

    _fields_: ClassVar[list[tuple[str, Any]]] = cast(Any, None) if TYPE_CHECKING else []


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, c.Array):
        return [_plain(value[i]) for i in range(len(value))]
    return value


def _fill(record: Any, fields: Any, where: str) -> None:
    if not isinstance(fields, Mapping):
        raise ValueError(f"{where}: expected an object with fields, got {type(fields).__name__}")
    names = [name for name, _ in record._fields_]
    if wrong := sorted(set(fields) ^ set(names)):
        raise ValueError(f"{where}: fields missing or unknown: {', '.join(map(str, wrong))}")
    for name in names:
        old, new = getattr(record, name), fields[name]
        if isinstance(old, Record):
            _fill(old, new, f"{where}.{name}")
        elif isinstance(old, c.Array):
            _fill_array(old, new, f"{where}.{name}")
        else:
            setattr(record, name, _fitting(old, new, f"{where}.{name}"))
            if getattr(record, name) != new:
                raise ValueError(f"{where}.{name}: {new} does not fit")


def _fill_array(array: Any, values: Any, where: str) -> None:
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) != len(array):
        raise ValueError(f"{where}: expected a list of {len(array)} values")
    for i, new in enumerate(values):
        old = array[i]
        if isinstance(old, Record):
            _fill(old, new, f"{where}[{i}]")
        elif isinstance(old, c.Array):
            _fill_array(old, new, f"{where}[{i}]")
        else:
            array[i] = _fitting(old, new, f"{where}[{i}]")
            if array[i] != new:
                raise ValueError(f"{where}[{i}]: {new} does not fit")


def _fitting(old: Any, new: Any, where: str) -> Any:
    if type(new) is not type(old):
        raise ValueError(f"{where}: expected {type(old).__name__}, got {new!r}")
    return new


# ---- arrays of records


if TYPE_CHECKING:

    class Many(Generic[T]):
        """An array of records; `many[i]` is a record that shares its memory."""

        dtype: np.dtype[Any]

        def __getitem__(self, index: int, /) -> T: ...
        def __setitem__(self, index: int, record: T, /) -> None: ...
        def __len__(self) -> int: ...
        def part(self, first: int, after: int) -> Many[T]: ...
        def numbers(self) -> np.ndarray[Any, Any]: ...

else:

    class Many(np.ndarray):
        record = None

        def __array_finalize__(self, source):
            if source is not None:
                self.record = getattr(source, "record", None)

        def __getitem__(self, index):
            if isinstance(index, int) and self.record is not None:
                if index < 0:
                    index += len(self)
                if not 0 <= index < len(self):
                    raise IndexError(f"index {index} outside 0..{len(self) - 1}")
                flat = self.view(np.ndarray)
                return self.record.from_buffer(flat[index : index + 1])
            return super().__getitem__(index)

        def __setitem__(self, index, value):
            if isinstance(value, Record):
                if self.record is not type(value):
                    raise TypeError(f"expected {self.record.__name__}, got {type(value).__name__}")
                _copy(self[index], value)
            else:
                super().__setitem__(index, value)

        def part(self, first, after):
            """The records from `first` to before `after`, sharing memory."""
            return super().__getitem__(slice(first, after))

        def numbers(self):
            """The same memory as a plain structured array."""
            return self.view(np.ndarray)


R = TypeVar("R", bound=Record)


def many(record: type[R], count: int, extent: int | None = None) -> Many[R]:
    """`count` zeroed records in one block; `extent` bytes each for records that only use a prefix.

    Rules must never assign such a record as a whole: the next one begins right after its extent.
    """
    whole = record.dtype.itemsize
    stride = whole if extent is None else min(whole, -(-extent // 8) * 8)
    room = np.zeros(max(0, count - 1) * stride + whole, dtype=np.uint8)
    dense: Any = np.ndarray((count,), dtype=record.dtype, buffer=room.data, strides=(stride,))
    array = dense.view(cast(Any, Many))
    array.record = record
    return cast("Many[R]", array)


# ---- tables of the rule book


def table(rows: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """A constant table of whole numbers for rules: an array when compiled, tuples when interpreted.

    Read each table through one small rule, so that its constants are compiled once.
    """
    if INTERPRETED:
        return tuple(tuple(row) for row in rows)
    values = np.array(rows)
    narrow: Any = values.astype(np.min_scalar_type(-int(abs(values).max()) - 1))
    return cast(tuple[tuple[int, ...], ...], narrow)
