"""The helpers for Minions, in every language: what they know about the boards, and the orders that they write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from languages import TESTED
from polemos.games.minions.game import GAME
from polemos.kernel.match import Match
from unit.kits.helping import Scene, board_of, differences, played, scene, texts

HEXES = [f"{file}{rank}" for rank in range(10) for file in "abcdefghij"]
SHORES = "2G3G3/W9/W9/W4G3G/GW4G3/W2WW5/WG2W5/W1W6G/3G1W4/2WWWGWWW1"  # 15.6
GROUND = "".join(sign if sign in "GW" else "." * (int(sign) or 10) for sign in SHORES.replace("/", ""))
MEANING = {"G": "graveyard", "W": "water", ".": "plain"}
AROUND = ((-1, 0), (1, 0), (0, 1), (-1, 1), (0, -1), (1, -1))  # 1.2, in the order of its table

# Board 1: Serpents before an enemy and before water, units that fly, units that are done. Board 2: a choice is due.
YELLOW = {"c2": "Basic", "d4": "Serpent", "b5": "Serpent", "h2": "Warg", "i8": "Skeleton", "f6": "Witch", "a5": "Ghost"}
YELLOW |= {"g0": "Initiate", "j0": "Zombie", "j5": "Zombie"}
BLUE = {"h7": "Basic", "e4": "Zombie", "f7": "Haunt", "i6": "Zombie", "h3": "Zombie"}
LETTERS = {"Basic": "N", "Serpent": "P", "Warg": "W", "Skeleton": "S", "Witch": "J", "Ghost": "G", "Zombie": "Z"}
LETTERS |= {"Haunt": "H", "Initiate": "I"}
SPEED = {"Basic": 1, "Serpent": 2, "Warg": 3, "Skeleton": 1, "Witch": 1, "Ghost": 1, "Initiate": 2, "Zombie": 1}  # 3.2
RANGE = {"Basic": 1, "Serpent": 1, "Warg": 1, "Skeleton": 1, "Witch": 3, "Ghost": 1, "Initiate": 1, "Zombie": 1}
FLYING = ("Skeleton", "Ghost")
DONE = {"j0": "*moved", "f6": "*used1"}
UNITS = " ".join(
    f"{LETTERS[type] if side is YELLOW else LETTERS[type].lower()}{hex}{DONE.get(hex, '')}"
    for side in (YELLOW, BLUE)
    for hex, type in side.items()
)
POSITION = (
    f"boards 2; map {SHORES}; turn 5 yellow; money 30/4; spells yellow 2 1; spells blue 1; "
    f"{UNITS}; zone Z2IS z3; b2: state reset+1; b2: zone SI i"
)


def beside(hex: str) -> list[str]:
    """1.2 The neighbours of a hex."""
    x, y = ord(hex[0]) - 97, int(hex[1])
    return [name for dx, dy in AROUND if (name := f"{chr(97 + x + dx)}{y + dy}") in HEXES]


def walk(start: str, barred: set[str]) -> dict[str, int]:
    """Steps from a hex to all others around what is barred, by brute force."""
    found = {start: 0}
    for hex in (queue := [start]):
        for there in beside(hex):
            if there not in found and there not in barred:
                found[there] = found[hex] + 1
                queue.append(there)
    return found


def scenes() -> list[Scene]:
    table: list[tuple[Any, Any]] = []
    water = {hex for hex, sign in zip(HEXES, GROUND, strict=True) if sign == "W"}
    for hex, sign in zip(HEXES, GROUND, strict=True):
        apart = walk(hex, set())  # 1.3
        table += [(("ground", 1, hex), MEANING[sign]), (("neighbours", hex), beside(hex))]
        table += [(("distance", hex, there), apart[there]) for there in HEXES]
        table.append((("unit", 1, hex), None) if hex not in YELLOW | BLUE else (("unit", 1, hex), _unit(hex)))
    for hex, type in YELLOW.items():
        steps = walk(hex, set() if type in FLYING else water | set(BLUE))  # 5.9, 7.1
        table += [(("walk", 1, hex, there), steps.get(there)) for there in HEXES]
        free = [to for to in HEXES if to not in YELLOW | BLUE and steps.get(to, 99) <= SPEED[type]]
        table.append((("moves", 1, hex), [] if hex in DONE else free))  # 5.4, 5.5, 9.9
        near = walk(hex, set())
        table.append((("targets", 1, hex), [at for at in HEXES if at in BLUE and near[at] <= RANGE[type]]))  # 6.2
    spawners = [hex for hex in (*beside("c2"), *beside("g0")) if hex not in YELLOW]  # 9.6
    table += [
        (("walk", 1, "e9", "a0"), None),  # nobody is there
        (("walk", 1, "d4", "f4"), 3),  # 5.9: round the enemy on e4
        (("walk", 1, "b5", "a4"), 4),  # 5.9: both ways in two steps are water; by c4, c3 and b3 it is four
        (("moves", 1, "e4"), []),  # not the side to move
        (("moves", 1, "e9"), []),
        (("moves", 2, "c2"), []),  # nobody is there before the choice
        (("targets", 1, "e9"), []),
        (("neighbours", "c2"), ["b2", "d2", "c3", "b3", "c1", "d1"]),  # 1.2
        (("distance", "c2", "h7"), 10),  # 1.3
        (("distance", "a9", "j0"), 9),
        (("graveyards", 1), ["c0", "g0", "f3", "j3", "a4", "g4", "b6", "j7", "d8", "f9"]),
        (("units", 1, "yellow"), [hex for hex in HEXES if hex in YELLOW]),
        (("units", 1, "blue"), [hex for hex in HEXES if hex in BLUE]),
        (("units", 2, "blue"), ["h6", "i6", "g7", "i7", "g8", "h8"]),  # 1.8, 10.5
        (("spawns", 1, "Zombie"), [hex for hex in HEXES if hex in spawners and hex not in water]),
        (("spawns", 1, "Skeleton"), [hex for hex in HEXES if hex in spawners]),
        (("in_zone", 1, "yellow", "Zombie"), 2),
        (("in_zone", 1, "yellow", "Skeleton"), 1),
        (("in_zone", 1, "yellow", "Warg"), 0),
        (("in_zone", 1, "blue", "Zombie"), 3),
        (("in_zone", 2, "blue", "Zombie"), 0),
        (("state", 1), "normal"),
        (("state", 2), "reset+1"),
        (("money", "yellow"), 30),
        (("money", "blue"), 4),
        (("move_order", 1, "d4", "e4"), "1 move d4-e4"),  # 4.3
        (("tick_order", 1, [["d4", "e4"], ["e4", "d4"]]), "1 tick d4-e4 e4-d4"),
        (("attack_order", 2, "d4", "e4"), "2 attack d4-e4"),
        (("buy_order", 1, "Z"), "1 buy Z"),
        (("spawn_order", 1, "Z", "c3"), "1 spawn Z c3"),
        (("choose_order", 1, "Arcane", "S"), "1 choose Arcane keep S"),
        (("resign_order", 1), "1 resign"),
        (("march_order",), "march"),
        (("tech_order", 3), "tech 3"),
        (("end_order",), "end"),
    ]
    match = Match(GAME, position=POSITION)
    closed = Match(GAME, position=f"{POSITION}; closed".replace("Ig0", "Ig0*fresh"))
    later = [
        (("moves", 1, "d4"), []),  # 4.7
        (("spawns", 1, "Skeleton"), [hex for hex in HEXES if hex in beside("c2")]),  # 9.7
    ]
    return [scene(match, "yellow", table), scene(closed, "yellow", later), after_play()]


def after_play() -> Scene:
    """Everything on two boards after seven turns, as the view says it."""
    match = played(GAME, {"boards": 2}, 7)
    view: Any = match.view("blue")
    assert view.side == "blue"
    table: list[tuple[Any, Any]] = [(("money", side), view.money[side]) for side in ("yellow", "blue")]
    for board in view.boards:
        for side in ("yellow", "blue"):
            table += [(("units", board.number, side), [unit.hex for unit in board.units if unit.side == side])]
            for type in match.setting.units:
                waiting = board.zones[side].get(type.name, 0)
                table += [(("in_zone", board.number, side, type.name), waiting)]
    return scene(match, "blue", table)


def _unit(hex: str) -> list[Any]:
    type = (YELLOW | BLUE)[hex]
    speed, range = {"Haunt": (2, 3)}.get(type, (SPEED.get(type), RANGE.get(type)))
    marks = [type in FLYING, type in ("Basic", "Initiate"), False, hex in DONE]
    return ["yellow" if hex in YELLOW else "blue", type, LETTERS[type], 0, speed, range, *marks]


@pytest.mark.slow
@pytest.mark.parametrize("language", TESTED)
def test_the_helper_answers_by_the_book(language: str, tmp_path: Path) -> None:
    assert differences(language, "minions", tmp_path / "bot", scenes()) == []


def test_the_orders_are_those_that_the_umpire_offers() -> None:
    match = Match(GAME, position=POSITION)
    helper, board = board_of(match, "yellow", "minions")
    for hex in board.units(1, "yellow"):
        written = {helper.move_order(1, hex, target) for target in board.moves(1, hex)}
        offered = texts(match, "yellow", order="move", start=hex)
        assert written == offered, hex
    for letter, type in (("Z", "Zombie"), ("I", "Initiate"), ("S", "Skeleton")):
        written = {helper.spawn_order(1, letter, hex) for hex in board.spawns(1, type)}
        offered = texts(match, "yellow", order="spawn", unit=letter)
        assert written == offered, type
    struck = {helper.attack_order(1, hex, to) for hex in board.units(1, "yellow") for to in board.targets(1, hex)}
    barred = {helper.attack_order(1, "f6", to) for to in board.targets(1, "f6")}  # 6.4
    assert struck - barred == texts(match, "yellow", order="attack")
    pairs = [(a, b) for a in YELLOW for b in YELLOW if HEXES.index(a) < HEXES.index(b) and not {a, b} & set(DONE)]
    near = [
        (a, b)
        for a, b in pairs
        if all((board.walk(1, *way) or 99) <= SPEED[YELLOW[way[0]]] for way in ((a, b), (b, a)))
    ]
    swaps = {helper.tick_order(1, [(a, b), (b, a)]) for a, b in near}  # 5.10
    assert swaps == texts(match, "yellow", order="tick")
    assert swaps
    bought = {helper.buy_order(1, letter) for letter in "ZIS"}  # 3.3, 8.7: the first card is teched
    assert bought == texts(match, "yellow", order="buy")
    free = ["Arcane", "Ranged", "Mounted", "Deadly", "Battle", "Zombie"]  # 10.7, 3.4
    chosen = {helper.choose_order(2, name, keep) for name in free for keep in "SI"}
    assert chosen == texts(match, "yellow", order="choose")
    spells = {helper.march_order(), helper.tech_order(2)}  # 8.4, 8.5
    assert spells == texts(match, "yellow", order="spells")
    assert {helper.resign_order(1), helper.resign_order(2)} == texts(match, "yellow", order="resign")
    assert {helper.end_order()} == texts(match, "yellow", order="end")
