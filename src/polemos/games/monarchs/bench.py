"""What the bench measures for Monarchs beside random play: adjudication alone, on orders invented before."""

from __future__ import annotations

import time

from polemos.games.monarchs.rules import play
from polemos.games.monarchs.start import starting_position
from polemos.games.monarchs.state import ONLINE, Sheets, State, Work
from polemos.kernel.dice import Chance
from polemos.kernel.log import Log
from polemos.kernel.mode import INTERPRETED
from polemos.kernel.record import many

POSITIONS = 64 if INTERPRETED else 4096  # different ones: a few asked again and again would flatter


def adjudications_per_second(seconds: float) -> float:
    """Turns a second when the sheets are there already. The best of three."""
    start = starting_position("classic", ONLINE, 0, 8)
    states, scratch, sheets = many(State, POSITIONS), many(State, POSITIONS), many(Sheets, POSITIONS)
    for i in range(POSITIONS):
        states[i] = start
    chance, log, work = Chance(), Log(), Work()
    play.rollout(states, start, 1, POSITIONS * 5, Sheets(), chance, log, work)  # the middle of a game
    play.invent_many(states, sheets, 2, work)
    best = 0.0
    for _ in range(3):
        turns, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds / 2:
            play.adjudicate_many(states, sheets, chance, log, work, scratch)
            turns += POSITIONS
        best = max(best, turns / (time.perf_counter() - began))
    return round(best, 1)
