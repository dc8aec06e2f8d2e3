"""What everybody sees of Minions (2.7), as typed messages. The turn in progress is left out until it has ended."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from polemos.games.minions import maps
from polemos.games.minions.rules import sight
from polemos.games.minions.rules.pieces import put
from polemos.games.minions.setup import bare_state, ground_in, hexes_of, line_in, switches_in, table_in
from polemos.games.minions.state import (
    BLUE,
    BY_GIVING_UP,
    BY_LIMIT,
    BY_LOSSES,
    BY_WINS,
    FRESH,
    GRAVEYARDS,
    MAX_CARDS,
    MAX_MONEY,
    MAX_SPELLS,
    MAX_TYPES,
    MAX_ZONE,
    MOVED,
    NOBODY,
    REASONS,
    SIDES,
    SPECTATOR_EYES,
    STATES,
    SWITCHES,
    UMPIRE_EYES,
    YELLOW,
    Sight,
    State,
)
from polemos.games.minions.tables import Unit as TableUnit
from polemos.games.minions.tables import UnitTable, sound
from polemos.games.minions.units import in_words, reach
from polemos.games.minions.validate import unlawful, validate
from polemos.kernel.errors import BadPosition, PolemosError
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.outcome import Outcome


class Unit(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A unit on a board. Marks are those of this turn and are seen by the side to move, while it moves."""

    hex: str  # such as c2
    side: str
    type: str  # name, such as Zombie or Arcane; a necromancer and a unit may share a name
    letter: str  # N for all necromancers, and for nobody else
    damage: int = 0
    used: int = 0  # attacks made this turn
    moved: bool = False
    fresh: bool = False  # spawned this turn


class BoardView(Struct, frozen=True, forbid_unknown_fields=True):
    number: int  # from 1
    state: str  # turn1, normal, reset+0, reset+1, reset+2
    units: tuple[Unit, ...]  # by hex, a0 first
    zones: dict[str, dict[str, int]]  # side, name of the unit, how many
    due: bool = False  # a necromancer is still to be chosen
    closed: bool = False  # the attack phase is over
    resigned: bool = False
    killed: bool = False  # the opponent's necromancer was destroyed this turn
    income: dict[str, int] = {}  # what the end of a turn would bring each side here (11.2)


