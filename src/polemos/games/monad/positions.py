"""Positions as text, loss-free both ways: clauses separated by `;` or new lines.

`size 20x20` (bare ground) or `rows 0 12 #/...`; `seats 2`; `name "Quarry"`; `symmetry half-turn`; `starts 1,1 18,18`;
`field 5,5 30` (ore at the start, `#` for a blocked tile); `ore 5,5 9` (what is left); `red 5,5 8` (a stack);
`building red 6,5 right points 3`; `stock red 100 blue 0`; `played 3/2000`; `slots none`; `base 1`; `unit_cost 5`;
`cost 100`; `defence 10`; `start 1 100` (units, stock); `built red`; `alone red 9`; `out green 7`; `forfeited blue 5`;
`ended red 1`, `ended draw red blue 3`.
"""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from polemos.games.monad.ground import BadMap, Ground, sound
from polemos.games.monad.notation import place_in, seat_of
from polemos.games.monad.rules.board import core_of
from polemos.games.monad.setup import MAX_TURNS, Options, cells_of, first_state, ground_in, size_of
from polemos.games.monad.state import BLOCKED, DIRECTIONS, MAX_UNITS, NOBODY, PART, REASONS, SEATS, SURVIVAL, State
from polemos.games.monad.validate import clear, place_building, place_ore, place_stack, unlawful, validate
from polemos.kernel import valid
from polemos.kernel.errors import BadOptions, BadPosition, NotationError

_MAX_TEXT: Final = 600_000
_FIGURES: Final = ("slots", "base", "unit_cost", "cost", "defence")
_SETTING: Final = ("name", "symmetry", "starts", "rows", "size", "seats", "start", *_FIGURES)


# ---- writing


def write_position(state: State) -> str:
    """Everything in a state."""
    ground, width = ground_in(state), state.width
    clauses = [f"name {msgspec.json.encode(ground.name).decode().replace(';', chr(92) + 'u003b')}"]
    clauses += [f"symmetry {ground.symmetry}", "starts " + " ".join(f"{x},{y}" for x, y in ground.starts)]
    clauses.append("rows " + "/".join(" ".join("#" if n == BLOCKED else str(n) for n in row) for row in ground.rows))
    clauses += [f"slots {state.slots or 'none'}", f"base {state.base}", f"unit_cost {state.unit_cost}"]
    clauses += [f"cost {state.cost}", f"defence {state.defence}", f"start {state.start_units} {state.start_stock}"]
    clauses.append(f"played {state.turn}/{state.turns}")
    clauses.append("stock " + " ".join(f"{SEATS[seat]} {state.stock[seat]}" for seat in range(state.seats)))
    cells = cells_of(state)
    for tile in cells["units"].nonzero()[0].tolist():
        cell = state.cell[tile]
        clauses.append(f"{SEATS[cell.owner]} {tile % width},{tile // width} {cell.units}")
    for tile in ((cells["building"] > 0) & (cells["building"] < PART)).nonzero()[0].tolist():
        cell = state.cell[tile]
        owner, direction = SEATS[core_of(cell.building)], DIRECTIONS[(cell.building - 1) & 3]
        clauses.append(f"building {owner} {tile % width},{tile // width} {direction} points {cell.points}")
    for tile in ((cells["ore"] != cells["field"]) & (cells["field"] >= 0)).nonzero()[0].tolist():
        clauses.append(f"ore {tile % width},{tile // width} {state.cell[tile].ore}")
    for seat in range(state.seats):
        clauses += [f"built {SEATS[seat]}"] if state.built[seat] and not state.buildings[seat] else []
        clauses += [f"out {SEATS[seat]} {state.out[seat]}"] if state.out[seat] else []
        clauses += [f"forfeited {SEATS[seat]} {state.forfeited[seat]}"] if state.forfeited[seat] else []
    clauses += [f"alone {SEATS[state.alone_seat]} {state.alone}"] if state.alone else []
    if state.reason:
        sharing = "draw " + " ".join(SEATS[seat] for seat in range(4) if state.drawn >> seat & 1)
        clauses.append(f"ended {sharing if state.winner == NOBODY else SEATS[state.winner]} {state.reason}")
    return "; ".join(clauses)


# ---- reading


def read_position(text: str) -> State:
    """The state that a text means; raises BadPosition."""
    if len(text) > _MAX_TEXT:
        raise BadPosition("The text is too long for a position.")
    clauses = [part.strip() for part in re.split(r"[;\n]", text) if part.strip()]
    try:
        state = _begin(clauses)
        for clause in clauses:
            try:
                _clause(state, clause)
            except (ValueError, IndexError, KeyError, OverflowError):
                raise BadPosition(f"{clause[:60]!r} is not a clause of a position.") from None
    except (NotationError, BadMap, BadOptions) as error:
        raise BadPosition(error.why, rule=error.rule) from None
    except msgspec.MsgspecError as error:
        raise BadPosition(f"{error}.", rule="10.1") from None
    validate(state)
    return state


