"""The helpers for Monarchs, in every language: what they know about the board, and the orders that they write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from languages import TESTED
from polemos.games.monarchs.game import GAME
from polemos.kernel.match import Match
from unit.kits.helping import Scene, board_of, differences, played, scene, texts

# 1.1 The names, row by row from the top.
ROWS = ("EGIKM", "DFHJLN", "CEGIKMO", "BDFHJLNP", "ACEGIKMOQ", "BDFHJLNP", "CEGIKMO", "DFHJLN", "EGIKM")
HEXES = [f"{letter}{9 - row}" for row, letters in enumerate(ROWS) for letter in letters]


def beside(a: str, b: str) -> bool:
    """1.2 Two letters apart in the same row, or one letter and one row apart."""
    return (abs(ord(a[0]) - ord(b[0])), abs(int(a[1]) - int(b[1]))) in ((2, 0), (1, 1))


def walk(start: str) -> dict[str, int]:
    """1.2 The number of steps to every hex, by brute force."""
    found = {start: 0}
    for hex in (queue := [start]):
        for there in HEXES:
            if beside(hex, there) and there not in found:
                found[there] = found[hex] + 1
                queue.append(there)
    return found


# Two turns into a game; the rest of the board is as in 1.5.
POSITION = "start; turn 3/8; red I5 4, A5 2; blue H4 5"


def scenes() -> list[Scene]:
    steps = {hex: walk(hex) for hex in HEXES}
    start: list[tuple[Any, Any]] = [
        (("hexes",), HEXES),
        *((("distance", a, b), steps[a][b]) for a in HEXES for b in HEXES),
        (("distance", "A5", "M9"), 8),  # 1.3
        (("distance", "A5", "I5"), 4),
        (("base", "red"), "A5"),
        (("base", "green"), "M9"),
        (("base", "blue"), "M1"),
        (("centre",), "I5"),  # 1.4
        # 1.5 The starting position; 9.1 red sees its own land and what is next to it.
        (("owner", "G5"), "red"),
        (("owner", "I5"), None),
        (("owner", "H4"), "blue"),
        (("owner", "M1"), None),  # out of sight
        (("regiments", "G5"), 3),
        (("regiments", "C5"), 0),
        (("regiments", "H4"), 3),
        (("regiments", "M1"), 0),
        (("seen", "H4"), True),
        (("seen", "I5"), True),
        (("seen", "J4"), False),
        (("seen", "M1"), False),
        (("armies", "red"), ["E9", "F8", "G7", "H6", "A5", "G5", "F4", "E3", "D2"]),
        (("armies", "blue"), ["H4", "G3", "F2", "E1"]),
        (("land", "green"), ["G9", "H8", "I7", "J6"]),
        (("land", "red"), [hex for hex in HEXES if hex in RED]),
        (("march_order", "D2", "C3", 2), "D2-C3 2"),  # 3.2
        (("march_order", "G5", "H4", 12), "G5-H4 12"),
        (("bless_order", "G9"), "bless G9"),  # 3.7
    ]
    for hex in HEXES:
        for target in ("A5", "I5", "M1", "H8"):
            nearer = {there for there in HEXES if beside(hex, there) and steps[target][there] < steps[target][hex]}
            start.append((("towards", hex, target), _as_listed(hex, nearer)))
        start.append((("neighbours", hex), _as_listed(hex, {there for there in HEXES if beside(hex, there)})))
    later = [
        (("owner", "I5"), "red"),
        (("regiments", "I5"), 4),
        (("regiments", "H4"), 5),
        (("seen", "J4"), True),  # next to I5
        (("regiments", "A5"), 2),
        (("land", "blue"), ["H4", "J4", "G3", "F2", "E1"]),
    ]
    return [scene(Match(GAME), "red", start), scene(Match(GAME, position=POSITION), "red", later), after_play()]


def after_play() -> Scene:
    """Every hex after four turns, as the view says it."""
    match = played(GAME, {}, 4)
    seen: Any = match.view("green").hexes
    table: list[tuple[Any, Any]] = []
    for hex in HEXES:
        ground = seen.get(hex)
        table += [(("seen", hex), ground is not None), (("owner", hex), ground and ground.owner)]
        table += [(("regiments", hex), ground.regiments if ground else 0)]
    for nation in ("red", "green", "blue"):
        land = [hex for hex in HEXES if hex in seen and seen[hex].owner == nation]
        table += [(("land", nation), land), (("armies", nation), [hex for hex in land if seen[hex].regiments])]
    return scene(match, "green", table)


RED = [
    "E9",
    "D8",
    "F8",
    "C7",
    "E7",
    "G7",
    "B6",
    "D6",
    "F6",
    "H6",
    "A5",
    "C5",
    "E5",
    "G5",
    "B4",
    "D4",
    "F4",
    "C3",
    "E3",
    "D2",
]  # 1.5


def _as_listed(hex: str, wanted: set[str]) -> list[str]:
    """Neighbours come clockwise, beginning on the left."""
    x, y = ord(hex[0]), int(hex[1])
    around = [(-2, 0), (-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1)]
    return [name for dx, dy in around if (name := f"{chr(x + dx)}{y + dy}") in wanted]


@pytest.mark.slow
@pytest.mark.parametrize("language", TESTED)
def test_the_helper_answers_by_the_book(language: str, tmp_path: Path) -> None:
    assert differences(language, "monarchs", tmp_path / "bot", scenes()) == []


@pytest.mark.parametrize("nation", ["red", "green", "blue"])
def test_the_orders_are_those_that_the_umpire_offers(nation: str) -> None:
    match = Match(GAME, position=POSITION)
    helper, board = board_of(match, nation, "monarchs")
    for hex in board.armies(nation):
        written = {helper.march_order(hex, there, 1) for there in board.neighbours(hex)}
        assert written == texts(match, nation, **{"from": hex})
    blessings = {helper.bless_order(hex) for hex in board.hexes()}
    assert blessings == texts(match, nation, order="bless")
