"""OpenSpiel: a game whose seats give their orders one after the other, unseen by the others.

A state is the bytes of a game in a batch, and the game has one batch of one game in which it carries out orders: so
states can be copied and saved. The first node is chance: it draws the key of the dice, which no seat sees. Whoever
copies a state has the key as well; docs/reference/learn.md says what that means for planners.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import pyspiel

from polemos import registry
from polemos.learn.table import Table

KEYS = 256  # outcomes of the first node
MAX_LENGTH = 1_000_000  # actions; games are far shorter, but a sheet has no limit that all share


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options. `load` makes it, and so does `pyspiel.load_game` once it was made here."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.name = str(params["name"])
        amounts = tuple(str(params["amounts"]).split("-"))
        options = json.loads(unquote(str(params["options"])))
        self.table = Table(self.name, options, 1, lines=None, amounts=amounts, starts=1, restart=False, threads=1)
        self.seats = self.table.seats
        best = float(len(self.seats) - 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.actions,
            max_chance_outcomes=KEYS,
            num_players=len(self.seats),
            min_utility=-best,
            max_utility=best,
            utility_sum=0.0,
            max_game_length=MAX_LENGTH,
        )
        super().__init__(_type(self.name), info, dict(params))

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        return SpielObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A game as it stands, with the drafts of its seats and what each of them has been through."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._records: tuple[bytes, ...] = ()  # none before the key is drawn
        self._player = 0
        self._over = False
        self._returns = [0.0] * len(game.seats)
        self._pasts = [""] * len(game.seats)  # digests of what a seat saw and did

    # ---- whose move it is, and what it may do

    def current_player(self) -> int:
        if not self._records:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self._over else self._player

    def is_terminal(self) -> bool:
        return self._over

    def returns(self) -> list[float]:
        return self._returns

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(key, 1 / KEYS) for key in range(KEYS)]

    def _legal_actions(self, player: int) -> list[int]:
        table = self._laid_out()
        if player != self._player:
            return []
        found: list[int] = np.flatnonzero(table.mask(player)).tolist()
        return found

    def _apply_action(self, action: int) -> None:
        game = self.get_game()
        table: Table = game.table
        if not self._records:
            table.reset(action)
        else:
            self._laid_out()
            self._pasts[self._player] = _digest(self._pasts[self._player], self.seen_by(self._player), action)
            table.wait()
            table.put(self._player, action)
            table.act()
            self._over = bool(table.over[0])
            if self._over:
                self._returns = [float(reward) for reward in table.rewards[0]]
        self._player = table.to_move
        self._records = table.batch.save()

    # ---- in words and numbers

    def _laid_out(self) -> Table:
        """The table of the game with this position on it, looked at by all seats."""
        table: Table = self.get_game().table
        table.batch.load(self._records)
        table.observe()
        return table

    def numbers_for(self, player: int) -> dict[str, Any]:
        """The observation of a seat, part by part; nothing before the key is drawn."""
        table: Table = self.get_game().table
        if not self._records:
            return {part.name: np.zeros(part.shape, np.int32) for part in table.batch.layout.parts}
        return self._laid_out().observation(player)

    def seen_by(self, player: int) -> str:
        """The same as a short text: seats that see the same get the same."""
        found = hashlib.blake2b(digest_size=8)
        for array in self.numbers_for(player).values():
            found.update(array.tobytes())
        return found.hexdigest()

    def past_of(self, player: int) -> str:
        """All that a seat saw and did so far."""
        return self._pasts[player]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"key {action}"
        table: Table = self.get_game().table
        share, number = divmod(action, table.numbers)
        if number == 0:
            return "file"
        return f"{number} {table.shares[share]}" if table.has_amounts else str(number)

    def __str__(self) -> str:
        if not self._records:
            return "the key is drawn"
        return self._laid_out().text("umpire")


class SpielObserver:
    """Fills tensors and texts from what a seat sees. With perfect recall there is a text only."""

    def __init__(self, game: SpielGame, kind: Any) -> None:
        self._recalls = bool(kind.perfect_recall)
        shapes = {} if self._recalls else {part.name: part.shape for part in game.table.batch.layout.parts}
        ends = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes.values())])
        self.tensor = None if self._recalls else np.zeros(int(ends[-1]), np.float32)
        self.dict = {
            name: self.tensor[a:b].reshape(shape)  # type: ignore[index]
            for (name, shape), a, b in zip(shapes.items(), ends, ends[1:], strict=False)
        }

    def set_from(self, state: SpielState, player: int) -> None:
        for name, array in state.numbers_for(player).items():
            if name in self.dict:
                self.dict[name][...] = array

    def string_from(self, state: SpielState, player: int) -> str:
        now = state.seen_by(player)
        return f"{state.past_of(player)}/{now}" if self._recalls else now


def load(name: str, options: Mapping[str, Any], amounts: tuple[str, ...]) -> SpielGame:
    """The game with these options, known to OpenSpiel from now on."""
    kind = _type(name)
    if kind.short_name not in pyspiel.registered_names():
        pyspiel.register_game(kind, SpielGame)
    text = quote(json.dumps(dict(options), sort_keys=True), safe="")
    params = {"name": name, "options": text, "amounts": "-".join(amounts)}
    game: SpielGame = pyspiel.load_game(kind.short_name, params)
    return game


def _type(name: str) -> Any:
    game = registry.load(name)
    return pyspiel.GameType(
        short_name=f"polemos_{name}",
        long_name=f"{game.title} (Polemos)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=len(game.facts.seats),
        min_num_players=game.facts.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"name": name, "options": quote("{}", safe=""), "amounts": "all-half-one"},
    )


def _digest(past: str, seen: str, action: int) -> str:
    return hashlib.blake2b(f"{past}/{seen}/{action}".encode(), digest_size=8).hexdigest()
