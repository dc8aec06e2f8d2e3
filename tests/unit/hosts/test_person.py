"""A person in the seat of a bot."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from polemos import registry
from polemos.hosts import specs
from polemos.kernel.match import Match
from polemos.kernel.playing import play
from polemos.kernel.rooms import bots_of

GAME = registry.load("skerries")


def test_a_person_types_orders_and_asks_for_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Match(GAME, {"turns": 2}, seed=1)
    offered = GAME.options(match.setting, match.view("red"))[0].text
    typed: Iterator[str] = iter(["? zebra", f"? {offered}", offered, "", "n", "", "y", "nonsense"])

    def said() -> str:
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", said)
    person = specs.make(GAME, "human", match.setting, "red", 1, seats=match.seats)
    other = specs.make(GAME, next(iter(bots_of(GAME))), match.setting, "blue", 1, seats=match.seats)
    play(match, {"red": person, "blue": other})
    assert match.steps[0].orders["red"] == (offered,)
    assert match.steps[1].orders["red"] == ("nonsense",), "the end of input hands in what there is"
    shown = capsys.readouterr().err
    assert f"  {offered}" in shown
    assert "red, turn 1" in shown
    assert shown.count("No legal order begins with 'zebra'.") == 1
    assert shown.count("File 1 line? (y/n) ") == 2


def test_done_hands_in_without_a_question(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    match = Match(GAME, {"turns": 2}, seed=1)
    typed = iter(["nonsense", "done"])
    monkeypatch.setattr("builtins.input", lambda: next(typed))
    person = specs.make(GAME, "human", match.setting, "red", 1, seats=match.seats)
    assert person.orders(match.view("red"), 0.0) == ["nonsense"]
    assert "(y/n)" not in capsys.readouterr().err
