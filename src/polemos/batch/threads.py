"""A batch on the cores of the computer: every thread plays a slice of the games with a desk of its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from polemos.batch.block import HostBlock, bytes_of
from polemos.kernel.batching import BLIND, MAX_SEATS, Given, Kit, sow
from polemos.kernel.log import SILENT
from polemos.kernel.mode import INTERPRETED
from polemos.kernel.record import Many

STEPS_A_CALL = 200 if INTERPRETED else 20_000  # well under 0.1 s, so that Ctrl-C works
SCRIPTED_A_CALL = 200  # scripts think for up to 0.3 ms a step
FEWEST = 8  # games that are worth a thread

Slice = Callable[[int, int, Any, Any, Any], None]  # (first, after, desk, eyes, mind)


class Threads:
    """Runs the rules of a kit over blocks in memory."""

    block = HostBlock

    def __init__(self, kit: Kit, threads: int) -> None:
        self._kit = kit
        self._desks = [(kit.desk(), kit.eyes(), kit.mind()) for _ in range(threads)]
        self._scripts = {"policy": False, "scripted": False}  # whether scripts play seats in `play`, and in `give`
        # In place of what `scripted_many` does not need.
        self._none = tuple(HostBlock(record, 1) for record in (Given, kit.observation, kit.limits))
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0  # whose threads these are
        self._stopped = False  # by Ctrl-C

    def fill(self, block: HostBlock, records: Many[Any]) -> None:
        """Copies records into a block."""
        self.raw(block)[: len(records)] = bytes_of(records)[:, : block.stride]

    def plain(self, block: HostBlock) -> Any:
        """The records as a structured array."""
        return block.plain

    def table(self, block: HostBlock, seats: int) -> Any:
        """The records as a structured array, (count, seats)."""
        return block.plain.reshape(-1, seats)

    def raw(self, block: HostBlock) -> Any:
        """The bytes of every record, (count, bytes of a record)."""
        return bytes_of(block.records)[:, : block.stride]

    def sow(self, places: HostBlock, seed: int, restart: bool) -> None:
        places.bytes[...] = 0
        sow(places.records, 0, seed)
        places.array("restart", (places.count,))[...] = restart

    def assign(self, places: HostBlock, field: str, policies: Any) -> None:
        """Says who plays the seats, of all games alike or game by game; `field` is "policy" or "scripted"."""
        self._scripts[field] = bool((policies > (0 if field == "policy" else 1)).any())
        places.array(field, (places.count,), policies.shape[1:])[...] = policies

    def put(self, array: Any) -> Any:
        return array.copy()

    def write(self, given: HostBlock, numbers: Any, amounts: Any) -> None:
        """Orders by number."""
        given.array("number", (given.count,))[...] = numbers
        given.array("amount", (given.count,))[...] = amounts

    def start(self, states: HostBlock, places: HostBlock, starts: HostBlock, orders: HostBlock) -> None:
        self._each(
            states.count,
            lambda a, b, desk, eyes, mind: self._kit.start_many(
                states.part(a, b), places.part(a, b), starts.part(0, starts.count), orders.part(a, b)
            ),
        )

    def step(self, states: HostBlock, places: HostBlock, starts: HostBlock, orders: HostBlock) -> None:
        self._each(
            states.count,
            lambda a, b, desk, eyes, mind: self._kit.step_many(
                states.part(a, b), places.part(a, b), starts.part(0, starts.count), orders.part(a, b), SILENT, desk
            ),
        )

    def forget(self, places: HostBlock, orders: HostBlock, blank: HostBlock) -> None:
        """Empties all sheets, filed or not."""
        self.raw(orders)[...] = self.raw(blank)
        places.array("filed", (places.count,), (MAX_SEATS,))[...] = 0

    def play(
        self, states: HostBlock, places: HostBlock, starts: HostBlock, orders: HostBlock, steps: int, lore: HostBlock
    ) -> None:
        scripts = self._scripts["policy"]
        most = SCRIPTED_A_CALL if scripts else STEPS_A_CALL
        given, seen, limits = self._none
        while steps > 0:
            now = min(steps, most)
            if scripts:
                self._script(states, places, starts, orders, given, 0, now, seen, limits, BLIND, lore, most // now)
            else:
                self._play(states, places, starts, now)
            steps -= now

    def _play(self, states: HostBlock, places: HostBlock, starts: HostBlock, steps: int) -> None:
        at_once = max(1, STEPS_A_CALL // steps)

        def slice_(first: int, after: int, desk: Any, eyes: Any, mind: Any) -> None:
            for a in range(first, after, at_once):
                if self._stopped:
                    return
                b = min(a + at_once, after)
                self._kit.random_many(
                    states.part(a, b), places.part(a, b), starts.part(0, starts.count), steps, SILENT, desk
                )

        self._each(states.count, slice_)

    def _script(
        self,
        states: HostBlock,
        places: HostBlock,
        starts: HostBlock,
        orders: HostBlock,
        given: HostBlock,
        each: int,
        steps: int,
        observations: HostBlock,
        limits: HostBlock,
        seat: int,
        lore: HostBlock,
        at_once: int,
    ) -> None:
        """Where scripts play: so many steps, or orders by number beside them and what a seat sees then."""
        per_game, seats = given.count // states.count, observations.count // states.count

        def slice_(first: int, after: int, desk: Any, eyes: Any, mind: Any) -> None:
            for a in range(first, after, at_once):
                if self._stopped:
                    return
                b = min(a + at_once, after)
                self._kit.scripted_many(
                    states.part(a, b),
                    places.part(a, b),
                    starts.part(0, starts.count),
                    orders.part(a, b),
                    given.part(a * per_game, b * per_game),
                    each,
                    steps,
                    observations.part(a * seats, b * seats),
                    limits.part(a * seats, b * seats),
                    seat,
                    SILENT,
                    desk,
                    eyes,
                    lore.part(0, lore.count),
                    mind,
                )

        self._each(states.count, slice_)

    def give(
        self,
        states: HostBlock,
        places: HostBlock,
        starts: HostBlock,
        orders: HostBlock,
        given: HostBlock,
        each: int,
        lore: HostBlock,
    ) -> None:
        if self._scripts["scripted"]:
            _, seen, limits = self._none
            self._script(
                states, places, starts, orders, given, each, 0, seen, limits, BLIND, lore, SCRIPTED_A_CALL
            )  # fmt: skip
            return
        per_game = given.count // states.count
        self._each(
            states.count,
            lambda a, b, desk, eyes, mind: self._kit.give_many(
                states.part(a, b),
                places.part(a, b),
                starts.part(0, starts.count),
                orders.part(a, b),
                given.part(a * per_game, b * per_game),
                each,
                SILENT,
                desk,
                eyes,
            ),
        )

    def look(self, states: HostBlock, sights: HostBlock) -> None:
        seats = sights.count // states.count
        self._each(
            states.count,
            lambda a, b, desk, eyes, mind: self._kit.look_many(states.part(a, b), sights.part(a * seats, b * seats)),
        )

    def observe(
        self, states: HostBlock, places: HostBlock, orders: HostBlock, observations: HostBlock, limits: HostBlock
    ) -> None:
        seats = observations.count // states.count
        self._each(
            states.count,
            lambda a, b, desk, eyes, mind: self._kit.observe_many(
                states.part(a, b),
                places.part(a, b),
                orders.part(a, b),
                observations.part(a * seats, b * seats),
                limits.part(a * seats, b * seats),
                SILENT,
                desk,
                eyes,
            ),
        )

    def act(
        self,
        states: HostBlock,
        places: HostBlock,
        starts: HostBlock,
        orders: HostBlock,
        given: HostBlock,
        each: int,
        observations: HostBlock,
        limits: HostBlock,
        seat: int,
        lore: HostBlock,
    ) -> None:
        if self._scripts["scripted"]:
            self._script(
                states, places, starts, orders, given, each, 0, observations, limits, seat, lore, SCRIPTED_A_CALL
            )  # fmt: skip
            return
        seats = observations.count // states.count
        per_game = given.count // states.count
        self._each(
            states.count,
            lambda a, b, desk, eyes, mind: self._kit.act_many(
                states.part(a, b),
                places.part(a, b),
                starts.part(0, starts.count),
                orders.part(a, b),
                given.part(a * per_game, b * per_game),
                each,
                observations.part(a * seats, b * seats),
                limits.part(a * seats, b * seats),
                seat,
                SILENT,
                desk,
                eyes,
            ),
        )

    def _each(self, count: int, work: Slice) -> None:
        """Divides the games among the threads, and waits for all."""
        threads = max(1, min(len(self._desks), count // FEWEST))
        self._stopped = False
        if threads == 1:
            work(0, count, *self._desks[0])
            return
        bounds = [count * i // threads for i in range(threads + 1)]
        pool = self._workers()
        running = [pool.submit(work, a, b, *desk) for a, b, desk in zip(bounds, bounds[1:], self._desks, strict=False)]
        try:
            for future in running:
                future.result()
        except BaseException:  # Ctrl-C, for example: afterwards no thread still writes to the games
            self._stopped = True
            wait(running)
            raise

    def _workers(self) -> ThreadPoolExecutor:
        """The threads. A forked process doesn't have those of its parent."""
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(len(self._desks)), os.getpid()
        return self._pool
