"""Games of a batch with actions: numbered orders, each with a share of the units that it may have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from polemos.batch import Batch
from polemos.kernel.batching import NOTHING
from polemos.kernel.capabilities.pictures import text_of
from polemos.kernel.errors import BadOptions
from polemos.kernel.game import AnyGame

SHARES = ("all", "half", "one")
WAIT = 0  # files the sheet; once it is filed, waits for the others


class Table:
    """`count` games whose seats act.

    Action `a` is the order `a % numbers` with the share `a // numbers`. Shares are there for orders that have a number
    of units: all that it may have, half of them, or one.
    """

    def __init__(
        self,
        name: str,
        options: Mapping[str, Any],
        count: int,
        *,
        lines: int | None,
        amounts: Sequence[str],
        starts: int,
        restart: bool,
        threads: int | None = None,
    ) -> None:
        self.batch = batch = Batch(name, options, count, starts=starts, restart=restart, threads=threads)
        if lines is not None and lines < 1:
            raise BadOptions("A sheet has at least one line.")
        if not amounts or set(amounts) - set(SHARES) or amounts[0] != "all" or len(set(amounts)) < len(amounts):
            raise BadOptions(f"Amounts are some of {', '.join(SHARES)}, and begin with all.")
        self.seats = batch.seats
        self.numbers = batch.layout.numbers
        self.has_amounts = batch.layout.amounts
        self.shares = tuple(amounts) if batch.layout.amounts else ("all",)
        self.actions = self.numbers * len(self.shares)
        self._half, self._one = (self.shares.index(name) if name in self.shares else -1 for name in ("half", "one"))
        self._lines = lines
        self._at, self._seats = np.arange(count), np.arange(len(self.seats))
        self._filled = np.zeros((count, len(self.seats)), dtype=np.int64)  # lines of each sheet
        self._share()
        self._number[...] = NOTHING
        self._can_order = self.limits[0, :, WAIT].copy()

    @property
    def game(self) -> AnyGame:
        return self.batch.game

    def _share(self) -> None:
        """The arrays that are memory of the batch."""
        self._number, self._amount = self.batch.slots(1 if self._lines is None else 2)
        self.seen = self.batch.observe()
        self.limits = self.seen.pop("limits")
        self.rewards, self.over = self.batch.rewards, self.batch.over

    def __getstate__(self) -> dict[str, Any]:
        """For copies: what they share with their own batch is not copied."""
        shared = ("_number", "_amount", "seen", "limits", "rewards", "over")
        kept = {name: value for name, value in vars(self).items() if name not in shared}
        return {**kept, "given": (self._number.copy(), self._amount.copy())}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        numbers, amounts = kept.pop("given")
        vars(self).update(kept)
        self._share()
        self._number[...], self._amount[...] = numbers, amounts
        self._note_waiting(None)

    # ---- spaces

    def action_space(self) -> Any:
        return spaces.Discrete(self.actions)

    def observation_space(self) -> spaces.Dict:
        """The arrays of an observation, each number anywhere in its type."""
        found: dict[str, spaces.Space[Any]] = {}
        for part in self.batch.layout.parts:
            kind = self.seen[part.name].dtype
            info = np.iinfo(kind)
            found[part.name] = spaces.Box(info.min, info.max, part.shape, kind.type)
        return spaces.Dict(found)

    def mask_space(self) -> spaces.Box:
        return spaces.Box(0, 1, (self.actions,), np.int8)

    # ---- acting

    def reset(self, seed: int) -> None:
        """All games begin anew."""
        self.batch.reset(seed)
        self._filled[...] = 0
        self._number[...] = NOTHING
        self.observe()

    def observe(self) -> None:
        """Looks at the games through all seats."""
        self.batch.observe()
        self._note_waiting(None)

    def put(self, seat: int, action: int) -> bool:
        """The next action of a seat, at a table with one game; says whether that files the sheet."""
        if not 0 <= action < self.actions:
            raise BadOptions(f"Actions are numbers from 0 to {self.actions - 1}, not {action}.")
        share, number = divmod(action, self.numbers)
        most = 1
        if self.has_amounts or self._lines is not None:
            most = self.limits.item(0, seat, number)
        if share > 0 and most < 2:
            number = NOTHING  # half of one unit is not in the mask, so it is no order
        self._number[0, seat, 0] = number
        if self.has_amounts:
            self._amount[0, seat, 0] = _amount(self.shares[share], most)
        if self._lines is None:
            return number == WAIT
        lines = int(self._filled[0, seat]) + (number > WAIT and most > 0)
        filled = 0 if number == WAIT else lines
        full = filled >= self._lines
        self._number[0, seat, 1] = WAIT if full else NOTHING
        self._filled[0, seat] = 0 if full else filled
        return full or number == WAIT

    def put_all(self, actions: Any, seat: int | slice) -> None:
        """The next actions in all games: of one seat, or of all with `slice(None)`, game by game."""
        actions = np.asarray(actions)
        if actions.min() < 0 or actions.max() >= self.actions:
            raise BadOptions(f"Actions are numbers from 0 to {self.actions - 1}.")
        number = self._number[:, seat, 0]
        actions = actions.reshape(number.shape)
        share = 0
        if len(self.shares) > 1:
            share = actions // self.numbers
            actions = actions - share * self.numbers
        number[...] = actions
        if not self.has_amounts and self._lines is None:
            return
        most = self.limits[self._at[:, None], self._seats[seat], actions.reshape(len(self._at), -1)]
        most = most.reshape(number.shape)
        if len(self.shares) > 1:
            nothing = (share > 0) & (most < 2)
            number[nothing] = NOTHING  # half of one unit is not in the mask, so it is no order
            most[nothing] = 0
        if self._lines is not None:
            filled = np.where(number != WAIT, self._filled[:, seat] + (most > 0), 0)
            full = filled >= self._lines
            self._number[:, seat, 1] = np.where(full, WAIT, NOTHING)
            self._filled[:, seat] = np.where(full, 0, filled)
        if self.has_amounts:
            most = np.maximum(most, 1)
            if len(self.shares) > 1:
                most = np.where(share == self._half, np.maximum(most >> 1, 1), most)
                most[share == self._one] = 1
            self._amount[:, seat, 0] = most

    @property
    def to_move(self) -> int:
        """The first seat that can order in the first game, as it was when all seats looked."""
        return int(self._can_order.argmax())

    def wait(self) -> None:
        """Nobody has an action, until one is put."""
        self._number[...] = NOTHING

    def act(self, seat: int | None = None) -> None:
        """Carries out what was put, and looks again: through one seat, or through all."""
        self.batch.act(seat=seat)
        self._note_waiting(seat)

    def _note_waiting(self, seat: int | None) -> None:
        """Who can order in the first game; and whoever can't can still wait."""
        if seat is None:
            self._can_order = self.limits[0, :, WAIT].copy()
            self.limits[..., WAIT] = 1
        else:
            self.limits[:, seat, WAIT] = 1

    # ---- seeing

    def observation(self, seat: int) -> dict[str, Any]:
        """What a seat sees at a table with one game."""
        return {name: array[0, seat].copy() for name, array in self.seen.items()}

    def observations(self) -> list[dict[str, Any]]:
        """What all its seats see."""
        copies = [(name, array[0].copy()) for name, array in self.seen.items()]
        return [{name: copy[seat] for name, copy in copies} for seat in range(len(self.seats))]

    def mask(self, seat: int) -> Any:
        """The lawful actions of a seat at a table with one game."""
        return self._mask_of(self.limits[0, seat])

    def masks(self) -> Any:
        """Those of all its seats."""
        return self._mask_of(self.limits[0])

    def _mask_of(self, limits: Any) -> Any:
        """Lawful actions, over the last axis. With one unit all shares are the same: the first serves."""
        if not self.has_amounts:
            return limits.copy()  # limits of 0 and 1 are a mask already
        lawful, more = limits > 0, limits > 1
        return np.concatenate((lawful, *[more] * (len(self.shares) - 1)), axis=-1).view(np.int8)

    def write_mask(self, limits: Any, mask: Any) -> None:
        """Writes lawful actions in place."""
        n = self.numbers
        np.greater(limits, 0, out=mask[..., :n].view(bool))
        if len(self.shares) > 1:
            np.greater(limits, 1, out=mask[..., n : 2 * n].view(bool))
        if len(self.shares) > 2:
            mask[..., 2 * n :] = mask[..., n : 2 * n]

    def text(self, who: str) -> str:
        """The first game as a terminal shows it."""
        state = self.batch.state(0)
        return text_of(self.game, self.game.setting(state), self.game.observe(state, who))


def seat_of(seats: Sequence[str], seat: str | None) -> int:
    """The number of a seat; the first if none is named."""
    if seat is None:
        return 0
    if seat not in seats:
        raise BadOptions(f"No seat is called {seat!r}. Seats: {', '.join(seats)}.")
    return seats.index(seat)


def policies_of(seats: Sequence[str], seat: int, opponents: str | Sequence[str]) -> list[str | None]:
    """Who plays each seat: policies, and nobody in the seat that learns."""
    others = [opponents] * (len(seats) - 1) if isinstance(opponents, str) else list(opponents)
    if len(others) != len(seats) - 1:
        raise BadOptions(f"There are {len(seats) - 1} opponents here; {len(others)} were given.")
    return [*others[:seat], None, *others[seat:]]


def _amount(share: str, most: int) -> int:
    return 1 if share == "one" else max(1, most if share == "all" else most // 2)
