"""Whole games with guests of the original competition, on both rule sets and from both sides."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from guests.demons.builder import Player
from polemos.games.demons.bots import BOTS
from polemos.games.demons.game import GAME
from polemos.games.demons.guests import Competition
from polemos.games.demons.state import KINDS, PLAYERS, TOWERS, State
from polemos.hosts import specs
from polemos.kernel import replay
from polemos.kernel.chronicle import Event
from polemos.kernel.dice import chance_of, derive, number
from polemos.kernel.log import Log
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playing import play as play_match
from polemos.wire.bot import Budget

pytestmark = pytest.mark.slow

GUESTS = Path(__file__).parents[3] / "guests" / "demons"
FINALS = {"rules": "finals-2025"}

on_both_rule_sets = pytest.mark.parametrize("rules", ["classic", "finals-2025"])
from_both_sides = pytest.mark.parametrize("seat", PLAYERS)


# ---- what is told against what is


class Follower:
    """Who is who by the umpire's own events, and whether the names that were told agree."""

    def __init__(self) -> None:
        self.units: dict[tuple[int, int], tuple[int, str]] = {}  # place to number and kind
        self.told: dict[int, str] = {}  # number to name
        self.count = 0

    def see(self, events: Sequence[Event]) -> None:
        for kind, group in groupby(events, key=lambda event: event.kind):
            happened: list[Any] = list(group)
            match kind:
                case "moved":  # all of a sort at once
                    for _, sort in groupby(happened, key=lambda event: event.unit):
                        self.units |= {event.to: self.units.pop(event.at) for event in sort}
                case "fell":
                    for event in happened:
                        del self.units[event.at]
                case "banished":
                    self.units = {place: who for place, who in self.units.items() if who[1] != "demon"}
                case "arrived" | "demon arrived":
                    for event in happened:
                        assert event.at not in self.units
                        self.count += 1
                        self.units[event.at] = (self.count, "mercenary" if kind == "arrived" else "demon")

    def agree(self, told: dict[str, Any]) -> None:
        """The same units at the same places, each with one name for life; the dead exactly once."""
        listed = {"mercenary": told["Mercenaries"], "demon": told["Demons"]}
        units = [(kind, unit) for kind, list_ in listed.items() for unit in list_]
        living = {(unit["x"], unit["y"]): (kind, unit["Name"]) for kind, unit in units if unit["State"] != "dead"}
        assert {place: kind for place, (kind, _) in living.items()} == {
            place: kind for place, (_, kind) in self.units.items()
        }
        before, self.told = self.told, {self.units[place][0]: name for place, (_, name) in living.items()}
        assert all(self.told[who] == before[who] for who in self.told.keys() & before.keys())
        assert {before[who] for who in before.keys() - self.told.keys()} == {
            unit["Name"] for _, unit in units if unit["State"] == "dead"
        }
        names = [unit["Name"] for _, unit in units]
        assert len(set(names)) == len(names)


def agree(told: dict[str, Any], state: State) -> None:
    """Everything that a state of ours and one of theirs both have."""
    assert (told["CurrentTurn"], told["TurnsRemaining"]) == (state.turn, state.turns - state.turn)
    names = {}
    for player, letter in enumerate("RB"):
        base = told[f"PlayerBase{letter}"]
        assert (base["Health"], base["Money"]) == (state.health[player], state.gold[player])
        prices = told[f"TowerPrices{letter}"]
        for kind in range(KINDS):
            price = state.price[player * KINDS + kind]
            assert prices[TOWERS[kind].capitalize()] == (price or 2**31 - 1)
    assert (told["RedTeamMoney"], told["BlueTeamMoney"]) == (state.gold[0], state.gold[1])
    assert len(told["Towers"]) == state.towers
    for i, tower in enumerate(told["Towers"]):
        ours, tile = state.tower[i], state.tile[state.tower[i].tile]
        assert (tower["x"], tower["y"], tower["Team"]) == (tile.x, tile.y, "rb"[ours.owner])
        assert tower["Type"].lower() == TOWERS[ours.kind]
        names[tile.x, tile.y] = tower["Name"]
    units = {(u["x"], u["y"]): u for u in told["Mercenaries"] + told["Demons"] if u["State"] != "dead"}
    assert len(units) == state.units
    for i in range(state.units):
        unit, tile = state.unit[i], state.tile[state.unit[i].tile]
        theirs = units[tile.x, tile.y]
        assert (theirs["Health"], theirs["Damage"], theirs["Team"]) == (unit.health, unit.damage, "rb"[unit.kind % 2])
        names[tile.x, tile.y] = theirs["Name"]
    grid = {(x, y): name for y, row in enumerate(told["EntityGrid"]) for x, name in enumerate(row) if name}
    assert grid == names
    assert len(set(grid.values())) == len(grid)


