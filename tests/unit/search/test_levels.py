"""Levels for people: legal orders, the same for the same seed, slips where they are due, and an ordered list."""

from __future__ import annotations

from math import inf

import pytest

from polemos import registry
from polemos.arena.tournament.entrants import digest_of, read
from polemos.hosts import specs
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.rooms import bots_of, built_in, champion_of, levels_of, opponents_of, package_of
from polemos.search.levels import Level, LevelPlayer
from polemos.search.search import Settings
from unit.search.test_search import game as numbers

OURS = [name for name in registry.names() if levels_of(registry.load(name))]


def test_a_level_leaves_it_to_its_script_and_slips_in_some_decisions() -> None:
    """The script writes 4; a change adds one or takes one away, and a slip is three of them."""
    kit = numbers(lambda mine, yours, die: 0.1 * mine, proposals=(7, 8, 9), scripts=(4, 1))

    def written(level: Level, count: int = 40) -> list[int]:
        player = LevelPlayer(kit, None, "first", 0, 5, level, Settings(variations=0))
        return [player.orders(None)[0] for _ in range(count)]

    assert set(written(Level("4"))) == {4}
    assert set(written(Level("1"))) == {1}
    slips = [number for number in written(Level("4", slips=4)) if number != 4]
    assert set(slips) <= {1, 3, 5, 7}
    assert 4 <= len(slips) <= 16
    assert written(Level("4", slips=4)) == written(Level("4", slips=4))
    assert set(written(Level("4", slips=4, other="1"))) == {4, 1}
    assert written(Level(playouts=300), 2) == [9, 9], "the search finds the best proposal"


@pytest.mark.parametrize("name", OURS)
def test_levels_are_an_ordered_list_that_is_offered(name: str) -> None:
    from importlib import import_module

    game = registry.load(name)
    levels = list(levels_of(game))
    assert levels == [f"level-{number}" for number in range(1, 6)]
    offered = list(import_module(f"{package_of(game)}.bots").OPPONENTS)
    assert offered in (levels, [*levels, *champion_of(game)])
    assert not set(levels) & set(bots_of(game))
    assert set(built_in(game)) == {*levels, *bots_of(game), *champion_of(game)}
    for level in levels:
        specs.check(game, level)


@pytest.mark.parametrize("name", OURS)
def test_the_champion_is_there_by_name_and_plays_nowhere_by_itself(name: str) -> None:
    game = registry.load(name)
    assert list(champion_of(game)) == ["champion"] == list(built_in(game))[-1:]
    assert not {"champion"} & {*bots_of(game), *levels_of(game)}
    assert next(iter(opponents_of(game))) == "level-1"
    assert [entrant.name for entrant in read(game, ["champion", "all"])] == ["champion", *bots_of(game)]
    assert digest_of(game, "champion", trust=False, out=None) is None, "it is ours"


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_all_levels_give_legal_orders_twice_the_same(name: str) -> None:
    game, levels = registry.load(name), list(levels_of(registry.load(name)))

    def played() -> list[str]:
        match: AnyMatch = Match(game, game.examples[0], seed=11)
        seats = match.seats
        bots = [{seat: levels_of(game)[level](match.setting, seat, 3) for seat in seats} for level in levels]
        for step in range(2 * len(levels)):
            if match.outcome is not None:
                break
            for seat in match.to_act:
                lines = bots[step // len(seats) % len(bots)][seat].orders(match.view(seat), inf)
                assert match.submit(seat, [game.write(order) for order in lines]).faults == ()
            match.run()
        return [step.digest for step in match.steps]

    assert played() == played()
