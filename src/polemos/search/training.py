"""Learns the judgement of a game from nothing: plays games, fits a network to what came of them, writes its weights.

A position is worth what the whole playout was that it came from, as the game judges the end of one. So a playout that
is cut off and judged estimates a whole one. Of five games one is held back: nothing is learned from it. Another one
says when to stop: every round learns from all games so far, until those are no longer foretold better.

How well a judgement foretells is told as a log loss, in nats: the mean of -log p, where p is the share that it gave to
the winner. Learned and hand-made judgement are compared after both have been calibrated: shares are raised to the power
that fits best on the games that say when to stop, for each quarter of a game.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from math import e, log, log2
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from polemos.kernel.errors import PolemosError
from polemos.kernel.judgement import (
    COARSE,
    FINE,
    MAX_SCALE,
    MAX_WEIGHT,
    MOST,
    ONE,
    WHOLE,
    Facts,
    Judgement,
    Net,
    Scales,
    put,
    try_net,
)
from polemos.kernel.playouts import Playouts
from polemos.search.player import load
from polemos.search.selfplay import Played, Setup, grounds_of

Floats = npt.NDArray[np.float32]

HIDDEN: Final = 16
ROUNDS: Final = 8
PLAYING: Final = 0.7  # part of the time that goes into games
KEPT: Final = 400_000  # positions of a part that are kept
OF: Final = 5  # games: the first of so many is held back, the second says when to stop
PATIENCE: Final = 6  # epochs without getting better, after which a fit ends
EPOCHS: Final = 12  # of a fit at most, where games are counted and not minutes
BATCH: Final = 512
RATE: Final = 3e-3  # of learning, at the beginning
DECAY: Final = 3e-4  # of weights
STAGES: Final = 4  # quarters of a game
SMALLEST: Final = (ONE << COARSE) / MAX_SCALE  # standard deviation of a feature: one that hardly changes says little
CHECKED: Final = 2000  # positions on which whole numbers are compared with floats
POWERS: Final = tuple(2.0 ** (i / 4) for i in range(-16, 17))  # that shares are raised to when they are calibrated


class TooFewGames(PolemosError):
    word = "training/too-few"


class Effort(Struct, frozen=True):
    """How long to train: minutes of CPU time, or else games. The same number of games gives the same games."""

    minutes: float = 5.0
    games: int = 0
    seed: int = 1
    hidden: int = HIDDEN


class Data:
    """The positions of one part."""

    def __init__(self, features: int, seats: int) -> None:
        self.features, self.seats = features, seats
        self._facts: list[Any] = []
        self._rows: list[tuple[float, ...]] = []
        self.games = 0

    def add(self, game: Played) -> None:
        if len(self._rows) >= KEPT or len(game.shares) != self.seats:
            return
        self.games += 1
        best = max(game.shares)
        won = [float(share == best) / game.shares.count(best) for share in game.shares]
        held = game.number % OF
        for one in game.positions:
            stage = min(STAGES - 1, STAGES * one.step // max(1, game.steps))
            self._facts.append(one.facts)
            self._rows.append((held, stage, *game.shares, *won, *one.by_hand))

    @property
    def is_enough(self) -> bool:
        """Whether there are games of all kinds: to learn from, to say when to stop, to be held back."""
        return len({min(2, int(row[0])) for row in self._rows}) == 3

    def arrays(self) -> dict[str, Any]:
        rows, n = np.array(self._rows, np.float32), self.seats
        return {
            "facts": np.array(self._facts, np.float32).reshape(-1, n, self.features),
            "held": rows[:, 0] == 0,
            "stops": rows[:, 0] == 1,
            "stage": rows[:, 1].astype(int),
            "share": rows[:, 2 : 2 + n],
            "won": rows[:, 2 + n : 2 + 2 * n],
            "by hand": rows[:, 2 + 2 * n : 2 + 3 * n],
        }


class Model:
    """The network in floats, with Adam."""

    def __init__(self, features: int, hidden: int, seed: int) -> None:
        draw = np.random.default_rng(seed)
        self.chance = draw
        self.middle: Floats = np.zeros(features, np.float32)
        self.spread: Floats = np.ones(features, np.float32)
        self.weights: dict[str, Floats] = {
            "direct": np.zeros(features, np.float32),
            "first": (draw.standard_normal((hidden, features)) / features**0.5).astype(np.float32),
            "bias": np.zeros(hidden, np.float32),
            "last": (draw.standard_normal(hidden) / 10).astype(np.float32),
        }
        self._moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in self.weights.items()}
        self._updates = 0

    def normalise(self, facts: Floats) -> None:
        """Takes mean and standard deviation of the features from these. Before anything is learned."""
        flat = facts.reshape(-1, facts.shape[-1])
        self.middle = np.round(flat.mean(0)).astype(np.float32)
        self.spread = np.maximum(SMALLEST, flat.std(0)).astype(np.float32)

    def scaled(self, facts: Floats) -> Floats:
        found: Floats = np.clip((facts - self.middle) / self.spread, -MOST / ONE, MOST / ONE)
        return found

    def shares(self, x: Floats) -> Floats:
        """Of scaled features, by position and seat."""
        return _softmax(self._scores(x)[0])

    def _scores(self, x: Floats) -> tuple[Floats, Floats]:
        w = self.weights
        inner: Floats = x @ w["first"].T + w["bias"]
        scores: Floats = np.maximum(0, inner) @ w["last"] + x @ w["direct"]
        return scores, inner

    def learn(self, x: Floats, share: Floats, rate: float) -> None:
        """One step of Adam."""
        w = self.weights
        scores, inner = self._scores(x)
        slope = (_softmax(scores) - share) / len(x)  # of the loss, by score
        back = slope[..., None] * w["last"] * (inner > 0)
        flat, flat_back = x.reshape(-1, x.shape[-1]), back.reshape(-1, back.shape[-1])
        slopes = {
            "direct": flat.T @ slope.reshape(-1),
            "first": flat_back.T @ flat,
            "bias": flat_back.sum(0),
            "last": np.maximum(0, inner).reshape(-1, inner.shape[-1]).T @ slope.reshape(-1),
        }
        self._updates += 1
        for name, of in slopes.items():
            of = of + DECAY * w[name]
            mean, square = self._moments[name]
            mean += 0.1 * (of - mean)
            square += 0.001 * (of * of - square)
            step = (mean / (1 - 0.9**self._updates)) / (np.sqrt(square / (1 - 0.999**self._updates)) + 1e-8)
            w[name] -= rate * step

    def epoch(self, x: Floats, share: Floats, rate: float) -> None:
        order = self.chance.permutation(len(x))
        for at in range(0, len(x), BATCH):
            some = order[at : at + BATCH]
            self.learn(x[some], share[some], rate)

    def whole_numbers(self) -> dict[str, Any]:
        """The weights as they are kept: scores to the base 2, all in fixed point."""

        def fixed(values: Any, unit: float, most: int = MAX_WEIGHT) -> Any:
            return np.clip(np.round(np.asarray(values, float) * unit), -most, most).astype(int).tolist()

        w, unit = self.weights, 1 << FINE
        return {
            "middle": fixed(self.middle, 1, 2**31 - 1),
            "scale": fixed(1 / self.spread, ONE << COARSE, MAX_SCALE),
            "direct": fixed(w["direct"] * log2(e), unit),
            "first": fixed(w["first"], unit),
            "bias": fixed(w["bias"], unit),
            "last": fixed(w["last"] * log2(e), unit),
        }


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    found: Floats = powers / powers.sum(-1, keepdims=True)
    return found


def log_loss(shares: Floats, truth: Floats) -> float:
    return float(-(truth * np.log(np.maximum(shares, 1e-6))).sum(-1).mean())


def _raised(shares: Floats, power: float) -> Floats:
    powers = np.maximum(shares, 1e-6) ** power
    found: Floats = powers / powers.sum(-1, keepdims=True)
    return found


def foretold(shares: Floats, data: Mapping[str, Any]) -> list[float | None]:
    """The log loss of the winner on games that are held back: by stage, then of all. Calibrated on those that stop.

    None of a stage from which there are no positions yet.
    """
    found: list[float | None] = []
    sum, count = 0.0, 0
    for stage in range(STAGES):
        here, held = data["stage"] == stage, data["held"]
        known, new = here & data["stops"], here & held
        if not known.any() or not new.any():
            found.append(None)
            continue
        power = min(POWERS, key=lambda power: log_loss(_raised(shares[known], power), data["won"][known]))
        loss = log_loss(_raised(shares[new], power), data["won"][new])
        found.append(round(loss, 4))
        sum, count = sum + loss * int(new.sum()), count + int(new.sum())
    return [*found, round(sum / max(1, count), 4)]


def in_whole_numbers(weights: Mapping[str, Any], facts: Floats) -> Floats:
    """The shares that the compiled evaluator gives to features, by position and seat."""
    net, scales, of = Net(), Scales(), Facts()
    put(weights, net)
    count, seats, width = facts.shape
    found = np.zeros((count, seats), np.float32)
    for at in range(count):
        for seat in range(seats):
            for i in range(width):
                of.of[i] = int(facts[at, seat, i])
            try_net(net, seats, of, scales, seat)
        found[at] = [scales.share[seat] / WHOLE for seat in range(seats)]
    return found


class Training:
    """One run: games and fits in turns, a line of the log after each."""

    def __init__(self, kit: Playouts, setup: Setup, effort: Effort, tell: Callable[[dict[str, Any]], None]) -> None:
        assert kit.judgement is not None
        load(kit)
        self.judgement: Judgement = kit.judgement
        self.effort, self._tell = effort, tell
        self._grounds = grounds_of(kit, setup, effort.seed)
        features = len(self.judgement.features)
        seats = {ground.part: ground.seats for ground in self._grounds}
        self._data = {part: Data(features, seats[part]) for part in sorted(seats)}
        self._models = {part: Model(features, effort.hidden, effort.seed) for part in self._data}
        self._fitted: set[int] = set()
        self._games, self._began, self._playing = 0, time.process_time(), 0.0

    def run(self, keep: Callable[[dict[str, Any]], None]) -> None:
        """Tells the weights after each round."""
        for round in range(1, ROUNDS + 1):
            self._play(round)
            for part, data in self._data.items():
                if data.is_enough:
                    self._fit(round, part, data.arrays())
            if self._fitted:
                keep(self._weights())
        if not self._fitted:
            raise TooFewGames(f"Too few games to learn from ({self._games:,}): give it more minutes or games.")

    def _weights(self) -> dict[str, Any]:
        """As they stand in a file. Parts of which too few games were played are left out."""
        parts = {self.judgement.parts[part]: self._models[part].whole_numbers() for part in sorted(self._fitted)}
        return {"features": list(self.judgement.features), "parts": parts}

    @property
    def left_out(self) -> list[str]:
        """The parts that nothing was learned of."""
        return [self.judgement.parts[part] for part in self._data if part not in self._fitted]

    def _play(self, round: int) -> None:
        began = time.process_time()
        seconds = 60 * self.effort.minutes * PLAYING * round / ROUNDS - self._playing
        games = self.effort.games * round // ROUNDS
        while self._games < games if self.effort.games else time.process_time() - began < seconds or not self._games:
            ground = self._grounds[self._games % len(self._grounds)]
            # Each ground must have games of all kinds: to learn from, to say when to stop, to be held back.
            at = self._games // len(self._grounds) + self._games % len(self._grounds)
            self._data[ground.part].add(ground.play(at, self.effort.seed + self._games % len(self._grounds)))
            self._games += 1
        self._playing += time.process_time() - began

    def _fit(self, round: int, part: int, data: dict[str, Any]) -> None:
        held, stops, share = data["held"], data["stops"], data["share"]
        learned = ~held & ~stops
        model = self._models[part]
        is_first = part not in self._fitted
        self._fitted.add(part)
        if is_first:
            model.normalise(data["facts"][learned])
        x = model.scaled(data["facts"])
        began, epochs, worse = time.process_time(), 0, 0
        best = {name: values.copy() for name, values in model.weights.items()}
        seconds = 60 * self.effort.minutes * (1 - PLAYING) / ROUNDS / len(self._data)
        least = log_loss(model.shares(x[stops]), share[stops]) if not is_first else float("inf")
        while worse < PATIENCE and (epochs < EPOCHS if self.effort.games else time.process_time() - began < seconds):
            model.epoch(x[learned], share[learned], RATE * 0.6**worse)
            epochs += 1
            loss = log_loss(model.shares(x[stops]), share[stops])
            worse = 0 if loss < least else worse + 1
            if loss < least:
                least, best = loss, {name: values.copy() for name, values in model.weights.items()}
        model.weights = best
        shares, weights = model.shares(x), model.whole_numbers()
        some = np.flatnonzero(held)[:CHECKED]
        whole = in_whole_numbers(weights, data["facts"][some])
        self._tell(
            {
                "part": self.judgement.parts[part],
                "round": round,
                "minutes": round_to((time.process_time() - self._began) / 60),
                "games": self._data[part].games,
                "positions": len(x),
                "epochs": epochs,
                "loss learned from": round_to(log_loss(shares[learned], share[learned])),
                "loss held back": round_to(log_loss(shares[held], share[held])),
                "in whole numbers": round_to(float(np.abs(whole - shares[some]).max()) if len(some) else 0.0),
                "winner, learned": foretold(shares, data),
                "winner, by hand": foretold(data["by hand"], data),
                "winner, even": round_to(log(share.shape[1])),
            }
        )


def round_to(value: float) -> float:
    return round(value, 4)


def train(
    kit: Playouts, setup: Setup, effort: Effort, file: Path, told: Path, say: Callable[[str], None]
) -> dict[str, Any]:
    """Trains, writes weights and log, and says how it goes. The last line of the log of each part is its result.

    The weights are written after each round, so Ctrl-C ends it with what has been learned until then.
    """
    for path in (file, told):
        path.parent.mkdir(parents=True, exist_ok=True)
    found: dict[str, Any] = {}

    def keep(weights: dict[str, Any]) -> None:
        fresh = file.with_name(file.name + ".new")
        fresh.write_text(json.dumps(weights, separators=(",", ":")) + "\n", encoding="utf-8")
        fresh.replace(file)
        found.update(weights)

    with told.open("w", encoding="utf-8") as out:

        def tell(row: dict[str, Any]) -> None:
            out.write(json.dumps(row, allow_nan=False) + "\n")
            out.flush()
            say(
                f"{row['minutes']:6.1f} min, {row['part']}: {row['games']:,} games, log loss of the winner "
                f"{row['winner, learned'][-1]:.4f}, judged by hand {row['winner, by hand'][-1]:.4f}"
            )

        training = Training(kit, setup, effort, tell)
        try:
            training.run(keep)
        except KeyboardInterrupt:
            if not found:
                raise
            say("Stopped. What was learned until the last whole round is kept.")
        for part in training.left_out:
            say(f"{part}: too few games, so there are no weights for it")
    return found
