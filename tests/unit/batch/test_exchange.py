"""Other libraries share the memory of a batch: DLPack, with JAX, which takes arrays without gaps only."""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from polemos.batch import Batch, dlpack
from polemos.kernel.errors import BadOptions

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

MATCHES: list[tuple[str, dict[str, Any]]] = [
    ("demons", {"map": "hourglass"}),
    ("minions", {"boards": 3}),
    ("monad", {"seats": 4}),
    ("monarchs", {}),
]
RESULTS = ("rewards", "filed", "over")


class Foreign:
    """An array that has DLPack from us, as those on a device have."""

    def __init__(self, array: Any, device: tuple[int, int] = (dlpack.CPU, 0)) -> None:
        self.array, self.device = array, device

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **how: Any) -> Any:
        array = self.array
        return dlpack.capsule(
            array.ctypes.data, array.shape, array.strides, array.dtype, self.__dlpack_device__(), array
        )


@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_jax_shares_the_memory_of_a_batch(name: str, options: dict[str, Any]) -> None:
    batch = Batch(name, options, 5, threads=1)
    arrays = batch.observe()
    batch.play("random", 3)
    batch.observe()
    for what, names in (
        ("observations", [part.name for part in batch.layout.parts]),
        ("limits", ["limits"]),
        ("places", RESULTS),
    ):
        memory = batch.memory(what)
        taken = jnp.from_dlpack(memory, copy=False)
        assert taken.unsafe_buffer_pointer() == memory.ctypes.data
        for part in names:
            wanted = arrays[part] if part in arrays else getattr(batch, part)
            found = jax.jit(lambda bytes, part=part: batch.part(bytes, part))(taken)
            assert found.dtype == wanted.dtype
            assert (np.asarray(found) == wanted).all()
            assert np.shares_memory(batch.part(memory, part), wanted), "NumPy has a view"


def test_memory_is_named_as_it_is() -> None:
    batch = Batch("monarchs", {}, 3, threads=1)
    assert batch.memory("states").shape == (3, batch.raw("states").shape[1])
    assert batch.memory("sights").shape[:2] == (3, 3)
    for what in ("states", "places", "orders"):
        assert (batch.memory(what) == batch.raw(what)).all()
    with pytest.raises(BadOptions, match="no 'views'"):
        batch.memory("views")
    with pytest.raises(BadOptions, match="no array 'planes'"):
        batch.part(batch.memory(), "planes")
    with pytest.raises(BadOptions, match="'rewards' is not in this memory"):
        batch.part(batch.memory(), "rewards")
    with pytest.warns(UserWarning, match="int64"), pytest.raises(BadOptions, match="jax_enable_x64"):
        batch.part(jnp.from_dlpack(batch.memory("places")), "totals")
    assert (batch.part(batch.memory("places"), "seeds") == batch.seeds).all()


def test_what_is_lent_is_shared_and_given_back() -> None:
    """The capsules with which arrays on a device are lent; here they lie in the memory of the computer."""
    batch = Batch("demons", {"map": "hourglass"}, 4, threads=1)
    board = batch.observe()["board"]
    dlpack._sweep()  # what other tests left
    lent = len(dlpack._lent)
    taken = np.from_dlpack(Foreign(board))
    assert np.shares_memory(taken, board)
    assert (taken == board).all()
    memory = jnp.from_dlpack(Foreign(batch.memory()), copy=False)
    assert memory.unsafe_buffer_pointer() == batch.memory().ctypes.data
    assert len(dlpack._lent) == lent + 2
    unused = Foreign(board).__dlpack__()
    del unused, taken, memory
    gc.collect()
    held = Foreign(board).__dlpack__()  # at the next one, what nobody took is forgotten
    assert len(dlpack._lent) == lent + 1
    del held
    with pytest.raises(BufferError, match="take a field"):
        Foreign(batch.states).__dlpack__()


def test_a_library_that_refuses_a_device_can_say_so() -> None:
    """And what it has not taken is given back."""
    array = np.arange(10)
    lent = len(dlpack._lent)
    for _ in range(5):
        with pytest.raises((RuntimeError, BufferError), match=r"(?i)unsupported device"):
            np.from_dlpack(Foreign(array, (dlpack.CUDA, 0)))
    assert len(dlpack._lent) <= lent + 1


