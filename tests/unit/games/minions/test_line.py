"""8.1, 15.9, 15.10, 16.1 The line of cards."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.games.minions.line import chosen_line, laid, shuffled
from polemos.games.minions.tables import load
from polemos.kernel.errors import BadOptions

TABLE = load("2025-07")
LETTERS = "SPWGTHKXAUJVMLOCRQBEYD"
SEEDS = st.integers() | st.text(max_size=8)


def packs(line: tuple[str, ...], cards: tuple[str, ...], fixed: int) -> tuple[list[int], list[int]]:
    """The two packs of a line, as places in the table."""
    rest = [cards.index(card) for card in line[fixed:]]
    first, second = rest[0::2], rest[1::2]
    if len(rest) % 2:  # the card left over came from the second pack
        second.append(first.pop())
    return first, second


def digits(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def test_15_10_cards_laid_in_turn() -> None:
    assert laid(digits("4 5 8"), digits("3 6 7")) == digits("4 3 5 6 8 7")
    assert laid(digits("4 6"), digits("3 5 7")) == digits("4 3 6 5 7")
    assert laid((), ()) == ()
    assert laid((), ("1",)) == ("1",)


@given(st.integers(0, 40), st.data(), SEEDS)
def test_15_10_a_shuffled_line(number: int, data: st.DataObject, seed: object) -> None:
    cards = tuple(f"card {i}" for i in range(number))
    fixed = data.draw(st.integers(0, number))
    line = shuffled(cards, fixed, seed)
    assert line == shuffled(cards, fixed, seed)
    assert line[:fixed] == cards[:fixed]
    assert sorted(line) == sorted(cards)
    first, second = packs(line, cards, fixed)
    assert first == sorted(first)
    assert second == sorted(second)
    assert len(second) - len(first) == (number - fixed) % 2


def test_15_10_every_split_is_as_likely() -> None:
    cards = digits("1 2 3 4 5 6 7")
    found = Counter(shuffled(cards, 2, seed) for seed in range(2000))
    assert len(found) == 10  # two of five for the first pack
    assert all(140 < times < 260 for times in found.values())


def test_15_10_few_cards() -> None:
    assert shuffled((), 0, 1) == ()
    assert shuffled(("a",), 0, 1) == ("a",)
    assert {shuffled(("a", "b"), 0, seed) for seed in range(20)} == {("a", "b"), ("b", "a")}
    assert shuffled(("a", "b"), 2, 1) == ("a", "b")


def test_15_10_lines_stay_what_they_are() -> None:
    """Old games are played again from their key."""
    letters = {unit.name: unit.letter for unit in TABLE.units}
    assert "".join(letters[name] for name in chosen_line("shuffled", TABLE, None, 7)) == "SPWXGUTJHVKMACLQOERYBD"


def test_16_1_the_options() -> None:
    assert chosen_line("sorted", TABLE, None, 1) == TABLE.cards
    assert chosen_line(" Shuffled ", TABLE, None, 1) == shuffled(TABLE.cards, 2, 1)
    assert chosen_line("shuffled", TABLE, 0, 1) == shuffled(TABLE.cards, 0, 1)
    assert chosen_line("shuffled", TABLE, 22, 1) == TABLE.cards
    assert chosen_line("sorted", TABLE, 5, 1) == TABLE.cards


def test_16_1_letters_in_order() -> None:
    assert chosen_line(LETTERS, TABLE, None, 1) == TABLE.cards
    assert chosen_line(", ".join(LETTERS.lower()), TABLE, None, 1) == TABLE.cards
    assert chosen_line(LETTERS[::-1], TABLE, 2, 1) == TABLE.cards[::-1]


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ("", "'' is not a line"),
        ("random", "There is no card with the letter 'n'"),
        (LETTERS[1:], "The line lacks S."),
        (LETTERS[2:], "The line lacks S, P."),
        (LETTERS + "S", "The card S is in the line twice."),
        ("SS", "The card S is in the line twice."),
        ("Z" + LETTERS, "There is no card with the letter 'Z'"),
        ("N" + LETTERS, "There is no card with the letter 'N'"),
        ("ſ" + LETTERS[1:], "There is no card with the letter 'ſ'"),
        (LETTERS * 99, "is not a line"),
        (None, "is not a line"),
        (7, "is not a line"),
    ],
)
def test_16_1_every_card_exactly_once(option: object, why: str) -> None:
    with pytest.raises(BadOptions) as caught:
        chosen_line(option, TABLE, None, 1)
    assert why in caught.value.why
    assert caught.value.rule == "16.1"


@pytest.mark.parametrize("fixed", [-1, 23, 1 << 20_000, True], ids=["below", "above", "huge", "truth"])
@pytest.mark.parametrize("option", ["shuffled", "sorted", LETTERS])
def test_15_9_how_many_can_be_fixed(option: str, fixed: int) -> None:
    with pytest.raises(BadOptions, match="can't be fixed; 0 to 22 can") as caught:
        chosen_line(option, TABLE, fixed, 1)
    assert caught.value.rule == "16.1"


@given(st.text() | st.text(alphabet=LETTERS + " ,"))
def test_any_text_makes_a_line_or_is_refused(text: str) -> None:
    with suppress(BadOptions):
        assert sorted(chosen_line(text, TABLE, None, 1)) == sorted(TABLE.cards)
