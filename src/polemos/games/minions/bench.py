"""Further figures for the bench: what searching costs."""

from __future__ import annotations

import time
from typing import Any

from polemos.games.minions.rules import choices, play
from polemos.games.minions.state import Choice, Order, State, Work
from polemos.kernel.log import SILENT
from polemos.kernel.mode import INTERPRETED
from polemos.kernel.record import Many, many

POSITIONS = 8 if INTERPRETED else 4000  # different ones: a few asked again and again would flatter


def positions(game: Any, boards: int) -> list[State]:
    """Positions of random games, of all ages."""
    start = game.setup({"boards": boards}, 0)
    states = many(State, 50, start.extent())
    for i in range(50):
        states[i] = start
    found: list[State] = []
    while len(found) < POSITIONS:
        game.rollout(states, start, len(found), 50 * 3)
        found += [states[i].copy() for i in range(50) if not states[i].reason]
    return found[:POSITIONS]


def measures(game: Any) -> dict[str, float]:
    """Orders of a board-turn, microseconds for all options of a board, and for copying and applying one order."""
    some, work, found, order = positions(game, 1), Work(), many(Choice, 8192), Order()
    given = sum(play.play_random_turn(state.copy(), order, i, SILENT, work) for i, state in enumerate(some))
    listed, spent = 0, 0.0
    for _ in range(3):
        began = time.perf_counter()
        listed = sum(choices.list_choices(state, 0, found, work) for state in some)
        spent = (time.perf_counter() - began) / len(some)
    best = min(_copy_and_apply(some, found, order, work) for _ in range(3))
    return {
        "orders_per_board_turn": round(given / len(some), 1),
        "options_per_board": round(listed / len(some), 1),
        "microseconds_all_options": round(spent * 1e6, 2),
        "microseconds_copy_and_apply": round(best * 1e6, 3),
    }


def _copy_and_apply(some: list[State], found: Many[Choice], order: Order, work: Work) -> float:
    """Seconds to copy a board and apply one order to the copy; taking back is copying again."""
    orders, seconds = 0, 0.0
    for state in some:
        count = choices.list_choices(state, 0, found, work)
        scratch = state.copy()
        began = time.perf_counter()
        orders += play.try_all(state, scratch, found, count, order, SILENT, work)
        seconds += time.perf_counter() - began
    return seconds / orders
