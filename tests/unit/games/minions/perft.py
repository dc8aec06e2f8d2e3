"""Counts lawful orders and positions by brute force: `python tests/unit/games/minions/perft.py` prints the table.

A second, slow reading of the book that shares no rule with the program: every order that can be written is tried on a
plain copy of the position. From the program it takes only the text of a position and the figures of the units.

For each position: how many single orders are lawful (a move, a swap of two, an attack, a purchase, a spawn, a choice
with the unit kept, one spell, resigning a board), and how many different positions there are after two and after three.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

FILES = "abcdefghij"
SIDES = ("yellow", "blue")
START = {"yellow": "c2", "blue": "h7"}  # 1.8
NEIGHBOURS = ((-1, 0), (1, 0), (0, 1), (-1, 1), (0, -1), (1, -1))  # 1.2
ATTACK_STATES = ("turn1", "normal", "reset+1", "reset+2")  # 10.1
SPAWN_STATES = ("normal", "reset+2")
FULL = 60_000  # 16.2

POSITIONS = {
    "the start": "start; boards 1; map Blackened Shores",
    "Blue's first turn": (
        "map Forbidden Isle; turn 1 blue; money 4/6; spells yellow 1;"
        "Nc2 Zb2 Zb4 Zc1 Zc4 Zd1 Ze2 nh7 zg7 zg8 zh6 zh8 zi6 zi7; zone I i"
    ),
    "a crowded middle game": (
        "map MegaPuddles; turn 9 yellow; money 1/3; spells yellow 2 2 1; spells blue 1 1 2 1;"
        "Ne4 Sd3 Pf4 We5 Gf3 Zd5 Ld4 nf7 zf5 se6 gd6 wg4 pe3; zone ZI gi; used yellow Ranged"
    ),
    "a choice after a reset": (
        "boards 1; to-win 2; map River Styx; state reset+1; ring; zone SZ2I2 zi; turn 12 yellow; money 5/2; points 1/0;"
        "used yellow Arcane Mounted Battle; spells yellow 2 1; spells blue 1"
    ),
    "a spawn phase": (
        "map Midnight Lake; turn 15 blue; money 4/17; closed; spells yellow 1 2 1; spells blue 2 1 1 2 2; placed 1;"
        "teched 5; Nd3 Ze3 Sg3; ng5*moved ih3*used1 zf6*moved ig6*fresh; zone I g2zr"
    ),
    "two boards and the line": (
        "boards 2; line SPWGTHKXAUJVMLOCRQBEYD; turn 7 yellow; money 37/6; spells yellow 1 2 1 1; spells blue 2 1 1;"
        "b1: map Eternal Battlefield; b1: Nb3*moved Pd4*moved Te5 nh7 ze6 tf5*2; b1: zone - z;"
        "b2: map Midnight Lake; b2: state reset+2; b2: Zc3 Zd2 zh6 zg8 deadly@h7; b2: zone SI ki"
    ),
}


# ---- the position as plain data


class Figures(NamedTuple):
    attack: str
    number: int
    defence: int
    speed: int
    range: int
    cost: int
    rebate: int
    keywords: frozenset[str]
    basic: bool


class Unit(NamedTuple):
    side: str
    kind: str  # a letter, or the name of a necromancer with a star in front
    damage: int = 0
    used: int = 0
    moved: bool = False
    fresh: bool = False


@dataclass
class Board:
    state: str
    units: dict[str, Unit]
    zones: dict[str, dict[str, int]]
    due: bool
    closed: bool
    resigned: bool
    killed: bool

    def copy(self) -> Board:
        zones = {side: dict(zone) for side, zone in self.zones.items()}
        return Board(self.state, dict(self.units), zones, self.due, self.closed, self.resigned, self.killed)

    def key(self) -> object:
        zones = tuple(frozenset((kind, count) for kind, count in self.zones[side].items() if count) for side in SIDES)
        return self.state, frozenset(self.units.items()), zones, self.due, self.closed, self.resigned, self.killed


@dataclass
class Game:
    """What never changes: ground, figures, line and prices."""

    ground: list[dict[str, str]]
    figures: dict[str, Figures]
    line: tuple[str, ...]  # letters
    pool: tuple[str, ...]
    gift: str
    spell_price: int  # of a further one, for all boards


@dataclass
class Position:
    game: Game
    side: str
    boards: list[Board]
    money: dict[str, int]
    spells: dict[str, list[int]]
    used: dict[str, frozenset[str]]
    placed: int
    teched: frozenset[int] = field(default_factory=frozenset)

    def copy(self) -> Position:
        return Position(
            self.game,
            self.side,
            [board.copy() for board in self.boards],
            dict(self.money),
            {side: list(spells) for side, spells in self.spells.items()},
            dict(self.used),
            self.placed,
            self.teched,
        )

    def key(self) -> object:
        """16.3 What no order of a turn changes is left out: maps, line, options, points, turn and side."""
        both = tuple((self.money[side], tuple(self.spells[side]), self.used[side]) for side in SIDES)
        return tuple(board.key() for board in self.boards), both, self.placed, self.teched

    @property
    def other(self) -> str:
        return SIDES[1 - SIDES.index(self.side)]


def position_of(text: str) -> Position:
    """A position text as plain data, by way of what the program shows of it."""
    from polemos.games.minions.positions import read_position
    from polemos.games.minions.view import look, setting_of
    from polemos.games.minions.view import view as view_of

    state = read_position(text)
    setting, view = setting_of(state), view_of(look(state, SIDES[state.side]))
    letters = {unit.name: unit.letter for unit in setting.units}
    figures = {
        name: Figures(
            row.attack,
            row.number,
            row.defence,
            row.speed,
            row.range,
            row.cost,
            row.rebate,
            frozenset(row.keywords),
            row.basic,
        )
        for name, row in [
            *((row.letter, row) for row in setting.units),
            *((f"*{row.name}", row) for row in setting.necromancers),
        ]
    }
    boards = [
        Board(
            board.state,
            {
                unit.hex: Unit(
                    unit.side,
                    f"*{unit.type}" if unit.letter == "N" else unit.letter,
                    unit.damage,
                    unit.used,
                    unit.moved,
                    unit.fresh,
                )
                for unit in board.units
            },
            {side: {letters[name]: count for name, count in board.zones[side].items()} for side in SIDES},
            board.due,
            board.closed,
            board.resigned,
            board.killed,
        )
        for board in view.boards
    ]
    game = Game(
        [ground_of(rows) for rows in setting.maps],
        figures,
        tuple(letters[name] for name in setting.line),
        setting.pool,
        letters[setting.gift],
        setting.spell_price,
    )
    return Position(
        game,
        view.side,
        boards,
        dict(view.money),
        {side: list(view.spells[side]) for side in SIDES},
        {side: frozenset(view.used[side]) for side in SIDES},
        view.placed,
        frozenset(view.teched),
    )


def ground_of(rows: str) -> dict[str, str]:
    """15.1 Ten rows, rank 0 first."""
    found = {}
    for rank, row in enumerate(rows.split("/")):
        hexes = "".join(sign if sign in "GW" else "." * (int(sign) or 10) for sign in row)
        assert len(hexes) == 10
        for file, sign in zip(FILES, hexes, strict=True):
            found[f"{file}{rank}"] = sign
    return found


# ---- geometry

HEXES = [f"{file}{rank}" for rank in range(10) for file in FILES]
NUMBER = {hex: number for number, hex in enumerate(HEXES)}


def place(hex: str) -> tuple[int, int]:
    return FILES.index(hex[0]), int(hex[1])


def neighbours(hex: str) -> list[str]:
    """1.2"""
    x, y = place(hex)
    around = [(x + dx, y + dy) for dx, dy in NEIGHBOURS]
    return [f"{FILES[x]}{y}" for x, y in around if 0 <= x < 10 and 0 <= y < 10]


def distance(one: str, other: str) -> int:
    """1.3"""
    (x, y), (u, v) = place(one), place(other)
    return max(abs(u - x), abs(v - y), abs(u - x + v - y))


AROUND = {hex: neighbours(hex) for hex in HEXES}
APART = {(one, other): distance(one, other) for one in HEXES for other in HEXES}


# ---- the rules


def played(position: Position, order: tuple[str, ...]) -> Position | None:
    """The position after an order; None if it is not lawful. Orders are words: `move 1 d4 e4`, `swap 1 d4 e4`, ..."""
    word = order[0]
    if word == "march":
        return marched(position)
    if word == "tech":
        return teched(position, int(order[1]))
    at = int(order[1]) - 1
    board = position.boards[at]
    if board.resigned or board.state == "reset+0":  # 13.2, 10.3
        return None
    if word == "resign":
        after = position.copy()
        after.boards[at].resigned = True
        return after
    if word == "choose":
        return chosen(position, at, order[2], order[3])
    if board.due:  # 4.6
        return None
    if word in ("move", "swap", "attack"):
        if board.state not in ATTACK_STATES or board.closed:  # 4.7
            return None
        if word == "attack":
            return attacked(position, at, order[2], order[3])
        back = [(order[3], order[2])] if word == "swap" else []
        return moved(position, at, [(order[2], order[3]), *back])
    if board.state not in SPAWN_STATES:  # 9.1
        return None
    if word == "buy":
        return bought(position, at, order[2])
    return spawned(position, at, order[2], order[3])


def moved(position: Position, at: int, moves: list[tuple[str, str]]) -> Position | None:
    board = position.boards[at]
    starts = [start for start, _ in moves]
    for start, target in moves:
        unit = board.units.get(start)
        if unit is None or unit.side != position.side or start == target:  # 5.2, 5.3
            return None
        if unit.moved or unit.used or unit.fresh:  # 5.4, 5.5, 9.9
            return None
        there = board.units.get(target)
        if there is not None and (there.side != position.side or target not in starts):  # 5.6
            return None
        if not can_walk(position, at, start, target):
            return None
    if len(set(starts)) < len(starts) or len({target for _, target in moves}) < len(moves):  # 5.3, 5.7
        return None
    after = position.copy()
    units = after.boards[at].units
    for start in starts:
        del units[start]
    for start, target in moves:
        units[target] = board.units[start]._replace(moved=True)
    return after


def can_walk(position: Position, at: int, start: str, target: str) -> bool:
    """5.8, 5.9, 7.1"""
    board, ground = position.boards[at], position.game.ground[at]
    unit = board.units[start]
    figures = position.game.figures[unit.kind]
    if APART[start, target] > figures.speed:
        return False
    if "Flying" in figures.keywords:
        return True
    reached = {start}
    for _ in range(figures.speed):
        reached |= {
            hex
            for here in reached
            for hex in AROUND[here]
            if ground[hex] != "W" and not (hex in board.units and board.units[hex].side != unit.side)
        }
    return target in reached


def attacked(position: Position, at: int, start: str, target: str) -> Position | None:
    board, all_figures = position.boards[at], position.game.figures
    unit, victim = board.units.get(start), board.units.get(target)
    if unit is None or unit.side != position.side or victim is None or victim.side == position.side:  # 6.1
        return None
    figures, other = all_figures[unit.kind], all_figures[victim.kind]
    if not 1 <= APART[start, target] <= figures.range or unit.fresh:  # 6.2, 9.9
        return None
    if unit.moved and "Lumbering" in figures.keywords:  # 7.2
        return None
    most = figures.number if figures.attack in ("flurry", "unsummon") else 1  # 6.4 to 6.7
    if unit.used >= most or (figures.attack == "deathtouch" and "Necromancer" in other.keywords):  # 6.8
        return None
    after = position.copy()
    new = after.boards[at]
    new.units[start] = unit._replace(used=unit.used + 1)
    if figures.attack == "unsummon" and "Persistent" not in other.keywords:  # 6.6
        del new.units[target]
        zone = new.zones[victim.side]
        zone[victim.kind] = zone.get(victim.kind, 0) + 1
        return after
    hurt = {"normal": figures.number, "flurry": 1, "unsummon": 1, "deathtouch": other.defence}[figures.attack]
    if victim.damage + hurt < other.defence:  # 6.9
        new.units[target] = victim._replace(damage=victim.damage + hurt)
        return after
    del new.units[target]  # 6.10
    after.money[victim.side] += other.rebate  # 6.11
    new.killed = new.killed or "Necromancer" in other.keywords  # 12.1
    return after


def bought(position: Position, at: int, kind: str) -> Position | None:
    game, side = position.game, position.side
    figures = game.figures[kind]
    if not figures.basic:  # 9.2, 8.7
        where = game.line.index(kind)
        if position.spells[side][where] < 2 or where + 1 in position.teched:
            return None
    if position.money[side] < figures.cost or position.boards[at].zones[side].get(kind, 0) >= FULL:  # 9.3, 16.2
        return None
    after = position.copy()
    after.money[side] -= figures.cost
    zone = after.boards[at].zones[side]
    zone[kind] = zone.get(kind, 0) + 1
    after.boards[at].closed = True  # 4.7
    return after


def spawned(position: Position, at: int, kind: str, hex: str) -> Position | None:
    board, game, side = position.boards[at], position.game, position.side
    if not board.zones[side].get(kind) or hex in board.units:  # 9.4, 9.5
        return None
    beside = [board.units[there] for there in AROUND[hex] if there in board.units]
    if not any(u.side == side and not u.fresh and "Spawn" in game.figures[u.kind].keywords for u in beside):  # 9.6, 9.7
        return None
    if game.ground[at][hex] == "W" and "Flying" not in game.figures[kind].keywords:  # 9.8
        return None
    after = position.copy()
    new = after.boards[at]
    new.zones[side][kind] -= 1
    new.units[hex] = Unit(side, kind, fresh=True)
    new.closed = True
    return after


def chosen(position: Position, at: int, name: str, keep: str) -> Position | None:
    board, side = position.boards[at], position.side
    if not board.due or name not in position.game.pool or name in position.used[side]:  # 10.7, 10.8
        return None
    if not board.zones[side].get(keep):  # 10.10
        return None
    after = position.copy()
    new = after.boards[at]
    new.units[START[side]] = Unit(side, f"*{name}")
    new.due = False
    new.zones[side] = {keep: 1}
    new.zones[side][position.game.gift] = new.zones[side].get(position.game.gift, 0) + 1  # 10.12
    used = position.used[side] | {name}
    after.used[side] = used if len(used) < len(position.game.pool) else frozenset()  # 10.9
    return after


def marched(position: Position) -> Position | None:
    own = position.spells[position.side]
    if 0 not in own:  # 8.9
        return None
    return placed(position, own.index(0))  # 8.4


def teched(position: Position, number: int) -> Position | None:
    card = number - 1
    if position.spells[position.side][card] != 1 or position.spells[position.other][card] == 2:  # 8.5, 8.6
        return None
    after = placed(position, card)
    if after is not None:
        after.teched |= {number}
    return after


def placed(position: Position, card: int) -> Position | None:
    """8.2, 8.3 The first of a turn is free."""
    price = position.game.spell_price if position.placed else 0
    if position.money[position.side] < price:
        return None
    after = position.copy()
    after.money[position.side] -= price
    after.spells[position.side][card] += 1
    after.placed += 1
    return after


# ---- counting


def orders(position: Position) -> Iterator[tuple[str, ...]]:
    """Every single order that can be written, but for starts without a unit and spawns of absent types (5.2, 9.4)."""
    kinds = [kind for kind in position.game.figures if not kind.startswith("*")]
    names = [kind[1:] for kind in position.game.figures if kind.startswith("*")]
    for number, board in enumerate(position.boards, 1):
        at = str(number)
        yield "resign", at
        for start in board.units:
            for target in HEXES:
                yield "move", at, start, target
                yield "attack", at, start, target
            for target in HEXES[NUMBER[start] :]:
                yield "swap", at, start, target
        for kind in kinds:
            yield "buy", at, kind
            for hex in HEXES if kind in board.zones["yellow"] or kind in board.zones["blue"] else []:
                yield "spawn", at, kind, hex
            for name in names:
                yield "choose", at, name, kind
    yield ("march",)
    for card in range(len(position.game.line)):
        yield "tech", str(card + 1)


def lawful(position: Position) -> Iterator[tuple[str, Position]]:
    """The lawful ones, as text, and what they lead to."""
    for order in orders(position):
        if (after := played(position, order)) is not None:
            yield written(order), after


def written(order: tuple[str, ...]) -> str:
    """4.3 As the program writes it."""
    match order:
        case [("move" | "attack") as word, at, start, target]:
            return f"{at} {word} {start}-{target}"
        case ["swap", at, start, target]:
            return f"{at} tick {start}-{target} {target}-{start}"
        case ["spawn", at, kind, hex]:
            return f"{at} spawn {kind} {hex}"
        case ["choose", at, name, keep]:
            return f"{at} choose {name} keep {keep}"
        case [("buy" | "resign") as word, at, *rest]:
            return " ".join([at, word, *rest])
        case _:
            return " ".join(order)


def counts(text: str) -> tuple[int, int, int]:
    """Lawful single orders, different positions after two orders, and after three."""
    start = position_of(text)
    first = len(list(lawful(start)))
    layer: dict[object, Position] = {start.key(): start}
    found = []
    for _ in range(3):
        layer = {after.key(): after for before in layer.values() for _, after in lawful(before)}
        found.append(len(layer))
    return first, found[1], found[2]


def table() -> str:
    """The counts as a table in Markdown, and the positions below it."""
    lines = ["| position | single orders | positions after two | positions after three |", "| --- | --- | --- | --- |"]
    for name, text in POSITIONS.items():
        one, two, three = counts(text)
        lines.append(f"| {name} | {one} | {two} | {three} |")
    for name, text in POSITIONS.items():
        clauses = [clause.strip() for clause in text.split(";")]
        lines += ["", f"{name[0].upper()}{name[1:]}:", "", *(f"    {clause}" for clause in clauses)]
    return "\n".join(lines)


if __name__ == "__main__":
    import sys

    sys.path.insert(0, str(Path(__file__).parents[4] / "src"))
    print(table())