def play(options: dict[str, Any], seat: str, foe: str, seed: int) -> State:
    """A game of the sound guest against a bot of ours; what it is told is compared with the truth every turn."""
    state = GAME.setup(options, seed)
    chance, log = chance_of(derive(seed, "chance")), Log(limit=8192)
    dialect, player, follower = Competition(GAME.setting(state), seat, PLAYERS, 0), Player(seat[0]), Follower()
    other = "blue" if seat == "red" else "red"
    bot = BOTS[foe](GAME.setting(state), other, number(seed, other))
    begun = False
    while GAME.outcome(state) is None:
        talk = dialect.turn(GAME.observe(state, seat), 1.0)
        try:
            told = json.loads(next(talk) or "")
            agree(told, state)
            follower.agree(told)
            assert next(talk) == ("--END OF TURN--" if begun else "--END INITIAL GAME STATE--")
            assert next(talk) is None
            if not begun:
                assert talk.send("Team") is None
            begun = True
            talk.send(json.dumps(player.action(told)))
            raise AssertionError("one answer a turn")
        except StopIteration as end:
            orders = end.value
        sheets = {seat: GAME.check(state, seat, orders)}
        sheets[other] = GAME.check(state, other, bot.orders(GAME.observe(state, other), 1.0))
        assert sheets[seat].faults == (), (state.turn, orders)
        log.count = 0
        GAME.resolve(state, sheets, chance, log)
        follower.see(GAME.chronicle.read(state, log.written()))
    return state


@on_both_rule_sets
@from_both_sides
@pytest.mark.parametrize("foe", BOTS)
def test_what_is_told_is_true_and_what_is_ordered_is_lawful(rules: str, seat: str, foe: str) -> None:
    for seed, name in enumerate(("twin-gates", "pinwheel", "serpent", "random")):
        play({"rules": rules, "map": name, "turns": 150}, seat, foe, seed)


@on_both_rule_sets
@from_both_sides
def test_games_of_full_length(rules: str, seat: str) -> None:
    state = play({"rules": rules, "map": "serpent"}, seat, "keeper", 5)
    assert state.turn == state.turns == (1000 if rules == "classic" else 300)


def test_a_state_does_not_grow() -> None:
    """In the original the targets of a minigun were listed again and again, 89 kB by the end."""
    guns = "; ".join(f"tower minigun red {x},{y} cd 0" for x in range(5) for y in (0, 2))
    strip = "rows rrrrr...bbbbb/RoooooooooooB/rrrrr...bbbbb; symmetry mirror-x; rules finals-2025"
    state = GAME.read_position(f"{strip}; {guns}; merc red 5,1 30000; merc blue 6,1 30000")
    dialect, sizes = Competition(GAME.setting(state), "red", PLAYERS, 0), []
    for _ in range(250):
        sizes.append(len(next(dialect.turn(GAME.observe(state, "red"), 1.0)) or ""))
        GAME.resolve(state, {}, chance_of("00" * 32), Log(limit=8192))
    assert state.units == 2
    assert max(sizes) - min(sizes) < 30


# ---- programs


def game(
    name: str, seat: str, options: dict[str, Any], *, foe: str = "keeper", budget: Budget | None = None
) -> AnyMatch:
    """A game of a program under tests/guests against a bot of ours."""
    match = Match(GAME, options, seed=7)
    guest = f"competition:{GUESTS / name}.py"
    bots = {
        each: specs.make(
            GAME, guest if each == seat else foe, match.setting, each, 1, seats=PLAYERS, budget=budget, trust=True
        )
        for each in PLAYERS
    }
    try:
        play_match(match, bots)
    finally:
        specs.close(list(bots.values()), match.outcome)
    return match


def lines(match: AnyMatch, seat: str) -> list[tuple[str, ...] | None]:
    return [step.orders[seat] for step in match.steps]


