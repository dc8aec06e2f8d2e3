"""A batch on a GPU. States stay there; arrays over them can be handed to PyTorch, JAX and CuPy without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np

from polemos.batch.block import Block, HostBlock, bytes_of, in_use, is_on_device, strides_of
from polemos.kernel.batching import Given, Kit, Place, sow
from polemos.kernel.device import Sizes, cut
from polemos.kernel.errors import BadOptions, MissingPart
from polemos.kernel.log import Log
from polemos.kernel.parts import part
from polemos.kernel.record import Many, Record

with part("gpu", "Batches on a GPU need"):
    from numba import cuda

from polemos.batch.kernels import THREADS_A_BLOCK, kernels_of
from polemos.batch.simulator import SIMULATED, wrapped

# NumPy 2.5 has it no more, and numba-cuda 0.30 asks for it before it compiles anything.
vars(np).setdefault("row_stack", np.vstack)

MAX_BLOCKS = 1 << 16
_WORD = 4  # bytes


class DeviceBlock(Block):
    """A block in the memory of the GPU."""

    def __init__(self, record: type[Record], count: int, sizes: Sizes, extent: int | None) -> None:
        super().__init__(record, count, extent, cut(record, sizes))
        self.bytes = cuda.to_device(np.zeros(-(-self.size // 8) * 8, dtype=np.uint8))
        self.records = self._over((count,), (self.stride,), self.layout, 0)
        self.words = self._over((count, self.stride // _WORD), (self.stride, _WORD), np.dtype(np.int32), 0)
        self.rows = self._over((count, self.stride), (self.stride, 1), np.dtype(np.uint8), 0)

    def array(self, field: str, lead: tuple[int, ...], shape: tuple[int, ...] = ()) -> Any:
        """A field of all records as one array on the device."""
        found = self.strided(field, lead, shape)
        return self._lent(found["shape"], found["strides"], found["dtype"], found["offset"])

    def memory(self, lead: tuple[int, ...]) -> Any:
        """The bytes of the records without gaps; `lead` divides the records."""
        shape = (*lead, self.stride)
        return self._lent(shape, strides_of(shape, 1), np.dtype(np.uint8), 0)

    def table(self, seats: int) -> Any:
        """The records, so many in a row."""
        shape = (self.count // seats, seats)
        return self._over(shape, (seats * self.stride, self.stride), in_use(self.layout, self.extent), 0)

    def upload(self, records: Many[Any]) -> None:
        """Copies records to the device, of each as much as there is room for."""
        host = np.zeros(self.bytes.size, dtype=np.uint8)
        rows = bytes_of(records)
        shared = min(self.stride, rows.shape[1])
        host[: self.count * self.stride].reshape(self.count, self.stride)[:, :shared] = rows[:, :shared]
        self.bytes.copy_to_device(host)

    def download(self) -> Any:
        """The bytes of every record, on the computer: (count, bytes of a record)."""
        host = self.bytes.copy_to_host()
        return host[: self.count * self.stride].reshape(self.count, self.stride)

    def _over(self, shape: tuple[int, ...], strides: tuple[int, ...], kind: Any, offset: int) -> Any:
        memory = self.bytes.gpu_data.view(offset)
        from numba.cuda.cudadrv.devicearray import DeviceNDArray  # the simulator has none

        return DeviceNDArray(shape, strides, kind, gpu_data=memory)

    def _lent(self, shape: tuple[int, ...], strides: tuple[int, ...], kind: Any, offset: int) -> Any:
        """The same for others: with DLPack."""
        from polemos.batch.lent import LentArray

        return LentArray(shape, strides, kind, gpu_data=self.bytes.gpu_data.view(offset))


def _flat(array: Any) -> Any:
    """An array that lies on the device, with one axis."""
    found = cuda.as_cuda_array(array)
    if not found.is_c_contiguous():
        raise BadOptions("Orders that lie on a GPU lie there without gaps: this array has to be copied first.")
    return found.ravel()


class SimulatedBlock(HostBlock):
    """A block that the simulator's kernels take."""

    def __init__(self, record: type[Record], count: int, sizes: Sizes, extent: int | None) -> None:
        super().__init__(record, count)
        self.inside = self.records
        self.records = wrapped(self.inside.numbers())
        self.words = wrapped(bytes_of(self.inside).view(np.int32) if self.stride % _WORD == 0 else None)
        self.rows = wrapped(bytes_of(self.inside))

    def table(self, seats: int) -> Any:
        return self.inside.numbers().reshape(-1, seats)

    def upload(self, records: Many[Any]) -> None:
        bytes_of(self.inside)[...] = bytes_of(records)

    def download(self) -> Any:
        return bytes_of(self.inside).copy()


