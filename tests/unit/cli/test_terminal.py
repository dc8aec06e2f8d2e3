"""At the terminal: what is typed in a sheet or a turn, and what is said back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from polemos.cli.main import polemos


def play(folder: Path, *arguments: str, typed: str) -> str:
    result = CliRunner().invoke(polemos, ["play", *arguments[:1], str(folder), *arguments[1:]], input=typed)
    assert result.exit_code == 0, result.output
    return result.output


def acts(folder: Path) -> list[str]:
    return [json.loads(line)["act"] for line in (folder / "journal.jsonl").read_text().splitlines()[1:]]


# ---- an empty line


@pytest.mark.parametrize("typed", ["\n", "\n\n", "\nn\n", "\nwhat\n"])
def test_an_empty_line_asks_before_it_files_a_sheet(tmp_path: Path, typed: str) -> None:
    said = play(tmp_path, "skerries", "--seed", "1", typed=f"red\nA1-A2 2\n{typed}")
    assert "File this sheet? It has 1 line. (y/n) " in said
    assert "file" not in acts(tmp_path)


@pytest.mark.parametrize("yes", ["y", "Y", "yes"])
def test_the_question_can_be_answered_with_yes(tmp_path: Path, yes: str) -> None:
    said = play(tmp_path, "skerries", "--seed", "1", typed=f"red\nA1-A2 2\n\n{yes}\n")
    assert "Filed: 1 valid line." in said


def test_done_asks_nothing(tmp_path: Path) -> None:
    said = play(tmp_path, "skerries", "--seed", "1", typed="red\nA1-A2 2\ndone\n")
    assert "(y/n)" not in said
    assert "Filed: 1 valid line." in said


@pytest.mark.needs("minions")
def test_an_empty_line_asks_before_it_ends_a_turn(tmp_path: Path) -> None:
    turn = "yellow\n"
    said = play(tmp_path, "minions", "--seed", "1", "-o", "boards=1", typed=f"{turn}\nn\nleave\n")
    assert "End the turn? 0 orders so far. (y/n) " in said
    assert "file" not in acts(tmp_path)
    play(tmp_path, "minions", "--seed", "1", "-o", "boards=1", typed=f"{turn}\ny\n")
    assert "file" in acts(tmp_path)


# ---- the board


@pytest.mark.needs("minions")
def test_the_board_shows_after_each_order_that_is_carried_out(tmp_path: Path) -> None:
    typed = "yellow\n1 move c1-b1\nnonsense\nundo\nredo\nclear\nleave\n"
    said = play(tmp_path, "minions", "--seed", "1", "-o", "boards=1", typed=typed)
    first_row = [line for line in said.splitlines() if line.startswith(" 1 ~ ")]
    before, after = " 1 ~ . Z Z . . . . . .", " 1 ~ Z . Z . . . . . ."
    assert [row.rstrip() for row in first_row] == [after, before, after, before], "none for what was refused"


# ---- options


def test_options_with_none_says_so(tmp_path: Path) -> None:
    said = play(tmp_path, "skerries", "--as", "red", "--seed", "1", typed="options zebra\noptions A1-A2\n")
    assert "No legal order begins with 'zebra'." in said
    assert said.count("No legal order") == 1
    said = play(tmp_path, "skerries", "--as", "red", typed="resign\noptions\n")
    assert "You have no legal orders now." in said


@pytest.mark.needs("minions")
def test_options_in_a_turn_with_none_says_so(tmp_path: Path) -> None:
    said = play(tmp_path / "m", "minions", "--seed", "1", "-o", "boards=1", typed="yellow\noptions zebra\nleave\n")
    assert "No legal order begins with 'zebra'." in said


# ---- a call that the game waits for


@pytest.mark.needs("demons")
def test_an_evening_waits_for_the_coin(tmp_path: Path) -> None:
    typed = "run\nrelease\nrun\ncall coin green\ncall coin blue\n"
    said = play(tmp_path, "demons", "-o", "coin=call", "-o", "turns=1", "--seed", "1", typed=typed)
    assert said.count("toss a coin and call coin red or coin blue") == 2
    assert "Toss a coin and say how it fell: coin red or coin blue. Rule 9.4." in said
    assert "Blue wins: the coin." in said
    assert acts(tmp_path) == ["run", "release", "call", "run"]


@pytest.mark.needs("demons")
def test_whoever_plays_a_seat_tosses_the_coin_too(tmp_path: Path) -> None:
    quiet = tmp_path / "quiet.py"
    quiet.write_text("class Quiet:\n def __init__(self, *a): pass\n def orders(self, *a): return []\n")
    options = ["--as", "red", "--bot", f"blue={quiet}:Quiet", "--trust", "-o", "coin=call", "-o", "turns=1"]
    said = play(tmp_path / "e", "demons", *options, typed="call coin red\norders\ndone\norders\ncall coin red\n")
    assert "Nobody waits for a coin now." in said
    assert said.count("toss a coin and call coin red or coin blue") == 2
    assert "Red wins: the coin." in said


@pytest.mark.needs("demons")
def test_where_bots_play_all_seats_the_toss_is_asked_for(tmp_path: Path) -> None:
    quiet = tmp_path / "quiet.py"
    quiet.write_text("class Quiet:\n def __init__(self, *a): pass\n def orders(self, *a): return []\n")
    bots = ["--bot", f"blue={quiet}:Quiet", "--bot", f"red={quiet}:Quiet", "--trust", "-o", "coin=call"]
    left = play(tmp_path / "e", "demons", *bots, "-o", "turns=1", typed="heads\n")
    assert "To go on: " in left
    said = play(tmp_path / "e", "demons", "--trust", typed="coin blue\n")
    assert "Blue (" in said
    assert "wins: the coin. Rule 9.4." in said


@pytest.mark.needs("demons")
@pytest.mark.parametrize("verb", ["match", "series", "tournament"])
def test_programs_alone_do_not_play_for_a_toss_that_nobody_makes(verb: str) -> None:
    result = CliRunner().invoke(polemos, [verb, "demons", "random", "rusher", "-o", "coin=call"])
    assert result.exit_code != 0
    assert "can wait for a call of the umpire, and nobody is here to make it" in str(result.exception) + result.output


# ---- sheets


@pytest.mark.needs("monad")
def test_the_last_line_of_a_sheet_can_be_taken_back_and_put_back(tmp_path: Path) -> None:
    typed = "red\nundo\nmove 3,3 up 1\nwork 3,3 1\nundo\nundo\nredo\nredo\nredo\nleave\n"
    said = play(tmp_path, "monad", "--seed", "1", typed=typed)
    assert "There is nothing to undo." in said
    assert said.count("There is nothing to redo.") == 1
    journal = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text().splitlines()[1:]]
    one, two = "move 3,3 up 1", "work 3,3 1"
    assert [act["lines"] for act in journal] == [[one], [one, two], [one], [], [one], [one, two]]


@pytest.mark.needs("monad")
def test_monad_shows_the_ore_under_units(tmp_path: Path) -> None:
    """1.7 On the map Duel red starts on 1,1, where 29 of ore lie."""
    said = play(tmp_path / "e", "monad", "-o", "map=duel", "-o", "units=7", "--as", "red", typed="quit\n")
    rows = said.splitlines()
    at = next(number for number, row in enumerate(rows) if row.startswith(" 1  "))
    assert rows[at].split()[:4] == ["1", "50", "R7", "36"]
    assert rows[at + 1].split() == ["(29)"]
    assert rows[at].index("R7") == rows[at + 1].index("(29)")
    assert "(12) ore below units" in said


@pytest.mark.needs("monarchs")
def test_while_a_sheet_is_typed_the_words_of_the_game_are_known(tmp_path: Path) -> None:
    """They were taken for void lines and filed."""
    typed = "orders\nmap\noptions G5-H4\noptions zebra\nabout G5\nbless G5\noptions bless\ndone\n"
    said = play(tmp_path, "monarchs", "--as", "red", "--seed", "1", typed=typed)
    assert said.count("For the orders of turn 1.") == 2
    assert "  G5-H4 1 to 3" in said
    assert "No legal order begins with 'zebra'." in said
    assert "No legal order begins with 'bless'." in said, "a sheet has one blessing"
    assert "Filed: 1 valid line." in said


@pytest.mark.needs("monarchs")
def test_quit_in_a_sheet_leaves_and_is_no_line(tmp_path: Path) -> None:
    said = play(tmp_path, "monarchs", "--seed", "1", typed="red\nG5-H4 1\nquit\nstatus\n")
    assert "The draft is saved." in said
    assert "status" not in said.partition("The draft is saved.")[2]
    journal = (tmp_path / "journal.jsonl").read_text().splitlines()
    assert json.loads(journal[-1])["lines"] == ["G5-H4 1"]


@pytest.mark.needs("monarchs")
def test_an_order_at_the_wrong_prompt_gets_a_hint(tmp_path: Path) -> None:
    said = play(tmp_path / "a", "monarchs", "--as", "red", "--seed", "1", typed="G5-H4 2\nzebra\n")
    assert "That is an order. Say orders first, then type it." in said
    assert "Unknown command 'zebra'." in said
    said = play(tmp_path / "b", "monarchs", "--seed", "1", typed="bless G5\n")
    assert "That is an order. Say first whose, such as red." in said


@pytest.mark.needs("demons", "monarchs")
def test_help_names_what_there_is(tmp_path: Path) -> None:
    said = play(tmp_path / "a", "monarchs", "--as", "red", typed="help\nabout x\n")
    assert "about NAME" not in said
    assert "call TEXT" not in said
    said = play(tmp_path / "b", "demons", "--as", "red", "-o", "coin=call", typed="help\n")
    assert "call TEXT" in said


@pytest.mark.needs("monad", "monarchs")
def test_an_evening_names_the_calls_there_are(tmp_path: Path) -> None:
    said = play(tmp_path / "a", "monarchs", typed="help\ncall\n")
    assert "call TEXT" in said
    assert "The umpire may call: last, or turns N." in said
    said = play(tmp_path / "b", "monad", typed="help\ncall last\n")
    assert "call TEXT" not in said


@pytest.mark.needs("monarchs")
def test_options_show_figures_that_people_read(tmp_path: Path) -> None:
    said = play(tmp_path, "monarchs", "--as", "red", "--seed", "1", typed="options G5-H4\n")
    assert "  G5-H4 1 to 3   (holds 3)" in said
