"""Plays random games and prints one digest per game of all that happened. Run with the mode in the environment.

Arguments: a seed, and the number of steps of random play in compiled code.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from random import Random
from typing import Any

from polemos import registry
from polemos.kernel import mode
from polemos.kernel.judgement import Facts, Scales, furnish, try_net
from polemos.kernel.record import many
from polemos.kernel.rooms import playouts_of
from properties.driver import as_bytes, everybody, random_match, run_out


def digest_of_matches(game: Any, options: dict[str, Any], seed: int) -> str:
    """Every state, every event in words, every view of some matches with random sheets."""
    digest = hashlib.blake2b(digest_size=16)
    for number in range(seed, seed + 3):
        match = run_out(random_match(game, options, number, steps=12))
        for step, events in zip(match.steps, match.happened, strict=True):
            digest.update(as_bytes(step))
            digest.update(as_bytes([[event, game.chronicle.words(event), event.rule] for event in events]))
        for state in match.history:
            digest.update(state.digest().encode())
            for who in everybody(game, state):
                digest.update(as_bytes(game.observe(state, who)))
        digest.update(as_bytes(match.outcome))
        digest.update(judged(game, match.history))
    return digest.hexdigest()


def judged(game: Any, history: Sequence[Any]) -> bytes:
    """The features of all positions, and what was learned to make of them; nothing of a game without them."""
    kit = playouts_of(game)
    if kit is None or kit.judgement is None:
        return b""
    found, desk, facts, scales = b"", kit.desk(), Facts(), Scales()
    furnish(kit.judgement, desk)
    for state in history:
        net, seats = kit.judgement.nets(desk)[kit.judgement.part(state)], kit.seats(state)
        for seat in range(seats):
            kit.judgement.describe(state, seat, facts, desk)
            try_net(net, seats, facts, scales, seat)
            found += scales.raw()
    return found


def digest_of_mass_play(game: Any, options: dict[str, Any], seed: int, steps: int) -> str:
    """The bytes of a batch after each of three stretches of random play."""
    digest, chance = hashlib.blake2b(digest_size=16), Random(seed)
    start = game.setup(options, seed)
    states: Any = many(game.state_type, 7)
    for i in range(len(states)):
        states[i] = start
    for _ in range(3):
        games = game.rollout(states, start, chance.getrandbits(62), steps // 3)
        digest.update(f"{games};".encode())
        digest.update(states.numbers().tobytes())
    return digest.hexdigest()


def main() -> None:
    seed, steps = int(sys.argv[1]), int(sys.argv[2])
    print(mode.name())
    for name in registry.names():
        game = registry.load(name)
        for number, options in enumerate(game.examples):
            print(name, number, digest_of_matches(game, options, seed), digest_of_mass_play(game, options, seed, steps))


if __name__ == "__main__":
    main()
