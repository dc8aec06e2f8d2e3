"""CUDA kernels around the rules of a kit: one thread for a game, the same text for every game.

A thread copies its state and its place into local memory, plays, and copies them back: the hardware lays local memory
out so that equal offsets of neighbouring threads lie side by side, and records that lie one after the other cost three
times the traffic. Copies go by words of 32 bits, and no further than a state is in use; a record that is assigned as a
whole would be copied byte by byte. Threads take every `cuda.gridsize(1)`-th game.

In CUDA's simulator the functions of `records_for` turn arrays into records that interpreted rules understand; on a
device they do nothing.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numba import cuda, from_dtype

from polemos.batch.simulator import SIMULATED, records_for
from polemos.kernel.batching import MAX_SEATS, Given, Kit, Place
from polemos.kernel.device import Sizes, cut, give_devices
from polemos.kernel.log import Log
from polemos.kernel.mode import INTERPRETED

THREADS_A_BLOCK = 64
MOST = 2**31 - 1  # units of an order

_SCRIPTED = ("play", "oppose")  # kernels that hold the scripts

# Local arrays are aligned to 8 bytes: records have fields of 64 bits, and the compiler would put them anywhere.


class Kernels:
    """The kernels of one kit for matches of one size; each is compiled when it is first launched."""

    def __init__(self, kit: Kit, sizes: Sizes, title: str) -> None:
        self._sizes = sizes
        self._title = title
        self._announced: set[str] = set()
        # Rules that are called, in kernels that play many turns in one launch.
        self._called = {"random": kit.called, "play": kit.called_by_scripts}
        self._kernels = {
            "random": _random(kit, sizes),
            "play": _play(kit, sizes),
            "start": _start(kit),
            "step": _step(kit, sizes),
            "give": _give(kit, sizes),
            "oppose": _oppose(kit, sizes),
            "take": _take(),
            "forget": _forget(),
            "policy": _policy(),
            "scripted": _scripted(),
            "look": _look(kit),
            "observe": _observe(kit, sizes),
        }

    def launch(self, name: str, grid: tuple[int, int], *arguments: Any) -> None:
        """Runs a kernel. Others may have been compiled since with records of other sizes."""
        if not INTERPRETED:
            self._announce("the scripts" if name in _SCRIPTED else "batches")
            give_devices(self._sizes, self._called.get(name))
        self._kernels[name][grid](*arguments)

    def _announce(self, what: str) -> None:
        """Explains the wait, once for all kernels of a kind: which is launched next decides how long it is."""
        if what not in self._announced:
            print(
                f"polemos: compiling {what} of {self._title} for the GPU, up to two minutes, once in each process",
                file=sys.stderr,
            )
        self._announced.add(what)


_made: dict[Any, Kernels] = {}


def kernels_of(kit: Kit, sizes: Sizes, title: str) -> Kernels:
    """Kernels are kept: all batches of the same size share them."""
    key = (kit.state, tuple(sorted((record.__qualname__, name, n) for (record, name), n in sizes.items())))
    if key not in _made:
        _made[key] = Kernels(kit, sizes, title)
    return _made[key]


def _types(sizes: Sizes, *records: Any) -> list[Any]:
    return [from_dtype(cut(record, sizes)) for record in records]


def _random(kit: Kit, sizes: Sizes) -> Any:
    """All seats are played by chance: without scripts there is far less code to fetch, and less to write on."""
    state_type, place_type, desk_type = _types(sizes, kit.state, Place, kit.desk)
    states_of, places_of, desks_of, logs_of = map(records_for, (kit.state, Place, kit.desk, Log))
    random_one = kit.random_one

    @cuda.jit(**({"max_registers": kit.registers} if kit.registers and not SIMULATED else {}))
    def random(states, used, places, starts, steps, log):  # type: ignore[no-untyped-def]
        state = cuda.local.array(1, state_type, 8)
        place = cuda.local.array(1, place_type, 8)
        desk = cuda.local.array(1, desk_type, 8)
        state_words, place_words, desk_words = state.view(np.int32), place.view(np.int32), desk.view(np.int32)
        for i in range(len(desk_words)):
            desk_words[i] = 0
        for at in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            for i in range(used):
                state_words[i] = states[at, i]
            for i in range(len(place_words)):
                place_words[i] = places[at, i]
            random_one(
                states_of(state), places_of(place), 0, states_of(starts), steps, logs_of(log)[0], desks_of(desk)[0]
            )
            for i in range(used):
                states[at, i] = state_words[i]
            for i in range(len(place_words)):
                places[at, i] = place_words[i]

    return random


def _play(kit: Kit, sizes: Sizes) -> Any:
    """Policies by their number: one kernel for all scripts."""
    state_type, place_type, desk_type, mind_type = _types(sizes, kit.state, Place, kit.desk, kit.mind)
    states_of, places_of, desks_of, logs_of = map(records_for, (kit.state, Place, kit.desk, Log))
    lore_of, minds_of = map(records_for, (kit.lore, kit.mind))
    play_one = kit.play_one

    @cuda.jit(**({"max_registers": kit.registers} if kit.registers and not SIMULATED else {}))
    def play(states, used, places, starts, steps, log, lore):  # type: ignore[no-untyped-def]
        state = cuda.local.array(1, state_type, 8)
        place = cuda.local.array(1, place_type, 8)
        desk = cuda.local.array(1, desk_type, 8)
        mind = cuda.local.array(1, mind_type, 8)
        state_words, place_words = state.view(np.int32), place.view(np.int32)
        desk_words, mind_words = desk.view(np.int32), mind.view(np.int32)
        for i in range(len(desk_words)):
            desk_words[i] = 0
        for i in range(len(mind_words)):
            mind_words[i] = 0
        for at in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            for i in range(used):
                state_words[i] = states[at, i]
            for i in range(len(place_words)):
                place_words[i] = places[at, i]
            play_one(
                states_of(state),
                places_of(place),
                0,
                states_of(starts),
                steps,
                logs_of(log)[0],
                desks_of(desk)[0],
                lore_of(lore),
                minds_of(mind)[0],
            )
            for i in range(used):
                states[at, i] = state_words[i]
            for i in range(len(place_words)):
                places[at, i] = place_words[i]

    return play


def _start(kit: Kit) -> Any:
    states_of, places_of, orders_of = map(records_for, (kit.state, Place, kit.orders))
    start_one = kit.start_one

    @cuda.jit
    def start(states, places, starts, orders):  # type: ignore[no-untyped-def]
        for at in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            start_one(states_of(states), places_of(places), at, states_of(starts), orders_of(orders))

    return start


def _step(kit: Kit, sizes: Sizes) -> Any:
    state_type, place_type, desk_type = _types(sizes, kit.state, Place, kit.desk)
    states_of, places_of, orders_of = map(records_for, (kit.state, Place, kit.orders))
    desks_of, logs_of = map(records_for, (kit.desk, Log))
    step_one = kit.step_one

    @cuda.jit
    def step(states, used, places, starts, orders, log):  # type: ignore[no-untyped-def]
        state = cuda.local.array(1, state_type, 8)
        place = cuda.local.array(1, place_type, 8)
        desk = cuda.local.array(1, desk_type, 8)
        state_words, place_words, desk_words = state.view(np.int32), place.view(np.int32), desk.view(np.int32)
        for i in range(len(desk_words)):
            desk_words[i] = 0
        for at in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            for i in range(used):
                state_words[i] = states[at, i]
            for i in range(len(place_words)):
                place_words[i] = places[at, i]
            step_one(
                states_of(state),
                places_of(place),
                0,
                states_of(starts),
                orders_of(orders)[at : at + 1],
                logs_of(log)[0],
                desks_of(desk)[0],
            )
            for i in range(used):
                states[at, i] = state_words[i]
            for i in range(len(place_words)):
                places[at, i] = place_words[i]

    return step


def _give(kit: Kit, sizes: Sizes) -> Any:
    state_type, place_type, desk_type, eyes_type = _types(sizes, kit.state, Place, kit.desk, kit.eyes)
    states_of, places_of, orders_of = map(records_for, (kit.state, Place, kit.orders))
    desks_of, eyes_of, logs_of, given_of = map(records_for, (kit.desk, kit.eyes, Log, Given))
    give_one = kit.give_one

    @cuda.jit
    def give(states, used, places, starts, orders, given, each, log):  # type: ignore[no-untyped-def]
        state = cuda.local.array(1, state_type, 8)
        place = cuda.local.array(1, place_type, 8)
        desk = cuda.local.array(1, desk_type, 8)
        eyes = cuda.local.array(1, eyes_type, 8)
        state_words, place_words = state.view(np.int32), place.view(np.int32)
        desk_words, eyes_words = desk.view(np.int32), eyes.view(np.int32)
        for i in range(len(desk_words)):
            desk_words[i] = 0
        for i in range(len(eyes_words)):
            eyes_words[i] = 0
        a_game = len(given) // len(states)
        for at in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            for i in range(used):
                state_words[i] = states[at, i]
            for i in range(len(place_words)):
                place_words[i] = places[at, i]
            give_one(
                states_of(state),
                places_of(place),
                0,
                states_of(starts),
                orders_of(orders)[at : at + 1],
                given_of(given)[at * a_game : (at + 1) * a_game],
                each,
                logs_of(log)[0],
                desks_of(desk)[0],
                eyes_of(eyes)[0],
            )
            for i in range(used):
                states[at, i] = state_words[i]
            for i in range(len(place_words)):
                places[at, i] = place_words[i]

    return give


def _oppose(kit: Kit, sizes: Sizes) -> Any:
    """The same beside scripts."""
    state_type, place_type, desk_type = _types(sizes, kit.state, Place, kit.desk)
    eyes_type, mind_type = _types(sizes, kit.eyes, kit.mind)
    states_of, places_of, orders_of = map(records_for, (kit.state, Place, kit.orders))
    desks_of, eyes_of, logs_of, given_of = map(records_for, (kit.desk, kit.eyes, Log, Given))
    lore_of, minds_of = map(records_for, (kit.lore, kit.mind))
    oppose_one = kit.oppose_one

    @cuda.jit
    def oppose(states, used, places, starts, orders, given, each, log, lore):  # type: ignore[no-untyped-def]
        state = cuda.local.array(1, state_type, 8)
        place = cuda.local.array(1, place_type, 8)
        desk = cuda.local.array(1, desk_type, 8)
        eyes = cuda.local.array(1, eyes_type, 8)
        mind = cuda.local.array(1, mind_type, 8)
        state_words, place_words = state.view(np.int32), place.view(np.int32)
        desk_words, eyes_words, mind_words = desk.view(np.int32), eyes.view(np.int32), mind.view(np.int32)
        for i in range(len(desk_words)):
            desk_words[i] = 0
        for i in range(len(eyes_words)):
            eyes_words[i] = 0
        for i in range(len(mind_words)):
            mind_words[i] = 0
        a_game = len(given) // len(states)
        for at in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            for i in range(used):
                state_words[i] = states[at, i]
            for i in range(len(place_words)):
                place_words[i] = places[at, i]
            oppose_one(
                states_of(state),
                places_of(place),
                0,
                states_of(starts),
                orders_of(orders)[at : at + 1],
                given_of(given)[at * a_game : (at + 1) * a_game],
                each,
                logs_of(log)[0],
                desks_of(desk)[0],
                eyes_of(eyes)[0],
                lore_of(lore),
                minds_of(mind)[0],
            )
            for i in range(used):
                states[at, i] = state_words[i]
            for i in range(len(place_words)):
                places[at, i] = place_words[i]

    return oppose


def _take() -> Any:
    @cuda.jit
    def take(given, numbers, amounts, most):  # type: ignore[no-untyped-def]
        for at in range(cuda.grid(1), len(given), cuda.gridsize(1)):
            number = numbers[at]
            given[at].number = number if -1 <= number < most else -1  # rules are called with numbers that exist
            amount = np.int64(amounts[at if len(amounts) > 1 else 0])
            given[at].amount = 0 if amount < 0 else MOST if amount > MOST else amount

    return take


def _forget() -> Any:
    places_of = records_for(Place)

    @cuda.jit
    def forget(places, orders, blank):  # type: ignore[no-untyped-def]
        for at in range(cuda.grid(1), len(places), cuda.gridsize(1)):
            for i in range(orders.shape[1]):
                orders[at, i] = blank[0, i]
            for seat in range(MAX_SEATS):
                places_of(places)[at].filed[seat] = 0

    return forget


# Who plays the seats is written where the places lie: to fetch half a million of them and to send them back took as
# long as to play their first thirty turns. Two kernels, since a field has no name on a device.


def _policy() -> Any:
    places_of = records_for(Place)

    @cuda.jit
    def policy(places, rows):  # type: ignore[no-untyped-def]
        for at in range(cuda.grid(1), len(places), cuda.gridsize(1)):
            row = at if len(rows) > 1 else 0
            for seat in range(rows.shape[1]):
                places_of(places)[at].policy[seat] = rows[row, seat]

    return policy


def _scripted() -> Any:
    places_of = records_for(Place)

    @cuda.jit
    def scripted(places, rows):  # type: ignore[no-untyped-def]
        for at in range(cuda.grid(1), len(places), cuda.gridsize(1)):
            row = at if len(rows) > 1 else 0
            for seat in range(rows.shape[1]):
                places_of(places)[at].scripted[seat] = rows[row, seat]

    return scripted


def _look(kit: Kit) -> Any:
    states_of, sights_of = map(records_for, (kit.state, kit.sight))
    look_one = kit.look_one

    @cuda.jit
    def look(states, sights):  # type: ignore[no-untyped-def]
        for at in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            look_one(states_of(states), at, sights_of(sights))

    return look


def _observe(kit: Kit, sizes: Sizes) -> Any:
    desk_type, eyes_type = _types(sizes, kit.desk, kit.eyes)
    states_of, places_of, orders_of = map(records_for, (kit.state, Place, kit.orders))
    seen_of, limits_of = map(records_for, (kit.observation, kit.limits))
    desks_of, eyes_of, logs_of = map(records_for, (kit.desk, kit.eyes, Log))
    observe_one = kit.observe_one

    @cuda.jit
    def observe(states, places, orders, seen, limits, log):  # type: ignore[no-untyped-def]
        desk = cuda.local.array(1, desk_type, 8)
        eyes = cuda.local.array(1, eyes_type, 8)
        desk_words, eyes_words = desk.view(np.int32), eyes.view(np.int32)
        for i in range(len(desk_words)):
            desk_words[i] = 0
        for i in range(len(eyes_words)):
            eyes_words[i] = 0
        for at in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            observe_one(
                states_of(states),
                places_of(places),
                at,
                orders_of(orders),
                seen_of(seen),
                limits_of(limits),
                logs_of(log)[0],
                desks_of(desk)[0],
                eyes_of(eyes)[0],
            )

    return observe
