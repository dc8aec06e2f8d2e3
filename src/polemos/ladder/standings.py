"""What a fit allows us to say about ranks: ranges, and lines between bands.

One bot is surely above another if it is stronger in at least 39 of 40 joint draws from the fit. Draws of two strengths
from a normal distribution are draws of their difference, so the share is known exactly and nothing has to be drawn.
What counts is the covariance: two bots that always met the same opponents can be told apart although their intervals
overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from polemos.arena.tournament.fit import Floats

SURE: Final = 1.959963984540054  # standard deviations: the normal distribution is below this in 39 of 40 draws
Truths = NDArray[np.bool_]


class Standing(Struct, frozen=True):
    """What can be said about one bot."""

    rank_from: int | None  # one more than the number of bots surely above; None while it is being placed
    rank_to: int | None  # nobody from here on down can be above it
    band: int  # from 1; a line is drawn where it changes
    doubt_from: int | None = None  # the places, in order of rating, of the first bot and
    doubt_to: int | None = None  # the last one that it can't be told from


def surely_above(strengths: Floats, covariance: Floats) -> Truths:
    """Whether the bot of the row is surely above that of the column."""
    variances = np.diag(covariance)
    spread = np.sqrt(np.maximum(0.0, variances[:, None] + variances[None, :] - 2 * covariance))
    ahead = strengths[:, None] - strengths[None, :]
    found: Truths = (ahead >= SURE * spread) & (ahead > 0)
    return found


def standings(strengths: Floats, covariance: Floats, placing: Sequence[bool], wide: Sequence[bool]) -> list[Standing]:
    """The standing of each bot.

    Bots that are being placed have no rank, and nobody's rank depends on them. They do not make or break a line. Those
    whose interval is wide do not break one.
    """
    count = len(strengths)
    sure = surely_above(strengths, covariance)
    ranked = ~np.asarray(placing, dtype=bool)
    above = (sure & ranked[:, None]).sum(axis=0)
    below = (sure & ranked[None, :]).sum(axis=1)
    of = int(ranked.sum())
    firm = ranked & ~np.asarray(wide, dtype=bool)
    bands = _bands(strengths, _begin_bands(strengths, sure, firm) | _begin_bands(strengths, sure, ranked))
    order = [int(i) for i in np.argsort(-strengths, kind="stable") if ranked[i]]
    found = []
    for i in range(count):
        doubts = np.flatnonzero(~sure[i, order] & ~sure[order, i])  # itself among them
        if ranked[i]:
            first, last = int(doubts.min()) + 1, int(doubts.max()) + 1
            found.append(Standing(int(above[i]) + 1, of - int(below[i]), bands[i], first, last))
        else:
            found.append(Standing(None, None, bands[i]))
    return found


def _begin_bands(strengths: Floats, sure: Truths, among: Truths) -> set[int]:
    """The first bot of each band: everyone above it, among these, is surely above it and everyone below it."""
    lasting = [int(i) for i in np.argsort(-strengths, kind="stable") if among[i]]
    reach = 0  # the last place that somebody above cannot be told from
    first_of_band = set()
    for place, bot in enumerate(lasting):
        if place and reach < place:
            first_of_band.add(bot)
        doubts = np.flatnonzero(~sure[bot, lasting])
        reach = max(reach, place, int(doubts.max(initial=0)))
    return first_of_band


def _bands(strengths: Floats, first_of_band: set[int]) -> list[int]:
    """The number of each bot's band."""
    order = [int(i) for i in np.argsort(-strengths, kind="stable")]
    bands, band = [0] * len(order), 1
    for bot in order:
        band += bot in first_of_band
        bands[bot] = band
    return bands


def own_doubts(covariance: Floats) -> Floats:
    """How much of the doubt is each bot's own: variances that add up, as nearly as can be, to those of all differences.

    Unlike the variances on the scale, they don't depend on the bot that it hangs on. If nobody beats that one, every
    interval is wide, however well the others are known among themselves. This is the least-squares solution.
    """
    count = len(covariance)
    variances = np.diag(covariance)
    if count < 3:
        found: Floats = variances
        return found
    sums = count * variances + variances.sum() - 2 * covariance.sum(axis=1)  # of the differences to all others
    found = (sums - sums.sum() / (2 * (count - 1))) / (count - 2)
    return np.maximum(0.0, found)


def anchored(strengths: Floats, covariance: Floats, anchor: int) -> tuple[Floats, Floats]:
    """The same with one bot at 0 and no doubt about it: the others' doubts are those of the difference."""
    moved = covariance - covariance[anchor][None, :] - covariance[:, anchor][:, None] + covariance[anchor, anchor]
    return strengths - strengths[anchor], moved
