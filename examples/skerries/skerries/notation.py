"""Orders and positions as text, loss-free both ways; dice by name.

An order: `A1-A2 3`. A position: `turn 3/8; red 4: A1 3, A2 2; blue 1: out`, a clause for every seat with its points.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from polemos.kernel.dice import SIDES, Chance
from polemos.kernel.errors import BadPosition, NotationError
from skerries.rules.sea import harbour
from skerries.state import BOATS, MAX_TURNS, NAMES, SEATS, State


class Row(Struct, frozen=True, tag_field="order", tag="row", rename={"origin": "from", "target": "to"}):
    """2.1 So many boats row from one skerry to another."""

    origin: str
    target: str
    number: Annotated[int, Meta(ge=1, le=99)]


class Crew(Struct, frozen=True, forbid_unknown_fields=True):
    """The points of a seat, and its boats by skerry; None: it has dropped out."""

    points: int
    boats: dict[str, int] | None


def read_order(line: object) -> Row:
    """2.1 The order that a text or an object means."""
    if isinstance(line, str) and (found := re.fullmatch(r"\s*(\w+)[\s>-]+(\w+)\s+(\d\d?)\s*", line, re.ASCII)):
        line = Row(found[1].upper(), found[2].upper(), int(found[3]))
    try:
        order = msgspec.convert(msgspec.to_builtins(line) if isinstance(line, Row) else line, Row)
    except (msgspec.ValidationError, UnicodeEncodeError):
        order = None
    if order is None or not {order.origin, order.target} <= set(NAMES):
        raise NotationError("That is not an order. Write it like A1-A2 3: from, to, how many boats.", rule="2.1")
    return order


def write_order(order: Row) -> str:
    return f"{order.origin}-{order.target} {order.number}"


def position(turn: int, turns: int, crews: Mapping[str, Crew]) -> State:
    """The state in which the seats have this; refuses what play cannot reach."""
    if not (1 <= turn <= turns + 1 <= MAX_TURNS + 1 and len(crews) >= 2 and tuple(crews) == SEATS[: len(crews)]):
        raise BadPosition(f"A game has 2 to {len(SEATS)} seats, in order, and 1 to {MAX_TURNS} turns.", rule="4.2")
    state = State(seats=len(crews), turn=turn, turns=turns)
    free = set(NAMES[: 3 * len(crews) + 1])
    for seat, (name, crew) in enumerate(crews.items()):
        own = state.crews[seat]
        for place, boats in (crew.boats or {}).items():
            foreign = place[1:] == "1" and place != NAMES[harbour(seat)]
            if place not in free or foreign or not 1 <= boats <= BOATS:
                raise BadPosition(
                    f"{name.capitalize()} cannot have boats on {place[:9]!r}.", rule="2.2" if foreign else "3.2"
                )
            free.remove(place)
            own.boats[NAMES.index(place)] = boats
        if (crew.boats is not None and sum(own.boats) != BOATS) or not 0 <= crew.points < 1000:
            raise BadPosition(f"{name.capitalize()} has {BOATS} boats and fewer than 1000 points.", rule="1.3")
        own.points, own.out = crew.points, crew.boats is None
    return state


def write_position(state: State) -> str:
    clauses = [f"turn {state.turn}/{state.turns}"]
    for crew, name in zip(state.crews, SEATS[: state.seats], strict=False):
        boats = [f"{place} {number}" for place, number in zip(NAMES, crew.boats, strict=True) if number]
        clauses.append(f"{name} {crew.points}: {'out' if crew.out else ', '.join(boats)}")
    return "; ".join(clauses)


def read_position(text: str) -> State:
    """The state that a text means; raises BadPosition."""
    first, *clauses = re.split(r"\s*[;\n]\s*", text.strip())
    turn = re.fullmatch(r"turn (\d{1,2})/(\d{1,2})", first, re.ASCII)
    crews = {}
    for clause in clauses:
        found = re.fullmatch(r"(\w+) (\d{1,3}): (out|\w+ \d(?:, \w+ \d)*)", clause, re.ASCII)
        if found is None or found[1] in crews:
            raise BadPosition(f"{clause[:40]!r} should read like red 4: A1 3, A2 2, or red 4: out.")
        boats = [cell.split() for cell in found[3].split(", ")] if found[3] != "out" else []
        there = {place: int(number) for place, number in boats}
        crews[found[1]] = Crew(int(found[2]), there if boats else None)
    if turn is None:
        raise BadPosition("A position reads like turn 3/8; red 4: A1 3, A2 2; blue 1: B1 5.")
    return position(int(turn[1]), int(turn[2]), crews)


def fix_dice(state: State, chance: Chance, dice: Mapping[str, Any]) -> None:
    """Fixes dice by skerry and seat: `{"A2": {"red": 6, "blue": 1}}`."""
    try:
        given = msgspec.convert(dice, dict[str, dict[str, Annotated[int, Meta(ge=1, le=6)]]])
        thrown = [(NAMES.index(at), SEATS.index(who), die) for at, of in given.items() for who, die in of.items()]
    except (msgspec.ValidationError, ValueError):
        raise NotationError('Dice read like {"A2": {"red": 6, "blue": 1}}.', rule="3.2") from None
    for place, seat, die in thrown:
        chance.fix(0, place, seat, (2 * die - 1) * SIDES // 12)
