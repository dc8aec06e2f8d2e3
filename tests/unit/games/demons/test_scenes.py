"""Scenes: the operations of a turn lead from the view before it to the view after it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from polemos.games.demons.bots import BOTS
from polemos.games.demons.game import GAME
from polemos.games.demons.view import View
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.scenes import Op, operations

BOOK = ["Build", "Hire", "Mercenaries", "Demons", "Arrivals", "Towers"]  # 2.2

Pieces = dict[str, dict[str, Any]]  # by place


class Board:
    """What a scene promises: units with their health, towers, queues, the health of bases."""

    def __init__(self, view: View) -> None:
        self.units: Pieces = {f"{u.x},{u.y}": {"kind": u.kind, "side": u.side, "number": u.health} for u in view.units}
        self.towers: Pieces = {f"{t.x},{t.y}": {"kind": t.kind, "owner": t.owner} for t in view.towers}
        self.sums = {f"health {name}": base.health for name, base in view.bases.items()}
        for name, base in view.bases.items():
            self.sums |= {f"queued {name} {letter}": n for letter, n in base.queued.items()}

    def play(self, ops: Sequence[Op]) -> None:
        """One beat: all at once, those who move first, the wounds of one unit together."""
        moves = [(op, self.units.pop(op.at)) for op in ops if op.op == "move"]
        for op, unit in moves:
            assert op.to not in self.units
            self.units[op.to] = unit
        for op in ops:
            pieces = self.towers if op.what == "tower" else self.units
            if op.op == "appear":
                assert op.at not in pieces
                pieces[op.at] = {**op.set, **({} if op.number is None else {"number": op.number})}
            elif op.op == "count" and op.at:
                pieces[op.at]["number"] += op.number
            elif op.op == "count":
                self.sums[op.what] += op.number or 0
            elif op.op == "flash" and op.lean:
                assert op.at in self.units
        for op in ops:
            if op.op == "vanish":
                gone = (self.towers if op.what == "tower" else self.units).pop(op.at)
                assert op.what == "tower" or gone["number"] <= 0 or gone["kind"] == "demon"

    def pieces(self) -> tuple[Any, ...]:
        return self.units, self.towers, self.sums


def shown(match: AnyMatch, number: int, who: str) -> list[str]:
    """Plays the scene that led to a frame, and holds it against the view after it; the names of its stages."""
    before, after = (GAME.observe(match.state_at(at), who) for at in (number - 1, number))
    told = match.told_at(number, who)
    board = Board(before)
    stages = GAME.stages(match.setting, before, told)
    for stage in stages:
        for beat in stage.beats:
            board.play(operations(GAME.chronicle, beat, told))
    assert board.pieces() == Board(after).pieces()
    return [stage.name for stage in stages]


def whole(options: dict[str, Any], seed: int) -> AnyMatch:
    """A game of bots; in the finals with churches, destroyed towers and provocations among the orders."""
    match = Match(GAME, options, seed=seed)
    chance = Random(seed)
    makers = [BOTS[name] for name in sorted(BOTS)]
    bots = {seat: chance.choice(makers)(match.setting, seat, seed) for seat in match.seats}
    while match.outcome is None:
        for seat in match.to_act:
            texts = [option.text for option in GAME.options(match.setting, match.view(seat))]
            wild = [text for text in texts if text.split()[0] in ("destroy", "provoke") or "church" in text]
            lines: Sequence[object] = list(bots[seat].orders(match.view(seat), 1.0))
            if wild and chance.random() < 0.3:
                lines = [chance.choice(wild), *(text for text in texts if text.startswith("hire"))][:2]
            match.submit(seat, lines)
        match.run()
    return match


@pytest.mark.parametrize("number", range(len(GAME.examples)))
@pytest.mark.parametrize("seed", [1, 2])
def test_scenes_lead_from_view_to_view(number: int, seed: int) -> None:
    match = whole(GAME.examples[number], seed)
    for who in ("red", "blue", SPECTATOR, UMPIRE):
        for frame in range(1, len(match.steps) + 1):
            names = shown(match, frame, who)
            assert names == [name for name in BOOK if name in names]


def one_turn(position: str, *provoking: str) -> tuple[AnyMatch, list[str]]:
    match = Match(GAME, position=position, seed=1)
    for seat in match.seats:
        match.submit(seat, ["provoke"] if seat in provoking else [])
    match.run()
    return match, shown(match, 1, SPECTATOR)


def test_who_falls_is_seen_in_the_part_in_which_they_fall() -> None:
    # 5.8, 6.6, 8.8: struck down by a mercenary, by a demon, by a tower.
    lane = "map twin-gates; merc red 3,1; "
    for position, part, rule in [
        (lane + "demon red 4,1 7", "Mercenaries", "5.8"),
        (lane.replace("3,1", "3,1 7") + "demon red 4,1 20", "Demons", "6.6"),
        (lane.replace("; merc red 3,1", "; tower crossbow red 3,2 cd 1") + "demon red 4,1 1", "Towers", "8.8"),
    ]:
        match, names = one_turn(position)
        (fell,) = [event for event in match.told(UMPIRE) if event.kind == "fell"]
        assert fell.rule == rule
        assert GAME.chronicle.stages[GAME.chronicle.stage_of(fell)].name == part
        assert part in names


def test_banished_demons_vanish_when_mercenaries_are_hired() -> None:
    position = "map twin-gates; rules finals-2025; demon red 5,1; demon blue 9,1; merc red 2,3"
    match, names = one_turn(position, "red", "blue")
    assert "Hire" in names
    assert [event for event in match.told(UMPIRE) if event.kind == "banished"]


def test_a_wounded_mercenary_that_a_church_saves_does_not_vanish() -> None:
    # 11.7, 11.9: a tower takes its last health, and a church that was built later gives it some again.
    rows = "rrrrrr.....bbbbbb/rrooooooooooooobb/rrorrr.....bbbobb/rrRoooooooooooBbb/rrorrr.....bbbobb/rrooooooooooooobb"
    position = f"symmetry mirror-x; rules finals-2025; rows {rows}/rrrrrr.....bbbbbb\n"
    position += "tower crossbow blue 11,2 cd 0; tower church red 5,2 cd 0; merc red 6,3 4"
    match, _ = one_turn(position)
    kinds = [event.kind for event in match.told(UMPIRE)]
    assert "shot" in kinds
    assert "strengthened" in kinds
    assert "fell" not in kinds
