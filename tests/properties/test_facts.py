"""What a game says about itself is true, and whatever it cites stands in its book."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos import registry
from polemos.kernel.book import paragraphs
from polemos.kernel.capabilities.advice import Advice
from polemos.kernel.capabilities.order_by_order import OrderByOrder
from polemos.kernel.capabilities.roles import Roles
from polemos.kernel.errors import BadOptions, IllegalOrder, PolemosError
from polemos.kernel.game import SPECTATOR, UMPIRE, AnyGame, Game
from polemos.kernel.log import MAX_EVENTS
from polemos.kernel.match import Match
from polemos.kernel.rooms import book_of, bots_of
from properties.driver import every_example, every_game, lawful, messy, met, random_match
from search import examples

SEEDS = st.integers(0, 2**32 - 1)


@every_game
def test_a_game_is_registered_under_its_own_name_and_has_sound_facts(game: Any) -> None:
    facts = game.facts
    assert isinstance(game, Game)
    assert registry.load(game.name) is game
    assert game.title
    assert game.edition >= 1
    assert len(set(facts.seats)) == len(facts.seats)
    assert not {SPECTATOR, UMPIRE} & set(facts.seats)
    assert 1 <= facts.min_seats <= len(facts.seats)
    assert 0 < facts.max_events <= MAX_EVENTS
    assert facts.max_lines > 0
    assert facts.lines_rule in paragraphs(book_of(game) / "rules.md")
    assert facts.summary.endswith(".")
    assert not (facts.simultaneous and isinstance(game, OrderByOrder))
    assert bots_of(game)
    assert game.examples


@every_example
def test_the_examples_are_options_that_make_a_match(game: Any, options: dict[str, Any]) -> None:
    match = Match(game, options, seed=1)
    assert game.facts.min_seats <= len(match.seats) <= len(game.facts.seats)
    assert set(match.seats) <= set(game.facts.seats)
    assert set(match.to_act) <= set(match.seats)
    if game.facts.simultaneous:
        assert set(match.to_act) == set(match.seats)
    else:
        assert len(match.to_act) == 1


@every_game
def test_options_that_no_game_has_are_refused_and_named(game: Any) -> None:
    for wrong in ({"no such option": 1}, {"": None}):
        with pytest.raises(BadOptions) as refused:
            game.setup(wrong, 0)
        for field in msgspec.structs.fields(game.options_type):
            assert field.name in refused.value.why


@every_game
def test_an_option_of_a_wrong_type_is_refused_not_replaced_by_a_default(game: Any) -> None:
    for field in msgspec.structs.fields(game.options_type):
        with pytest.raises(BadOptions):
            game.setup({field.encode_name: {"neither": "nor"}}, 0)


@every_example
@given(seed=SEEDS)
@examples(3)
def test_every_event_and_every_refusal_cites_a_paragraph_of_the_book(
    game: Any, options: dict[str, Any], seed: int
) -> None:
    book = paragraphs(book_of(game) / "rules.md")
    match = random_match(game, options, seed, nonsense=0.7)
    for events in match.happened:
        assert len(events) <= game.facts.max_events
        for event in events:
            assert event.rule in book
            assert game.chronicle.words(event).endswith(".")
    for step in match.steps:
        for faults in step.faults.values():
            for fault in faults:
                assert fault.rule in book, fault
                assert fault.why
                assert fault.word.startswith("order/")


@every_example
@given(seed=SEEDS)
@examples(3)
def test_alerts_cite_paragraphs_and_orders_have_a_role_only_where_seats_have(
    game: AnyGame, options: dict[str, Any], seed: int
) -> None:
    book = paragraphs(book_of(game) / "rules.md")
    state = met(game, options, seed)
    for seat in game.to_act(state):
        orders = lawful(game, state, seat, Random(seed))
        if isinstance(game, Advice):
            for alert in game.alerts(game.setting(state), game.observe(state, seat), orders):
                assert alert.rule in book
                assert alert.text
                assert alert.means or game.name == "skerries"  # what people read who ask about it
        if isinstance(game, Roles):
            assert game.roles_rule in book
            for order in orders:
                assert game.role(order) in (None, *game.roles(state))


@every_example
def test_lines_beyond_the_most_are_void_by_the_paragraph_that_says_so(game: Any, options: dict[str, Any]) -> None:
    most = game.facts.max_lines
    state = game.setup(options, 3)
    seat = game.to_act(state)[0]
    orders = lawful(game, state, seat, Random(3), most=4)
    sheet = game.check(state, seat, [*["nonsense"] * most, *orders])
    assert len(sheet.lines) == most + len(orders)
    assert sheet.orders == ()
    for fault in sheet.faults[most:]:
        assert fault.rule == game.facts.lines_rule
        assert fault.word == IllegalOrder.word


@every_example
@given(seed=SEEDS)
@examples(3)
def test_a_sheet_read_again_from_its_own_texts_has_the_same_orders_and_the_same_void_lines(
    game: Any, options: dict[str, Any], seed: int
) -> None:
    """Replays keep the texts of a sheet only."""
    state, chance = met(game, options, seed), Random(seed)
    for seat in game.to_act(state):
        sheet = game.check(state, seat, messy(game, lawful(game, state, seat, chance), chance, 0.9))
        again = game.check(state, seat, sheet.texts)
        assert again.orders == sheet.orders
        assert again.texts == sheet.texts
        assert [fault.line for fault in again.faults] == [fault.line for fault in sheet.faults]


@every_game
def test_a_game_without_calls_says_so_and_one_with_calls_refuses_nonsense(game: Any) -> None:
    match = Match(game, game.examples[0], seed=0)
    before = match.state.raw()
    with pytest.raises(PolemosError):
        match.call("no call of any game")
    assert match.state.raw() == before
