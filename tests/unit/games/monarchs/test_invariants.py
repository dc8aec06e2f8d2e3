"""What is always true of Monarchs (reference invariants P1 to P7), over random games with the real rules."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from polemos.games.monarchs.board import BASES, CENTRE, INDEX, NAMES, NATIONS, POINTS
from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.notation import Bless, March, Order
from polemos.games.monarchs.state import NOBODY, State
from polemos.games.monarchs.turned import images
from polemos.kernel.chronicle import Event
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.verdict import Verdict
from together import together

SEEDS = range(20)


def sheet(match: AnyMatch, seat: str, dice: random.Random) -> list[Order]:
    """A lawful random sheet with a taste for crowding and for fights."""
    orders: list[Order] = [Bless(dice.choice(NAMES))]
    for hex, ground in match.view(seat).hexes.items():
        left = ground.regiments if ground.owner == seat else 0
        while left and dice.random() < 0.7:
            number = dice.randint(1, left)
            orders.append(March(hex, dice.choice(match.setting.hexes[hex]), number))
            left -= number
    return orders


def regiments(state: State) -> list[int]:
    return [sum(state.regiments[h] for h in range(61) if state.owner[h] == n) for n in range(3)]


@together("seed", SEEDS)
def test_a_random_game_keeps_its_invariants(seed: int) -> None:
    dice = random.Random(seed)
    match = Match(GAME, {"turns": 12, "rules": dice.choice(["seed", "2022-04"])}, seed=seed)
    total = regiments(match.state)
    while match.outcome is None:
        before = match.state.copy()
        for seat in NATIONS:
            assert not match.submit(seat, sheet(match, seat, dice)).faults
        match.run()
        state = match.state
        assert regiments(state) == total  # P1
        for hex in range(61):
            assert state.regiments[hex] == 0 or state.owner[hex] != NOBODY  # P2
            assert state.owner[hex] != NOBODY or (hex == CENTRE and before.owner[hex] == NOBODY)  # P4
        assert [state.owner[base] for base in BASES] == [0, 1, 2]  # P3
        owned = sum(state.owner[hex] != NOBODY for hex in range(61))
        assert sum(state.score[n] for n in range(3)) == owned  # P7
    assert match.outcome.winner in NATIONS


# P5: turning the board by 120 degrees carries red to blue, blue to green, green to red.
TURNED = {
    name: NAMES[POINTS.index((-(x + 3 * y) // 2, (x - y) // 2))] for name, (x, y) in zip(NAMES, POINTS, strict=True)
}
NATION_AFTER = {"red": "blue", "blue": "green", "green": "red"}


def turned_position(state: State) -> State:
    turned = State.from_raw(state.raw())
    for name, hex in INDEX.items():
        other = INDEX[TURNED[name]]
        owner = state.owner[hex]
        turned.owner[other] = NOBODY if owner == NOBODY else NATIONS.index(NATION_AFTER[NATIONS[owner]])
        turned.regiments[other] = state.regiments[hex]
        turned.battles[other] = 0
        for n, nation in enumerate(NATIONS):
            after = NATIONS.index(NATION_AFTER[nation])
            turned.battles[other] |= (state.battles[hex] >> n & 1) << after | (
                state.battles[hex] >> 3 + n & 1
            ) << 3 + after
    for n, nation in enumerate(NATIONS):
        after = NATIONS.index(NATION_AFTER[nation])
        turned.score[after], turned.total[after] = state.score[n], state.total[n]
    return turned


def turned_order(order: Order) -> Order:
    if isinstance(order, March):
        return March(TURNED[order.origin], TURNED[order.target], order.number)
    return Bless(TURNED[order.hex])


def turned_dice(events: list[Any]) -> dict[str, dict[str, list[str]]]:
    """The dice of a turn, as they are named on the turned board."""
    dice: dict[str, dict[str, list[str]]] = {}
    for event in events:
        nation = NATION_AFTER.get(event.nation or "", "")
        if event.kind == "die in a hex":
            dice.setdefault(f"hex {TURNED[event.hex]}", {}).setdefault(nation, []).append(event.die)
        elif event.kind == "die at a border":
            name = f"border {TURNED[event.hex]}-{TURNED[event.to]}"
            dice.setdefault(name, {}).setdefault(nation, []).append(event.die)
        elif event.kind == "die for a retreat":
            name = f"retreat {nation} {TURNED[event.hex]}"
            dice.setdefault(name, {}).setdefault(TURNED[event.to], []).append(event.die)
    return dice


def test_a_position_has_three_images_of_which_the_first_is_itself() -> None:
    dice = random.Random(7)
    match = Match(GAME, {"turns": 5}, seed=7)
    match.forfeit("green", Verdict("resigned"))
    while match.outcome is None:
        for seat in match.to_act:
            match.submit(seat, sheet(match, seat, dice))
        match.run()
        (same, own), (once, after), (twice, later) = images(match.state)
        assert same == match.state
        assert own == (0, 1, 2)
        for place, image in ((after, once), (later, twice)):
            assert [image.dropped[place[n]] for n in range(3)] == [0, 1, 0]
            assert [image.total[place[n]] for n in range(3)] == [match.state.total[n] for n in range(3)]
        if match.outcome is None:
            expected = turned_position(match.state)
            for n, nation in enumerate(NATIONS):
                expected.dropped[NATIONS.index(NATION_AFTER[nation])] = match.state.dropped[n]
            assert once == expected
            assert images(twice)[1][0] == match.state
    _, (end, after), _ = images(match.state)
    assert [end.places[n] for n in range(3)] == [after[match.state.places[n]] for n in range(3)]


def test_the_starting_position_turned_is_the_starting_position() -> None:
    start = GAME.setup({})
    assert turned_position(start) == start


@together("seed", SEEDS)
def test_turning_board_orders_and_dice_turns_the_result(seed: int) -> None:
    dice = random.Random(seed)
    match = Match(GAME, {"turns": 9}, seed=seed)
    for _ in range(6):
        twin = Match(GAME, position=GAME.write_position(turned_position(match.state)))
        sheets = {seat: sheet(match, seat, dice) for seat in NATIONS}
        for seat, orders in sheets.items():
            match.submit(seat, orders)
            twin.submit(NATION_AFTER[seat], [turned_order(order) for order in orders])
        match.run()
        GAME.fix_dice(twin.state, twin.chance, turned_dice(match.happened[-1]))
        twin.run()
        assert twin.state == turned_position(match.state)


def unnumbered(events: list[Event]) -> list[Event]:
    """Events without the numbers of the lines that they came from."""
    return [replace(event, line=0) for event in events]


@together("seed", SEEDS)
def test_the_order_of_lines_and_of_nations_does_not_matter(seed: int) -> None:
    """P6, for sheets without void lines; also what is told, in the same order."""
    dice = random.Random(seed)
    match = Match(GAME, {"turns": 9}, seed=seed)
    for _ in range(6):
        twin = Match(GAME, position=GAME.write_position(match.state), key=match.key)
        sheets = {seat: sheet(match, seat, dice) for seat in NATIONS}
        for seat in NATIONS:
            match.submit(seat, sheets[seat])
        for seat in dice.sample(NATIONS, 3):
            twin.submit(seat, dice.sample(sheets[seat], len(sheets[seat])))
        match.run()
        twin.run()
        assert twin.state == match.state
        assert unnumbered(twin.happened[-1]) == unnumbered(match.happened[-1])
        for who in (*NATIONS, "spectator"):
            assert unnumbered(twin.told(who)) == unnumbered(match.told(who))
