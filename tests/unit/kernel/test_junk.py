"""Sheets of junk: records keep a bounded part of them and a count, and are adjudicated again all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from polemos import registry
from polemos.kernel import orders, replay
from polemos.kernel.game import max_lines
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.orders import MAX_VOID, Sheet
from polemos.kernel.verdict import Verdict

JUNK = [f"{number:04d} {'junk ' * 30}" for number in range(900)]
GAMES = sorted(registry.names())


def played(game: str) -> tuple[AnyMatch, list[str]]:
    """One step: junk around what is lawful."""
    loaded = registry.load(game)
    match = Match(loaded, {}, seed="junk")
    seat = match.to_act[0]
    lawful = [option.text for option in loaded.options(match.setting, match.view(seat))[:1]]
    most = max(MAX_VOID + 2, min(40, max_lines(loaded, match.state)) - 2)
    match.submit(seat, [*JUNK[: most // 2], *lawful, *JUNK[most // 2 :]])
    for other in match.to_act[1:]:
        match.submit(other, [])
    match.run()
    return match, lawful


def finished(match: AnyMatch) -> AnyMatch:
    for seat in match.to_act[1:]:
        match.forfeit(seat, Verdict("resigned"))
    while match.outcome is None:
        match.run()
    return match


@pytest.mark.parametrize("game", GAMES)
def test_a_record_keeps_a_bounded_part_and_the_numbers_of_the_rest(game: str) -> None:
    match, _ = played(game)
    step, seat = match.steps[0], next(iter(match.steps[0].faults))
    lines = step.orders[seat]
    assert lines is not None
    assert len(step.faults[seat]) == MAX_VOID
    assert step.void_lines(seat) >= len(JUNK)
    assert sum(map(len, lines)) < 100 * MAX_VOID
    assert [fault.line for fault in step.void_of(seat)] == sorted(fault.line for fault in match.rejected[seat])
    assert len(replay.StepLine.of(step).void[seat]) == step.void_lines(seat) - MAX_VOID


@pytest.mark.parametrize("game", GAMES)
def test_it_is_adjudicated_again_to_the_same_position(game: str, tmp_path: Path) -> None:
    match = finished(played(game)[0])
    path = tmp_path / "match.jsonl"
    replay.write(path, match, dict.fromkeys(match.seats, "junk"))
    assert replay.verify(replay.read(path), match.game) == len(match.steps)


@pytest.mark.parametrize("game", GAMES)
def test_replays_of_before_which_keep_all_of_it_are_read_as_well(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "match.jsonl"
    with monkeypatch.context() as before:
        before.setattr(Sheet, "record", Sheet.texts)
        before.setattr("polemos.kernel.match.MAX_VOID", 10_000)
        match = finished(played(game)[0])
        replay.write(path, match, dict.fromkeys(match.seats, "junk"))
    read = replay.read(path)
    assert len(next(iter(read.steps[0].faults.values()))) >= len(JUNK)
    assert replay.verify(read, match.game) == len(match.steps)


def test_what_can_be_read_is_kept_also_if_it_is_void() -> None:
    """It may be what makes another line void: the record without it would mean another position."""
    lines = tuple(orders.Line[Any](f"order {number}", object(), None) for number in range(50))
    assert Sheet(lines).record == tuple(line.text for line in lines)
