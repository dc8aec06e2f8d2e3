"""Learned judgement of positions: features, a small network in whole numbers, and shares of the game.

A game describes a position from the side of one seat by a fixed number of features, whole numbers that all have a name.
The network turns them into a score: a weighted sum of them, and of a layer of hidden units. Scores of all seats become
shares: a seat with a score that is higher by `ONE` counts twice as much. So seats in mirrored positions get mirrored
shares, and the shares of all seats are one whole game.

There are no floats: features are scaled to about a thousand, weights are multiples of 1/4096, sums have 64 bits. So a
position has the same value to the last digit on every processor, compiled or interpreted. Nothing but this module
is needed to use weights; `polemos.search.training` makes them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from polemos.kernel.batching import MAX_SEATS
from polemos.kernel.record import Array, Record, i16, i32, i64, size
from polemos.kernel.rule import entry, rule

MAX_FEATURES: Final = 48
MAX_HIDDEN: Final = 24

ONE: Final = 1 << 10  # a scaled feature that is one standard deviation above the mean; a score that counts twice
FINE: Final = 12  # bits of a weight behind the point
COARSE: Final = 16  # bits of a scale behind the point
MAX_WEIGHT: Final = 1 << 24  # to either side; and
MAX_SCALE: Final = 1 << 30  # of a scale: with these, no sum goes beyond 63 bits, whatever the features are
MOST: Final = 6 * ONE  # a scaled feature, to either side: further away, nothing was learned
DEEP: Final = 24  # octaves behind the best seat where nothing is left
WHOLE: Final = 1_000_000  # a game, as in `polemos.kernel.playouts`
LEAST: Final = WHOLE // 1000  # what every seat gets: a judgement is never as good as a victory


class Facts(Record):
    """The features of one seat in one position."""

    of: Array[i32] = size(MAX_FEATURES)


class Net(Record):
    """Weights. Without features it is empty, and the game judges without it."""

    features: i16
    hidden: i16
    middle: Array[i32] = size(MAX_FEATURES)  # of each feature: its mean,
    scale: Array[i32] = size(MAX_FEATURES)  # and what makes its standard deviation `ONE`
    direct: Array[i32] = size(MAX_FEATURES)
    first: Array[i32] = size(MAX_HIDDEN * MAX_FEATURES)  # by hidden unit and feature
    bias: Array[i32] = size(MAX_HIDDEN)
    last: Array[i32] = size(MAX_HIDDEN)


class Scales(Record):
    """Scratch space of a judgement, and what came of it."""

    facts: Facts
    scaled: Array[i32] = size(MAX_FEATURES)
    score: Array[i64] = size(MAX_SEATS)
    share: Array[i64] = size(MAX_SEATS)  # millionths of a game


@rule
def octaves(number: int) -> int:
    """The logarithm of a number from 0 up, to the base 2, in sixteenths: for features that grow by doubling."""
    value = max(0, number) + 1
    whole = 0
    while value >> whole + 1:
        whole += 1
    return 16 * whole + ((value << 4 >> whole) - 16)


@rule
def score(net: Net, scales: Scales) -> int:
    """What the network makes of `scales.facts`, in octaves of `ONE`."""
    sum = 0
    for i in range(net.features):
        scaled = (scales.facts.of[i] - net.middle[i]) * net.scale[i] >> COARSE
        scales.scaled[i] = max(-MOST, min(MOST, scaled))
        sum += scales.scaled[i] * net.direct[i]
    for unit in range(net.hidden):
        inner = net.bias[unit] * ONE
        row = unit * MAX_FEATURES
        for i in range(net.features):
            inner += scales.scaled[i] * net.first[row + i]
        if inner > 0:
            sum += (inner >> FINE) * net.last[unit]
    return sum >> FINE


@rule
def power(exponent: int) -> int:
    """2 to the power of an exponent in `ONE`, from -DEEP up to 0, times 2^30: straight enough between octaves."""
    whole = exponent >> 10
    part = exponent & (ONE - 1)
    return (1 << 20) + part * (672 + (352 * part >> 10)) << 10 >> -whole


@rule
def share_out(seats: int, scales: Scales) -> None:
    """Turns the scores of these seats into shares; what rounding leaves over goes to the best."""
    first = 0
    for seat in range(1, seats):
        if scales.score[seat] > scales.score[first]:
            first = seat
    whole = 0
    for seat in range(seats):
        behind = scales.score[seat] - scales.score[first]
        scales.share[seat] = power(behind) if behind > -DEEP * ONE else 0
        whole += scales.share[seat]
    given = 0
    for seat in range(seats):
        scales.share[seat] = LEAST + (WHOLE - LEAST * seats) * scales.share[seat] // whole
        given += scales.share[seat]
    scales.share[first] += WHOLE - given


@entry
def try_net(net: Net, seats: int, facts: Facts, scales: Scales, seat: int) -> None:
    """Scores the features of one seat; after the last one, shares them out. For training and tests."""
    scales.facts = facts
    scales.score[seat] = score(net, scales)
    if seat == seats - 1:
        share_out(seats, scales)


class Judgement(Struct, frozen=True):
    """What a game gives so that a judgement can be learned, and where it keeps the weights.

    `parts` are kinds of matches that are judged by weights of their own, such as rule sets.
    """

    # The weights, in the game's package. Not *.json: on such data rules depend, and would be compiled again.
    file: Path
    features: Mapping[str, str]  # by name, in their order: what each says
    parts: tuple[str, ...]
    part: Callable[[Any], int]  # (state): of which kind its match is
    describe: Any  # an entry: (state, seat, facts, desk)
    nets: Callable[[Any], Any]  # (desk): its networks, one for each part
    position: Callable[[Any], Any]  # (desk): the state in which the last trial ended
    starts: Callable[[], Sequence[Mapping[str, Any]]]  # options of the matches that are learned from
    length: int = 0  # steps of a long game; 0: as many as a match may have. Positions are kept all along it


@cache
def _read(file: Path) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found


def furnish(judgement: Judgement, desk: Any) -> None:
    """Puts what was learned into the networks of a desk; without a file, they stay empty.

    A game does so for every new desk, unless matches have shown that its bots play better without. Analyses always do:
    there it is the forecast that counts.
    """
    read, nets = _read(judgement.file), judgement.nets(desk)
    if not read:
        return
    if read["features"] != list(judgement.features):
        raise ValueError(f"{judgement.file.name} has weights for other features: train it again with `polemos train`")
    for at, part in enumerate(judgement.parts):
        if part in read["parts"]:
            put(read["parts"][part], nets[at])


def put(weights: Mapping[str, Any], net: Net) -> None:
    """Weights as they stand in a file, as a record."""
    net.features, net.hidden = len(weights["middle"]), len(weights["bias"])
    for name in ("middle", "scale", "direct", "bias", "last"):
        array = getattr(net, name)
        for i, value in enumerate(weights[name]):
            array[i] = _within(value, 1 << 31 if name == "middle" else MAX_SCALE if name == "scale" else MAX_WEIGHT)
    for unit, row in enumerate(weights["first"]):
        for i, value in enumerate(row):
            _within(value, MAX_WEIGHT)
            net.first[unit * MAX_FEATURES + i] = value


def _within(value: int, most: int) -> int:
    if abs(value) > most:
        raise ValueError(f"a weight is {value}, which is beyond {most}: train it again with `polemos train`")
    return value


def empty(nets: Any) -> None:
    """Takes the weights out of a desk: from then on it judges as the game did before anything was learned."""
    for at in range(len(nets)):
        nets[at].features = 0
