"""From options to the first state, and from a state back to its table, maps and line."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Final, Literal

import numpy as np
from msgspec import Meta, Struct

from polemos.games.minions import maps
from polemos.games.minions.line import chosen_line
from polemos.games.minions.maps import BASIC, Ground
from polemos.games.minions.rules.pieces import put, to_zone
from polemos.games.minions.rules.resets import lay_ring, start_hex
from polemos.games.minions.state import (
    ALL_SWITCHES,
    ATTACKS,
    HEXES,
    KEYWORDS,
    MAX_NAME,
    RULES,
    SWITCHES,
    TURN1,
    Board,
    Hex,
    State,
    text_of,
)
from polemos.games.minions.tables import Unit, UnitTable, load, read_table, shipped, write_table
from polemos.kernel.dice import number
from polemos.kernel.errors import BadOptions
from polemos.kernel.named import named
from polemos.kernel.renamed import ONCE_SEED

_HEXES: int = Board.dtype.fields["hex"][1]  # type: ignore[index]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """16.1 The options of a match."""

    rules: Annotated[
        Literal["classic", "umi-2025"],
        ONCE_SEED,
        named(
            {"classic": "Classic", "umi-2025": "UMI engines of 2025"},
            description="The classic rules, or those of the public UMI engines of 2025 (17).",
        ),
    ] = "classic"
    boards: Annotated[int, Meta(ge=1, le=8, description="How many boards are played at once (2.2).")] = 3
    points: Annotated[
        Annotated[int, Meta(ge=1, le=99)] | None,
        Meta(
            title="Points to win",
            description="Points needed to win; empty for the default, which depends on the number of boards (12.5).",
        ),
    ] = None
    maps: Annotated[
        str,
        Meta(
            description="Names or row codes separated by commas, or random; empty for the six maps of the book (15.6).",
            examples=[*BASIC, "random"],
        ),
    ] = ""
    units: Annotated[
        str,
        Meta(title="Unit table", description="A unit table by name, or as text.", examples=list(shipped())),
        named({"2025-07": "July 2025", "umi-2025": "UMI engines of 2025"}),
    ] = "2025-07"
    line: Annotated[
        str,
        Meta(
            title="Techline",
            description="The techline: shuffled, sorted, or its letters in order.",
            examples=["shuffled", "sorted"],
        ),
        named({"shuffled": "Shuffled", "sorted": "Sorted"}),
    ] = "shuffled"
    fixed: Annotated[
        Annotated[int, Meta(ge=0, le=40)] | None,
        Meta(
            title="Cards left in place",
            description="How many cards the shuffle leaves in place; empty for the default of the unit table.",
        ),
    ] = None
    spell_price: Annotated[
        Annotated[int, Meta(ge=0, le=999)] | None,
        Meta(
            description="Price per board of each further spell in a turn (8.3); empty for the default, which is 8, or 4"
            " under the rules of the UMI engines."
        ),
    ] = None
    money: Annotated[
        Annotated[int, Meta(ge=0, le=9999)] | None,
        Meta(title="Money for Blue", description="Money Blue starts with; empty for 6 per board (14.1)."),
    ] = None
    bids: Annotated[str, Meta(description="Bids of the first and the second team, such as 12,9 (14.2).")] = ""
    turns: Annotated[int, Meta(ge=1, le=10_000, description="How many turns to play (12.9).")] = 200
    yellow: Annotated[
        Literal["", "first", "second"],
        named(
            {"": "As the bids say", "first": "The first team", "second": "The second team"},
            title="Yellow after bids",
            description="Which team plays Yellow after bids (14.3).",
        ),
    ] = ""
    switches: Annotated[
        str,
        Meta(
            title="Changes of the UMI engines",
            description="What the rules of the UMI engines change (17.1): all, none, or a list such as blinks resets.",
            examples=["all", "none"],
        ),
        named({"all": "All of them", "none": "None"}),
    ] = "all"


SPELL_PRICES: Final = dict(zip(RULES, (8, 4), strict=True))  # 8.3, 17.1
UMI_TABLE: Final = "umi-2025"  # 17.2
UMI_MAPS: Final = BASIC[:2]  # the maps with graveyards that the public engines know


def switches_of(options: Options) -> int:
    """17.1 What differs from the classic rules, as bits."""
    words = options.switches.replace(",", " ").lower().split()
    known = f"Write all, none, or some of {', '.join(SWITCHES)}."
    if not words:
        raise BadOptions(f"{options.switches[:20]!r} names no switch. {known}", rule="17.1")
    unknown = next((word for word in words if word not in (*SWITCHES, "all", "none")), None)
    if unknown is not None:
        raise BadOptions(f"There is no switch called {unknown[:20]!r}. {known}", rule="17.1")
    if options.rules == "classic":
        return 0
    return ALL_SWITCHES if "all" in words else sum(1 << SWITCHES.index(word) for word in {*words} - {"none"})


def switches_in(state: State) -> tuple[str, ...]:
    """17.1 The names of the switches that are on."""
    return tuple(name for bit, name in enumerate(SWITCHES) if state.switches >> bit & 1)


def points_to_win(boards: int) -> int:
    """12.5 w(n)."""
    return boards - boards // 4


def table_called(units: str) -> UnitTable:
    if "\n" in units:
        return read_table(units)
    return load(units)


def grounds_of(options: Options, seed: object) -> list[Ground]:
    """16.1 One map for each board."""
    words = [word.strip() for word in options.maps.split(",") if word.strip()]
    if options.maps and not words:
        raise BadOptions(f"{options.maps[:20]!r} names no map. {_KNOWN}", rule="16.1")
    words = words or list(maps.BASIC if options.rules == "classic" else UMI_MAPS)
    if len(words) > 64:
        raise BadOptions("You can name at most 64 maps.", rule="16.1")
    return [_ground(words[board % len(words)], seed, board) for board in range(options.boards)]


_KNOWN = f"Maps: random, {', '.join(maps.BASIC)}, or row codes, with commas between."


def _ground(word: str, seed: object, board: int) -> Ground:
    if word.lower() == "random":
        return maps.draw_map(number(seed, "map", board))
    if word.lower() == "open":
        raise BadOptions("The board `open` is only for positions set up by hand.", rule="15.6")
    if "/" in word:
        return maps.sound(maps.read_rows(word))
    try:
        return maps.load(word)
    except maps.BadMap as error:
        raise maps.BadMap(f"{error.why.partition(' Maps:')[0]} {_KNOWN}", rule=error.rule) from None


def opening(options: Options, seed: object) -> tuple[int, int]:
    """14 Blue's money, and which team plays Yellow (0 where nobody bid)."""
    if not options.bids:
        money = 6 * options.boards if options.money is None else options.money
        return money, ("", "first", "second").index(options.yellow)
    if options.money is not None or options.yellow:
        raise BadOptions("Bids decide Blue's money and who plays Yellow, so leave out money and yellow.", rule="16.1")
    first, second = _bids(options.bids)
    half = number(seed, "rounding") & 1  # 14.4
    lot = number(seed, "sides") & 1  # 14.5
    yellow = 1 + lot if first == second else 1 if first > second else 2
    return (first + second + half) // 2, yellow


