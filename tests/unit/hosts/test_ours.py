"""Our own bots as programs: in the box and without it they play as they do in this process."""

from __future__ import annotations

import math
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemos import registry
from polemos.hosts import box, bundle, ours, specs
from polemos.hosts.bundle import bundled
from polemos.hosts.speaking import speak
from polemos.kernel.errors import BotFault
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playing import play
from polemos.search import player
from polemos.wire.bot import Budget, Hello, Result, Seen

GAME = registry.load("skerries")


def test_only_the_one_command_is_ours() -> None:
    command = specs.command_of("polemos bot skerries settler")
    assert command == specs.command_of("/anywhere/bin/polemos bot skerries settler")
    assert command is not None
    assert ours.named(command) == ("skerries", "settler")
    assert ours.named([*command, "--more"]) is None
    assert ours.named(["python3", "-m", "polemos", "games", "skerries", "settler"]) is None
    assert ours.shown(["/usr/bin/python3", "/bot/bot.py"], None) == []
    inside = [sys.executable, "-I", "-m", "polemos.hosts.speaking", "skerries", "settler"]
    assert sys.prefix in " ".join(ours.shown(inside, None))
    assert ours.shown([*inside, "--more"], None) == [], "nothing but our own code sees our Python"


@pytest.mark.parametrize("spec", ["polemos bot skerries nobody", "polemos bot nothing settler"])
def test_a_bot_that_is_not_there_is_refused_before_the_game(spec: str) -> None:
    with pytest.raises(BotFault, match="Skerries has no bot called"):
        specs.bundle_for(GAME, spec)


@pytest.mark.parametrize(
    ("name", "bot"),
    [
        pytest.param("demons", "champion", marks=pytest.mark.needs("demons")),
        pytest.param("monarchs", "champion", marks=pytest.mark.needs("monarchs")),
        pytest.param("monad", "level-3", marks=pytest.mark.needs("monad")),
        pytest.param("monad", "champion", marks=pytest.mark.needs("monad")),
        pytest.param("minions", "champion", marks=pytest.mark.needs("minions")),
    ],
)
def test_a_conversation_has_the_orders_of_the_bot(name: str, bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Views and settings come as JSON, and are the same to the bot."""
    monkeypatch.setattr(player, "SPARE", math.inf)  # a search on a busy machine is not stopped halfway
    monkeypatch.setattr(player, "MOST", math.inf)
    game = registry.load(name)
    match: AnyMatch = Match(game, game.examples[0], seed=4)
    seat = match.seats[0]
    hello = Hello(1, name, game.edition, seat, match.seats, 9, match.setting, Budget())
    said: list[dict[str, Any]] = []
    heard = [msgspec.json.encode(m) for m in (hello, Seen(1, match.view(seat), 0.2), Result(None))]
    speak(game, bot, heard, lambda line: said.append(msgspec.json.decode(line)))
    assert said[0]["type"] == "ready"
    alone = specs.make(game, bot, match.setting, seat, 9, seats=match.seats)
    written = [game.write(order) for order in alone.orders(match.view(seat), 0.2)]
    assert said[1:] == [{"type": "orders", "orders": written}]


def test_a_copy_of_an_old_python_is_not_cleared_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither when it has just been made, nor while a process that made it long ago goes on."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "shelves"))
    (tmp_path / "shelves").mkdir()
    python = tmp_path / "python"
    python.mkdir()
    (python / "lib.py").write_text("")
    os.utime(python, (0, 0))
    for _ in range(2):
        copy = ours._copied(python, os.getgid())
        bundle._clear(bundle.shelf(None))
        assert (copy / "lib.py").exists()
        os.utime(copy, (0, 0))  # days pass, and somebody clears
        assert ours._copied(python, os.getgid()) == copy
        bundle._clear(bundle.shelf(None))
        assert (copy / "lib.py").exists()
        shutil.rmtree(copy)  # as if it was too late


def test_scratch_space_does_not_hide_a_house_that_lies_below_it() -> None:
    words_of = bundled((sys.executable, "-I", "-m", "polemos.hosts.speaking", "skerries", "settler"), ())
    words = box._namespaces(words_of, Budget(), "/bot")
    assert words.index(box.SCRATCH) < words.index(sys.prefix)


@pytest.mark.slow
def test_in_the_box_it_plays_as_it_does_here() -> None:
    def played(spec: str, trust: bool) -> list[str]:
        match: AnyMatch = Match(GAME, {}, seed=3)
        patient = Budget(start=120.0, wall_extra=60.0)
        bots = {
            seat: specs.make(GAME, name, match.setting, seat, 5, seats=match.seats, trust=trust, budget=patient)
            for seat, name in zip(match.seats, (spec, "random"), strict=True)
        }
        try:
            play(match, bots)
        finally:
            specs.close(list(bots.values()), None)
        assert not match.outcome or "forfeit" not in match.outcome.reason
        return [step.digest for step in match.steps]

    here = played("settler", trust=False)
    assert played("polemos bot skerries settler", trust=False) == here
    assert played("polemos bot skerries settler", trust=True) == here


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("demons", marks=pytest.mark.needs("demons")),
        pytest.param("minions", marks=pytest.mark.needs("minions")),
        pytest.param("monad", marks=pytest.mark.needs("monad")),
        pytest.param("monarchs", marks=pytest.mark.needs("monarchs")),
    ],
)
def test_the_champion_of_every_game_orders_in_the_box(name: str) -> None:
    """Two steps; a fault would be an exception, and a strike a void line."""
    game = registry.load(name)
    match: AnyMatch = Match(game, game.examples[0], seed=3)
    seat, budget = match.seats[0], Budget(start=120.0, wall_extra=60.0)
    bot = specs.make(
        game, f"polemos bot {name} champion", match.setting, seat, 5, seats=match.seats, trust=False, budget=budget
    )
    ordered = 0
    try:
        for _ in range(2 if game.facts.simultaneous else 4):
            if seat in match.to_act:
                lines = list(bot.orders(match.view(seat), 5.0))
                assert match.submit(seat, lines).faults == ()
                ordered += len(lines)
            for other in match.to_act:
                if other != seat:
                    match.submit(other, [])
            match.run()
    finally:
        specs.close([bot], None)
    assert ordered > 0
