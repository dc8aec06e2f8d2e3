"""PPO by self-play on Demons, in one file.

    python examples/learning/ppo.py --minutes 10                # two cores: beats random and economist
    python examples/learning/ppo.py --minutes 10 --device cuda  # one GPU, `pip install cupy-cuda13x jax[cuda13]` besides

A batch plays many games at once. In most games both seats are played by the same network, and it learns from both; in
the others it spars with scripted players, so that it does not forget how they play. Each turn it chooses what to build (a kind of tower for some square, or nothing) and whom to send (a mercenary in one of four
directions, a provocation, or nobody), each among what is lawful. PPO: Schulman et al., 2017.

Every half minute the network, as it is then, plays scripted opponents, and a line of the log is written. In the end the
weights are in `weights.npz` and the curve in `curve.svg`.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the batch needs memory, too

import jax
import jax.numpy as jnp
import numpy as np

from polemos.batch import Batch

Tree = Any  # weights: a dictionary of arrays

STEPS = 32  # turns of every game between two updates
EPOCHS, PARTS = 2, 8  # how often, and in how many parts, the turns of an update are learned from
DISCOUNT, TRACE = 0.997, 0.95  # how much later turns count, and how far an advantage is traced back
CLIP = 0.2  # by how much an update may change the chance of an order
HINT = 0.5  # of being ahead, beside a reward of 1 for the game
VALUE, WONDER = 0.5, 0.01  # weights of the value's error and of entropy beside the policy's gain
SENDINGS = 6  # nobody, a mercenary N, E, S, W, a provocation: numbers 1 to 5 of the game
FIRST_CELL, KINDS = 6, 6  # numbers from 6 on: six orders for each square


# ---- the network


def network(key: Any, planes: int, figures: int, width: int, layers: int) -> Tree:
    """Random weights. The board stays a board: whatever is ordered on a square is judged at that square."""
    keys = iter(jax.random.split(key, 8 + layers))

    def normal(*shape: int, gain: float = 1.4) -> Any:
        return gain * jax.random.normal(next(keys), shape) / np.sqrt(np.prod(shape[:-1]))

    return {
        "enter": normal(9 * planes, width),
        "figures": normal(figures, width),
        "layers": [normal(9 * width, width) for _ in range(layers)],
        "build": normal(width, KINDS, gain=0.1),
        "shared": normal(2 * width, width),
        "send": normal(width, 1 + SENDINGS, gain=0.1),  # the first is the weight of building nothing
        "value": normal(width, 1, gain=0.1),
        "bias": {"enter": jnp.zeros(width), "shared": jnp.zeros(width), "layers": [jnp.zeros(width)] * layers},
    }


def convolve(board: Any, weights: Any) -> Any:
    """Every square with its eight neighbours, times the weights: on a CPU ten times as fast as XLA's convolution."""
    height, width = board.shape[1:3]
    padded = jnp.pad(board, ((0, 0), (1, 1), (1, 1), (0, 0)))
    around = [padded[:, y : y + height, x : x + width] for y in range(3) for x in range(3)]
    return jnp.concatenate(around, axis=-1) @ weights


class Seen(NamedTuple):
    """What some seats see: arrays of small whole numbers, as the batch has them."""

    board: Any  # (n, height, width, planes)
    figures: Any  # (n, figures)
    lawful: Any  # (n, numbers)


