"""Which orders are advised: those that bring most, and a mixture only of what can't be told from them."""

from __future__ import annotations

import numpy as np
import pytest

from polemos.search.advice import Advice, Tried, advise


def tried(name: str, share: float, mean: float, spread: float = 0.1) -> Tried:
    """A hundred playouts with this mean; half of them above it, half below, the same ones for everybody."""
    return Tried((name,), share, mean + spread * np.where(np.arange(100) % 2, 1.0, -1.0))


def names(found: Advice) -> list[str]:
    return [plan.orders[0] for plan in found.plans]


def test_the_cost_is_told_by_what_brings_most_whatever_the_search_liked_best() -> None:
    found = advise(tried("pass", 0.0, 0.40), [tried("move", 0.72, 0.44), tried("build", 0.23, 0.60)])
    assert names(found) == ["build", "move"]
    assert found.cost == pytest.approx(0.20)
    assert found.plans[0].ahead == found.cost
    assert [plan.share for plan in found.plans] == [1.0, 0.0], "a move that loses 16 points has no part in the mixture"


def test_what_loses_is_no_advice() -> None:
    found = advise(tried("pass", 0.24, 0.40), [tried("move", 0.76, 0.24)])
    assert found == Advice((), 1.0, 0.0, 0.0)


def test_what_cannot_be_told_apart_is_mixed_and_the_given_orders_may_have_a_part() -> None:
    found = advise(tried("left", 0.3, 0.500), [tried("right", 0.5, 0.501), tried("stay", 0.1, 0.30)])
    assert names(found) == ["right"]
    assert (found.plans[0].share, found.share) == (0.625, 0.375)
    assert found.cost == 0.0


def test_the_best_is_advised_alone_if_the_search_would_never_choose_it() -> None:
    found = advise(tried("pass", 0.0, 0.30), [tried("right", 1.0, 0.499), tried("left", 0.0, 0.500)])
    assert [(plan.orders[0], plan.share) for plan in found.plans] == [("left", 1.0), ("right", 0.0)]


def test_a_lead_that_luck_may_have_made_costs_nothing() -> None:
    noise = np.random.default_rng(1).normal(0, 0.2, 100)
    lucky = Tried(("lucky",), 1.0, 0.5 + noise - noise.mean() + 0.03)
    found = advise(Tried(("given",), 0.0, np.full(100, 0.5)), [lucky])
    assert found.plans[0].ahead == pytest.approx(0.03)
    assert found.plans[0].margin > 0.03
    assert found.cost == 0.0


def test_alone_the_given_orders_are_all_there_is() -> None:
    assert advise(tried("only", 0.0, 0.5), []) == Advice((), 1.0, 0.0, 0.0)
