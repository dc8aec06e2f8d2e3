"""`Batch`: many games of one kind, stepped together by compiled rules."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from polemos import registry
from polemos.batch.block import is_on_device
from polemos.batch.kits import compile_all, compile_scripts, kit_of
from polemos.batch.threads import Threads
from polemos.kernel.batching import ALL, Given, Place
from polemos.kernel.capabilities.pictures import Picture, picture_of
from polemos.kernel.device import Sizes
from polemos.kernel.dice import number
from polemos.kernel.errors import BadOptions
from polemos.kernel.game import SPECTATOR, UMPIRE, AnyGame
from polemos.kernel.record import Many, many
from polemos.kernel.spaces import Layout, extent_of, field_of

_GAMES = ("states", "places", "orders")
_BLOCKS = {
    "states": "_states",
    "places": "_places",
    "orders": "_orders",
    "sights": "_sights",
    "observations": "_seen",
    "limits": "_limits",
}
_OF_PLACES = {  # arrays over places: their field, and whether every seat has an entry
    "rewards": ("reward", True),
    "totals": ("total", True),
    "filed": ("filed", True),
    "over": ("over", False),
    "games": ("games", False),
    "refused": ("refused", False),
    "seeds": ("seed", False),
}


class Batch:
    """`count` games side by side. No call runs Python for each game.

    Arrays are views: they share the memory of the batch and change with it. Their first axis is the game, the second,
    where there is one, the seat.
    """

    def __init__(
        self,
        game: AnyGame | str,
        options: Mapping[str, Any] | None = None,
        count: int = 1024,
        *,
        seed: object = 0,
        starts: int = 1,
        restart: bool = True,
        device: str = "cpu",
        threads: int | None = None,
    ) -> None:
        """Games of a name or a `Game`, with its options.

        Every game gets a seed of its own from `seed`. What the options leave to chance at setup (a random map) is
        drawn `starts` times, and each game begins from one of these. With `restart` a finished game is followed by
        the next one in the same place; without it, it stays as it ended. `device` is "cpu" or "cuda"; `threads`
        are all cores unless given.
        """
        if count < 1 or starts < 1:
            raise BadOptions("A batch has at least one game and one starting position.")
        if threads is not None and threads < 1:
            raise BadOptions("A batch runs on at least one thread.")
        self.game: AnyGame = registry.load(game) if isinstance(game, str) else game
        how: dict[str, Any] = {"seed": seed, "starts": starts, "restart": restart, "device": device, "threads": threads}
        self._made = partial(Batch, game, dict(options or {}), count, **how)
        self.count = count
        self._kit = kit = kit_of(self.game)
        first = [self.game.setup(options or {}, number(seed, "setup", i)) for i in range(starts)]
        self.layout: Layout = kit.layout(first[0])
        if any(kit.layout(state) != self.layout or kit.seats(state) != kit.seats(first[0]) for state in first):
            raise BadOptions(
                f"The starting positions of a batch have maps of one size, and {self.game.title} drew several sizes. "
                "Use starts=1, and a batch for each map."
            )
        self.seats: tuple[str, ...] = self.game.seats(first[0])
        self.policies: tuple[str, ...] = kit.policies
        self.device = device
        in_use = max(state.extent() for state in first)
        self._state_extent = in_use if kit.packs else kit.state.dtype.itemsize
        self._driver = self._driver_for(device, threads, kit.sizes(first[0]), in_use)
        block = self._driver.block
        self._first = first
        self._starts = block(kit.state, starts, self._state_extent)
        self._driver.fill(self._starts, _together(first))
        self._states = block(kit.state, count, self._state_extent)
        self._places = block(Place, count)
        self._orders = block(kit.orders, count, max(kit.orders_extent(state) for state in first))
        self._sights: Any = None
        self._seen: Any = None
        self._limits: Any = None
        self._given: Any = None
        self._lore: Any = None
        self._blank: Any = None  # sheets with nothing on them
        self._drafted = self._handed_out = False  # there may be drafts; sheets can be written to at any time
        self._shown: dict[str, Any] | None = None
        self._each = 1
        self._restart = restart
        self._scripted = np.zeros((1, len(self.seats)), np.int8)
        self.reset(seed)

    def _driver_for(self, device: str, threads: int | None, sizes: Sizes, extent: int) -> Any:
        if device == "cpu":
            compile_all(self.game, self._kit)
            return Threads(self._kit, threads or _cores())
        if device == "cuda":
            from polemos.batch.cuda import Cuda  # needs an extra

            return Cuda(self._kit, sizes, extent, self.game.title)
        raise BadOptions(f"A batch runs on 'cpu' or 'cuda', not on {device!r}.")

    def reset(self, seed: object = 0) -> None:
        """Begins all games anew, with seeds that follow from `seed`."""
        self._driver.sow(self._places, number(seed, "batch"), self._restart)
        self._playing: list[int] = []
        if self._scripted.any():
            self._driver.assign(self._places, "scripted", self._scripted)
        self._driver.start(self._states, self._places, self._starts, self._orders)

    # ---- arrays

    @property
    def states(self) -> Any:
        """The states as a structured array; fields by name, for example `batch.states["turn"]`."""
        return self._driver.plain(self._states)

    def state(self, at: int) -> Any:
        """A copy of one state, as the record that the game's other functions take."""
        return self._kit.state.from_raw(self.raw("states")[at].tobytes()[: self._state_extent])

    @property
    def orders(self) -> Many[Any]:
        """The sheets of the next step as records; fill them and call `step`."""
        self._handed_out = True
        records: Many[Any] = self._orders.records
        return records

    @property
    def rewards(self) -> Any:
        """Of the last step, (count, seats) whole numbers: at the end of a game the seats that came behind, less those
        that came before; 0 otherwise. One seat that beats another gets 1, the other -1."""
        return self._of_places("rewards")

    @property
    def totals(self) -> Any:
        """The rewards of all games so far, (count, seats)."""
        return self._of_places("totals")

    @property
    def over(self) -> Any:
        """(count,): 1 where the last step ended a game."""
        return self._of_places("over")

    @property
    def games(self) -> Any:
        """(count,): games that have ended here."""
        return self._of_places("games")

    @property
    def filed(self) -> Any:
        """(count, seats): 1 where a sheet was filed by number and waits for the others."""
        return self._of_places("filed")

    @property
    def refused(self) -> Any:
        """(count,): orders by number that were not lawful, and did nothing."""
        return self._of_places("refused")

    @property
    def seeds(self) -> Any:
        """(count,): the seed of each place. All games that are played there follow from it."""
        return self._of_places("seeds")

    def memory(self, what: str = "observations") -> Any:
        """The records of a kind as bytes without gaps, for a library that takes no other arrays (JAX): `part` finds the
        arrays in them. Shapes are (count, bytes), and (count, seats, bytes) for what every seat has; names as in `raw`.
        Observations and limits are those of the last `observe` or `act`.
        """
        block = self._block(what)
        return block.memory((self.count,) if what in _GAMES else (self.count, len(self.seats)))

    def part(self, memory: Any, name: str) -> Any:
        """One of the batch's arrays by its name, found in what `memory` gave, as NumPy, CuPy or JAX have it now.

        It is a view, or inside `jax.jit` a slice. The first axes of `memory` stay as they are.
        """
        block, field, shape = self._where(name)
        kind, offset = field_of(block.layout, field)
        if memory.shape[-1] != block.stride:
            raise BadOptions(f"{name!r} is not in this memory: its records have {block.stride} bytes.")
        row = memory[..., offset : offset + kind.itemsize * math.prod(shape)]
        found = row if memory.dtype == kind else row.view(kind)
        if found.dtype != kind:
            raise BadOptions(f"{name!r} has 64 bits, which JAX has with `jax_enable_x64` only.")
        return found.reshape(*memory.shape[:-1], *shape)

    def key(self, at: int) -> str:
        """The key of the game in a place, for `Match(game, key=...)`: the same orders make the same game."""
        return f"{int(self._places.array('key', (self.count,))[at]):016x}{0:016x}"

    # ---- playing

    def step(self, orders: Any = None) -> None:
        """One step of every game, with `orders` or with what was put into `batch.orders`. Sheets are empty then.

        Records are played as they are: a line that points outside the map can end the process. `give` checks orders.
        """
        if orders is not None:
            if not isinstance(orders, Many) or orders.dtype != self._kit.orders.dtype:
                raise BadOptions(f"Orders for a step are an array of the game's {self._kit.orders.__name__} records.")
            if len(orders) != self.count:
                raise BadOptions(f"This batch has {self.count} games; orders for {len(orders)} were given.")
            self._driver.fill(self._orders, orders)
        self._driver.step(self._states, self._places, self._starts, self._orders)

    def play(self, policy: str | Sequence[str] = "random", steps: int = 1) -> None:
        """`steps` steps of every game with scripted orders: one policy for all seats, or one for each seat.

        Drafts and filed sheets are those of a turn that is over then: they are gone.
        """
        names = [policy] * len(self.seats) if isinstance(policy, str) else list(policy)
        if len(names) != len(self.seats):
            raise BadOptions(f"{self.game.title} has {len(self.seats)} seats here; {len(names)} policies were given.")
        playing = [self._policy(name) for name in names]
        if playing != self._playing:
            self._learn(playing)
            self._driver.assign(self._places, "policy", np.array([playing], np.int8))
            self._playing = playing
        self._driver.play(self._states, self._places, self._starts, self._orders, steps, self._lore)
        if steps > 0 and (self._drafted or self._handed_out):
            self._forget()

    def give(self, numbers: Any, amounts: Any = 1) -> None:
        """Orders by their number: (count, seats), or (count, seats, k) for k orders in a row.

        Number 0 files the sheet, -1 is no order. Once all sheets of a game are filed, its turn is played. `amounts`
        says with how many units. On a GPU both may be arrays that lie there (of PyTorch, JAX, CuPy, Numba), complete
        when this is called: they are read without a copy, and a number that no order has is taken as -1.
        """
        self._hand_in(numbers, amounts)
        self.again()

    def again(self) -> None:
        """The same numbers as in the last `give` once more."""
        if self._given is None:
            raise BadOptions("No orders were given by number yet.")
        self._drafted = True
        self._driver.give(self._states, self._places, self._starts, self._orders, self._given, self._each, self._lore)

    def act(self, numbers: Any = None, amounts: Any = 1, seat: int | None = None) -> dict[str, Any]:
        """`give` and `observe` in one call. With `seat` only the observations of that seat are filled.

        Without numbers it takes what was written into `slots`.
        """
        if seat is not None and seat not in range(len(self.seats)):
            raise BadOptions(f"Seats are numbers from 0 to {len(self.seats) - 1} here, not {seat!r}.")
        if numbers is not None:
            self._hand_in(numbers, amounts)
        elif self._given is None:
            raise BadOptions("No orders were given by number yet.")
        self._drafted = True
        seen = self._arrays
        self._driver.act(
            self._states,
            self._places,
            self._starts,
            self._orders,
            self._given,
            self._each,
            self._seen,
            self._limits,
            ALL if seat is None else seat,
            self._lore,
        )
        return seen

    def slots(self, each: int = 1) -> tuple[Any, Any]:
        """The numbers and amounts that `again` and `act` read, (count, seats, each): fill them in place."""
        count, lead = self.count * len(self.seats) * each, (self.count, len(self.seats), each)
        if self._given is None or self._given.count != count:
            self._given = self._driver.block(Given, count)
        self._each = each
        return self._given.array("number", lead), self._given.array("amount", lead)

    def assign(self, policies: Sequence[str | None] | Sequence[Sequence[str | None]]) -> None:
        """Who plays each seat in `give`: a policy by its name, or None for orders by number. It stays after `reset`.

        One list for all games, or a list of lists with one for each game.
        """
        tables: list[Any] = list(policies)
        alike = all(name is None or isinstance(name, str) for name in tables)
        if not alike and len(tables) != self.count:
            raise BadOptions(f"This batch has {self.count} games; policies for {len(tables)} were given.")
        rows = [
            [0 if name is None else 1 + self._policy(name) for name in row] for row in ([tables] if alike else tables)
        ]
        for row in rows:
            if len(row) != len(self.seats):
                raise BadOptions(f"{self.game.title} has {len(self.seats)} seats here; {len(row)} were given.")
        self._take_seats(np.array(rows, np.int8))

    def _take_seats(self, scripted: Any) -> None:
        self._scripted = scripted
        self._learn([int(scripted.max()) - 1])
        self._driver.assign(self._places, "scripted", scripted)

    def _forget(self) -> None:
        """Empties all sheets. Rules that play many turns know none of them: they would only make kernels longer."""
        if self._blank is None:
            block, kit = self._driver.block, self._kit
            self._blank = block(kit.orders, 1, self._orders.stride)
            self._driver.start(block(kit.state, 1, self._state_extent), block(Place, 1), self._starts, self._blank)
        self._driver.forget(self._places, self._orders, self._blank)
        self._drafted = False

    def _learn(self, policies: Sequence[int]) -> None:
        """Before the first script plays: what scripts know of the starting positions, and their compiled code."""
        if self._lore is not None or max(policies) <= 0:
            return
        kit = self._kit
        if self.device == "cpu":
            compile_scripts(self.game, kit)
        known = many(kit.lore, len(self._first))
        if kit.learn is not None:
            for i, state in enumerate(self._first):
                kit.learn(state, known[i])
        self._lore = self._driver.block(kit.lore, len(self._first))
        self._driver.fill(self._lore, known)

    def _policy(self, name: str) -> int:
        if name not in self.policies:
            raise BadOptions(f"No policy is called {name!r}. Policies: {', '.join(self.policies)}.")
        return self.policies.index(name)

    def _hand_in(self, numbers: Any, amounts: Any) -> None:
        on_device = self.device != "cpu" and is_on_device(numbers)
        if not on_device:
            numbers = np.asarray(numbers)
        lead = (self.count, len(self.seats))
        if numbers.shape[:2] != lead or numbers.ndim not in (2, 3):
            raise BadOptions(f"Numbers have the shape {lead}, or one axis more; these have {numbers.shape}.")
        if not on_device:
            self._check(numbers)
            if np.ndim(amounts) or amounts != 1:
                amounts = np.broadcast_to(np.clip(amounts, 0, 2**31 - 1), numbers.shape).reshape(-1)
        count = math.prod(numbers.shape)
        if self._given is None or self._given.count != count:
            self._given = self._driver.block(Given, count)
        self._each = 1 if numbers.ndim == 2 else numbers.shape[2]
        if on_device:
            self._driver.take(self._given, numbers, amounts, self.layout.numbers)
        else:
            self._driver.write(self._given, numbers.reshape(-1), amounts)

    def _check(self, numbers: Any) -> None:
        if numbers.dtype.kind not in "iub":
            raise BadOptions(f"Orders are whole numbers, not {numbers.dtype}.")
        if numbers.size and (numbers.min() < -1 or numbers.max() >= self.layout.numbers):
            raise BadOptions(f"Orders have numbers from 0 to {self.layout.numbers - 1}; -1 is none.")

    # ---- seeing

    def look(self) -> Any:
        """What every seat may know, as a structured array (count, seats); see the game's `Sight`."""
        if self._sights is None:
            field = self._kit.sight.dtype.fields.get("state")  # type: ignore[union-attr]
            extent = None if field is None else field[1] + self._state_extent
            self._sights = self._driver.block(self._kit.sight, self.count * len(self.seats), extent)
        self._driver.look(self._states, self._sights)
        return self._driver.table(self._sights, len(self.seats))

    def observe(self) -> dict[str, Any]:
        """The observations of all seats by name, see `layout`; `limits` says with how many units each numbered order
        is lawful beside the draft, 0 for not at all. The same arrays are filled again by every call."""
        seen = self._arrays
        self._driver.observe(self._states, self._places, self._orders, self._seen, self._limits)
        return seen

    @property
    def _arrays(self) -> dict[str, Any]:
        """The arrays that observing fills; the dictionary is the caller's."""
        return dict(self._make_room())

    def _make_room(self) -> dict[str, Any]:
        if self._shown is None:
            count, lead = self.count * len(self.seats), (self.count, len(self.seats))
            last = self.layout.parts[0]
            extent = extent_of(self._kit.observation, last.field, int(np.prod(last.shape)))
            self._seen = self._driver.block(self._kit.observation, count, extent)
            extent = extent_of(self._kit.limits, "most", self.layout.numbers)
            self._limits = self._driver.block(self._kit.limits, count, extent)
            found = {part.name: self._seen.array(part.field, lead, part.shape) for part in self.layout.parts}
            self._shown = {**found, "limits": self._limits.array("most", lead, (self.layout.numbers,))}
        return self._shown

    def picture(self, at: int, who: str = UMPIRE, **how: Any) -> Picture:
        """One of the games as somebody sees it, as SVG; a notebook shows it. Raises NoPicture if it cannot be drawn."""
        if who not in (*self.seats, UMPIRE, SPECTATOR):
            raise BadOptions(f"No seat is called {who!r}. Seats: {', '.join(self.seats)}.")
        state = self.state(at)
        view = self.game.observe(state, who)
        return Picture(picture_of(self.game, self.game.setting(state), view, "board", **how))

    # ---- helpers

    def raw(self, what: str) -> Any:
        """The bytes of all records of a kind, (count, bytes), on the computer.

        `what` is "states", "places", "orders", "sights", "observations" or "limits".
        """
        return self._driver.raw(self._block(what))

    def _block(self, what: str) -> Any:
        if what not in _BLOCKS:
            raise BadOptions(f"A batch has no {what!r}. It has {', '.join(_BLOCKS)}.")
        if what in ("observations", "limits"):
            self._make_room()
        elif what == "sights" and self._sights is None:
            self.look()
        return getattr(self, _BLOCKS[what])

    def _where(self, name: str) -> tuple[Any, str, tuple[int, ...]]:
        """The records in which one of the arrays is, its field there, and the shape of an entry."""
        if name in _OF_PLACES:
            field, by_seat = _OF_PLACES[name]
            return self._places, field, (len(self.seats),) if by_seat else ()
        if name == "limits":
            return self._block("limits"), "most", (self.layout.numbers,)
        for part in self.layout.parts:
            if part.name == name:
                return self._block("observations"), part.field, part.shape
        names = [part.name for part in self.layout.parts]
        raise BadOptions(f"There is no array {name!r}. There are {', '.join([*names, 'limits', *_OF_PLACES])}.")

    def put(self, array: Any) -> Any:
        """A copy of an array where the batch's own arrays are."""
        return self._driver.put(np.asarray(array))

    def save(self) -> tuple[bytes, ...]:
        """All that the games of a batch are: their states, their places and their drafts. `load` brings them back."""
        return tuple(self.raw(what).tobytes() for what in _GAMES)

    def load(self, saved: tuple[bytes, ...]) -> None:
        """The games as they were saved by this batch, or by one that was made alike. Only on the CPU.

        Who plays which seat is not part of that: it stays as `assign` has said here.
        """
        if self.device != "cpu":
            raise BadOptions("Games are loaded on the CPU only.")
        blocks = [self.raw(what) for what in _GAMES]
        if [len(kept) for kept in saved] != [rows.size for rows in blocks]:
            raise BadOptions("These games were saved by a batch of another kind.")
        for rows, kept in zip(blocks, saved, strict=True):
            rows[...] = np.frombuffer(kept, np.uint8).reshape(rows.shape)
        self._driver.assign(self._places, "scripted", self._scripted)
        self._playing = []
        self._drafted = True

    def __reduce__(self) -> Any:
        """A copy is a batch of its own, with the same games as they stand now."""
        if self.device != "cpu":
            raise TypeError("A batch on a GPU can't be copied. `save` gives its games.")
        return _again, (self._made, self._scripted, self.save())

    def _of_places(self, name: str) -> Any:
        block, field, shape = self._where(name)
        return block.array(field, (self.count,), shape)


def _again(made: Callable[[], Batch], scripted: Any, saved: tuple[bytes, ...]) -> Batch:
    """The copy of a batch."""
    batch = made()
    batch._take_seats(scripted)
    batch.load(saved)
    return batch


def _cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _together(states: list[Any]) -> Many[Any]:
    records = many(type(states[0]), len(states))
    for i, state in enumerate(states):
        records[i] = state
    return records
