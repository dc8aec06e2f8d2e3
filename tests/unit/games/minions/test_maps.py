"""1.1 to 1.8, 15.1 to 15.7 Hexes and maps: geometry, text, what admits a map, the six maps, drawn maps."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.games.minions.maps import (
    BASIC,
    GRAVEYARD,
    HEXES,
    IMAGES,
    OPEN,
    PLAIN,
    RINGS,
    START,
    WATER,
    BadMap,
    Ground,
    admitted,
    distance,
    draw_map,
    flaws,
    hex_name,
    hex_of,
    load,
    name_of,
    neighbours,
    read_rows,
    sound,
    walks,
    write_rows,
)
from polemos.kernel.errors import NotationError

HEX = st.integers(0, HEXES - 1)
GROUNDS = st.lists(st.sampled_from((PLAIN, GRAVEYARD, WATER)), min_size=HEXES, max_size=HEXES).map(tuple)
KEPT = {*START, *RINGS[0], *RINGS[1]}

# 15.6 by hex: symmetry, graveyards, water.
MAPS = {
    "Blackened Shores": (
        "reflection",
        "c0 g0 f3 j3 a4 g4 b6 j7 d8 f9",
        "a1 a2 a3 b4 a5 d5 e5 a6 e6 a7 c7 f8 c9 d9 e9 g9 h9 i9",
    ),
    "Midnight Lake": (
        "reflection",
        "b0 i0 j1 a3 d3 b6 g6 d8 j8 g9",
        "d0 e0 f3 g3 a4 e4 f4 g4 e5 f5 j5 j6 f9",
    ),
    "Eternal Battlefield": (
        "reflection",
        "d0 j0 g1 i3 b4 c5 j6 e7 b8 f8",
        "a0 b0 a1 c4 a5 b5 a6 f7 e8 j8 d9 e9 i9 j9",
    ),
    "Forbidden Isle": (
        "half turn",
        "e1 h1 b2 d4 i4 b5 g5 i7 c8 f8",
        "a0 b0 c0 d0 e0 f0 g0 h0 i0 j0 a1 b1 g1 j1 a2 j2 a3 j3 a4 e4 j4 a5 f5 j5 a6 j6 a7 j7 a8 d8 i8 j8"
        " a9 b9 c9 d9 e9 f9 g9 h9 i9 j9",
    ),
    "MegaPuddles": (
        "half turn",
        "b1 h1 d3 j3 e4 f5 a6 g6 c8 i8",
        "a0 d0 g0 j0 e1 f2 i2 a3 g3 b4 h4 c5 i5 d6 j6 b7 e7 f8 a9 d9 g9 j9",
    ),
    "River Styx": (
        "half turn",
        "i0 b1 d2 g4 i4 b5 d5 g7 i8 b9",
        "e0 f0 e1 h3 c4 d4 h4 c5 g5 h5 c6 f8 e9 f9",
    ),
}


def names(hexes: object) -> set[str]:
    assert isinstance(hexes, tuple | list | set)
    return {hex_name(hex) for hex in hexes}


def of(ground: Ground, kind: int) -> list[int]:
    return [hex for hex in range(HEXES) if ground[hex] == kind]


def changed(ground: Ground, kind: int, *hexes: str) -> Ground:
    """The same map with some hexes of another kind."""
    there = {hex_of(text) for text in hexes}
    return tuple(kind if hex in there else old for hex, old in enumerate(ground))


def symmetries(ground: Ground) -> list[str]:
    return [name for name, image in IMAGES.items() if all(ground[hex] == ground[image(hex)] for hex in range(HEXES))]


# ---- geometry


@pytest.mark.parametrize(
    ("hex", "wanted"),
    [
        ("c2", "b2 b3 c1 c3 d1 d2"),
        ("h7", "g7 g8 h6 h8 i6 i7"),
        ("a0", "b0 a1"),
        ("j9", "i9 j8"),
        ("a9", "b9 a8 b8"),
        ("j0", "i0 j1 i1"),
    ],
)
def test_1_2_neighbours_as_in_the_book(hex: str, wanted: str) -> None:
    assert names(neighbours(hex_of(hex))) == {*wanted.split()}


def test_1_2_how_many_neighbours() -> None:
    assert Counter(len(neighbours(hex)) for hex in range(HEXES)) == {6: 64, 4: 32, 2: 2, 3: 2}


@given(HEX, HEX)
def test_1_3_distance_is_steps_on_an_open_board(a: int, b: int) -> None:
    assert walks(OPEN, a)[b] == distance(a, b) == distance(b, a)
    assert (b in neighbours(a)) == (a in neighbours(b)) == (distance(a, b) == 1)


@pytest.mark.parametrize(
    ("a", "b", "wanted"),
    [("c2", "d1", 1), ("c2", "d3", 2), ("c2", "h7", 10), ("a9", "j0", 9), ("a0", "j9", 18), ("e5", "e5", 0)],
)
def test_1_3_distances_of_the_book(a: str, b: str, wanted: int) -> None:
    assert distance(hex_of(a), hex_of(b)) == wanted


def test_1_1_names_of_hexes() -> None:
    assert [hex_of(hex_name(hex)) for hex in range(HEXES)] == [*range(HEXES)]
    assert (hex_of("c2"), hex_of(" J9 "), hex_name(90)) == (22, 99, "a9")


@pytest.mark.parametrize(
    "text", ["", "a", "k0", "a10", "a-1", "2c", "a²", "a٣", "ª1", "\0\0", "c2 d3", None, 22, b"c2"]
)
def test_what_is_no_hex_is_refused(text: object) -> None:
    with pytest.raises(NotationError) as caught:
        hex_of(text)
    assert caught.value.rule == "4.3"


def test_1_8_start_hexes_and_rings() -> None:
    assert [hex_name(hex) for hex in START] == ["c2", "h7"]
    for start, ring in zip(START, RINGS, strict=True):
        assert sorted(ring) == sorted(neighbours(start))


@pytest.mark.parametrize("image", IMAGES.values())
def test_15_2_symmetries_exchange_the_sides_and_keep_distances(image: object) -> None:
    assert callable(image)
    assert [image(hex) for hex in START] == [*reversed(START)]
    assert {image(hex) for hex in RINGS[0]} == {*RINGS[1]}
    for a in range(HEXES):
        assert image(image(a)) == a
        assert {image(b) for b in neighbours(a)} == {*neighbours(image(a))}


# ---- text


@given(GROUNDS)
def test_15_1_a_ground_survives_its_text(ground: Ground) -> None:
    assert read_rows(write_rows(ground)) == ground


def test_15_1_rows_begin_with_rank_0_and_file_a() -> None:
    ground = read_rows("2G3G3/W9/0/0/0/0/0/0/0/9W")
    assert names(of(ground, GRAVEYARD)) == {"c0", "g0"}
    assert names(of(ground, WATER)) == {"a1", "j9"}
    assert read_rows("/".join(["55"] * 10)) == read_rows(" 0/0/0/0/0/0/0/0/0/0\n") == OPEN
    assert read_rows(write_rows(ground).lower()) == ground


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "A map must have 10 rows separated by /, not 1."),
        ("0/0/0/0/0/0/0/0/0", "A map must have 10 rows separated by /, not 9."),
        ("0/0/0/0/0/0/0/0/0/0/0", "A map must have 10 rows separated by /, not 11."),
        ("0/0/9/0/0/0/0/0/0/0", "Rank 2: '9' makes 9 hexes; a row must have 10."),
        ("0/0/0G/0/0/0/0/0/0/0", "Rank 2: '0G' makes 11 hexes; a row must have 10."),
        ("0//0/0/0/0/0/0/0/0", "Rank 1: '' makes 0 hexes; a row must have 10."),
        ("0/0/0/0/0/0/0/0/0/9X", "Rank 9: 'X' can't be part of a row; use digits, G and W."),
        ("0/9 W/0/0/0/0/0/0/0/0", "Rank 1: ' ' can't be part of a row"),
        ("0/0/0/٩W/0/0/0/0/0/0", "Rank 3: '٩' can't be part of a row"),
        ("0" * 201, "A map can have at most 200 characters, not 201."),
        (None, "A map must be a text."),
        (b"0/0/0/0/0/0/0/0/0/0", "A map must be a text."),
    ],
)
def test_15_1_bad_rows_are_refused(text: object, why: str) -> None:
    with pytest.raises(BadMap) as caught:
        read_rows(text)
    assert why in caught.value.why
    assert caught.value.rule == "15.1"


@given(st.text() | st.text(alphabet="0123456789GWgw/ ", max_size=130))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(BadMap):
        assert len(read_rows(text)) == HEXES
    with suppress(BadMap):
        load(text)
    with suppress(NotationError):
        hex_of(text)


@pytest.mark.parametrize("ground", [(), OPEN[1:], (*OPEN, PLAIN), (*OPEN[1:], 3), (-1, *OPEN[1:])])
def test_15_1_a_ground_of_another_shape_is_no_map(ground: Ground) -> None:
    assert [rule for rule, _ in flaws(ground)] == ["15.1"]
    for judge in (write_rows, sound):
        with pytest.raises(BadMap) as caught:
            judge(ground)
        assert caught.value.rule == "15.1"


# ---- the six maps


@pytest.mark.parametrize("name", MAPS)
def test_15_6_the_six_maps(name: str) -> None:
    symmetry, yards, water = MAPS[name]
    ground = load(name)
    assert names(of(ground, GRAVEYARD)) == {*yards.split()}
    assert names(of(ground, WATER)) == {*water.split()}
    assert symmetries(ground) == [symmetry]
    assert flaws(ground) == []
    assert sound(ground) is ground
    assert name_of(ground) == name


def test_15_6_their_order_and_their_names() -> None:
    assert list(BASIC) == list(MAPS)
    for name in BASIC:
        for text in (name.upper(), name.lower().replace(" ", "-"), name.replace(" ", ""), f"  {name} "):
            assert load(text) == load(name)
    assert load("mega puddles") == load("MegaPuddles")


def test_15_6_graveyards_on_rings() -> None:
    found = {name: names(KEPT.intersection(of(load(name), GRAVEYARD))) for name in BASIC}
    assert {name: hexes for name, hexes in found.items() if hexes} == {
        "Forbidden Isle": {"b2", "i7"},
        "River Styx": {"d2", "g7"},
    }


def test_15_6_the_open_board_is_for_no_game() -> None:
    assert load("Open") == OPEN
    assert name_of(OPEN) == "open"
    assert [rule for rule, _ in flaws(OPEN)] == ["15.3"]
    assert not admitted(OPEN)
    assert name_of(changed(OPEN, WATER, "a0")) is None


@pytest.mark.parametrize("name", ["", "random", "Blackened", "maps.toml", "../maps", "x" * 999, None, 3])
def test_no_other_map_is_known(name: object) -> None:
    with pytest.raises(BadMap, match="There is no map called") as caught:
        load(name)
    assert caught.value.rule == "15.6"


# ---- what admits a map

LAKE = load("Midnight Lake")
STYX = load("River Styx")
DRY = changed(STYX, PLAIN, *names(of(STYX, WATER)))


def test_15_2_a_map_must_be_fair() -> None:
    assert flaws(DRY) == []
    assert flaws(changed(DRY, WATER, "b0")) == [
        (
            "15.2",
            "The map is not symmetric: by the half turn b0 is water and i9 plain; "
            "by the reflection b0 is water and j8 plain.",
        )
    ]


def test_15_2_the_other_reflection_does_not_count() -> None:
    ground = read_rows("1G1WW3G1/G9/9G/W8G/W9/0/0/0/G9/2GG6")
    turned = tuple(
        ground[hex] if hex % 10 >= hex // 10 else ground[10 * (hex % 10) + hex // 10] for hex in range(HEXES)
    )
    assert all(turned[10 * x + y] == turned[10 * y + x] for x in range(10) for y in range(10))
    assert symmetries(turned) == []
    assert "15.2" in [rule for rule, _ in flaws(turned)]


def test_15_3_ten_graveyards() -> None:
    fewer = changed(DRY, PLAIN, "i0", "b9")
    assert flaws(fewer) == [("15.3", "The map has 8 graveyards; it must have 10.")]
    more = changed(DRY, GRAVEYARD, "a3", "j6")
    assert flaws(more) == [("15.3", "The map has 12 graveyards; it must have 10.")]


def test_15_3_no_two_are_neighbours() -> None:
    moved = changed(changed(DRY, PLAIN, "i0", "b9"), GRAVEYARD, "b0", "i9")
    assert flaws(moved) == [("15.3", "The graveyards b0 and b1 are neighbours.")]


@pytest.mark.parametrize("one", sorted((START[0], *RINGS[0])))
def test_15_4_no_water_on_start_hexes_and_rings(one: int) -> None:
    found = flaws(changed(load("MegaPuddles"), WATER, hex_name(one), hex_name(HEXES - 1 - one)))
    assert ("15.4", f"{hex_name(one)} is water; start hexes and their rings must be land.") in found
    assert [rule for rule, _ in found if rule != "15.5"] == ["15.4"]
    assert ("15.5" in [rule for rule, _ in found]) == (one == START[0])


def test_15_5_a_way_from_start_to_start() -> None:
    wall = changed(DRY, WATER, *(f"{file}{9 - i}" for i, file in enumerate("abcdefghij") if f"{file}{9 - i}" != "j0"))
    assert "15.5" not in [rule for rule, _ in flaws(wall)]
    found = flaws(changed(wall, WATER, "j0"))
    assert [rule for rule, _ in found] == ["15.5", "15.5"]
    assert found[0][1] == "There is no way over land from c2 to h7."
    assert found[1][1] == "There is no way over land from c2 to the graveyard g4."


def test_15_5_a_way_to_every_graveyard() -> None:
    ringed = changed(DRY, WATER, "h0", "j0", "i1", "h1", "a9", "c9", "b8", "c8")
    assert flaws(ringed) == [("15.5", "There is no way over land from c2 to the graveyard i0.")]


def test_flaws_are_all_named_and_raised_together() -> None:
    ground = changed(LAKE, WATER, "c2", "b0")
    assert [rule for rule, _ in flaws(ground)] == ["15.2", "15.3", "15.4", "15.5", "15.5"]
    with pytest.raises(BadMap, match=r"not symmetric.*Faults besides this: 4") as caught:
        sound(ground)
    assert caught.value.rule == "15.2"


@given(GROUNDS)
def test_any_ground_is_judged(ground: Ground) -> None:
    assert {rule for rule, _ in flaws(ground)} <= {"15.2", "15.3", "15.4", "15.5"}


# ---- drawn maps


@pytest.fixture(scope="module")
def drawn() -> list[Ground]:
    return [draw_map(f"map {i}") for i in range(300)]


def test_15_7_drawn_maps_are_admitted_and_differ(drawn: list[Ground]) -> None:
    for ground in drawn:
        assert flaws(ground) == [], write_rows(ground)
        assert name_of(ground) is None
    assert len({*drawn}) == len(drawn)


def test_15_7_no_graveyard_on_start_hexes_and_rings(drawn: list[Ground]) -> None:
    assert all(ground[hex] == PLAIN for ground in drawn for hex in KEPT)


def test_15_7_drawn_maps_are_fair_and_open_to_both_sides(drawn: list[Ground]) -> None:
    for ground in drawn:
        ways = [walks(ground, start) for start in START]
        assert all(len(way) == HEXES - ground.count(WATER) for way in ways)  # all land hangs together
        steps = [sorted(way[hex] for hex in of(ground, GRAVEYARD)) for way in ways]
        assert steps[0] == steps[1]
        assert steps[0][1] <= 5
        assert ways[0][START[1]] <= 13


def test_15_7_both_symmetries_and_all_amounts_of_water_occur(drawn: list[Ground]) -> None:
    kinds = Counter(symmetry for ground in drawn for symmetry in symmetries(ground))
    assert min(kinds["half turn"], kinds["reflection"]) > 100
    amounts = [ground.count(WATER) for ground in drawn]
    assert min(amounts) == 0
    assert max(amounts) <= 36
    assert 12 <= sum(amounts) / len(amounts) <= 18
    assert sum(amount > 24 for amount in amounts) > 30


def test_15_7_water_comes_in_clumps_and_graveyards_spread(drawn: list[Ground]) -> None:
    wet = [(ground, hex) for ground in drawn for hex in of(ground, WATER)]
    joined = sum(any(ground[there] == WATER for there in neighbours(hex)) for ground, hex in wet)
    assert joined > 0.9 * len(wet)
    for ground in drawn:
        yards = of(ground, GRAVEYARD)
        assert {hex % 10 > 4 for hex in yards} == {True, False}
        assert max(sum(distance(hex, yard) <= 2 for yard in yards) for hex in range(HEXES)) <= 6


def test_15_7_equal_keys_give_equal_maps() -> None:
    assert draw_map("a") == draw_map("a")
    assert draw_map("a") != draw_map("b")
    rows = write_rows(draw_map(2025))
    script = "from polemos.games.minions.maps import *; print(write_rows(draw_map(2025)))"
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == rows


def test_15_7_drawn_maps_stay_what_they_are() -> None:
    """Old games name their maps by key: if this digest changes, they can no longer be played again."""
    rows = "\n".join(write_rows(draw_map(i)) for i in range(20))
    assert write_rows(draw_map(7)) == "WWWWG5/W7G1/W4G4/G9/1G5G2/9G/3G5W/9W/5G3W/6GWWW"
    assert hashlib.sha256(rows.encode()).hexdigest()[:16] == "f829d104a09f8824"
