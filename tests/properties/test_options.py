"""Every order that is offered is accepted: one by one, and as a draft that grows."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from polemos.kernel import dice
from polemos.kernel.capabilities.advice import Advice
from polemos.kernel.capabilities.order_by_order import OrderByOrder
from polemos.kernel.game import SPECTATOR, UMPIRE, AnyGame
from polemos.kernel.log import Log
from properties.driver import as_bytes, as_object, draft_of, ended, every_example, met, numbers_of
from search import examples

SEEDS = st.integers(0, 2**32 - 1)


@every_example
@given(seed=SEEDS)
@examples(4)
def test_every_single_option_is_accepted_with_its_least_and_its_most(
    game: Any, options: dict[str, Any], seed: int
) -> None:
    state = met(game, options, seed)
    setting = game.setting(state)
    assert game.to_act(state)
    for seat in game.to_act(state):
        for option in game.options(setting, game.observe(state, seat)):
            for number in numbers_of(option):
                sheet = game.check(state, seat, [as_object(option, number)])
                assert not sheet.faults, (option.text, number, sheet.faults)
                assert len(sheet.orders) == 1


@every_example
@given(seed=SEEDS)
@examples(6)
def test_the_text_of_an_option_is_one_of_the_orders_it_offers(game: Any, options: dict[str, Any], seed: int) -> None:
    state = met(game, options, seed)
    for seat in game.to_act(state):
        for option in game.options(game.setting(state), game.observe(state, seat)):
            assert game.read(option.text) == game.read(option.order)
            as_bytes(option)  # figures go out as JSON


@every_example
@given(seed=SEEDS)
@examples(4)
def test_a_draft_grown_from_options_stays_lawful_as_a_whole(game: Any, options: dict[str, Any], seed: int) -> None:
    state = met(game, options, seed)
    setting, chance = game.setting(state), Random(seed)
    for seat in game.to_act(state):
        view = game.observe(state, seat)
        draft: list[Any] = []
        while len(draft) < min(25, game.facts.max_lines):
            found = game.options(setting, view, draft)
            if not found:
                break
            for option in chance.sample(found, min(3, len(found))):
                for number in numbers_of(option):
                    sheet = game.check(state, seat, [*draft, as_object(option, number)])
                    assert not sheet.faults, (option.text, number, sheet.faults)
            option = chance.choice(found)
            draft.append(game.read(as_object(option, chance.choice(numbers_of(option)))))
        assert game.check(state, seat, draft).orders == tuple(draft)


@every_example
@given(seed=SEEDS)
@examples(4)
def test_asking_for_options_alerts_and_figures_changes_nothing_and_is_repeatable(
    game: Any, options: dict[str, Any], seed: int
) -> None:
    state = met(game, options, seed)
    before, setting = state.raw(), game.setting(state)
    for seat in game.to_act(state):
        view = game.observe(state, seat)
        seen = as_bytes(view)
        draft = draft_of(game, setting, view, Random(seed))
        assert as_bytes(game.options(setting, view, draft)) == as_bytes(game.options(setting, view, tuple(draft)))
        if isinstance(game, Advice):
            assert as_bytes(game.alerts(setting, view, draft)) == as_bytes(game.alerts(setting, view, tuple(draft)))
            assert as_bytes(game.figures(setting, view)) == as_bytes(game.figures(setting, view))
        assert as_bytes(view) == seen
    assert state.raw() == before


@every_example
@given(seed=SEEDS)
@examples(4)
def test_whoever_is_not_to_order_is_offered_nothing(game: Any, options: dict[str, Any], seed: int) -> None:
    over, running = ended(game, options, seed), met(game, options, seed)
    assert game.to_act(over) == ()
    for state in (over, running):
        idle = [seat for seat in game.seats(state) if seat not in game.to_act(state)]
        for who in (*idle, SPECTATOR, UMPIRE):
            assert game.options(game.setting(state), game.observe(state, who)) == []


@every_example
@given(seed=SEEDS)
@examples(4)
def test_lawful_orders_stand_when_they_are_resolved(game: AnyGame, options: dict[str, Any], seed: int) -> None:
    """Where turns are given order by order, resolving is applying each of them and ending the turn."""
    state = met(game, options, seed)
    chance, seat = dice.chance_of(dice.derive(seed)), game.to_act(state)[0]
    orders = draft_of(game, game.setting(state), game.observe(state, seat), Random(seed))
    log = Log(limit=game.facts.max_events)
    if not isinstance(game, OrderByOrder):
        return
    one, other = state.copy(), state.copy()
    game.resolve(one, {seat: game.check(one, seat, orders)}, chance, log)
    for order in orders:
        game.apply(other, seat, order, log)
    if game.outcome(other) is None:
        game.resolve(other, {seat: game.check(other, seat, [])}, chance, log)
    assert one == other
