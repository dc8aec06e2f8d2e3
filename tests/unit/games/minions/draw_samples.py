"""Settings and views of Minions made by hand, for the tests of its pictures."""

from __future__ import annotations

from polemos.games.minions.view import BoardView, Setting, TypeFacts, Unit, View

_TABLE = """
Zombie Z normal 1 1 1 1 2 0 Lumbering
Initiate I normal 2 2 2 1 3 1 Lumbering Spawn
Skeleton S normal 5 2 1 1 4 2 Flying Persistent
Serpent P normal 3 1 2 1 4 2
Warg W normal 1 1 3 1 4 2
Ghost G normal 1 4 1 1 3 1 Flying Persistent
Wight T flurry 5 3 2 2 4 1 Lumbering
Haunt H normal 2 2 2 3 5 1 Persistent
Shrieker K normal 3 1 3 1 4 1
Spectre X normal 1 5 2 1 5 3 Flying
Rat A flurry 5 1 1 1 2 1 Spawn Persistent
Sorcerer U unsummon 2 3 1 2 6 3 Persistent
Witch J normal 1 1 1 3 4 1
Vampire V normal 3 5 1 1 4 2 Flying Persistent
Mummy M normal 5 7 1 1 5 2 Spawn
Lich L deathtouch 1 2 1 2 4 1
Void O unsummon 1 2 3 1 4 0
Cerberus C flurry 2 3 3 1 5 3 Persistent
Wraith R normal 3 8 2 2 5 2 Flying Lumbering Spawn Persistent
Horror Q flurry 20 6 1 1 3 0
Banshee B deathtouch 1 2 2 1 5 3 Flying Persistent
Elemental E flurry 3 2 1 3 8 4
Harpy Y normal 2 5 2 2 7 4 Flying
Shadowlord D normal 7 10 2 1 9 5 Flying Persistent
"""
_NECROMANCERS = """
Basic N unsummon 1 7 1 1 0 0 Necromancer Persistent Spawn Soul
Arcane N unsummon 1 7 1 1 0 0 Necromancer Persistent Spawn Soul
Ranged N unsummon 1 10 1 2 0 0 Necromancer Persistent Spawn
Mounted N unsummon 1 10 2 0 0 0 Necromancer Persistent Spawn Flying Lumbering
Deadly N deathtouch 1 10 1 1 0 0 Necromancer Persistent Spawn
Battle N flurry 3 10 1 1 0 0 Necromancer Persistent Spawn
Zombie N unsummon 1 10 1 1 0 0 Necromancer Persistent Spawn
"""
NAMES = (
    "Blackened Shores", "Midnight Lake", "Eternal Battlefield", "Forbidden Isle", "MegaPuddles", "River Styx",
)  # fmt: skip
MAPS = (
    "2G3G3/W9/W9/W4G3G/GW4G3/W2WW5/WG2W5/W1W6G/3G1W4/2WWWGWWW1",
    "1G1WW3G1/9G/0/G2G1WW3/W3WWW3/4WW3W/1G4G2W/0/3G5G/5WG3",
    "WW1G5G/W5G3/0/8G1/1GW7/WWG7/W8G/4GW4/1G2WG3W/3WW3WW",
    "WWWWWWWWWW/WW2G1WG1W/WG7W/W8W/W2GW3GW/WG3WG2W/W8W/W7GW/W1GW1G2WW/WWWWWWWWWW",
    "W2W2W2W/1G2W2G2/5W2W1/W2G2W2G/1W2G2W2/2W2G2W1/G2W2G2W/1W2W5/2G2W2G1/W2W2W2W",
    "4WW2G1/1G2W5/3G6/7W2/2WW2GWG1/1GWG2WW2/2W7/6G3/5W2G1/1G2WW4",
)
POOL = ("Arcane", "Ranged", "Mounted", "Deadly", "Battle", "Zombie")


def rows(table: str) -> tuple[TypeFacts, ...]:
    """Rows of a table: name, letter, attack, six figures, keywords."""
    found = []
    for line in table.strip().splitlines():
        name, letter, attack, *rest = line.split()
        attack_number, defence, speed, range_, cost, rebate = (int(word) for word in rest[:6])
        keywords, basic = tuple(rest[6:]), letter in "ZI"
        found.append(
            TypeFacts(name, letter, attack, attack_number, defence, speed, range_, cost, rebate, keywords, basic)
        )
    return tuple(found)


UNITS = rows(_TABLE)
NECROMANCERS = rows(_NECROMANCERS)
LETTERS = {row.letter: row.name for row in UNITS}
LINE = tuple(LETTERS[letter] for letter in "SPWGTHXKAUVJLMCOQRBEYD")


