"""Plays batches of every game and prints one digest for each. Run with the mode in the environment."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from polemos.batch import Batch
from polemos.batch.check import drawn
from polemos.kernel import mode

MATCHES: tuple[tuple[str, dict[str, Any], int], ...] = (  # and steps by each policy
    ("demons", {"map": "hourglass", "turns": 10}, 8),
    ("demons", {"map": "pinwheel", "rules": "finals-2025", "turns": 10}, 8),
    ("minions", {"boards": 2, "turns": 3}, 8),
    ("monad", {"turns": 6, "units": 9}, 8),
    ("monarchs", {"turns": 3}, 2),  # interpreted, generals who scheme take half a second
)


def digest(name: str, options: dict[str, Any], steps: int) -> str:
    """All bytes of a batch after play, and after rounds of orders by number."""
    found, chance = hashlib.blake2b(digest_size=16), np.random.default_rng(4)
    batch = Batch(name, options, 4, seed=2, threads=1)
    for policy in batch.policies:
        batch.play(policy, steps)
        for what in ("states", "places"):
            found.update(batch.raw(what).tobytes())
    for _ in range(6):
        batch.give(*drawn(batch.observe()["limits"], chance))
    batch.assign([None, *[batch.policies[-1]] * (len(batch.seats) - 1)])
    for _ in range(6):
        batch.act(*drawn(batch.observe()["limits"], chance))
    batch.look()
    batch.observe()
    for what in ("states", "places", "orders", "sights", "observations", "limits"):
        found.update(batch.raw(what).tobytes())
    assert batch.refused.sum() == 0
    return found.hexdigest()


def main() -> None:
    print(mode.name())
    for name, options, steps in MATCHES:
        print(name, digest(name, options, steps))


if __name__ == "__main__":
    main()
