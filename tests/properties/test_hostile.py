"""Whatever comes from outside is refused in words of ours, line by line, and harms nothing else."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.kernel import dice
from polemos.kernel.capabilities.fixable_dice import FixableDice
from polemos.kernel.errors import BadOptions, BadPosition, OrderError, PolemosError
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.match import Match
from polemos.kernel.positions import load_position, position_of
from properties.driver import (
    NONSENSE,
    ODD,
    as_bytes,
    crooked,
    ended,
    every_example,
    every_game,
    in_some_form,
    lawful,
    match_from,
    met,
    unnumbered,
)
from search import SEARCHING, examples

SEEDS = st.integers(0, 2**32 - 1)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([2**31, 2**63, 2**64, -(2**63) - 1, 10**100, -(10**100)])
    | st.floats()
    | st.text(max_size=40)
    | st.sampled_from(["\ud800", "\u202e\u0661", "\x00", "start", "bless", "order", "number", "setting", "view", "-1"])
)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
)
TEXT = st.text(max_size=80) | st.text("ABGQabgq1590 -;,/>:.\n\t", max_size=80)
LINES = TEXT | JSON


def deep(levels: int) -> list[Any]:
    """A list in a list in a list."""
    nest: list[Any] = []
    for _ in range(levels):
        nest = [nest]
    return nest


# ---- lines of a sheet


@every_example
@given(seed=SEEDS, hostile=st.lists(LINES, max_size=6))
@examples(12)
def test_no_line_raises_and_lawful_lines_before_it_stand(
    game: Any, options: dict[str, Any], seed: int, hostile: list[object]
) -> None:
    state, chance = met(game, options, seed % 50), Random(seed)
    seat = chance.choice(game.to_act(state))
    orders = lawful(game, state, seat, chance)
    hostile = [*hostile, *(crooked(order, chance) for order in orders)]
    sheet = game.check(state, seat, [*orders, *hostile])
    assert len(sheet.lines) == len(orders) + len(hostile)
    assert tuple(line.order for line in sheet.lines[: len(orders)]) == tuple(orders)
    if all(line.order is None for line in sheet.lines[len(orders) :]):  # a readable one may contradict a lawful one
        assert all(line.fault is None for line in sheet.lines[: len(orders)])
    for line in sheet.lines[len(orders) :]:
        assert (line.order is not None) or (line.fault is not None)
    as_bytes([sheet.texts, sheet.faults])  # can be kept and sent
    again = game.check(state, seat, sheet.texts)
    assert again.orders == sheet.orders, "a replay keeps the texts only"
    assert [fault.line for fault in again.faults] == [fault.line for fault in sheet.faults]


@every_example
@given(seed=SEEDS)
@examples(8)
def test_unreadable_lines_between_lawful_ones_change_nothing(game: Any, options: dict[str, Any], seed: int) -> None:
    state, chance = met(game, options, seed), Random(seed)
    clean, spoilt = (match_from(game, state, dice.derive(seed)) for _ in range(2))
    for seat in game.to_act(state):
        orders = lawful(game, state, seat, chance)
        lines: list[object] = []
        for order in orders:
            lines += chance.sample(NONSENSE, chance.randint(0, 3))
            lines.append(in_some_form(game, order, chance))
        lines += chance.sample(NONSENSE, chance.randint(0, 3))
        assert clean.submit(seat, orders).orders == tuple(orders)
        sheet = spoilt.submit(seat, lines)
        assert sheet.orders == tuple(orders)
        assert len(sheet.faults) == len(lines) - len(orders)
    assert clean.run().digest == spoilt.run().digest
    told = [[unnumbered(events) for events in match.happened] for match in (clean, spoilt)]
    assert told[0] == told[1]


@every_game
def test_reading_raises_nothing_but_order_errors(game: Any) -> None:
    for line in (*NONSENSE, *ODD, deep(100_000), 10**5000, -(10**5000), object(), {1: 2}, {("a",): None}, "\ud800"):
        with pytest.raises(OrderError):
            game.read(line)


def with_each_field_replaced(game: Any, state: Any, seat: str, value: object) -> Iterator[dict[str, Any]]:
    """Lawful orders of every kind, one field at a time replaced."""
    kinds: dict[tuple[str, ...], dict[str, Any]] = {}
    for option in game.options(game.setting(state), game.observe(state, seat)):
        kinds.setdefault(tuple(sorted(option.order)), option.order)
    for order in kinds.values():
        for name in order:
            yield {**order, name: value}


VALUES: dict[str, object] = {
    "a number below nothing": -(10**18),
    "a number of 4000 digits": -(10**3999),
    "a number of 5000 digits": -(10**4999),
    "a list nested 100000 deep": deep(100_000),
    "not a number": float("nan"),
    "infinity": float("inf"),
    "half a surrogate": "\ud800",
    "a text of a million letters": "G" * 1_000_000,
    "an object of some class": object(),
    "bytes": b"\xff",
    "a set": {1},
}


@every_game
@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
def test_a_field_with_a_monstrous_value_voids_its_line_and_no_other(game: Any, value: object) -> None:
    state = game.setup(game.examples[0], 1)
    seat = game.to_act(state)[0]
    for line in with_each_field_replaced(game, state, seat, value):
        orders = lawful(game, state, seat, Random(7))
        sheet = game.check(state, seat, [line, *orders])
        assert sheet.orders == tuple(orders)
        assert [fault.line for fault in sheet.faults] == [1]
        assert len(sheet.faults[0].order) <= 80
        assert len(sheet.faults[0].why) <= 400
        as_bytes(sheet.faults)


@every_game
def test_a_monstrous_number_is_void_or_cut_to_size(game: Any) -> None:
    """A book may say that too large a number is cut; then the line stands as if it had been written so."""
    state = game.setup(game.examples[0], 1)
    seat = game.to_act(state)[0]
    for line in with_each_field_replaced(game, state, seat, 10**4999):
        sheet = game.check(state, seat, [line])
        (read,) = sheet.lines
        assert len(read.text) <= 80
        assert sheet.orders == (() if sheet.faults else game.check(state, seat, [read.text]).orders)
        as_bytes(sheet.faults)


@every_game
@given(sheet=JSON | TEXT)
@examples(12)
def test_a_whole_sheet_may_be_anything(game: Any, sheet: Any) -> None:
    match = Match(game, game.examples[0], seed=1)
    seat = match.to_act[0]
    try:
        match.submit(seat, sheet)
    except OrderError:
        assert seat not in match.filed
    match.run()


# ---- positions


@every_game
@given(text=TEXT)
@examples(15)
def test_any_text_is_a_position_or_refused_as_one(game: Any, text: str) -> None:
    try:
        state = game.read_position(text)
    except PolemosError:
        return
    assert game.read_position(game.write_position(state)) == state


@every_example
@given(seed=SEEDS)
@examples(12)
def test_a_position_with_a_slip_of_the_pen_is_read_or_refused(game: Any, options: dict[str, Any], seed: int) -> None:
    chance = Random(seed)
    text = list(game.write_position(met(game, options, seed % 20, running=False)))
    for _ in range(chance.randint(1, 3)):
        at, kind = chance.randrange(len(text)), chance.randrange(4)
        if kind == 0:
            del text[at]
        elif kind == 1:
            text.insert(at, chance.choice("0123456789;,/ -abcXYZ\n\u0663\x00"))
        elif kind == 2:
            text[at] = chance.choice("0123456789;,/ -abcXYZ\n\u0663\x00")
        else:
            text = text[:at] + text[at : at + 40] + text[at:]
    try:
        state = game.read_position("".join(text))
    except PolemosError:
        return
    assert game.read_position(game.write_position(state)) == state


@every_game
@given(position=JSON | st.fixed_dictionaries({"setting": JSON, "view": JSON}))
@examples(15)
def test_any_json_is_a_position_or_refused_as_one(game: Any, position: object) -> None:
    try:
        state = load_position(game, position)
    except PolemosError:
        return
    assert load_position(game, position_of(game, state)) == state


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """All places of a JSON value with what stands there, inner ones before outer ones."""
    children: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, child in children:
        yield from leaves(child, (*path, name))
    if path:
        yield path, value


def sorts_of_leaves(position: Any) -> list[tuple[tuple[Any, ...], Any]]:
    """Of leaves that differ only by their places in lists, the first three and the last: the same lines read all."""
    sorts: dict[tuple[Any, ...], list[tuple[tuple[Any, ...], Any]]] = {}
    for path, value in leaves(position):
        sorts.setdefault(tuple(0 if isinstance(name, int) else name for name in path), []).append((path, value))
    return [
        leaf
        for alike in sorts.values()
        for leaf in (alike if SEARCHING or len(alike) <= 4 else [*alike[:3], alike[-1]])
    ]


def replaced(position: Any, path: tuple[Any, ...], value: object) -> Any:
    fresh = copy.deepcopy(position)
    at = fresh
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = value
    return fresh


def removed(position: Any, path: tuple[Any, ...]) -> Any:
    fresh = copy.deepcopy(position)
    at = fresh
    for name in path[:-1]:
        at = at[name]
    del at[path[-1]]
    return fresh


@every_example
@given(seed=SEEDS)
@examples(12)
def test_a_position_with_one_value_changed_or_missing_is_read_or_refused(
    game: Any, options: dict[str, Any], seed: int
) -> None:
    chance = Random(seed)
    position = msgspec.json.decode(as_bytes(position_of(game, met(game, options, seed % 20, running=False))))
    path, value = chance.choice(list(leaves(position)))
    others = [*ODD, "red", "A5", 1, 7, 10**30, -value if isinstance(value, int) else [value]]
    changed = removed(position, path) if chance.random() < 0.3 else replaced(position, path, chance.choice(others))
    try:
        state = load_position(game, changed)
    except PolemosError:
        return
    assert load_position(game, position_of(game, state)) == state
    assert game.read_position(game.write_position(state)) == state


def taken_otherwise(game: Any, state: Any, changed: Any) -> bool:
    """Whether a changed position is read as neither what it says nor, where a game works a value out, as before."""
    try:
        loaded = load_position(game, changed)
    except BadPosition:
        return False
    setting = msgspec.convert(changed["setting"], game.setting_type)
    view = msgspec.convert(changed["view"], game.view_type)
    given_back = (game.setting(loaded), game.observe(loaded, UMPIRE))
    return given_back != (setting, view) and loaded != state


@every_example
def test_a_number_in_a_position_is_taken_as_it_is_or_refused_never_cut_to_size(
    game: Any, options: dict[str, Any]
) -> None:
    state = met(game, options, 11)
    position = msgspec.json.decode(as_bytes(position_of(game, state)))
    wrong = [
        (path, number)
        for path, value in sorts_of_leaves(position)
        if type(value) is int
        for power in (8, 16, 32, 64)
        for number in (2**power + value - 1, 2**power + value + 1)
        if taken_otherwise(game, state, replaced(position, path, number))
    ]
    assert not wrong


@every_example
def test_a_position_with_something_missing_is_refused_never_filled_up(game: Any, options: dict[str, Any]) -> None:
    for state in (met(game, options, 11), ended(game, options, 11)):
        position = msgspec.json.decode(as_bytes(position_of(game, state)))
        paths = [path for path, _ in sorts_of_leaves(position) if len(path) > 1]
        wrong = [path for path in paths if taken_otherwise(game, state, removed(position, path))]
        assert not wrong


@every_example
def test_the_view_of_a_seat_is_no_position(game: Any, options: dict[str, Any]) -> None:
    state = game.setup(options, 1)
    for who in (*game.seats(state), SPECTATOR, "nobody"):
        view = msgspec.to_builtins(game.observe(state, game.seats(state)[0]))
        with pytest.raises(BadPosition):
            load_position(game, {"setting": msgspec.to_builtins(game.setting(state)), "view": {**view, "who": who}})


# ---- calls, dice, options


@every_example
@given(seed=SEEDS, text=TEXT | st.from_regex(r"[a-z]{1,6} [0-9]{1,9}", fullmatch=True))
@examples(10)
def test_any_call_is_obeyed_or_refused_and_a_refused_one_changes_nothing(
    game: Any, options: dict[str, Any], seed: int, text: str
) -> None:
    match = match_from(game, met(game, options, seed % 20, running=False), dice.derive(seed))
    before = match.state.raw()
    try:
        match.call(text)
    except PolemosError:
        assert match.state.raw() == before


@every_game
@given(fixed=st.dictionaries(st.text(max_size=20), JSON, max_size=3) | JSON)
@examples(15)
def test_fixing_any_dice_works_or_is_refused(game: Any, fixed: Any) -> None:
    chance, state = dice.chance_of(dice.derive(1)), game.setup({}, 1)
    if not isinstance(game, FixableDice):
        return
    try:
        game.fix_dice(state, chance, fixed)
    except PolemosError:
        return
    assert 0 <= chance.fixed <= dice.MAX_FIXED


@every_game
@given(options=st.dictionaries(st.text(max_size=10), JSON, max_size=2))
@examples(10)
def test_any_options_make_a_match_or_are_refused(game: Any, options: dict[str, Any]) -> None:
    names = [field.encode_name for field in msgspec.structs.fields(game.options_type)]
    for given_options in (options, dict(zip(names, options.values(), strict=False))):
        try:
            state = game.setup(given_options, 1)
        except BadOptions:
            continue
        assert game.setup(game.options_of(state), 2) == state
