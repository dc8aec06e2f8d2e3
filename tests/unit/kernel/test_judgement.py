"""Networks in whole numbers: what they come to, compiled or not, and what files are refused."""

from __future__ import annotations

import json
import random
from math import log2
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from polemos.kernel import judgement
from polemos.kernel.judgement import (
    MAX_FEATURES,
    MAX_HIDDEN,
    MAX_SCALE,
    MAX_WEIGHT,
    ONE,
    WHOLE,
    Facts,
    Judgement,
    Net,
    Scales,
    furnish,
    put,
    try_net,
)
from polemos.kernel.record import many

FEATURES = ("gold", "health")
# Twice as much for a standard deviation of gold, and for each of health above the mean; deviations are 10 and 1.
WEIGHTS = {
    "middle": [50, 7],
    "scale": [(ONE << 16) // 10, ONE << 16],
    "direct": [4096, 0],
    "first": [[0, 4096]],
    "bias": [0],
    "last": [4096],
}


def shares(net: Net, *seats: tuple[int, ...]) -> list[int]:
    facts, scales = Facts(), Scales()
    for seat, row in enumerate(seats):
        for i, value in enumerate(row):
            facts.of[i] = value
        try_net(net, len(seats), facts, scales, seat)
    return [scales.share[seat] for seat in range(len(seats))]


def net_of(weights: dict[str, Any]) -> Net:
    net = Net()
    put(weights, net)
    return net


def test_a_deviation_more_counts_twice_as_much() -> None:
    net = net_of(WEIGHTS)
    assert shares(net, (50, 7), (50, 7)) == [WHOLE // 2, WHOLE // 2]
    two, one = shares(net, (60, 7), (50, 7))
    assert two / one == pytest.approx(2, rel=0.01)
    assert shares(net, (50, 3), (50, 7)) == [WHOLE // 2, WHOLE // 2]  # a hidden unit says nothing below its mean
    four, one = shares(net, (50, 9), (50, 7))
    assert four / one == pytest.approx(4, rel=0.01)


def test_all_shares_are_one_game_and_none_of_them_a_whole_one() -> None:
    net = net_of(WEIGHTS)
    for seats in ([(50, 7)] * 3, [(10**9, 7), (0, 7), (50, 7), (51, 7)], [(-(2**31), 0), (2**31 - 1, 99)]):
        found = shares(net, *seats)
        assert sum(found) == WHOLE
        assert all(0 < share < WHOLE for share in found)


def test_who_sits_where_makes_no_difference() -> None:
    net = net_of(WEIGHTS)
    one, two, three = shares(net, (60, 7), (50, 9), (44, 7))
    assert [three, one, two] == pytest.approx(shares(net, (44, 7), (60, 7), (50, 9)), abs=3)


def test_compiled_and_interpreted_they_give_the_same_bytes() -> None:
    """All sums are exact, so this holds for the largest weights and features, too."""
    chance = random.Random(4)
    plain = {
        name: getattr(vars(judgement)[name], "py_func", vars(judgement)[name])
        for name in ("score", "power", "share_out", "octaves")
    }
    for size in (1, 5000, 2**31 - 1):
        net = Net(features=MAX_FEATURES, hidden=MAX_HIDDEN)
        for name in ("middle", "scale", "direct", "first", "bias", "last"):
            most = min(size, {"middle": size, "scale": MAX_SCALE}.get(name, MAX_WEIGHT))
            array = getattr(net, name)
            for i in range(len(array)):
                array[i] = chance.choice((-most, most, chance.randint(-most, most)))
        one, other = Scales(), Scales()
        for scales in (one, other):
            draw = random.Random(size)
            for i in range(MAX_FEATURES):
                scales.facts.of[i] = draw.randint(-size, size)
        assert judgement.score(net, one) == plain["score"](net, other)
        for seat in range(4):
            one.score[seat] = other.score[seat] = chance.randint(-30 * ONE, 30 * ONE)
        judgement.share_out(4, one)
        plain["share_out"](4, other)
        assert one == other
    for exponent in range(-3 * ONE, 1, 7):
        assert judgement.power(exponent) == plain["power"](exponent)
        assert judgement.power(exponent) / 2**30 == pytest.approx(2 ** (exponent / ONE), rel=0.004)
    for number in (*range(300), 10**6, 10**12):
        assert judgement.octaves(number) == plain["octaves"](number) == pytest.approx(16 * log2(number + 1), abs=2.5)


def test_weights_are_read_by_part_and_only_for_their_features(tmp_path: Path) -> None:
    file = tmp_path / "judgement.weights"
    nets = many(Net, 2)
    usual = Judgement(
        file=file, features=dict.fromkeys(FEATURES, ""), parts=("one", "two"), part=lambda state: 0, describe=None,
        nets=lambda desk: desk, position=lambda desk: desk, starts=tuple,
    )  # fmt: skip
    furnish(replace(usual, file=tmp_path / "none.weights"), nets)
    assert [nets[0].features, nets[1].features] == [0, 0]
    file.write_text(json.dumps({"features": FEATURES, "parts": {"two": WEIGHTS}}))
    furnish(usual, nets)
    assert [nets[0].features, nets[1].features] == [0, 2]
    with pytest.raises(ValueError, match="other features"):
        furnish(replace(usual, features={"gold": "", "houses": ""}), nets)
    with pytest.raises(ValueError, match="beyond"):
        net_of({**WEIGHTS, "last": [MAX_WEIGHT + 1]})
    judgement.empty(nets)
    assert nets[1].features == 0
