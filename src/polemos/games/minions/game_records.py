"""Game records of public UMI engines: text files that are played again under their rules (17).

    fen 0|12 0|0 LLL...|LLL... f|I|i|||... f|I|i|||... 0 1
    turn [info eval winprob 0.52] [info nps 34 nodes 1 time 0.03]
    action tech 1
    action board 0 move b3a4
    endturn

    fen ...
    Winner: Blue engine

Lines `fen` are optional; each must be the position that our rules have reached, but for the first one, which may be
where the record begins. The last line says who has won.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from polemos.games.minions import fen
from polemos.games.minions.notation import Spells
from polemos.games.minions.progress import Turn
from polemos.games.minions.state import State
from polemos.games.minions.umi import order_of
from polemos.kernel.errors import BadPosition, NotationError, OrderError, PolemosError
from polemos.kernel.log import SILENT
from polemos.kernel.orders import shown

MAX_TEXT: Final = 20_000_000
CONFIG: Final = "2 BlackenedShores,MidnightLake S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3"

_TURN: Final = re.compile(r"turn(?: \[[^\[\]]*\])*")


class BadRecord(PolemosError):
    """A record that our rules do not follow."""

    word = "record/bad"


class Followed(Struct, frozen=True):
    """A record that was played to its end."""

    state: State
    plies: int
    actions: int
    positions: int  # lines `fen` that were compared
    winner: str  # as the record says; empty if it does not


def follow(text: str, config: str = CONFIG) -> Followed:
    """Plays a record from its first turn to its last; raises BadRecord, which names the line that does not fit."""
    if len(text) > MAX_TEXT:
        raise BadRecord(f"A record can have at most {MAX_TEXT} characters.")
    try:
        reader = _Reader(fen.read_config(config))
    except (NotationError, BadPosition) as error:
        raise BadRecord(f"Configuration: {error}") from None
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.read(line.strip())
        except BadRecord as error:
            raise BadRecord(f"Line {number}: {error.why}") from None
        except (OrderError, BadPosition) as error:
            raise BadRecord(f"Line {number}: {shown(line)[:80]!r}: {error}") from None
    return reader.end()


class _Reader:
    def __init__(self, config: State) -> None:
        self.config = config
        self.state: State | None = None  # None before the first turn or position
        self.turn: Turn | None = None
        self.plies = self.actions = self.positions = 0
        self.winner: str | None = None

    def read(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if not line:
            return
        if self.winner is not None:
            raise BadRecord("Nothing goes after the winner.")
        if word == "fen":
            self._position(rest)
        elif _TURN.fullmatch(line):
            if self.turn is not None:
                raise BadRecord("The turn before it has not ended.")
            self.turn = Turn(self._there())
        elif word == "action":
            self._action(rest.split())
        elif word == "endturn":
            self._end_of_turn(rest.split())
        elif word == "Winner:":
            self.winner = rest.strip()
        else:
            raise BadRecord(f"{shown(line)[:40]!r} is not a line of a record.")

    def _there(self) -> State:
        if self.state is None:
            self.state = fen.starting(self.config)
        return self.state

    def _position(self, text: str) -> None:
        if self.turn is not None:
            raise BadRecord("The turn before it has not ended.")
        told = fen.read_state(self.config, text)
        if self.state is None:
            self.state = told
        elif told != self.state:
            raise BadRecord(f"The position is {fen.write_state(self.state)}, not {shown(text)}.")
        self.positions += 1

    def _action(self, words: list[str]) -> None:
        if self.turn is None:
            raise BadRecord("An action stands outside a turn.")
        order = order_of(self.turn.state, words)
        if order is None or isinstance(order, Spells):
            self.turn.take_all_back(roles=("general",))  # a later list replaces an earlier one
        if order is not None:
            self.turn.give(order)
        self.actions += 1

    def _end_of_turn(self, words: list[str]) -> None:
        if self.turn is None:
            raise BadRecord("No turn has begun.")
        after = self.turn.end(SILENT)
        said = ["winner", fen.SIDE_NAMES[after.winner]] if after.reason else []
        if words not in ([], said):
            raise BadRecord(f"By our rules the winner is {said[1] if said else 'not known yet'}.")
        self.state, self.turn, self.plies = after, None, self.plies + 1

    def end(self) -> Followed:
        if self.turn is not None:
            raise BadRecord("The last turn has not ended.")
        return Followed(self._there(), self.plies, self.actions, self.positions, self.winner or "")