class View(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything but the turn in progress."""

    who: str
    turn: int  # of each side, from 1
    side: str  # to move
    boards: tuple[BoardView, ...]
    spells: dict[str, tuple[int, ...]]  # side, spells under each card of the line
    money: dict[str, int]
    points: dict[str, int]
    used: dict[str, tuple[str, ...]]  # side, advanced necromancers that it has used
    placed: int = 0  # spells this turn
    teched: tuple[int, ...] = ()  # places of cards teched this turn, from 1
    gave_up: tuple[str, ...] = ()
    outcome: Outcome | None = None


class TypeFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the unit table (3.1)."""

    name: str
    letter: str
    attack: str  # normal, flurry, unsummon, deathtouch
    number: int
    defence: int
    speed: int
    range: int
    cost: int
    rebate: int
    keywords: tuple[str, ...]
    basic: bool = False
    reach: int = 0  # how far it strikes in a turn, after its move if it may
    words: str = ""  # what its attack does and what its keywords mean, in a sentence or two


class Setting(Struct, frozen=True, forbid_unknown_fields=True):
    """What never changes in a match."""

    edition: str  # of the unit table
    boards: int
    to_win: int
    turns: int
    spell_price: int  # of a further spell, all boards counted
    maps: tuple[str, ...]  # row codes (15.1), board by board
    names: tuple[str, ...]  # of the maps; empty for maps without one
    line: tuple[str, ...]  # names of the units on the cards
    units: tuple[TypeFacts, ...]
    necromancers: tuple[TypeFacts, ...]
    pool: tuple[str, ...]  # advanced necromancers
    ring: str
    gift: str
    first: str  # necromancer of the start
    fixed: int  # cards that a shuffle leaves in their places
    deck: tuple[str, ...]  # the cards as the table has them
    money: int  # of Blue at the start
    sides: dict[str, str] = {}  # after bids: first and second team, and what they play (14.3)
    graveyards: int = GRAVEYARDS  # held by the opponent, they lose a board (12.3)
    switches: tuple[str, ...] = ()  # what differs from the classic rules (17.1)


# ---- from the state to the view


def setting_of(state: State) -> Setting:
    table = table_in(state)
    grounds = [ground_in(state.board[at]) for at in range(state.boards)]
    return Setting(
        edition=table.name,
        boards=state.boards,
        to_win=state.to_win,
        turns=state.turns,
        spell_price=state.spell_price * state.boards,
        maps=tuple(map(maps.write_rows, grounds)),
        names=tuple(maps.name_of(ground) or "" for ground in grounds),
        line=line_in(state),
        units=tuple(_facts(unit, unit.name in table.basic) for unit in table.units),
        necromancers=tuple(_facts(unit, False) for unit in table.necromancers),
        pool=table.pool,
        ring=table.ring,
        gift=table.gift,
        first=table.first,
        fixed=table.fixed,
        deck=table.cards,
        money=state.start_money,
        sides={} if not state.teams else _sides(state.teams),
        switches=switches_in(state),
    )


def _sides(teams: int) -> dict[str, str]:
    """14.3"""
    return {"first": SIDES[teams - 1], "second": SIDES[2 - teams]}


def _facts(unit: TableUnit, basic: bool) -> TypeFacts:
    figures = {field: getattr(unit, field) for field in unit.__struct_fields__}
    return TypeFacts(**figures, basic=basic, reach=reach(unit), words=in_words(unit))


_EYES: Final = {YELLOW: SIDES[YELLOW], BLUE: SIDES[BLUE], SPECTATOR_EYES: SPECTATOR, UMPIRE_EYES: UMPIRE}
_NUMBERS: Final = {name: who for who, name in _EYES.items()}


def look(state: State, who: str) -> Sight:
    """2.7 What somebody may see."""
    seen = Sight()
    sight.look(state, _NUMBERS[who], seen)
    return seen


def view(seen: Sight) -> View:
    """What somebody sees, as a message."""
    state = seen.state
    table = table_in(state)
    cards = range(state.cards)
    return View(
        who=_EYES[seen.who],
        turn=state.turn,
        side=SIDES[state.side],
        boards=tuple(_board(seen, at, table) for at in range(state.boards)),
        spells={
            name: tuple(state.spells[side * MAX_CARDS + card] for card in cards) for side, name in enumerate(SIDES)
        },
        money={name: state.money[side] for side, name in enumerate(SIDES)},
        points={name: state.points[side] for side, name in enumerate(SIDES)},
        used={
            name: tuple(table.pool[i] for i in range(state.pools) if state.used[side] >> i & 1)
            for side, name in enumerate(SIDES)
        },
        placed=state.placed,
        teched=tuple(card + 1 for card in cards if state.teched[card]),
        gave_up=tuple(name for side, name in enumerate(SIDES) if state.gave_up[side]),
        outcome=outcome_of(state),
    )


def _board(seen: Sight, at: int, table: UnitTable) -> BoardView:
    board = seen.state.board[at]
    zone = list(board.zone)
    hexes = hexes_of(board).tolist()
    return BoardView(
        number=at + 1,
        state=STATES[board.state],
        units=tuple(_unit(hex, there, table) for hex, there in enumerate(hexes) if there[1]),
        zones={
            name: {
                unit.name: count
                for unit, count in zip(table.units, zone[side * MAX_TYPES : (side + 1) * MAX_TYPES], strict=False)
                if count
            }
            for side, name in enumerate(SIDES)
        },
        due=bool(board.due),
        closed=bool(board.closed),
        resigned=bool(board.resigned),
        killed=bool(board.killed),
        income={name: seen.income[2 * at + side] for side, name in enumerate(SIDES)},
    )


def _unit(hex: int, there: tuple[int, ...], table: UnitTable) -> Unit:
    """From the fields of a hex as numbers: reading them one by one from the record takes longer."""
    _, piece, damage, used, marks = there
    row = table.types[abs(piece) - 1]
    return Unit(
        hex=maps.hex_name(hex),
        side=SIDES[piece < 0],
        type=row.name,
        letter=row.letter,
        damage=damage,
        used=used,
        moved=bool(marks & MOVED),
        fresh=bool(marks & FRESH),
    )


def outcome_of(state: State) -> Outcome | None:
    """12 Who won and why."""
    if not state.reason:
        return None
    draw = state.winner == NOBODY
    both = state.gave_up[0] and state.gave_up[1]
    rules = {BY_WINS: "12.6", BY_LOSSES: "12.7", BY_LIMIT: "12.9", BY_GIVING_UP: "13.6"}
    return Outcome(
        winner=None if draw else SIDES[state.winner],
        places=SIDES if draw or state.winner == 0 else SIDES[::-1],
        points={name: 0.5 if draw else float(side == state.winner) for side, name in enumerate(SIDES)},
        reason="both sides gave up" if both else REASONS[state.reason],
        rule=rules[state.reason],
        ranks=dict.fromkeys(SIDES, 1) if draw else {},
    )


# ---- and back


def imagine(setting: Setting, view: View) -> State:
    """The state that a view shows: nothing is hidden, so it is exact."""
    try:
        state = match_of(setting)
        if len(view.boards) != state.boards:
            raise ValueError(view.boards)
        _set_match(state, view)
        for at, board in enumerate(view.boards):
            _set_board(state, at, board)
    except BadPosition:
        raise
    except PolemosError as error:
        raise BadPosition(error.why, rule=error.rule) from None
    except (ValueError, KeyError, IndexError, OverflowError, TypeError, ZeroDivisionError):
        raise BadPosition(
            "This is not a view of Minions: it names something that does not exist, or a number is out of range."
        ) from None
    validate(state)
    return state


def match_of(setting: Setting) -> State:
    """A match without its position."""
    state = bare_state(_table(setting), [maps.read_rows(rows) for rows in setting.maps], setting.line)
    if setting.spell_price % state.boards:
        raise ValueError(setting.spell_price)
    state.to_win, state.turns = _upto(setting.to_win, 99), _upto(setting.turns, 10_000)
    state.spell_price = _upto(setting.spell_price // state.boards, 999)
    state.start_money = _upto(setting.money, 9999)
    state.switches = sum(1 << SWITCHES.index(name) for name in {*setting.switches})
    if setting.sides:
        state.teams = 1 + SIDES.index(setting.sides["first"])
    return state


def _table(setting: Setting) -> UnitTable:
    def row(facts: TypeFacts) -> TableUnit:
        return TableUnit(**{field: getattr(facts, field) for field in TableUnit.__struct_fields__})

    table = UnitTable(
        name=setting.edition,
        ring=setting.ring,
        gift=setting.gift,
        basic=tuple(facts.name for facts in setting.units if facts.basic),
        first=setting.first,
        pool=setting.pool,
        cards=setting.deck,
        fixed=setting.fixed,
        units=tuple(map(row, setting.units)),
        necromancers=tuple(map(row, setting.necromancers)),
    )
    if sorted(setting.line) != sorted(table.cards):
        raise ValueError(setting.line)
    return sound(table)


def _set_match(state: State, view: View) -> None:
    state.turn, state.side = _upto(view.turn, 10_000), SIDES.index(view.side)
    state.placed = _upto(view.placed, MAX_SPELLS)
    for place in view.teched:
        state.teched[_upto(place - 1, state.cards - 1)] = 1
    pool = list(table_in(state).pool)
    for side, name in enumerate(SIDES):
        state.money[side], state.points[side] = _upto(view.money[name], MAX_MONEY - 1), _upto(view.points[name], 999)
        for card, spells in zip(range(state.cards), view.spells[name], strict=True):
            state.spells[side * MAX_CARDS + card] = _upto(spells, 2)
        state.used[side] = sum(1 << place for place in {pool.index(used) for used in view.used[name]})
        state.gave_up[side] = name in view.gave_up
    if view.outcome is not None:
        reason = "limit of turns" if view.outcome.reason == "both sides gave up" else view.outcome.reason
        state.reason = REASONS.index(reason)
        state.winner = NOBODY if view.outcome.winner is None else SIDES.index(view.outcome.winner)


def _set_board(state: State, at: int, view: BoardView) -> None:
    board, table = state.board[at], table_in(state)
    board.state = STATES.index(view.state)
    board.due, board.closed, board.resigned, board.killed = view.due, view.closed, view.resigned, view.killed
    units = [unit.name for unit in table.units]
    necromancers = [unit.name for unit in table.necromancers]
    for unit in view.units:
        hex = maps.hex_of(unit.hex)
        kind = len(units) + necromancers.index(unit.type) if unit.letter == "N" else units.index(unit.type)
        if board.hex[hex].piece:
            raise unlawful(f"Two units stand on {unit.hex}.")
        put(board, hex, SIDES.index(unit.side), kind)
        there = board.hex[hex]
        there.damage, there.used = _upto(unit.damage, 99), _upto(unit.used, 99)
        there.marks = unit.moved * MOVED + unit.fresh * FRESH
    for side, name in enumerate(SIDES):
        for unit_name, count in view.zones[name].items():
            board.zone[side * MAX_TYPES + units.index(unit_name)] = _upto(count, MAX_ZONE)


def _upto(number: int, most: int) -> int:
    if not 0 <= number <= most:
        raise ValueError(number)
    return number