def _bids(text: str) -> tuple[int, int]:
    words = [word.strip() for word in text.split(",")]
    if len(words) != 2 or not all(word.isascii() and word.isdigit() and len(word) <= 4 for word in words):
        raise BadOptions(f"Give two bids from 0 to 9999, such as 12,9, not {text[:40]!r}.", rule="16.2")
    return int(words[0]), int(words[1])


def first_state(options: Options, seed: object) -> State:
    """2.3 The position that a match begins with."""
    usual = options.rules != "classic" and options.units == Options().units
    table = table_called(UMI_TABLE if usual else options.units)
    line = chosen_line(options.line, table, options.fixed, seed)
    money, teams = opening(options, seed)
    state = bare_state(table, grounds_of(options, seed), line)
    state.turns, state.switches = options.turns, switches_of(options)
    state.spell_price = SPELL_PRICES[options.rules] if options.spell_price is None else options.spell_price
    state.to_win = options.points or points_to_win(options.boards)
    state.start_money = state.money[1] = money
    state.teams = teams
    for at in range(state.boards):
        set_up(state, at)
    return state


def set_up(state: State, at: int) -> None:
    """2.3 A board at the start: necromancers, rings, and a gift in each zone."""
    board = state.board[at]
    board.state = TURN1
    for side in range(2):
        put(board, start_hex(side), side, state.first)
        lay_ring(state, at, side)
        to_zone(board, side, state.gift, 1)


def bare_state(table: UnitTable, grounds: list[Ground], line: tuple[str, ...]) -> State:
    """Table, maps and line, and nobody on the boards."""
    state = State(turn=1, boards=len(grounds))
    enter_table(state, table)
    names = [unit.name for unit in table.units]
    for place, name in enumerate(line):
        state.card[place] = names.index(name)
    state.cards = len(line)
    for at, ground in enumerate(grounds):
        lay(state.board[at], ground)
    return state


def lay(board: Board, ground: Ground) -> None:
    for hex in range(HEXES):
        board.hex[hex].ground = ground[hex]


def hexes_of(board: Board) -> np.ndarray[Any, Any]:
    """The hexes of a board as one array that shares its memory, for reading many at once."""
    found: np.ndarray[Any, Any] = np.frombuffer(memoryview(board), dtype=Hex.dtype, count=HEXES, offset=_HEXES)
    return found


def occupied(board: Board) -> list[int]:
    """The hexes with units on them."""
    found: list[int] = hexes_of(board)["piece"].nonzero()[0].tolist()
    return found


