"""DLPack for arrays that NumPy does not know: a capsule with which another library shares their memory.

NumPy's own arrays have all of this. Numba's device arrays have the CUDA array interface only, which says nothing about
how long the memory lives.
"""

from __future__ import annotations

import atexit
import ctypes as c
from typing import Any, Final

import numpy as np

CPU: Final = 1  # kinds of devices, as DLPack counts them
CUDA: Final = 2

_NAME: Final = b"dltensor"
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


_lent: dict[int, tuple[_Managed, Any]] = {}  # by address: tensors that somebody may still read, and their owners


def _python(name: str, result: Any, *arguments: Any) -> Any:
    """A function of Python itself; by index, so that nobody else's declaration of it is changed."""
    found = c.pythonapi[name]
    found.restype, found.argtypes = result, arguments
    return found


_new_capsule: Final = _python("PyCapsule_New", c.py_object, c.c_void_p, c.c_char_p, c.c_void_p)
_is_valid: Final = _python("PyCapsule_IsValid", c.c_int, c.c_void_p, c.c_char_p)
_pointer_in: Final = _python("PyCapsule_GetPointer", c.c_void_p, c.c_void_p, c.c_char_p)
_keep: Final = _python("Py_IncRef", None, c.py_object)
_harmless: Final = _python("Py_IsInitialized", c.c_int)


@c.CFUNCTYPE(None, c.c_void_p)  # type: ignore[untyped-decorator]
def _give_back(managed: int) -> None:
    """Whoever took the tensor needs it no more."""
    _lent.pop(managed, None)


@c.PYFUNCTYPE(None, c.c_void_p)  # type: ignore[untyped-decorator]
def _drop(capsule: int) -> None:
    """The capsule goes: if nobody took the tensor out of it (and gave it another name), nobody will give it back."""
    if _is_valid(capsule, _NAME):
        _lent.pop(_pointer_in(capsule, _NAME), None)


@atexit.register
def _let_go() -> None:
    """Libraries may give tensors back when Python is gone already: what they call then does nothing, and what they read
    is still there. Without a function to call, which DLPack allows, JAX dies."""
    for managed, _ in _lent.values():
        managed.deleter = c.cast(_harmless, c.c_void_p)
        _keep(managed)


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
    _lent[at] = (managed, (owner, lengths, steps))
    return _new_capsule(at, _NAME, c.cast(_drop, c.c_void_p))
