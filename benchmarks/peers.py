"""Our games beside others, random play on this machine, in one run: a table in Markdown.

    make bench-peers                                  # installs what is missing, and prints the table
    python benchmarks/peers.py [--seconds 3] [ROW ...]

Every row is measured in a process of its own that keeps to one core (`one core`), then in as many such processes at
once as there are cores (`all cores`, their sum). Rates are thousand steps a second by the time of the process, so that
other programs on the machine matter little, and compiling does not count. A step is a turn in which all seats give
orders (our simultaneous games, oshi_zumo, laser_tag), otherwise one move of one player; in Minions one seat's turn on
one board. Where observations are filled, masks of lawful orders are too.

| rows | what is timed |
| --- | --- |
| polemos, batch | `Batch.play("random")`, 1,024 games; with observations: one turn, then `observe` |
| polemos, PettingZoo | `parallel_env` or `aec_env`, one order of every seat a step, from Python |
| OpenSpiel, C++ | `pyspiel.evaluate_bots` with its uniform random bots: games are played without Python |
| OpenSpiel, Python | the same from Python, with the observation tensors of all players |
| PettingZoo | its own classic games, from Python |
| Pgx | `vmap` and `jit` over 256 games, with observations and masks, in a loop of XLA |
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

Steps = Iterator[int]  # steps that were made since the last time; the first time all is compiled

GAMES: dict[str, dict[str, Any]] = {
    "demons": {"map": "long-march"},
    "minions": {"boards": 1},
    "monad": {"units": 60, "turns": 114},
    "monarchs": {},
}


def batch(name: str, seen: bool) -> Steps:
    from polemos.batch import Batch

    games = Batch(name, GAMES[name], 1024, seed=1, threads=1)
    games.play("random", 64)
    while True:
        yield games.count * (1 if seen else 16)
        games.play("random", 1 if seen else 16)
        if seen:
            games.observe()


def learn(name: str) -> Steps:
    from polemos.learn import aec_env, parallel_env

    env: Any = (aec_env if name == "minions" else parallel_env)(name, **GAMES[name])
    yield from (moves(env) if name == "minions" else sheets(env))


def sheets(env: Any) -> Steps:
    chance = random.Random(1)
    while True:
        seen, _ = env.reset(seed=chance.getrandbits(30))
        while env.agents:
            seen, *_ = env.step({who: lawful(seen[who]["action_mask"], chance) for who in env.agents})
            yield 1


def moves(env: Any) -> Steps:
    chance = random.Random(1)
    while True:
        env.reset(seed=chance.getrandbits(30))
        for _ in env.agent_iter():
            seen, _, over, truncated, _ = env.last()
            env.step(None if over or truncated else lawful(seen["action_mask"], chance))
            yield 1


def lawful(mask: Any, chance: random.Random) -> int:
    return int(chance.choice(mask.nonzero()[0]))


def spiel_inside(name: str) -> Steps:
    """How many steps such games have is counted beforehand."""
    import pyspiel

    game = pyspiel.load_game(name)
    lengths = [sum(1 for _ in spiel_game(game, random.Random(seed), False)) for seed in range(100)]
    mean = sum(lengths) / len(lengths)
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]
    made, number = 0.0, 0
    while True:
        yield round(made)
        for _ in range(10):
            number += 1
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)
        made = 10 * mean


def spiel_game(game: Any, chance: random.Random, seen: bool) -> Steps:
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(chance.choices([one for one, _ in outcomes], [share for _, share in outcomes])[0])
            continue
        if seen:
            for player in range(game.num_players()):
                state.observation_tensor(player)
        if state.is_simultaneous_node():
            players = range(game.num_players())
            state.apply_actions([chance.choice(state.legal_actions(player)) for player in players])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
        yield 1


def spiel_outside(name: str) -> Steps:
    import pyspiel

    game, chance = pyspiel.load_game(name), random.Random(1)
    while True:
        yield from spiel_game(game, chance, True)


def petting(name: str) -> Steps:
    from importlib import import_module

    yield from moves(import_module(f"pettingzoo.classic.{name}").env())


def pgx(name: str, games: int = 256, steps: int = 16) -> Steps:
    import jax
    import jax.numpy as jnp
    import pgx as library
    from pgx.experimental import auto_reset

    env = library.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carried: Any, _: Any) -> Any:
        state, key = carried
        key, choosing, stepping = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
        state = step(state, jax.random.categorical(choosing, logits), jax.random.split(stepping, games))
        return (state, key), state.observation.sum()  # otherwise XLA would leave observations out

    some = jax.jit(lambda state, key: jax.lax.scan(one, (state, key), None, steps))
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, games))
    while True:
        (state, key), seen = some(state, key)
        seen.block_until_ready()
        yield games * steps


def rows() -> dict[str, Callable[[], Steps]]:
    found: dict[str, Callable[[], Steps]] = {}
    for name in GAMES:
        found[f"polemos {name}, batch"] = partial(batch, name, False)
        found[f"polemos {name}, batch with observations"] = partial(batch, name, True)
        found[f"polemos {name}, PettingZoo"] = partial(learn, name)
    for name in ("chess", "oshi_zumo", "laser_tag"):
        found[f"OpenSpiel {name}, C++"] = partial(spiel_inside, name)
        found[f"OpenSpiel {name}, Python with observations"] = partial(spiel_outside, name)
    for name in ("chess_v6", "connect_four_v3"):
        found[f"PettingZoo {name}"] = partial(petting, name)
    for name in ("chess", "go_9x9", "connect_four"):
        found[f"Pgx {name}, batch with observations"] = partial(pgx, name)
    return found


def measure(row: str, core: int, seconds: float) -> float:
    """Thousand steps a second of one process on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    steps = rows()[row]()
    next(steps)
    next(steps)
    made, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        made += next(steps)
    return made / (time.process_time() - began) / 1e3


def together(row: str, cores: list[int], seconds: float) -> float | str:
    """The sum of such processes at once, or why there is none."""
    command = [sys.executable, str(Path(__file__)), "--seconds", str(seconds), "--core"]
    running = [
        subprocess.Popen([*command, str(core), row], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for core in cores
    ]
    said = [process.communicate() for process in running]
    if any(process.returncode for process in running):
        return said[0][1].strip().splitlines()[-1][:60] or "failed"
    return sum(float(json.loads(out.splitlines()[-1])) for out, _ in said)


def main() -> None:
    parser = argparse.ArgumentParser(description="Our games beside others.")
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--core", type=int)
    given = parser.parse_args()
    if given.core is not None:
        print(json.dumps(measure(given.rows[0], given.core, given.seconds)))
        return
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
    print(f"| thousand steps a second | one core | all cores ({len(cores)}) |\n| --- | --- | --- |")
    for row in given.rows or rows():
        found = [together(row, some, given.seconds) for some in (cores[:1], cores)]
        print(f"| {row} | {' | '.join(one if isinstance(one, str) else f'{one:,.4g}' for one in found)} |", flush=True)


if __name__ == "__main__":
    main()
