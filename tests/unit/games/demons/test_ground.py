"""1.1 to 1.8 A map as a value and as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.games.demons.generate import generate
from polemos.games.demons.ground import BadMap, Ground, load, read_map, shipped, write_map
from polemos.games.demons.layout import LETTERS, SWAPPED
from together import together

STRIP = "rrrrr...bbbbb\nRoooooooooooB\nrrrrr...bbbbb"
SHORT = "rr.bb\nRoooB\nrr.bb"
BENT = """name: Bent
symmetry: diagonal
p.oooR
r.o..o
ooo..o
o....o
o....o
Booooo
"""  # red top right, blue bottom left; the start house of blue is missing


def test_the_sample_of_the_book_has_its_lanes_and_portals() -> None:
    ground = load("twin-gates")
    assert (ground.name, ground.symmetry, ground.width, ground.height) == ("Twin Gates", "half-turn", 15, 9)
    assert ground.bases == {"red": (2, 4), "blue": (12, 4)}
    assert [len(lane) for lane in ground.lanes] == [15, 13, 15]
    assert [(lane[0], lane[-1]) for lane in ground.lanes] == [
        ((2, 3), (12, 3)),
        ((3, 4), (11, 4)),
        ((2, 5), (12, 5)),
    ]
    assert ground.lane_of_blue == (2, 1, 0), "blue's north lane is the image of red's south lane"
    assert ground.portals == ((7, 1, "red", False), (7, 7, "blue", False))
    assert ground.houses == {"red": (0, 0), "blue": (14, 8)}
    assert [len(ground.territory[who]) for who in ("red", "blue")] == [32, 32]
    assert len(ground.tiles) == 109
    assert not ground.variant


@pytest.mark.parametrize(("text", "length"), [(STRIP, 11), (SHORT, 3)])
def test_a_bare_board_is_readable(text: str, length: int) -> None:
    ground = read_map(text)
    assert (ground.name, ground.symmetry) == ("", "mirror-x")
    assert [len(lane) for lane in ground.lanes] == [length]
    assert ground.houses == {"red": None, "blue": None}
    assert ground.portals == ()
    assert ground.exits("red") == {"E": (1, 1)}
    assert read_map(write_map(ground)) == ground


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_map_is_written_as_it_was_read(name: str) -> None:
    ground = load(name)
    assert read_map(write_map(ground)) == ground
    assert name == "-".join(ground.name.lower().split())
    assert load(ground.name) == ground
    assert hash(load(ground.name)) == hash(ground)


def test_blanks_line_ends_and_the_case_of_headers_are_forgiven() -> None:
    text = write_map(load("gauntlet"))
    messy = "\ufeff\r\n" + text.replace("name:", " NAME :").replace("mirror-x", "Mirror-X").replace("\n", "  \t\r\n")
    assert read_map(messy + "\r\n \r\n") == load("gauntlet")
    assert read_map(text.replace("\n", "\r")) == load("gauntlet")


@together("seed", range(30))
def test_blue_is_to_the_image_what_red_is_to_the_map(seed: int) -> None:
    """1.5, 1.8 Lanes, portals, houses, words: all of blue's are images of red's."""
    ground = generate(seed)
    for i, lane in enumerate(ground.lanes):
        assert tuple(ground.image(*tile) for tile in lane) == ground.lanes[ground.lane_of_blue[i]][::-1]
    assert sorted(ground.lane_of_blue) == list(range(len(ground.lanes)))
    assert {ground.image(*tile) for tile in ground.territory["red"]} == ground.territory["blue"]
    for tile, letter in ground.tiles.items():
        assert ground.image(*ground.image(*tile)) == tile
        assert ground.at(*ground.image(*tile)) == letter.translate(SWAPPED)
    for letter in "NESW":
        assert ground.turned(ground.turned(letter)) == letter
    assert list(ground.portals) == sorted(ground.portals, key=lambda gate: (gate.y, gate.x))
    assert [next(d for d, tile in ground.exits("red").items() if tile == lane[0]) for lane in ground.lanes] == [
        letter for letter in "NESW" if letter in ground.exits("red")
    ]


@pytest.mark.parametrize(
    ("name", "red", "blue"),
    [
        ("causeway", "ESWN", "WSEN"),  # mirror-x: blue's right is on the same side of the board
        ("twin-gates", "ESWN", "WNES"),  # half-turn: blue sees what red sees
        ("hourglass", "SWNE", "NWSE"),  # mirror-y
        ("corner-forts", "WNES", "NWSE"),  # diagonal: as far across as down, so across
    ],
)
def test_words_for_directions(name: str, red: str, blue: str) -> None:
    """1.8 In the order ahead, right, back, left."""
    directions = load(name).directions
    words = ("ahead", "right", "back", "left")
    assert "".join(directions["red"][word] for word in words) == red
    assert "".join(directions["blue"][word] for word in words) == blue


def test_a_diagonal_mirror_turns_the_compass() -> None:
    ground = read_map(BENT)
    assert [ground.turned(letter) for letter in "NESW"] == list("WSEN")
    assert ground.image(5, 0) == (0, 5)
    assert ground.lane_of_blue == (0, 1)  # red's exits S, W; blue's, as images, E, N
    assert [lane[-1] for lane in ground.lanes] == [(1, 5), (0, 4)]
    anti = Ground("", "antidiagonal", tuple(row[::-1] for row in ground.rows))
    assert [anti.turned(letter) for letter in "NESW"] == list("ENWS")
    assert anti.image(0, 0) == (5, 5)


def test_portals_of_every_kind() -> None:
    ground = read_map(STRIP.replace("Roooooooooo", "RoouovoUoVw"))
    kinds = [(gate.x, gate.first, gate.fixed) for gate in ground.portals]
    assert kinds == [(3, "red", False), (5, "blue", False), (7, "red", True), (9, "blue", True), (10, "drawn", False)]
    assert ground.variant


def test_other_letters_on_some_tiles() -> None:
    ground = read_map(STRIP).put({(6, 1): "u", (0, 0): "p"})
    assert ground.portals == ((6, 1, "red", False),)
    assert ground.houses["red"] == (0, 0)
    assert ground.put({(6, 1): "o", (0, 0): "r"}) == read_map(STRIP)
    for letters in ({(6, 1): "."}, {(13, 1): "o"}, {(0, -1): "r"}, {(6, 1): "x"}, {(6, 1): "uu"}):
        with pytest.raises(BadMap):
            ground.put(letters)


BROKEN = {
    "nothing": ("", None, "no rows"),
    "only a header": ("name: Nowhere\n", None, "no rows"),
    "no red base": (STRIP.replace("R", "o"), None, "Red must have one base (letter R), not 0"),
    "two blue bases": ("B" + STRIP[1:], None, "Blue must have one base (letter B), not 2"),
    "two start houses": ("pp" + STRIP[2:], None, "Red must have one start house (letter p), not 2"),
    "ragged": ("name: x\n" + STRIP + "b", 4, "14 tiles; the first row has 13"),
    "strange letter": (STRIP.replace("ooB", "oXB"), 2, "'X' is not a tile"),
    "gap in the lane": (STRIP.replace("oooB", "o.oB"), 2, "from red's exit E"),
    "lone path tile": (STRIP + "\n......o......", 4, "not on any lane: 1. The first is (6, 3)"),
    "fork": (STRIP.replace("...", ".o."), 2, "neither fork nor touch"),
    "header below": (STRIP + "\nname: x", 4, "'n' is not a tile"),
    "empty line": (STRIP.replace("\nR", "\n\nR"), 2, "empty"),
    "unknown header": ("colour: red\n" + STRIP, 1, "'colour' is not a header"),
    "header twice": ("name: x\nname: y\n" + STRIP, 2, "twice"),
    "unknown symmetry": ("symmetry: fair\n" + STRIP, 1, "symmetry cannot be 'fair'"),
    "unknown facing": ("facing: maybe\n" + STRIP, 1, "facing cannot be 'maybe'"),
    "long name": (f"name: {'x' * 41}\n" + STRIP, 1, "cannot be a name"),
    "name that rings": ("name: a\x07b\n" + STRIP, 1, "cannot be a name"),
    "too wide": ("R" + "o" * 63 + "B", 1, "at most 64"),
    "too high": ("r\n" * 65, 65, "at most 64"),
    "too many tiles": ("r" * 41 + ("\n" + "r" * 41) * 9, None, "at most 400 tiles, not 410"),
    "too long": ("r" * 20_001, None, "at most 20000 characters"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_map_that_cannot_be_played_is_refused_with_its_line(what: str) -> None:
    text, line, words = BROKEN[what]
    with pytest.raises(BadMap) as caught:
        read_map(text)
    assert words in caught.value.why
    assert caught.value.why.startswith(f"Line {line}: ") == (line is not None)
    assert caught.value.word == "map/bad"


def test_a_map_is_a_text() -> None:
    with pytest.raises(BadMap, match="text"):
        read_map(b"RoooB")  # type: ignore[arg-type]


@given(st.text(alphabet=LETTERS + "\n :xname", max_size=300))
def test_any_text_is_a_map_or_refused(text: str) -> None:
    try:
        ground = read_map(text)
    except BadMap:
        return
    assert read_map(write_map(ground)) == ground


@given(st.data())
def test_a_map_with_one_wrong_letter_is_a_map_or_refused(data: st.DataObject) -> None:
    text = list(write_map(load("twin-gates")))
    text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.characters())
    try:
        ground = read_map("".join(text))
    except BadMap:
        return
    assert sorted(ground.lane_of_blue) == list(range(len(ground.lanes)))
    assert sum(map(len, ground.lanes)) == sum(letter in "ouvUVw" for letter in ground.tiles.values())
    assert read_map(write_map(ground)) == ground


@pytest.mark.parametrize("name", ["nowhere", "../view", "", "twin-gates.map"])
def test_only_our_own_maps_are_loaded_by_name(name: str) -> None:
    with pytest.raises(BadMap, match="twin-gates"):
        load(name)
