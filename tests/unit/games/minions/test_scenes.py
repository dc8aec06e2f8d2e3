"""A turn as a show: what its stages do to the board before it gives the board after it, for everybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from polemos.games.minions.game import GAME
from polemos.games.minions.orders import record_of
from polemos.games.minions.rules import turn
from polemos.games.minions.state import SIDES, Work
from polemos.games.minions.view import View
from polemos.kernel.game import SPECTATOR
from polemos.kernel.log import SILENT
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.rooms import bots_of
from polemos.kernel.scenes import Op, Stage, operations
from polemos.kernel.telling import stages
from polemos.kernel.verdict import Verdict

Piece = dict[str, Any]
MARKS = ("damage", "used", "moved", "fresh")


class Show:
    """A tiny player: pieces by name and place, and sums beside the board."""

    def __init__(self, view: View) -> None:
        self.pieces = pieces(view)
        self.sums = sums(view)

    def play(self, ops: Sequence[Op]) -> None:
        moving = [(op, self.pieces.pop((op.what, op.at))) for op in ops if op.op == "move"]
        for op, piece in moving:
            assert (op.what, op.to) not in self.pieces, f"{op.to} is taken"
            self.pieces[op.what, op.to] = piece
        for op in ops:
            self._happen(op)

    def _happen(self, op: Op) -> None:
        key = (op.what, op.at)
        if op.op == "vanish":
            del self.pieces[key]
        elif op.op == "appear":
            there = self.pieces.get(key)
            assert there is None or op.number is not None, f"{op.at} is taken"
            many = {} if op.number is None else {"number": op.number + (there or {}).get("number", 0)}
            self.pieces[key] = {**op.set, **many}
        elif op.op == "change":
            self.pieces[key] = {**self.pieces[key], **op.set}
        elif op.op == "count" and op.at:
            assert op.number is not None
            number = self.pieces[key]["number"] + op.number
            self.pieces[key] = {**self.pieces[key], "number": number}
            assert number >= 0
            if not number:
                del self.pieces[key]
        elif op.op == "count":
            self.sums[op.what] += op.number or 0
        elif op.op == "flash":
            assert not op.lean or (op.lean, op.at) in self.pieces, "nobody is there to attack"
            assert op.what != "attack" or ("unit", op.to) in self.pieces, "nobody is there to be attacked"


def pieces(view: View) -> dict[tuple[str, str], Piece]:
    """What stands where, by the names that scenes use."""
    found: dict[tuple[str, str], Piece] = {}
    for board in view.boards:
        for unit in board.units:
            marks = {mark: getattr(unit, mark) for mark in MARKS if getattr(unit, mark)}
            letter = {"letter": "N"} if unit.letter == "N" else {}
            found["unit", f"{board.number} {unit.hex}"] = {"side": unit.side, "type": unit.type, **letter, **marks}
        for side, zone in board.zones.items():
            for type, number in zone.items():
                found[f"reserve {side} {type}", str(board.number)] = {"side": side, "type": type, "number": number}
    for side, spells in view.spells.items():
        for place, number in enumerate(spells, 1):
            if number:
                found[f"spells {side}", f"card {place}"] = {"side": side, "place": place, "number": number}
    return found


def sums(view: View) -> Counter[str]:
    return Counter(
        {f"{what} {side}": of[side] for what, of in (("money", view.money), ("points", view.points)) for side in SIDES}
    )


def unmarked(found: dict[tuple[str, str], Piece]) -> dict[tuple[str, str], Piece]:
    return {key: {name: value for name, value in piece.items() if name not in MARKS} for key, piece in found.items()}


# ---- matches


def matched(options: dict[str, Any], seed: int) -> AnyMatch:
    """A match of bots who also write void lines, leave choices open and resign boards."""
    dice, match = Random(seed), Match(GAME, options, seed=seed)
    makers = [bots_of(GAME)[name] for name in ("captain", "greedy", "random")]
    bots = {side: makers[(seed + i) % 3](match.setting, side, seed) for i, side in enumerate(match.seats)}
    while match.outcome is None:
        (side,) = GAME.to_act(match.state)
        lines = [*bots[side].orders(match.view(side), 1.0)]
        for _ in range(dice.randrange(3)):
            lines.insert(dice.randint(0, len(lines)), dice.choice(["fly away", "1 move a0-a9", "march march"]))
        if dice.random() < 0.08:
            lines = [f"{dice.randint(1, match.setting.boards)} resign"]
        if any(board.due for board in match.view(side).boards) and dice.random() < 0.4:
            lines = []
        match.submit(side, lines)
        match.run()
    return match


def matches() -> Iterator[AnyMatch]:
    for number, options in enumerate(GAME.examples):
        yield matched(options, number)
    yield matched({"boards": 3, "turns": 25, "points": 9, "money": 60}, 5)


@pytest.fixture(scope="module")
def played() -> list[AnyMatch]:
    return list(matches())


def scene(match: AnyMatch, number: int, who: str) -> tuple[View, tuple[Stage, ...], list[Any]]:
    """The view before a step, its stages, and the events told."""
    before, told = GAME.observe(match.state_at(number - 1), who), match.told_at(number, who)
    return before, stages(GAME, match.setting, before, told), told


def test_the_stages_lead_from_the_view_before_to_the_view_after(played: list[AnyMatch]) -> None:
    seen: Counter[str] = Counter()
    for match in played:
        for number in range(1, len(match.steps) + 1):
            for who in (*SIDES, SPECTATOR):
                before, shown, told = scene(match, number, who)
                show = Show(before)
                for stage in shown:
                    for beat in stage.beats:
                        show.play(operations(GAME.chronicle, beat, told))
                after = GAME.observe(match.state_at(number), who)
                assert unmarked(show.pieces) == unmarked(pieces(after)), f"step {number}"
                assert show.sums == sums(after), f"step {number}"
            seen.update(event.kind for event in match.told_at(number, SPECTATOR))
    # Otherwise the test would hold less than it says.
    assert {kind.word for kind in GAME.chronicle.kinds} - {"gave up"} <= set(seen)


def test_before_the_end_every_unit_has_its_marks(played: list[AnyMatch]) -> None:
    """Damage, attacks made, moved, spawned: as the orders leave them, which the end of the turn wipes."""
    marks: Counter[str] = Counter()
    for match in played:
        for number in range(1, len(match.steps) + 1):
            before, shown, told = scene(match, number, SPECTATOR)
            show = Show(before)
            for stage in shown:
                for beat in stage.beats:
                    if beat.line:
                        show.play(operations(GAME.chronicle, beat, told))
            state, work = match.state_at(number - 1).copy(), Work()
            for order in match.orders_at(number).get(SIDES[state.side]) or ():
                if order is not None and not any(state.gave_up):
                    turn.apply(state, record_of(state, order), SILENT, work)
            wanted = pieces(GAME.observe(state, SPECTATOR))
            assert show.pieces == wanted, f"step {number}"
            marks.update(mark for piece in wanted.values() for mark in MARKS if mark in piece)
            marks.update("again" for piece in wanted.values() if piece.get("used", 0) > 1)
    assert set(marks) == {*MARKS, "again"}


def test_every_order_is_a_beat_with_its_line(played: list[AnyMatch]) -> None:
    for match in played:
        for number in range(1, len(match.steps) + 1):
            before, shown, told = scene(match, number, SPECTATOR)
            beats = [beat for stage in shown for beat in stage.beats if beat.line]
            assert {beat.seat for beat in beats} <= {before.side}
            faults = {fault.line for fault in match.steps[number - 1].faults.get(before.side, ())}
            lines = match.orders_at(number).get(before.side) or ()
            wanted = [at for at, order in enumerate(lines, 1) if at not in faults and not _ends(order)]
            if "gave up" not in {event.kind for event in told}:
                assert sorted(beat.line for beat in beats) == wanted
            for beat in beats:
                events = [event for first, many in beat.events for event in told[first : first + many]]
                assert {event.line for event in events} == {beat.line}
            spans = [span for stage in shown for beat in stage.beats for span in beat.events]
            numbers = [at for first, many in spans for at in range(first, first + many)]
            assert sorted(numbers) == list(range(len(told))), "every event is shown once"


def _ends(order: Any) -> bool:
    return order is None or GAME.write(order) == "end"


def test_stages_are_the_techline_the_boards_and_the_end(played: list[AnyMatch]) -> None:
    for match in played:
        boards = match.setting.boards
        known = {"Techline", "End"} | (
            {"Attack", "Spawn"} if boards == 1 else {f"Board {n + 1}" for n in range(boards)}
        )
        names: set[str] = set()
        for number in range(1, len(match.steps) + 1):
            shown = scene(match, number, SPECTATOR)[1]
            found = [stage.name for stage in shown]
            assert len(set(found)) == len(found)
            assert found[-1] == "End"
            assert all(0 < stage.ms <= 1200 for stage in shown)
            names.update(found)
        assert names <= known
        assert {"Techline", "End"} <= names


def test_a_side_that_gives_up_is_shown() -> None:
    match = Match(GAME, {"boards": 2}, seed=1)
    match.submit("yellow", ["march"])
    match.forfeit("yellow", Verdict("resigned"))
    match.run()
    _, shown, told = scene(match, 1, SPECTATOR)
    assert [event.kind for event in told] == ["gave up", "ended"]
    assert [(stage.name, len(stage.beats)) for stage in shown] == [("End", 1)]
    assert not [beat.line for stage in shown for beat in stage.beats if beat.line]


def test_ticks_happen_at_once() -> None:
    """A ring of three: every one steps to where the next one stands."""
    match = Match(GAME, {"boards": 1}, seed=1)
    ring = Random(1).sample(["c1-d1", "d1-c2", "c2-c1"], 3)
    match.submit("yellow", [f"tick {' '.join(ring)}", "march"])
    match.run()
    _, shown, told = scene(match, 1, SPECTATOR)
    beat = shown[0].beats[0]
    assert (beat.line, len(operations(GAME.chronicle, beat, told))) == (1, 6)
    assert {event.tick for event in told if event.kind == "moved"} == {1}
