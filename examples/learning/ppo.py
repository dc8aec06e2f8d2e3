"""PPO by self-play on Demons, in one file, with JAX.

    pip install 'polemos[train]'
    python examples/learning/ppo.py                 # ten minutes on the cores of the computer
    python examples/learning/ppo.py --device cuda   # on a GPU: pip install 'polemos[gpu]' 'jax[cuda13]' cupy-cuda13x

Many games are played side by side. In some of them the network plays both seats and learns from both; in the others it
meets the game's own scripted players, which run inside the batch. On each turn it decides what to build, where, and
down which lane to hire, choosing among lawful orders only. What it does is made likelier or less likely by how much
better the game went than expected: proximal policy optimisation (Schulman et al., 2017).

Once a minute the network plays whole games against scripted players, and a line is printed. The weights are kept in
`weights.npz`, the lines in `log.json`; `python benchmarks/chart.py learning out/learning/log.json` draws the curves.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # on a GPU the games need memory, too

import jax
import jax.numpy as jnp
import numpy as np

from polemos.batch import Batch

Array = Any  # of JAX
Tree = dict[str, Array]  # weights by name

STEPS = 32  # turns of every game between two updates
EPOCHS, PARTS = 2, 8  # how often, and in how many parts, an update goes over these turns
DISCOUNT, TRACE = 0.997, 0.95  # how much the future counts, and how far a surprise is traced back
CLIP = 0.2  # by how much an update may change the chance of an order
VALUE, CURIOSITY = 0.5, 0.01  # weights of the value's error and of the entropy beside the gain

# Where things stand in an observation of Demons and among its numbered orders: see `spaces.py` of the game.
LAND, PATH, TOWERS, WAVE = 0, 1, slice(3, 8), 13  # planes of the board
MERCENARY, DEMON, HEALTH, TARGET = 9, 10, 11, 14
FIRST_CELL, EACH = 6, 6  # numbers from 6 on: five towers to build, and one order to destroy, for every cell
KINDS = 5


# ---- what the network sees


class Ground(NamedTuple):
    """The map. Blue sees it turned, so that both players look at it as red does, and learn from each other. The first
    axis of each array is the seat."""

    turn: Any  # (2, 4): the direction that a seat means by N, E, S, W
    sites: Any  # (2, sites): cells on which it can build
    path: Any  # (2, tiles of the lanes): cells on which units walk
    portals: Any  # (2, portals): cells from which demons come


def survey(batch: Batch) -> Ground:
    """Reads the map off the first position."""
    board = np.array(host(batch, batch.observe()["board"]))[0]
    for axes in ((0,), (1,), (0, 1)):
        if (np.flip(board[1], axes)[..., :3] == board[0, ..., :3]).all():
            break
    else:
        raise SystemExit("Blue's half of this map isn't a mirror image of red's. Choose another one.")
    turn = np.arange(4)  # N, E, S, W
    for axis in axes:
        turn = np.array([2, 1, 0, 3] if axis == 0 else [0, 3, 2, 1])[turn]
    cells = np.arange(board[0, ..., 0].size)
    both = np.stack([cells, np.flip(cells.reshape(board.shape[1:3]), axes).reshape(-1)])
    flat = board[0].reshape(cells.size, -1)
    turns = np.stack([np.arange(4), turn])
    return Ground(turns, both[:, flat[:, LAND] == 1], both[:, flat[:, PATH] == 1], both[:, flat[:, WAVE] > 0])


class Look(NamedTuple):
    """What seats see, one row each."""

    inputs: Array  # (n, inputs) of the network
    kinds: Array  # (n, 5): whether a tower of this kind can be built
    sites: Array  # (n, sites): where
    hires: Array  # (n, 4): whether a mercenary can be hired
    lead: Array  # (n,): how far this seat is ahead


def look(ground: Ground, seen: Tree, reds: int) -> Look:
    """Rows of numbers about 1 from rows of observations: so many of red, then those of blue."""

    def some(name: str, pick: Any) -> Array:
        return jnp.concatenate([pick(seen[name][:reds], 0), pick(seen[name][reds:], 1)])

    def cells(array: Array) -> Array:
        return array.reshape(len(array), -1, array.shape[-1])

    figures = some("figures", lambda x, seat: x).astype(jnp.float32)
    gold, health, turn = figures[:, 4:6], figures[:, 6:8], figures[:, 0:1] / figures[:, 1:2]
    queues = some("figures", lambda x, seat: x[:, np.concatenate([18 + ground.turn[seat], 22 + ground.turn[seat]])])
    lanes = some("board", lambda x, seat: cells(x)[:, ground.path[seat], MERCENARY : HEALTH + 1]).astype(jnp.float32)
    portals = some("board", lambda x, seat: cells(x)[:, ground.portals[seat], WAVE : TARGET + 1])
    towers = some("board", lambda x, seat: cells(x)[..., TOWERS].astype(jnp.int32))
    mine, theirs = jnp.maximum(towers, 0).sum(1) / 10, jnp.maximum(-towers, 0).sum(1) / 10
    inputs = [
        lanes[..., :2] * lanes[..., 2:] / 20,  # a unit is worth its health, with the sign of its side
        portals / 10,
        mine,
        theirs,
        *[jnp.minimum(gold / most, 1) for most in (10, 20, 30, 50, 100, 300, 1000)],
        health / 100,
        jnp.minimum(health / 20, 1),
        turn,
        queues,
    ]
    wealth = (gold[:, 0] - gold[:, 1]) / 20 + 10 * (mine[:, 0] - theirs[:, 0])  # a house is soon worth twice its price
    lead = (health[:, 0] - health[:, 1]) / 400 + jnp.tanh(wealth / 20) / 2
    may = some("limits", lambda x, seat: x[:, FIRST_CELL:].reshape(len(x), -1, EACH)[:, ground.sites[seat], :KINDS] > 0)
    hires = some("limits", lambda x, seat: x[:, 1 + ground.turn[seat]] > 0)
    flat = jnp.concatenate([x.reshape(len(figures), -1).astype(jnp.float32) for x in inputs], 1)
    return Look(flat, may.any(1), may.any(2), hires, lead)


# ---- the network


def network(key: Array, inputs: int, sites: int, width: int) -> Tree:
    """Random weights: two layers that everything shares, and a layer for each answer. Where towers of a kind are best
    depends on the map alone: each site has a weight."""
    sizes = {"one": (inputs, width), "two": (width, width), "kind": (width, 1 + KINDS)}
    sizes |= {"hire": (width, 5), "value": (width, 1)}
    found: Tree = {"site": jnp.zeros((KINDS, sites))}
    for name, (rows, columns) in sizes.items():
        key, one = jax.random.split(key)
        gain = 1.4 if name in ("one", "two") else 0.05  # in the beginning all orders are about as likely
        found[name] = gain * jax.random.normal(one, (rows, columns)) / rows**0.5
        found[name + " bias"] = jnp.zeros(columns)
    return found


def chances(may: Array, logits: Array) -> Array:
    """Logarithms of the chances of lawful orders."""
    return jax.nn.log_softmax(jnp.where(may, logits, -1e9))


def judge(weights: Tree, seen: Look) -> tuple[Array, Array, Array]:
    """Logarithms of the chances to build a kind (0: nothing) and to hire (0: nobody); and the value of the game."""

    def layer(x: Array, name: str) -> Array:
        return x @ weights[name] + weights[name + " bias"]

    x = jax.nn.relu(layer(seen.inputs, "one"))
    x = x + jax.nn.relu(layer(x, "two"))
    nothing = jnp.ones((len(x), 1), bool)
    kind = chances(jnp.concatenate([nothing, seen.kinds], 1), layer(x, "kind"))
    hire = chances(jnp.concatenate([nothing, seen.hires], 1), layer(x, "hire"))
    return kind, hire, layer(x, "value")[:, 0]


def places(weights: Tree, seen: Look, kind: Array) -> Array:
    """Logarithms of the chances of the sites for a tower of this kind."""
    return chances(seen.sites, weights["site"][jnp.maximum(kind - 1, 0)])


class Orders(NamedTuple):
    """What seats order, one row each."""

    kind: Array  # 0: nothing, 1 to 5: build
    site: Array
    hire: Array  # 0: nobody, 1 to 4: N, E, S, W


def likelihood(kind: Array, site: Array, hire: Array, orders: Orders) -> Array:
    """The logarithm of the chance of these orders. A site counts only if something is built there."""
    row = jnp.arange(len(kind))
    return kind[row, orders.kind] + jnp.where(orders.kind > 0, site[row, orders.site], 0) + hire[row, orders.hire]


@jax.jit
def choose(weights: Tree, seen: Look, key: Array) -> tuple[Orders, Array, Array]:
    """Orders drawn by their chances, how likely they were, and the value of the game."""
    kind, hire, value = judge(weights, seen)
    keys = jax.random.split(key, 3)
    chosen = jax.random.categorical(keys[0], kind)
    site = places(weights, seen, chosen)
    orders = Orders(chosen, jax.random.categorical(keys[1], site), jax.random.categorical(keys[2], hire))
    return orders, likelihood(kind, site, hire, orders), value


def numbers_of(ground: Ground, orders: Orders, seat: Array) -> Array:
    """What `Batch.give` takes, (n, 3): the hiring, the building, and 0, which files the sheet."""
    cell = jnp.asarray(ground.sites)[seat, orders.site]
    build = jnp.where(orders.kind > 0, FIRST_CELL + EACH * cell + orders.kind - 1, -1)
    hire = jnp.where(orders.hire > 0, 1 + jnp.asarray(ground.turn)[seat, jnp.maximum(orders.hire - 1, 0)], -1)
    return jnp.stack([hire, build, jnp.zeros_like(build)], 1).astype(jnp.int32)


# ---- learning


class Turns(NamedTuple):
    """What an update learns from; (turns, seats) come first."""

    seen: Look
    orders: Orders
    likely: Array
    value: Array
    reward: Array
    over: Array  # 1 if the game ended with this turn


@jax.jit
def advantages(turns: Turns, last: Look, last_value: Array) -> Array:
    """How much better things went than expected, traced back from the end (GAE). Beside the result of the game, getting
    ahead is rewarded: what is won like that is lost again when the lead is lost, so the best play stays the best."""
    lead = jnp.concatenate([turns.seen.lead, last.lead[None]])
    reward = turns.reward.astype(jnp.float32) + DISCOUNT * lead[1:] * (1 - turns.over) - lead[:-1]

    def back(later: tuple[Array, Array], turn: tuple[Array, ...]) -> tuple[tuple[Array, Array], Array]:
        (next_value, trace), (value, reward, over) = later, turn
        surprise = reward + DISCOUNT * (1 - over) * next_value - value
        trace = surprise + DISCOUNT * TRACE * (1 - over) * trace
        return (value, trace), trace

    start = (last_value, jnp.zeros_like(last_value))
    return jax.lax.scan(back, start, (turns.value, reward, turns.over), reverse=True)[1]


def loss(weights: Tree, turns: Turns, gain: Array) -> Array:
    """What an update makes small."""
    kind, hire, value = judge(weights, turns.seen)
    site = places(weights, turns.seen, turns.orders.kind)
    ratio = jnp.exp(likelihood(kind, site, hire, turns.orders) - turns.likely)
    wish = (gain - gain.mean()) / (gain.std() + 1e-6)
    policy = jnp.minimum(ratio * wish, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * wish).mean()
    error = jnp.square(value - (turns.value + gain)).mean()
    entropy = sum(-(jnp.exp(logs) * jnp.maximum(logs, -50)).sum(1).mean() for logs in (kind, hire))
    return -policy + VALUE * error - CURIOSITY * entropy


@jax.jit
def update(weights: Tree, adam: tuple[Array, Tree, Tree], turns: Turns, gain: Array, key: Array, rate: Array) -> Any:
    """All turns in shuffled parts, some times over, with Adam; the weights, what Adam remembers, and the loss."""
    count = gain.size - gain.size % PARTS
    flat = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), (turns, gain))

    def one(carried: Any, rows: Array) -> Any:
        weights, (number, mean, square) = carried
        cost, slope = jax.value_and_grad(loss)(weights, *jax.tree.map(lambda x: x[rows], flat))
        steep = jnp.sqrt(sum(jnp.square(leaf).sum() for leaf in jax.tree.leaves(slope)))
        slope = jax.tree.map(lambda s: s * jnp.minimum(1, 0.5 / (steep + 1e-6)), slope)
        number = number + 1
        mean = jax.tree.map(lambda m, s: 0.9 * m + 0.1 * s, mean, slope)
        square = jax.tree.map(lambda q, s: 0.999 * q + 0.001 * s * s, square, slope)
        step = rate * jnp.sqrt(1 - 0.999**number) / (1 - 0.9**number)
        weights = jax.tree.map(lambda w, m, q: w - step * m / (jnp.sqrt(q) + 1e-5), weights, mean, square)
        return (weights, (number, mean, square)), cost

    rows = jnp.concatenate([jax.random.permutation(k, gain.size)[:count] for k in jax.random.split(key, EPOCHS)])
    (weights, adam), costs = jax.lax.scan(one, (weights, adam), rows.reshape(EPOCHS * PARTS, -1))
    return weights, adam, costs.mean()


# ---- playing


def host(batch: Batch, array: Any) -> Any:
    """An array of the batch in the memory of the computer."""
    return array.copy_to_host() if batch.device == "cuda" else array


class Hall:
    """Games side by side, and the seats that the network plays: both, or one against a scripted player."""

    def __init__(self, options: dict[str, Any], rivals: list[str], games: int, device: str, **how: Any) -> None:
        self.batch = Batch("demons", options, games, device=device, **how)
        self.ground = survey(self.batch)
        names = [rivals[game % len(rivals)] for game in range(games)]
        learns = np.ones((games, 2), bool)
        for game, name in enumerate(names):
            learns[game, game // len(rivals) % 2] = name == "self"
        self.batch.assign([[None if mine else name for mine in row] for row, name in zip(learns, names, strict=True)])
        red, blue = np.flatnonzero(learns[:, 0]), np.flatnonzero(learns[:, 1])
        self.seat = np.repeat([0, 1], [len(red), len(blue)])
        self.game = np.concatenate([red, blue])  # that each row is about
        self._look = jax.jit(lambda seen: look(self.ground, seen, len(red)))
        self._numbers = jax.jit(self._numbers_of)

    def rows(self, array: Any, *axes: Any) -> Array:
        """Some rows of an array of the batch, as an array of JAX; on a GPU they stay there."""
        if self.batch.device != "cuda":
            return jnp.asarray(array[axes])
        import cupy

        return jnp.from_dlpack(cupy.asarray(array)[axes])

    def _numbers_of(self, orders: Orders) -> Array:
        numbers = numbers_of(self.ground, orders, self.seat)
        return jnp.full((self.batch.count, 2, 3), -1, jnp.int32).at[self.game, self.seat].set(numbers)

    def look(self) -> Look:
        """What the seats see that the network plays."""
        seen = {name: self.rows(array, self.game, self.seat) for name, array in self.batch.observe().items()}
        found: Look = self._look(seen)
        return found

    def give(self, orders: Orders) -> tuple[Array, Array]:
        """Plays a turn of every game; the rewards of the seats, and whether their games are over."""
        numbers = self._numbers(orders).block_until_ready()
        self.batch.give(numbers if self.batch.device == "cuda" else np.asarray(numbers))
        return self.rows(self.batch.rewards, self.game, self.seat), self.rows(self.batch.over, self.game)

    def play(self, weights: Tree, key: Array) -> tuple[Turns, Look, Array]:
        """Some turns of every game, how it stands then, and what the network thinks of that."""
        turns = []
        for one in jax.random.split(key, STEPS):
            seen = self.look()
            orders, likely, value = choose(weights, seen, one)
            turns.append(Turns(seen, orders, likely, value, *self.give(orders)))
        last = self.look()
        return jax.tree.map(lambda *x: jnp.stack(x), *turns), last, choose(weights, last, key)[2]


def share_won(hall: Hall, weights: Tree, seed: int) -> float:
    """The share of whole games that the network wins, half of them in either seat. A draw is half a victory."""
    batch, key = hall.batch, jax.random.PRNGKey(seed)
    batch.reset(seed)
    while not np.all(host(batch, batch.games)):
        key, one = jax.random.split(key)
        hall.give(choose(weights, hall.look(), one)[0])
    return float((1 + host(batch, batch.totals)[hall.game, hall.seat]).mean()) / 2


def save(path: Path, weights: Tree) -> None:
    arrays: dict[str, Any] = {name: np.asarray(array) for name, array in weights.items()}
    np.savez(path, **arrays)


def load(path: Path) -> Tree:
    with np.load(path) as kept:
        return {name: jnp.asarray(kept[name]) for name in kept}


def main(arguments: list[str] | None = None) -> list[dict[str, Any]]:
    parser = argparse.ArgumentParser(description="PPO by self-play on Demons.")
    parser.add_argument("--map", default="hourglass")
    parser.add_argument("--turns", type=int, default=1000, help="of a game at most")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--updates", type=int, default=10**9, help="at most")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--games", type=int, help="side by side; 512 on a CPU, 8,192 on a GPU")
    parser.add_argument("--width", type=int, default=128, help="of the network")
    parser.add_argument("--rate", type=float, default=1e-3, help="of learning; it falls to nothing")
    parser.add_argument("--rivals", default="self,keeper,economist,keeper", help="who is met in training")
    parser.add_argument("--tests", default="random,economist,keeper", help="who is met once a minute")
    parser.add_argument("--test-games", type=int, default=64)
    parser.add_argument("--every", type=float, default=60, help="seconds from test to test")
    parser.add_argument("--weights", type=Path, help="of an earlier run, to go on from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("out/learning"))
    given = parser.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)

    options = {"map": given.map, "turns": given.turns}
    games = given.games or (8192 if given.device == "cuda" else 512)
    hall = Hall(options, given.rivals.split(","), games, given.device, seed=given.seed)
    tests = {
        name: Hall(options, [name], given.test_games, given.device, restart=False) for name in given.tests.split(",")
    }
    first = hall.look()
    key = jax.random.PRNGKey(given.seed)
    weights = network(key, first.inputs.shape[1], first.sites.shape[1], given.width)
    if given.weights:
        weights = load(given.weights)
    adam = (jnp.zeros(()), jax.tree.map(jnp.zeros_like, weights), jax.tree.map(jnp.zeros_like, weights))

    log: list[dict[str, Any]] = []
    began, due, cost, spent, playing = time.monotonic(), 0.0, 0.0, 0.0, 0.0
    for number in range(given.updates + 1):
        spent = (time.monotonic() - began) / 60
        ends = spent >= given.minutes or number == given.updates
        if 60 * spent >= due or ends:
            row: dict[str, Any] = {"minutes": round(spent, 2), "cpu minutes": round(time.process_time() / 60, 2)}
            row |= {"updates": number, "turns": number * STEPS * games, "loss": round(float(cost), 4)}
            row |= {"seconds playing": round(playing, 1)}
            row |= {name: share_won(test, weights, number) for name, test in tests.items()}
            log.append(row)
            print(json.dumps(row), flush=True)
            save(given.out / "weights.npz", weights)
            (given.out / "log.json").write_text(json.dumps(log, indent=1) + "\n")
            due = time.monotonic() - began + given.every
        if ends:
            break
        key, one, two = jax.random.split(key, 3)
        started = time.monotonic()
        turns, last, last_value = hall.play(weights, one)
        playing += time.monotonic() - started
        rate = given.rate * max(0.05, 1 - max(spent / given.minutes, number / given.updates))
        gain = advantages(turns, last, last_value)
        weights, adam, cost = update(weights, adam, turns, gain, two, jnp.asarray(rate))
    return log


if __name__ == "__main__":
    main()
