"""CUDA kernels around the rules of a kit: one thread for a game, the same text for every game.

A thread copies its state, its place and its desk into local memory, plays, and copies them back: the hardware lays
local memory out so that equal offsets of neighbouring threads lie side by side, and the traffic of records that lie one
after the other is three times as much. Threads take every `cuda.gridsize(1)`-th game.

In CUDA's simulator `records` turns its arrays into records that interpreted rules understand; on a device it does
nothing.
"""

from __future__ import annotations

from typing import Any

from numba import cuda, from_dtype

from polemos.batch.simulator import records_for
from polemos.kernel.batching import Given, Kit, Place
from polemos.kernel.device import Sizes, cut, give_devices
from polemos.kernel.log import Log
from polemos.kernel.mode import INTERPRETED


class Kernels:
    """The kernels of one kit for matches of one size; each is compiled when it is first launched."""

    def __init__(self, kit: Kit, sizes: Sizes) -> None:
        if not INTERPRETED:
            give_devices(sizes)
        self.play = _play(kit, sizes)
        self.start = _start(kit)
        self.step = _step(kit, sizes)
        self.give = _give(kit, sizes)
        self.look = _look(kit)
        self.observe = _observe(kit, sizes)


def _play(kit: Kit, sizes: Sizes) -> Any:
    state_type, place_type, desk_type = (from_dtype(cut(r, sizes)) for r in (kit.state, Place, kit.desk))
    states_of, places_of, desks_of, logs_of = (records_for(r) for r in (kit.state, Place, kit.desk, Log))
    play_one = kit.play_one

    @cuda.jit
    def play(states, places, starts, steps, log, desks):  # type: ignore[no-untyped-def]
        state = states_of(cuda.local.array(1, state_type))
        place = places_of(cuda.local.array(1, place_type))
        desk = desks_of(cuda.local.array(1, desk_type))
        all_states, all_places, all_starts = states_of(states), places_of(places), states_of(starts)
        desk[0] = desks_of(desks)[0]
        for at in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            state[0] = all_states[at]
            place[0] = all_places[at]
            play_one(state, place, 0, all_starts, steps, logs_of(log)[0], desk[0])
            all_states[at] = state[0]
            all_places[at] = place[0]

    return play


def _start(kit: Kit) -> Any:
    states_of, places_of, orders_of = (records_for(r) for r in (kit.state, Place, kit.orders))
    start_one = kit.start_one

    @cuda.jit
    def start(states, places, starts, orders):  # type: ignore[no-untyped-def]
        for at in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            start_one(states_of(states), places_of(places), at, states_of(starts), orders_of(orders))

    return start


def _step(kit: Kit, sizes: Sizes) -> Any:
    desk_type = from_dtype(cut(kit.desk, sizes))
    states_of, places_of, orders_of = (records_for(r) for r in (kit.state, Place, kit.orders))
    desks_of, logs_of = (records_for(r) for r in (kit.desk, Log))
    step_one = kit.step_one

    @cuda.jit
    def step(states, places, starts, orders, log, desks):  # type: ignore[no-untyped-def]
        desk = desks_of(cuda.local.array(1, desk_type))
        desk[0] = desks_of(desks)[0]
        for at in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            step_one(
                states_of(states), places_of(places), at, states_of(starts), orders_of(orders), logs_of(log)[0], desk[0]
            )

    return step


def _give(kit: Kit, sizes: Sizes) -> Any:
    desk_type, eyes_type = (from_dtype(cut(r, sizes)) for r in (kit.desk, kit.eyes))
    states_of, places_of, orders_of = (records_for(r) for r in (kit.state, Place, kit.orders))
    desks_of, eyes_of, logs_of, given_of = (records_for(r) for r in (kit.desk, kit.eyes, Log, Given))
    give_one = kit.give_one

    @cuda.jit
    def give(states, places, starts, orders, given, each, log, desks, eyes):  # type: ignore[no-untyped-def]
        desk = desks_of(cuda.local.array(1, desk_type))
        eye = eyes_of(cuda.local.array(1, eyes_type))
        desk[0] = desks_of(desks)[0]
        eye[0] = eyes_of(eyes)[0]
        for at in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            give_one(
                states_of(states),
                places_of(places),
                at,
                states_of(starts),
                orders_of(orders),
                given_of(given),
                each,
                logs_of(log)[0],
                desk[0],
                eye[0],
            )

    return give


def _look(kit: Kit) -> Any:
    states_of, sights_of = (records_for(r) for r in (kit.state, kit.sight))
    look_one = kit.look_one

    @cuda.jit
    def look(states, sights):  # type: ignore[no-untyped-def]
        for at in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            look_one(states_of(states), at, sights_of(sights))

    return look


def _observe(kit: Kit, sizes: Sizes) -> Any:
    desk_type, eyes_type = (from_dtype(cut(r, sizes)) for r in (kit.desk, kit.eyes))
    states_of, places_of, orders_of = (records_for(r) for r in (kit.state, Place, kit.orders))
    seen_of, limits_of, desks_of, eyes_of = (records_for(r) for r in (kit.observation, kit.limits, kit.desk, kit.eyes))
    observe_one = kit.observe_one

    @cuda.jit
    def observe(states, places, orders, seen, limits, desks, eyes):  # type: ignore[no-untyped-def]
        desk = desks_of(cuda.local.array(1, desk_type))
        eye = eyes_of(cuda.local.array(1, eyes_type))
        desk[0] = desks_of(desks)[0]
        eye[0] = eyes_of(eyes)[0]
        for at in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            observe_one(
                states_of(states),
                places_of(places),
                at,
                orders_of(orders),
                seen_of(seen),
                limits_of(limits),
                desk[0],
                eye[0],
            )

    return observe