class Cuda:
    """Runs the rules of a kit over blocks on a device, or in CUDA's simulator."""

    def __init__(self, kit: Kit, sizes: Sizes, extent: int, title: str) -> None:
        if not cuda.is_available():
            raise MissingPart("No GPU can be used here: CUDA finds no driver or no device. Batches also run on 'cpu'.")
        self._kit = kit
        self._sizes: Sizes = {} if SIMULATED else sizes  # interpreted rules know whole records only
        self._used = -(-extent // _WORD)
        self._kernels = kernels_of(kit, self._sizes, title)
        self._log = self.block(Log, 1).records
        self._play = "random"  # the kernel that plays many turns,
        self._give = "give"  # and the one that takes orders by number

    def block(self, record: type[Record], count: int, extent: int | None = None) -> Any:
        """Room for records. States lie side by side as a whole: threads copy them."""
        kind = SimulatedBlock if SIMULATED else DeviceBlock
        return kind(record, count, self._sizes, None if record is self._kit.state else extent)

    def _grid(self, count: int) -> tuple[int, int]:
        threads = min(THREADS_A_BLOCK, count) if SIMULATED else THREADS_A_BLOCK
        return min(MAX_BLOCKS, -(-count // threads)), threads

    def fill(self, block: Any, records: Many[Any]) -> None:
        block.upload(records)

    def plain(self, block: Any) -> Any:
        """The records as a structured array on the device."""
        return block.records

    def table(self, block: Any, seats: int) -> Any:
        """The records as a structured array on the device, (count, seats)."""
        return block.table(seats)

    def raw(self, block: Any) -> Any:
        """The bytes of every record, on the computer: (count, bytes of a record)."""
        return block.download()

    def sow(self, places: Any, seed: int, restart: bool) -> None:
        host = HostBlock(Place, places.count)
        sow(host.records, 0, seed)
        host.array("restart", (places.count,))[...] = restart
        places.upload(host.records)

    def assign(self, places: Any, field: str, policies: Any) -> None:
        """Says who plays the seats, of all games alike or game by game; `field` is "policy" or "scripted"."""
        if field == "policy":
            self._play = "play" if policies.any() else "random"
        else:
            self._give = "oppose" if (policies > 1).any() else "give"
        rows = np.ascontiguousarray(policies, np.int8)
        self._kernels.launch(field, self._grid(places.count), places.records, self.put(rows))

    def write(self, given: Any, numbers: Any, amounts: Any) -> None:
        """Orders by number."""
        host = HostBlock(Given, given.count)
        host.array("number", (given.count,))[...] = numbers
        host.array("amount", (given.count,))[...] = amounts
        given.upload(host.records)

    def put(self, array: Any) -> Any:
        return array.copy() if SIMULATED else cuda.to_device(array)

    def take(self, given: Any, numbers: Any, amounts: Any, most: int) -> None:
        """Orders by number from an array on the device."""
        flat = _flat(numbers)
        if flat.dtype.kind not in "iub":
            raise BadOptions(f"Orders are whole numbers, not {flat.dtype}.")
        counts = _flat(amounts) if is_on_device(amounts) else cuda.to_device(np.asarray(amounts).reshape(-1))
        if len(counts) not in (1, len(flat)):
            raise BadOptions(f"There are {len(flat)} numbers of orders, and {len(counts)} amounts.")
        self._kernels.launch("take", self._grid(given.count), given.records, flat, counts, most)

    def start(self, states: Any, places: Any, starts: Any, orders: Any) -> None:
        grid = self._grid(states.count)
        self._kernels.launch("start", grid, states.records, places.records, starts.records, orders.records)

    def step(self, states: Any, places: Any, starts: Any, orders: Any) -> None:
        grid = self._grid(states.count)
        self._kernels.launch(
            "step", grid, states.words, self._used, places.words, starts.records, orders.records, self._log
        )

    def forget(self, places: Any, orders: Any, blank: Any) -> None:
        """Empties all sheets, filed or not."""
        self._kernels.launch("forget", self._grid(places.count), places.records, orders.rows, blank.rows)

    def play(self, states: Any, places: Any, starts: Any, orders: Any, steps: int, lore: Any) -> None:
        grid = self._grid(states.count)
        known = [lore.records] if self._play == "play" else []
        self._kernels.launch(
            self._play, grid, states.words, self._used, places.words, starts.records, steps, self._log, *known
        )

    def give(self, states: Any, places: Any, starts: Any, orders: Any, given: Any, each: int, lore: Any) -> None:
        grid = self._grid(states.count)
        known = [lore.records] if self._give == "oppose" else []
        self._kernels.launch(
            self._give,
            grid,
            states.words,
            self._used,
            places.words,
            starts.records,
            orders.records,
            given.records,
            each,
            self._log,
            *known,
        )

    def look(self, states: Any, sights: Any) -> None:
        self._kernels.launch("look", self._grid(states.count), states.records, sights.records)

    def observe(self, states: Any, places: Any, orders: Any, observations: Any, limits: Any) -> None:
        grid = self._grid(states.count)
        self._kernels.launch(
            "observe",
            grid,
            states.records,
            places.records,
            orders.records,
            observations.records,
            limits.records,
            self._log,
        )

    def act(
        self,
        states: Any,
        places: Any,
        starts: Any,
        orders: Any,
        given: Any,
        each: int,
        observations: Any,
        limits: Any,
        seat: int,
        lore: Any,
    ) -> None:
        """All seats are observed, whichever is asked for."""
        self.give(states, places, starts, orders, given, each, lore)
        self.observe(states, places, orders, observations, limits)
