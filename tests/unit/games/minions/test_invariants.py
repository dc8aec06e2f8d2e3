"""What is always true of Minions, over random lawful play: with compiled random turns, and order by order."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from expectations.minions_tables import changed_table
from polemos.games.minions import validate
from polemos.games.minions.game import GAME
from polemos.games.minions.lawful import options_in
from polemos.games.minions.notation import Order, read_order
from polemos.games.minions.orders import record_of
from polemos.games.minions.progress import ROLES, Turn, list_of, role_of
from polemos.games.minions.rules import play, turn
from polemos.games.minions.state import SIDES, State, Work
from polemos.games.minions.state import Order as OrderRecord
from polemos.games.minions.tables import load, write_table
from polemos.games.minions.view import BoardView, Setting, TypeFacts, View
from polemos.kernel.dice import Chance
from polemos.kernel.errors import IllegalOrder, OrderError
from polemos.kernel.log import SILENT, Log
from polemos.kernel.orders import Line, Sheet
from polemos.kernel.record import many
from together import together

pytestmark = pytest.mark.slow

Census = Counter[tuple[str, str]]  # side and name of the unit: how many on a board and in its zones

TABLE = write_table(
    changed_table(
        load("2025-07"),
        [
            "Zombie keywords Flying",
            "Warg speed 4",
            "Shrieker speed 8",
            "Warg keywords Flying Spawn",
            "Horror attack flurry 99",
            "Void attack unsummon 3",
            "Initiate range 18",
            "Mounted necromancer range 2",
            "unit Golem F normal 99 99 0 3 1 1 Persistent",
            "card Golem",
            "ring Warg",
            "gift Golem",
            "first Arcane",
            "pool Deadly Mounted Battle",
        ],
    )
)

GAMES: dict[str, dict[str, Any]] = {
    "one board": {"boards": 1, "points": 9, "turns": 60},
    "two boards, drawn maps": {"boards": 2, "maps": "random", "money": 60, "points": 9, "turns": 40},
    "three boards": {"boards": 3, "points": 9, "turns": 40, "spell_price": 1},
    "four boards": {"boards": 4, "money": 200, "points": 20, "turns": 30},
    "five boards, free spells": {"boards": 5, "points": 20, "turns": 30, "spell_price": 0, "money": 99},
    "a table of one's own": {"boards": 2, "points": 20, "turns": 40, "units": TABLE, "money": 90},
}
SEEDS = range(4)

each_game = pytest.mark.parametrize("name", GAMES)
each_seed = together("seed", SEEDS)


def compiled_turn(state: State, key: int) -> int:
    return play.play_random_turn(state, OrderRecord(), key, SILENT, Work())


def later(name: str, seed: int, turns: int) -> State:
    """A position of a random game after so many turns, or before the game was over."""
    state = GAME.setup(GAMES[name], seed)
    for step in range(turns):
        before = state.copy()
        compiled_turn(state, seed * 1000 + step)
        turn.end(state, SILENT)
        if state.reason:
            return before
    return state


def drawn(state: State, dice: Random) -> str | None:
    """One of the lawful orders, with a taste for fights and against resigning."""
    found = [option.text for option in options_in(state) if option.text != "end"]
    groups = [
        [text for text in found if " choose " in text],
        [text for text in found if " attack " in text],
        [text for text in found if " spawn " in text],
        [text for text in found if " resign" not in text],
    ]
    for group in groups:
        if group and dice.random() < 0.7:
            return dice.choice(group)
    return dice.choice(found) if found and dice.random() < 0.2 else None


# ---- what always holds


def facts_of(setting: Setting) -> dict[tuple[str, bool], TypeFacts]:
    """Figures by name, and whether it is a necromancer: the names may be the same."""
    rows = {(row.name, False): row for row in setting.units}
    return rows | {(row.name, True): row for row in setting.necromancers}


def check(state: State) -> None:
    """Everything that holds at every moment, between turns and in the middle of them."""
    setting, view = GAME.setting(state), GAME.observe(state, "umpire")
    assert list(validate.flaws(state)) == []
    assert all(money >= 0 for money in view.money.values())
    for board, rows in zip(view.boards, setting.maps, strict=True):
        check_units(setting, view, board, ground_of(rows))
        check_necromancers(view, board)
        assert all(count > 0 for zone in board.zones.values() for count in zone.values())
        assert all(number >= 0 for number in state.board[board.number - 1].zone)
    for mine, others in zip(view.spells["yellow"], view.spells["blue"], strict=True):
        assert 0 <= mine <= 2
        assert 0 <= others <= 2
        assert mine + others < 4


def ground_of(rows: str) -> dict[str, str]:
    signs = ["".join(sign if sign in "GW" else "." * (int(sign) or 10) for sign in row) for row in rows.split("/")]
    return {f"{file}{rank}": signs[rank][x] for rank in range(10) for x, file in enumerate("abcdefghij")}


def check_units(setting: Setting, view: View, board: BoardView, ground: dict[str, str]) -> None:
    facts = facts_of(setting)
    assert len({unit.hex for unit in board.units}) == len(board.units)
    for unit in board.units:
        row = facts[unit.type, unit.letter == "N"]
        assert ground[unit.hex] != "W" or "Flying" in row.keywords, unit
        assert 0 <= unit.damage < row.defence, unit
        assert not unit.damage or unit.side != view.side, unit
        assert not (unit.used or unit.moved or unit.fresh) or unit.side == view.side, unit
        assert unit.used <= (row.number if row.attack in ("flurry", "unsummon") else 1), unit
        assert not (unit.moved and unit.used and "Lumbering" in row.keywords), unit
        assert not unit.fresh or not (unit.moved or unit.used), unit
        assert not unit.fresh or board.closed, unit


def check_necromancers(view: View, board: BoardView) -> None:
    count = Counter(unit.side for unit in board.units if unit.letter == "N")
    mover, other = count[view.side], count["blue" if view.side == "yellow" else "yellow"]
    assert mover <= 1
    assert other <= 1
    if board.state in ("turn1", "normal"):
        assert (mover, other) == (1, 0 if board.killed else 1)
    elif board.state == "reset+0":
        assert (mover, other) == (0, 0)
    elif board.state == "reset+1":
        assert (mover, other) == (0 if board.due else 1, 0)
    else:
        assert (mover, other) == (0 if board.due else 1, 0 if board.killed else 1)


# ---- units are never lost or made


def censuses(state: State) -> list[Census]:
    """All units but necromancers, board by board."""
    found = []
    for board in GAME.observe(state, "umpire").boards:
        units: Census = Counter((unit.side, unit.type) for unit in board.units if unit.letter != "N")
        for side, zone in board.zones.items():
            units.update({(side, name): count for name, count in zone.items()})
        found.append(units)
    return found


def kept(setting: Setting, zone: dict[str, int], keep: str | None) -> Counter[str]:
    """10.10 to 10.12 What a choice makes of a zone: the unit named, or the dearest, and the gift."""
    order = [row.name for row in setting.units]
    cost = {row.name: row.cost for row in setting.units}
    letters = {row.letter: row.name for row in setting.units}
    unit = letters[keep] if keep else max(zone, key=lambda name: (cost[name], order.index(name)))
    return Counter([unit, setting.gift])


def after_choice(setting: Setting, board: BoardView, census: Census, side: str, keep: str | None) -> Census:
    zone = Counter({(side, name): count for name, count in board.zones[side].items()})
    return census - zone + Counter({(side, name): n for name, n in kept(setting, board.zones[side], keep).items()})


def check_order(before: State, order: Order, after: State) -> None:
    """2.9, 6.11, 9.3, 10.10 How one order changes the units, and the purses."""
    setting, old, new = GAME.setting(before), GAME.observe(before, "umpire"), GAME.observe(after, "umpire")
    mover, other = old.side, "blue" if old.side == "yellow" else "yellow"
    wanted, found = censuses(before), censuses(after)
    gained = new.money[other] - old.money[other]
    fields = {field: getattr(order, field) for field in order.__struct_fields__}
    kind, at = type(order).__name__, (fields.get("board") or 1) - 1
    rebate = 0
    if kind == "Buy":
        name = next(row.name for row in setting.units if row.letter == fields["unit"])
        wanted[at][mover, name] += 1
    elif kind == "Choose":
        wanted[at] = after_choice(setting, old.boards[at], wanted[at], mover, fields["keep"])
    elif kind == "Attack":
        victim = next(unit for unit in old.boards[at].units if unit.hex == fields["target"])
        gone = fields["target"] not in {unit.hex for unit in new.boards[at].units}
        if victim.letter == "N":
            assert gone == new.boards[at].killed
        elif gone and wanted[at] != found[at]:  # destroyed; an unsummoned one is in the zone
            wanted[at][other, victim.type] -= 1
            rebate = facts_of(setting)[victim.type, False].rebate
    assert gained == rebate
    assert [+census for census in found] == [+census for census in wanted], order
    assert new.points == old.points


def check_end(before: State, after: State) -> None:
    """2.9, 10.5, 10.13 How the end of a turn changes the units."""
    setting, old = GAME.setting(before), GAME.observe(before, "umpire")
    mover, other = old.side, "blue" if old.side == "yellow" else "yellow"
    wanted, won, lost = censuses(before), 0, 0
    over = old.points[mover] + sum(board.killed for board in old.boards) >= setting.to_win
    for at, (board, rows) in enumerate(zip(old.boards, setting.maps, strict=True)):
        if board.due and not board.resigned:
            wanted[at] = after_choice(setting, board, wanted[at], mover, None)
        ground = ground_of(rows)
        held = sum(ground[unit.hex] == "G" for unit in board.units if unit.side == other)
        is_lost = not board.killed and not over and (held >= 8 or board.resigned)
        won, lost = won + board.killed, lost + is_lost
        if board.killed or is_lost:
            for side in SIDES:
                wanted[at][side, setting.gift] += 1
                wanted[at][side, setting.ring] += 6
    new = GAME.observe(after, "umpire")
    assert [+census for census in censuses(after)] == [+census for census in wanted]
    assert (new.points[mover], new.points[other]) == (old.points[mover] + won, old.points[other] + lost)
    assert new.money[other] == old.money[other]
    assert new.money[mover] >= old.money[mover] + 2 * setting.boards
    if new.outcome is None:
        assert not any(unit.damage or unit.used or unit.moved or unit.fresh for b in new.boards for unit in b.units)
        assert new.side == other


# ---- random games


@each_game
@each_seed
def test_compiled_random_turns_keep_the_invariants_and_games_end(name: str, seed: int) -> None:
    state = GAME.setup(GAMES[name], seed)
    check(state)
    steps = 0
    while not state.reason:
        compiled_turn(state, seed << 20 ^ steps)
        check(state)
        before = state.copy()
        turn.end(state, SILENT)
        check_end(before, state)
        check_after(state)
        steps += 1
    assert steps <= 2 * state.turns
    assert GAME.outcome(state) is not None


def check_after(state: State) -> None:
    if not state.reason:
        check(state)


@each_game
def test_mass_play_leaves_lawful_positions(name: str) -> None:
    start = GAME.setup(GAMES[name], 3)
    states = many(State, 12)
    for i in range(12):
        states[i] = start
    for round in range(3):
        GAME.rollout(states, start, 77 + round, 12 * 7)
        for i in range(12):
            check_after(states[i])


@each_game
@each_seed
def test_random_orders_keep_the_invariants(name: str, seed: int) -> None:
    """Order by order from what is offered, in the middle of every turn too."""
    dice = Random(f"{name} {seed}")
    state = later(name, seed, dice.choice([0, 1, 6, 12, 20, 25]))
    for _ in range(6):
        now = Turn(state)
        for _ in range(30):
            if (text := drawn(now.state, dice)) is None:
                break
            before = now.state.copy()
            order = now.give(text)
            check(now.state)
            check_order(before, order, now.state)
        before = now.state.copy()
        state = now.end(SILENT)
        check_end(before, state)
        check_after(state)
        if state.reason:
            break


@each_game
def test_games_of_offered_orders_end(name: str) -> None:
    state, dice = GAME.setup({**GAMES[name], "turns": 5}, 1), Random(name)
    for _ in range(10):
        assert not state.reason
        now = Turn(state)
        while (text := drawn(now.state, dice)) is not None and len(now.given) < 12:
            now.give(text)
        state = now.end(SILENT)
    assert state.reason


# ---- the turn in progress


def replayed(start: State, orders: list[Order]) -> State:
    state = start.copy()
    for order in orders:
        assert turn.apply(state, record_of(state, order), SILENT, Work()) == 0
    return state


def without(start: State, orders: list[Order], gone: int) -> list[Order] | None:
    """4.11, 4.12 What is left when one order is taken back; None if another board rests on it."""
    which, state, left = list_of(orders[gone]), start.copy(), []
    for order in [*orders[:gone], *orders[gone + 1 :]]:
        if turn.apply(state, record_of(state, order), SILENT, Work()) == 0:
            left.append(order)
        elif list_of(order) != which:
            return None
    return left


@each_game
@each_seed
def test_taking_back_restores_the_exact_bytes(name: str, seed: int) -> None:
    """4.9 to 4.12 The working position is always that of the start with the orders that are left."""
    dice = Random(f"back {name} {seed}")
    now = Turn(later(name, seed, dice.choice([1, 5, 10, 17])))
    start, given = now.start.raw(), list[Order]()
    lists = range(now.start.boards + 1)
    for _ in range(60):
        which = dice.choice(lists)
        mine = [i for i, order in enumerate(given) if list_of(order) == which]
        match dice.choice(
            ["give"] * 6 + ["there and back", "undo", "redo", "middle"] + ["all"] * (dice.random() < 0.2)
        ):
            case "give":
                if (text := drawn(now.state, dice)) is not None:
                    given.append(now.give(text))
            case "there and back":
                before = now.state.raw()
                if (text := drawn(now.state, dice)) is not None:
                    order = now.give(text)
                    assert now.undo(list_of(order)) == order
                    assert now.state.raw() == before
                    assert now.redo(list_of(order)) == order
                    given.append(order)
            case "undo" | "middle" as how if mine:
                number = len(mine) if how == "undo" else dice.randint(1, len(mine))
                left = without(now.start, given, mine[number - 1])
                before = now.state.raw()
                if left is None:
                    with pytest.raises(IllegalOrder, match=r"4\.12"):
                        now.undo(which) if how == "undo" else now.take_back(which, number)
                    assert now.state.raw() == before
                    continue
                if how == "undo":
                    assert now.undo(which) == given[mine[-1]]
                else:
                    dropped = now.take_back(which, number)
                    assert len(left) + len(dropped) + 1 == len(given)
                    assert all(list_of(drop.order) == which for drop in dropped)
                given = left
            case "redo":
                before = now.state.raw()
                try:
                    given.append(now.redo(which))
                except OrderError:
                    assert now.state.raw() == before
            case "all":
                roles = dice.sample(ROLES, dice.randint(1, len(ROLES)))
                with suppress(OrderError):
                    now.take_all_back(roles=roles)
                    given = [order for order in given if role_of(order) not in roles]
        assert now.given == given
        assert now.state.raw() == replayed(now.start, given).raw()
        assert now.start.raw() == start
        check(now.state)


@each_game
@each_seed
def test_the_end_of_a_turn_is_that_of_the_sheet(name: str, seed: int) -> None:
    dice = Random(f"end {name} {seed}")
    state = later(name, seed, dice.choice([0, 3, 9, 15, 21]))
    now = Turn(state)
    while (text := drawn(now.state, dice)) is not None and len(now.given) < 40:
        now.give(text)
    one, other = (Log(limit=GAME.facts.max_events) for _ in range(2))
    lines = tuple(Line[Order](text=GAME.write(order), order=order) for order in now.given)
    resolved = state.copy()
    GAME.resolve(resolved, {now.side: Sheet(lines)}, Chance(), other)
    assert now.end(one).raw() == resolved.raw()
    assert one.written() == other.written()
    assert GAME.chronicle.read(resolved, one.written())


@pytest.mark.parametrize("name", [name for name in GAMES if name != "one board"])
@each_seed
def test_orders_of_different_boards_commute(name: str, seed: int) -> None:
    """4.1, 4.9 With money enough and the pool not used up, only the sequence within a list matters."""
    dice = Random(f"commute {name} {seed}")
    state = later(name, seed, dice.choice([2, 8, 14, 20]))
    state.money[0] = state.money[1] = 100_000
    state.used[0] = state.used[1] = 0
    now = Turn(state)
    for _ in range(40):
        if (text := drawn(now.state, dice)) is not None:
            now.give(text)
    chosen = sum(type(order).__name__ == "Choose" for order in now.given)
    if chosen >= len(GAME.setting(state).pool):
        pytest.skip("the pool was used up within the turn")
    for _ in range(5):
        lists = {which: now.listed(which) for which in range(state.boards + 1)}
        mixed = []
        while any(lists.values()):
            mixed.append(lists[dice.choice([which for which, left in lists.items() if left])].pop(0))
        assert replayed(state, mixed).raw() == now.state.raw()


def test_reading_what_was_written_gives_the_same_order() -> None:
    state = later("three boards", 2, 9)
    for option in options_in(state):
        assert GAME.write(read_order(option.text)) == option.text
