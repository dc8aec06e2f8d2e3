"""DLPack for arrays that NumPy does not know: a capsule with which another library shares their memory.

NumPy's own arrays have all of this. Numba's device arrays have the CUDA array interface only, which says nothing about
how long the memory lives.
"""

from __future__ import annotations

import atexit
import ctypes as c
import sys
from typing import Any, Final, NamedTuple

import numpy as np

CPU: Final = 1  # kinds of devices, as DLPack counts them
CUDA: Final = 2

_NAME: Final = b"dltensor"
_OURS: Final = 2  # references to a capsule that only we have: ours, and that of whoever counts
_CODES: Final = {"i": 0, "u": 1, "f": 2, "b": 6}


class _Device(c.Structure):
    _fields_ = (("kind", c.c_int32), ("number", c.c_int32))


class _Type(c.Structure):
    _fields_ = (("code", c.c_uint8), ("bits", c.c_uint8), ("lanes", c.c_uint16))


class _Tensor(c.Structure):
    _fields_ = (
        ("data", c.c_void_p),
        ("device", _Device),
        ("axes", c.c_int32),
        ("type", _Type),
        ("shape", c.POINTER(c.c_int64)),
        ("strides", c.POINTER(c.c_int64)),  # in entries, not in bytes
        ("offset", c.c_uint64),
    )


class _Managed(c.Structure):
    _fields_ = (("tensor", _Tensor), ("context", c.c_void_p), ("deleter", c.c_void_p))


class _Lent(NamedTuple):
    """A tensor that somebody may still read, with what must live as long."""

    managed: _Managed
    capsule: Any
    owner: Any


_lent: dict[int, _Lent] = {}  # by address


def _python(name: str, result: Any, *arguments: Any) -> Any:
    """A function of Python itself; by index, so that nobody else's declaration of it is changed."""
    found = c.pythonapi[name]
    found.restype, found.argtypes = result, arguments
    return found


_new_capsule: Final = _python("PyCapsule_New", c.py_object, c.c_void_p, c.c_char_p, c.c_void_p)
_is_valid: Final = _python("PyCapsule_IsValid", c.c_int, c.py_object, c.c_char_p)
_keep: Final = _python("Py_IncRef", None, c.py_object)
_harmless: Final = _python("Py_IsInitialized", c.c_int)


@c.CFUNCTYPE(None, c.c_void_p)  # type: ignore[untyped-decorator]
def _give_back(managed: int) -> None:
    """Whoever took the tensor needs it no more."""
    _lent.pop(managed, None)


def _sweep() -> None:
    """Forgets capsules that nobody holds any more and nobody took the tensor out of (which gives it another name).

    A destructor can't do that: libraries drop a capsule that they refuse while their own error is on its way, and
    Python code that runs then replaces it by an error that nobody understands.
    """
    for at, lent in list(_lent.items()):
        if _is_valid(lent.capsule, _NAME) and sys.getrefcount(lent.capsule) <= _OURS:
            _lent.pop(at, None)


@atexit.register
def _let_go() -> None:
    """Libraries may give tensors back when Python is gone already: what they call then does nothing, and what they read
    is still there. Without a function to call, which DLPack allows, JAX dies."""
    for lent in list(_lent.values()):
        lent.managed.deleter = c.cast(_harmless, c.c_void_p)
        _keep(lent)


def capsule(
    address: int,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    kind: np.dtype[Any],
    device: tuple[int, int],
    owner: Any,
) -> Any:
    """A capsule for an array at this address, with strides in bytes. `owner` lives as long as somebody uses it."""
    code = _CODES.get(kind.kind)
    if code is None or any(step % kind.itemsize for step in strides):
        raise BufferError(f"DLPack has no arrays of {kind}: take a field of the records.")
    lengths, steps = (c.c_int64 * len(shape))(*shape), (c.c_int64 * len(shape))(*(s // kind.itemsize for s in strides))
    tensor = _Tensor(address, _Device(*device), len(shape), _Type(code, 8 * kind.itemsize, 1), lengths, steps, 0)
    managed = _Managed(tensor, None, c.cast(_give_back, c.c_void_p))
    at = c.addressof(managed)
    _sweep()
    found = _new_capsule(at, _NAME, None)
    _lent[at] = _Lent(managed, found, (owner, lengths, steps))
    return found
