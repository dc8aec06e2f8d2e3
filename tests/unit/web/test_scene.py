"""The client reads of scenes what the umpire means by them. How it plays them: web/src/lib/scene.test.ts."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from polemos import registry
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playing import play
from polemos.kernel.rooms import bots_of
from polemos.kernel.scenes import Op, operations, single
from polemos.wire import frames as wire_frames
from unit.web.client import run

GAMES = registry.names()

OPERATIONS = """
const { operations, singles } = load("src/lib/scene.ts"), { unpacked } = load("src/lib/unpack.ts");
const { shows, frames } = given;
const tidy = ({ op, what, at, to, number, lean, set }) =>
  [op, what, at || "", to || "", number ?? null, lean || "", set ?? {}];
const ops = (frame) => (beat) => {
  const events = (beat.events ?? []).flatMap(([first, many]) => frame.events.slice(first, first + many));
  return [...events.flatMap((told) => operations(told, shows)), ...(beat.ops ?? [])].map(tidy);
};
const beats = (frame, stage) => stage.beats.flatMap((beat) => singles(beat, frame.events));
const stages = (frame) => frame.stages.map((stage) => beats(frame, stage).map(ops(frame)));
console.log(JSON.stringify(frames.map(unpacked).map(stages)));
"""


def played(name: str) -> AnyMatch:
    game = registry.load(name)
    match = Match(game, game.examples[0], seed=3)
    makers = list(bots_of(game).values())
    play(match, {seat: makers[i % len(makers)](match.setting, seat, 1) for i, seat in enumerate(match.seats)})
    return match


def in_full(op: Op) -> list[Any]:
    return [op.op, op.what, op.at, op.to, op.number, op.lean, plain(op.set)]


def plain(value: object) -> Any:
    return json.loads(msgspec.json.encode(value))


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_client_and_umpire_list_the_same_operations(name: str, packed: bool) -> None:
    match = played(name)
    chronicle, numbers = match.game.chronicle, range(1, min(20, len(match.steps) + 1))
    for who in (UMPIRE, match.seats[0]):
        frames = [wire_frames.frame(match, number, who, packed) for number in numbers]
        wanted = []
        for number, frame in zip(numbers, frames, strict=True):
            told = match.told_at(number, who)
            beats = [[one for beat in stage.beats for one in single(beat, told)] for stage in frame.stages]
            wanted.append([[operations(chronicle, beat, told) for beat in of] for of in beats])
        tidy = [[[[in_full(op) for op in beat] for beat in stage] for stage in of] for of in wanted]
        assert any(op for of in tidy for stage in of for beat in stage for op in beat)
        assert run(OPERATIONS, plain({"shows": chronicle.shows, "frames": frames})) == tidy