@on_both_rule_sets
@from_both_sides
def test_a_sound_guest_plays_to_the_end_without_a_void_line(rules: str, seat: str) -> None:
    match = game("builder", seat, {"rules": rules})
    assert match.outcome is not None
    assert match.outcome.reason != "the other dropped out"
    assert not any(step.forfeits or step.strikes or step.faults.get(seat) for step in match.steps)
    words = {line.split()[0] for sheet in lines(match, seat) for line in sheet or ()}
    assert {"build", "hire"} <= words


@from_both_sides
def test_a_guest_decides_once_where_others_decide_twice(seat: str) -> None:
    match = game("builder", seat, {"decisions": "two", "turns": 60, "map": "serpent"})
    assert not any(step.forfeits or step.strikes or step.faults.get(seat) for step in match.steps)
    words = [{line.split()[0] for line in sheet or ()} for sheet in lines(match, seat)]
    assert (set().union(*words[::2]), set().union(*words[1::2])) == ({"build"}, {"hire"})


@from_both_sides
def test_a_guest_may_flood_its_log(seat: str) -> None:
    match = game("flood", seat, {**FINALS, "turns": 20})
    assert lines(match, seat) == [()] * 20
    assert not any(step.forfeits for step in match.steps)


@from_both_sides
def test_what_a_guest_says_besides_shifts_nothing(seat: str) -> None:
    match = game("chatty", seat, {"turns": 20})
    assert lines(match, seat) == [(f"destroy {turn},0",) for turn in range(len(match.steps))]
    assert len(match.steps) > 5


@from_both_sides
def test_a_guest_that_dies_drops_out_of_a_classic_game(seat: str) -> None:
    match = game("mortal", seat, {})
    assert len(match.steps) == 3
    assert "crash: exit code 1: an error of its own" in str(match.steps[2].forfeits[seat])
    assert match.outcome is not None
    assert match.outcome.winner not in (seat, None)


@from_both_sides
def test_in_the_finals_a_guest_that_dies_passes_while_its_towers_fight_on(seat: str, tmp_path: Path) -> None:
    """Its crossbows, built before it died, still shoot at the last demons that come for it."""
    match = game("heir", seat, {**FINALS, "map": "serpent", "turns": 60}, foe="random")
    steps = match.steps
    assert len(steps) == 60
    assert not any(step.forfeits or step.strikes for step in steps)
    assert match.outcome is not None
    assert match.outcome.reason != "the other dropped out"
    dead = [(step.step, str(why)) for step in steps for who, why in step.gone.items() if who == seat]
    assert dead == [(6, "crash: exit code 1: an error of its own")]
    assert lines(match, seat)[5:] == [()] * 55
    assert all(step.cpu[seat] == 0 for step in steps[6:])
    happened: list[list[Any]] = list(match.happened)
    shots = [
        number
        for number, events in enumerate(happened, 1)
        if any(event.kind == "shot" and event.side == seat for event in events)
    ]
    assert max(shots) > 20
    file = tmp_path / "heir.jsonl.gz"
    replay.write(file, match, dict.fromkeys(PLAYERS, "heir"))
    again = replay.read(file)
    assert replay.verify(again, GAME) == 60
    assert again.steps[5].gone == steps[5].gone


def test_a_guest_that_is_silent_drops_out_of_a_classic_game() -> None:
    match = game("silent", "red", {}, budget=Budget(bank=0.5, wall_factor=1.0, wall_extra=0.0))
    assert len(match.steps) == 1
    assert match.steps[0].forfeits["red"].kind == "late"


def test_in_the_finals_a_guest_that_is_silent_passes() -> None:
    budget = Budget(bank=0.5, wall_factor=1.0, wall_extra=0.0)
    match = game("silent", "red", {**FINALS, "turns": 5}, budget=budget)
    assert [step.gone.keys() for step in match.steps] == [{"red"}, *[set()] * 4]
    assert match.steps[0].gone["red"].kind == "late"


def test_in_the_finals_a_guest_that_never_speaks_passes() -> None:
    match = game("stillborn", "blue", {**FINALS, "turns": 5}, foe="random")
    assert len(match.steps) == 5
    assert match.steps[0].gone["blue"].kind == "crash"


@on_both_rule_sets
def test_a_guest_that_is_rude_plays_on(rules: str) -> None:
    match = game("rude", "blue", {"rules": rules, "turns": 26, "map": "serpent"}, foe="random")
    assert not any(step.forfeits or step.strikes for step in match.steps)
    assert len(match.steps) == 26
    assert not any(
        sheet and step.faults["blue"] == () for step, sheet in zip(match.steps, lines(match, "blue"), strict=True)
    )