def _begin(clauses: list[str]) -> State:
    """The bare board: map and figures are read before anything is put on it."""
    facts: dict[str, str] = {}
    fields: list[tuple[int, int, int]] = []
    for clause in clauses:
        key, _, rest = clause.partition(" ")
        if key == "field":
            fields.append(_field(rest))
        elif key in _SETTING:
            if key in facts:
                raise BadPosition(f"{key!r} is given twice.")
            facts[key] = rest.strip()
    ground = _ground(facts, fields)
    chosen: dict[str, Any] = {key: _figure(facts[key]) for key in _FIGURES if key in facts}
    if "start" in facts:
        chosen["units"], chosen["stock"] = (_figure(word) for word in _two(facts["start"]))
    if why := valid.complaint(Options, chosen, "option", "of Monad"):
        raise BadPosition(why, rule="10.1")
    state = first_state(msgspec.convert(chosen, Options), ground)
    clear(state)
    return state


def _ground(facts: dict[str, str], fields: list[tuple[int, int, int]]) -> Ground:
    if "rows" in facts:
        rows = [[BLOCKED if word == "#" else _count(word) for word in row.split()] for row in facts["rows"].split("/")]
    else:
        width, height = size_of(facts.get("size", "20x20"))
        if width * height > 1 << 14:
            raise BadPosition("A map can have at most 64 by 64 tiles.", rule="1.1")
        rows = [[0] * width for _ in range(height)]
    for x, y, ore in fields:
        if not (0 <= y < len(rows) and 0 <= x < len(rows[y])):
            raise BadPosition(f"{x},{y} is not on the map.", rule="1.9")
        rows[y][x] = ore
    wide, high = len(rows[0]) if rows else 0, len(rows)
    if "starts" in facts:
        starts = tuple(place_in(word) for word in facts["starts"].split())
    else:
        corners = ((1, 1), (wide - 2, high - 2), (wide - 2, 1), (1, high - 2))
        starts = corners[: _count(facts.get("seats", "2"))]
    if "seats" in facts and _count(facts["seats"]) != len(starts):
        raise BadPosition(f"{facts['seats'][:9]} seats need as many starts; there are {len(starts)}.", rule="1.5")
    name = msgspec.json.decode(facts["name"], type=str) if "name" in facts else ""
    return sound(Ground(name, facts.get("symmetry", "none"), starts, tuple(map(tuple, rows))))


def _clause(state: State, clause: str) -> None:
    key, *rest = clause.split()
    match key, rest:
        case ("played", [numbers]):
            turn, slash, turns = numbers.partition("/")
            state.turn, state.turns = _small(turn), _small(turns) if slash else state.turns
        case ("stock", [_, _, *_]):
            for seat, number in zip(rest[::2], rest[1::2], strict=True):
                state.stock[_playing(state, seat)] = _stock(number)
        case ("building", [seat, place, *more]) if len(more) <= 3:
            direction = DIRECTIONS.index(more.pop(0)) if more and more[0] in DIRECTIONS else 1
            if more and (more[0] != "points" or len(more) != 2):
                raise ValueError(clause)
            place_building(state, _seat(seat), *place_in(place), direction, _count(more[1]) if more else 0)
        case ("ore", [place, number]):
            place_ore(state, *place_in(place), _count(number))
        case ("built", [seat]):
            state.built[_playing(state, seat)] = 1
        case ("alone", [seat, number]):
            state.alone_seat, state.alone = _playing(state, seat), min(_small(number), SURVIVAL + 1)
        case ("out", [seat, turn]):
            state.out[_playing(state, seat)] = _small(turn)
        case ("forfeited", [seat, turn]):
            state.forfeited[_playing(state, seat)] = _small(turn)
        case ("ended", ["draw", *seats, reason]):
            state.winner = NOBODY
            state.reason = REASONS.index(REASONS[_count(reason)])
            for seat in seats:
                state.drawn |= 1 << _playing(state, seat)
        case ("ended", [seat, reason]):
            state.winner = _playing(state, seat)
            state.reason = REASONS.index(REASONS[_count(reason)])
        case (_, [place, number]) if key in SEATS:
            place_stack(state, _seat(key), *place_in(place), _count(number))
        case _ if key in _SETTING or key == "field":
            pass  # read before
        case _:
            raise ValueError(clause)


def _field(text: str) -> tuple[int, int, int]:
    place, _, ore = text.strip().partition(" ")
    return *place_in(place), BLOCKED if ore.strip() == "#" else _count(ore.strip())


def _seat(word: str) -> int:
    return SEATS.index(seat_of(word))


def _playing(state: State, word: str) -> int:
    if _seat(word) >= state.seats:
        raise BadPosition(f"{word.capitalize()} is not playing: the match has {state.seats} players.", rule="1.9")
    return _seat(word)


def _two(text: str) -> list[str]:
    words = text.split()
    if len(words) != 2:
        raise BadPosition(f"Give units and stock at the start, such as 1 100, not {text[:40]!r}.")
    return words


def _figure(text: str) -> int | str:
    return text if text == "none" else _count(text)


def _stock(text: str) -> int:
    if (number := _count(text)) > MAX_UNITS:
        raise unlawful(f"A stock can hold at most {MAX_UNITS}, not {number}.")
    return number


def _small(text: str) -> int:
    """A number of turns."""
    if (number := _count(text)) > MAX_TURNS:
        raise unlawful(f"A game cannot have {number} turns.")
    return number


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", text, re.ASCII):
        raise BadPosition(f"{text[:20]!r} is not a number.")
    return int(text)
