"""The client's player of scenes carries out what the umpire lists, by the same rules as Python."""

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


PLAYER = """
const { momentOf } = load("src/lib/scene.ts");
const at = (what, place, number) => ({ what, at: place, number });
const beats = (...ops) => ops.map((of) => ({ ops: of }));
const frame = (name, stages) => ({ view: name, stages, events: [] });
const views = {
  before: [at("army red", "a", 3), at("army blue", "b", 2), { what: "land", at: "b", owner: "blue" }],
  after: [at("army red", "c", 9)],
};
const after = frame("after", [
  { name: "Moves", ms: 1, beats: beats([
    { op: "move", what: "army red", at: "a", to: "b", number: 2 }, { op: "move", what: "army blue", at: "b", to: "a" },
    { op: "change", what: "land", at: "b", set: { owner: "red" } }, { op: "count", what: "gold red", number: 5 },
  ]) },
  { name: "Fights", ms: 1, beats: beats(
    [
      { op: "flash", what: "fight", at: "b", to: "a", lean: "army red" },
      { op: "count", what: "army red", at: "b", number: -1 },
    ],
    [{ op: "vanish", what: "army blue", at: "a" }, { op: "appear", what: "army red", at: "b", number: 4 }],
  ) },
  { name: "End", ms: 1, beats: beats([{ op: "flash", what: "end", at: "c" }]) },
]);
const showing = (index, t) => ({ before: frame("before", []), after, shows: {}, index, t });
const first = showing(0, 0).before;
const look = (index, t) => {
  const now = { ...showing(index, t), before: first };
  const { still, moving, flashes, counts } = momentOf(now, ({ view }) => views[view]);
  const round = (number) => +number.toFixed(3);
  const piece = ({ what, at, to, number, way, here, owner }) =>
    ({ what, at, to, number, way: round(way), here: round(here), owner });
  return { pieces: [...still, ...moving].map(piece), flashes, counts: [...counts] };
};
console.log(JSON.stringify(given.map(([index, t]) => look(index, t))));
"""


