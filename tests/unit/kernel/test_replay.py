"""Replays: written, read, verified; and every way in which a file can be wrong, each with its own error."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemos import registry
from polemos.kernel import dice, replay
from polemos.kernel.errors import Damaged, Diverged, NotAReplay, ReplayError, Truncated, WrongEdition
from polemos.kernel.match import AnyMatch, Match, Step
from polemos.kernel.verdict import Verdict

GAME = registry.load("skerries")
PLAYERS = {"red": "Ada", "green": "Bo", "blue": "Çelik"}
SHEETS: list[dict[str, list[object]]] = [
    {"red": ["A1-A2 3", "A1-A3 2", "nonsense"], "blue": ["B1-A2 2"], "green": []},
    {"red": ["A3-M 2"], "green": ["C1-B2 3", "C1-C3 1"], "blue": ["B1-B2 3"]},
]


def played(turns: int = 2, **options: Any) -> AnyMatch:
    match = Match(GAME, {"seats": 3, "turns": turns, **options}, seed="replay")
    for sheets in SHEETS[:turns]:
        for seat, lines in sheets.items():
            match.submit(seat, lines)
        match.run()
    return match


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    replay.write(path, played(), PLAYERS)
    return path


# ---- writing and reading


@pytest.mark.parametrize("name", ["match.jsonl", "match.jsonl.gz"])
def test_a_replay_is_read_as_it_was_written(tmp_path: Path, name: str) -> None:
    match, path = played(), tmp_path / name
    replay.write(path, match, PLAYERS)
    read = replay.read(path)
    assert read.header == replay.header_of(match, PLAYERS)
    assert read.header.seats == PLAYERS
    assert read.steps == tuple(match.steps)
    assert read.end == replay.End(match.outcome, match.key)  # type: ignore[arg-type]
    assert replay.verify(read, GAME) == 2
    assert [path.name for path in tmp_path.iterdir()] == [name], "no half-written file is left"


def test_a_compressed_replay_is_compressed_and_says_nothing_of_when_it_was_written(tmp_path: Path) -> None:
    paths = [tmp_path / "one.jsonl.gz", tmp_path / "another.jsonl.gz"]
    for path in paths:
        replay.write(path, played(), PLAYERS)
    one, other = (path.read_bytes() for path in paths)
    assert one[:2] == b"\x1f\x8b"
    assert one == other


def test_a_replay_is_lines_of_json_that_people_can_read(file: Path) -> None:
    lines = [msgspec.json.decode(line) for line in file.read_bytes().splitlines()]
    assert [next(iter(line)) for line in lines] == ["polemos", "step", "step", "end"]
    header, first, _, end = lines
    assert header["game"] == GAME.name
    assert header["edition"] == GAME.edition
    assert header["fingerprint"] == dice.fingerprint(end["key"])
    assert first["orders"]["red"] == ["A1-A2 3", "A1-A3 2", "nonsense"]
    assert first["orders"]["green"] == []
    assert first["faults"]["red"][0]["line"] == 3
    assert "Çelik" in file.read_text(encoding="utf-8")


def test_the_key_is_not_in_the_file_before_the_end(tmp_path: Path) -> None:
    path = tmp_path / "running.jsonl"
    match = Match(GAME, {"seats": 3, "turns": 2}, seed="replay")
    writer = replay.Writer(path, match, PLAYERS)
    writer.step(match.run())
    assert match.key.encode() not in path.read_bytes(), "each step is on disk before the next"
    assert len(path.read_bytes().splitlines()) == 2
    writer.step(match.run())
    writer.close()
    assert path.read_bytes().count(match.key.encode()) == 1
    assert replay.verify(replay.read(path), GAME) == 2


def test_writing_step_by_step_and_all_at_once_gives_the_same_bytes(tmp_path: Path, file: Path) -> None:
    path, match = tmp_path / "steps.jsonl", played()
    writer = replay.Writer(path, match, PLAYERS)
    for step in match.steps:
        writer.step(step)
    writer.close()
    assert path.read_bytes() == file.read_bytes()


def test_playing_again_shows_the_match_before_the_first_step_and_after_each(file: Path) -> None:
    match = played()
    seen = [(len(again.steps), again.state.digest()) for again in replay.replayed(replay.read(file), GAME)]
    assert seen == [(i, state.digest()) for i, state in enumerate(match.history)]


def test_a_step_is_written_and_read_as_ever_with_its_verdicts_as_texts() -> None:
    step = Step(
        step=2,
        orders={"red": None, "blue": ("A1-A2 1",)},
        faults={},
        calls=("last",),
        forfeits={"red": Verdict("late", "no answer in time", strikes=3)},
        cpu={"red": 0.5},
        digest="ab",
        strikes={"red": Verdict("late", "no answer in time")},
        void={"blue": (21, 22)},
        wall={"red": 2.5},
    )
    written = (
        b'{"step":2,"orders":{"red":null,"blue":["A1-A2 1"]},"faults":{},"calls":["last"],'
        b'"forfeits":{"red":"3 strikes: late: no answer in time"},"cpu":{"red":0.5},"digest":"ab",'
        b'"strikes":{"red":"late: no answer in time"},"void":{"blue":[21,22]},"wall":{"red":2.5}}'
    )
    assert msgspec.json.encode(replay.StepLine.of(step)) == written
    gone = msgspec.structs.replace(step, gone={"blue": Verdict("crash", "exit code 1")})
    passes = written[:-1] + b',"gone":{"blue":"crash: exit code 1"}}'
    assert msgspec.json.encode(replay.StepLine.of(gone)) == passes
    assert msgspec.json.decode(passes, type=replay.StepLine).read() == gone
    assert msgspec.json.decode(written, type=replay.StepLine).read() == step
    older = written.partition(b',"strikes"')[0] + b"}"
    bare = msgspec.structs.replace(step, strikes={}, void={}, wall={})
    assert msgspec.json.decode(older, type=replay.StepLine).read() == bare
    assert replay.StepLine.__struct_fields__ == Step.__struct_fields__


def test_times_and_strikes_are_played_again_as_they_are_recorded_and_never_compared(tmp_path: Path) -> None:
    match = Match(GAME, {"seats": 3, "turns": 1}, seed="replay")
    match.run({"red": 0.5}, {"blue": Verdict("late", "no answer in time")}, {"red": 2.5})
    replay.write(tmp_path / "timed.jsonl", match, PLAYERS)
    read = replay.read(tmp_path / "timed.jsonl")
    *_, again = replay.replayed(read, GAME)
    assert again.steps == match.steps
    other = msgspec.structs.replace(read.steps[0], cpu={"red": 9.0}, wall={}, strikes={})
    assert replay.verify(msgspec.structs.replace(read, steps=(other,)), GAME) == 1


def test_forfeits_absence_and_a_position_are_played_again(tmp_path: Path) -> None:
    text = "turn 3/4; red 0: A1 5; blue 2: B1 4, B2 1; green 0: C1 5"
    match = Match(GAME, seed=3, position=text)
    match.submit("green", ["C1-B2 3"])
    match.forfeit("blue", Verdict("other", "left"))
    match.run({"green": 0.5})
    match.run()
    path = tmp_path / "match.jsonl"
    replay.write(path, match, {})
    read = replay.read(path)
    assert read.header.position == text
    assert read.steps[0].cpu == {"green": 0.5}
    assert replay.verify(read, GAME) == 2


# ---- damage


def assert_is_of(error: ReplayError, name: str) -> None:
    """The message names the file and belongs to the class."""
    says = {
        Damaged: "was changed",
        Truncated: ("is cut off", "without an outcome"),
        NotAReplay: ("is not a Polemos replay", "cannot read", "is in format", "cannot be read"),
    }
    wanted = says[type(error)]
    assert any(word in str(error) for word in ([wanted] if isinstance(wanted, str) else wanted)), str(error)
    assert name in str(error)


CHANGES: dict[str, Callable[[int], int]] = {
    "lowest bit": lambda byte: byte ^ 1,
    "case": lambda byte: byte ^ 0x20,
    "highest bit": lambda byte: byte ^ 0x80,
    "new line": lambda byte: 10 if byte != 10 else 32,
    "quote": lambda byte: 34 if byte != 34 else 39,
    "zero": lambda byte: 0,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_every_single_changed_byte_is_noticed(tmp_path: Path, change: Callable[[int], int]) -> None:
    path = tmp_path / "match.jsonl"
    replay.write(path, played(1), PLAYERS)
    good = path.read_bytes()
    kinds = set()
    for at in range(len(good)):
        bad = bytearray(good)
        bad[at] = change(bad[at])
        assert bytes(bad) != good
        path.write_bytes(bad)
        with pytest.raises(ReplayError) as raised:
            replay.read(path)
        assert_is_of(raised.value, path.name)
        kinds.add(type(raised.value))
    assert kinds == {Damaged, NotAReplay, Truncated}


def test_bytes_put_in_or_left_out_are_noticed(file: Path) -> None:
    good = file.read_bytes()
    for at in range(0, len(good), 3):
        for bad in (good[:at] + good[at + 1 :], good[:at] + b"1" + good[at:], good[:at] + b"\n" + good[at:]):
            file.write_bytes(bad)
            with pytest.raises(ReplayError) as raised:
                replay.read(file)
            assert_is_of(raised.value, file.name)


def test_something_after_the_end_is_noticed(file: Path) -> None:
    good = file.read_bytes()
    for more in (b"x", b"\n", b"{}\n", good):
        file.write_bytes(good + more)
        with pytest.raises(ReplayError):
            replay.read(file)


def test_lines_that_change_places_or_are_missing_are_noticed(file: Path) -> None:
    header, one, two, end = file.read_bytes().splitlines(keepends=True)
    for lines in ([header, two, one, end], [header, two, end], [header, one, end], [header, one, one, two, end]):
        file.write_bytes(b"".join(lines))
        with pytest.raises(Damaged, match=r"line \d does not match its chain of digests"):
            replay.read(file)


def test_a_file_cut_off_after_a_line_says_after_which_step(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    for kept in range(1, len(lines)):
        file.write_bytes(b"".join(lines[:kept]))
        with pytest.raises(Truncated, match=f"ends after step {kept - 1} without an outcome") as raised:
            replay.read(file)
        assert_is_of(raised.value, file.name)


def test_a_file_cut_off_anywhere_is_known_as_such(file: Path) -> None:
    good = file.read_bytes()
    begun = len(b'{"polemos":')
    ends = {i + 1 for i, byte in enumerate(good) if byte == 10}
    for length in range(len(good)):
        file.write_bytes(good[:length])
        with pytest.raises(Truncated if length >= begun else NotAReplay) as raised:
            replay.read(file)
        assert_is_of(raised.value, file.name)
        if length >= begun and length not in ends:
            line = good[:length].count(b"\n") + 1
            assert f"cut off in the middle of line {line}" in str(raised.value)


# ---- compressed files


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl.gz"
    replay.write(path, played(1), PLAYERS)
    return path


def test_a_changed_byte_of_a_compressed_file_is_noticed_or_changes_nothing(packed: Path) -> None:
    """Some bytes of its header, such as the time, mean nothing to the replay."""
    good, whole = packed.read_bytes(), replay.read(packed)
    kinds: set[type[ReplayError]] = set()
    harmless = 0
    for at in range(len(good)):
        bad = bytearray(good)
        bad[at] ^= 0x55
        packed.write_bytes(bad)
        try:
            assert replay.read(packed) == whole
            harmless += 1
        except ReplayError as error:
            assert_is_of(error, packed.name)
            kinds.add(type(error))
    assert harmless < 10
    assert Damaged in kinds


def test_a_compressed_file_cut_off_anywhere_is_known_as_such(packed: Path) -> None:
    good = packed.read_bytes()
    for length in range(len(good)):
        packed.write_bytes(good[:length])
        with pytest.raises(Truncated if length >= 2 else NotAReplay) as raised:
            replay.read(packed)
        assert_is_of(raised.value, packed.name)


def test_a_compressed_file_with_something_after_it_is_damaged(packed: Path) -> None:
    packed.write_bytes(packed.read_bytes() + b"more")
    with pytest.raises(Damaged):
        replay.read(packed)


def test_compression_is_known_by_the_bytes_not_by_the_name(tmp_path: Path, packed: Path) -> None:
    plain = tmp_path / "plain.gz"
    plain.write_bytes(gzip.decompress(packed.read_bytes()))
    squeezed = tmp_path / "squeezed.jsonl"
    squeezed.write_bytes(packed.read_bytes())
    assert replay.read(plain) == replay.read(squeezed) == replay.read(packed)


# ---- other files


FOREIGN: dict[str, bytes] = {
    "nothing": b"",
    "a new line": b"\n",
    "text": b"Dear diary,\n",
    "json": b'{"game": "skerries"}\n',
    "a list": b"[1, 2]\n",
    "zeros": bytes(1000),
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(64),
    "compressed text": gzip.compress(b"Dear diary,\n", mtime=0),
    "compressed nothing": gzip.compress(b"", mtime=0),
}


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN.keys())
def test_any_other_file_is_no_replay(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(NotAReplay, match="is not a Polemos replay"):
        replay.read(path)


def test_a_missing_file_and_a_folder_are_no_replays(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.jsonl", tmp_path):
        with pytest.raises(NotAReplay, match="cannot be read"):
            replay.read(path)


def test_a_file_that_is_too_large_is_no_replay(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MAX_BYTES", 1000)
    bomb = file.with_name("bomb.gz")
    bomb.write_bytes(gzip.compress(b'{"polemos":1' + b" " * 100_000))
    for path in (file, bomb):
        with pytest.raises(NotAReplay, match="is larger than"):
            replay.read(path)


def test_an_unfinished_match_has_no_end_yet(tmp_path: Path) -> None:
    match = Match(GAME, {"seats": 3, "turns": 2}, seed=1)
    match.run()
    path = tmp_path / "match.jsonl"
    replay.write(path, match, PLAYERS)
    assert match.key.encode() not in path.read_bytes()
    with pytest.raises(Truncated, match="ends after step 1 without an outcome: cut off, or the match is not over"):
        replay.read(path)


# ---- files with a chain of their own


def rechained(parts: list[dict[str, Any]]) -> bytes:
    """Lines with these contents whose digests fit, made without the code that is tested."""
    chain, lines = "", b""
    for part in parts:
        body = msgspec.json.encode({name: value for name, value in part.items() if name != "chain"})[:-1]
        chain = hashlib.blake2b(chain.encode() + body, digest_size=16).hexdigest()
        lines += body + b',"chain":"' + chain.encode() + b'"}\n'
    return lines


def parts_of(path: Path) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


def test_the_chain_is_a_digest_of_each_line_and_all_before_it(file: Path) -> None:
    assert rechained(parts_of(file)) == file.read_bytes()


Forgery = Callable[[list[dict[str, Any]]], None]


def _other_outcome(parts: list[dict[str, Any]]) -> None:
    parts[-1]["end"]["places"] = parts[-1]["end"]["places"][::-1]


def _other_key(parts: list[dict[str, Any]]) -> None:
    parts[-1]["key"] = "0" * 32


def _key_that_is_none(parts: list[dict[str, Any]]) -> None:
    parts[-1]["key"] = "not a key"


def _faults_concealed(parts: list[dict[str, Any]]) -> None:
    parts[1]["faults"] = {}


def _faults_invented(parts: list[dict[str, Any]]) -> None:
    parts[2]["faults"] = {"red": [{"line": 1, "order": "A3-M 2", "rule": "2.2", "why": "Because.", "word": "x"}]}


def _step_added(parts: list[dict[str, Any]]) -> None:
    parts.insert(-1, {**parts[2], "step": 3})


def _orders_never_given(parts: list[dict[str, Any]]) -> None:
    parts[1]["orders"]["purple"] = ["A1-A2 1"]


def _steps_misnumbered(parts: list[dict[str, Any]]) -> None:
    parts[1]["step"], parts[2]["step"] = 7, 7


FORGERIES: dict[str, Forgery] = {
    "another digest": lambda parts: parts[1].update(digest="0" * 32),
    "another digest at the end": lambda parts: parts[2].update(digest=parts[1]["digest"]),
    "another order": lambda parts: parts[1]["orders"].update(red=["A1-A2 1", "A1-A3 2", "nonsense"]),
    "an order concealed": lambda parts: parts[1]["orders"].update(red=None),
    "faults concealed": _faults_concealed,
    "faults invented": _faults_invented,
    "a forfeit": lambda parts: parts[1].update(forfeits={"red": "left"}),
    "a call": lambda parts: parts[1].update(calls=["turns 3"]),
    "a call that cannot be made": lambda parts: parts[1].update(calls=["nonsense"]),
    "another first position": lambda parts: parts[0].update(first="0" * 32),
    "other options": lambda parts: parts[0]["options"].update(turns=3),
    "options that make no match": lambda parts: parts[0]["options"].update(turns="three"),
    "a position": lambda parts: parts[0].update(position="turn 1/3; red 0: A1 5; blue 0: B1 5; green 0: C1 5"),
    "no position": lambda parts: parts[0].update(position="nowhere"),
    "another fingerprint": lambda parts: parts[0].update(fingerprint="0" * 32),
    "another key": _other_key,
    "a key that is none": _key_that_is_none,
    "another outcome": _other_outcome,
    "a step missing": lambda parts: parts.__delitem__(2),
    "a step added": _step_added,
    "orders of a seat that does not exist": _orders_never_given,
    "wrong numbers of steps": _steps_misnumbered,
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES.keys())
def test_a_forgery_whose_digests_fit_is_found_out_by_playing_again(file: Path, forge: Forgery) -> None:
    parts = parts_of(file)
    forge(parts)
    file.write_bytes(rechained(parts))
    read = replay.read(file)
    with pytest.raises(Diverged):
        replay.verify(read, GAME)


def test_other_dice_are_found_out_even_with_a_fitting_fingerprint(file: Path) -> None:
    parts, found = parts_of(file), 0
    for number in range(12):
        key = dice.derive(number)
        parts[0]["fingerprint"], parts[-1]["key"] = dice.fingerprint(key), key
        file.write_bytes(rechained(parts))
        try:
            replay.verify(replay.read(file), GAME)
        except Diverged:
            found += 1
    assert found >= 6, "some keys throw the same results"


def test_a_replay_of_another_edition_is_refused_and_says_which_release_to_use(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = replay.read(file)
    monkeypatch.setattr(type(GAME), "edition", GAME.edition + 1)
    with pytest.raises(WrongEdition, match=f"Use a release with edition {read.header.edition}"):
        replay.verify(read, GAME)


def test_a_replay_in_another_format_is_refused(file: Path) -> None:
    parts = parts_of(file)
    parts[0]["polemos"] = replay.FORMAT + 1
    file.write_bytes(rechained(parts))
    with pytest.raises(NotAReplay, match=f"this version of Polemos reads format {replay.FORMAT}"):
        replay.read(file)


ILL_FORMED: dict[str, Forgery] = {
    "a header without a game": lambda parts: parts[0].pop("game"),
    "a header with more": lambda parts: parts[0].update(more=1),
    "a step without orders": lambda parts: parts[1].pop("orders"),
    "a step with orders that are none": lambda parts: parts[1].update(orders={"red": 5}),
    "an end without a key": lambda parts: parts[-1].pop("key"),
    "an outcome that is none": lambda parts: parts[-1].update(end="red"),
}


@pytest.mark.parametrize("forge", ILL_FORMED.values(), ids=ILL_FORMED.keys())
def test_lines_with_fitting_digests_but_other_fields_are_refused(file: Path, forge: Forgery) -> None:
    parts = parts_of(file)
    forge(parts)
    file.write_bytes(rechained(parts))
    with pytest.raises(NotAReplay, match="this version of Polemos cannot read"):
        replay.read(file)


def test_a_line_that_is_no_json_but_has_a_fitting_digest_is_refused(file: Path) -> None:
    body = b'{"polemos":1,nonsense'
    chain = hashlib.blake2b(body, digest_size=16).hexdigest()
    file.write_bytes(body + b',"chain":"' + chain.encode() + b'"}\n')
    with pytest.raises(NotAReplay):
        replay.read(file)


@pytest.mark.needs("minions")
def test_a_replay_that_kept_another_spelling_of_an_order_is_still_good(tmp_path: Path) -> None:
    """Versions before this one wrote names of Minions as they were typed."""
    game = registry.load("minions")
    match = Match(game, {"boards": 1, "turns": 1}, seed=1)
    match.submit("yellow", ["1 spawn I c4", "1 spawn I c4"])
    match.run()
    match.run()
    path = tmp_path / "old.jsonl"
    replay.write(path, match, {"yellow": "Ada", "blue": "Bo"})
    read = replay.read(path)

    def spelled(step: Step) -> Step:
        orders = {seat: of and tuple(text.replace("I c4", "i c4") for text in of) for seat, of in step.orders.items()}
        faults = {
            seat: tuple(msgspec.structs.replace(fault, order=fault.order.replace("I c4", "i c4")) for fault in of)
            for seat, of in step.faults.items()
        }
        return msgspec.structs.replace(step, orders=orders, faults=faults)

    old = msgspec.structs.replace(read, steps=tuple(map(spelled, read.steps)))
    assert old.steps[0].orders["yellow"] == ("1 spawn i c4", "1 spawn i c4")
    assert old.steps[0].faults["yellow"]
    assert replay.verify(old, game) == len(match.steps)
    other = msgspec.structs.replace(read.steps[0], orders={**read.steps[0].orders, "yellow": ("1 spawn I d4",)})
    with pytest.raises(Diverged):
        replay.verify(msgspec.structs.replace(read, steps=(other, *read.steps[1:])), game)
