"""What people are told beside the rules: money of an order, ranges, threats, figures for charts and music."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import pytest

from polemos.games.demons.game import GAME
from polemos.games.demons.rules.towers import in_range
from polemos.kernel.capabilities.advice import Alert
from polemos.kernel.match import AnyMatch, Match

RULES = ["classic", "finals-2025; quirks all", "finals-2025; quirks none"]


def _figures(position: str, text: str, draft: tuple[str, ...] = ()) -> dict[str, object]:
    state = GAME.read_position(position)
    orders = [GAME.read(line) for line in draft]
    listed = GAME.options(GAME.setting(state), GAME.observe(state, "red"), orders)
    return next(option.figures for option in listed if option.text == text)


def test_an_option_says_its_price_and_what_is_left() -> None:
    position = "map twin-gates; gold red 30; tower minigun red 0,1"
    assert _figures(position, "build cannon 0,2") == {"price": 10, "left": 20}
    assert _figures(position, "hire N", ("build cannon 0,2",)) == {"price": 20, "left": 0}
    assert _figures(position, "destroy 0,1") == {"back": 12, "left": 42}
    assert _figures(position, "hire N", ("destroy 0,1",)) == {"price": 20, "left": 22}


def test_a_line_says_its_money_beside_the_others() -> None:
    state = GAME.read_position("map twin-gates; gold red 30")
    draft = [GAME.read("build crossbow 0,2"), GAME.read("hire N")]
    figures = GAME.line_figures(GAME.setting(state), GAME.observe(state, "red"), draft)
    assert figures == [{"price": 8, "left": 2}, {"price": 20, "left": 2}]


def test_the_finals_give_back_the_whole_base_price() -> None:
    position = "map twin-gates; rules finals-2025; gold red 30; tower minigun red 0,1"
    assert _figures(position, "destroy 0,1") == {"back": 20, "left": 50}
    assert _figures(position, "provoke") == {"price": 5, "left": 25}


def test_what_is_left_is_what_the_turn_leaves() -> None:
    """The gold that an option promises is the gold after the turn, where no house pays."""
    position = "map twin-gates; no houses; gold red 30; tower crossbow red 0,1"
    state = GAME.read_position(position)
    listed = GAME.options(GAME.setting(state), GAME.observe(state, "red"))
    for option in {option.text.split()[0] + option.text.split()[1][:3]: option for option in listed}.values():
        match = Match(GAME, position=position)
        match.submit("red", [option.text])
        match.submit("blue", [])
        match.run()
        assert match.view("red").bases["red"].gold == option.figures["left"], option.text


@pytest.mark.parametrize("rules", RULES)
def test_the_guide_covers_what_can_be_shot(rules: str) -> None:
    for kind in ["crossbow", "cannon", "minigun"] + ["church"] * rules.startswith("finals"):
        position = f"map pinwheel; no houses; rules {rules}; tower {kind} red 8,4"
        state = GAME.read_position(position)
        guide = GAME.setting(state).guide
        assert guide is not None
        exits = {lane[0] for lane in GAME.setting(state).lanes}
        for i in range(state.path):
            x, y = state.tile[i].x, state.tile[i].y
            if (x, y) not in exits:
                there = GAME.read_position(f"{position}; merc blue {x},{y}")
                assert ((x - 8, y - 4) in guide.covers[kind]) == bool(in_range(there, 0, 0)), (kind, x, y)


@pytest.mark.parametrize("rules", RULES)
def test_a_tower_with_the_cooldown_of_the_guide_acts_this_turn(rules: str) -> None:
    guide = GAME.setting(GAME.read_position(f"map twin-gates; rules {rules}")).guide
    assert guide is not None
    for cooldown in (guide.ready, guide.ready + 1):
        position = f"map twin-gates; no houses; rules {rules}; tower house red 0,1 cd {cooldown}"
        match = Match(GAME, position=position)
        before = match.view("red").bases["red"].gold
        _pass(match)
        assert (match.view("red").bases["red"].gold > before) == (cooldown == guide.ready)


@pytest.mark.parametrize("rules", RULES)
def test_waves_come_as_often_as_the_guide_says(rules: str) -> None:
    match = Match(GAME, position=f"map twin-gates; rules {rules}; health red 9000 blue 9000")
    guide = match.setting.guide
    waves = []
    for turn in range(45):
        if match.view("red").portals[0].next_in == 0:
            waves.append(turn)
        _pass(match)
    assert {later - earlier for earlier, later in pairwise(waves)} == {guide.wave}


def _told(position: str, seat: str, *draft: str) -> list[Alert]:
    state = GAME.read_position(position)
    return GAME.alerts(GAME.setting(state), GAME.observe(state, seat), [GAME.read(line) for line in draft])


def _near(position: str, seat: str, *draft: str) -> Alert:
    """The alert about enemies near the base: the only one that is urgent."""
    [found] = [alert for alert in _told(position, seat, *draft) if alert.urgent]
    return found


def test_enemies_at_the_base_are_told_with_the_damage_they_will_do() -> None:
    position = "map twin-gates; merc blue 2,2; demon red 2,1 10; merc red 12,2; merc blue 5,1"
    # 5.4 The mercenary strikes the base, 5.7 for 7; 6.2 the demon behind it strikes the mercenary.
    near = _near(position, "red")
    assert near.text == "2 enemies at or near your base: 7 damage this turn, 7 more next turn unless you stop them."
    assert (near.rule, near.where) == ("5.4", "2,2")
    near = _near(position, "blue")
    assert near.text == "An enemy at your base: 7 damage this turn, 7 more next turn unless you stop it."
    assert near.means
    assert _told(position, "spectator") == []


def test_a_mercenary_that_would_meet_an_enemy_is_suggested_until_one_is_sent() -> None:
    position = "map twin-gates; gold red {}; demon red 2,2 10"
    assert _told(position.format(20), "red")[-1].text == "A mercenary sent north would fight it: 20 gold."
    assert _told(position.format(3), "red")[-1].text == "A mercenary sent north would fight it: 20 gold; you have 3."
    assert _told(position.format(20), "red", "hire n")[-1].urgent


def test_enemies_on_their_way_are_told_with_when_they_will_strike() -> None:
    near = _near("map twin-gates; merc blue 2,1 12", "red")  # 5.6 one step, then 5.4
    text = "An enemy close to your base, at 2,1 with 12 health: 7 damage next turn unless you stop it."
    assert near.text == text
    near = _near("map twin-gates; merc blue 3,1", "red")
    assert near.text == "An enemy close to your base, at 3,1 with 20 health: no damage this turn or next."


def test_what_the_sheet_orders_counts_in_the_warning() -> None:
    position = "map twin-gates; gold red 40; merc blue 2,1 1; tower crossbow red 1,1 cd 1"
    assert "no damage this turn or next" in _near(position, "red").text  # 8.2 it shoots this turn
    destroyed = _near(position, "red", "destroy 1,1").text
    assert destroyed.endswith(": 7 damage next turn unless you stop it.")


def test_a_base_that_will_fall_is_told() -> None:
    position = "map twin-gates; health red {} blue 100; merc blue 2,2"
    assert _near(position.format(7), "red").text.endswith(" Your base has 7 health and falls this turn.")
    assert _near(position.format(14), "red").text.endswith(" Your base has 14 health and falls next turn.")
    assert "falls" not in _near(position.format(15), "red").text


@pytest.mark.parametrize("rules", [*RULES, "classic; step builders"])
@pytest.mark.parametrize("seed", range(3))
def test_the_damage_told_for_this_turn_is_what_happens(rules: str, seed: int) -> None:
    """Whatever the other player orders."""
    match = Match(
        GAME, position=f"map hourglass; rules {rules}; health red 900 blue 900; gold red 200 blue 200", seed=seed
    )
    choose, hits = Random(seed), 0
    while match.view("red").turn < 60 and match.outcome is None:
        told = [alert for alert in GAME.alerts(match.setting, match.view("red")) if alert.urgent]
        damage = re.search(r"(\d+) damage this turn", told[0].text) if told else None
        turn, health = match.view("red").turn, match.view("red").bases["red"].health
        while match.view("red").turn == turn and match.outcome is None:
            for seat in match.to_act:
                listed = [option.text for option in GAME.options(match.setting, match.view(seat))]
                hires = [text for text in listed if text.startswith("hire")]
                match.submit(seat, choose.sample(hires, 1) if hires and seat == "blue" else [])
            match.run()
        lost = health - match.view("red").bases["red"].health
        assert lost == (int(damage[1]) if damage else 0)
        hits += lost > 0
    assert hits > 3


def test_figures_follow_the_game() -> None:
    calm = GAME.read_position("map twin-gates; tower house red 0,1; tower cannon red 0,2")
    tense = GAME.read_position("map twin-gates; merc blue 2,1; health red 40 blue 100")
    figures = GAME.figures(GAME.setting(calm), GAME.observe(calm, "spectator"))
    assert figures["worth"] == {"red": 30.0, "blue": 10.0}
    assert figures["income"] == {"red": 24.0, "blue": 12.0}
    assert figures["tension"] == {"red": 0.0, "blue": 0.0}
    figures = GAME.figures(GAME.setting(tense), GAME.observe(tense, "spectator"))
    assert figures["tension"] == {"red": 0.4, "blue": 0.0}


def _pass(match: AnyMatch) -> None:
    for seat in match.to_act:
        match.submit(seat, [])
    match.run()


def test_a_base_that_was_struck_harder_than_it_could_bear_has_no_health_left() -> None:
    match = Match(GAME, position="map twin-gates; health red 2 blue 100; merc blue 2,2")
    match.submit("red", [])
    match.submit("blue", [])
    match.run()
    view = match.view("red")
    assert view.bases["red"].health < 0
    assert GAME.figures(match.setting, view)["health"]["red"] == 0
