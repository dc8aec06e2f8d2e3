"""The games in the interfaces of PettingZoo, Gymnasium and OpenSpiel. Install them with `pip install 'polemos[learn]'`.

from polemos.learn import gym_env, parallel_env, vector_env

env = gym_env("demons", "red", "economist", map="hourglass")
observation, info = env.reset(seed=7)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from polemos.kernel.parts import part

if TYPE_CHECKING:
    from polemos.learn.gym import SeatEnv, TablesEnv
    from polemos.learn.petting import OrdersEnv, SheetsEnv
    from polemos.learn.spiel import SpielGame

__all__ = ["aec_env", "gym_env", "openspiel_game", "parallel_env", "vector_env"]

AMOUNTS = ("all", "half", "one")


def parallel_env(
    name: str,
    *,
    max_cycles: int | None = None,
    lines: int | None = None,
    amounts: Sequence[str] = AMOUNTS,
    starts: int = 1,
    render_mode: str | None = None,
    **options: Any,
) -> SheetsEnv:
    """A simultaneous game as a `ParallelEnv` of PettingZoo: in each step every seat gives one order or files its sheet.

    `lines` files a sheet after so many lawful orders; with `lines=1` each step in which all seats give one is a turn.
    `max_cycles` stops after so many steps. `options` are those of the game.
    """
    with part("learn", "parallel_env needs"):
        from polemos.learn.petting import SheetsEnv
    return SheetsEnv(name, options, max_cycles, lines, amounts, starts, render_mode)


def aec_env(
    name: str,
    *,
    max_cycles: int | None = None,
    lines: int | None = None,
    amounts: Sequence[str] = AMOUNTS,
    starts: int = 1,
    render_mode: str | None = None,
    **options: Any,
) -> OrdersEnv:
    """A game as an `AECEnv` of PettingZoo: order by order. Seats take turns after each order in simultaneous games, and
    after each turn in the others."""
    with part("learn", "aec_env needs"):
        from polemos.learn.petting import OrdersEnv
    return OrdersEnv(name, options, max_cycles, lines, amounts, starts, render_mode)


def gym_env(
    name: str,
    seat: str | None = None,
    opponents: str | Sequence[str] = "random",
    *,
    lines: int | None = None,
    amounts: Sequence[str] = AMOUNTS,
    starts: int = 1,
    render_mode: str | None = None,
    **options: Any,
) -> SeatEnv:
    """One seat of a game as an `Env` of Gymnasium; policies of the game play the others.

    `seat` is the first one unless given. `opponents` is one policy for all other seats, or one for each in their order.
    """
    with part("learn", "gym_env needs"):
        from polemos.learn.gym import SeatEnv
    return SeatEnv(name, options, seat, opponents, lines, amounts, starts, render_mode)


def vector_env(
    name: str,
    count: int,
    seat: str | None = None,
    opponents: str | Sequence[str] = "random",
    *,
    lines: int | None = None,
    amounts: Sequence[str] = AMOUNTS,
    starts: int = 1,
    threads: int | None = None,
    **options: Any,
) -> TablesEnv:
    """`count` games side by side as a `VectorEnv` of Gymnasium, stepped in one compiled call.

    With `seat="all"` there are no opponents: every seat of every game is an environment of its own, for self-play. The
    arrays that `step` returns share the memory of the games, and the next step changes them.
    """
    with part("learn", "vector_env needs"):
        from polemos.learn.gym import TablesEnv
    return TablesEnv(name, options, count, seat, opponents, lines, amounts, starts, threads)


def openspiel_game(name: str, *, amounts: Sequence[str] = AMOUNTS, **options: Any) -> SpielGame:
    """A game as OpenSpiel's `Game`: seats give their orders one after the other, unseen by the others."""
    with part("learn", "openspiel_game needs"):
        from polemos.learn.spiel import load
    return load(name, options, tuple(amounts))