def ground_in(board: Board) -> Ground:
    return tuple(hexes_of(board)["ground"].tolist())


# ---- the table in the state


def enter_table(state: State, table: UnitTable) -> None:
    units, necromancers = [unit.name for unit in table.units], [unit.name for unit in table.necromancers]
    state.types, state.necromancers = len(table.types), len(necromancers)
    for index, unit in enumerate(table.types):
        row = state.type[index]
        row.attack, row.number = ATTACKS.index(unit.attack), unit.number
        row.defence, row.speed, row.range = unit.defence, unit.speed, unit.range
        row.cost, row.rebate, row.letter = unit.cost, unit.rebate, ord(unit.letter)
        row.keywords = sum(1 << bit for bit, word in enumerate(KEYWORDS) if word in unit.keywords)
        row.basic = index < len(units) and unit.name in table.basic
        _enter_name(row.name, unit.name)
    _enter_name(state.edition, table.name)
    state.ring, state.gift = units.index(table.ring), units.index(table.gift)
    state.first = len(units) + necromancers.index(table.first)
    state.pools, state.fixed = len(table.pool), table.fixed
    for place, name in enumerate(table.pool):
        state.pool[place] = len(units) + necromancers.index(name)
    for place, name in enumerate(table.cards):
        state.deck[place] = units.index(name)


def _enter_name(array: Any, name: str) -> None:
    for i, byte in enumerate(name.encode()[:MAX_NAME]):
        array[i] = byte


def table_in(state: State) -> UnitTable:
    """The unit table that a state is played with."""
    # The table is a fixed part of the record, so its bytes tell whether it was read before.
    return _table(_table_bytes(state))


def _table_bytes(state: State) -> bytes:
    fields: Any = State.dtype.fields
    head = bytes(memoryview(state).cast("B")[: fields["board"][1]])
    numbers = bytes([state.types, state.necromancers, state.cards, state.fixed, state.ring, state.gift, state.first])
    parts = ("pool", "deck", "edition", "type")
    arrays = b"".join(head[fields[part][1] : fields[part][1] + fields[part][0].itemsize] for part in parts)
    return numbers + bytes([state.pools]) + arrays


@lru_cache(maxsize=16)
def _table(raw: bytes) -> UnitTable:
    fields: Any = State.dtype.fields
    state = State()
    state.types, state.necromancers, state.cards, state.fixed, state.ring, state.gift, state.first = raw[:7]
    state.pools = raw[7]
    at = 8
    view = memoryview(state).cast("B")
    for part in ("pool", "deck", "edition", "type"):
        offset, length = fields[part][1], fields[part][0].itemsize
        view[offset : offset + length] = raw[at : at + length]
        at += length
    rows = tuple(_unit(state, index) for index in range(state.types))
    units = state.types - state.necromancers
    return UnitTable(
        name=text_of(state.edition),
        ring=rows[state.ring].name,
        gift=rows[state.gift].name,
        basic=tuple(rows[i].name for i in range(units) if state.type[i].basic),
        first=rows[state.first].name,
        pool=tuple(rows[state.pool[i]].name for i in range(state.pools)),
        cards=tuple(rows[state.deck[i]].name for i in range(state.cards)),
        fixed=state.fixed,
        units=rows[:units],
        necromancers=rows[units:],
    )


def _unit(state: State, index: int) -> Unit:
    row = state.type[index]
    return Unit(
        name=text_of(row.name),
        letter=chr(row.letter),
        attack=ATTACKS[row.attack],
        number=row.number,
        defence=row.defence,
        speed=row.speed,
        range=row.range,
        cost=row.cost,
        rebate=row.rebate,
        keywords=tuple(word for bit, word in enumerate(KEYWORDS) if row.keywords >> bit & 1),
    )


def table_name(table: UnitTable) -> str:
    """The name of a table of the house, or the table as text."""
    return table.name if table.name in shipped() and load(table.name) == table else write_table(table)


def line_in(state: State) -> tuple[str, ...]:
    """The names on the cards."""
    units = table_in(state).units
    return tuple(units[state.card[place]].name for place in range(state.cards))


def letters_of(table: UnitTable, line: tuple[str, ...]) -> str:
    letters = {unit.name: unit.letter for unit in table.units}
    return "".join(letters[name] for name in line)


def options_in(state: State) -> dict[str, Any]:
    """The options of a match in full."""
    table = table_in(state)
    switches = {"switches": " ".join(switches_in(state))} if state.switches else {}
    return {
        "rules": RULES[bool(state.switches)],
        "boards": state.boards,
        "points": state.to_win,
        "maps": ",".join(maps.write_rows(ground_in(state.board[at])) for at in range(state.boards)),
        "units": table_name(table),
        "line": letters_of(table, line_in(state)),
        "spell_price": state.spell_price,
        "money": state.start_money,
        "turns": state.turns,
        "yellow": ("", "first", "second")[state.teams],
    } | switches
