"""The same party at the terminal, from the journal that the desk in the browser began."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from desk.houses import SHEETS, game, setup
from polemos.cli.play import command
from polemos.desk.party import PartyDesk

pytestmark = pytest.mark.needs("monarchs")


def at_the_terminal(folder: Path, *lines: str) -> str:
    result = CliRunner().invoke(command, ["monarchs", str(folder)], input="\n".join(lines) + "\n")
    assert result.exit_code == 0, f"{result.output}{result.exception!r}"
    return result.output


def test_an_evening_goes_from_the_browser_to_the_terminal_and_back(tmp_path: Path) -> None:
    desk = PartyDesk.open(tmp_path, game(), setup(holding_seconds=0), seed="long winter")
    desk.do({"act": "deal"})
    desk.do({"act": "release"})
    desk.close()
    said = at_the_terminal(
        tmp_path,
        "arrive tomas", "arrive wren", "arrive bram", "arrive nobody",
        "red", *SHEETS["red"], "done",
        "green", "k5 i5 2", "leave",
        "rule A 7 may have a bar.", "rulings seven", "rulings bar",
        "dismiss blue rafe", "recall blue rafe", "summon blue esme", "swap rafe, piet",
    )  # fmt: skip
    assert "has sent its sheet" in said  # the first one counts (12.5)
    assert "Nobody at this party is called 'nobody'" in said
    assert "Filed: 4 lines, 1 void." in said
    assert said.count("A 7 may have a bar.") == 1
    desk = PartyDesk.open(tmp_path, game())
    assert desk.void_lines() == {"red": (4, 1)}
    assert desk.evening.state.names["blue-5"] == "Piet"
    assert desk.evening.state.summons["blue"].role == "green-5"
    assert desk.drafts["green"] == ["k5 i5 2"]
    desk.do({"act": "pause"})
    desk.close()
    said = at_the_terminal(
        tmp_path,
        "resume", "green", "done", "arrive mara", "arrive hugo", "blue", "done", "call last", "it is late",
        "run", "back typed wrongly", "show red", "run", "history",
    )  # fmt: skip
    assert "Only the courtiers of a court carry" in said
    assert "Taken back" in said
    assert "(taken back)" in said
    desk = PartyDesk.open(tmp_path, game())
    # the last round was called, so the monarchs have to guess before anything is shown (12.17)
    assert desk.rules.card(desk.evening, desk.now()).stage.next == "guesses"


def test_what_is_printed_is_nobody_elses_to_read(tmp_path: Path) -> None:
    """Maps and role cards lie in the folder as files, and the folder may have been there before, open to everybody."""
    tmp_path.chmod(0o755)
    PartyDesk.open(tmp_path, game(), setup(holding_seconds=0), seed="long winter").close()
    at_the_terminal(tmp_path, "deal", "papers", "maps")
    files = {path.name: path.stat().st_mode & 0o077 for path in tmp_path.iterdir()}
    assert {"papers.pdf", "maps.pdf", "journal.jsonl"} <= set(files)
    assert not any(files.values()), files


def test_the_register_is_kept_at_the_terminal_too(tmp_path: Path) -> None:
    """Rooms, leave to enter, dismissals for a time, guests, notices, own copies, and any entry taken back."""
    desk = PartyDesk.open(tmp_path, game(), setup(holding_seconds=0), seed="long winter")
    desk.do({"act": "deal"})
    desk.do({"act": "release"})
    served = desk.rules.loyalties(desk.evening)["red-5"]
    desk.close()
    said = at_the_terminal(
        tmp_path,
        "join Zoe", "enter kit, red", "admit blue kit", "dismiss red kit for 5", "enter kit, red",
        "enter kit, blue court", "enter kit, the moon", "dismiss red wren for ever",
        "summon green zoe", "calloff green", "tell Dinner is at nine.", "copy red", "g5 h4 3; bless h4",
        "loyalties", "where",
    )  # fmt: skip
    assert "Kit is dismissed from the red court" in said
    assert "There is no room called 'the moon'" in said
    assert "Say how many minutes" in said
    assert f"Kit serves {served}" in said
    assert "Kit: blue court" in said
    desk = PartyDesk.open(tmp_path, game())
    state = desk.evening.state
    assert (state.names["guest-2"], state.rooms["red-5"]) == ("Zoe", "blue")
    assert state.dismissed["red"]["red-5"] is not None
    assert state.summons == {}
    assert [note.text for note in state.notices] == ["Dinner is at nine."]
    assert state.sheets["red"] == ("g5 h4 3", "bless h4")
    fetcher = desk.rules.card(desk.evening, desk.now()).carriers["green"][0].role
    desk.do({"act": "arrive", "role": fetcher, "errand": "map"})
    desk.do({"act": "leave", "role": fetcher})
    joined = next(deed.number for deed in desk.rules.card(desk.evening, desk.now()).history if deed.kind == "tell")
    desk.close()
    said = at_the_terminal(tmp_path, f"strike {joined} a slip", f"overrule {joined} a slip", "strike x")
    assert "A map has left the desk since then" in said
    assert "Say which entry" in said
    desk = PartyDesk.open(tmp_path, game())
    texts = [note.text for note in desk.evening.state.notices]
    assert texts == ["The gamerunners have corrected an earlier turn."]
    desk.close()
