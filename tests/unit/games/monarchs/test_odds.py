"""6.6 The printed odds come out of the dice exactly: enumerated, not sampled."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.odds import attack, chance
from polemos.games.monarchs.rules import events
from polemos.kernel.dice import SIDES, die_text
from polemos.kernel.match import Match

STEPS = 16  # a die is tried at the middle of each sixteenth

# advantage in quarters: position, red's sheet, green's sheet, hex; red is ahead by so much
BATTLES = {
    0: ("bare; free I5; red G5 2; green K5 2", ["G5-I5 2"], ["K5-I5 2"], "I5"),
    1: ("bare; red G5 2; green I5 2", [], ["I5-G5 2"], "G5"),
    2: ("bare; free I5; red G5 2; green K5 2", ["G5-I5 2", "bless I5"], ["K5-I5 2"], "I5"),
    3: ("bare; red G5 2; green I5 2", ["bless G5"], ["I5-G5 2"], "G5"),
    -3: ("bare; red G5 2; green I5 3", [], ["I5-G5 3"], "G5"),
    -1: ("bare; red G5 2; green I5 2", [], ["I5-G5 2", "bless G5"], "G5"),
}
PRINTED = {0: "1/2", 1: "23/32", 2: "7/8", 3: "31/32"}


def outcome(battle: tuple[str, list[str], list[str], str], red: int, green: int) -> tuple[bool, bool]:
    """(red wins, the dice tied) for dice at the middle of these steps."""
    position, red_sheet, green_sheet, hex = battle
    match = Match(GAME, position=position, key="0" * 32)
    half = SIDES // STEPS // 2
    dice = {"red": die_text(red * SIDES // STEPS + half), "green": die_text(green * SIDES // STEPS + half)}
    GAME.fix_dice(match.state, match.chance, {f"hex {hex}": dice})
    match.submit("red", red_sheet)
    match.submit("green", green_sheet)
    match.run()
    drawn = GAME.chronicle.those(events.drawn_in_hex, match.happened[-1])
    tied = any(event.draw > 0 for event in drawn)
    return match.view("umpire").hexes[hex].owner == "red", tied


@pytest.mark.parametrize("quarters", BATTLES)
def test_all_pairs_of_dice_give_the_printed_odds(quarters: int) -> None:
    """Every pair of steps once; a tie decides nothing by itself and counts half."""
    wins = Fraction(0)
    for red, green in product(range(STEPS), repeat=2):
        won, tied = outcome(BATTLES[quarters], red, green)
        wins += Fraction(1, 2) if tied else Fraction(int(won))
    assert wins / STEPS**2 == chance(quarters)


def test_the_formula_gives_the_numbers_of_the_book() -> None:
    assert {a: str(chance(a)) for a in PRINTED} == PRINTED
    assert chance(4) == chance(400) == 1
    assert chance(-4) == 0
    assert chance(-1) == 1 - chance(1)


def test_an_advantage_of_a_whole_regiment_is_sure_at_the_extremes_of_the_dice() -> None:
    match = Match(GAME, position="bare; free I5; red G5 2; green K5 1")
    GAME.fix_dice(match.state, match.chance, {"hex I5": {"red": "0", "green": die_text(SIDES - 1)}})
    match.submit("red", ["G5-I5 2"])
    match.submit("green", ["K5-I5 1"])
    match.run()
    assert match.view("umpire").hexes["I5"].owner == "red"


def test_with_dice_of_32_bits_and_redraws_the_odds_differ_by_less_than_two_to_the_minus_33() -> None:
    """Exact count over all pairs of dice: wins W, ties T, and after a tie the same battle again: W / (N² - T)."""
    n = SIDES
    for quarters in range(5):
        short = n - quarters * n // 4
        wins = n * n - short * (short + 1) // 2
        exact = Fraction(wins, n * n - short)
        assert abs(exact - chance(quarters)) < Fraction(1, 2**33)


@pytest.mark.parametrize(
    ("difference", "expected"),
    [
        (-2, ("0", "0", "0", "0")),
        (-1, ("0", "1/32", "0", "0")),
        (0, ("9/32", "23/32", "1/32", "9/32")),
        (1, ("31/32", "1", "23/32", "31/32")),
        (2, ("1", "1", "1", "1")),
    ],
)
def test_the_table_of_attacks(difference: int, expected: tuple[str, ...]) -> None:
    """Columns: nobody blesses, the attacker, the defender, both."""
    blessings = ((False, False), (True, False), (False, True), (True, True))
    assert tuple(str(attack(difference, you, they)) for you, they in blessings) == expected


@pytest.mark.parametrize(
    ("quarters", "expected"),
    [
        ((0, 0, 0), ("1/3", "1/3", "1/3")),
        ((1, 0, 0), ("37/64", "27/128", "27/128")),
        ((2, 0, 0), ("19/24", "5/48", "5/48")),
        ((3, 0, 0), ("181/192", "11/384", "11/384")),
        ((1, 2, 0), ("25/96", "2/3", "7/96")),
        ((1, 2, 2), ("9/64", "55/128", "55/128")),
        ((3, 2, 0), ("17/24", "107/384", "5/384")),
        ((1, 4, 4), ("1/192", "191/384", "191/384")),
    ],
)
def test_three_armies(quarters: tuple[int, int, int], expected: tuple[str, ...]) -> None:
    """Quarters of the dice decide; within the same quarter of strength all who share it are equally likely."""
    odds = [Fraction(0)] * 3
    for cells in product(range(4), repeat=3):
        sums = [cell + more for cell, more in zip(cells, quarters, strict=True)]
        first = [i for i, sum in enumerate(sums) if sum == max(sums)]
        for i in first:
            odds[i] += Fraction(1, 64 * len(first))
    assert tuple(str(chance) for chance in odds) == expected
