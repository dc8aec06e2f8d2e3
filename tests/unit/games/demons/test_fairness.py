"""2.3 Mirror the board, swap the colours, and every state is the mirrored one; 1.6 waves are split evenly."""

from __future__ import annotations

import os
import random

import pytest

from polemos.games.demons.game import GAME
from polemos.games.demons.ground import Ground, shipped
from polemos.games.demons.notation import Build, Destroy, Hire, Order
from polemos.games.demons.setup import ground_in
from polemos.games.demons.view import View
from polemos.kernel.match import AnyMatch, Match

pytestmark = pytest.mark.slow

# Games a map. POLEMOS_FAIRNESS=264 makes five thousand of them.
GAMES = int(os.environ.get("POLEMOS_FAIRNESS", "3"))
SWAPPED = {"red": "blue", "blue": "red"}


def mirrored_order(ground: Ground, order: Order) -> Order:
    if isinstance(order, Build):
        return Build(order.tower, *ground.image(order.x, order.y))
    if isinstance(order, Destroy):
        return Destroy(*ground.image(order.x, order.y))
    if isinstance(order, Hire):
        return Hire(ground.turned(order.direction))
    return order


def seen(view: View) -> tuple[object, ...]:
    """All that a view shows, in an order that does not depend on the board."""
    return (
        view.turn,
        {name: (base.gold, base.health, base.queued) for name, base in view.bases.items()},
        sorted((t.kind, t.owner, t.x, t.y, t.cooldown) for t in view.towers),
        sorted((u.kind, u.side, u.x, u.y, u.health, u.damage, u.state) for u in view.units),
        sorted((p.x, p.y, p.queued, p.target, p.health) for p in view.portals),
    )


def mirrored(ground: Ground, view: View) -> tuple[object, ...]:
    """The same, as it would look with the colours swapped."""
    return (
        view.turn,
        {
            SWAPPED[name]: (base.gold, base.health, {ground.turned(d): n for d, n in base.queued.items()})
            for name, base in view.bases.items()
        },
        sorted((t.kind, SWAPPED[t.owner], *ground.image(t.x, t.y), t.cooldown) for t in view.towers),
        sorted((u.kind, SWAPPED[u.side], *ground.image(u.x, u.y), u.health, u.damage, u.state) for u in view.units),
        sorted((*ground.image(p.x, p.y), p.queued, SWAPPED[p.target], p.health) for p in view.portals),
    )


def random_sheet(match: AnyMatch, seat: str, dice: random.Random) -> list[Order]:
    draft: list[Order] = []
    for _ in range(2):
        options = GAME.options(match.setting, match.view(seat), draft)
        if options and dice.random() < 0.6:
            draft.append(GAME.read(dice.choice(options).order))
    return draft


@pytest.mark.parametrize("name", [*shipped(), *(f"random {n}" for n in range(6))])
def test_swapping_colours_and_mirroring_the_board_mirrors_every_state(name: str) -> None:
    random_map = name.startswith("random")
    for seed in range(GAMES):
        options = {"map": "random" if random_map else name, "turns": 150 if seed == 0 else 60}
        dice = random.Random(seed)
        state = GAME.setup({**options, "first": "red"}, f"{name}{seed}")
        ground = ground_in(state)
        rows = GAME.options_of(state)["map"]
        match = Match(GAME, {"map": rows, "turns": options["turns"], "first": "red"})
        twin = Match(GAME, {"map": rows, "turns": options["turns"], "first": "blue"})
        assert seen(twin.view("umpire")) == mirrored(ground, match.view("umpire"))
        while match.outcome is None:
            for seat in ("red", "blue"):
                sheet = random_sheet(match, seat, dice)
                match.submit(seat, sheet)
                twin.submit(SWAPPED[seat], [mirrored_order(ground, order) for order in sheet])
            match.run()
            twin.run()
            assert seen(twin.view("umpire")) == mirrored(ground, match.view("umpire"))
        assert twin.outcome is not None
        assert twin.outcome.winner == SWAPPED.get(match.outcome.winner or "")
        assert twin.outcome.reason == match.outcome.reason


@pytest.mark.parametrize("name", shipped())
def test_the_first_wave_is_split_as_evenly_as_the_portals_allow(name: str) -> None:
    for seed in range(8):
        match = Match(GAME, {"map": name}, seed=seed)
        match.run()
        sides = [unit.side for unit in match.view("umpire").units if unit.kind == "demon"]
        assert abs(sides.count("red") - sides.count("blue")) <= len(sides) % 2


@pytest.mark.parametrize("name", shipped())
def test_random_play_keeps_its_invariants(name: str) -> None:
    """2.5, 3.1, 5.4 One unit a tile, no debts, nobody without health, nobody beside the base it attacks."""
    dice = random.Random(name)
    match = Match(GAME, {"map": name, "turns": 200}, seed=name)
    while match.outcome is None:
        for seat in ("red", "blue"):
            assert not match.submit(seat, random_sheet(match, seat, dice)).faults
        match.run()
        view = match.view("umpire")
        places = [(unit.x, unit.y) for unit in view.units]
        assert len(places) == len(set(places))
        assert all(unit.health > 0 for unit in view.units)
        assert all(base.gold >= 0 for base in view.bases.values())
        if match.outcome is None:
            assert GAME.read_position(GAME.write_position(match.state)) == match.state


def test_relative_words_mean_the_same_to_both_players() -> None:
    for name in shipped():
        match = Match(GAME, {"map": name})
        words = match.setting.directions
        ground = ground_in(match.state)
        assert {ground.turned(letter) for letter in words["red"].values()} == set("NESW")
        assert {word: ground.turned(letter) for word, letter in words["red"].items()} == words["blue"]