def judge(weights: Tree, seen: Seen) -> tuple[Any, Any, Any]:
    """Logarithms of the chances to build and to send, unlawful ones at minus infinity; and the value of the game."""
    board = jnp.clip(seen.board.astype(jnp.float32), -64, 64)
    board = jnp.sign(board) * jnp.log1p(jnp.abs(board))
    figures = jnp.log1p(jnp.maximum(seen.figures.astype(jnp.float32), 0)) / 4
    bias = weights["bias"]
    x = convolve(board, weights["enter"]) + (figures @ weights["figures"] + bias["enter"])[:, None, None, :]
    x = jax.nn.relu(x)
    for layer, more in zip(weights["layers"], bias["layers"], strict=True):
        x = x + jax.nn.relu(convolve(x, layer) + more)
    pooled = jnp.concatenate([x.mean((1, 2)), x.max((1, 2))], axis=-1)
    shared = jax.nn.relu(pooled @ weights["shared"] + bias["shared"])
    send = shared @ weights["send"]
    build = jnp.concatenate([send[:, :1], (x @ weights["build"]).reshape(len(x), -1)], axis=-1)
    may = seen.lawful > 0
    may_build = jnp.concatenate([jnp.ones_like(may[:, :1]), may[:, FIRST_CELL:]], axis=-1)
    may_send = jnp.concatenate([jnp.ones_like(may[:, :1]), may[:, 1:FIRST_CELL]], axis=-1)
    build = jax.nn.log_softmax(jnp.where(may_build, build, -1e9))
    send = jax.nn.log_softmax(jnp.where(may_send, send[:, 1:], -1e9))
    return build, send, (shared @ weights["value"])[:, 0]


@partial(jax.jit, static_argnames="greedy")
def choose(weights: Tree, seen: Seen, key: Any, greedy: bool = False) -> tuple[Any, Any, Any, Any]:
    """Orders for every seat, what `give` takes for them, how likely they were, and the value of the game."""
    build, send, value = judge(weights, seen)
    one, two = jax.random.split(key)
    built = jnp.argmax(build, -1) if greedy else jax.random.categorical(one, build)
    sent = jnp.argmax(send, -1) if greedy else jax.random.categorical(two, send)
    likely = pick(build, built) + pick(send, sent)
    numbers = jnp.stack(
        [jnp.where(built > 0, built + FIRST_CELL - 1, -1), jnp.where(sent > 0, sent, -1), jnp.zeros_like(sent)], axis=-1
    )
    return jnp.stack([built, sent], -1), numbers.astype(jnp.int32), likely, value


def pick(logs: Any, chosen: Any) -> Any:
    return jnp.take_along_axis(logs, chosen[:, None], axis=-1)[:, 0]


# ---- learning


class Turns(NamedTuple):
    """What an update learns from, (turns, seats) first."""

    seen: Seen
    chosen: Any
    likely: Any
    value: Any
    reward: Any
    over: Any  # the game ended with this turn


def ahead(figures: Any) -> Any:
    """How far the base of a seat is ahead in health, -1 to 1: a hint long before the end, which changes no best play."""
    mine, theirs = figures[..., 6].astype(jnp.float32), figures[..., 7].astype(jnp.float32)
    return (mine - theirs) / jnp.maximum(mine + theirs, 1.0)


@jax.jit
def advantages(turns: Turns, last: Any) -> Any:
    """How much better each turn went than was expected of it, traced back from the end."""
    lead = ahead(turns.seen.figures)
    later = jnp.concatenate([lead[1:], lead[-1:]]) * (1.0 - turns.over)
    reward = turns.reward + HINT * (DISCOUNT * later - lead)

    def back(later: tuple[Any, Any], turn: tuple[Any, ...]) -> tuple[tuple[Any, Any], Any]:
        value, reward, over = turn
        next_value, trace = later
        goes_on = 1.0 - over
        surprise = reward + DISCOUNT * goes_on * next_value - value
        trace = surprise + DISCOUNT * TRACE * goes_on * trace
        return (value, trace), trace

    (_, _), found = jax.lax.scan(back, (last, jnp.zeros_like(last)), (turns.value, reward, turns.over), reverse=True)
    return found


def loss(weights: Tree, turns: Turns, gain: Any) -> Any:
    build, send, value = judge(weights, turns.seen)
    ratio = jnp.exp(pick(build, turns.chosen[:, 0]) + pick(send, turns.chosen[:, 1]) - turns.likely)
    wished = (gain - gain.mean()) / (gain.std() + 1e-6)
    policy = jnp.minimum(ratio * wished, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * wished).mean()
    error = jnp.square(value - (turns.value + gain)).mean()
    wonder = sum(-(jnp.exp(logs) * jnp.maximum(logs, -30)).sum(-1).mean() for logs in (build, send))
    return -policy + VALUE * error - WONDER * wonder


