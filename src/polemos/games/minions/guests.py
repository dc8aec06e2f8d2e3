"""UMI engines as guests: what is said to one in a match, and what it answers. docs/reference/guests.md tells more.

    > umi                                   < option name dialect type check default true
                                            < umiok
    > isready                               < readyok
    > config 1 MidnightLake S,P,W,...
    > setoption name seed value 7
    > isready                               < readyok
    > position fen 0|6 0|0 LLL...|LLL... f|I|i|||... 0 1
    > isready                               < readyok
    > go movetime 500                       < turn
                                            < action board 0 move b3a3
                                            < endturn

Its actions are handed in as orders and judged like anybody's; what it says about the winner is not asked for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from polemos.games.minions import fen
from polemos.games.minions.maps import BASIC
from polemos.games.minions.notation import Order, Spells
from polemos.games.minions.progress import Turn
from polemos.games.minions.setup import SPELL_PRICES, UMI_TABLE, Options, switches_in, table_in
from polemos.games.minions.state import ALL_SWITCHES, AT_ONCE, SWITCHES, State
from polemos.games.minions.tables import load
from polemos.games.minions.umi import MAX_SEED, MAX_TIME, USUAL_TIME, order_of
from polemos.games.minions.view import Setting, View, imagine, match_of
from polemos.kernel.capabilities.dialects import Talk
from polemos.kernel.errors import BotFault, NotationError, OrderError
from polemos.kernel.orders import shown

MAX_HEARD: Final = 10_000  # lines in a row without the one that is waited for; a long one counts for several
LONG: Final = 500  # characters
SHARES: Final = 20  # a turn gets so small a part of the time that is left, or a larger one when the end is near
PLAIN: Final = "An engine is plain that does not announce `option name dialect`."
PLAIN_PRICES: Final = (8, 4)  # for a spell: the book's, and that of engines that know no other


class UmiGuest:
    """One engine in one match."""

    stays = False

    def __init__(self, setting: Setting, seat: str, seats: Sequence[str], seed: int) -> None:
        self._setting, self._seat, self._seed = setting, seat, seed
        self._dialect = False  # whether the engine knows what plain UMI has no words for

    def open(self) -> Talk[None]:
        """Who it is, and the match that is played. Options come last, because a configuration wipes them."""
        yield "umi"
        options = _options((yield from _heard("umiok")))
        self._dialect = "dialect" in options
        yield from _ready("a match")
        yield f"config {self._config()}"
        for name, value in _wanted(options, self._seed):
            yield f"setoption name {name} value {value}"
        yield from _ready("this match")

    def _config(self) -> str:
        state = match_of(self._setting)
        config = fen.write_config(state)
        if self._dialect:
            return config
        if beyond := list(_beyond_plain(state)):
            raise BotFault(f"umi: a plain engine can play {'; '.join(beyond)}. {PLAIN}")
        # The limit of turns and the money of the start need no telling: positions hold what there is.
        return " ".join(config.split()[:3])

    def turn(self, view: View, time_left: float) -> Talk[Sequence[object]]:
        """The position, and the turn that it finds there."""
        if view.side != self._seat or view.outcome is not None:
            return ()
        state = imagine(self._setting, view)
        yield f"position fen {fen.write_state(state) if self._dialect else _plain(state)}"
        yield from _ready("this position")  # whatever it said before belongs to another question
        yield f"go movetime {movetime(time_left, self._setting.turns - view.turn + 1)}"
        return orders_heard(state, (yield from _heard("endturn")))

    def close(self) -> str:
        return "quit"


# ---- hearing


def _word(line: str) -> str:
    """The first word."""
    return next(iter(line.split(maxsplit=1)), "")


def _heard(last: str) -> Talk[list[str]]:
    """The lines before the one that begins with the word `last`. Who says too much without it is not waited for."""
    lines: list[str] = []
    room = MAX_HEARD
    while _word(line := (yield None)) != last:
        lines.append(line)
        room -= 1 + len(line) // LONG
        if room < 0:
            raise BotFault(f"umi: it says too much and not {last}: more than {MAX_HEARD} lines.")
    return lines


def _ready(what: str) -> Talk[None]:
    """Waits until it has taken in what was said; an error that it tells of then is about that."""
    yield "isready"
    for line in (yield from _heard("readyok")):
        if line.split(maxsplit=2)[:2] == ["info", "error"]:
            raise BotFault(f"umi: it is not ready for {what}: {shown(line)}")


# ---- options


def _options(lines: Iterable[str]) -> dict[str, dict[str, str]]:
    """`option name seed type spin default 0 min 0 max 9`: the options that are announced, by name."""
    found: dict[str, dict[str, str]] = {}
    for line in lines:
        match line.split():
            case ["option", "name", name, *rest]:
                found[name] = dict(zip(rest[::2], rest[1::2], strict=False))
    return found


def _wanted(options: dict[str, dict[str, str]], seed: int) -> Iterator[tuple[str, str]]:
    """What is set, of the options that there are."""
    for name, value in (("dialect", "true"), ("spells", "false"), ("strictmode", "false")):
        if options.get(name, {}).get("type") == "check":
            yield name, value
    if options.get("seed", {}).get("type") == "spin":
        least, most = _bound(options["seed"], "min", 0), _bound(options["seed"], "max", MAX_SEED)
        if least <= most:
            yield "seed", str(least + seed % (most - least + 1))


def _bound(option: dict[str, str], key: str, otherwise: int) -> int:
    text = option.get(key, "")
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text, re.ASCII) else otherwise


# ---- what plain UMI can say


def _beyond_plain(state: State) -> Iterator[str]:
    """What plain UMI has words for, and which option of the match it has none for."""
    public = state.switches == ALL_SWITCHES  # the rules of plain engines themselves
    usual = load(UMI_TABLE if public else Options().units)
    if state.switches and not public:
        yield f"switches={' '.join(SWITCHES)}, not {' '.join(switches_in(state))}"
    if state.to_win > 1 and not public:  # after the first board that is decided there are resets and other necromancers
        yield f"points=1, not {state.to_win}"
    prices = (SPELL_PRICES["umi-2025"],) if public else PLAIN_PRICES
    if state.spell_price not in prices:
        yield f"spell_price={' or '.join(map(str, prices))}, not {state.spell_price}"
    if msgspec.structs.replace(table_in(state), fixed=usual.fixed) != usual:
        yield f"units={usual.name}, not others"
    if "/" in fen.write_config(state).split()[1]:
        yield f"maps with names, such as {BASIC[0]}, not others"


def _plain(state: State) -> str:
    """The position in plain FEN; a crowd in a zone is written letter by letter."""
    words = fen.write_state(state).split()
    end = 3 + state.boards
    boards = [word.split("|") for word in words[3:end]]
    if len(words) > end + 2 or any(len(parts) > 6 or parts[0] == "0" for parts in boards):
        raise BotFault(f"umi: a plain engine can play without reset+0 and advanced necromancers, not this. {PLAIN}")
    for parts in boards:
        parts[1:3] = [re.sub(r"([A-Za-z])([0-9]+)", lambda many: many[1] * int(many[2]), zone) for zone in parts[1:3]]
    return " ".join([*words[:3], *map("|".join, boards), *words[end:]])


# ---- a turn


def movetime(time_left: float, turns: int) -> int:
    """Milliseconds for this turn, of the seconds that are left for at most so many turns."""
    if not math.isfinite(time_left):
        return USUAL_TIME
    return max(1, min(int(1000 * time_left / (1 + min(SHARES, turns))), MAX_TIME))


def orders_heard(state: State, lines: Sequence[str]) -> list[object]:
    """The orders that an answer means, not judged. What cannot be read stays a line, and will be void.

    Spells come last, because a later `action tech` replaces an earlier one; first where the rules let their cards be
    bought at once (17.6).
    """
    turn, orders, spells = Turn(state), list[object](), list[Order]()
    begun = next((at for at, line in enumerate(lines, 1) if _word(line) == "turn"), 0)
    for line in lines[begun:]:
        if _word(line) in ("", "info"):
            continue
        try:
            order = _action(turn.state, line)
        except NotationError:
            orders.append(f"umi: {line[:LONG]}")  # the word in front keeps it from being read as an order of ours
            continue
        if order is None or isinstance(order, Spells):
            spells = [] if order is None else [order]
            continue
        orders.append(order)
        with suppress(OrderError):  # the umpire will tell
            turn.give(order)
    return spells + orders if state.switches & AT_ONCE else orders + spells


def _action(state: State, line: str) -> Order | None:
    match line.split():
        case ["action", *words]:
            return order_of(state, words)
    raise NotationError("That isn't an action.")
