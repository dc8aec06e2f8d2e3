"""Random maps: fair, varied, and the same for the same seed."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

from polemos.games.demons.generate import FAR, SIZES, generate
from polemos.games.demons.ground import Ground, read_map, write_map
from polemos.games.demons.layout import faults
from polemos.kernel.errors import BadOptions
from together import together

SEEDS = range(200)


@pytest.fixture(scope="module")
def grounds() -> list[Ground]:
    return [generate(seed) for seed in SEEDS]


@together("seed", SEEDS)
def test_a_random_map_breaks_no_rule(seed: int) -> None:
    ground = generate(seed)
    assert faults(ground) == []
    assert 60 <= len(ground.tiles) <= 400
    assert read_map(write_map(ground)) == ground
    assert not ground.variant
    for gate in ground.portals:
        lane = next(lane for lane in ground.lanes if (gate.x, gate.y) in lane)
        place = lane.index((gate.x, gate.y))
        assert min(place + 1, len(lane) - place) >= FAR
    for lane in ground.lanes:
        reached = [t for t in lane if any(abs(t[0] - x) + abs(t[1] - y) <= 3 for x, y in ground.territory["red"])]
        assert len(reached) >= FAR - 2, "red's towers reach some of every lane"
    columns = ["".join(column) for column in zip(*ground.rows, strict=True)]
    assert all(set(rim) != {"."} for rim in (ground.rows[0], ground.rows[-1], columns[0], columns[-1]))


@pytest.mark.parametrize("size", SIZES)
@together("seed", range(20))
def test_sizes_are_kept(seed: int, size: str) -> None:
    least, most = SIZES[size].tiles
    assert least <= len(generate(seed, size).tiles) <= most


def test_random_maps_are_of_many_kinds(grounds: list[Ground]) -> None:
    assert {ground.symmetry for ground in grounds} == {"half-turn", "mirror-x", "mirror-y", "diagonal", "antidiagonal"}
    assert {len(ground.lanes) for ground in grounds} == {1, 2, 3, 4}
    assert {len(ground.portals) for ground in grounds} >= {1, 2, 4}
    assert {ground.facing for ground in grounds} == {True, False}
    lengths = [len(lane) for ground in grounds for lane in ground.lanes]
    assert min(lengths) < 12
    assert max(lengths) > 60
    assert len({ground.rows for ground in grounds}) == len(grounds)
    assert len({ground.name for ground in grounds}) > 100
    gentle = [ground for ground in grounds if len(ground.portals) <= 2]
    assert len(gentle) > len(grounds) * 3 // 4, "on most maps one demon a wave and base"


def test_a_map_says_facing_only_if_portals_face_each_other(grounds: list[Ground]) -> None:
    for ground in grounds:
        bare = Ground(ground.name, ground.symmetry, ground.rows)
        assert bool(faults(bare)) == ground.facing


def test_the_same_seed_gives_the_same_map_everywhere(grounds: list[Ground]) -> None:
    """Maps of a seed are quoted; they may not change with the process, the machine or the version of Python."""
    code = "from polemos.games.demons.generate import generate; print(generate(7).rows)"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == str(generate(7).rows) == str(grounds[7].rows)
    text = "".join(write_map(ground) for ground in grounds)
    assert hashlib.blake2b(text.encode(), digest_size=8).hexdigest() == "7c0f79e50f7ec8a3"


def test_a_seed_may_be_a_word() -> None:
    assert generate("spring cup") == generate("spring cup") != generate("autumn cup")


def test_an_unknown_size_is_refused() -> None:
    with pytest.raises(BadOptions, match="small, medium, large"):
        generate(1, "huge")