@jax.jit
def learn(weights: Tree, slopes: Tree, turns: Turns, gain: Any, key: Any, rate: Any) -> tuple[Tree, Tree]:
    """One update: all turns in shuffled parts, some times over, with Adam."""
    count = gain.shape[0] * gain.shape[1]
    flat = jax.tree.map(lambda array: array.reshape(count, *array.shape[2:]), (turns, gain))

    def one(carried: tuple[Tree, Tree], rows: Any) -> tuple[tuple[Tree, Tree], None]:
        weights, (number, mean, square) = carried
        slope = jax.grad(loss)(weights, *jax.tree.map(lambda array: array[rows], flat))
        size = jnp.sqrt(sum(jnp.square(leaf).sum() for leaf in jax.tree.leaves(slope)))
        slope = jax.tree.map(lambda leaf: leaf * jnp.minimum(1.0, 0.5 / (size + 1e-6)), slope)
        number = number + 1
        mean = jax.tree.map(lambda m, s: 0.9 * m + 0.1 * s, mean, slope)
        square = jax.tree.map(lambda q, s: 0.999 * q + 0.001 * s * s, square, slope)
        step = rate * jnp.sqrt(1 - 0.999**number) / (1 - 0.9**number)
        weights = jax.tree.map(lambda w, m, q: w - step * m / (jnp.sqrt(q) + 1e-6), weights, mean, square)
        return (weights, (number, mean, square)), None

    rows = jnp.concatenate([jax.random.permutation(k, count) for k in jax.random.split(key, EPOCHS)])
    (weights, slopes), _ = jax.lax.scan(one, (weights, slopes), rows.reshape(EPOCHS * PARTS, -1))
    return weights, slopes


# ---- playing


def look(batch: Batch, seats: tuple[int, ...]) -> Seen:
    """What these seats of all games see, as arrays of JAX. On a GPU nothing passes through the computer."""
    shown = batch.observe()
    arrays = [shown[name][:, seats[0] : seats[-1] + 1] for name in ("board", "figures", "limits")]
    if batch.device == "cuda":
        import cupy
        from numba import cuda

        cuda.synchronize()
        found = [jnp.from_dlpack(cupy.asarray(array).copy()) for array in arrays]
        cupy.cuda.get_current_stream().synchronize()
    else:
        found = [jnp.array(array) for array in arrays]
    return Seen(*[array.reshape(-1, *array.shape[2:]) for array in found])


def numbers_from(batch: Batch, array: Any) -> Any:
    """What JAX has computed, as the batch takes it."""
    return array.block_until_ready() if batch.device == "cuda" else np.asarray(array)


def figures_of(batch: Batch, name: str) -> Any:
    array = getattr(batch, name)
    return array.copy_to_host() if batch.device == "cuda" else array


class Table(NamedTuple):
    """Games side by side, and the seats that the network plays."""

    batch: Batch
    seats: tuple[int, ...]


