"""3.1 to 3.4, 15.8, 15.9 Unit tables: the figures, the text, and every bound broken on purpose."""

from __future__ import annotations

from contextlib import suppress
from importlib.resources import files

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from polemos.games.minions.state import ATTACKS, KEYWORDS, MAX_TYPES
from polemos.games.minions.tables import (
    MAX_NECROMANCERS,
    MAX_TEXT,
    MAX_UNITS,
    BadTable,
    Unit,
    UnitTable,
    flaws,
    load,
    read_table,
    shipped,
    sound,
    write_table,
)

TABLE = load("2025-07")
TEXT = write_table(TABLE)

# name, letter, attack, number, defence, speed, range, cost, rebate, keywords (F L S P for the first four)
UNITS = """
Zombie      Z  normal      1   1  1 1  2 0  L
Initiate    I  normal      2   2  2 1  3 1  LS
Skeleton    S  normal      5   2  1 1  4 2  FP
Serpent     P  normal      3   1  2 1  4 2  -
Warg        W  normal      1   1  3 1  4 2  -
Ghost       G  normal      1   4  1 1  3 1  FP
Wight       T  flurry      5   3  2 2  4 1  L
Haunt       H  normal      2   2  2 3  5 1  P
Shrieker    K  normal      3   1  3 1  4 1  -
Spectre     X  normal      1   5  2 1  5 3  F
Rat         A  flurry      5   1  1 1  2 1  SP
Sorcerer    U  unsummon    2   3  1 2  6 3  P
Witch       J  normal      1   1  1 3  4 1  -
Vampire     V  normal      3   5  1 1  4 2  FP
Mummy       M  normal      5   7  1 1  5 2  S
Lich        L  deathtouch  0   2  1 2  4 1  -
Void        O  unsummon    1   2  3 1  4 0  -
Cerberus    C  flurry      2   3  3 1  5 3  P
Wraith      R  normal      3   8  2 2  5 2  FLSP
Horror      Q  flurry     20   6  1 1  3 0  -
Banshee     B  deathtouch  0   2  2 1  5 3  FP
Elemental   E  flurry      3   2  1 3  8 4  -
Harpy       Y  normal      2   5  2 2  7 4  F
Shadowlord  D  normal      7  10  2 1  9 5  FP
"""

# name, attack, number, defence, speed, range, keywords besides Spawn, Persistent, Necromancer
NECROMANCERS = {
    "Basic": ("unsummon", 1, 7, 1, 1, {"Soul"}),
    "Arcane": ("unsummon", 1, 7, 1, 1, {"Soul"}),
    "Ranged": ("unsummon", 1, 10, 1, 2, set()),
    "Mounted": ("unsummon", 1, 10, 2, 0, {"Flying", "Lumbering"}),
    "Deadly": ("deathtouch", 0, 10, 1, 1, set()),
    "Battle": ("flurry", 3, 10, 1, 1, set()),
    "Zombie": ("unsummon", 1, 10, 1, 1, set()),
}

# A table of our own, with nothing in common with the one of the house but its form.
SECOND = """
name = "Small 1"
fixed = 0
ring = "Foot Man"
gift = "Foot Man"
basic = []
first = "Old"
pool = ["New"]
cards = ["Dragon-fly", "Foot Man"]

[[units]]
name = "Foot Man"
letter = "F"
attack = "normal"
number = 99
defence = 99
speed = 0
range = 0
cost = 1
rebate = 1

[[units]]
name = "Dragon-fly"
letter = "D"
attack = "deathtouch"
number = 0
defence = 1
speed = 8
range = 18
cost = 99
rebate = 0
keywords = ["Flying", "Spawn"]

[[necromancers]]
name = "New"
letter = "N"
attack = "flurry"
number = 1
defence = 1
speed = 0
range = 18
cost = 0
rebate = 0
keywords = ["Necromancer", "Spawn", "Persistent", "Soul"]

[[necromancers]]
name = "Old"
letter = "N"
attack = "normal"
number = 1
defence = 1
speed = 0
range = 0
cost = 0
rebate = 0
keywords = ["Persistent", "Spawn", "Necromancer"]
"""


# ---- the table of the house


def test_3_2_the_figures_of_all_units() -> None:
    signs = dict(zip("FLSP", KEYWORDS, strict=False))
    wanted = []
    for line in UNITS.split("\n")[1:-1]:
        name, letter, attack, *figures, words = line.split()
        number, defence, speed, reach, cost, rebate = map(int, figures)
        keywords = tuple(signs[sign] for sign in words if sign != "-")
        wanted.append(Unit(name, letter, attack, number, defence, speed, reach, cost, rebate, keywords))
    assert TABLE.units == tuple(wanted)
    assert len(wanted) == 24


