"""Scores of monarchs and courtiers, and the winning monarch (12.19 to 12.22)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party.draws import draw
from polemos.games.monarchs.party.roles import court_of
from polemos.games.monarchs.party.state import Standing, State

BONUS: Final = 5  # for a spy named with the right nation
LOYAL: Final = 18  # taken off a loyal courtier's score, for each round and once more
SPY: Final = 19  # taken off a spy's

Guesses = Mapping[str, Mapping[str, str | None]]


class CourtierScore(Struct, frozen=True):
    """What one courtier scored, before and after being called a spy."""

    role: str
    serves: str
    full: int
    is_called: bool
    score: int


def is_right(serves: Mapping[str, str], nation: str, role: str | None) -> bool:
    """12.19 Whether this courtier was rightly named as the spy of this nation."""
    return role is not None and serves[role] == nation


def monarch_scores(total: Mapping[str, int], guesses: Guesses, serves: Mapping[str, str]) -> dict[str, int]:
    """12.19 The nation's total, plus 5 for each spy named with the right nation."""
    return {
        court: total[court] + BONUS * sum(is_right(serves, nation, role) for nation, role in guesses[court].items())
        for court in NATIONS
    }


def winning_monarch(scores: Mapping[str, int], standing: Standing, key: str) -> tuple[str, str]:
    """12.20 The winner and why: the score, then the centre, then hexes, then a keyed die."""
    best = max(scores.values())
    tied = [court for court in NATIONS if scores[court] == best]
    if len(tied) == 1:
        return tied[0], "highest score"
    if standing.centre in tied:
        return standing.centre, "holds the centre"
    most = max(standing.hexes[court] for court in tied)
    tied = [court for court in tied if standing.hexes[court] == most]
    if len(tied) == 1:
        return tied[0], "more hexes"
    return max(tied, key=lambda court: draw(key, "coin", court)), "the die"


def full_score(role: str, serves: str, scores: Mapping[str, int], rounds: int) -> int:
    """12.21 A courtier's score before halving."""
    court = court_of(role)
    assert court is not None
    if serves == court:
        return scores[court] - LOYAL * (rounds + 1)
    return 2 * scores[serves] - scores[court] - SPY * (rounds + 1)


def halved(score: int) -> int:
    """12.22 Half, rounded down, below zero too.

    >>> halved(33), halved(-15)
    (16, -8)
    """
    return score // 2


def courtier_scores(state: State) -> tuple[CourtierScore, ...]:
    """12.21 and 12.22 What every courtier scored, by court and number."""
    assert state.standing is not None
    # 12.28 In February 2022 courtiers scored with nations, not with monarchs.
    counts = state.standing.total if state.is_february else monarchs(state)
    found = []
    for role in state.all_courtiers:
        full = full_score(role, state.serves[role], counts, state.round)
        is_called = role in state.guesses[court_of(role) or ""].values()
        found.append(CourtierScore(role, state.serves[role], full, is_called, halved(full) if is_called else full))
    return tuple(found)


def monarchs(state: State) -> dict[str, int]:
    """12.19 The monarchs' scores at the end of the party."""
    assert state.standing is not None
    return monarch_scores(state.standing.total, state.guesses, state.serves)