def tables(options: dict[str, Any], games: int, sparring: list[str], device: str) -> list[Table]:
    """Half of the games are played against itself, the others against scripted players, in either seat."""
    own = games // 2 if sparring else games
    found = [Table(Batch("demons", options, own, seed="self", device=device), (0, 1))]
    for name in sparring:
        for seat in range(2):
            batch = Batch("demons", options, own // (2 * len(sparring)), seed=f"{name} {seat}", device=device)
            batch.assign([None if number == seat else name for number in range(2)])
            found.append(Table(batch, (seat,)))
    return found


def collect(table: Table, weights: Tree, key: Any) -> tuple[Turns, Any]:
    """Some turns of every game; and what the network thinks of the games then."""
    rows, batch, seats = [], table.batch, table.seats
    for one in jax.random.split(key, STEPS):
        seen = look(batch, seats)
        chosen, numbers, likely, value = choose(weights, seen, one)
        numbers = numbers.reshape(batch.count, len(seats), -1)
        if len(seats) == 1:
            numbers = jnp.repeat(numbers, 2, axis=1)  # what the other seat is given counts for nothing
        batch.give(numbers_from(batch, numbers))
        reward = np.array(figures_of(batch, "rewards"), np.float32)[:, list(seats)].reshape(-1)
        over = np.repeat(np.array(figures_of(batch, "over"), np.float32), len(seats))
        rows.append(Turns(seen, chosen, likely, value, jnp.asarray(reward), jnp.asarray(over)))
    last = choose(weights, look(batch, seats), key)[3]
    return jax.tree.map(lambda *parts: jnp.stack(parts), *rows), last


def share_won(options: dict[str, Any], weights: Tree, opponent: str, games: int, seed: int) -> float:
    """The share of games that the network wins, in both seats: one with each start."""
    points = 0
    for seat in range(2):
        batch = Batch("demons", options, games // 2, seed=seed, restart=False)
        batch.assign([None if number == seat else opponent for number in range(2)])
        key = jax.random.PRNGKey(seed)
        while not np.all(batch.games) and int(batch.states["turn"].max()) < 400:
            key, one = jax.random.split(key)
            numbers = np.full((batch.count, 2, 3), -1, np.int32)
            numbers[:, seat] = choose(weights, look(batch, (seat,)), one)[1]
            batch.give(numbers)
        points += int((batch.totals[:, seat] > 0).sum())
    return points / (games // 2 * 2)


# ---- the whole


def main() -> None:
    parser = argparse.ArgumentParser(description="PPO by self-play on Demons.")
    parser.add_argument("--map", default="hourglass")
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--games", type=int, help="side by side; 128 on a CPU, 4,096 on a GPU")
    parser.add_argument("--width", type=int, default=24)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sparring", default="economist,rusher", help="scripted players; empty for self-play alone")
    parser.add_argument("--opponents", default="random,economist", help="whom it is measured against")
    parser.add_argument("--out", type=Path, default=Path("out/learning"))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)

    options = {"map": given.map, "rules": given.rules}
    games = given.games or (4096 if given.device == "cuda" else 128)
    hall = tables(options, games, [name for name in given.sparring.split(",") if name], given.device)
    board, figures = (part.shape for part in hall[0].batch.layout.parts)
    weights = network(jax.random.PRNGKey(given.seed), board[2], figures[0], given.width, given.layers)
    slopes = (jnp.zeros(()), jax.tree.map(jnp.zeros_like, weights), jax.tree.map(jnp.zeros_like, weights))
    key = jax.random.PRNGKey(given.seed + 1)

    log: list[dict[str, Any]] = []
    began, learned, shown, played = time.monotonic(), 0, 0.0, 0.0
    while True:
        spent = time.monotonic() - began
        if spent >= shown or spent >= 60 * given.minutes:
            won = {name: share_won(options, weights, name, 128, learned) for name in given.opponents.split(",")}
            row = {
                "minutes": round(spent / 60, 2),
                "turns": learned,
                "games": sum(int(figures_of(table.batch, "games").sum()) for table in hall),
            }
            row["share of time playing"] = round(played / max(spent, 1), 2)
            log.append({**row, **won})
            print(json.dumps(log[-1]), flush=True)
            began += time.monotonic() - began - spent  # looking at it is not learning
            shown = spent + 30
        if spent >= 60 * given.minutes:
            break
        key, one, two = jax.random.split(key, 3)
        started = time.monotonic()
        found = [collect(table, weights, k) for table, k in zip(hall, jax.random.split(one, len(hall)), strict=True)]
        turns = jax.tree.map(lambda *parts: jnp.concatenate(parts, axis=1), *[part for part, _ in found])
        last = jnp.concatenate([part for _, part in found])
        played += time.monotonic() - started
        rate = given.rate * max(0.05, 1 - spent / (60 * given.minutes))
        weights, slopes = learn(weights, slopes, turns, advantages(turns, last), two, rate)
        learned += STEPS * sum(table.batch.count for table in hall)

    leaves = jax.tree.leaves(weights)
    np.savez_compressed(given.out / "weights.npz", *[np.asarray(leaf) for leaf in leaves])
    (given.out / "log.json").write_text(json.dumps({"options": vars(given) | {"out": ""}, "log": log}, indent=1))


if __name__ == "__main__":
    main()
