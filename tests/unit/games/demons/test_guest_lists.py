"""The order of the lists that guests of the original competition are told, against a small model of that order.

The original appended every unit to its list as it appeared and took the dead out at the start of the next turn: oldest
first, of one turn red before blue and then N, S, W, E, demons in the order of the spawners in the map file.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import pytest

from polemos.games.demons.game import GAME
from polemos.games.demons.ground import BadMap, load, read_map, write_map
from polemos.games.demons.guests import Competition
from polemos.games.demons.imagine import imagine
from polemos.games.demons.imports import import_json
from polemos.games.demons.state import PLAYERS, State
from polemos.kernel.chronicle import Event
from polemos.kernel.dice import chance_of, derive
from polemos.kernel.log import Log
from polemos.kernel.positions import load_position, position_of
from unit.games.demons.old_maps import MAPS, file

pytestmark = pytest.mark.slow

Place = tuple[int, int]


class Born(NamedTuple):
    """A unit of the model, which sorts as the original listed it."""

    turn: int
    group: int  # 0 for red and for demons, 1 for blue
    way: int  # N, S, W, E from its base; for a demon the number of its spawner
    kind: str
    side: str


class Model:
    """Follows the umpire's events and lists units as the original did."""

    def __init__(self, spawners: Sequence[Place]) -> None:
        self.spawners = list(spawners)
        self.units: dict[Place, Born] = {}
        self.dead: list[tuple[Born, Place]] = []
        self.stillborn: list[tuple[Born, Place]] = []  # appeared and died in one turn

    def see(self, turn: int, events: Sequence[Event]) -> None:
        self.dead, self.stillborn = [], []
        for kind, group in groupby(events, key=lambda event: event.kind):
            happened: list[Any] = list(group)
            match kind:
                case "moved":
                    for _, sort in groupby(happened, key=lambda event: event.unit):
                        self.units |= {event.to: self.units.pop(event.at) for event in sort}
                case "fell":
                    for event in happened:
                        born = self.units.pop(event.at)
                        (self.stillborn if born.turn == turn else self.dead).append((born, event.at))
                case "banished":
                    self.units = {place: born for place, born in self.units.items() if born.kind != "demon"}
                case "arrived":
                    for event in happened:
                        group_, way = PLAYERS.index(event.side), "NSWE".index(event.direction)
                        self.units[event.at] = Born(turn, group_, way, "mercenary", event.side)
                case "demon arrived":
                    for event in happened:
                        self.units[event.at] = Born(turn, 0, self.spawners.index(event.at), "demon", event.side)

    def listed(self, kind: str) -> list[tuple[str, int, int, bool]]:
        """Team, place and whether it is dead. Nobody can see a mercenary that appeared and died in one turn."""
        entries = [(born, place, False) for place, born in self.units.items()]
        entries += [(born, place, True) for born, place in self.dead]
        entries += [(born, place, True) for born, place in self.stillborn if born.kind == "demon"]
        return [(born.side[0], *place, dead) for born, place, dead in sorted(entries) if born.kind == kind]


def told_as(units: list[dict[str, Any]]) -> list[tuple[str, int, int, bool]]:
    return [(unit["Team"], unit["x"], unit["y"], unit["State"] == "dead") for unit in units]


class Player:
    """Builds, hires and provokes at random, in the words of the competition, and rarely what cannot be."""

    def __init__(self, colour: str, seed: int) -> None:
        self.colour, self.dice = colour, random.Random(f"{seed} {colour}")

    def answer(self, told: dict[str, Any]) -> str:
        dice, grid, base = self.dice, told["EntityGrid"], told[f"PlayerBase{self.colour.upper()}"]
        free = [
            (x, y)
            for y, row in enumerate(told["FloorTiles"])
            for x, tile in enumerate(row)
            if tile == self.colour and not grid[y][x]
        ]
        x, y = dice.choice(free) if free else (0, 0)
        steps = {"N": (0, -1), "S": (0, 1), "W": (-1, 0), "E": (1, 0)}
        ways = [way for way, (dx, dy) in steps.items() if self.is_path(told, base["x"] + dx, base["y"] + dy)]
        return json.dumps(
            {
                "action": "build" if free and dice.random() < 0.4 else "nothing",
                "x": x,
                "y": y,
                "tower_type": dice.choice(["house", "crossbow", "cannon", "minigun"]),
                "merc_direction": dice.choice(ways) if base["Money"] >= 20 else "",
                "provoke_demons": dice.random() < 0.1,
            }
        )

    @staticmethod
    def is_path(told: dict[str, Any], x: int, y: int) -> bool:
        floor = told["FloorTiles"]
        return 0 <= y < len(floor) and 0 <= x < len(floor[y]) and floor[y][x] == "O"