def test_3_2_the_book_prints_the_same_figures() -> None:
    book = (files("polemos.games.minions") / "book" / "rules.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in book.splitlines() if line.count("|") == 11
    ]
    printed = {row[1]: row for row in rows if row[0] == "basic" or row[0].isdigit()}
    assert list(printed) == [unit.name for unit in TABLE.units]
    for place, unit in enumerate(TABLE.units):
        attack = f"{unit.attack} {unit.number or ''}".strip()
        figures = [str(figure) for figure in (unit.defence, unit.speed, unit.range, unit.cost, unit.rebate)]
        first = "basic" if unit.name in TABLE.basic else str(place - 1)
        assert printed[unit.name] == [first, unit.name, unit.letter, attack, *figures, ", ".join(unit.keywords)]


def test_3_4_the_figures_of_all_necromancers() -> None:
    assert [row.name for row in TABLE.necromancers] == list(NECROMANCERS)
    for row in TABLE.necromancers:
        attack, number, defence, speed, reach, more = NECROMANCERS[row.name]
        assert (row.attack, row.number, row.defence, row.speed, row.range) == (attack, number, defence, speed, reach)
        assert {*row.keywords} == {"Necromancer", "Spawn", "Persistent"} | more
        assert (row.letter, row.cost, row.rebate) == ("N", 0, 0)


def test_15_8_what_else_the_table_states() -> None:
    assert TABLE.name == "2025-07"
    assert (TABLE.ring, TABLE.gift, TABLE.basic) == ("Zombie", "Initiate", ("Zombie", "Initiate"))
    assert (TABLE.first, TABLE.pool) == ("Basic", ("Arcane", "Ranged", "Mounted", "Deadly", "Battle", "Zombie"))
    assert (len(TABLE.cards), TABLE.fixed, TABLE.cards[:2]) == (22, 2, ("Skeleton", "Serpent"))
    assert TABLE.cards == tuple(unit.name for unit in TABLE.units[2:])
    assert TABLE.types == TABLE.units + TABLE.necromancers
    assert MAX_UNITS + MAX_NECROMANCERS == MAX_TYPES


def test_shipped_tables_are_sound_and_named_as_they_say() -> None:
    assert shipped() == ("2025-07", "umi-2025")
    for name in shipped():
        assert load(name).name == name
        assert flaws(load(name)) == []
    assert load(" 2025-07 ") is TABLE


@pytest.mark.parametrize("name", ["2023-06", "", "2025-07.toml", "..", "maps", "\0", "x" * 999, None, 7])
def test_no_other_table_is_known(name: object) -> None:
    with pytest.raises(BadTable, match="There is no unit table called") as caught:
        load(name)
    assert caught.value.rule == "15.8"


# ---- text


def test_a_table_survives_its_text() -> None:
    assert read_table(TEXT) == TABLE
    assert write_table(read_table(TEXT)) == TEXT


def test_a_second_table_passes_and_survives_its_text() -> None:
    table = read_table(SECOND)
    assert flaws(table) == []
    assert table != TABLE
    assert read_table(write_table(table)) == table
    assert table.units[0].keywords == ()


NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9'-]{1,9}( [a-z]{1,5})?", fullmatch=True)


@st.composite
def tables(draw: st.DrawFn) -> UnitTable:
    """Any table within the bounds of 15.8, as long as no name is a word of an order."""
    taken = {"keep", "march", "none", "tech"}
    letters = draw(st.permutations([*"ABCDEFGHIJKLMOPQRSTUVWXYZ"]))
    drawn = st.lists(
        NAMES.filter(lambda name: not taken.intersection(name.lower().split())), unique_by=str.lower, max_size=8
    )
    names = draw(drawn.filter(bool))
    masters = draw(drawn.filter(lambda names: len(names) > 1))
    cards = draw(st.permutations(names))[: draw(st.integers(1, len(names)))]
    first = draw(st.sampled_from(masters))
    table = UnitTable(
        name="drawn",
        ring=draw(st.sampled_from(names)),
        gift=draw(st.sampled_from(names)),
        basic=tuple(name for name in names if name not in cards),
        first=first,
        pool=tuple(name for name in masters if name != first),
        cards=tuple(cards),
        fixed=draw(st.integers(0, len(cards))),
        units=tuple(draw(rows(name, letter)) for name, letter in zip(names, letters, strict=False)),
        necromancers=tuple(draw(rows(name, "N")) for name in masters),
    )
    return sound(table)


