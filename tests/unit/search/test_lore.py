"""What a match shows about scripts."""

from __future__ import annotations

import pytest

from polemos.search.lore import MEMORY, Lore


def test_scripts_are_compared_against_those_who_may_be_playing() -> None:
    lore = Lore(2)
    for _ in range(5):
        lore.learn((0,), [0, 1], [0.9, 0.5])
        lore.learn((1,), [0, 1], [0.0, 0.3])
    assert lore.worth({(0,): 1.0, (1,): 0.0}) == pytest.approx([0.2, -0.2])
    assert lore.worth({(0,): 0.2, (1,): 0.8}) == pytest.approx([-0.08, 0.08])
    assert lore.worth({(0,): 0.1, (2,): 0.9}) == pytest.approx([0.2, -0.2]), "of the third nothing is known"
    assert lore.worth({(2,): 1.0}) == pytest.approx([0, 0])


def test_those_that_were_not_tried_keep_their_place() -> None:
    """In worlds where all do well, the two that were tried there do not seem better than the third."""
    lore = Lore(3)
    lore.learn((), [0, 1, 2], [0.6, 0.5, 0.4])
    for _ in range(9):
        lore.learn((), [0, 1], [1.0, 0.9])
    assert lore.worth({(): 1.0}) == pytest.approx([0.1, 0.0, -0.1])


def test_what_is_long_past_fades() -> None:
    lore = Lore(2)
    for _ in range(100):
        lore.learn((), [0, 1], [1.0, 0.0])
    for _ in range(3 * MEMORY):
        lore.learn((), [0, 1], [0.0, 1.0])
    assert lore.worth({(): 1.0})[1] > 0.4
