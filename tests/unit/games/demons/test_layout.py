"""1.1 to 1.7 Every rule of layout is checked, and every fault is named with its paragraph."""

from __future__ import annotations

import pytest

from polemos.games.demons.ground import Ground, load, read_map, shipped
from polemos.games.demons.layout import LETTERS, faults, house_places, structure, symmetry_of

FAIR = """symmetry: mirror-x
prrrr...bbbbq
RooooowoooooB
rrrrr...bbbbb
"""


def paragraphs(text: str) -> set[str]:
    return {rule for rule, _ in faults(read_map(text, whole=False))}


def sentences(text: str) -> str:
    return " ".join(why for _, why in faults(read_map(text, whole=False)))


@pytest.mark.parametrize("name", shipped())
def test_our_own_maps_break_no_rule(name: str) -> None:
    assert faults(load(name)) == []


def test_small_fair_maps_break_no_rule() -> None:
    assert faults(read_map(FAIR)) == []


def test_our_own_maps_are_of_many_kinds() -> None:
    grounds = [load(name) for name in shipped()]
    assert len(grounds) >= 10
    assert {ground.symmetry for ground in grounds} >= {"mirror-x", "mirror-y", "half-turn", "diagonal"}
    assert {len(ground.lanes) for ground in grounds} == {1, 2, 3, 4}
    assert min(len(ground.tiles) for ground in grounds) < 80
    assert any(280 <= len(ground.tiles) <= 320 for ground in grounds)
    assert any(gate.first == "drawn" for ground in grounds for gate in ground.portals)
    assert not any(ground.variant for ground in grounds), "T46: all our portals alternate"
    assert all(len(ground.portals) <= 2 for ground in grounds), "with two demons a wave and base games end at once"


@pytest.mark.parametrize("name", shipped())
def test_on_our_own_maps_portals_are_far_and_towers_reach_the_lanes(name: str) -> None:
    ground = load(name)
    for lane in ground.lanes:
        for gate in ground.portals:
            if (gate.x, gate.y) in lane:
                place = lane.index((gate.x, gate.y))
                assert place + 1 >= 6, "steps to red's base"
                assert len(lane) - place >= 6, "steps to blue's base"
        for who in ("red", "blue"):
            reached = [t for t in lane if any(abs(t[0] - x) + abs(t[1] - y) <= 3 for x, y in ground.territory[who])]
            assert len(reached) >= 5
    assert min(len(ground.territory[who]) for who in ("red", "blue")) >= 25


# what is changed in FAIR, the paragraph it breaks, and words of the sentence
BREAKS = {
    "ragged": (("rrrrr...bbbbb\n", "rrrrr...bbbb\n"), "1.1", "A row of 12 tiles"),
    "strange tile": (("RooooowoooooB", "RoooXowoXoooB"), "1.1", "'X' is not a tile"),
    "no base": (("Roo", "ooo"), "1.3", "Red must have one base (letter R), not 0"),
    "two bases": (("rrrrr...", "Rrrrr..."), "1.3", "Red must have one base (letter R), not 2"),
    "lane broken": (("RooooowoooooB", "Roooo.w.ooooB"), "1.4", "No lane leads from red's exit E"),
    "no exits": (("RooooowoooooB", "R.ooo.w.ooo.B"), "1.4", "the same number of exits, one to four"),
    "path nowhere": (("rrrrr...bbbbb\n", "rrrrr...bbbbb\n......o......\n"), "1.4", "not on any lane: 1"),
    "fork": (("prrrr...bbbbq", "prrrr.o.bbbbq"), "1.4", "next to (6, 1): lanes neither fork nor touch"),
    "side by side": (("rrrrr...bbbbb\n", "rrrrr.o.bbbbb\n"), "1.4", "neither fork nor touch"),
    "unequal exits": (("prrrr...", "orrrr..."), "1.4", "red's has 2, blue's 1"),
    "two houses": (("rrrrr...bbbbb", "prrrr...bbbbb"), "1.7", "Red must have one start house (letter p), not 2"),
    "no red house": (("prrrr", "rrrrr"), "1.7", "Red has no start house (letter p)"),
    "no blue house": (("bbbbq", "bbbbb"), "1.7", "Blue has no start house (letter q)"),
    "no symmetry": (("mirror-x", "none"), "1.5", "does not name its symmetry"),
    "not the symmetry": (("mirror-x", "half-turn"), "1.5", "(0, 0) is p, so its image (12, 2) must be q, not b"),
    "oblong diagonal": (("mirror-x", "diagonal"), "1.5", "square board, not 13 by 3"),
    "uneven land": (("rrrrr...bbbbb", "rrrr....bbbbb"), "1.5", "(8, 2) is b, so its image (4, 2) must be r, not ."),
    "house not the image": (("bbbbq", "bbbqb"), "1.5", "(0, 0) is p, so its image (12, 0) must be q, not b"),
    "target not swapped": (("woooooB", "uoooooB"), "1.5", "(6, 1) is u, so its image (6, 1) must be v, not u"),
    "portals not swapped": (("RooooowoooooB", "RoooUoooUoooB"), "1.5", "(4, 1) is U, so its image (8, 1) must be V"),
    "no portal": (("w", "o"), "1.6", "no portal"),
    "drawn off the axis": (("RooooowoooooB", "RooowoooooooB"), "1.6", "(4, 1) is not its own image"),
    "first tile": (("RooooowoooooB", "RUoooooooooVB"), "1.6", "The portal (1, 1) stands on one of the two tiles"),
    "second tile": (("RooooowoooooB", "RoUoooooooVoB"), "1.6", "The portal (10, 1) stands on one of the two tiles"),
    "facing": (("RooooowoooooB", "RoouoooooovoB"), "1.6", "(3, 1) and (10, 1) of one lane can face each other"),
}


