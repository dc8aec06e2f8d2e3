"""A turn as a show: what its stages do to the board before it gives the board after it, for everybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from polemos.games.minions.game import GAME
from polemos.games.minions.orders import record_of
from polemos.games.minions.rules import events, turn
from polemos.games.minions.state import SIDES, Work
from polemos.games.minions.view import View
from polemos.kernel.game import SPECTATOR
from polemos.kernel.log import SILENT
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.rooms import bots_of
from polemos.kernel.scenes import operations
from polemos.kernel.verdict import Verdict
from sceneplayer import Pieces, Show, beats_of, play, scene

pytestmark = pytest.mark.slow

MARKS = ("damage", "moved", "fresh")


def pieces(view: View) -> Pieces:
    """What stands where, by the names that scenes use."""
    found: Pieces = {}
    for board in view.boards:
        for unit in board.units:
            marks = {mark: getattr(unit, mark) for mark in MARKS if getattr(unit, mark)}
            letter = {"letter": "N"} if unit.letter == "N" else {}
            place = f"{board.number} {unit.hex}"
            found[f"unit {board.number}", place] = {"side": unit.side, "type": unit.type, **letter, **marks}
            if unit.used:
                found[f"attacks {board.number}", place] = {"number": unit.used}
        for side, zone in board.zones.items():
            for type, number in zone.items():
                found[f"reserve {side} {type}", str(board.number)] = {"side": side, "type": type, "number": number}
    for side, spells in view.spells.items():
        for card, number in enumerate(spells, 1):
            if number:
                found[f"spells {side}", f"card {card}"] = {"side": side, "place": card, "number": number}
    return found


def sums(view: View) -> Counter[str]:
    return Counter(
        {f"{what} {side}": of[side] for what, of in (("money", view.money), ("points", view.points)) for side in SIDES}
    )


def unmarked(found: Pieces) -> Pieces:
    """Without what the end of the turn wipes (11.4)."""
    return {
        (what, at): {name: value for name, value in piece.items() if name not in MARKS}
        for (what, at), piece in found.items()
        if not what.startswith("attacks")
    }


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
    yield matched({"boards": 2, "turns": 15, "points": 9, "rules": "umi-2025"}, 6)
    yield blinking()


def blinking() -> AnyMatch:
    """17.3, 17.4 Units that blink, are spawned again and take part in a reset."""
    match = Match(
        GAME,
        position="switches all; table umi-2025; to-win 9; turns 7; turn 5 yellow; Nc2 Hd4 Od5 nh7 qg5 zh6; zone - i",
    )
    turns = [
        ["blink d4", "spawn H c3", "march"],
        ["blink g5", "spawn Q g7"],
        ["move d5-d4", "blink d4", "resign"],
        ["choose Basic keep Q", "move h6-h5"],
        ["choose Basic", "move c3-c4", "spawn O c3"],
        [],
    ]
    for lines in turns:
        assert match.submit(match.to_act[0], lines).faults == ()
        match.run()
    return match


@pytest.fixture(scope="module")
def played() -> list[AnyMatch]:
    return list(matches())


def begun(match: AnyMatch, number: int, who: str) -> Show:
    """The board before a step."""
    before = GAME.observe(match.state_at(number - 1), who)
    return Show(pieces(before), sums(before))


def test_the_stages_lead_from_the_view_before_to_the_view_after(played: list[AnyMatch]) -> None:
    seen: Counter[str] = Counter()
    for match in played:
        for number in range(1, len(match.steps) + 1):
            for who in (*SIDES, SPECTATOR):
                show = begun(match, number, who)
                play(show, match, number, who)
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
            show, told = begun(match, number, SPECTATOR), match.told_at(number, SPECTATOR)
            for stage in scene(match, number, SPECTATOR):
                for beat in beats_of(stage, told):
                    if beat.line:
                        show.play(operations(GAME.chronicle, beat, told))
            state, work = match.state_at(number - 1).copy(), Work()
            for order in match.orders_at(number).get(SIDES[state.side]) or ():
                if order is not None and not any(state.gave_up):
                    turn.apply(state, record_of(state, order), SILENT, work)
            wanted = pieces(GAME.observe(state, SPECTATOR))
            assert show.pieces == wanted, f"step {number}"
            marks.update(mark for piece in wanted.values() for mark in MARKS if mark in piece)
            attacks = (piece["number"] for (what, _), piece in wanted.items() if what.startswith("attacks"))
            marks.update(f"attacks {min(2, number)}" for number in attacks)
    assert set(marks) == {*MARKS, "attacks 1", "attacks 2"}


def test_every_order_is_a_beat_with_its_line(played: list[AnyMatch]) -> None:
    for match in played:
        for number in range(1, len(match.steps) + 1):
            before = GAME.observe(match.state_at(number - 1), SPECTATOR)
            shown, told = scene(match, number, SPECTATOR), match.told_at(number, SPECTATOR)
            beats = [beat for stage in shown for beat in beats_of(stage, told) if beat.line]
            assert {beat.seat for beat in beats} <= {before.side}
            faults = {fault.line for fault in match.steps[number - 1].faults.get(before.side, ())}
            lines = match.orders_at(number).get(before.side) or ()
            wanted = [at for at, order in enumerate(lines, 1) if at not in faults and not _ends(order)]
            if "gave up" not in {event.kind for event in told}:
                assert sorted(beat.line for beat in beats) == wanted
            for beat in beats:
                of = [event for first, many in beat.events for event in told[first : first + many]]
                assert {event.line for event in of} == {beat.line}
            spans = [span for stage in shown for beat in beats_of(stage, told) for span in beat.events]
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
            shown = scene(match, number, SPECTATOR)
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
    shown, told = scene(match, 1, SPECTATOR), match.told_at(1, SPECTATOR)
    assert [event.kind for event in told] == ["gave up", "ended"]
    assert [(stage.name, len(stage.beats)) for stage in shown] == [("End", 1)]
    assert not [beat.line for beat in beats_of(shown[0], told) if beat.line]


def test_ticks_happen_at_once() -> None:
    """A ring of three: every one steps to where the next one stands."""
    match = Match(GAME, {"boards": 1}, seed=1)
    ring = Random(1).sample(["c1-d1", "d1-c2", "c2-c1"], 3)
    match.submit("yellow", [f"tick {' '.join(ring)}", "march"])
    match.run()
    shown, told = scene(match, 1, SPECTATOR), match.told_at(1, SPECTATOR)
    beat = beats_of(shown[0], told)[0]
    assert (beat.line, len(operations(GAME.chronicle, beat, told))) == (1, 6)
    assert {event.tick for event in GAME.chronicle.those(events.moved, told)} == {1}
