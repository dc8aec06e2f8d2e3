"""The same chance and the same sheets give the same bytes; a step taken back leaves no trace."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.kernel import replay
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Match
from properties.driver import as_bytes, every_example, everybody, random_match, run_out, run_step, some_sheets
from search import examples

SEEDS = st.integers(0, 2**32 - 1)


def file_of(match: AnyMatch, folder: Path, name: str) -> bytes:
    path = folder / name
    replay.write(path, match, dict.fromkeys(match.seats, "somebody"))
    return path.read_bytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("replays")


@every_example
@given(seed=SEEDS)
@examples(4)
def test_the_same_seed_and_sheets_give_the_same_digests_and_the_same_replay_byte_for_byte(
    game: Any, options: dict[str, Any], folder: Path, seed: int
) -> None:
    one, other = (random_match(game, options, seed) for _ in range(2))
    assert one.first_digest == other.first_digest
    assert one.steps == other.steps
    assert one.state.raw() == other.state.raw()
    assert [as_bytes(of) for of in one.happened] == [as_bytes(of) for of in other.happened]
    for who in everybody(game, one.state):
        assert as_bytes(one.view(who)) == as_bytes(other.view(who))
        assert as_bytes(one.told(who)) == as_bytes(other.told(who))
    assert file_of(one, folder, "one.jsonl") == file_of(other, folder, "other.jsonl")
    assert file_of(one, folder, "one.jsonl.gz") == file_of(other, folder, "other.jsonl.gz")


@every_example
@given(seed=SEEDS)
@examples(4)
def test_a_match_with_void_lines_in_it_is_verified_by_its_replay(
    game: Any, options: dict[str, Any], folder: Path, seed: int
) -> None:
    match = run_out(random_match(game, options, seed, nonsense=0.6))
    path = folder / "verified.jsonl"
    replay.write(path, match, {})
    read = replay.read(path)
    assert read.steps == tuple(match.steps)
    assert replay.verify(read, game) == len(match.steps)


@every_example
@given(seed=SEEDS)
@examples(4)
def test_sheets_may_be_handed_in_in_any_order_of_seats(game: Any, options: dict[str, Any], seed: int) -> None:
    match, other = (random_match(game, options, seed, steps=2) for _ in range(2))
    if match.outcome is None:
        sheets = some_sheets(game, match.state, Random(seed))
        run_step(match, sheets)
        run_step(other, dict(reversed(sheets.items())))
    assert match.state == other.state
    assert match.happened == other.happened


@every_example
@given(seed=SEEDS, back=st.integers(1, 4))
@examples(4)
def test_taking_back_restores_the_very_bytes_and_the_same_sheets_meet_the_same_dice(
    game: Any, options: dict[str, Any], seed: int, back: int
) -> None:
    chance, match = Random(seed), Match(game, options, seed=seed)
    handed_in: list[dict[str, list[object]]] = []
    while match.outcome is None and len(match.steps) < 4:
        handed_in.append(some_sheets(game, match.state, chance))
        run_step(match, handed_in[-1])
    history = [state.raw() for state in match.history]
    happened = [as_bytes(of) for of in match.happened]
    steps = list(match.steps)
    told = {who: as_bytes(match.told(who)) for who in everybody(game, match.state)}
    back = min(back, len(steps))
    for number in range(back):
        assert match.take_back() == steps[-1 - number]
        assert match.state.raw() == history[-2 - number]
        assert not match.filed
    assert [state.raw() for state in match.history] == history[: len(history) - back]
    for step, sheets in list(zip(steps, handed_in, strict=True))[len(steps) - back :]:
        run_step(match, sheets)
        assert match.steps[-1] == step
    assert [state.raw() for state in match.history] == history
    assert [as_bytes(of) for of in match.happened] == happened
    assert {who: as_bytes(match.told(who)) for who in everybody(game, match.state)} == told
    assert match.faults_for(UMPIRE) == tuple(fault for of in steps[-1].faults.values() for fault in of)


@every_example
@given(seed=SEEDS)
@examples(4)
def test_a_corrected_sheet_after_taking_back_leaves_no_trace_of_the_first(
    game: Any, options: dict[str, Any], seed: int
) -> None:
    match, other = (random_match(game, options, seed, steps=2) for _ in range(2))
    if match.outcome is not None:
        return
    chance = Random(seed)
    slip, meant = (some_sheets(game, match.state, chance) for _ in range(2))
    run_step(match, slip)
    match.take_back()
    run_step(match, meant)
    run_step(other, meant)
    assert match.state.raw() == other.state.raw()
    assert match.steps == other.steps
    assert match.happened == other.happened


@every_example
@given(seed=SEEDS, another=SEEDS)
@examples(4)
def test_the_options_in_full_make_the_same_first_state_whatever_the_seed(
    game: Any, options: dict[str, Any], seed: int, another: int
) -> None:
    start = game.setup(options, seed)
    full = game.options_of(start)
    assert game.setup(full, another) == start
    assert game.options_of(game.setup(full, another)) == full
    assert game.setup(options, seed) == start
    assert game.seats(start) == tuple(seat for seat in game.facts.seats if seat in game.seats(start))


@every_example
@given(seed=SEEDS)
@examples(4)
def test_the_options_in_full_stay_the_same_through_a_match(game: Any, options: dict[str, Any], seed: int) -> None:
    match = random_match(game, options, seed)
    for state in match.history:
        assert game.options_of(state) == match.options
        assert game.setting(state) == match.setting
        assert game.seats(state) == match.seats
