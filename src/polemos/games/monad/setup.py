"""From a map and options to the first state, and from a state back to its map."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, Struct

from polemos.games.monad.generate import generate
from polemos.games.monad.ground import BadMap, Ground, load, read_map, shipped, write_map
from polemos.games.monad.layout import faults
from polemos.games.monad.rules.board import set_stack
from polemos.games.monad.state import BLOCKED, MAX_NAME, MAX_SIDE, MIN_SIDE, SYMMETRIES, Cell, State
from polemos.kernel.errors import BadOptions
from polemos.kernel.named import named
from polemos.kernel.renamed import ONCE_SEED

DEFAULT_MAPS = {2: "quarry", 3: "triad", 4: "crown"}
MAX_TURNS = 30_000
_CELLS: int = State.dtype.fields["cell"][1]  # type: ignore[index]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """10.1 The options of a match."""

    rules: Annotated[Literal["classic"], ONCE_SEED, named({"classic": "Classic"})] = "classic"
    seats: Annotated[
        Literal[0, 2, 3, 4],
        named({"0": "As the map has", "2": "2", "3": "3", "4": "4"}, description="How many players."),
    ] = 0
    map: Annotated[
        str,
        Meta(
            description="A map by name, random, or a whole map as text; empty for the default.",
            examples=[*shipped(), "random"],
        ),
    ] = ""
    size: Annotated[
        str,
        Meta(description="Size of a random map.", examples=["12x12", "20x20", "32x32", "64x64"]),
        named({"12x12": "12 by 12", "20x20": "20 by 20", "32x32": "32 by 32", "64x64": "64 by 64"}),
    ] = "20x20"
    symmetry: Annotated[
        Literal["half-turn", "mirror-x", "mirror-y"],
        named(
            {"half-turn": "Half a turn", "mirror-x": "Left mirrors right", "mirror-y": "Top mirrors bottom"},
            description="How the two halves of a random map correspond.",
        ),
    ] = "half-turn"
    obstacles: Annotated[
        Literal["none", "few", "many"],
        named({"none": "None", "few": "Few", "many": "Many"}, description="Blocked tiles on a random map."),
    ] = "none"
    character: Annotated[
        Literal["mixed", "even", "rich", "veins", "islands"],
        named(
            {"mixed": "Mixed", "even": "Even", "rich": "Rich", "veins": "In veins", "islands": "In islands"},
            title="Ore",
            description="How ore is spread over a random map.",
        ),
    ] = "mixed"
    turns: Annotated[
        int, Meta(ge=1, le=MAX_TURNS, description="After this many turns the player with the most units wins (9.3).")
    ] = 2000
    slots: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | Literal["none"],
        Meta(title="Workers per building", description="How many workers count per building and turn (6.3)."),
        named({"none": "No limit"}),
    ] = 5
    base: Annotated[
        int,
        Meta(
            ge=0,
            le=100,
            title="Points without workers",
            description="Points that each building makes per turn without workers (6.2).",
        ),
    ] = 0
    unit_cost: Annotated[
        int, Meta(ge=1, le=1000, title="Points for a unit", description="Points needed for one unit (6.4).")
    ] = 5
    cost: Annotated[
        int, Meta(ge=1, le=10_000, title="Price of a building", description="Stock that a building costs (5.4).")
    ] = 100
    defence: Annotated[
        int, Meta(ge=1, le=1000, description="Defence that a building adds to the units on its core (8.2).")
    ] = 10
    units: Annotated[int, Meta(ge=1, le=1_000_000, description="Units each player starts with (1.7).")] = 1
    stock: Annotated[int, Meta(ge=0, le=1_000_000, description="Stock each player starts with (1.7).")] = 100


SMALLEST, LARGEST = f"{MIN_SIDE}x{MIN_SIDE}", f"{MAX_SIDE}x{MAX_SIDE}"
OF_RANDOM_MAPS = ("size", "symmetry", "obstacles", "character")


def require_random(given: Mapping[str, Any], options: Options) -> None:
    """10.1 How a map is drawn says nothing where none is drawn."""
    idle = [name for name in OF_RANDOM_MAPS if name in given]
    if idle and options.map != "random":
        raise BadOptions(
            f"{', '.join(idle)}: only a random map has this. Say map=random too, or leave it out.", rule="10.1"
        )


def size_of(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})", text.strip().lower(), re.ASCII)
    if found is None:
        raise BadOptions(
            f"{text[:20]!r} is not a size. Write it like 20x20, from {SMALLEST} to {LARGEST}.", rule="10.1"
        )
    return int(found[1]), int(found[2])


def ground_of(options: Options, seed: object) -> Ground:
    """10.1, 10.2 The map that the options ask for."""
    name = options.map or DEFAULT_MAPS[options.seats or 2]
    if name == "random":
        width, height = size_of(options.size)
        if not (MIN_SIDE <= width <= MAX_SIDE and MIN_SIDE <= height <= MAX_SIDE):
            raise BadOptions(f"A map cannot be {width}x{height}: from {SMALLEST} to {LARGEST} it can.", rule="1.1")
        return generate(
            seed,
            seats=options.seats or 2,
            width=width,
            height=height,
            symmetry=options.symmetry,
            obstacles=options.obstacles,
            character=options.character,
        )
    if "\n" in name:
        ground = read_map(name)
    elif name in shipped():
        ground = load(name)
    else:
        raise BadOptions(
            f"There is no map called {name[:40]!r}. Choose random, {', '.join(shipped())}, or give a map as text.",
            rule="10.1",
        )
    if options.seats not in (0, ground.seats):
        raise BadOptions(f"This map has {ground.seats} starts, not {options.seats}.", rule="1.5")
    return ground


def fair(ground: Ground) -> Ground:
    """1.6 The ground itself, if a match may be played on it."""
    if flaws := _faults(ground):
        rule, why = flaws[0]
        more = f" Faults besides this: {len(flaws) - 1}." if len(flaws) > 1 else ""
        raise BadMap(f"The map is not fair. {why}{more}", rule=rule)
    return ground


@lru_cache(maxsize=16)
def _faults(ground: Ground) -> list[tuple[str, str]]:
    """Kept, because tournaments play the same maps again and again."""
    return faults(ground)


def first_state(options: Options, ground: Ground) -> State:
    """1.7 The board, the units and the stocks that a match begins with."""
    state = State(
        turns=options.turns,
        slots=0 if options.slots == "none" else options.slots,
        base=options.base,
        unit_cost=options.unit_cost,
        cost=options.cost,
        defence=options.defence,
        start_units=options.units,
        start_stock=options.stock,
    )
    lay(state, ground)
    for seat, (x, y) in enumerate(ground.starts):
        set_stack(state, y * state.width + x, seat, options.units)
        state.stock[seat], state.units[seat] = options.stock, options.units
    return state


def lay(state: State, ground: Ground) -> None:
    """1.1 to 1.6 Writes a map into the state."""
    name = ground.name.encode()
    for i, byte in enumerate(name[:MAX_NAME]):
        state.name[i] = byte if byte < 128 else byte - 256
    state.width, state.height, state.seats = ground.width, ground.height, ground.seats
    state.symmetry = SYMMETRIES.index(ground.symmetry)
    for seat, (x, y) in enumerate(ground.starts):
        state.start[seat] = y * state.width + x
    cells = cells_of(state)
    cells["field"] = np.array(ground.rows, dtype=np.int16).ravel()
    cells["ore"] = np.where(cells["field"] == BLOCKED, 0, cells["field"])


def cells_of(state: State) -> np.ndarray[Any, Any]:
    """The tiles of a state as one array that shares its memory, for reading many at once."""
    cells: np.ndarray[Any, Any] = np.frombuffer(
        memoryview(state), dtype=Cell.dtype, count=state.width * state.height, offset=_CELLS
    )
    return cells


def name_in(state: State) -> str:
    return bytes(state.name[i] & 255 for i in range(MAX_NAME)).rstrip(b"\0").decode()


def ground_in(state: State) -> Ground:
    """The map that a state was laid out from."""
    width = state.width
    fields = cells_of(state)["field"].tolist()
    return Ground(
        name_in(state),
        SYMMETRIES[state.symmetry],
        tuple((state.start[seat] % width, state.start[seat] // width) for seat in range(state.seats)),
        tuple(tuple(fields[row : row + width]) for row in range(0, len(fields), width)),
    )


def options_in(state: State) -> dict[str, Any]:
    """The options of a match in full."""
    return {
        "rules": "classic",
        "seats": state.seats,
        "map": write_map(ground_in(state)),
        "turns": state.turns,
        "slots": state.slots or "none",
        "base": state.base,
        "unit_cost": state.unit_cost,
        "cost": state.cost,
        "defence": state.defence,
        "units": state.start_units,
        "stock": state.start_stock,
    }
