"""A view leaks nothing: whatever is shown, told or drawn follows from the view alone, and never from what it hides."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.kernel import dice, telling
from polemos.kernel.capabilities.advice import Advice
from polemos.kernel.capabilities.order_by_order import OrderByOrder
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch
from polemos.kernel.telling import tells_faults
from properties.driver import (
    EXAMPLES,
    as_bytes,
    draft_of,
    ended,
    every_example,
    every_game,
    everybody,
    lawful,
    match_from,
    met,
    over,
    run_step,
    seats_and_public,
    unnumbered,
)
from search import examples

SEEDS = st.integers(0, 2**32 - 1)

# Where fog lies thickest: a seat is not even told which of its lines were void.
STRICT = [
    (game, options)
    for game, options in EXAMPLES
    if game.facts.fog and not any(tells_faults(game, game.setup(options, 0), seat, seat) for seat in game.facts.seats)
]
AT_ONCE = [
    (game, options) for game, options in EXAMPLES if game.facts.simultaneous and not isinstance(game, OrderByOrder)
]


@every_example
@given(seed=SEEDS, another=SEEDS)
@examples(6)
def test_an_imagined_state_gives_the_view_back(game: Any, options: dict[str, Any], seed: int, another: int) -> None:
    state = met(game, options, seed, running=False)
    for who in everybody(game, state):
        view = game.observe(state, who)
        imagined = game.imagine(game.setting(state), view, another)
        assert as_bytes(game.observe(imagined, who)) == as_bytes(view)
        assert game.setting(imagined) == game.setting(state)
        assert game.imagine(game.setting(state), view, another) == imagined, "the same seed imagines the same"
        assert game.to_act(imagined) == game.to_act(state)
        assert game.outcome(imagined) == game.outcome(state)


@every_example
@given(seed=SEEDS, another=SEEDS)
@examples(6)
def test_imagining_is_exact_for_the_umpire_and_for_seats_without_fog(
    game: Any, options: dict[str, Any], seed: int, another: int
) -> None:
    for state in (met(game, options, seed), ended(game, options, seed)):
        exact = (UMPIRE,) if game.facts.fog else (UMPIRE, *game.seats(state))
        for who in exact:
            assert game.imagine(game.setting(state), game.observe(state, who), another) == state


@every_game
def test_fog_hides_something_in_one_example_at_least_and_nothing_where_there_is_none(game: Any) -> None:
    differs = 0
    for options in game.examples:
        for seed in range(10):
            state = met(game, options, seed)
            for seat in game.seats(state):
                differs += game.imagine(game.setting(state), game.observe(state, seat), seed) != state
    assert (differs > 0) == game.facts.fog


@every_example
@given(seed=SEEDS, another=SEEDS)
@examples(4)
def test_two_states_with_the_same_view_offer_warn_and_count_the_same(
    game: Any, options: dict[str, Any], seed: int, another: int
) -> None:
    state = met(game, options, seed)
    for who in seats_and_public(game, state):
        setting, view = game.setting(state), game.observe(state, who)
        imagined = game.imagine(setting, view, another)
        there, seen = game.setting(imagined), game.observe(imagined, who)
        draft = draft_of(game, setting, view, Random(seed))
        for chosen in ([], draft):
            assert as_bytes(game.options(there, seen, chosen)) == as_bytes(game.options(setting, view, chosen))
            if isinstance(game, Advice):
                assert as_bytes(game.alerts(there, seen, chosen)) == as_bytes(game.alerts(setting, view, chosen))
        if isinstance(game, Advice):
            assert as_bytes(game.figures(there, seen)) == as_bytes(game.figures(setting, view))
        assert bytes(game.look(imagined, who)) == bytes(game.look(state, who))
        if who in game.to_act(state):
            assert game.check(imagined, who, draft).orders == tuple(draft)


@every_example
@given(seed=SEEDS, another=SEEDS)
@examples(3)
def test_two_states_with_the_same_view_are_drawn_and_written_the_same(
    game: Any, options: dict[str, Any], seed: int, another: int
) -> None:
    state = met(game, options, seed)
    for who in seats_and_public(game, state):
        setting, view = game.setting(state), game.observe(state, who)
        imagined = game.imagine(setting, view, another)
        there, seen = game.setting(imagined), game.observe(imagined, who)
        for form in ("board", "page"):
            assert game.picture(there, seen, form) == game.picture(setting, view, form)
        for colour in (False, True):
            assert game.text(there, seen, colour) == game.text(setting, view, colour)


# ---- after a step


def another_sheet(game: Any, lines: Sequence[Any], state: Any, seat: str, chance: Random) -> list[Any]:
    """A sheet a little or wholly different: what another player might have handed in instead."""
    changed = list(lines)
    kind = chance.randrange(4)
    if kind == 0 and changed:
        changed.pop(chance.randrange(len(changed)))
    elif kind == 1:
        changed.append("no order")
    elif kind == 2:
        changed += lawful(game, state, seat, chance, most=2)
    else:
        changed = lawful(game, state, seat, chance)
    return changed


def two_steps_alike_for(
    game: Any, options: dict[str, Any], who: str, seed: int, imagined: bool
) -> tuple[AnyMatch, AnyMatch, bool]:
    """Two matches after a step that `who` may not be able to tell apart, and whether hidden things differed."""
    chance = Random(seed)
    state = met(game, options, seed)
    setting, view = game.setting(state), game.observe(state, who)
    twin = game.imagine(setting, view, chance.random()) if imagined else state
    sheets: dict[str, list[Any]] = {seat: lawful(game, state, seat, chance) for seat in game.to_act(state)}
    twins = dict(sheets)
    for seat in sheets:
        if seat != who:
            if imagined:
                twins[seat] = lawful(game, twin, seat, chance)
            elif chance.random() < 0.6:
                twins[seat] = another_sheet(game, sheets[seat], state, seat, chance)
    key = dice.derive(seed, "step")
    one, other = match_from(game, state, key), match_from(game, twin, key)
    run_step(one, sheets)
    run_step(other, twins)
    return one, other, (twin != state or twins != sheets)


@over(STRICT)
@pytest.mark.parametrize("imagined", [False, True], ids=["other-sheets", "other-state-and-sheets"])
@given(seed=SEEDS)
@examples(12)
def test_whoever_sees_the_same_after_a_step_was_told_the_same(
    game: Any, options: dict[str, Any], imagined: bool, seed: int
) -> None:
    for who in seats_and_public(game, game.setup(options, 0)):
        one, other, _ = two_steps_alike_for(game, options, who, seed, imagined)
        if one.view(who) == other.view(who) and one.outcome is None:  # after the end secrets may be told
            assert as_bytes(one.told(who)) == as_bytes(other.told(who))
            assert one.faults_for(who) == other.faults_for(who)


@over(STRICT)
def test_the_comparison_above_meets_steps_that_differ_only_in_what_is_hidden(
    game: Any, options: dict[str, Any]
) -> None:
    alike = 0
    for seed in range(40):
        for who in game.seats(game.setup(options, 0)):
            one, other, hidden = two_steps_alike_for(game, options, who, seed, imagined=False)
            alike += hidden and one.view(who) == other.view(who) and one.state != other.state and one.outcome is None
    assert alike > 0


@over(AT_ONCE)
@given(seed=SEEDS)
@examples(6)
def test_telling_does_not_depend_on_the_order_in_which_another_seat_wrote_its_lawful_lines(
    game: Any, options: dict[str, Any], seed: int
) -> None:
    chance = Random(seed)
    state = met(game, options, seed)
    sheets = {seat: lawful(game, state, seat, chance, most=20) for seat in game.to_act(state)}
    author = chance.choice(game.to_act(state))
    shuffled = {**sheets, author: chance.sample(sheets[author], len(sheets[author]))}
    if game.check(state, author, shuffled[author]).faults:
        return  # a game in which a line may rest on an earlier one
    key = dice.derive(seed, "step")
    one, other = (run_step(match_from(game, state, key), of) for of in (sheets, shuffled))
    if one.state != other.state:
        return  # a game in which a sheet is a sequence
    for who in seats_and_public(game, state):
        if who != author:
            # Where nothing is hidden, or no longer, everybody reads which line of a sheet an event came from.
            shut = game.facts.fog and one.outcome is None and (game, options) in STRICT
            told = [match.told(who) if shut else unnumbered(match.told(who)) for match in (one, other)]
            told_bytes = [[as_bytes(event) for event in events] for events in told]
            assert told_bytes[0] == told_bytes[1] if game.facts.fog else sorted(told_bytes[0]) == sorted(told_bytes[1])
            assert one.faults_for(who) == other.faults_for(who)


@every_example
@given(seed=SEEDS)
@examples(4)
def test_void_lines_are_told_to_the_umpire_and_to_whom_the_game_tells_them(
    game: Any, options: dict[str, Any], seed: int
) -> None:
    state = met(game, options, seed)
    match = match_from(game, state, dice.derive(seed))
    guilty = game.to_act(state)[seed % len(game.to_act(state))]
    match.submit(guilty, ["no order", *lawful(game, state, guilty, Random(seed))])
    match.run()
    for who in seats_and_public(game, state):
        expected = match.steps[-1].faults[guilty] if tells_faults(game, match.state, who, guilty) else ()
        assert match.faults_for(who) == expected
    assert match.faults_for(UMPIRE) == match.steps[-1].faults[guilty]
    if match.outcome is None and (game, options) in STRICT:
        assert not any(match.faults_for(who) for who in seats_and_public(game, state))


@every_example
@given(seed=SEEDS)
@examples(4)
def test_witnessing_tells_the_umpire_everything_and_nobody_what_did_not_happen(
    game: Any, options: dict[str, Any], seed: int
) -> None:
    state = met(game, options, seed)
    match = match_from(game, state, dice.derive(seed))
    run_step(match, {seat: lawful(game, state, seat, Random(seed)) for seat in match.to_act})
    assert match.told(UMPIRE) == match.happened[-1]
    for who in seats_and_public(game, state):
        told = match.told(who)
        assert len(told) <= len(match.happened[-1])
        for event in told:
            assert isinstance(event, game.chronicle.event_type)
            assert game.chronicle.words(event)
        assert telling.told(game, match.state, told, who) == told, "told twice is told the same"
