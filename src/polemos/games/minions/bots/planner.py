"""The search as bots call it: the best turn that it finds on a board, given to the draft."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from polemos.games.minions.bots.draft import Draft
from polemos.games.minions.rules import turn
from polemos.games.minions.rules.spawning import has_spawn_phase
from polemos.games.minions.search.records import Desk, Plan, Tastes
from polemos.games.minions.search.tastes import tastes_of
from polemos.games.minions.search.turns import best_turn
from polemos.games.minions.state import ATTACK, BUY, RESET0, State
from polemos.kernel.dice import number
from polemos.kernel.log import SILENT
from polemos.kernel.record import many
from polemos.kernel.rule import wake

REPLIES: Final = 6  # answers to a turn that are looked at more closely


class Planner:
    """Made once per match; its memory of the match is the key of its chance."""

    def __init__(self, seed: int, samples: int, pool: int, answers: int) -> None:
        self._seed, self._pool, self._plan, self._desk = seed, many(Plan, pool), Plan(), Desk()
        self._replies = many(Plan, REPLIES)
        self._lapses = 0
        wake(best_turn, turn.apply)
        self.like(tastes_of)
        self.think(samples, answers, 0, 0)

    def like(self, liking: Callable[[State], Tastes]) -> None:
        """What units and positions are worth to it from now on."""
        self._liking = liking
        self._tastes: Tastes | None = None

    def think(self, samples: int, answers: int, looks: int, tries: int) -> None:
        """How many turns are sampled on a board, how many answers to the best ones are looked for, how many turns after
        each answer, and after how many tries in all the search for better turns ends."""
        self._samples, self._answers, self._looks, self._tries = samples, answers, looks, tries

    def forget(self, lapses: int) -> None:
        """From now on, so many turns of ten lack all their blows on a board, or all that they would buy there."""
        self._lapses = lapses

    def play_all(self, draft: Draft) -> None:
        """Board after board; those that can spend share the purse, and what one leaves goes to the next."""
        state = draft.state
        spending = [at for at in range(state.boards) if has_spawn_phase(state.board[at])]
        for at in range(state.boards):
            shares = len([other for other in spending if other >= at])
            self.play(draft, at, state.money[state.side] // max(1, shares))

    def play(self, draft: Draft, at: int, budget: int) -> None:
        """The best turn found on a board that spends no more than the budget; nothing where nothing can be ordered."""
        board = draft.state.board[at]
        if board.state == RESET0 or board.resigned:
            return
        if self._tastes is None:
            self._tastes = self._liking(draft.state)
        start = draft.state.copy()
        side = start.side
        start.money[side] = max(0, min(budget, start.money[side]))
        best = self._search(start, at)
        if best >= 0:
            plan = self._pool[best]
            forgotten = self._forgotten(start.turn, at)
            for i in range(plan.count):
                if plan.kind[i] == forgotten:
                    continue  # what follows from it is refused by the draft
                draft.give(plan.kind[i], at, plan.start[i], plan.target[i], plan.type[i])

    def _forgotten(self, turn: int, at: int) -> int | None:
        """The kind of orders that does not come to mind."""
        lapse = number(self._seed, "lapse", turn, at)
        if lapse % 10 >= self._lapses:
            return None
        return ATTACK if lapse // 10 % 2 else BUY

    def _search(self, start: State, at: int) -> int:
        assert self._tastes is not None
        key = number(self._seed, "turn", start.turn, start.side, at)
        share = start.money[1 - start.side] // start.boards
        return best_turn(
            start, start.copy(), start.copy(), start.copy(), at, self._samples, self._answers, self._looks, self._tries,
            share, key, self._pool, self._replies, self._plan, self._tastes, self._desk, SILENT,
        )  # fmt: skip