@pytest.mark.parametrize("what", BREAKS)
def test_each_rule_is_checked_and_named(what: str) -> None:
    (old, new), rule, words = BREAKS[what]
    assert old in FAIR
    text = FAIR.replace(old, new, 1)
    found = [why for number, why in faults(read_map(text, whole=False)) if number == rule]
    assert any(words in why for why in found), found


def test_all_faults_are_named_at_once() -> None:
    text = "symmetry: mirror-x\nrrrrr...bbbb.\nRwoooo.oooooB\nrrrrr...bbbbb\n"
    assert paragraphs(text) == {"1.4", "1.5", "1.6", "1.7"}
    assert len(faults(read_map(text, whole=False))) >= 7


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["RooB"], "has 2 tiles; a lane needs at least three"),
        (["RoB"], "has 1 tiles; a lane needs at least three"),
        (["Rooo", "o.oo", "oooB"], "next to (2, 0): lanes neither fork nor touch"),
        (["ooo.", "oRo.", "ooo.", "...B"], "red's has 4, blue's 0"),
        ([".oooo", ".o..o", "RoooB"], "No lane leads from red's exit E to blue's base"),
        (["ooooo", "oRB.o", "o...o", "ooooo"], "from red's exit N"),
    ],
)
def test_lanes_are_chains_of_three_tiles_or_more_from_base_to_base(rows: list[str], words: str) -> None:
    flaws = structure(rows)
    assert flaws
    assert {flaw.rule for flaw in flaws} == {"1.4"}
    assert words in " ".join(flaw.why for flaw in flaws)


def test_a_lane_touches_a_base_with_its_end_only() -> None:
    assert structure(["Rooo.", "...o.", "...oB"]) == []
    assert [flaw.why for flaw in structure(["Rooo.", "...oB", "...oo"])] == [
        "Both bases must have the same number of exits, one to four; red's has 1, blue's 2.",
        "Only the end of a lane may touch a base, not (3, 1).",
    ]
    round_about = structure(["Roo..", "o.o..", "ooo.B"])
    assert "No lane leads from red's exit E to blue's base; the way ends on (0, 1)." in {
        flaw.why for flaw in round_about
    }


@pytest.mark.parametrize(
    ("lane", "facing"),
    [
        ("RoouoooovooB", True),
        ("RooUoooooVoooB", False),  # both walk away from each other
        ("RooVoooooUoooB", True),
        ("RooUoooooUoooB", False),  # one behind the other
        ("RoovoooooVoooB", False),
        ("RoovoooooUoooB", True),
        ("RooUoooooUooVooB", False),
        ("RoooowooooowoooB", True),
    ],
)
def test_portals_that_can_face_each_other(lane: str, facing: bool) -> None:
    """1.6 Two on a lane, of which the one nearer to red can aim at blue and the other at red."""
    assert ("can face each other" in sentences("symmetry: none\n" + lane)) == facing
    assert "can face each other" not in sentences("symmetry: none\nfacing: yes\n" + lane)


def test_many_unlike_tiles_are_counted_not_listed() -> None:
    why = [why for rule, why in faults(Ground("", "mirror-y", load("causeway").rows)) if rule == "1.5"]
    assert len(why) == 9
    assert why[-1].startswith("More pairs of tiles that are not images of each other: ")


@pytest.mark.parametrize("letter", LETTERS)
def test_one_tile_changed_by_itself_is_always_a_fault(letter: str) -> None:
    ground = load("twin-gates")
    for y, row in enumerate(ground.rows):
        for x, old in enumerate(row):
            if letter != old and (x, y) != ground.image(x, y):
                rows = [*ground.rows]
                rows[y] = row[:x] + letter + row[x + 1 :]
                assert faults(Ground("", "half-turn", tuple(rows))), (x, y)


@pytest.mark.parametrize("name", shipped())
def test_the_declared_symmetry_is_found_again(name: str) -> None:
    ground = load(name)
    assert symmetry_of(ground.rows) == ground.symmetry


def test_symmetry_is_found_as_well_as_it_holds() -> None:
    assert symmetry_of(["rr.bb", "RoooB", "rb.bb"]) == "mirror-x", "one tile amiss is a fault, not another symmetry"
    assert symmetry_of(["Roo..", "..ooB"]) == "half-turn"
    assert symmetry_of(["Roo.", "..o.", "..oB"]) == "none"
    assert symmetry_of(["...R", "...o", "...o", "Booo"]) == "diagonal"
    assert symmetry_of(["Rooo", "...o", "...o", "...B"]) == "antidiagonal"
    assert symmetry_of([]) == "mirror-x"


def test_a_start_house_stands_where_it_matters_least() -> None:
    """1.7 Fewest path tiles within four steps, then nearest to the base, then topmost, then leftmost."""
    ground = read_map("rrrrrr.bbbbbb\nRoooooooooooB\nrrrrrr.bbbbbb")
    assert house_places(ground) == {"red": (0, 0), "blue": (12, 0)}
    ground = read_map("r.....r.b.....b\nrrrRoooooooBbbb\n......rrb......")
    assert house_places(ground)["red"] == (0, 0)
    assert house_places(ground)["blue"] == (14, 0)
    lopsided = Ground("", "none", ("r.......b", "RoooooooB", "r........"))
    assert house_places(lopsided) == {"red": (0, 0), "blue": (8, 0)}, "no image there, so by the same rule"
    assert house_places(read_map("RoooB")) == {}
