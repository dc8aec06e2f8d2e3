"""Gymnasium: one seat against policies of the game, and many such games at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from polemos.kernel.errors import BadOptions
from polemos.learn.table import Table, policies_of, seat_of

ALL = "all"


class SeatEnv(gymnasium.Env[dict[str, Any], int]):
    """One seat of a game. `info["action_mask"]` has the lawful actions; others do nothing."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        name: str,
        options: Mapping[str, Any],
        seat: str | None,
        opponents: str | Sequence[str],
        lines: int | None,
        amounts: Sequence[str],
        starts: int,
        render_mode: str | None,
    ) -> None:
        self.table = Table(name, options, 1, lines=lines, amounts=amounts, starts=starts, restart=False, threads=1)
        self.seat = seat_of(self.table.seats, seat)
        self.table.batch.assign(policies_of(self.table.seats, self.seat, opponents))
        self.action_space = self.table.action_space()
        self.observation_space = self.table.observation_space()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise BadOptions(f"Environments render as 'ansi', not as {render_mode!r}.")
        self.render_mode = render_mode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.table.reset(int(self.np_random.integers(1 << 62)))
        if not self.table.game.facts.simultaneous:
            self.table.act(self.seat)  # an opponent may move first
        return self._see()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.table.put(self.seat, int(action))
        self.table.act(self.seat)
        seen, info = self._see()
        return seen, float(self.table.rewards[0, self.seat]), bool(self.table.over[0]), False, info

    def action_masks(self) -> Any:
        """The lawful actions, by the name that MaskablePPO looks for."""
        return self.table.mask(self.seat).view(bool)

    def _see(self) -> tuple[Any, dict[str, Any]]:
        return self.table.observation(self.seat), {"action_mask": self.table.mask(self.seat)}

    def render(self) -> Any:
        """The board as the seat sees it, as text."""
        return self.table.text(self.table.seats[self.seat]) if self.render_mode == "ansi" else None


class TablesEnv(VectorEnv[dict[str, Any], Any, Any]):
    """Many games in one compiled call. A game that has ended begins anew in the same step."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        name: str,
        options: Mapping[str, Any],
        count: int,
        seat: str | None,
        opponents: str | Sequence[str],
        lines: int | None,
        amounts: Sequence[str],
        starts: int,
        threads: int | None,
    ) -> None:
        table = Table(name, options, count, lines=lines, amounts=amounts, starts=starts, restart=True, threads=threads)
        self.table = table
        self._seat: int | None = None
        if seat != ALL:
            self._seat = seat_of(table.seats, seat)
            table.batch.assign(policies_of(table.seats, self._seat, opponents))
        self._rows = slice(None) if self._seat is None else self._seat
        self.num_envs = count * len(table.seats) if self._seat is None else count
        self.single_action_space = table.action_space()
        self.single_observation_space = table.observation_space()
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._share()
        self._mask = np.zeros((self.num_envs, table.actions), dtype=np.int8)
        self._truncated = np.zeros(self.num_envs, dtype=bool)

    def _share(self) -> None:
        """The arrays that are memory of the games."""
        self._seen = {name: self._flat(array) for name, array in self.table.seen.items()}
        self._limits = self._flat(self.table.limits)

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """A copy has games of its own."""
        vars(self).update(kept)
        self._share()

    def _flat(self, array: Any) -> Any:
        """The rows of the seats that learn, one after the other, sharing memory."""
        rows = array[:, self._rows]
        return rows.reshape(self.num_envs, *array.shape[2:])

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.table.reset(int(self.np_random.integers(1 << 62)))
        if self._seat is not None and not self.table.game.facts.simultaneous:
            self.table.act(self._seat)  # an opponent may move first
        return dict(self._seen), self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        self.table.put_all(actions, self._rows)
        self.table.act(self._seat)
        rewards = self.table.rewards[:, self._rows].astype(np.float64).reshape(-1)
        over = self.table.over != 0
        if self._seat is None:
            over = np.repeat(over, len(self.table.seats))
        return dict(self._seen), rewards, over, self._truncated.copy(), self._info()

    def _info(self) -> dict[str, Any]:
        if not self.table.has_amounts:
            return {"action_mask": self._limits}  # limits of 0 and 1 are a mask already
        self.table.write_mask(self._limits, self._mask)
        return {"action_mask": self._mask}
