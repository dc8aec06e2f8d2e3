"""What options, alerts and views say beyond what is lawful: for people who choose."""

from __future__ import annotations

from typing import Any

from polemos.games.minions.game import GAME
from polemos.games.minions.units import in_words, reach
from polemos.kernel.match import AnyMatch, Match

SHORES = {"boards": 1, "maps": "Blackened Shores"}


def match_after(*turns: list[str], **options: Any) -> AnyMatch:
    match = Match(GAME, SHORES | options, seed=1)
    for lines in turns:
        match.submit(match.to_act[0], lines)
        match.run()
    return match


def figures(match: AnyMatch, text: str, draft: tuple[str, ...] = ()) -> dict[str, Any]:
    view = match.view(match.to_act[0])
    options = GAME.options(match.setting, view, [GAME.read(line) for line in draft])
    return next(option.figures for option in options if option.text == text)


def alerts(match: AnyMatch, *draft: str) -> list[tuple[str, str | None]]:
    view = match.view(match.to_act[0])
    found = GAME.alerts(match.setting, view, [GAME.read(line) for line in draft])
    return [(alert.rule, alert.where) for alert in found]


def test_a_purchase_says_where_the_unit_could_be_spawned() -> None:
    match = match_after([], money=9)
    # Blue's necromancer on h7 has its ring around it, so no hex is free before a Zombie has gone.
    assert figures(match, "1 buy Z") == {"price": 2, "hexes": []}
    assert figures(match, "1 buy Z", ("1 move h6-h5",))["hexes"] == ["h6"]


def test_a_move_says_whom_the_unit_could_attack_from_there() -> None:
    position = match_after(["1 move c3-c4"], [], ["1 move c4-c5"])
    assert "strikes" not in figures(position, "1 move h6-h5")  # Zombies are Lumbering


def test_alerts_are_those_after_the_draft() -> None:
    match = match_after([], money=2)
    assert alerts(match) == [("2.5", None), ("8.2", None)]
    assert alerts(match, "1 buy Z") == [("8.2", None)]
    assert alerts(match, "1 buy Z", "march") == []


def test_the_first_turn_has_nothing_to_spend_on() -> None:
    assert alerts(match_after(money=9)) == [("8.2", None)]


def test_a_view_says_what_each_side_would_get() -> None:
    match = match_after(["1 move b3-a4", "1 move c1-c0"])
    assert match.view("blue").boards[0].income == {"yellow": 5, "blue": 3}
    assert GAME.figures(match.setting, match.view("blue"))["income"] == {"yellow": 5.0, "blue": 3.0}
    assert match.view("blue").money["yellow"] == 5


def test_units_are_told_in_words() -> None:
    setting = match_after().setting
    rows = {row.name: row for row in setting.units}
    assert rows["Zombie"].words == "One attack of 1 damage. Moves or attacks, not both."
    assert rows["Warg"].reach == reach(rows["Warg"]) == 4
    assert rows["Wight"].reach == 2
    assert in_words(rows["Lich"]) == "One attack that destroys any unit but a necromancer."
    mounted = next(row for row in setting.necromancers if row.name == "Mounted")
    assert mounted.words.startswith("Never attacks.")
    assert mounted.reach == 0
    assert "Sends up to 2 enemies a turn" in rows["Sorcerer"].words
    assert "Up to 5 attacks of 1 damage" in rows["Rat"].words


def test_the_lines_of_a_draft_say_who_acts_and_what_comes_of_it() -> None:
    match = match_after(["1 move c1-c0"], money=9)
    lines = ["1 move i6-j6", "1 move h8-g9", "1 buy Z", "1 spawn Z i6", "march"]
    draft = [GAME.read(line) for line in lines]
    assert GAME.line_figures(match.setting, match.view("blue"), draft) == [
        {"unit": "Zombie"},
        {"unit": "Zombie"},
        {"unit": "Zombie", "price": 2},
        {"unit": "Zombie"},
        {"price": 0},
    ]
