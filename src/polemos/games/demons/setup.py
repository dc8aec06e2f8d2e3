"""From a map and options to the first state, and from a state back to its map."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from polemos.games.demons.generate import generate
from polemos.games.demons.ground import BadMap, Ground, load, read_map, shipped
from polemos.games.demons.imports import import_json
from polemos.games.demons.rules.phases import raise_tower
from polemos.games.demons.state import (
    ALL_QUIRKS,
    BLUE,
    BUILDERS,
    COINS,
    COMPASS,
    HOUSE,
    KINDS,
    MAX_LANES,
    MAX_NAME,
    MAX_PORTALS,
    PATH,
    PLAYERS,
    QUIRKS,
    RED,
    RULES,
    SYMMETRIES,
    TOWERS,
    State,
)
from polemos.kernel.dice import number
from polemos.kernel.errors import BadOptions
from polemos.kernel.named import named
from polemos.kernel.renamed import ONCE_SEED

MAX_TURNS = 10_000
UNREPRODUCED = ("Q13", "Q16", "Q17", "Q18")  # crashes, and what belongs to a guest's adapter: switches without effect


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a match."""

    rules: Annotated[
        Literal["classic", "finals-2025"],
        ONCE_SEED,
        named(
            {"classic": "Classic", "finals-2025": "Finals of 2025"},
            description="The classic rules, or those of the 2025 finals (11).",
        ),
    ] = "classic"
    map: Annotated[
        str,
        Meta(
            description="A map by name, random, or a whole map as text, in our format or the original competition's.",
            examples=[*shipped(), "random"],
        ),
    ] = "twin-gates"
    turns: Annotated[
        int,
        Meta(ge=0, le=MAX_TURNS, description="How many turns to play; 0 means 1000, or 300 in the finals (2.1, 11.1)."),
    ] = 0
    decisions: Annotated[
        Literal["one", "two"],
        named(
            {"one": "One sheet per turn", "two": "First building, then hiring"},
            description="One sheet per turn, or one for building and then one for hiring (2.4).",
        ),
    ] = "one"
    coin: Annotated[
        Literal["off", "on", "call"],
        named(
            {"off": "A draw", "on": "A die decides", "call": "You toss a real coin"},
            title="If everything is equal",
            description="What happens if everything is equal at the end (9.4). You enter how a real coin fell.",
        ),
    ] = "off"
    limit_by_hp: Annotated[
        Literal["off", "on"],
        named(
            {"off": "Gold comes first", "on": "Health comes first"},
            title="After the last turn",
            description="What is compared first after the last turn: gold, or the health of the bases (9.5).",
        ),
    ] = "off"
    quirks: Annotated[
        str,
        Meta(
            title="Quirks of the finals",
            description="Which quirks of the finals to keep (11): all, none, or a list such as Q1 Q2.",
            examples=["all", "none"],
        ),
        named({"all": "All of them", "none": "None"}),
    ] = "all"
    first: Annotated[
        Literal["drawn", "red", "blue"],
        named(
            {"drawn": "Drawn by lot", "red": "Red", "blue": "Blue"},
            title="First target",
            description="Which side the first portal attacks first (1.6).",
        ),
    ] = "drawn"


@cache
def figures(rules: str) -> dict[str, Any]:
    """The figures of a rule set, from the data of the book."""
    text = (files(__package__) / "data" / "figures.toml").read_text(encoding="utf-8")
    found: dict[str, Any] = tomllib.loads(text)[rules]
    return found


def towers_in(state: State) -> tuple[str, ...]:
    """8.1, 11.1 The towers of the rule set that is played."""
    return tuple(figures(RULES[state.rules])["towers"])


def quirks_of(text: str) -> int:
    """The switches of the finals, as a set of bits."""
    if text == "all":
        return ALL_QUIRKS
    if not text.replace(",", " ").split():
        raise BadOptions(f"{text[:20]!r} names no quirk. Quirks: all, none, {', '.join(QUIRKS)}.", rule="11.1")
    bits = 0
    for word in text.replace(",", " ").split():
        if word == "none" or word.upper() in UNREPRODUCED:
            continue
        if word.upper() not in QUIRKS:
            raise BadOptions(
                f"There is no quirk called {word[:20]!r}. Write all, none, or some of {', '.join(QUIRKS)}.", rule="11.1"
            )
        bits |= 1 << QUIRKS.index(word.upper())
    return bits


def quirks_text(bits: int) -> str:
    if bits == ALL_QUIRKS:
        return "all"
    return " ".join(name for i, name in enumerate(QUIRKS) if bits >> i & 1) or "none"


def ground_of(options: Options, seed: object) -> Ground:
    """The map that the options ask for."""
    if options.map == "random":
        return generate(seed)
    if options.map.lstrip("\ufeff \r\n\t").startswith("{"):
        return import_json(options.map)
    if "\n" in options.map:
        return read_map(options.map)
    if options.map in shipped() or "-".join(options.map.lower().split()) in shipped():
        return load(options.map)
    raise BadOptions(
        f"There is no map called {options.map[:40]!r}. Choose random, {', '.join(shipped())}, or give a map as text."
    )


def first_state(options: Options, seed: object) -> State:
    """1, 3.1, 11.1 The board, the gold and the health that a match begins with."""
    if options.rules != "classic" and options.decisions == "two":
        raise BadOptions("Two decisions a turn are part of the classic rules only.", rule="2.4")
    state = State(rules=RULES.index(options.rules))
    book = figures(options.rules)
    _enter_figures(state, book)
    state.turns = options.turns or book["turns"]
    state.two_decisions = options.decisions == "two"
    state.step = BUILDERS if state.two_decisions else 0
    state.coin = COINS.index(options.coin)
    state.limit_by_hp = options.limit_by_hp == "on"
    quirks = quirks_of(options.quirks)
    state.quirks = quirks if options.rules != "classic" else 0
    for player in range(2):
        state.gold[player], state.health[player] = book["gold"], book["health"]
    lay(state, ground_of(options, seed))
    _draw_targets(state, options.first, number(seed, "first") & 1)
    if options.rules == "classic":
        for player in range(2):
            if state.house[player] >= 0:
                raise_tower(state, player, HOUSE, state.house[player])
    return state


