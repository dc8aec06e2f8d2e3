"""Numba's device arrays with DLPack. Not for the simulator, which has no such arrays."""

from __future__ import annotations

from typing import Any

from numba import cuda
from numba.cuda.cudadrv.devicearray import DeviceNDArray

from polemos.batch.dlpack import CUDA, capsule

_UNORDERED = -1  # in place of a stream: whoever takes the array sees to it that it is complete


class LentArray(DeviceNDArray):  # type: ignore[misc]
    """An array on the device that PyTorch, JAX and CuPy take without a copy."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, int(self.gpu_data.context.device.id)

    def __dlpack__(
        self, *, stream: Any = None, dl_device: tuple[Any, int] | None = None, copy: bool | None = None, **how: Any
    ) -> Any:
        """The capsule. Kernels that are under way are waited for: libraries have streams of their own."""
        if copy:
            raise BufferError("This array is lent, not copied.")
        device = self.__dlpack_device__()
        if dl_device is not None and (int(dl_device[0]), int(dl_device[1])) != device:
            raise BufferError("This array is on a GPU. copy_to_host() brings it to the computer.")
        if stream != _UNORDERED:
            cuda.synchronize()
        address = self.__cuda_array_interface__["data"][0]
        return capsule(address, self.shape, self.strides, self.dtype, device, self)