def test_arrays_on_a_device_are_lent_as_they_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a GPU: the array is in the memory of the computer, and says that it is on a device."""
    from polemos.batch import lent

    host = np.arange(12, dtype=np.int32).reshape(3, 4)
    waited: list[bool] = []
    monkeypatch.setattr("numba.cuda.synchronize", lambda: waited.append(True))
    array: Any = lent.LentArray.__new__(lent.LentArray)
    context = SimpleNamespace(device=SimpleNamespace(id=1))
    array.gpu_data = SimpleNamespace(context=context, device_ctypes_pointer=ctypes.c_void_p(host.ctypes.data))
    array.shape, array.strides, array.dtype, array.stream = (3, 2), (16, 8), host.dtype, 0
    assert array.__dlpack_device__() == (dlpack.CUDA, 1)
    pointer_in = dlpack._python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    capsule = array.__dlpack__(stream=lent._UNORDERED)
    tensor = dlpack._Managed.from_address(pointer_in(capsule, b"dltensor")).tensor
    assert waited == [], "whoever takes it sees to the order"
    assert (tensor.data, tensor.device.kind, tensor.device.number) == (host.ctypes.data, dlpack.CUDA, 1)
    assert (tensor.shape[:2], tensor.strides[:2]) == ([3, 2], [4, 2])
    assert (tensor.type.code, tensor.type.bits) == (0, 32)
    array.__dlpack__(stream=7, max_version=(1, 0), dl_device=(dlpack.CUDA, 1))
    assert waited == [True]
    with pytest.raises(BufferError, match="copy_to_host"):
        array.__dlpack__(dl_device=(dlpack.CPU, 0))
    with pytest.raises(BufferError, match="not copied"):
        array.__dlpack__(copy=True)


def test_what_is_lent_at_the_end_does_no_harm() -> None:
    """JAX gives arrays back after Python's end."""
    program = (
        "import jax.numpy as jnp, numpy as np\n"
        "from unit.batch.test_exchange import Foreign\n"
        "taken = jnp.from_dlpack(Foreign(np.zeros((64, 64), np.int32)))\n"
        "other = np.from_dlpack(Foreign(np.zeros((64, 64), np.int32)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd="tests", capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


class _OnDevice:
    """An array of Numba's on a device, as far as handing in orders asks it."""

    def __init__(self, array: Any, gaps: bool = False) -> None:
        self.array, self.gaps = array, gaps
        self.shape, self.ndim, self.dtype = array.shape, array.ndim, array.dtype
        self.__cuda_array_interface__: dict[str, Any] = {}

    def is_c_contiguous(self) -> bool:
        return not self.gaps

    def ravel(self) -> Any:
        return self.array.ravel()


def test_orders_on_a_device_are_checked_as_those_in_the_computer_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a kernel can't refuse is refused before: kinds of numbers, gaps, and numbers without their amounts."""
    from polemos.batch import cuda

    monkeypatch.setattr("numba.cuda.as_cuda_array", lambda array: array)
    monkeypatch.setattr("numba.cuda.to_device", lambda array: array)
    taken: list[tuple[Any, ...]] = []
    device: Any = cuda.Cuda.__new__(cuda.Cuda)
    device._kernels = SimpleNamespace(launch=lambda name, grid, *arguments: taken.append(arguments))
    given = SimpleNamespace(count=6, records=None)
    numbers = np.arange(6, dtype=np.int32).reshape(2, 3)
    for amounts in (1, np.int64(1), [1], np.ones((2, 3), int), _OnDevice(np.ones((2, 3), int))):
        device.take(given, _OnDevice(numbers), amounts, 428)
        assert taken[-1][1].tolist() == list(range(6))
        assert set(taken[-1][2].tolist()) == {1}
    for wrong, why in (
        (_OnDevice(numbers.astype(np.float32)), "whole numbers, not float32"),
        (_OnDevice(numbers, gaps=True), "without gaps"),
    ):
        with pytest.raises(BadOptions, match=why):
            device.take(given, wrong, 1, 428)
    with pytest.raises(BadOptions, match="6 numbers of orders, and 4 amounts"):
        device.take(given, _OnDevice(numbers), _OnDevice(np.ones(4, int)), 428)


def test_kernels_compile_beside_a_numpy_that_has_dropped_a_name() -> None:
    """numba-cuda 0.30 asks NumPy for `row_stack` before it compiles anything; NumPy 2.5 has it no more."""
    program = (
        "import numpy as np\n"
        "vars(np).pop('row_stack', None)\n"
        "import polemos.batch.cuda\n"
        "assert np.row_stack is np.vstack\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
