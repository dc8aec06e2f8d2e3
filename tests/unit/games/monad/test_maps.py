"""1.1 to 1.7, 10.2 to 10.4 Maps: as text, fair or not, and drawn from a seed."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from polemos.games.monad.generate import CHARACTERS, MIN_NEAR, NEAR, OBSTACLES, RICHEST, generate
from polemos.games.monad.ground import (
    MAX_TEXT,
    BadMap,
    Ground,
    Tile,
    load,
    read_map,
    shipped,
    sound,
    write_map,
)
from polemos.games.monad.layout import FITTING, blocks, faults, free_tiles, image, orbit, realms, walks
from polemos.games.monad.state import BLOCKED
from polemos.kernel.errors import BadOptions
from search import examples

SIDES = st.integers(8, 64)


def plain(symmetry: str = "half-turn", width: int = 8, height: int = 9, ore: int = 5, name: str = "Plain") -> Ground:
    """The same ore everywhere."""
    return Ground(name, symmetry, orbit(symmetry, width, height, (1, 1)), ((ore,) * width,) * height)


def changed(ground: Ground, ores: dict[Tile, int]) -> Ground:
    """The same map with other ore on some tiles."""
    rows = tuple(tuple(ores.get((x, y), ore) for x, ore in enumerate(row)) for y, row in enumerate(ground.rows))
    return replace(ground, rows=rows)


Draw = Callable[[], Ground]


@st.composite
def draws(draw: st.DrawFn, seats: tuple[int, ...] = (2, 3, 4)) -> Draw:
    """How to draw a random map of any kind. It is drawn in the test, whose time nobody takes."""
    players = draw(st.sampled_from(seats))
    width = draw(SIDES)
    return partial(
        generate,
        draw(st.integers() | st.text(max_size=8)),
        seats=players,
        width=width,
        height=width if players == 4 else draw(SIDES),
        symmetry=draw(st.sampled_from(FITTING[players])),
        obstacles=draw(st.sampled_from(sorted(OBSTACLES))),
        character=draw(st.sampled_from(CHARACTERS)),
    )


def near(ground: Ground) -> list[int]:
    """The ore within reach of each start."""
    free = free_tiles(ground)
    ways = [walks(free, start) for start in ground.starts]
    return [sum(ground.rows[y][x] for (x, y), steps in way.items() if steps <= NEAR) for way in ways]


# ---- drawn maps


@pytest.mark.slow
@examples(120)
@given(draws())
def test_a_drawn_map_is_fair(draw: Draw) -> None:
    ground = draw()
    assert faults(ground) == []
    assert sound(ground) is ground
    assert read_map(write_map(ground)) == ground
    assert max(map(max, ground.rows)) <= RICHEST
    assert min(near(ground)) >= MIN_NEAR, "a second building can be paid"
    free = free_tiles(ground)
    assert {*walks(free, ground.starts[0])} == free, "no ore is out of reach"
    assert all(block <= free for start in ground.starts for block in blocks(start)), "room to build in every direction"


@examples(50)
@given(draws(seats=(2, 4)))
def test_a_drawn_map_is_exactly_symmetric(draw: Draw) -> None:
    """Said here without the validator."""
    ground = draw()
    rows, turned = ground.rows, ground.rows[::-1]
    images = {
        "half-turn": tuple(row[::-1] for row in turned),
        "mirror-x": tuple(row[::-1] for row in rows),
        "mirror-y": turned,
        "quarter-turn": tuple(zip(*turned, strict=True)),  # clockwise: the left column becomes the top row
    }
    assert rows == images[ground.symmetry]
    right, bottom = ground.width - 2, ground.height - 2
    assert (
        ground.starts
        == {
            "half-turn": ((1, 1), (right, bottom)),
            "mirror-x": ((1, 1), (right, 1)),
            "mirror-y": ((1, 1), (1, bottom)),
            "quarter-turn": ((1, 1), (right, 1), (right, bottom), (1, bottom)),
        }[ground.symmetry]
    )
    assert len(set(near(ground))) == 1
    assert ground.rated


def test_characters_differ() -> None:
    """1.3 Even ground has everything, rich ground much, veins and islands little but in the right place."""
    tiles = {word: [ore for row in generate(1, character=word).rows for ore in row] for word in CHARACTERS}
    means = {word: sum(ores) // len(ores) for word, ores in tiles.items()}
    assert 22 <= means["even"] <= 28
    assert means["rich"] >= 30
    assert max(means["veins"], means["islands"]) <= 16
    for word in ("veins", "islands"):
        assert 40 <= sum(ore >= 30 for ore in tiles[word]) <= 100
    assert all(len(set(ores)) >= 12 for ores in tiles.values())


@pytest.mark.parametrize(("word", "least", "most"), [("none", 0, 0), ("few", 10, 32), ("many", 36, 72)])
def test_obstacles_are_as_many_as_asked_for(word: str, least: int, most: int) -> None:
    for seed in range(20):
        rows = generate(seed, obstacles=word).rows
        assert least <= sum(row.count(BLOCKED) for row in rows) <= most


def test_walls_that_cut_the_board_in_two_are_opened() -> None:
    """Many seeds on the narrowest board: some of the walls drawn there must have been repaired."""
    for seed in range(150):
        assert faults(generate(seed, width=64, height=8, obstacles="many")) == []


def test_the_same_seed_gives_the_same_map_everywhere() -> None:
    """Maps of a seed are quoted; they may not change with the process, the machine or the version of Python."""
    code = "from polemos.games.monad.generate import generate; print(generate(7, obstacles='many').rows)"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == str(generate(7, obstacles="many").rows)
    kinds = [(seats, word, walls) for seats in FITTING for word in CHARACTERS for walls in OBSTACLES]
    text = "".join(write_map(generate(7, seats=n, character=word, obstacles=walls)) for n, word, walls in kinds)
    assert hashlib.blake2b(text.encode(), digest_size=8).hexdigest() == "7aab99a60a3cdee8"


def test_seeds_and_options_make_different_maps() -> None:
    maps = [generate(seed) for seed in range(60)] + [generate("cup"), generate("cup", symmetry="mirror-x")]
    assert len({ground.rows for ground in maps}) == len(maps)
    assert len({ground.name for ground in maps}) >= len(maps) - 1
    assert generate(3).name.startswith("random 20x20 ")


def test_options_that_make_no_map_are_refused() -> None:
    with pytest.raises(BadOptions, match="two to four") as error:
        generate(1, seats=5)
    assert error.value.rule == "1.5"
    with pytest.raises(BadOptions, match="8 to 64"):
        generate(1, width=7)
    with pytest.raises(BadOptions, match="8 to 64"):
        generate(1, height=65)
    with pytest.raises(BadOptions, match="half-turn, mirror-x, mirror-y"):
        generate(1, symmetry="none")
    with pytest.raises(BadOptions, match="quarter-turn"):
        generate(1, seats=4, symmetry="mirror-x")
    with pytest.raises(BadOptions, match="square"):
        generate(1, seats=4, width=20, height=24)
    with pytest.raises(BadOptions, match="none, few, many"):
        generate(1, obstacles="some")
    with pytest.raises(BadOptions, match="even, rich"):
        generate(1, character="poor")


# ---- three players


def apart(ground: Ground) -> list[int]:
    free, starts = free_tiles(ground), ground.starts
    return [walks(free, starts[i])[starts[i - 1]] for i in range(len(starts))]


@examples(25)
@given(st.integers(), st.integers(8, 40), st.sampled_from(sorted(OBSTACLES)), st.sampled_from(CHARACTERS))
def test_three_start_equally_far_apart(seed: int, side: int, obstacles: str, character: str) -> None:
    """1.5 No symmetry, but distances as equal as whole numbers allow."""
    ground = generate(seed, seats=3, width=side, height=side, obstacles=obstacles, character=character)
    steps = apart(ground)
    assert max(steps) - min(steps) <= 1
    assert min(steps) == (side - 3) * 4 // 3, "the pairs add up to twice width and height at most"
    assert (ground.symmetry, ground.rated) == ("none", False)


@pytest.mark.parametrize("character", CHARACTERS)
def test_three_find_the_same_ore_at_every_distance(character: str) -> None:
    for seed in range(5):
        ground = generate(seed, seats=3, character=character)
        lands = realms(free_tiles(ground), ground.starts)
        ores = [[sum(ground.rows[y][x] for x, y in ring) for ring in land] for land in lands]
        assert ores[0][:12] == ores[1][:12] == ores[2][:12]
        assert len(set(near(ground))) == 1
        assert [sum(map(len, land)) for land in lands] == [101, 136, 134], "room is what stays unequal"


# ---- shipped maps


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_map_is_fair(name: str) -> None:
    ground = load(name)
    assert faults(ground) == []
    assert read_map(write_map(ground)) == ground
    assert name == "-".join(ground.name.lower().split())
    assert load(ground.name) == ground
    assert hash(ground) == hash(read_map(write_map(ground)))
    assert max(map(max, ground.rows)) <= RICHEST
    assert min(near(ground)) >= MIN_NEAR
    assert {*walks(free_tiles(ground), ground.starts[0])} == free_tiles(ground)
    assert ground.rated == (ground.seats != 3)


def test_there_are_maps_for_all_numbers_of_players() -> None:
    sizes = {name: (load(name).seats, load(name).width, load(name).height) for name in shipped()}
    assert sizes["quarry"] == (2, 20, 20)
    assert sizes["triad"] == (3, 20, 20)
    assert sizes["crown"] == (4, 20, 20)
    assert len(sizes) >= 12
    assert {load(name).symmetry for name in shipped()} == {word for words in FITTING.values() for word in words}
    assert load("quarry").starts == ((1, 1), (18, 18))
    assert load("crown").starts == ((1, 1), (18, 1), (18, 18), (1, 18))
    assert not any(BLOCKED in row for name in ("quarry", "triad", "crown") for row in load(name).rows)


def test_an_unknown_map_is_refused() -> None:
    with pytest.raises(BadMap, match=r"There are .*quarry"):
        load("../quarry")


# ---- symmetry as a mapping


@given(st.sampled_from(("half-turn", "mirror-x", "mirror-y", "quarter-turn", "none")), SIDES, SIDES, st.data())
def test_images_come_back(symmetry: str, width: int, height: int, data: st.DataObject) -> None:
    if symmetry == "quarter-turn":
        height = width
    tile = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    tiles = orbit(symmetry, width, height, tile)
    assert len(tiles) in {"quarter-turn": (1, 4), "none": (1,)}.get(symmetry, (1, 2))
    assert image(symmetry, width, height, tiles[-1]) == tile
    assert all(0 <= x < width and 0 <= y < height for x, y in tiles)


def test_a_quarter_turn_goes_clockwise_and_needs_a_square() -> None:
    assert orbit("quarter-turn", 20, 20, (1, 1)) == ((1, 1), (18, 1), (18, 18), (1, 18))
    with pytest.raises(BadMap, match="square"):
        image("quarter-turn", 20, 21, (1, 1))
    with pytest.raises(BadMap, match="one of half-turn"):
        image("diagonal", 20, 20, (1, 1))


# ---- the validator names what is broken


def walled(ground: Ground, tiles: list[Tile]) -> Ground:
    return changed(ground, dict.fromkeys(tiles, BLOCKED))


PLAIN = plain()
BROKEN = {
    "narrow": (plain(width=7), "1.1", "7 tiles"),
    "high": (plain(height=65), "1.1", "65 rows"),
    "ragged": (replace(PLAIN, rows=(*PLAIN.rows[:-1], (5,) * 7)), "1.1", "This row has 7 tiles"),
    "bare": (replace(PLAIN, rows=()), "1.1", "0 rows"),
    "too rich": (plain(ore=10_000), "1.3", "0,0 holds 10000"),
    "negative": (changed(PLAIN, {(3, 2): -2}), "1.3", "3,2 holds -2"),
    "one start": (replace(PLAIN, starts=((1, 1),)), "1.5", "1 starts"),
    "five starts": (replace(PLAIN, starts=tuple((x, 1) for x in range(5))), "1.5", "5 starts"),
    "same start": (replace(PLAIN, starts=((1, 1), (1, 1))), "1.7", "own"),
    "off the map": (replace(PLAIN, starts=((1, 1), (8, 1))), "1.7", "8,1 is off the map; its tiles are 0,0 to 7,8"),
    "blocked start": (walled(PLAIN, [(1, 1), (6, 7)]), "1.7", "1,1 is blocked"),
    "no such symmetry": (replace(PLAIN, symmetry="diagonal"), "1.6", "'diagonal' is not a symmetry"),
    "unlike": (changed(PLAIN, {(4, 2): 9}), "1.6", "4,2 holds 9, its image 3,6 holds 5"),
    "unlike walls": (changed(PLAIN, {(3, 6): BLOCKED}), "1.6", "4,2 holds 5, its image 3,6 is blocked"),
    "unlike starts": (replace(PLAIN, starts=((1, 1), (6, 6))), "1.6", "blue must start on 6,7, not on 6,6"),
    "order of starts": (
        replace(plain("quarter-turn", 8, 8), starts=((1, 1), (6, 6), (6, 1), (1, 6))),
        "1.6",
        "Red starts on 1,1, so blue must start on 6,1, not on 6,6",
    ),
    "not square": (
        replace(plain(), symmetry="quarter-turn", starts=((1, 1), (6, 1), (6, 7), (1, 7))),
        "1.6",
        "square board, not 8 by 9",
    ),
    "two without symmetry": (
        replace(PLAIN, symmetry="none"),
        "1.6",
        "A map for 2 players must be half-turn or mirror-x",
    ),
    "three with one": (replace(PLAIN, starts=(*PLAIN.starts, (4, 4))), "1.6", "A map for 3 players must be none"),
    "four with half a turn": (
        replace(plain(), starts=((1, 1), (6, 7), (1, 7), (6, 1))),
        "1.6",
        "A map for 4 players must be quarter-turn",
    ),
    "cut off": (walled(PLAIN, [(x, 4) for x in range(8)]), "1.6", "There is no way from the start 1,1 to 6,7"),
    "no room": (
        walled(PLAIN, [t for x, y in ((0, 0), (2, 0), (0, 2), (2, 2)) for t in orbit("half-turn", 8, 9, (x, y))]),
        "1.7",
        "The start 1,1 has no room",
    ),
    "name": (replace(PLAIN, name="x" * 41), "10.4", "at most 40"),
    "unprintable name": (replace(PLAIN, name="a\nb"), "10.4", "printable"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_the_validator_names_what_is_broken(what: str) -> None:
    ground, rule, why = BROKEN[what]
    found = faults(ground)
    assert any(rule == cited and why in said for cited, said in found), found


def test_a_plain_map_has_no_fault() -> None:
    for symmetry in ("half-turn", "mirror-x", "mirror-y"):
        assert faults(plain(symmetry)) == []
    assert faults(plain("quarter-turn", 9, 9)) == []
    assert faults(Ground("", "none", ((1, 1), (6, 1), (3, 6)), ((9999,) * 8,) * 8)) == []


@examples(40)
@given(draws(seats=(2, 4)), st.data())
def test_one_changed_tile_is_found(draw: Draw, data: st.DataObject) -> None:
    """1.6 Any single tile, unless it is its own image."""
    ground = draw()
    x, y = data.draw(st.integers(0, ground.width - 1)), data.draw(st.integers(0, ground.height - 1))
    alone = image(ground.symmetry, ground.width, ground.height, (x, y)) == (x, y)
    found = faults(changed(ground, {(x, y): 51}))
    assert alone or any(rule == "1.6" and "must be alike" in why for rule, why in found)


def test_all_faults_are_named_at_once() -> None:
    ground = replace(changed(PLAIN, {(0, 0): 10_000, (0, 1): 7}), starts=((1, 1), (1, 1)), name="\x00")
    assert {rule for rule, _ in faults(ground)} == {"10.4", "1.3", "1.6", "1.7"}


# ---- text

TEXT = write_map(load("quarry"))
SMALL = write_map(PLAIN)


def test_the_text_is_as_the_book_says() -> None:
    assert SMALL.splitlines()[:4] == ["name: Plain", "symmetry: half-turn", "starts: 1,1 6,7", "5 5 5 5 5 5 5 5"]
    rows = write_map(changed(PLAIN, {(2, 0): 100, (3, 5): BLOCKED})).splitlines()[3:]
    assert rows[0].startswith("  5   5 100   5")
    assert rows[5].startswith("  5   5   5   #")
    assert len({len(row) for row in rows}) == 1, "columns stand below each other"


def test_blanks_line_ends_and_the_case_of_headers_are_forgiven() -> None:
    messy = "\ufeff\r\n" + TEXT.replace("name:", " NAME :").replace("half-turn", "Half-Turn").replace("\n", " \t\r\n")
    assert read_map(messy + "\r\n \r\n") == load("quarry")
    assert read_map(TEXT.replace("\n", "\r")) == load("quarry")
    assert read_map(SMALL.replace("name: Plain\n", "")).name == ""
    unnamed = replace(PLAIN, name="")
    assert read_map(write_map(unnamed)) == unnamed


@given(
    st.text(st.characters(exclude_categories=("Cc", "Cs", "Cf", "Zl", "Zp", "Co", "Cn")), max_size=40),
    st.lists(st.lists(st.integers(-1, 9999), min_size=8, max_size=8), min_size=8, max_size=12),
)
def test_any_sound_ground_can_be_written_and_read(name: str, rows: list[list[int]]) -> None:
    ground = changed(Ground(name, "none", ((1, 1), (6, 6)), tuple(map(tuple, rows))), {(1, 1): 0, (6, 6): 1})
    try:
        sound(ground)
    except BadMap:
        assert name != name.strip() or not name.isprintable()
    else:
        assert read_map(write_map(ground)) == ground


def test_what_is_not_sound_is_not_written() -> None:
    with pytest.raises(BadMap):
        write_map(replace(PLAIN, name="a\nsymmetry: none"))


ROW = "5 5 5 5 5 5 5 5\n"
HOSTILE = {
    "nothing": ("", "symmetry", "10.4"),
    "rows alone": (ROW * 8, "symmetry: half-turn", "10.4"),
    "no starts": ("symmetry: none\n" + ROW * 8, "starts: 1,1 18,18", "10.4"),
    "no rows": ("symmetry: none\nstarts: 1,1 2,2\n", "0 rows", "1.1"),
    "garbage": ("\x00\xff\u2028{}[]", "Line 1", "1.3"),
    "html": ("<html>\n<body>", "Line 1: '<html>' is not a tile", "1.3"),
    "negative": (SMALL.replace("5", "-5", 1), "Line 4: '-5' is not a tile", "1.3"),
    "blocked by number": (SMALL.replace("5", "-1", 1), "Line 4: '-1' is not a tile", "1.3"),
    "fraction": (SMALL.replace("5", "5.0", 1), "Line 4", "1.3"),
    "arabic digit": (SMALL.replace("5", "\u0665", 1), "Line 4", "1.3"),
    "superscript": (SMALL.replace("5", "\u00b2", 1), "Line 4", "1.3"),
    "too rich": (SMALL.replace("5", "10000", 1), "from 0 to 9999", "1.3"),
    "long number": (SMALL.replace("5", "9" * 5000, 1), "Line 4", "1.3"),
    "short row": (SMALL + "5 5 5\n", "Line 13: This row has 3 tiles; all rows must have 8", "1.1"),
    "long row": (SMALL + "5 " * 65, "Line 13: the row is too long", "1.1"),
    "narrow": (SMALL.replace(ROW, "5 5 5 5 5 5 5\n"), "Line 4: The first row has 7", "1.1"),
    "low": ("\n".join(SMALL.splitlines()[:-2]), "Line 10: The map has 7 rows", "1.1"),
    "high": (SMALL + ROW * 56, "Line 68: one row too many", "1.1"),
    "gap": (SMALL.replace(ROW * 2, ROW + "\n" + ROW, 1), "Line 5: this line is empty", "10.4"),
    "header below": (SMALL + "name: late", "Line 13", "1.3"),
    "strange header": ("author: me\n" + SMALL, "Line 1: 'author' is not a header", "10.4"),
    "twice": ("name: x\n" + SMALL, "Line 2: name is given twice", "10.4"),
    "symmetry": (SMALL.replace("half-turn", "round"), "Line 2: 'round' is not a symmetry", "1.6"),
    "name": (SMALL.replace("Plain", "\u202e"), "Line 1", "10.4"),
    "surrogate": (SMALL.replace("Plain", "\ud800"), "Line 1", "10.4"),
    "long name": (SMALL.replace("Plain", "x" * 41), "at most 40", "10.4"),
    "empty starts": (SMALL.replace("1,1 6,7", ""), "Line 3: The map has 0 starts", "1.5"),
    "one start": (SMALL.replace("1,1 6,7", "1,1"), "Line 3: The map has 1 starts", "1.5"),
    "five starts": (SMALL.replace("1,1", "1,1 2,2 3,3 4,4"), "Line 3: too many starts", "1.5"),
    "same start": (SMALL.replace("6,7", "1,1"), "Line 3: Two players start on 1,1", "1.7"),
    "start off the map": (SMALL.replace("6,7", "6,9"), "Line 3: The start 6,9 is off the map", "1.7"),
    "start below zero": (SMALL.replace("1,1", "-1,1"), "Line 3: '-1,1' is not a start", "1.7"),
    "start in words": (SMALL.replace("1,1", "1;1"), "Line 3: '1;1' is not a start; write a tile like 1,1", "1.7"),
    "unicode start": (SMALL.replace("1,1", "\u0661,1"), "Line 3", "1.7"),
    "huge": ("5 " * MAX_TEXT, "at most 200000 characters", "10.4"),
    "many lines": ("\n" * 199_000 + SMALL * 3, "is given twice|is not a tile", None),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_text_is_refused_with_its_reason(what: str) -> None:
    text, why, rule = HOSTILE[what]
    with pytest.raises(BadMap, match=why.replace("[", r"\[")) as error:
        read_map(text)
    assert rule is None or error.value.rule == rule


@pytest.mark.parametrize("thing", [None, 7, b"name: x", ["5"], {}])
def test_what_is_no_text_is_refused(thing: object) -> None:
    with pytest.raises(BadMap, match="text"):
        read_map(thing)  # type: ignore[arg-type]


@examples(200)
@given(
    st.text(max_size=300)
    | st.text("0159#-, :\n\t\r.x\u0665", max_size=300)
    | st.tuples(st.integers(0, len(SMALL)), st.integers(0, 30), st.text(max_size=9)).map(
        lambda cut: SMALL[: cut[0]] + cut[2] + SMALL[cut[0] + cut[1] :]
    )
)
def test_any_text_is_a_map_or_refused(text: str) -> None:
    """No other exception than BadMap, and what was read is written and read again."""
    with suppress(BadMap):
        ground = read_map(text)
        assert read_map(write_map(ground)) == ground
    with suppress(BadMap):
        assert isinstance(faults(read_map(text, whole=False)), list)