def play(options: dict[str, Any], seed: int, spawners: Sequence[Place]) -> dict[str, int]:
    """A game of two such players; what both are told is compared with the model every turn. Counts what occurred."""
    return follow(GAME.setup(options, seed), seed, Model(spawners))


def follow(state: State, seed: int, model: Model, answer: str = "") -> dict[str, int]:
    chance, log = chance_of(derive(seed, "chance")), Log(limit=8192)
    guests = {seat: Competition(GAME.setting(state), seat, PLAYERS, 0) for seat in PLAYERS}
    players = {seat: Player(seat[0], seed) for seat in PLAYERS}
    seen = {"dead": 0, "stillborn": 0, "born together": 0, "banished": 0}
    while GAME.outcome(state) is None:
        sheets = {}
        for seat in PLAYERS:
            told, orders = turn(guests[seat], players[seat], state, seat, answer)
            assert [(gate["x"], gate["y"]) for gate in told["DemonSpawners"]] == model.spawners
            assert told_as(told["Mercenaries"]) == model.listed("mercenary"), (state.turn, seat)
            assert told_as(told["Demons"]) == model.listed("demon"), (state.turn, seat)
            sheets[seat] = GAME.check(state, seat, orders)
        log.count, now = 0, state.turn
        GAME.resolve(state, sheets, chance, log)
        events = GAME.chronicle.read(state, log.written())
        model.see(now, events)
        births = [event.kind for event in events if event.kind in ("arrived", "demon arrived")]
        seen["dead"] += len(model.dead)
        seen["stillborn"] += sum(born.kind == "demon" for born, _ in model.stillborn)
        seen["born together"] += max(births.count(kind) for kind in ("arrived", "demon arrived")) > 1
        seen["banished"] += any(event.kind == "banished" for event in events)
    return seen


def turn(
    guest: Competition, player: Player, state: State, seat: str, answer: str
) -> tuple[dict[str, Any], Sequence[object]]:
    talk = guest.turn(GAME.observe(state, seat), 1.0)
    told: dict[str, Any] = json.loads(next(talk) or "")
    first = next(talk) == "--END INITIAL GAME STATE--"
    try:
        assert next(talk) is None
        if first:
            talk.send("Team")
        talk.send(answer or player.answer(told))
    except StopIteration as end:
        return told, end.value
    raise AssertionError("one answer a turn")


def spawners_of(text: str) -> list[Place]:
    return [(gate["x"], gate["y"]) for gate in json.loads(text)["DemonSpawners"]]


@pytest.mark.parametrize("name", MAPS)
def test_lists_are_in_the_order_of_the_original_on_its_own_maps(name: str) -> None:
    text = file(name)
    total = 0
    for seed in range(3):
        seen = play({"rules": "finals-2025", "map": text, "turns": 120}, seed, spawners_of(text))
        assert seen["born together"]
        total += seen["dead"]
    assert total > 0


@pytest.mark.parametrize("name", ["twin-gates", "pinwheel", "serpent", "hornets", "three-bridges"])
@pytest.mark.parametrize("rules", ["classic", "finals-2025"])
def test_lists_are_in_the_order_of_the_original_on_our_maps(name: str, rules: str) -> None:
    options = {"rules": rules, "map": name, "turns": 120}
    gates = [(gate.x, gate.y) for gate in load(name).portals]
    assert sum(play(options, seed, gates)["dead"] for seed in range(4)) > 0


STRIP = "rows rrrrr...bbbbb/RoooooooooooB/rrrrr...bbbbb; symmetry mirror-x; rules finals-2025; portal 6,1 red fixed"
PASS = '{"action": "nothing", "x": 0, "y": 0}'


