"""Maps of the original competition's format, written here."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.games.demons.ground import BadMap, read_map, write_map
from polemos.games.demons.imports import import_json
from polemos.games.demons.layout import faults

FERRY: dict[str, Any] = {
    "FloorTiles": [
        "rrrr     bbbb",
        "rrOOOOOOOOObb",
        "rrOrr   bbObb",
        "rrO       Obb",
        "rrOrr   bbObb",
        "rrOOOOOOOOObb",
        "rrrr     bbbb",
    ],
    "PlayerBaseR": {"x": 2, "y": 3},
    "PlayerBaseB": {"x": 10, "y": 3},
    "DemonSpawners": [
        {"x": 6, "y": 1, "initial_target": "r", "switch_target": True},
        {"x": 6, "y": 5, "initial_target": "b", "switch_target": True},
    ],
}

OURS = """name: Ferry
symmetry: half-turn
prrr.....bbbb
rroooouoooobb
rrorr...bbobb
rrR.......Bbb
rrorr...bbobb
rroooovoooobb
rrrr.....bbbq
"""


def changed(**fields: Any) -> str:
    return json.dumps({**FERRY, **fields})


def floor(old: str, new: str) -> list[str]:
    return "\n".join(FERRY["FloorTiles"]).replace(old, new, 1).split("\n")


def test_a_file_becomes_a_map_with_houses_and_symmetry() -> None:
    """Tiles alone would allow mirror-x; the portals are fair under half a turn only."""
    ground = import_json(json.dumps(FERRY), "Ferry")
    assert write_map(ground) == OURS
    assert faults(ground) == []
    assert read_map(write_map(ground)) == ground


def test_portals_keep_their_flag() -> None:
    """1.6 Fixed ones mark the map as a variant."""
    fixed = [
        {"x": 4, "y": 1, "initial_target": "r", "switch_target": False},
        {"x": 8, "y": 1, "initial_target": "b", "switch_target": False},
    ]
    ground = import_json(changed(DemonSpawners=fixed))
    assert ground.portals == ((4, 1, "red", True), (8, 1, "blue", True))
    assert (ground.symmetry, ground.variant, ground.facing) == ("mirror-x", True, False)
    assert faults(ground) == []


def test_portals_that_face_each_other_are_imported_and_named() -> None:
    twins = [{"x": x, "y": 1, "initial_target": target, "switch_target": True} for x, target in ((4, "r"), (8, "b"))]
    ground = import_json(changed(DemonSpawners=twins))
    assert [rule for rule, _ in faults(ground)] == ["1.6"]


def test_an_unfair_map_is_imported_and_its_faults_are_named() -> None:
    ground = import_json(changed(FloorTiles=floor("rrrr  ", "rrrrr ")))
    assert ground.symmetry == "half-turn"
    assert faults(ground) == [("1.5", "(4, 0) is r, so its image (8, 6) must be b, not ..")]


def test_a_map_without_symmetry_has_houses_by_the_same_rule() -> None:
    lines = ["rr     ", "OOOO bb", "rr O   ", "   OO b", "    OO "]
    bases = {"PlayerBaseR": {"x": 0, "y": 1}, "PlayerBaseB": {"x": 5, "y": 4}}
    ground = import_json(json.dumps({"FloorTiles": lines, "DemonSpawners": [], **bases}))
    assert ground.symmetry == "none"
    assert ground.houses == {"red": (0, 0), "blue": (6, 3)}


def test_a_base_may_stand_on_its_own_territory() -> None:
    ground = import_json(changed(FloorTiles=floor("rrO       Obb", "rrr       bbb")))
    assert ground.bases == {"red": (2, 3), "blue": (10, 3)}


SPAWNER = FERRY["DemonSpawners"][0]
BAD = {
    "no JSON": ("{", "not JSON"),
    "deep": ("[" * 100_000, "not JSON"),
    "long": (" " * 200_001, "at most 200000"),
    "a list": ("[]", "object with FloorTiles"),
    "no floor": (json.dumps({"PlayerBaseR": {}}), "FloorTiles must be a list"),
    "empty floor": (changed(FloorTiles=[]), "FloorTiles must be a list"),
    "floor of numbers": (changed(FloorTiles=[1, 2]), "FloorTiles must be a list"),
    "ragged": (changed(FloorTiles=floor("rrrr ", "rrrr")), "FloorTiles[1] has 13 tiles, the first row 12"),
    "our letters": (changed(FloorTiles=floor("O", "o")), "FloorTiles[1]: 'o' is not a tile"),
    "too wide": (changed(FloorTiles=["r" * 65]), "at most 64"),
    "too high": (changed(FloorTiles=["r"] * 65), "at most 64"),
    "no base": (changed(PlayerBaseB=None), "PlayerBaseB must be an object"),
    "base beyond": (changed(PlayerBaseR={"x": 13, "y": 3}), "PlayerBaseR is beyond the edge"),
    "base before": (changed(PlayerBaseR={"x": -1, "y": 3}), "PlayerBaseR is beyond the edge"),
    "base between": (changed(PlayerBaseR={"x": 1.5, "y": 3}), "PlayerBaseR: x and y must be whole numbers"),
    "base on true": (changed(PlayerBaseR={"x": True, "y": 3}), "PlayerBaseR: x and y must be whole numbers"),
    "base in the abyss": (changed(PlayerBaseR={"x": 6, "y": 3}), "neither path nor its own land"),
    "base abroad": (changed(PlayerBaseR={"x": 12, "y": 3}), "neither path nor its own land"),
    "one base on the other": (changed(PlayerBaseB={"x": 2, "y": 3}), "something else stands on (2, 3)"),
    "spawners no list": (changed(DemonSpawners={}), "DemonSpawners must be a list"),
    "spawner no object": (changed(DemonSpawners=[7]), "DemonSpawners[0] must be an object"),
    "spawner off the path": (changed(DemonSpawners=[{**SPAWNER, "y": 0}]), "which is not a path tile"),
    "spawner on a base": (changed(DemonSpawners=[{**SPAWNER, "x": 2, "y": 3}]), "something else stands on (2, 3)"),
    "two spawners": (changed(DemonSpawners=[SPAWNER, SPAWNER]), "DemonSpawners[1]: something else stands on (6, 1)"),
    "target": (changed(DemonSpawners=[{**SPAWNER, "initial_target": "g"}]), "initial_target must be r or b"),
    "target list": (changed(DemonSpawners=[{**SPAWNER, "initial_target": []}]), "initial_target must be r or b"),
    "switch": (changed(DemonSpawners=[{**SPAWNER, "switch_target": 1}]), "switch_target must be true or false"),
    "broken lane": (changed(FloorTiles=floor("OOOO", "OO O"), DemonSpawners=[]), "No lane leads from red's exit N"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_file_is_refused_in_words(what: str) -> None:
    text, words = BAD[what]
    with pytest.raises(BadMap) as caught:
        import_json(text)
    assert words in caught.value.why


def test_a_bad_name_is_refused() -> None:
    with pytest.raises(BadMap, match="name"):
        import_json(json.dumps(FERRY), "two\nlines")


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["x", "y"]), inner),
    max_leaves=5,
)


@given(st.sampled_from(sorted(FERRY)), JUNK, st.booleans())
def test_any_file_is_a_map_or_refused(key: str, junk: object, inside: bool) -> None:
    data = copy.deepcopy(FERRY)
    if inside and isinstance(data[key], list):
        data[key][0] = junk
    else:
        data[key] = junk
    try:
        ground = import_json(json.dumps(data))
    except BadMap:
        return
    assert read_map(write_map(ground)) == ground
