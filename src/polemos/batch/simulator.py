"""CUDA's simulator: kernels in Python, so that they can be tried where there is no GPU.

It hands kernels NumPy's scalars, whose narrow arithmetic interpreted rules do not mean. So records are laid over its
arrays, as interpreted rules have them everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import config, cuda

from polemos.kernel.record import Many, Record

SIMULATED: bool = bool(config.ENABLE_CUDASIM)


def records_for(record: type[Record]) -> Callable[[Any], Any]:
    """What a kernel calls on an array of these records before it passes it to a rule."""
    if not SIMULATED:
        return cast(Callable[[Any], Any], _same)

    def records_of(array: Any) -> Any:
        records = _plain(array).view(cast(Any, Many))
        records.record = record
        return records

    return records_of


def _plain(array: Any) -> Any:
    """The NumPy array under the simulator's wrappers."""
    while not isinstance(array, np.ndarray):
        wrapper = vars(array)
        array = wrapper.get("_item", wrapper.get("_ary"))
    return array


if SIMULATED:
    from numba.cuda.simulator import kernelapi

    _plain_array = kernelapi.FakeCUDALocal.array

    def _aligned(self: Any, shape: Any, dtype: Any, alignment: int | None = None) -> Any:
        """Local arrays with a third parameter, which Numba's own simulator does not know."""
        return _plain_array(self, shape, dtype)

    kernelapi.FakeCUDALocal.array = _aligned


def wrapped(array: Any) -> Any:
    """An array as the simulator's kernels take it: without a copy."""
    from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

    return FakeCUDAArray(array)


if not SIMULATED:

    @cuda.jit(device=True)
    def _same(array):  # type: ignore[no-untyped-def]
        return array