def moments(*wanted: tuple[int, float]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run(PLAYER, wanted)
    return found


def stands(moment: dict[str, Any]) -> set[tuple[str, str, int | None]]:
    return {(piece["what"], piece["at"], piece.get("number")) for piece in moment["pieces"]}


def test_those_who_move_are_on_their_way_and_nothing_is_there_twice() -> None:
    start, middle, end = moments((0, 0), (0, 0.5), (0, 1))
    assert stands(start) == {("army red", "a", 1), ("army red", "a", 2), ("army blue", "b", 2), ("land", "b", None)}
    ways = {(piece["what"], piece["at"], piece["to"]): piece["way"] for piece in middle["pieces"]}
    assert ways["army red", "a", "b"] == ways["army blue", "b", "a"] == 0.5
    assert ways["army red", "a", "a"] == 0
    assert stands(end) == {("army red", "a", 1), ("army red", "b", 2), ("army blue", "a", 2), ("land", "b", None)}
    land = {piece["owner"] for piece in middle["pieces"] if piece["what"] == "land"}
    assert land == {"blue"}, "land changes hands when those who come have come"
    assert {piece["owner"] for piece in end["pieces"] if piece["what"] == "land"} == {"red"}
    assert (start["counts"], end["counts"]) == ([], [["gold red", 5]])


def test_beats_follow_each_other() -> None:
    early, late, second, end = moments((1, 0.2), (1, 0.45), (1, 0.9), (1, 1))
    assert ("army red", "b", 2) in stands(early)
    assert ("army red", "b", 1) in stands(late)
    assert early["flashes"] == [{"what": "fight", "at": "b", "to": "a", "number": 0}]
    leaning = next(piece for piece in early["pieces"] if piece["what"] == "army red" and piece["at"] == "b")
    assert leaning["to"] == "a"
    assert 0 < leaning["way"] < 0.2
    blue = next(piece for piece in second["pieces"] if piece["what"] == "army blue")
    assert 0 < blue["here"] < 1
    assert stands(end) == {("army red", "a", 1), ("army red", "b", 5), ("land", "b", None)}


def test_when_all_is_over_the_board_is_what_the_turn_led_to() -> None:
    before, over = moments((2, 0.5), (2, 1))
    assert ("army red", "b", 5) in stands(before)
    assert stands(over) == {("army red", "c", 9)}
    assert [flash["what"] for flash in over["flashes"]] == ["end"]


COUNTING = """
const { happened, momentOf } = load("src/lib/scene.ts");
const { views, stages, when } = given;
const before = { view: "before", stages: [], events: [] }, after = { view: "after", stages, events: [] };
const pieces = ({ view }) => views[view];
console.log(JSON.stringify([happened(after, {}), ...when.map(([index, t]) => {
  const { still, moving } = momentOf({ before, after, shows: {}, index, t }, pieces);
  return { still, moving };
})]));
"""


def counting(views: dict[str, Any], stages: list[list[Any]], *when: tuple[int, float]) -> list[Any]:
    shown = [{"name": str(i), "ms": 1, "beats": [{"ops": ops}]} for i, ops in enumerate(stages)]
    found: list[Any] = run(COUNTING, {"views": views, "stages": shown, "when": when})
    return found


def test_what_is_counted_of_a_piece_in_a_beat_is_added_up() -> None:
    def unit(at: str, number: int) -> dict[str, Any]:
        return {"what": "unit", "at": at, "number": number}

    def hurt(at: str, number: int) -> dict[str, Any]:
        return {"op": "count", "what": "unit", "at": at, "number": number}

    views = {"before": [unit("a", 5), unit("b", 5), unit("c", 5)], "after": []}
    ops = [hurt("a", -5), hurt("b", -3), hurt("a", 10), hurt("b", -3)]
    happened, late, done = counting(views, [ops, [hurt("c", -1)]], (0, 0.75), (0, 1))
    assert happened == [*ops, hurt("c", -1)]
    assert {(piece["at"], piece["number"], piece["here"]) for piece in late["moving"]} == {("a", 10, 1), ("b", 5, 0.5)}
    assert [piece["at"] for piece in late["moving"] if piece.get("spent")] == ["b"]
    assert {(piece["at"], piece["number"]) for piece in done["still"] + done["moving"]} == {("a", 10), ("c", 5)}


def test_a_change_without_properties_makes_pieces_what_they_are_after_the_turn() -> None:
    def tower(at: str, cooldown: int) -> dict[str, Any]:
        return {"what": "tower", "at": at, "cooldown": cooldown}

    views = {
        "before": [tower("a", 1), tower("b", 3), tower("c", 4), tower("d", 2)],
        "after": [tower("a", 5), tower("b", 2), tower("c", 4)],
    }
    one, all_ = {"op": "change", "what": "tower", "at": "a"}, {"op": "change", "what": "tower"}
    _, early, late, second, last = counting(
        views, [[one], [all_], [{"op": "flash", "what": "end", "at": "a"}]], (0, 0.25), (0, 0.75), (1, 1), (2, 0.5)
    )

    def cooldowns(moment: dict[str, Any]) -> dict[str, int]:
        return {piece["at"]: piece["cooldown"] for piece in moment["still"] + moment["moving"]}

    assert cooldowns(early) == {"a": 1, "b": 3, "c": 4, "d": 2}
    assert cooldowns(late) == {"a": 5, "b": 3, "c": 4, "d": 2}
    assert cooldowns(second) == cooldowns(last) == {"a": 5, "b": 2, "c": 4, "d": 2}
    assert [piece["at"] for piece in second["moving"]] == ["b"], "what stays as it is has no part in it"


BEATS = """
const { momentAfter, singles } = load("src/lib/scene.ts");
const views = { before: [{ what: "unit", at: "b" }], after: [{ what: "unit", at: "z" }] };
const events = given.lines.map((line) => ({ words: "", rule: "", seat: null, event: { kind: "", rule: "", line } }));
const turn = {
  before: { view: "before", stages: [], events: [] }, shows: {},
  after: { view: "after", events, stages: [{ name: "All", ms: 1, beats: given.beats }] },
};
const moment = (beat) => momentAfter(turn, beat, ({ view }) => views[view]);
console.log(JSON.stringify({
  singles: given.beats.flatMap((beat) => singles(beat, events)),
  moments: given.wanted.map(moment),
}));
"""


def test_a_beat_may_stand_for_one_of_every_line() -> None:
    beats = [{"events": [[0, 1], [2, 3]], "seat": "red", "by_line": True}, {"events": [[1, 1]]}]
    found = run(BEATS, {"lines": [1, 0, 2, 2, 4], "beats": beats, "wanted": [1, 2]})
    assert [
        (beat.get("seat"), beat.get("line"), [first for first, _ in beat["events"]]) for beat in found["singles"]
    ] == [
        ("red", 1, [0]),
        ("red", 2, [2, 3]),
        ("red", 4, [4]),
        (None, None, [1]),
    ]
    assert [(moment["seat"], moment["line"]) for moment in found["moments"]] == [("red", 2), ("red", 4)]


def test_the_moment_after_each_beat_and_pieces_told_apart_by_their_keys() -> None:
    """What is made on a place goes on, and another is made there; then all are gone but the last."""
    made = {"op": "appear", "what": "unit", "at": "a"}
    gone = {"op": "move", "what": "unit", "at": "a", "to": "c"}
    ops = [[made], [gone], [made], [{"op": "vanish", "what": "unit"}], [made]]
    beats = [{"ops": of} for of in ops]
    found = run(BEATS, {"lines": [], "beats": beats, "wanted": [0, 1, 2, 3, 4]})["moments"]
    pieces = [moment["still"] + moment["moving"] for moment in found]
    assert [sorted(piece["at"] for piece in of) for of in pieces] == [
        ["a", "b"],
        ["b", "c"],
        ["a", "b", "c"],
        [],
        ["z"],
    ]
    assert all(len({piece["key"] for piece in of}) == len(of) for of in pieces)
    assert [moment["over"] for moment in found] == [False, False, False, False, True]


def test_those_who_are_joined_are_not_there_twice() -> None:
    def army(at: str, number: int) -> dict[str, Any]:
        return {"what": "army red", "at": at, "number": number}

    views = {"before": [army("a", 3), army("b", 5), army("c", 1)], "after": []}
    march = {"op": "move", "what": "army red", "at": "a", "to": "b", "number": 2}
    _, middle, end = counting(views, [[march], [{"op": "flash", "what": "end", "at": "a"}]], (0, 0.6), (0, 1))

    def armies(moment: dict[str, Any]) -> list[tuple[str, str, int]]:
        return sorted((piece["at"], piece["to"], piece["number"]) for piece in moment["still"] + moment["moving"])

    assert armies(middle) == [("a", "a", 1), ("a", "b", 2), ("b", "b", 5), ("c", "c", 1)]
    assert armies(end) == [("a", "a", 1), ("b", "b", 7), ("c", "c", 1)]
