"""Guests: bots of the original competition (2025), in their own words, see docs/reference/guests.md.

A bot is told which side it is, then one state a turn as a line of JSON and a line that ends it. It answers with one
line of JSON, `{"action": "build", "x": 3, "y": 4, "tower_type": "cannon", "merc_direction": "N", "provoke_demons":
false}`, and before the first of them with a line that is the name of its team.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from polemos.games.demons.guests_state import Telling
from polemos.games.demons.imagine import restored
from polemos.games.demons.notation import Hire, Order, Provoke, read_order
from polemos.games.demons.orders import entered
from polemos.games.demons.rules import turn
from polemos.games.demons.state import COMPASS, GOOD, PLAYERS, PROVOKE
from polemos.games.demons.view import Setting, View
from polemos.kernel.capabilities.dialects import Talk
from polemos.kernel.errors import OrderError

MAX_LINE: Final = 10_000  # characters of an answer that are looked at; a usual one has a hundred
MAX_NAME: Final = 80  # characters of a team's name that are repeated


class Competition:
    """One bot of the competition in one match."""

    def __init__(self, setting: Setting, seat: str, seats: Sequence[str], seed: int) -> None:
        self._seat = seat
        self._telling = Telling(setting)
        self._teams: dict[str, str] | None = None  # nobody has a name in the first state
        self._kept: list[object] = []  # lines for the second decision of a turn (2.4)
        self._setting = setting
        self._provoked = False  # whether its last answer has provoked the demons (11.10)
        # In the finals a bot that had died passed, while its towers fought on; the classic rules forfeit (9.6).
        self.stays = setting.rules != "classic"

    def open(self) -> Talk[None]:
        """Who it is. The first state follows with the first view, and only then does the bot say anything."""
        yield f"--YOU ARE {self._seat.upper()}--"

    def turn(self, view: View, time_left: float) -> Talk[Sequence[object]]:
        """A state and an answer. With two decisions a turn it is asked once, before the builders."""
        if view.step == "mercenaries":
            kept, self._kept = self._kept, []
            return kept
        first = self._teams is None
        teams = self._teams or dict.fromkeys(PLAYERS, "")
        yield json.dumps(self._telling.state(view, teams, provoked=self._provoked))
        yield "--END INITIAL GAME STATE--" if first else "--END OF TURN--"
        if first:
            name = yield None
            self._teams = {player: player.capitalize() for player in PLAYERS}
            self._teams[self._seat] = name.strip()[:MAX_NAME]
        builder, others = read_action((yield None))
        self._provoked = self._provokes(view, builder + others)
        if view.step == "builders":
            self._kept = others
            return builder
        return builder + others

    def _provokes(self, view: View, lines: Sequence[object]) -> bool:
        """11.10 Whether it asks to provoke the demons and can pay for it."""
        if Provoke() not in lines or self._setting.rules == "classic":
            return False
        state, player = restored(self._setting, view), PLAYERS.index(self._seat)
        record = entered(state, player, [_read(line) for line in lines])
        turn.judge(state, player, record)
        return record.fault[PROVOKE] == GOOD

    def close(self) -> str | None:
        """Nothing is said at the end."""
        return None


def read_action(line: str) -> tuple[list[object], list[object]]:
    """The lines of a sheet that an answer means: the builder's, and the others. What makes no sense is a pass.

    Lines are handed on as they were meant, legal or not: the umpire judges them, and says why one is void.
    """
    fields = _fields(line)
    action, tower, direction = fields.get("action"), fields.get("tower_type", ""), fields.get("merc_direction", "")
    if not isinstance(action, str) or not isinstance(tower, str) or not isinstance(direction, str):
        return [], []
    if "x" not in fields or "y" not in fields:
        return [], []
    builder: list[object] = []
    place = {"x": fields["x"], "y": fields["y"]}
    match action.strip().lower():
        case "build":
            builder.append({"order": "build", "tower": tower, **place})
        case "destroy":
            builder.append({"order": "destroy", **place})
    others = _hire(direction.strip())
    if fields.get("provoke_demons"):
        others.append(Provoke())
    return builder, others


def _read(line: object) -> Order | None:
    """The order that a line means; None for one that cannot be read, which is void."""
    try:
        return read_order(line)
    except OrderError:
        return None


def _fields(line: str) -> dict[str, Any]:
    """What the object on a line holds; nothing if there is none."""
    if len(line) > MAX_LINE:
        return {}
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _hire(word: str) -> list[object]:
    """A compass letter, or nobody; the words that our own notation has besides (1.8) were never part of this one."""
    if not word:
        return []
    letter = word.upper()
    return [Hire(letter)] if letter in tuple(COMPASS) and word.isascii() else [f"hire {word!r}"]