def rows(name: str, letter: str) -> st.SearchStrategy[Unit]:
    def row(attack: str, number: int, defence: int, speed: int, reach: int, cost: int, words: set[str]) -> Unit:
        number = 0 if attack == "deathtouch" else number
        if letter == "N":
            keywords = ("Necromancer", "Spawn", "Persistent", *sorted(words - {"Spawn", "Persistent"}))
            return Unit(name, letter, attack, number, defence, speed, reach, 0, 0, keywords)
        return Unit(name, letter, attack, number, defence, speed, reach, cost, cost // 2, tuple(sorted(words)))

    figure = st.integers(1, 99)
    words = st.sets(st.sampled_from(KEYWORDS[:4]))
    attacks = st.sampled_from(ATTACKS)
    return st.builds(row, attacks, figure, figure, st.integers(0, 8), st.integers(0, 18), figure, words)


@given(tables())
def test_every_table_within_the_bounds_survives_its_text(table: UnitTable) -> None:
    assert read_table(write_table(table)) == table


# ---- bounds


def with_unit(name: str, /, **changes: object) -> UnitTable:
    return replace(TABLE, units=tuple(replace(row, **changes) if row.name == name else row for row in TABLE.units))


def with_master(name: str, /, **changes: object) -> UnitTable:
    changed = tuple(replace(row, **changes) if row.name == name else row for row in TABLE.necromancers)
    return replace(TABLE, necromancers=changed)


MASTER = ("Necromancer", "Spawn", "Persistent")
BROKEN = {
    "number below": (with_unit("Warg", number=0), "'Warg': the number of its attack must be 1 to 99, not 0."),
    "number above": (with_unit("Horror", number=100), "'Horror': the number of its attack must be 1 to 99, not 100."),
    "number of deathtouch": (with_unit("Lich", number=1), "'Lich': deathtouch has no number, so 0 must be given."),
    "attack": (with_unit("Lich", attack="stare"), "'stare' is not an attack"),
    "defence below": (with_unit("Warg", defence=0), "'Warg': defence must be 1 to 99, not 0."),
    "defence above": (with_unit("Warg", defence=100), "defence must be 1 to 99, not 100."),
    "speed below": (with_unit("Warg", speed=-1), "speed must be 0 to 8, not -1."),
    "speed above": (with_unit("Warg", speed=9), "speed must be 0 to 8, not 9."),
    "range below": (with_unit("Warg", range=-1), "range must be 0 to 18, not -1."),
    "range above": (with_unit("Warg", range=19), "range must be 0 to 18, not 19."),
    "cost below": (with_unit("Void", cost=0), "'Void': cost must be 1 to 99, not 0."),
    "cost above": (with_unit("Void", cost=100), "cost must be 1 to 99, not 100."),
    "rebate below": (with_unit("Void", rebate=-1), "the rebate must be from 0 to the cost, not -1."),
    "rebate above": (with_unit("Void", rebate=5), "the rebate must be from 0 to the cost, not 5."),
    "huge": (with_unit("Void", defence=1 << 20_000), "defence must be 1 to 99, not a number of many digits."),
    "master's defence": (with_master("Basic", defence=0), "'Basic': defence must be 1 to 99, not 0."),
    "master's speed": (with_master("Basic", speed=9), "'Basic': speed must be 0 to 8, not 9."),
    "master's cost": (with_master("Basic", cost=1), "'Basic': cost and rebate of a necromancer must be 0."),
    "master's rebate": (with_master("Basic", rebate=1), "'Basic': cost and rebate of a necromancer must be 0."),
    "master's letter": (with_master("Basic", letter="B"), "the letter of every necromancer must be N, not 'B'."),
    "no Spawn": (with_master("Deadly", keywords=("Necromancer", "Persistent")), "Spawn is missing."),
    "no Persistent": (with_master("Deadly", keywords=("Necromancer", "Spawn")), "Persistent is missing."),
    "no Necromancer": (with_master("Deadly", keywords=("Spawn", "Persistent")), "Necromancer is missing."),
    "unit as Necromancer": (with_unit("Rat", keywords=MASTER), "'Rat': only necromancers have Necromancer."),
    "unit with Soul": (with_unit("Rat", keywords=("Soul",)), "'Rat': only necromancers have Soul."),
    "unknown keyword": (with_unit("Rat", keywords=("Swarm",)), "'Rat': 'Swarm' is not a keyword."),
    "special card with a price": (
        with_unit("Rat", letter="7"),
        "'Rat': a special card, which has a digit for a letter, has no cost, rebate, speed, range or keyword.",
    ),
    "special card on the ring": (
        with_unit("Zombie", letter="7"),
        "'Zombie' is a special card, so nobody can have it on a board.",
    ),
    "keyword twice": (with_unit("Rat", keywords=("Flying", "Flying")), "'Rat': a keyword is given twice."),
    "letter taken": (with_unit("Rat", letter="Z"), "'Rat': the letter Z is taken; letters must differ."),
    "letter N": (with_unit("Rat", letter="N"), "'Rat': a unit can't have the letter N"),
    "letter small": (with_unit("Rat", letter="a"), "'Rat': 'a' is not a letter"),
    "letter long": (with_unit("Rat", letter="AB"), "'AB' is not a letter"),
    "letter empty": (with_unit("Rat", letter=""), "'' is not a letter"),
    "letter foreign": (with_unit("Rat", letter="Ä"), "'Ä' is not a letter"),
    "name of the table": (replace(TABLE, name="x" * 21), "can't be the name of a table"),
    "name twice": (with_unit("Rat", name="WARG"), "Two units are called 'WARG'"),
    "necromancer twice": (with_master("Basic", name="zombie"), "Two necromancers are called 'Zombie'"),
    "name empty": (with_unit("Rat", name=""), "'' can't be the name of a unit"),
    "name long": (with_unit("Rat", name="R" * 21), "can't be the name of a unit"),
    "name foreign": (with_unit("Rat", name="Ratte ß"), "can't be the name of a unit"),
    "name of two lines": (with_unit("Rat", name="Rat\nB"), "can't be the name of a unit"),
    "name with blanks": (with_unit("Rat", name="Big  Rat"), "can't be the name of a unit"),
    "name quoted": (with_master("Basic", name='B"asic'), "can't be the name of a necromancer"),
    "name a number": (with_unit("Rat", name="3"), "3 can't be the name of a unit: orders would be ambiguous (4.3)."),
    "name a letter": (with_unit("Rat", name="Z"), "Z can't be the name of a unit: orders would be ambiguous (4.3)."),
    "name a word": (
        with_unit("Rat", name="None"),
        "None can't be the name of a unit: orders would be ambiguous (4.3).",
    ),
    "name with a word": (with_master("Basic", name="We keep Z"), "We keep Z can't be the name of a necromancer"),
    "ring": (replace(TABLE, ring="Basic"), "'Basic' is the unit of the ring, but not a unit of the table."),
    "gift": (replace(TABLE, gift="Acolyte"), "'Acolyte' is the free unit, but not a unit of the table."),
    "first": (replace(TABLE, first="Rat"), "'Rat' is the necromancer of the start, but not a necromancer"),
    "no pool": (replace(TABLE, pool=()), "There must be at least one advanced necromancer."),
    "pool unknown": (
        replace(TABLE, pool=(*TABLE.pool, "Rat")),
        "'Rat' is an advanced necromancer, but not a necromancer",
    ),
    "pool with the first": (
        replace(TABLE, pool=(*TABLE.pool, "Basic")),
        "'Basic' may be the necromancer of the start",
    ),
    "pool twice": (replace(TABLE, pool=(*TABLE.pool, "Battle")), "'Battle' may be the necromancer of the start or"),
    "no cards": (replace(TABLE, cards=(), fixed=0), "There must be at least one card."),
    "no card": (replace(TABLE, cards=TABLE.cards[1:]), "'Skeleton' must be basic or have exactly one card"),
    "card twice": (replace(TABLE, cards=(*TABLE.cards, "Rat")), "'Rat' must be basic or have exactly one card"),
    "basic with card": (replace(TABLE, basic=(*TABLE.basic, "Rat")), "'Rat' must be basic or have exactly one card"),
    "card unknown": (
        replace(TABLE, cards=(*TABLE.cards, "Copycat")),
        "'Copycat' is basic or has a card, but is not a unit",
    ),
    "basic unknown": (
        replace(TABLE, basic=(*TABLE.basic, "Basic")),
        "'Basic' is basic or has a card, but is not a unit",
    ),
    "fixed below": (replace(TABLE, fixed=-1), "0 to 22 cards can be fixed, not -1 (15.9)."),
    "fixed above": (replace(TABLE, fixed=23), "0 to 22 cards can be fixed, not 23 (15.9)."),
    "many units": (replace(TABLE, units=TABLE.units[:1] * 31), "A table can have at most 30 units, not 31."),
    "many necromancers": (replace(TABLE, necromancers=TABLE.necromancers[:1] * 11), "at most 10 necromancers, not 11."),
    "many cards": (replace(TABLE, cards=("Rat",) * 41), "A table can have at most 40 cards, not 41."),
    "many basic units": (replace(TABLE, basic=("Rat",) * 31), "A table can have at most 30 basic units, not 31."),
    "wide pool": (replace(TABLE, pool=("Basic",) * 11), "A table can have at most 10 advanced necromancers, not 11."),
}


@pytest.mark.parametrize("case", BROKEN)
def test_15_8_every_broken_bound_is_named(case: str) -> None:
    table, wanted = BROKEN[case]
    assert any(wanted in flaw for flaw in flaws(table)), flaws(table)
    with pytest.raises(BadTable) as caught:
        write_table(table)
    assert caught.value.rule == "15.8"


def test_15_8_all_broken_bounds_are_named_at_once() -> None:
    table = replace(with_unit("Warg", speed=9, cost=0, letter="Z"), fixed=-1, pool=(*TABLE.pool, "Battle"))
    found = flaws(table)
    assert len(found) == 6  # the rebate is above the cost, too
    with pytest.raises(BadTable, match=r"the letter Z is taken.*Faults besides this: 5"):
        sound(table)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("fixed = 2", "fixed = 23", "0 to 22 cards can be fixed"),
        ("fixed = 2", "", "missing required field `fixed`"),
        ("fixed = 2", 'fixed = "2"', "Expected `int`, got `str` - at `\\$.fixed`"),
        ("fixed = 2", "fixed = true", "Expected `int`, got `bool`"),
        ("fixed = 2", "fixed = 0x" + "f" * 9999, "a number of many digits"),
        ("fixed = 2", "fixed = " + "9" * 9999, "not TOML"),
        ("fixed = 2", "fixed = 2\nblink = true", "unknown field `blink`"),
        ("fixed = 2", "fixed = 2\nfixed = 2", "not TOML"),
        ("speed = 1", "speed = 1, blink = true", "unknown field `blink`"),
        ("speed = 1, ", "", "missing required field `speed`"),
        ("speed = 1", "speed = inf", "not a unit table"),
        ("speed = 1", "speed = 1979-05-27", "not a unit table"),
        ("speed = 1", "speed = 9", "speed must be 0 to 8, not 9."),
        ('["Lumbering"]', "[[]]", "not a unit table"),
        ("units = [", "units = [[[[", "not TOML"),
    ],
)
def test_a_text_that_is_no_table_says_why(old: str, new: str, why: str) -> None:
    assert old in TEXT
    with pytest.raises(BadTable, match=why) as caught:
        read_table(TEXT.replace(old, new, 1))
    assert caught.value.rule == "15.8"
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text", ["", "[" * 30_000, "a=" + "[" * 30_000, "a." * 9000, " " * (MAX_TEXT + 1), "\0", "\ud800"]
)
def test_hostile_texts_are_refused(text: str) -> None:
    with pytest.raises(BadTable):
        read_table(text)


@pytest.mark.parametrize("text", [None, 7, b"", ["name"], TABLE])
def test_what_is_no_text_is_refused(text: object) -> None:
    with pytest.raises(BadTable, match="A unit table must be a text"):
        read_table(text)


@given(st.text() | st.text(alphabet="[]{}=\"',.\n#au0-_ "))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(BadTable):
        read_table(text)


@given(
    st.integers(0, len(TEXT) - 1), st.integers(0, 40), st.text(max_size=6) | st.text("[]{}=\"'\n-0129eN_", max_size=6)
)
def test_a_damaged_table_is_read_or_refused(start: int, length: int, patch: str) -> None:
    with suppress(BadTable):
        table = read_table(TEXT[:start] + patch + TEXT[start + length :])
        assert read_table(write_table(table)) == table


JUNK = st.text(max_size=3) | st.integers() | st.booleans() | st.none() | st.floats()


@given(st.sampled_from(Unit.__struct_fields__), JUNK, st.sampled_from(UnitTable.__struct_fields__), JUNK)
def test_a_row_with_any_value_is_judged_or_refused(field: str, value: object, other: str, worth: object) -> None:
    raw = msgspec.to_builtins(TABLE)
    raw["units"][3][field] = value
    with suppress(msgspec.ValidationError):
        assert isinstance(flaws(msgspec.convert(raw, UnitTable)), list)
    raw[other] = worth
    with suppress(msgspec.ValidationError):
        assert isinstance(flaws(msgspec.convert(raw, UnitTable)), list)
