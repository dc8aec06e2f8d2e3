"""How well the bots of Minions do against each other: `python benchmarks/minions_bots.py`.

A hundred games each on one board and on three, sides swapped; identical games count once. With `--soak`, all bots play
250 games each on 1, 2, 3 and 5 boards instead, and it counts refused orders and broken invariants.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, Final

from polemos.arena.games import Result, run, tally, tasks
from polemos.cli.common import load
from polemos.games.minions.bots import BOTS
from polemos.games.minions.bots.captain import CaptainBot
from polemos.games.minions.game import GAME
from polemos.games.minions.rules import turn
from polemos.games.minions.state import HEXES, MAX_MONEY, SIDES, State
from polemos.games.minions.validate import flaws
from polemos.kernel.dice import number
from polemos.kernel.log import SILENT

PAIRS: Final = (("greedy", "random"), ("captain", "greedy"))
BOARDS: Final = (1, 3)
SOAK_BOARDS: Final = (1, 2, 3, 5)
SOAK_GAMES: Final = 250  # of each bot, against each of the three in turn


def strength(games: int) -> None:
    game = load("minions")
    print("| bots | boards | won | drawn | lost | as Yellow, as Blue | refused | turns, minimum to maximum (median) |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for pair in PAIRS:
        for boards in BOARDS:
            lengths: list[int] = []

            def note(result: Result, lengths: list[int] = lengths) -> None:
                lengths.append((result.steps + 1) // 2)

            work = tasks(game, pair, games, f"bench {boards}", {"boards": boards}, None)
            table = tally(game.facts.seats, pair, run(work, None, note))
            lengths.sort()
            sides = ", ".join(str(table.by_seat[side][0]) for side in SIDES)
            print(
                f"| {pair[0]} against {pair[1]} | {boards} | {table.wins[0]} of {table.distinct} distinct "
                f"| {table.draws} | {table.losses[0]} | {sides} | {sum(table.void_lines)} "
                f"| {lengths[0]} to {lengths[-1]} ({lengths[len(lengths) // 2]}) |",
                flush=True,
            )


# ---- soak


def one_game(names: tuple[str, str], boards: int, seed: str) -> tuple[int, int, int, int]:
    """Plays a complete game, checked after every order and every turn; returns orders, refused, broken, turns."""
    odd: dict[str, Any] = {"maps": "random", "spell_price": number(seed, "price") % 12, "turns": 40}
    options = {"boards": boards, **(odd if number(seed, "odd") % 2 else {"turns": 60})}
    state = GAME.setup(options, seed)
    setting = GAME.setting(state)
    bots: list[Any] = []
    for side, name in enumerate(names):
        key = number(seed, "bot", side)
        if name == "captain":  # cheap: whether orders are legal does not depend on how many turns are tried
            bots.append(CaptainBot(setting, SIDES[side], key, samples=20 * boards, pool=4, answers=4 * boards))
        else:
            bots.append(BOTS[name](setting, SIDES[side], key))
    given = refused = broken = turns = 0
    while not state.reason:
        side = state.side
        sheet = GAME.check(state, SIDES[side], bots[side].orders(GAME.observe(state, SIDES[side]), 1.0))
        given += len(sheet.lines)
        refused += len(sheet.faults)
        for order in sheet.orders:
            GAME.apply(state, SIDES[side], order, SILENT)
        broken += flawed(state)
        turn.end(state, SILENT)
        broken += flawed(state)
        turns += 1
    return given, refused, broken, turns


def flawed(state: State) -> int:
    """Checks everything in 2.10, and that nothing is negative."""
    found = 0 if state.reason else len(list(flaws(state)))
    for at in range(state.boards):
        board = state.board[at]
        found += any(count < 0 for count in board.zone)
        found += any(board.hex[hex].damage < 0 for hex in range(HEXES))
    return found + any(not 0 <= state.money[side] < MAX_MONEY for side in range(2))


def soak(games: int) -> None:
    print("| boards | games | of each bot | turns | orders | refused | broken invariants |")
    print("| --- | --- | --- | --- | --- | --- | --- |", flush=True)
    pairs = [(one, other) for one in BOTS for other in BOTS]
    each = 2 * len(BOTS)  # seats of a bot in one round of all pairs
    rounds = -(-games // each)
    workers = os.cpu_count() or 1
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for boards in SOAK_BOARDS:
            waiting = [
                pool.submit(one_game, pair, boards, f"soak {boards} {n} {pair}")
                for n in range(rounds)
                for pair in pairs
            ]
            given, refused, broken, turns = (sum(column) for column in zip(*(w.result() for w in waiting), strict=True))
            print(
                f"| {boards} | {len(waiting)} | {rounds * each} | {turns} | {given} | {refused} | {broken} |",
                flush=True,
            )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=100, help="games of each pair")
    arguments.add_argument("--soak", action="store_true", help="play complete games of all bots with close checks")
    arguments.add_argument("--soak-games", type=int, default=SOAK_GAMES, help="games of each bot and number of boards")
    given = arguments.parse_args()
    began = time.perf_counter()
    print(f"`python benchmarks/minions_bots.py{' --soak' if given.soak else ''}`\n")
    if given.soak:
        soak(given.soak_games)
    else:
        strength(given.games)
    print(f"\n{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
