"""Whether another device plays the same games as the CPU: every byte of states, places, sights, observations, limits.

Both play the same seeds, first with invented orders, then with orders drawn from the limits, given one by one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from polemos.batch.batch import Batch
from polemos.kernel.capabilities.simulation import Simulation
from polemos.kernel.dice import number
from polemos.kernel.game import AnyGame

FILES = 0.2  # chance that a seat files its sheet with its next order
CHUNK = 8  # steps between two looks at the clock


class Compared(Struct, frozen=True):
    """What one comparison found."""

    game: str
    options: dict[str, Any]
    what: str
    equal: int  # records
    of: int
    games: int  # that ended meanwhile
    seconds: float

    @property
    def passed(self) -> bool:
        return self.equal == self.of


def options_of(game: AnyGame, checks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The matches that are compared."""
    bench = [dict(game.bench)] if isinstance(game, Simulation) else []
    return [*bench, *(dict(options) for options in checks)]


def compare(
    game: AnyGame,
    options: Mapping[str, Any],
    *,
    count: int,
    steps: int,
    rounds: int,
    device: str,
    seed: object = 0,
    seconds: float = float("inf"),
) -> Iterator[Compared]:
    """Plays `count` games on both devices: `steps` steps by each policy, then `rounds` of orders by number.

    A policy that thinks long stops after `seconds`, compiling not counted.
    """
    ours = Batch(game, options, count, seed=seed)  # on all cores: scripts take their time
    theirs = Batch(game, options, count, seed=seed, device=device)
    chance = np.random.default_rng(number(seed, "check"))
    began = time.perf_counter()

    def found(what: str, *names: str) -> Compared:
        nonlocal began
        rows = [(ours.raw(name), theirs.raw(name)) for name in names]
        equal = sum(int(same_rows(a, b).sum()) for a, b in rows)
        now, began = time.perf_counter() - began, time.perf_counter()
        ended = int(np.asarray(ours.games).sum())
        return Compared(game.name, dict(options), what, equal, sum(len(a) for a, _ in rows), ended, round(now, 1))

    for policy in ours.policies:
        done, latest = 0, float("inf")
        while done < steps and time.perf_counter() < latest:
            now = min(CHUNK, steps - done)
            for batch in (ours, theirs):
                batch.play(policy, now)
            theirs.raw("places")  # a device plays on while it is not asked
            latest = min(latest, time.perf_counter() + seconds)
            done += now
        yield found(f"play {policy}, {done} steps", "states", "places")
    for batch in (ours, theirs):
        batch.look()
    yield found("look", "sights")
    for batch in (ours, theirs):
        batch.observe()
    yield found("observe", "observations", "limits")
    for _ in range(rounds):
        numbers, amounts = drawn(ours.observe()["limits"], chance)
        ours.give(numbers, amounts)
        theirs.give(theirs.put(numbers), theirs.put(amounts))
        for batch in (ours, theirs):
            batch.observe()
    yield found("give", "states", "places", "orders", "observations", "limits")
    for batch in (ours, theirs):
        batch.play("random", 1)
    yield found("play beside drafts", "states", "places", "orders")
    files = np.zeros((count, len(ours.seats)), dtype=np.int64)
    for batch in (ours, theirs):
        batch.assign([None, *[batch.policies[-1]] * (len(batch.seats) - 1)])
        batch.give(files)
        batch.assign([None] * len(batch.seats))
    yield found("give beside a policy", "states", "places", "orders")
    for batch in (ours, theirs):
        batch.step()
    yield found("step", "states", "places", "orders")


def same_rows(a: Any, b: Any) -> Any:
    """Which records are equal. A device may keep less of each, as long as that is all that is in use."""
    width = min(a.shape[1], b.shape[1])
    return (a[:, :width] == b[:, :width]).all(axis=1)


def drawn(limits: Any, chance: np.random.Generator) -> tuple[Any, Any]:
    """A lawful order for every seat, drawn at random, and its number of units; -1 where none is lawful."""
    lawful = limits > 0
    numbers = np.argmax(np.where(lawful, chance.random(limits.shape, dtype=np.float32), -1), axis=-1)
    numbers[(chance.random(numbers.shape) < FILES) & lawful[..., 0]] = 0
    most = np.take_along_axis(limits, numbers[..., None], axis=-1)[..., 0].astype(np.int64)
    amounts = 1 + (chance.random(numbers.shape) * np.maximum(most, 1)).astype(np.int64)
    return np.where(lawful.any(axis=-1), numbers, -1), amounts
