"""Rules on a GPU: the same text, compiled by numba-cuda with the same declared types.

A kernel that calls a rule would compile it with the types of the call site; then a signed number meets an unsigned one
differently from the CPU, and no state is equal. So every rule gets a device function that always compiles the
signature of its annotations.

Records can be cut: a match that uses a prefix of a record gets a type that is no longer than that, on the device only.
"""

from __future__ import annotations

import ctypes as c
from collections.abc import Mapping
from typing import Any

import numpy as np

from polemos.kernel import rule
from polemos.kernel.record import Record

Sizes = Mapping[tuple[str, str], int]  # (record, field): entries of the field in this match

_PRIVATE = "_CUDATypingContext__dispatcher"  # where numba-cuda keeps the device version of a function of the CPU


def cut(record: type[Record], sizes: Sizes) -> np.dtype[Any]:
    """The layout of a record whose arrays have as many entries as a match needs."""
    names, formats = [], []
    for name, kind in record._fields_:
        names.append(name)
        formats.append(_format(kind, sizes.get((record.__name__, name)), sizes))
    made = np.dtype({"names": names, "formats": formats}, align=True)
    return record.dtype if made == record.dtype else made


def _format(kind: Any, count: int | None, sizes: Sizes) -> Any:
    shape = []
    while issubclass(kind, c.Array):
        shape.append(kind._length_)
        kind = kind._type_
    one = cut(kind, sizes) if issubclass(kind, Record) else np.dtype(kind)
    if count is not None:
        (length,) = shape
        return (one, (min(length, count),))
    return (one, tuple(shape)) if shape else one


def give_devices(sizes: Sizes) -> None:
    """Lets kernels that are compiled from now on call rules, with records cut to these sizes."""
    from numba.cuda.dispatcher import CUDADispatcher

    for compiled in rule.RULES:
        setattr(compiled, _PRIVATE, _device(CUDADispatcher, compiled.py_func, sizes))


def _device(dispatcher: Any, f: Any, sizes: Sizes) -> Any:
    made = dispatcher(f, {"device": True, "debug": False, "opt": True})
    plain = made.compile_device

    def compile_device(args: Any, return_type: Any = None) -> Any:
        declared = rule.signature(f, lambda record: cut(record, sizes))
        return plain(tuple(declared.args), declared.return_type)

    made.compile_device = compile_device
    return made
