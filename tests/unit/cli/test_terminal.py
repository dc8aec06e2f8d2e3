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
