"""Numbered orders and observations: all that is lawful and nothing else, and nothing that a seat does not see."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polemos import registry
from polemos.batch import Batch
from polemos.batch.check import drawn
from unit.batch.numbering import BOARD, NUMBER_OF, RESIGN

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

MATCHES: list[tuple[str, dict[str, Any]]] = [
    ("demons", {"map": "hourglass", "turns": 60}),
    ("demons", {"map": "hourglass", "decisions": "two", "turns": 60}),
    ("demons", {"map": "pinwheel", "rules": "finals-2025", "turns": 60}),
    ("minions", {"boards": 2, "turns": 30}),
    ("minions", {"boards": 1, "turns": 30, "rules": "umi-2025"}),
    ("minions", {"boards": 2, "turns": 10, "rules": "umi-2025"}),
    ("minions", {"boards": 3, "turns": 10, "units": "umi-2025"}),
    ("monad", {"seats": 3, "turns": 30, "units": 9}),
    ("monarchs", {"mode": "online"}),
]


def lawful_by_number(game: Any, sight: Any, state: Any, draft: Any) -> dict[int, int]:
    """What the options of a seat say: the numbers of its lawful orders, each with the most units."""
    return {NUMBER_OF[game.name](state, option.order): option.most or 1 for option in game.lawful(sight, draft)}


@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_limits_are_the_lawful_orders(name: str, options: dict[str, Any]) -> None:
    """Every lawful single order has a number, and every number with a limit is lawful with so many units."""
    batch = Batch(name, options, 12, seed=5, threads=1)
    game = batch.game
    for steps in (0, 3, 9):
        batch.play("random", steps)
        limits = batch.observe()["limits"]
        for at in range(batch.count):
            state = batch.state(at)
            for seat, who in enumerate(batch.seats):
                found = {int(n): int(limits[at, seat, n]) for n in np.flatnonzero(limits[at, seat])}
                wanted = lawful_by_number(game, game.look(state, who), state, ())
                if who in game.to_act(state):
                    wanted[0] = 1  # the sheet can always be filed
                assert found == wanted, (at, who)


@pytest.mark.parametrize(("boards", "rules"), [(2, "classic"), (3, "classic"), (2, "umi-2025"), (3, "umi-2025")])
def test_limits_of_minions_order_by_order(boards: int, rules: str) -> None:
    """Play by invented numbers stops where whole turns never do: while a necromancer is due, say."""
    batch = Batch("minions", {"boards": boards, "rules": rules, "turns": 12}, 6, seed=11, threads=1)
    game, chance = batch.game, np.random.default_rng(5)
    met = set()
    for step in range(240):
        limits = batch.observe()["limits"].copy()
        if step % 5 == 0:
            for at in range(batch.count):
                state = batch.state(at)
                (who,) = game.to_act(state)
                found = set(np.flatnonzero(limits[at, batch.seats.index(who)]).tolist())
                lawful = game.lawful(game.look(state, who), ())
                assert found == {0, *lawful_by_number(game, game.look(state, who), state, ())}, (step, at)
                met |= {option.order["order"] for option in lawful}
        if step % 3:
            limits[..., 0] = 0 if step % 3 == 1 else limits[..., 0]  # turns of several orders
            for board in range(boards):
                limits[..., RESIGN + BOARD * board] = 0  # few boards are resigned
        batch.give(*drawn(limits, chance))
        assert batch.refused.sum() == 0, step
    assert met >= {"move", "buy", "spawn", "choose", "resign", "spells", "end"}


@pytest.mark.parametrize("rules", ["classic", "umi-2025"])
def test_a_blink_is_a_move_to_its_own_hex(rules: str) -> None:
    """17.3 Where the rules know blinks, a unit that can blink has that number, and goes back to its zone with it."""
    batch = Batch("minions", {"boards": 2, "rules": rules, "units": "umi-2025"}, 1, threads=1)
    game = batch.game
    batch.give([[0, -1]])
    batch.give([[-1, 0]])
    state = batch.state(0)
    haunt = [row.name for row in game.setting(state).units].index("Haunt")
    state.board[1].hex[55].piece = 1 + haunt
    batch._states.records[0] = state
    limits = batch.observe()["limits"][0, 0]
    number = 42 + BOARD + 55 * 101
    wanted = lawful_by_number(game, game.look(state, "yellow"), state, ())
    assert {0, *wanted} == set(np.flatnonzero(limits).tolist())
    assert (number in wanted) == (rules == "umi-2025")
    batch.give([[number, -1]])
    after = batch.state(0)
    assert batch.refused[0] == (rules == "classic")
    assert (after.board[1].hex[55].piece == 0) == (rules == "umi-2025")
    assert after.board[1].zone[haunt] == state.board[1].zone[haunt] + (rules == "umi-2025")


@pytest.mark.parametrize(("name", "options"), [match for match in MATCHES if match[0] != "minions"])
def test_limits_beside_a_draft(name: str, options: dict[str, Any]) -> None:
    """After some orders by number, what is left is what the options say beside the same draft."""
    batch = Batch(name, options, 12, seed=6, threads=1)
    game = batch.game
    batch.play("random", 6)
    drafts: dict[tuple[int, int], list[Any]] = {}
    chance = np.random.default_rng(1)
    for _ in range(4):
        limits = batch.observe()["limits"].copy()
        limits[..., 0] = 0  # nobody files
        numbers, amounts = drawn(limits, chance)
        for at in range(batch.count):
            state = batch.state(at)
            for seat, who in enumerate(batch.seats):
                draft = drafts.setdefault((at, seat), [])
                for option in game.lawful(game.look(state, who), draft):
                    if NUMBER_OF[name](state, option.order) == numbers[at, seat]:
                        most = {"number": int(amounts[at, seat])} if option.most else {}
                        draft.append(game.read({**option.order, **most}))
                        break
        batch.give(numbers, amounts)
        after = batch.observe()["limits"]
        for (at, seat), draft in drafts.items():
            state, who = batch.state(at), batch.seats[seat]
            found = {int(n): int(after[at, seat, n]) for n in np.flatnonzero(after[at, seat])}
            wanted = lawful_by_number(game, game.look(state, who), state, draft)
            if who in game.to_act(state):
                wanted[0] = 1
            assert found == wanted, (at, who, draft)
    assert batch.refused.sum() == 0
    assert any(drafts.values())


def test_what_is_not_lawful_is_refused_and_does_nothing() -> None:
    batch = Batch("monarchs", {}, 2, threads=1)
    before = batch.raw("states").copy()
    numbers = np.full((2, 3), -1)
    limits = batch.observe()["limits"]
    numbers[0, 1] = int(np.flatnonzero(limits[0, 1] == 0)[0])
    batch.give(numbers)
    assert batch.refused.tolist() == [1, 0]
    march = int(np.flatnonzero(limits[0, 1] > 0)[1])
    numbers[0, 1] = march
    batch.give(numbers, int(limits[0, 1, march]) + 1)  # one regiment too many
    assert batch.refused.tolist() == [2, 0]
    assert (batch.raw("states") == before).all()
    assert (batch.observe()["limits"] == limits).all()


@pytest.mark.parametrize(
    ("name", "options", "policy", "steps"),
    [
        ("demons", {"map": "hourglass"}, "economist", 30),
        ("demons", {"map": "pinwheel", "rules": "finals-2025"}, "steward", 25),
        ("minions", {"boards": 1}, "quick", 3),
        ("minions", {"boards": 1, "rules": "umi-2025", "units": "umi-2025"}, "quick", 4),
        ("monad", {"map": "random", "size": "8x8", "units": 40}, "lord", 30),
        ("monarchs", {}, "holder", 2),
    ],
)
def test_every_number_beside_the_mask_does_nothing(name: str, options: dict[str, Any], policy: str, steps: int) -> None:
    """All numbers are tried, one in each of as many games with the same position and the same drafts."""
    one = Batch(name, options, 1, seed=2, threads=1)
    one.play(policy, steps)
    limits = one.observe()["limits"].copy()
    limits[..., 0] = 0
    one.give(*drawn(limits, np.random.default_rng(2)))
    limits, count = one.observe()["limits"][0], one.layout.numbers
    many = Batch(name, options, count, seed=2, threads=1)
    for seat in np.flatnonzero(limits[:, 0]):
        many.load(tuple(kept * count for kept in one.save()))
        before = many.raw("states").copy()
        numbers = np.full((count, len(one.seats)), -1)
        numbers[1:, seat] = np.arange(1, count)
        many.give(numbers, np.maximum(limits[seat], 1)[:, None])
        assert (many.refused[1:] == (limits[seat, 1:] == 0)).all(), np.flatnonzero(many.refused != (limits[seat] == 0))
        assert (many.raw("states") == before)[many.refused > 0].all()


def test_a_long_list_leaves_room_for_those_of_the_others() -> None:
    """2.9 Whoever splits a stack into thousands of lines fills its own share. Nobody else can see that."""
    batch = Batch("monad", {"map": "random", "size": "8x8"}, 1, seed=1, threads=1)
    cells = batch.states["cell"]
    tile = int(np.flatnonzero((cells["units"][0] > 0) & (cells["owner"][0] == 0))[0])
    cells["units"][0, tile] = 6000
    before = batch.observe()["limits"][0].copy()
    march = next(n for n in range(1 + 10 * tile, 5 + 10 * tile) if before[0, n])
    numbers = np.full((1, 2, 1000), -1)
    numbers[0, 0] = march
    batch.give(numbers, 1)
    after = batch.observe()["limits"][0]
    assert np.flatnonzero(after[0]).tolist() == [0], "red's list is full"
    assert (after[1] == before[1]).all()
    lines = 6 * 64 // 2
    assert batch.refused[0] == 1000 - lines
    batch.give([[-1, int(np.flatnonzero(before[1])[1])]])
    assert batch.refused[0] == 1000 - lines


def test_nothing_is_written_behind_lists_that_were_filled_as_records() -> None:
    """Then there is no room for anybody: the memory behind it may be that of the next game."""
    batch = Batch("monad", {"map": "random", "size": "8x8"}, 2, seed=1, threads=1)
    march = int(np.flatnonzero(batch.observe()["limits"][0, 0])[1])
    lists = batch.orders[0]
    lists.count = lines = 6 * 64
    for i in range(lines):
        lists.order[i].seat = 1
    assert np.flatnonzero(batch.observe()["limits"][0, 0]).tolist() == [0]
    batch.give([[march, -1], [march, -1]])
    assert batch.refused.tolist() == [1, 0]
    assert [batch.orders[at].count for at in range(2)] == [lines, 1]


@pytest.mark.parametrize("mode", ["online", "party"])
def test_equal_sights_give_equal_observations(mode: str) -> None:
    """Positions that a nation cannot tell apart look the same to it, whatever the others have."""
    batch = Batch("monarchs", {"mode": mode}, 2, seed=3, threads=1)
    game = registry.load("monarchs")
    batch.play("random", 5)
    first = batch.state(0)
    setting = game.setting(first)
    view = game.observe(first, "red")
    differ = 0
    for seed in range(8):
        other = game.imagine(setting, view, seed)
        if game.look(other, "red") != game.look(first, "red"):
            continue
        differ += other != first
        batch._states.records[1] = other
        seen = batch.observe()
        for name, array in seen.items():
            assert (array[0, 0] == array[1, 0]).all(), name
    assert differ, "no other position with the same sight was tried"


def test_a_filed_sheet_has_no_limits() -> None:
    batch = Batch("demons", {"map": "hourglass"}, 3, threads=1)
    numbers = np.full((3, 2), -1)
    numbers[1, 0] = 0
    batch.give(numbers)
    limits = batch.observe()["limits"]
    assert not limits[1, 0].any()
    assert limits[1, 1].any()
    assert limits[0, 0].any()
    assert batch.filed.tolist() == [[0, 0], [1, 0], [0, 0]]
    numbers[1] = (-1, 0)
    batch.give(numbers)
    assert batch.filed.tolist() == [[0, 0]] * 3
    assert batch.states["turn"].tolist() == [0, 1, 0]


@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_the_layout_fits_the_arrays(name: str, options: dict[str, Any]) -> None:
    batch = Batch(name, options, 3, threads=1)
    seen = batch.observe()
    assert seen["limits"].shape == (3, len(batch.seats), batch.layout.numbers)
    for part in batch.layout.parts:
        assert seen[part.name].shape == (3, len(batch.seats), *part.shape)
        assert not part.axis or len(part.axis) == part.shape[-1]
    if not batch.layout.amounts:
        assert seen["limits"].max() == 1


@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_observing_again_and_again_is_observing_once(name: str, options: dict[str, Any]) -> None:
    """Arrays keep what has not changed; a batch that looks for the first time has the same bytes."""
    batch, chance = Batch(name, options, 6, seed=9, threads=1), np.random.default_rng(3)
    for step in range(60):
        batch.give(*drawn(batch.observe()["limits"], chance))
        if step % 7 == 0:
            batch.play("random", 2)
        batch.observe()
        fresh = Batch(name, options, 6, seed=9, threads=1)
        fresh.load(batch.save())
        fresh.observe()
        for what in ("observations", "limits"):
            assert (batch.raw(what) == fresh.raw(what)).all(), (step, what)
    assert batch.games.sum(), "no game was followed by another"


def test_another_map_is_another_ground() -> None:
    """A state with another map of the same size is put in the place of the first: the whole board is written anew."""
    first = Batch("demons", {"map": "hourglass"}, 2, seed=1, threads=1)
    first.observe()
    turned = first.state(0)
    for tile in range(turned.path, turned.tiles):
        turned.tile[tile].kind = 1 - turned.tile[tile].kind
    first._states.records[0] = turned
    seen = first.observe()
    land, other = seen["board"][0, 0, ..., 0], seen["board"][1, 0, ..., 0]
    assert land.any()
    assert (land == -other).all()
    may, other = (seen["limits"][at, 0, 6:].reshape(-1, 6)[:, 0] for at in (0, 1))
    assert may.any()
    assert not (may & other).any(), "nobody builds on land of the other player"
