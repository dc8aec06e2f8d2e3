"""Which orders to advise, once playouts in equal luck have told what each of them brings."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct

from polemos.search.choosing import Numbers

SURE: Final = 1.96  # standard errors to either side of a 95 % interval,
SURE_OF_ALL: Final = 2.5  # and of one that holds for up to four plans at once, so that the best of them may be named
MIN_ERROR: Final = 0.005  # of an estimate: a few playouts that agree prove little


class Plan(Struct, frozen=True):
    """Orders that a seat might have given."""

    orders: tuple[str, ...]
    share: float  # how often to choose it, where it is best not to be predictable
    value: float
    ahead: float  # of the orders that were given, in the same luck
    margin: float  # of `ahead`


class Tried(NamedTuple):
    """Orders, how often a search would choose them, and what each playout brought."""

    orders: tuple[str, ...]
    share: float
    brought: Numbers


class Advice(NamedTuple):
    plans: tuple[Plan, ...]  # the best first
    share: float  # how often to choose the orders that were given
    cost: float  # how much the best plan would have brought more; 0: that it is better could not be shown
    margin: float  # of `cost`


def advise(given: Tried, others: Sequence[Tried]) -> Advice:
    """What brings most comes first, and what brings less than the orders that were given is left out.

    A search that fears a clever enemy may mix in plans that lose against scripts, so only what can't be told from the
    best has a part in the mixture. If the best one itself has none, it is advised alone.
    """
    worth = [float((one.brought - given.brought).mean()) for one in others]
    doubt = [margin(one.brought - given.brought, SURE_OF_ALL) for one in others]
    kept = sorted((i for i in range(len(others)) if worth[i] + doubt[i] >= 0), key=lambda i: (-worth[i], i))
    rows = [*(others[i] for i in kept), given]
    best = rows[0] if kept and worth[kept[0]] > 0 else given
    close = [one is best or is_close(one, best) for one in rows]
    shares = [one.share if near else 0.0 for one, near in zip(rows, close, strict=True)]
    if best.share <= 0:
        shares = [float(one is best) for one in rows]
    whole = sum(shares)
    plans = tuple(
        Plan(
            others[i].orders,
            round(share / whole, 3),
            round(float(others[i].brought.mean()), 4),
            round(worth[i], 4),
            round(doubt[i], 4),
        )
        for i, share in zip(kept, shares, strict=False)
    )
    is_better = bool(plans) and plans[0].ahead > plans[0].margin
    cost, unsure = (plans[0].ahead, plans[0].margin) if is_better else (0.0, 0.0)
    return Advice(plans, round(shares[-1] / whole, 3), cost, unsure)


def is_close(one: Tried, best: Tried) -> bool:
    """Whether the best orders could not be shown to be better than these."""
    lead = best.brought - one.brought
    return float(lead.mean()) <= margin(lead, SURE_OF_ALL)


def margin(values: Numbers, sure: float = SURE) -> float:
    """Half of the interval of the mean."""
    return float(margins(values[:, np.newaxis], sure)[0])


def margins(values: Numbers, sure: float = SURE) -> Numbers:
    """Half of the interval of each column's mean."""
    error: Numbers = sure * (values.std(axis=0) + MIN_ERROR) / sqrt(max(1, len(values)))
    return error
