"""A tiny player of scenes, as the one in the client: pieces by name and place, and sums beside the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from polemos.kernel.chronicle import Event
from polemos.kernel.match import AnyMatch
from polemos.kernel.scenes import Beat, Op, Stage, operations, single
from polemos.kernel.telling import stages

Piece = dict[str, Any]
Pieces = dict[tuple[str, str], Piece]  # (what, at) to its properties, `number` among them


class Show:
    """A board that operations change, all of a beat at once."""

    def __init__(self, pieces: Pieces, sums: Mapping[str, int] | None = None) -> None:
        self.pieces, self.sums = pieces, Counter(sums or {})

    def play(self, ops: Sequence[Op]) -> None:
        """Those who move leave before anybody arrives."""
        going = [(op, self._leave(op)) for op in ops if op.op == "move"]
        for op, piece in going:
            self._arrive((op.what, op.to), piece)
        for op in ops:
            self._happen(op)

    def _leave(self, op: Op) -> Piece:
        key = (op.what, op.at)
        there = self.pieces.get(key, {"number": op.number} if op.number is not None else {})
        if op.number is None or there.get("number", 0) <= op.number:
            self.pieces.pop(key, None)
            return there
        self.pieces[key] = {**there, "number": there["number"] - op.number}
        return {**there, "number": op.number}

    def _arrive(self, key: tuple[str, str], piece: Piece) -> None:
        there = self.pieces.get(key)
        assert there is None or ("number" in there and "number" in piece), f"{key} is taken"
        self.pieces[key] = piece if there is None else {**there, "number": there["number"] + piece["number"]}

    def _happen(self, op: Op) -> None:
        key = (op.what, op.at)
        if op.op == "vanish" and not op.at:
            self.pieces = {at: piece for at, piece in self.pieces.items() if at[0] != op.what}
        elif op.op == "vanish":
            del self.pieces[key]
        elif op.op == "appear":
            self._arrive(key, {**op.set, **({} if op.number is None else {"number": op.number})})
        elif op.op == "change":
            self.pieces[key] = {**self.pieces.get(key, {}), **op.set}
        elif op.op == "count" and op.at:
            number = self.pieces[key]["number"] + (op.number or 0)
            self.pieces[key] = {**self.pieces[key], "number": number}
            if number <= 0:
                del self.pieces[key]
        elif op.op == "count":
            self.sums[op.what] += op.number or 0
        elif op.op == "flash":
            assert not op.lean or (op.lean, op.at) in self.pieces, f"no {op.lean} is on {op.at}"


def scene(match: AnyMatch, number: int, who: str) -> tuple[Stage, ...]:
    """The scene that led to a frame, as `who` is shown it."""
    game = match.game
    return stages(
        game, match.setting, lambda: game.observe(match.state_at(number - 1), who), match.told_at(number, who)
    )


def beats_of(stage: Stage, told: Sequence[Event]) -> list[Beat]:
    """All beats of a stage, one by one."""
    return [one for beat in stage.beats for one in single(beat, told)]


def play(show: Show, match: AnyMatch, number: int, who: str) -> list[str]:
    """Plays a scene to its end; the names of its stages."""
    told, found = match.told_at(number, who), scene(match, number, who)
    for stage in found:
        for beat in beats_of(stage, told):
            show.play(operations(match.game.chronicle, beat, told))
    return [stage.name for stage in found]
