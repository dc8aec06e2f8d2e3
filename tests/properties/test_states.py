"""States as blocks of bytes: copies, raw bytes, dictionaries, digests, equality, batches."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.kernel import dice
from polemos.kernel.capabilities.advice import Advice
from polemos.kernel.capabilities.pictures import text_of
from polemos.kernel.log import Log
from polemos.kernel.positions import position_of
from polemos.kernel.record import many
from polemos.kernel.telling import tells_faults
from properties.driver import as_bytes, ended, every_example, everybody, lawful, messy, met
from search import examples

SEEDS = st.integers(0, 2**32 - 1)


@every_example
@given(seed=SEEDS)
@examples(4)
def test_a_state_is_the_same_after_every_way_of_keeping_it(game: Any, options: dict[str, Any], seed: int) -> None:
    for state in (met(game, options, seed), ended(game, options, seed)):
        kind = game.state_type
        assert type(state) is kind
        plain = msgspec.json.decode(as_bytes(state.to_dict()))
        for again in (state.copy(), kind.from_raw(state.raw()), kind.from_dict(state.to_dict()), kind.from_dict(plain)):
            assert type(again) is kind
            assert again == state
            assert again.raw() == state.raw()
            assert again.digest() == state.digest()
            assert again.to_dict() == state.to_dict()
        assert len(state.raw()) == state.extent() <= kind.dtype.itemsize


@every_example
@given(seed=SEEDS)
@examples(4)
def test_a_copy_shares_no_memory_with_its_original(game: Any, options: dict[str, Any], seed: int) -> None:
    state = met(game, options, seed)
    copy, before = state.copy(), state.raw()
    sheets = {seat: game.check(copy, seat, []) for seat in game.to_act(copy)}
    game.resolve(copy, sheets, dice.chance_of(dice.derive(seed)), Log(limit=game.facts.max_events))
    assert copy != state
    assert copy.digest() != state.digest()
    assert state.raw() == before


@every_example
@given(seed=SEEDS)
@examples(4)
def test_states_differ_when_a_byte_differs(game: Any, options: dict[str, Any], seed: int) -> None:
    state = met(game, options, seed)
    raw = bytearray(state.raw())
    raw[seed % len(raw)] ^= 1 + seed % 255
    other = game.state_type.from_raw(bytes(raw))
    assert other.raw() != state.raw()
    assert other != state
    assert other.digest() != state.digest()
    assert state != state.raw()
    with pytest.raises(TypeError):
        hash(state)


@every_example
@given(seed=SEEDS)
@examples(4)
def test_a_batch_shares_its_memory_with_the_states_in_it(game: Any, options: dict[str, Any], seed: int) -> None:
    state, other = met(game, options, seed), ended(game, options, seed)
    batch: Any = many(game.state_type, 4)
    empty = game.state_type()
    assert len(batch) == 4
    assert all(batch[i] == empty for i in range(4))
    batch[1] = state
    inside = batch[1]
    assert inside == state
    batch[1] = other
    assert inside == other, "the record is a window into the batch"
    batch[-1] = state
    assert batch[3] == state
    part = batch.part(1, 3)
    assert len(part) == 2
    assert part[0] == other
    part[1] = state
    assert batch[2] == state
    assert batch[0] == empty
    assert game.outcome(batch[1]) == game.outcome(other)
    assert game.write_position(batch[2]) == game.write_position(state)


@every_example
@given(seed=SEEDS)
@examples(4)
def test_nothing_but_play_changes_a_state(game: Any, options: dict[str, Any], seed: int) -> None:
    state = met(game, options, seed)
    before = state.raw()
    setting = game.setting(state)
    game.options_of(state)
    game.outcome(state)
    tells_faults(game, state, game.facts.seats[0], game.facts.seats[0])
    for who in everybody(game, state):
        view = game.observe(state, who)
        text_of(game, setting, view)
        game.lawful(game.look(state, who))
        if isinstance(game, Advice):
            game.figures(setting, view)
    for seat in game.to_act(state):
        game.check(state, seat, ["nonsense", *lawful(game, state, seat, Random(seed))])
    game.write_position(state)
    position_of(game, state)
    assert state.raw() == before


@every_example
@given(seed=SEEDS)
@examples(4)
def test_checking_a_sheet_twice_marks_the_same_faults(game: Any, options: dict[str, Any], seed: int) -> None:
    state = met(game, options, seed)
    for seat in game.to_act(state):
        lines = messy(game, lawful(game, state, seat, Random(seed)), Random(seed), 0.8)
        assert game.check(state, seat, lines) == game.check(state, seat, lines)
        marked = game.check(state, seat, lines)
        assert len(marked.lines) == len(lines)
        assert [fault.line for fault in marked.faults] == [
            number for number, line in enumerate(marked.lines, 1) if line.fault is not None
        ]
