"""Silence is always lawful, whoever drops out the match goes on, and every match ends."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.kernel.book import paragraphs
from polemos.kernel.errors import IllegalOrder
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.outcome import Outcome
from polemos.kernel.playing import play
from polemos.kernel.rooms import book_of, bots_of
from polemos.kernel.verdict import Verdict
from properties.driver import (
    LONGEST,
    ended,
    every_example,
    every_game,
    everybody,
    lawful,
    random_match,
    run_out,
    run_step,
    some_sheets,
)
from search import examples

SEEDS = st.integers(0, 2**32 - 1)


def assert_is_over(game: Any, match: AnyMatch) -> Outcome:
    outcome = match.outcome
    assert outcome is not None, f"no end after {len(match.steps)} steps"
    assert sorted(outcome.places) == sorted(match.seats)
    assert set(outcome.points) == set(match.seats)
    assert sum(outcome.points.values()) == pytest.approx(1)
    assert all(points >= 0 for points in outcome.points.values())
    assert outcome.winner is None or outcome.winner == outcome.places[0]
    assert outcome.reason
    assert outcome.rule in paragraphs(book_of(game) / "rules.md")
    assert match.to_act == ()
    with pytest.raises(IllegalOrder):
        match.run()
    return outcome


@every_example
@given(seed=SEEDS)
@examples(4)
def test_a_match_of_random_sheets_ends(game: Any, options: dict[str, Any], seed: int) -> None:
    ended_state = ended(game, options, seed)
    assert game.outcome(ended_state) is not None
    assert game.to_act(ended_state) == ()


@every_example
@given(seed=SEEDS)
@examples(3)
def test_a_match_in_which_everybody_falls_silent_ends(game: Any, options: dict[str, Any], seed: int) -> None:
    match = run_out(random_match(game, options, seed, steps=seed % 4))
    assert_is_over(game, match)
    for who in everybody(game, match.state):
        assert match.view(who).who == who


@every_example
@given(seed=SEEDS, when=st.integers(0, 4))
@examples(4)
def test_a_seat_may_drop_out_at_any_time_and_the_match_goes_on_to_an_outcome(
    game: Any, options: dict[str, Any], seed: int, when: int
) -> None:
    chance = Random(seed)
    match = random_match(game, options, seed, steps=when)
    if match.outcome is None:
        gone = chance.choice(match.to_act)
        sheets = some_sheets(game, match.state, chance)
        for seat, lines in sheets.items():
            match.submit(seat, lines)
        match.forfeit(gone, Verdict("other", "left the room"))
        assert gone not in match.to_act
        step = match.run()
        assert step.forfeits == {gone: Verdict("other", "left the room")}
        assert step.orders[gone] is None
        for _ in range(3):
            if match.outcome is None:
                assert gone not in match.to_act, "who dropped out is asked no more"
                run_step(match, some_sheets(game, match.state, chance))
        outcome = assert_is_over(game, run_out(match))
        assert outcome.winner != gone


@every_example
@given(seed=SEEDS)
@examples(4)
def test_seats_may_drop_out_one_after_the_other_or_all_at_once(game: Any, options: dict[str, Any], seed: int) -> None:
    match, chance = random_match(game, options, seed, steps=seed % 3), Random(seed)
    at_once = chance.random() < 0.5
    while match.outcome is None and len(match.steps) < LONGEST:
        for seat in match.to_act if at_once else match.to_act[:1]:
            match.forfeit(seat, Verdict("resigned"))
        match.run()
    assert_is_over(game, match)


@every_example
@given(seed=SEEDS)
@examples(3)
def test_nobody_can_order_after_the_end(game: Any, options: dict[str, Any], seed: int) -> None:
    match = run_out(random_match(game, options, seed, steps=1))
    state = match.state.raw()
    for seat in match.seats:
        with pytest.raises(IllegalOrder):
            match.submit(seat, [])
        match.forfeit(seat, Verdict("late"))
    with pytest.raises(IllegalOrder):
        match.run()
    assert match.state.raw() == state


@every_example
@given(seed=SEEDS)
@examples(3)
def test_an_absent_seat_fares_as_one_that_hands_in_an_empty_sheet(
    game: Any, options: dict[str, Any], seed: int
) -> None:
    silent, wordy = (random_match(game, options, seed, steps=2) for _ in range(2))
    if silent.outcome is None:
        seat = silent.to_act[seed % len(silent.to_act)]
        for match in (silent, wordy):
            for other in match.to_act:
                if other != seat:
                    match.submit(other, lawful(game, match.state, other, Random(seed)))
        wordy.submit(seat, [])
        assert silent.run().digest == wordy.run().digest
        assert silent.happened == wordy.happened
        assert silent.steps[-1].orders[seat] is None
        assert wordy.steps[-1].orders[seat] is not None


@every_game
def test_every_bot_of_the_house_plays_a_match_to_its_end_with_lawful_orders(game: Any) -> None:
    for name, maker in bots_of(game).items():
        match = Match(game, game.examples[-1], seed=name)
        bots = {seat: maker(match.setting, seat, number) for number, seat in enumerate(match.seats)}
        play(match, bots)
        assert_is_over(game, match)
        for step in match.steps:
            assert not step.faults, (name, step.faults)
            assert not step.forfeits
            assert None not in step.orders.values()
