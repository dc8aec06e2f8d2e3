"""Random play over the contract alone: lawful orders drawn from `options`, and lines that are no orders.

Everything here is drawn from a `Random` that the caller seeds, so that a failing seed tells the whole story.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from polemos import registry
from polemos.kernel.chronicle import Event
from polemos.kernel.game import SPECTATOR, UMPIRE, Option
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.record import many

LONGEST = 1000  # steps; every match must end sooner, whatever is ordered

EXAMPLES: list[tuple[Any, dict[str, Any]]] = [
    (game, options) for name in registry.names() for game in [registry.load(name)] for options in game.examples
]


def _ids(examples: Sequence[tuple[Any, dict[str, Any]]]) -> list[str]:
    return [f"{game.name}-{game.examples.index(options)}" for game, options in examples]


def over(examples: Sequence[tuple[Any, dict[str, Any]]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("game", "options"), examples, ids=_ids(examples))


every_example = over(EXAMPLES)
every_game = pytest.mark.parametrize("game", [registry.load(name) for name in registry.names()], ids=lambda g: g.name)

# Lines that are no orders in any game.
NONSENSE: tuple[object, ...] = (
    "",
    " ",
    "?",
    "no order at all, nor anything like one",
    "\N{SNOWMAN}\N{COMBINING ACUTE ACCENT}",
    "x" * 5000,
    "\x00\x07\x1b[31m",
    "--; ../..; %s %d {0}",
    None,
    True,
    0,
    -1,
    10**30,
    2.5,
    float("nan"),
    [],
    {},
    [["a"], {"b": 1}],
    {"order": None},
    {"order": "nonsense"},
    {"order": ["march"]},
    {"": ""},
    b"bytes",
)
ODD: tuple[object, ...] = ("", "?", None, True, -1, 0, 2.5, 10**12, [], {}, "A" * 300)


def seats_and_public(game: Any, state: Any) -> tuple[str, ...]:
    """Everybody from whom something may be kept secret."""
    return (*game.seats(state), SPECTATOR)


def everybody(game: Any, state: Any) -> tuple[str, ...]:
    return (*seats_and_public(game, state), UMPIRE)


# ---- orders


def numbers_of(option: Option) -> tuple[int | None, ...]:
    """The least and the most that an option offers."""
    if option.least is None or option.most is None:
        assert option.least is None
        assert option.most is None
        return (None,)
    assert option.least <= option.most
    return tuple(sorted({option.least, option.most}))


def as_object(option: Option, number: int | None) -> dict[str, Any]:
    """The order of an option as an object, with this number in it."""
    return {**option.order, "number": number} if number is not None else dict(option.order)


def draft_of(game: Any, setting: Any, view: Any, chance: Random, most: int = 8) -> list[Any]:
    """Up to `most` orders that are lawful together, drawn from the options."""
    draft: list[Any] = []
    for _ in range(chance.randint(0, min(most, game.facts.max_lines))):
        options = game.options(setting, view, draft)
        if not options:
            break
        option = chance.choice(options)
        number = None if option.least is None else chance.randint(option.least, option.most)
        draft.append(game.read(as_object(option, number)))
    return draft


def lawful(game: Any, state: Any, seat: str, chance: Random, most: int = 8) -> list[Any]:
    """A lawful draft of this seat."""
    return draft_of(game, game.setting(state), game.observe(state, seat), chance, most)


def in_some_form(game: Any, order: Any, chance: Random) -> object:
    """The same order as an object of ours, as text, or as plain JSON."""
    forms = (order, game.write(order), msgspec.to_builtins(order))
    return forms[chance.randrange(3)]


def crooked(order: Any, chance: Random) -> object:
    """An order with something wrong in it, or so it seems."""
    fields: dict[str, Any] = msgspec.to_builtins(order)
    name = chance.choice(sorted(fields))
    if chance.random() < 0.2:
        del fields[name]
    else:
        fields[name] = copy.copy(chance.choice(ODD))
    return fields


def messy(game: Any, orders: Sequence[Any], chance: Random, nonsense: float = 0.3) -> list[object]:
    """The orders as lines in mixed forms, with lines between them that are mostly void."""
    lines: list[object] = []
    for order in orders:
        if chance.random() < nonsense:
            lines.append(crooked(order, chance) if chance.random() < 0.5 else chance.choice(NONSENSE))
        lines.append(in_some_form(game, order, chance))
    if chance.random() < nonsense:
        lines.append(chance.choice(NONSENSE))
    return lines


def some_sheets(game: Any, state: Any, chance: Random, nonsense: float = 0.3) -> dict[str, list[object]]:
    """Sheets for those who are to order; now and then one is silent."""
    return {
        seat: messy(game, lawful(game, state, seat, chance), chance, nonsense)
        for seat in game.to_act(state)
        if chance.random() < 0.9
    }


# ---- matches and states


def run_step(match: AnyMatch, sheets: Mapping[str, Sequence[object]]) -> AnyMatch:
    for seat, lines in sheets.items():
        match.submit(seat, lines)
    match.run()
    return match


def random_match(game: Any, options: Mapping[str, Any], seed: int, steps: int = 6, nonsense: float = 0.3) -> AnyMatch:
    """A match of at most so many steps with random sheets."""
    chance, match = Random(seed), Match(game, options, seed=seed)
    while match.outcome is None and len(match.steps) < steps:
        run_step(match, some_sheets(game, match.state, chance, nonsense))
    return match


def match_from(game: Any, state: Any, key: str) -> AnyMatch:
    """A match that goes on from a state with the dice of a key."""
    return Match(game, key=key, position=game.write_position(state))


def run_out(match: AnyMatch) -> AnyMatch:
    """Lets everybody be silent until the end."""
    while match.outcome is None and len(match.steps) < LONGEST:
        match.run()
    return match


def met(game: Any, options: Mapping[str, Any], seed: int, running: bool = True) -> Any:
    """A state met in play: some random steps in compiled code, then perhaps one with random sheets."""
    chance = Random(seed)
    start = game.setup(options, seed)
    states: Any = many(game.state_type, 1)
    states[0] = start
    state = start.copy()
    for _ in range(chance.randint(0, 10)):
        game.rollout(states, start, chance.getrandbits(62), 1)
        if game.outcome(states[0]) is not None:
            return state if running else states[0].copy()
        state = states[0].copy()
    if chance.random() < 0.5:
        match = match_from(game, state, f"{seed:032x}")
        run_step(match, some_sheets(game, match.state, chance))
        if match.outcome is None or not running:
            state = match.state.copy()
    return state


def ended(game: Any, options: Mapping[str, Any], seed: int) -> Any:
    """A state in which the game is over."""
    chance = Random(seed)
    start = game.setup(options, seed)
    states: Any = many(game.state_type, 1)
    states[0] = start
    for _ in range(LONGEST):
        game.rollout(states, start, chance.getrandbits(62), 1)
        if game.outcome(states[0]) is not None:
            return states[0].copy()
    return run_out(Match(game, options, seed=seed)).state.copy()


# ---- comparing


def unnumbered(events: Sequence[Event]) -> list[Event]:
    """Events without the lines of the sheets that they came from."""
    return [msgspec.structs.replace(event, line=0) for event in events]


def as_bytes(value: object) -> bytes:
    """A message as it would go out, for comparing to the last byte."""
    return msgspec.json.encode(value)