def _enter_figures(state: State, book: dict[str, Any]) -> None:
    state.book.mercenary_price = book["mercenary_price"]
    state.book.mercenary_damage = book["mercenary_damage"]
    for kind, name in enumerate(TOWERS):
        if name in book["towers"]:
            price, cooldown, reach, damage = book["towers"][name]
            state.book.price[kind], state.book.cooldown[kind] = price, cooldown
            state.book.range[kind], state.book.damage[kind] = reach, damage
            state.price[RED * KINDS + kind] = state.price[BLUE * KINDS + kind] = price


def _draw_targets(state: State, first: str, coin: int) -> None:
    """1.6 Portals marked drawn: one draw for all, alternating in reading order."""
    tiles = [state.tile[state.portal[i].tile] for i in range(state.portals)]
    drawn = [i for i in range(state.portals) if state.portal[i].first == 2]
    drawn.sort(key=lambda i: (tiles[i].y, tiles[i].x))
    state.first = 2
    if drawn:
        state.first = coin if first == "drawn" else PLAYERS.index(first)
    for turn, i in enumerate(drawn):
        state.portal[i].target = (state.first + turn) % 2


def lay(state: State, ground: Ground) -> None:
    """1.1 to 1.8 Writes a map into the state: path tiles lane by lane, then territory."""
    name = ground.name.encode()
    if len(name) > MAX_NAME:
        raise BadMap(f"The name of a map can have at most {MAX_NAME} bytes.")
    if len(ground.lanes) > MAX_LANES or len(ground.portals) > MAX_PORTALS:
        raise BadMap(f"A map can have at most {MAX_LANES} lanes and {MAX_PORTALS} portals.", rule="1.4")
    for i, byte in enumerate(name):
        state.name[i] = byte if byte < 128 else byte - 256
    state.symmetry = SYMMETRIES.index(ground.symmetry)
    state.facing = ground.facing
    state.width, state.height = ground.width, ground.height
    index: dict[tuple[int, int], int] = {}

    def add(tile: tuple[int, int], kind: int) -> None:
        index[tile] = state.tiles
        entry = state.tile[state.tiles]
        entry.x, entry.y, entry.kind = *tile, kind
        state.tiles += 1

    for number_, chain in enumerate(ground.lanes):
        lane = state.lane[number_]
        lane.first, lane.length = state.tiles, len(chain)
        lane.blue_number = ground.lane_of_blue.index(number_)
        for tile in chain:
            add(tile, PATH)
    state.lanes, state.path = len(ground.lanes), state.tiles
    for tile, letter in ground.tiles.items():
        if letter in "rpbq":
            add(tile, RED if letter in "rp" else BLUE)
    for player, who in enumerate(PLAYERS):
        state.base_x[player], state.base_y[player] = ground.bases[who]
        house = ground.houses[who]
        state.house[player] = -1 if house is None else index[house]
        _mark_exits(state, ground, player)
    for gate in ground.portals:
        portal = state.portal[state.portals]
        portal.tile, portal.fixed = index[gate.x, gate.y], gate.fixed
        portal.first = 2 if gate.first == "drawn" else PLAYERS.index(gate.first)
        portal.target = portal.first % 2
        portal.reload = 10 if state.rules else 0
        state.portals += 1


def _mark_exits(state: State, ground: Ground, player: int) -> None:
    ends = {lane[0] if player == RED else lane[-1]: i for i, lane in enumerate(ground.lanes)}
    exits = ground.exits(PLAYERS[player])
    for direction, letter in enumerate(COMPASS):
        lane = ends.get(exits.get(letter, (-1, -1)), -1)
        state.exit_lane[player * 4 + direction] = lane
        if lane >= 0 and player == RED:
            state.lane[lane].red_exit = direction
        elif lane >= 0:
            state.lane[lane].blue_exit = direction


def ground_in(state: State) -> Ground:
    """The map that a state was laid out from."""
    rows = [["."] * state.width for _ in range(state.height)]
    for i in range(state.tiles):
        tile = state.tile[i]
        rows[tile.y][tile.x] = "rbo"[tile.kind]
    for player in range(2):
        rows[state.base_y[player]][state.base_x[player]] = "RB"[player]
        if state.house[player] >= 0:
            tile = state.tile[state.house[player]]
            rows[tile.y][tile.x] = "pq"[player]
    for i in range(state.portals):
        portal = state.portal[i]
        tile = state.tile[portal.tile]
        rows[tile.y][tile.x] = "w" if portal.first == 2 else "uvUV"[portal.first + 2 * portal.fixed]
    name = bytes(state.name[i] & 255 for i in range(MAX_NAME)).rstrip(b"\0").decode()
    portals = [state.tile[state.portal[i].tile] for i in range(state.portals)]
    order = tuple((tile.x, tile.y) for tile in portals)
    return _ground(name, SYMMETRIES[state.symmetry], tuple(map("".join, rows)), bool(state.facing), order)


@cache
def _ground(
    name: str, symmetry: str, rows: tuple[str, ...], facing: bool, portals: tuple[tuple[int, int], ...]
) -> Ground:
    """Kept, because lanes and directions are worked out from the rows every time."""
    return Ground(name, symmetry, rows, facing).ordered(portals)
