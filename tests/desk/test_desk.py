"""The gamerunner's desk: taking back (11.1, 11.2), surviving a kill, and what lies in the folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from polemos import registry
from polemos.desk.desk import Desk
from polemos.desk.journal import Journal, JournalError
from polemos.kernel.errors import IllegalOrder, NotationError

pytestmark = pytest.mark.needs("monarchs")


def game() -> Any:
    return registry.load("monarchs")


def open_desk(folder: Path, **players: str) -> Desk:
    return Desk.open(folder, game(), {"mode": "party"}, players, title="Test", seed=1)


def test_a_turn_can_be_taken_back_until_its_maps_are_handed_out(tmp_path: Path) -> None:
    """11.1 and 11.2"""
    desk = open_desk(tmp_path)
    before = desk.match.state.copy()
    desk.draft("red", ["G5-H4 3", "bless H4"])
    desk.file("red")
    desk.draft("blue", ["F2-E3 2"])
    desk.file("blue")
    first = desk.run()
    desk.back("a sheet was mistyped")
    assert desk.match.state == before
    assert desk.drafts == {"red": ["G5-H4 3", "bless H4"], "blue": ["F2-E3 2"]}
    for seat in list(desk.drafts):
        desk.file(seat)
    assert desk.run().digest == first.digest  # the same dice
    desk.release()
    with pytest.raises(IllegalOrder) as refusal:
        desk.back("too late")
    assert refusal.value.rule == "11.2"
    desk.close()


def dice_of(desk: Desk) -> dict[tuple[str, str], str]:
    drawn = (cast("Any", event) for event in desk.match.happened[-1] if event.kind == "die in a hex")
    return {(event.hex, event.nation): event.die for event in drawn}


def test_a_corrected_sheet_leaves_the_dice_of_all_other_battles_alone(tmp_path: Path) -> None:
    """11.1 with 2.3"""
    desk = open_desk(tmp_path)
    desk.draft("green", ["Q5-P4 2"])
    desk.file("green")
    desk.draft("blue", ["F2-E3 2"])
    desk.file("blue")
    desk.run()
    dice = dice_of(desk)
    desk.back("green wrote 1")
    desk.draft("green", ["Q5-P4 1", "bless P4"])
    desk.file("green")
    desk.file("blue")
    desk.run()
    again = dice_of(desk)
    assert ("E3", "blue") in dice
    assert dice[("E3", "blue")] == again[("E3", "blue")]
    assert dice[("E3", "red")] == again[("E3", "red")]
    desk.close()


def test_taking_back_wants_a_reason_and_keeps_it(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    with pytest.raises(IllegalOrder):
        desk.back("nothing was run")
    desk.run()
    with pytest.raises(IllegalOrder) as refusal:
        desk.back("  ")
    assert refusal.value.rule == "11.1"
    desk.back("red's carrier came late after all")
    desk.close()
    acts = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text().splitlines()]
    assert {"act": "back", "reason": "red's carrier came late after all"} in acts


def test_a_call_after_the_maps_are_out_wants_a_reason_and_keeps_it(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    desk.call("turns 7")
    desk.run()
    desk.call("turns 6")
    desk.release()
    for none in ("", "  "):
        with pytest.raises(IllegalOrder, match="have been handed out"):
            desk.call("last", none)
    with pytest.raises(NotationError):
        desk.call("dance", "for joy")
    desk.call("last", " it is midnight ")
    desk.close()
    calls = [
        act
        for line in (tmp_path / "journal.jsonl").read_text().splitlines()
        if (act := json.loads(line)).get("act") == "call"
    ]
    assert calls == [
        {"act": "call", "text": "turns 7"},
        {"act": "call", "text": "turns 6"},
        {"act": "call", "text": "last", "reason": "it is midnight"},
    ]
    again = open_desk(tmp_path)
    assert again.match.state.digest() == desk.match.state.digest()
    again.close()


def test_an_evening_knows_what_it_was_asked_for_and_is_not(tmp_path: Path) -> None:
    desk = open_desk(tmp_path, blue="holder")
    assert desk.differing({"turns": 8}, {"blue": "holder", "red": "person"}) == []
    assert desk.differing({"turns": 9, "mode": "open"}, {"blue": "steady"}, "Winter", seed=2) == [
        "turns=9 (this evening has turns=8)",
        "mode=open (this evening has mode=party)",
        "blue=steady (this evening has blue=holder)",
        "the title 'Winter' (this evening is called 'Test')",
        "the seed (this evening has its own dice)",
    ]
    desk.close()


def test_reopening_carries_everything_out_again(tmp_path: Path) -> None:
    desk = open_desk(tmp_path, green="holder", blue="raider")
    desk.draft("red", ["G5-I5 1"])
    desk.file("red")
    desk.run()
    desk.release()
    desk.call("turns 3", "the pub closes early")
    desk.draft("red", ["I5-K5 1", "rubbish"])
    digest, released = desk.match.state.digest(), desk.released
    desk.close()
    again = open_desk(tmp_path)
    assert (again.match.state.digest(), again.released) == (digest, released)
    assert again.drafts["red"] == ["I5-K5 1", "rubbish"]
    assert again.players == {"red": "person", "green": "holder", "blue": "raider"}
    again.file("red")
    again.run()
    again.run()
    assert again.match.outcome is not None
    again.close()


def test_bots_play_the_same_after_a_restart(tmp_path: Path) -> None:
    whole = open_desk(tmp_path / "whole", red="steady", green="raider", blue="random")
    while whole.match.outcome is None:
        whole.run()
    whole.close()
    digest = ""
    for _ in range(8):
        part = open_desk(tmp_path / "parts", red="steady", green="raider", blue="random")
        part.run()
        digest = part.match.state.digest()
        part.close()
    assert digest == whole.match.state.digest()


def test_every_prefix_of_the_journal_opens(tmp_path: Path) -> None:
    """A kill can fall between any two bytes: what was whole stays, what was cut off was never acknowledged."""
    desk = open_desk(tmp_path / "a")
    desk.draft("red", ["G5-H4 3"])
    desk.file("red")
    desk.run()
    desk.back("why not")
    desk.call("turns 4", "said too late")
    desk.close()
    raw = (tmp_path / "a" / "journal.jsonl").read_bytes()
    ends = [i + 1 for i, byte in enumerate(raw) if byte == 10]
    for cut in sorted({*ends, *(end - 1 for end in ends), *(end + 5 for end in ends[:-1])}):
        folder = tmp_path / f"cut-{cut}"
        folder.mkdir()
        (folder / "journal.jsonl").write_bytes(raw[:cut])
        reopened = open_desk(folder)
        whole = max([end for end in ends if end <= cut], default=0)
        assert (folder / "journal.jsonl").read_bytes()[: len(raw[:whole])] == raw[:whole]
        reopened.draft("blue", ["M1-L2 1"])
        reopened.close()


def test_a_changed_journal_is_refused_in_words(tmp_path: Path) -> None:
    open_desk(tmp_path).close()
    path = tmp_path / "journal.jsonl"
    path.write_bytes(path.read_bytes() + b"not json\n")
    with pytest.raises(JournalError, match="line 2 is not an act"):
        open_desk(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"not json\n", b'{"act":"dance"}\n'))
    with pytest.raises(JournalError, match="dance"):
        open_desk(tmp_path)


def test_only_one_desk_has_a_folder(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    with pytest.raises(JournalError, match="already open in another window"):
        Journal(tmp_path / "journal.jsonl")
    desk.close()
    open_desk(tmp_path).close()


def test_the_journal_is_for_the_umpire_alone(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    assert (tmp_path / "journal.jsonl").stat().st_mode & 0o077 == 0
    desk.close()


def test_maps_are_drawn_and_those_of_a_turn_taken_back_vanish(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    drawn = desk.draw_maps()
    assert [str(path.relative_to(tmp_path)) for path in drawn] == [
        "turn-01/red.pdf",
        "turn-01/green.pdf",
        "turn-01/blue.pdf",
        "umpire/turn-01.pdf",
    ]
    assert all(path.read_bytes().startswith(b"%PDF") for path in drawn)
    desk.run()
    desk.draw_maps()
    assert (tmp_path / "turn-02" / "red.pdf").exists()
    desk.back("again")
    desk.draw_maps()
    assert not (tmp_path / "turn-02").exists()
    assert not (tmp_path / "umpire" / "turn-02.pdf").exists()
    assert (tmp_path / "turn-01" / "red.pdf").exists()
    desk.close()


def test_a_person_against_bots_gets_no_map_of_others(tmp_path: Path) -> None:
    desk = Desk.open(tmp_path, game(), {}, {"green": "holder", "blue": "raider"}, secret=True)
    assert [path.name for path in desk.draw_maps()] == ["red.pdf"]
    desk.close()


def test_the_replay_of_an_evening_verifies(tmp_path: Path) -> None:
    from polemos.kernel import replay

    desk = open_desk(tmp_path, green="holder")
    desk.draft("red", ["G5-H4 3", "nonsense"])
    desk.file("red")
    desk.run()
    desk.drop("blue")
    desk.call("turns 3")
    while desk.match.outcome is None:
        desk.run()
    assert replay.verify(replay.read(desk.write_replay()), game()) == 3
    desk.close()


@pytest.mark.needs("monad")
def test_a_rehearsal_has_the_same_random_map_again(tmp_path: Path) -> None:
    game = registry.load("monad")
    options = {"map": "random", "size": "8x8"}
    maps = set()
    for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
        desk = Desk.open(tmp_path / folder, game, options, {}, seed=seed)
        maps.add(desk.match.options["map"])
        desk.close()
    assert len(maps) == 2


@pytest.mark.needs("demons")
def test_the_desk_cites_the_book_of_its_game_or_none(tmp_path: Path) -> None:
    """11.1 of Demons is about something else."""
    desk = Desk.open(tmp_path, registry.load("demons"), {}, {}, seed=1)
    desk.run()
    for reason in ("", "a slip"):
        with pytest.raises(IllegalOrder) as refusal:
            desk.back(reason)
        assert refusal.value.rule is None
        desk.release()
    desk.close()
