"""The public maps of the original competition play under the rules of its finals; unfair ones with a warning."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from polemos.cli.main import polemos
from polemos.games.demons.bots import BOTS
from polemos.games.demons.game import GAME
from polemos.games.demons.ground import BadMap
from polemos.kernel import replay
from polemos.kernel.match import Match
from polemos.kernel.playing import play
from polemos.kernel.positions import load_position, position_of
from polemos.wire.adjudicate import answer
from unit.games.demons.old_maps import MAPS, file

each_map = pytest.mark.parametrize("name", MAPS)


@each_map
def test_the_figures_are_those_of_the_competition(name: str) -> None:
    """Or the maps here would be others than the public ones."""
    floor = "".join(json.loads(file(name))["FloorTiles"])
    assert tuple(Counter(floor)[letter] for letter in "rbO") == MAPS[name].tiles


@each_map
def test_it_plays_to_the_end_and_again(name: str, tmp_path: Path) -> None:
    match = Match(GAME, {"rules": "finals-2025", "map": file(name), "turns": 60}, seed=name)
    bots = {seat: BOTS[bot](match.setting, seat, 1) for seat, bot in (("red", "keeper"), ("blue", "rusher"))}
    play(match, bots)
    replay.write(tmp_path / "old.jsonl.gz", match, {"red": "keeper", "blue": "rusher"})
    assert replay.verify(replay.read(tmp_path / "old.jsonl.gz"), GAME) == len(match.steps)
    assert load_position(GAME, position_of(GAME, match.state)) == match.state
    assert GAME.setup(match.options, 0) == GAME.setup(match.options, 1), "the map in full, with nothing left to draw"


@each_map
def test_unfair_ones_are_warned_of(name: str) -> None:
    cautions = GAME.cautions(GAME.setup({"rules": "finals-2025", "map": file(name)}, 0))
    assert bool(cautions) != MAPS[name].fair
    assert all("not fair" in caution and "Rule 1." in caution for caution in cautions)


@each_map
def test_players_of_an_unfair_one_are_told_before_their_first_orders(name: str) -> None:
    match = Match(GAME, {"rules": "finals-2025", "map": file(name)}, seed=1)
    told = [alert.text for alert in GAME.alerts(match.setting, match.view("red")) if "not fair" in alert.text]
    assert bool(told) != MAPS[name].fair
    match.run()
    assert not any("not fair" in alert.text for alert in GAME.alerts(match.setting, match.view("red")))


def test_the_rules_of_the_seed_want_a_fair_map() -> None:
    assert GAME.cautions(GAME.setup({"map": file("map0")}, 0)) == []
    with pytest.raises(BadMap, match="not fair"):
        GAME.setup({"map": file("map_tubular")}, 0)


@pytest.mark.parametrize("name", ["map5", "map_tubular"])
def test_a_file_is_read_at_the_terminal(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.json"
    path.write_text(file(name))
    options = ["-o", f"map=@{path}", "-o", "rules=finals-2025", "-o", "turns=9"]
    result = CliRunner().invoke(polemos, ["match", "demons", "keeper", "random", "--seed", "1", *options])
    assert result.exit_code == 0, result.output
    assert "1 game, 1 distinct" in result.output
    assert ("The map is not fair." in result.output) != MAPS[name].fair


def test_adjudicate_takes_the_text_of_a_file() -> None:
    request = {"setup": {"rules": "finals-2025", "map": file("map_mondo")}, "fields": ["text"]}
    assert "rows " in json.loads(answer(GAME, json.dumps(request).encode()))["text"]


HOSTILE = {
    "empty object": ("{}", "FloorTiles must be a list"),
    "cut off": ('{"FloorTiles": [', "JSON"),
    "deep": ("[" * 50_000 + "{", "There is no map called|JSON"),
    "deep object": ('{"a":' * 20_000, "JSON"),
    "long": ('{"FloorTiles": ["' + "O" * 300_000 + '"]}', "at most"),
    "numbers": ('{"FloorTiles": 7}', "FloorTiles must be a list"),
    "half a character": ('{"FloorTiles": ["\\ud800"]}', "FloorTiles"),
    "not a number": ('{"FloorTiles": ["O"], "PlayerBaseR": {"x": NaN, "y": 1e999}}', "whole numbers"),
    "twice": ('{"FloorTiles": ["OOO"], "FloorTiles": ["ooo"]}', "tile"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_refused_in_words(what: str, tmp_path: Path) -> None:
    text, words = HOSTILE[what]
    path = tmp_path / "hostile.json"
    path.write_text(text)
    result = CliRunner().invoke(polemos, ["draw", "demons", "-o", f"map=@{path}", "-o", "rules=finals-2025"])
    assert result.exit_code != 0
    said = f"{result.exception} {result.output}"
    assert any(word in said for word in words.split("|")), said[:300]
    assert "Traceback" not in said
    assert len(said) < 1000


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(polemos, ["draw", "demons", "-o", f"map=@{tmp_path}/none.json"])
    assert result.exit_code != 0
    assert "none.json" in f"{result.exception} {result.output}"
