"""PettingZoo: all seats in parallel, or order by order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from polemos.kernel.errors import BadOptions
from polemos.learn.table import Table

UMPIRE = "umpire"


class _Seats:
    """What both environments have in common: a table, and spaces for every seat."""

    def __init__(
        self,
        name: str,
        options: Mapping[str, Any],
        max_cycles: int | None,
        lines: int | None,
        amounts: Sequence[str],
        starts: int,
        render_mode: str | None,
    ) -> None:
        self.table = Table(name, options, 1, lines=lines, amounts=amounts, starts=starts, restart=False, threads=1)
        self.metadata = {"name": name, "render_modes": ["ansi"], "is_parallelizable": self._simultaneous}
        self.render_mode = render_mode
        if max_cycles is not None and max_cycles < 1:
            raise BadOptions("max_cycles is at least 1.")
        self.max_cycles = max_cycles
        self.possible_agents = list(self.table.seats)
        self.agents: list[str] = []  # nobody before the first `reset` and after the end
        self._observation_spaces = {who: self._both() for who in self.possible_agents}
        self._action_spaces = {who: self.table.action_space() for who in self.possible_agents}
        self._chance = np.random.default_rng()

    @property
    def _simultaneous(self) -> bool:
        return bool(self.table.game.facts.simultaneous)

    def _both(self) -> spaces.Dict:
        return spaces.Dict({"observation": self.table.observation_space(), "action_mask": self.table.mask_space()})

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self.table.reset(int(self._chance.integers(1 << 62)))
        self.agents = self.possible_agents[:]
        self._cycles = 0

    def _see(self, seat: int) -> dict[str, Any]:
        return {"observation": self.table.observation(seat), "action_mask": self.table.mask(seat)}

    def render(self) -> str | None:
        """The whole board as text, as the umpire sees it."""
        return self.table.text(UMPIRE) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""


class SheetsEnv(_Seats, ParallelEnv[str, Any, int]):  # type: ignore[misc]
    """In each step every seat gives one order or files its sheet; when all are filed, the turn is played."""

    def __init__(self, name: str, *arguments: Any) -> None:
        super().__init__(name, *arguments)
        if not self._simultaneous:
            raise BadOptions(f"In {self.table.game.title} seats take turns: use aec_env.")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        self._begin(seed)
        return self._see_all(), {who: {} for who in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[Any, ...]:
        table, agents = self.table, self.agents
        if not agents:
            return {}, {}, {}, {}, {}
        for seat, who in enumerate(agents):
            table.put(seat, int(actions[who]))
        table.act()
        self._cycles += 1
        over, late = bool(table.over[0]), self._cycles == self.max_cycles
        found: tuple[Any, ...] = (
            self._see_all(),
            dict(zip(agents, table.rewards[0].tolist(), strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, late and not over),
            {who: {} for who in agents},
        )
        if over or late:
            self.agents = []
        return found

    def _see_all(self) -> dict[str, Any]:
        both = zip(self.agents, self.table.observations(), self.table.masks(), strict=True)
        return {who: {"observation": seen, "action_mask": mask} for who, seen, mask in both}


class OrdersEnv(_Seats, AECEnv[str, Any, int]):  # type: ignore[misc]
    """One order after the other. In simultaneous games all seats have one order each before any is carried out."""

    def __init__(self, *arguments: Any) -> None:
        AECEnv.__init__(self)
        _Seats.__init__(self, *arguments)
        self._looking: int | None = None  # the only seat that has looked since the last order; None: all have

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {who: {} for who in self.agents}
        self.table.wait()
        self._looking = None
        self._seat = 0 if self._simultaneous else self.table.to_move
        self.agent_selection = self.agents[self._seat]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        if self._looking not in (None, seat):
            self.table.observe()
            self._looking = None
        return self._see(seat)

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[self.agent_selection] = 0
        self._clear_rewards()
        filed = self.table.put(self._seat, int(action))
        if self._simultaneous:
            self._seat = (self._seat + 1) % len(self.agents)
            if self._seat == 0:
                self._carry_out(None)
        else:
            # While a turn goes on, nobody but the seat that moves has to look, unless asked to.
            self._carry_out(None if filed else self._seat)
            self._seat = self.table.to_move if filed else self._seat
        self.agent_selection = self.agents[self._seat]
        self._accumulate_rewards()
        self._deads_step_first()

    def _carry_out(self, seat: int | None) -> None:
        """What was put, and how it ended; this seat looks, or all do."""
        self.table.act(seat)
        self._looking = seat
        self.table.wait()
        self._cycles += 1
        if self.table.over[0]:
            self.rewards = dict(zip(self.agents, self.table.rewards[0].tolist(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._cycles == self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
