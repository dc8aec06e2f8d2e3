"""The search as bots call it: the best turn that it finds on a board, given to the draft."""

from __future__ import annotations

from polemos.games.minions.bots.draft import Draft
from polemos.games.minions.bots.tastes import tastes_of
from polemos.games.minions.rules.spawning import has_spawn_phase
from polemos.games.minions.search.records import Desk, Plan, Tastes
from polemos.games.minions.search.turns import best_turn
from polemos.games.minions.state import RESET0, State
from polemos.kernel.dice import number
from polemos.kernel.log import SILENT
from polemos.kernel.record import many


class Planner:
    """Made once per match; its memory of the match is the key of its chance."""

    def __init__(self, seed: int, samples: int, pool: int, answers: int) -> None:
        self._seed, self._samples, self._answers = seed, samples, answers
        self._pool, self._plan, self._desk = many(Plan, pool), Plan(), Desk()
        self._tastes: Tastes | None = None

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
            self._tastes = tastes_of(draft.state)
        start = draft.state.copy()
        side = start.side
        start.money[side] = max(0, min(budget, start.money[side]))
        best = self._search(start, at)
        if best >= 0:
            plan = self._pool[best]
            for i in range(plan.count):
                draft.give(plan.kind[i], at, plan.start[i], plan.target[i], plan.type[i])

    def _search(self, start: State, at: int) -> int:
        assert self._tastes is not None
        key = number(self._seed, "turn", start.turn, start.side, at)
        share = start.money[1 - start.side] // start.boards
        return best_turn(
            start, start.copy(), start.copy(), at, self._samples, self._answers, share, key,
            self._pool, self._plan, self._tastes, self._desk, SILENT,
        )  # fmt: skip
