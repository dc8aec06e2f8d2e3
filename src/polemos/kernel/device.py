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
from polemos.kernel.log import Log, emit
from polemos.kernel.record import Record

Sizes = Mapping[tuple[type[Record], str], int]  # (record, field): entries of the field in this match

LONG = 400  # bytes of Python's code from which on a rule may be called instead of copied to where it is called

_PRIVATE = "_CUDATypingContext__dispatcher"  # where numba-cuda keeps the device version of a function of the CPU


def cut(record: type[Record], sizes: Sizes) -> np.dtype[Any]:
    """The layout of a record whose arrays have as many entries as a match needs."""
    names, formats = [], []
    for name, kind in record._fields_:
        names.append(name)
        formats.append(_format(kind, sizes.get((record, name)), sizes))
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


_given: tuple[Sizes, tuple[Any, ...] | None, int] | None = None  # what device functions were made for


def give_devices(sizes: Sizes, called: tuple[Any, ...] | None = None) -> None:
    """Lets kernels that are compiled from now on use rules, with records cut to these sizes.

    The rules in `called` stay functions of their own, without it all long ones do. That compiles in a fraction of the
    time; a kernel that contains nearly all of them is up to three times as fast. Which ones it should call is found by
    measuring: those that stand in several places, and are so long that code has to be fetched again and again.
    """
    global _given
    wanted = dict(sizes), called, len(rule.RULES)
    if _given == wanted:
        return
    from numba.cuda.dispatcher import CUDADispatcher

    for compiled in rule.RULES:
        text = _emit_nothing if compiled is emit else compiled.py_func
        apart = len(text.__code__.co_code) > LONG if called is None else compiled in called
        setattr(compiled, _PRIVATE, _device(CUDADispatcher, text, sizes, apart))
    _given = wanted


def _emit_nothing(log: Log, kind: int, line: int, a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> None:
    """Nothing is logged on a device. Kernels that know it are half as long."""


def _device(dispatcher: Any, f: Any, sizes: Sizes, apart: bool) -> Any:
    made = dispatcher(f, {"device": True, "debug": False, "opt": True})
    plain = made.compile_device

    def compile_device(args: Any, return_type: Any = None) -> Any:
        declared = rule.signature(f, lambda record: cut(record, sizes))
        result = plain(tuple(declared.args), declared.return_type)
        if apart:
            for function in result.library._module.functions:
                if not function.is_declaration:
                    function.attributes.add("noinline")
        return result

    made.compile_device = compile_device
    return made
