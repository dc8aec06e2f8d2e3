"""`polemos umi`: Minions as an engine that other programs talk to, line by line. docs/reference/umi.md describes it.

Boards and cards count from 0 here. A turn entered by hand is judged by our own rules, action by action; only the spells
wait for the end of the turn, because a later `action tech` replaces an earlier one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import IO, Final

import click

from polemos.games.minions import fen
from polemos.games.minions.game import GAME
from polemos.games.minions.maps import hex_name, hex_of
from polemos.games.minions.notation import (
    Attack,
    Blink,
    Buy,
    Choose,
    End,
    Move,
    Order,
    Resign,
    Spawn,
    Spells,
    Tick,
    pair_of,
    read_order,
)
from polemos.games.minions.orders import record_of
from polemos.games.minions.progress import GENERAL, LINE, Turn
from polemos.games.minions.setup import Options, first_state, table_in
from polemos.games.minions.state import (
    AT_ONCE,
    ATTACK,
    BLINKING,
    BUY,
    CHOOSE,
    END,
    HEXES,
    KEEP_NONE,
    MARCH,
    MAX_SPELLS,
    MOVE,
    RESETS,
    SPAWNING,
    SPELLS,
    State,
)
from polemos.games.minions.state import Order as OrderRecord
from polemos.games.minions.tables import UnitTable
from polemos.kernel.dice import number
from polemos.kernel.errors import BadPosition, BotFault, IllegalOrder, NotationError, OrderError, PolemosError
from polemos.kernel.game import SPECTATOR, BotMaker
from polemos.kernel.log import SILENT
from polemos.kernel.orders import shown
from polemos.kernel.rooms import bots_of

MAX_LINE: Final = fen.MAX_TEXT + 100
MAX_SEED: Final = 2**31 - 1
MAX_TIME: Final = 24 * 3600 * 1000  # milliseconds
USUAL_TIME: Final = 1000


def unreadable(why: str, rule: str | None = None) -> NotationError:
    return NotationError(why, rule=rule)


def _number(word: str, most: int, what: str, least: int = 0) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", word, re.ASCII) or not least <= int(word) <= most:
        raise unreadable(f"{what}: {shown(word)[:20]!r} is not a number from {least} to {most}.")
    return int(word)


# ---- orders as actions


def actions_of(state: State, orders: Iterable[Order]) -> list[str]:
    """The orders of a turn as actions, in plain UMI; raises NotationError for names that the match does not know.

    All spells become one action, marches first, which changes nothing: marching and teching do not meet. A tick is
    parted into rings and single moves, which end on the same hexes; only one that breaks a rule is written as a tick.
    """
    lines: list[str] = []
    marches, techs = 0, list[str]()
    table = table_in(state)
    for order in orders:
        record = record_of(state, order)
        if record.kind == SPELLS:
            cards = [record.start[i] for i in range(record.count)]
            marches += cards.count(MARCH)
            techs += [_card(card) for card in cards if card != MARCH]
        elif record.kind != END:
            lines += [f"action board {record.board} {words}" for words in _board_actions(state, record, table)]
    return [f"action tech {' '.join([str(marches), *techs])}", *lines] if marches or techs else lines


def _card(card: int) -> str:
    if card < 0:
        raise unreadable("There is no such card.", "8.9")
    return str(card)


def _board_actions(state: State, record: OrderRecord, table: UnitTable) -> list[str]:
    pairs = [(record.start[i], record.target[i]) for i in range(record.count)]
    target, unit = hex_name(pairs[0][1]), table.types[record.type]
    if record.kind == MOVE:
        return _move_actions(pairs)
    if record.kind == ATTACK:
        return [f"attack {hex_name(pairs[0][0])}{target}"]
    if record.kind == BLINKING:
        return [f"blink {hex_name(pairs[0][0])}"]
    if record.kind == BUY:
        return [f"buy {unit.letter}"]
    if record.kind == SPAWNING:
        return [f"spawn {unit.letter} {target}"]
    if record.kind == CHOOSE:
        kept = [table.types[record.keep].letter] if record.keep >= 0 else ["none"] if record.keep == KEEP_NONE else []
        return [" ".join(["setup", "N" if state.switches & RESETS else fen.name_word(unit.name), *kept])]
    return ["resign"]


def _move_actions(pairs: list[tuple[int, int]]) -> list[str]:
    """Files of units from the front to the back, then rings."""
    to, came = dict(pairs), {target: start for start, target in pairs}
    if min(len(to), len(came)) < len(pairs) or any(start == target for start, target in pairs):
        return [" ".join(["tick", *(hex_name(start) + hex_name(target) for start, target in pairs)])]
    actions: list[str] = []
    for front in [start for start, target in pairs if target not in to]:
        here: int | None = front
        while here is not None:
            actions.append(f"move {hex_name(here)}{hex_name(to.pop(here))}")
            here = came.get(here)
    while to:
        ring = [next(iter(to))]
        while (there := to.pop(ring[-1])) != ring[0]:
            ring.append(there)
        actions.append(" ".join(["move_cyclic", *map(hex_name, ring)]))
    return actions


# ---- actions as orders


def orders_of(state: State, lines: Iterable[str]) -> list[Order]:
    """The orders that the actions of a turn mean, not judged: those of boards as they come, and the last spells.

    Spells come last, or first where what they tech can be bought at once (17.6).
    """
    turn, orders, spells = Turn(state), list[Order](), list[Order]()
    for line in lines:
        words = line[:MAX_LINE].split()
        if words[:1] != ["action"]:
            raise unreadable(f"{shown(line)[:20]!r} is not an action.")
        order = order_of(turn.state, words[1:])
        if order is None or isinstance(order, Spells):
            spells = [] if order is None else [order]
            continue
        orders.append(order)
        with suppress(OrderError):  # whoever gives it will hear of it
            turn.give(order)
    return spells + orders if state.switches & AT_ONCE else orders + spells


def order_of(state: State, words: Sequence[str]) -> Order | None:
    """The order that an action means in a position; None for `tech 0`, which places no spell. Raises NotationError."""
    match words:
        case ["tech", marches, *cards]:
            return _spells(marches, cards)
        case ["board", board, word, *rest]:
            at = _number(board, state.boards - 1, "Board") + 1
            return _board_order(state, at, word, rest)
        case [("buy_spell" | "give_spell"), *_]:
            raise unreadable("Spells can't be cast on boards.", "2.9")
    raise unreadable("Write an action like action tech 1 0 or action board 0 move c3c4.")


def _spells(marches: str, cards: Sequence[str]) -> Spells | None:
    count = _number(marches, MAX_SPELLS, "Marches")
    if count + len(cards) > MAX_SPELLS:
        raise unreadable(f"At most {MAX_SPELLS} spells can be placed in a turn.")
    techs = [f"tech {_number(card, 998, 'Card') + 1}" for card in cards]
    return Spells(("march",) * count + tuple(techs)) if count or techs else None


def _board_order(state: State, board: int, word: str, rest: Sequence[str]) -> Order:
    match word, rest:
        case ["move" | "attack", [pair]]:
            start, target = pair_of(pair)
            return (Move if word == "move" else Attack)(board, hex_name(start), hex_name(target))
        case ["tick", [_, *_]] if len(rest) <= HEXES:
            return Tick(board, tuple("-".join(map(hex_name, pair_of(pair))) for pair in rest))
        case ["move_cyclic", [_, _, *_]] if len(rest) <= HEXES:
            ring = [hex_name(hex_of(hex)) for hex in rest]
            return Tick(board, tuple(f"{a}-{b}" for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)))
        case ["blink", [hex]]:
            return Blink(board, hex_name(hex_of(hex)))
        case ["buy", [unit]]:
            return _checked(Buy(board, _name(unit)))
        case ["spawn", [unit, hex]]:
            return _checked(Spawn(board, _name(unit), hex_name(hex_of(hex))))
        case ["setup", [necromancer]]:
            return _checked(Choose(board, _advanced(state, necromancer)))
        case ["setup", [necromancer, kept]]:
            return _checked(Choose(board, _advanced(state, necromancer), _name(kept)))
        case ["resign", []]:
            return Resign(board)
    raise unreadable("A board has the actions setup, move, move_cyclic, tick, attack, blink, buy, spawn, resign.")


def _checked(order: Order) -> Order:
    """With words that are names; which of them exist is known to the match."""
    return read_order(order)


def _name(word: str) -> str:
    return word.replace("_", " ")


def _advanced(state: State, word: str) -> str:
    """10.13 The necromancer meant. The letter alone, all that plain UMI can say, is the first that is free."""
    table = table_in(state)
    if word.upper() == "N" and state.switches & RESETS:
        return table.first  # 17.4
    if word.upper() != "N" or any(row.name.upper() == "N" for row in table.necromancers):
        return _name(word)
    return next(table.pool[i] for i in range(state.pools) if not state.used[state.side] >> i & 1)


# ---- the engine


class Engine:
    """One conversation. `over` says that it has ended, `failed` that an error in strict mode has ended it."""

    def __init__(self, bot: str = "greedy", seed: int = 0, bots: Mapping[str, BotMaker] | None = None) -> None:
        self.bots: Mapping[str, BotMaker] = bots_of(GAME) if bots is None else bots
        self._known(bot)
        self.over = self.failed = False
        self._given = (bot, seed)
        self._tried: set[str] = set()  # bots that are ready
        self._acts: dict[str, Callable[[list[str]], list[str]]] = {
            "umi": self._umi,
            "isready": self._isready,
            "setoption": self._setoption,
            "config": self._config,
            "position": self._position,
            "go": self._go,
            "play": self._play,
            "turn": self._turn,
            "action": self._action,
            "endturn": self._endturn,
            "getfen": self._getfen,
            "display": self._display,
            "quit": self._quit,
        }
        start = first_state(Options(line="sorted"), 0)
        self._begin(fen.read_config(fen.write_config(start)), start)

    def _begin(self, match: State, state: State | None) -> None:
        """A configuration wipes everything, options too."""
        self.bot, self.seed = self._given
        self.strict, self.dialect = False, True
        self.match = match  # the configuration
        self._set(state)

    def _set(self, state: State | None) -> None:
        """A position drops the turn that is being entered."""
        self.state = state
        self.turn: Turn | None = None
        self.spells: Order | None = None  # of the turn that is being entered

    def answer(self, line: str) -> list[str]:
        """The lines that answer one line."""
        if self.over:
            return []
        try:
            if len(line) > MAX_LINE:
                raise unreadable(f"A line can have at most {MAX_LINE} characters.")
            words = line.split()
            if not words:
                return []
            if words[0] not in self._acts:
                raise unreadable(f"{shown(words[0])[:20]!r} is not a command. Commands are {', '.join(self._acts)}.")
            return self._acts[words[0]](words[1:])
        except PolemosError as error:
            return [self._error(error)]

    def _error(self, error: PolemosError) -> str:
        if self.strict:
            self.over = self.failed = True
        return f"info error {' '.join(str(error).split())}"

    @staticmethod
    def _nothing(words: list[str], command: str) -> None:
        if words:
            raise unreadable(f"Nothing goes after {command}.")

    # ---- who we are

    def _umi(self, words: list[str]) -> list[str]:
        bot, seed = self._given
        return [
            f"id name Polemos {version('polemos')} author The Polemos authors",
            " ".join(["option name bot type combo default", bot, *(f"var {name}" for name in self.bots)]),
            "option name dialect type check default true",
            f"option name seed type spin default {seed} min 0 max {MAX_SEED}",
            "option name spells type check default false",
            "option name strictmode type check default false",
            "umiok",
        ]

    def _isready(self, words: list[str]) -> list[str]:
        """Tries the bot once, so that what it has to compile is done before a search is timed."""
        if self.bot not in self._tried:
            self._tried.add(self.bot)
            with suppress(Exception):  # whatever a bot raises; go will tell
                self._ask(Turn(first_state(Options(boards=1, line="sorted"), 0)), 0.01, [])
        return ["readyok"]

    def _quit(self, words: list[str]) -> list[str]:
        self.over = True
        return []

    def _setoption(self, words: list[str]) -> list[str]:
        match words:
            case ["name", "bot", "value", bot]:
                self.bot = self._known(bot)
            case ["name", "seed", "value", seed]:
                self.seed = _number(seed, MAX_SEED, "Seed")
            case ["name", "dialect", "value", ("true" | "false") as value]:
                self.dialect = value == "true"
            case ["name", "strictmode", "value", ("true" | "false") as value]:
                self.strict = value == "true"
            case ["name", "spells", "value", "false"]:
                pass
            case ["name", "spells", "value", "true"]:
                raise unreadable("Spells can't be cast on boards.", "2.9")
            case _:
                raise unreadable("Options are bot, dialect, seed, spells and strictmode: setoption name seed value 7.")
        return []

    def _known(self, bot: str) -> str:
        if bot not in self.bots:
            raise BotFault(f"There is no bot called {shown(bot)[:20]!r}. There are {', '.join(self.bots)}.")
        return bot

    # ---- positions

    def _config(self, words: list[str]) -> list[str]:
        match = fen.read_config(" ".join(words))
        try:
            self._begin(match, fen.starting(match))
        except BadPosition:
            self._begin(match, None)  # on such a map a position can be set up, but no game begins
        return []

    def _position(self, words: list[str]) -> list[str]:
        if words == ["startpos"]:
            self._set(fen.starting(self.match))
        elif words[:1] == ["fen"]:
            self._set(fen.read_state(self.match, " ".join(words[1:])))
        else:
            raise unreadable("Write position startpos, or position fen and a state.")
        return []

    def _getfen(self, words: list[str]) -> list[str]:
        self._nothing(words, "getfen")
        return [fen.write_state(self._there(), self.dialect)]

    def _display(self, words: list[str]) -> list[str]:
        self._nothing(words, "display")
        state = self._there() if self.turn is None else self.turn.state
        return GAME.text(GAME.setting(state), GAME.observe(state, SPECTATOR)).splitlines()

    def _there(self) -> State:
        if self.state is None:
            raise BadPosition(
                "No position is set, and a game can't start on these maps. Send position fen and a state."
            )
        return self.state

    def _running(self) -> State:
        state = self._there()
        if state.reason:
            raise IllegalOrder("The game is over.", rule="12.8")
        return state

    # ---- turns of our own

    def _go(self, words: list[str]) -> list[str]:
        return self._search(words)[0]

    def _play(self, words: list[str]) -> list[str]:
        if self.turn is not None:
            raise unreadable("A turn is being entered: send endturn first.")
        lines, after = self._search(words)
        self._set(after)
        return lines

    def _search(self, words: list[str]) -> tuple[list[str], State]:
        """The answer to go, and the position after the turn. A bot that fails gives the orders it gave so far: none."""
        state, seconds = self._running(), _time(words) / 1000
        turn, infos = Turn(state), list[str]()
        try:
            self._ask(turn, seconds, infos)
        except Exception as error:  # whatever a bot raises
            infos.append(self._error(BotFault(f"The bot {self.bot} failed: {shown(repr(error))}")))
        after = turn.end(SILENT)
        actions = actions_of(state, turn.given)
        return [*infos, "turn", *actions, " ".join(["endturn", *_winner(after)])], after

    def _ask(self, turn: Turn, seconds: float, infos: list[str]) -> None:
        state = turn.start
        seed = number(self.seed, "umi", state.turn, state.side)
        bot = self.bots[self.bot](GAME.setting(state), turn.side, seed)
        for line in list(bot.orders(GAME.observe(state, turn.side), seconds))[: GAME.facts.max_lines]:
            try:
                if isinstance(turn.give(line), End):
                    return
            except OrderError as error:
                infos.append(f"info refused {_said(state, line)}: {' '.join(str(error).split())}")

    # ---- turns entered by hand

    def _turn(self, words: list[str]) -> list[str]:
        if words[:1] == ["spells"]:
            raise unreadable("Spells can't be cast on boards.", "2.9")
        self._nothing(words, "turn")
        if self.turn is not None:
            raise unreadable("A turn is being entered: send endturn first, or set the position again.")
        self.turn, self.spells = Turn(self._running()), None
        return []

    def _entered(self) -> Turn:
        if self.turn is None:
            raise unreadable("No turn is being entered: send turn first.")
        return self.turn

    def _action(self, words: list[str]) -> list[str]:
        turn = self._entered()
        order = order_of(turn.state, words)
        if order is not None and not isinstance(order, Spells):
            turn.give(order)
        elif turn.start.switches & AT_ONCE:
            self._replace(turn, order)
        else:
            self.spells = order
        return []

    def _replace(self, turn: Turn, spells: Spells | None) -> None:
        """17.6 New spells instead of those given before, at once; if they are refused, nothing changes."""
        before = turn.listed(LINE)
        try:
            turn.take_all_back(roles=(GENERAL,))
        except IllegalOrder as error:
            raise IllegalOrder(
                "A unit bought in this turn needs the spells that these replace.", rule=error.rule
            ) from None
        try:
            if spells is not None:
                turn.give(spells)
        except OrderError:
            for order in before:
                turn.give(order)
            raise

    def _endturn(self, words: list[str]) -> list[str]:
        """The end of the turn. Who won is for our own rules to say; a caller that thinks otherwise is refused."""
        turn = self._entered()
        if words and (len(words) != 2 or words[0] != "winner" or words[1] not in fen.SIDE_NAMES):
            raise unreadable(f"Write endturn, or endturn winner and a side: {', '.join(fen.SIDE_NAMES)}.")
        infos, fault = list[str](), self._place_spells(turn)
        after = turn.end(SILENT)
        if words and words != _winner(after):
            if self.spells is not None and fault is None:
                turn.undo(LINE)
            raise IllegalOrder(f"{words[1]} has not won by our rules.", rule="12.8")
        if fault is not None and self.spells is not None:
            # In the words and numbers of the sender, who counts cards from 0.
            (said,) = actions_of(turn.start, [self.spells])
            infos.append(self._error(type(fault)(f"{said}: {fault.why}", rule=fault.rule)))
        self._set(after)
        return [*infos, *([" ".join(["info result", *_winner(after)])] if after.reason else [])]

    def _place_spells(self, turn: Turn) -> OrderError | None:
        """Gives the last spells, which have waited for the end of the turn; the error if they are refused."""
        try:
            if self.spells is not None:
                turn.give(self.spells)
        except OrderError as error:
            return error
        return None


def _said(state: State, line: object) -> str:
    """An order in the words of UMI, which counts boards and cards from 0; a line that is not one as it is."""
    try:
        return "; ".join(actions_of(state, [read_order(line)]))
    except NotationError:
        return shown(line)


def _winner(state: State) -> list[str]:
    return ["winner", fen.SIDE_NAMES[state.winner]] if state.reason else []


def _time(words: list[str]) -> int:
    """Milliseconds of a search. Nodes mean nothing to our bots."""
    if len(words) % 2:
        raise unreadable("Write go, or go movetime and milliseconds.")
    found = USUAL_TIME
    for key, value in zip(words[::2], words[1::2], strict=True):
        if key == "movetime":
            found = _number(value, MAX_TIME, "movetime", 1)
        elif key == "nodes":
            _number(value, 10**9, "nodes", 1)
        elif key == "spells":
            raise unreadable("Spells can't be cast on boards.", "2.9")
        else:
            raise unreadable(f"{shown(key)[:20]!r} does not go after go; movetime and nodes do.")
    return found


# ---- the verb


def _lines(source: IO[bytes]) -> Iterator[str]:
    """Lines of bounded length; of one that is too long so much that it is refused."""
    while line := source.readline(4 * MAX_LINE):
        if not line.endswith(b"\n") and len(line) == 4 * MAX_LINE:
            while (rest := source.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass  # the remainder
        yield line.decode("utf-8", errors="replace")


@click.command()
@click.option("--bot", default="greedy", show_default=True, help="The bot that answers go.")
@click.option(
    "--seed", type=click.IntRange(0, MAX_SEED), default=0, show_default=True, help="Seed of the bot's random choices."
)
@click.option(
    "--record",
    "records",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Play a game record of a public engine again instead, and compare its positions.",
)
@click.option("--config", default=None, help="The configuration of that record, as UMI writes it.")
def command(bot: str, seed: int, records: tuple[Path, ...], config: str | None) -> None:
    """Play Minions as a UMI engine: commands on standard input, answers on standard output.

    \b
    umi, isready, setoption name O value V      who answers, and how
    config FEN, position startpos, position fen FEN
    go movetime 1000, play                      a turn of the bot
    turn, action ..., endturn                   a turn entered by hand
    getfen, display, quit
    """
    if records:
        _replay(records, config)
        return
    try:
        engine = Engine(bot, seed)
    except BotFault as error:
        raise click.BadParameter(error.why, param_hint="--bot") from None
    if sys.stdin is None:
        return
    for line in _lines(sys.stdin.buffer):
        for words in engine.answer(line):
            click.echo(words)
        sys.stdout.flush()
        if engine.over:
            break
    if engine.failed:
        sys.exit(1)


def _replay(records: Sequence[Path], config: str | None) -> None:
    """Plays records again; the first that does not fit ends the process with exit code 1."""
    from polemos.games.minions.game_records import CONFIG, BadRecord, follow  # it speaks UMI too

    for path in records:
        try:
            found = follow(path.read_text(encoding="utf-8", errors="replace"), config or CONFIG)
        except BadRecord as error:
            raise click.ClickException(f"{path}: {error}") from None
        winner = f"; winner: {shown(found.winner)}" if found.winner else ""
        click.echo(
            f"{path}: {found.plies} turns, {found.actions} actions, all legal; {found.positions} positions, all equal"
            f"{winner}"
        )