def test_a_demon_shot_on_its_portal_is_listed_once() -> None:
    """Six ready crossbows take 24 from the demon of 15 that appears on turn 10."""
    guns = "; ".join(f"tower crossbow red {x},{y} cd 0" for x in (2, 3, 4) for y in (0, 2))
    state = GAME.read_position(f"{STRIP}; turn 9/20; portal 6,1 reload 1; {guns}")
    assert follow(state, 0, Model([(6, 1)]), PASS)["stillborn"] == 1


def test_demons_that_both_have_banished_are_not_listed_as_dead() -> None:
    """The original took the dead out of its lists after provoking, before the turn of the mercenaries."""
    state = GAME.read_position(
        f"{STRIP}; turn 3/6; gold red 100 blue 100; demon red 5,1 20; merc red 3,1 20; merc blue 9,1 20"
    )
    model = Model([(6, 1)])
    model.units = {
        (5, 1): Born(0, 0, 0, "demon", "red"),
        (3, 1): Born(1, 0, 3, "mercenary", "red"),
        (9, 1): Born(1, 1, 2, "mercenary", "blue"),
    }
    assert follow(state, 0, model, PASS[:-1] + ', "provoke_demons": true}')["banished"] > 0


def test_a_provocation_that_nobody_can_pay_banishes_nobody() -> None:
    """The demon dies in a fight on the turn in which red asks for what it cannot pay."""
    state = GAME.read_position(f"{STRIP}; turn 3/6; gold red 4 blue 0; demon red 5,1 10; merc red 4,1 20")
    guest = Competition(GAME.setting(state), "red", PLAYERS, 0)
    player, provoke = Player("r", 0), PASS[:-1] + ', "provoke_demons": true}'
    turn(guest, player, state, "red", provoke)
    GAME.resolve(state, {}, chance_of("00" * 32), Log(limit=8192))
    told, _ = turn(guest, player, state, "red", PASS)
    assert told_as(told["Demons"]) == [("r", 5, 1, True)]


def test_a_single_provocation_banishes_nobody() -> None:
    """The demon dies in a fight on the turn in which red alone provokes, and is listed as dead where it fell."""
    state = GAME.read_position(f"{STRIP}; turn 3/6; gold red 100; demon red 5,1 10; merc red 4,1 20")
    guest = Competition(GAME.setting(state), "red", PLAYERS, 0)
    player = Player("r", 0)
    provoke = PASS[:-1] + ', "provoke_demons": true}'
    _, orders = turn(guest, player, state, "red", provoke)
    GAME.resolve(state, {"red": GAME.check(state, "red", orders)}, chance_of("00" * 32), Log(limit=8192))
    told, _ = turn(guest, player, state, "red", PASS)
    assert told_as(told["Demons"]) == [("r", 5, 1, True), ("r", 6, 1, False)]


# ---- the order of the map file


def test_a_map_keeps_the_order_of_its_spawners() -> None:
    """On map3 the file names the spawner in the east first."""
    ground = import_json(file("map3"))
    assert [(gate.x, gate.y) for gate in ground.portals] == [(9, 4), (7, 4)]
    assert "portals: 9,4 7,4\n" in write_map(ground)
    assert read_map(write_map(ground)) == ground


def test_a_map_in_reading_order_says_nothing_about_it() -> None:
    assert "portals:" not in write_map(import_json(file("map0")))
    assert "portals:" not in write_map(read_map("portals: 4,1 8,1\nrrrrr...bbbbb\nRooouooovoooB\nrrrrr...bbbbb"))


@pytest.mark.parametrize("order", ["4,1", "4,1 4,1", "4,1 8,1 5,1", "8,1 5,1", "one two", "8,1,4,1", ""])
def test_an_order_that_is_not_one_of_all_portals_is_refused(order: str) -> None:
    text = f"portals: {order}\nrrrrr...bbbbb\nRooouooovoooB\nrrrrr...bbbbb"
    with pytest.raises(BadMap, match="portals"):
        read_map(text)


def test_positions_and_views_keep_the_order() -> None:
    state = GAME.setup({"rules": "finals-2025", "map": file("map3")}, 0)
    assert load_position(GAME, position_of(GAME, state)) == state
    assert imagine(GAME.setting(state), GAME.observe(state, "red")) == state
    assert GAME.setup(GAME.options_of(state), 5) == state