def setting(boards: int = 1, **more: object) -> Setting:
    given: dict[str, object] = {
        "edition": "2025-07", "boards": boards, "to_win": boards - boards // 4, "turns": 200,
        "spell_price": 8 * boards, "maps": tuple(MAPS[i % 6] for i in range(boards)),
        "names": tuple(NAMES[i % 6] for i in range(boards)), "line": LINE, "units": UNITS,
        "necromancers": NECROMANCERS, "pool": POOL, "ring": "Zombie", "gift": "Initiate", "first": "Basic",
        "fixed": 2, "deck": LINE, "money": 6 * boards,
    }  # fmt: skip
    return Setting(**(given | more))  # type: ignore[arg-type]


def unit(word: str, **marks: object) -> Unit:
    """`Zc2` is a yellow Zombie on c2, `Arcane@h7` a yellow and `arcane@h7` a blue necromancer; `Nc2` is Basic."""
    if "@" in word:
        name, hex = word.split("@")
        kind, letter = name.capitalize(), "N"
    else:
        name, hex, letter = word[0], word[1:], word[0].upper()
        kind = "Basic" if letter == "N" else LETTERS[letter]
    side = "yellow" if name[0].isupper() else "blue"
    return Unit(hex, side, kind, letter, **marks)  # type: ignore[arg-type]


def units(words: str, marked: dict[str, dict[str, object]] | None = None) -> tuple[Unit, ...]:
    """Units in the order of their hexes; `marked` gives marks by hex."""
    given = marked or {}
    made = [unit(word, **given.get(word.split("@")[-1][-2:], {})) for word in words.split()]
    return tuple(sorted(made, key=lambda one: (one.hex[1], one.hex[0])))


def board(number: int = 1, words: str = "Nc2 nh7", **more: object) -> BoardView:
    given: dict[str, object] = {
        "number": number, "state": "normal", "units": units(words), "zones": {"yellow": {}, "blue": {}},
    }  # fmt: skip
    return BoardView(**(given | more))  # type: ignore[arg-type]


def view(*boards: BoardView, **more: object) -> View:
    given: dict[str, object] = {
        "who": "spectator", "turn": 9, "side": "yellow", "boards": boards or (board(),),
        "spells": {"yellow": (0,) * 22, "blue": (0,) * 22}, "money": {"yellow": 13, "blue": 6},
        "points": {"yellow": 0, "blue": 0}, "used": {"yellow": (), "blue": ()},
    }  # fmt: skip
    return View(**(given | more))  # type: ignore[arg-type]


FIRST = board(
    1,
    units=units(
        "Zc0 Zg0 Ph2 Wi2 Nf3 Ig3 Zh3 zj3 Za4 Tf4 Pg4 gh4 zi4 sg5 hh5 Zb6 zi6 ie7 nh7 zj7 zf9",
        {"c0": {"moved": True}, "h3": {"used": 1}, "h4": {"damage": 1}, "f4": {"used": 2}, "g4": {"moved": True}},
    ),
    zones={"yellow": {"Zombie": 2, "Initiate": 1, "Warg": 1}, "blue": {"Skeleton": 1, "Zombie": 12}},
)  # fmt: skip
SECOND = board(
    2,
    "Zb0 Zh1 Ne2 Id3 Ze3 Pd5 Tc4 Zb3 zd6 ze6 zg6 ii6 arcane@f7 sh6 ih7 zj8 zg9 zd8 zj1",
    zones={"yellow": {"Zombie": 1}, "blue": {}},
    closed=True,
)
THIRD = board(
    3,
    "zd0 Mounted@d1 zg1 Zb2 Ic3 Zd3 zi3 zb4 Pd4 zc5 ie5 nf6 hh6 zj6 ze7 sf7 Zb8",
    zones={"yellow": {"Zombie": 1, "Initiate": 1}, "blue": {"Ghost": 3, "Initiate": 1}},
)
FOURTH = board(
    4, "", state="reset+1", due=True, zones={"yellow": {"Zombie": 9, "Serpent": 2, "Initiate": 2}, "blue": {}}
)
SPELLS = {"yellow": (1, 2, 2, 1, 2, 1, 1, *(0,) * 15), "blue": (2, 1, 1, 2, 1, 2, *(0,) * 16)}


def table(boards: int = 1, **more: object) -> tuple[Setting, View]:
    """A match of so many boards in the middle of it."""
    shown = []
    for i in range(boards):
        one = (FIRST, SECOND, THIRD, FOURTH)[i % 4]
        shown.append(
            BoardView(i + 1, one.state, one.units, one.zones, one.due, one.closed, one.resigned, one.killed)
        )  # fmt: skip
    points = {"yellow": 1, "blue": min(1, boards - 1)}
    given: dict[str, object] = {
        "spells": SPELLS,
        "points": points,
        "used": {"yellow": ("Mounted",), "blue": ("Arcane",)},
    }
    return setting(boards), view(*shown, **(given | more))
