"""12.24 Draws can be checked by anybody, and are fair."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from msgspec.structs import replace

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party import draws, loyalty, raffle, scores
from polemos.games.monarchs.party.state import Standing, begin
from polemos.kernel import dice

from .random_party import a_setup

KEYS = [dice.derive(number, "chance") for number in range(3000)]
SIGMAS = 5


def by_hand(key: str, *purpose: object) -> int:
    """12.24, worked out with nothing but the standard library."""
    text = "\x1f".join([key, "party", *map(str, purpose)])
    return int(hashlib.blake2b(text.encode(), digest_size=16, person=b"polemos-stream").hexdigest(), 16)


def test_a_draw_is_a_digest_of_the_key_and_its_purpose() -> None:
    for key in KEYS[:20]:
        assert draws.draw(key, "raffle", 1) == by_hand(key, "raffle", 1)
        assert draws.one_of(key, 6396, "raffle", 1) == by_hand(key, "raffle", 1) % 6396 + 1


def test_loyalties_follow_from_the_key() -> None:
    for key in KEYS[:20]:
        state = begin(replace(a_setup(1, courtiers=5), key=key))
        serves = loyalty.dealt(state)
        lowest = sorted(state.courtiers("green"), key=lambda role: by_hand(key, "loyalty", role))
        assert (serves[lowest[0]], serves[lowest[1]]) == ("red", "blue")
        assert {serves[role] for role in lowest[2:]} == {"green"}


def test_the_raffle_follows_from_the_key() -> None:
    held = {"red-1": 9, "green-1": 4, "blue-1": 0, "blue-2": 1}
    for key in KEYS[:50]:
        one, two, three = raffle.winners({"red-2": 9, "red-1": 3, "green-1": 2, "blue-1": -4, "blue-2": 1}, key, False)
        assert (one.role, one.how) == ("red-2", "best score")
        ticket = by_hand(key, "raffle", 1) % 14 + 1
        expected = "red-1" if ticket <= 9 else "green-1" if ticket <= 13 else "blue-2"
        assert (two.role, two.ticket, two.of, dict(two.held)) == (expected, ticket, 14, held)
        left = {role: count for role, count in held.items() if role != expected}
        assert (three.of, dict(three.held)) == (sum(left.values()), left)
        assert three.ticket == by_hand(key, "raffle", 2) % sum(left.values()) + 1


def near(found: int, chance: float) -> bool:
    """Whether a count over all keys is within the bounds of luck."""
    mean = len(KEYS) * chance
    return bool(abs(found - mean) <= SIGMAS * (mean * (1 - chance)) ** 0.5)


@pytest.mark.parametrize("courtiers", [3, 5, 8])
def test_every_courtier_is_a_spy_as_often(courtiers: int) -> None:
    setup = a_setup(1, courtiers=courtiers)
    found: Counter[tuple[str, str]] = Counter()
    for key in KEYS:
        found.update(loyalty.dealt(begin(replace(setup, key=key))).items())
    for role in begin(setup).all_courtiers:
        for nation in NATIONS:
            if not role.startswith(nation):
                assert near(found[role, nation], 1 / courtiers)


def test_tickets_win_as_often_as_they_should() -> None:
    shown = {"a": 30, "b": 3, "c": 2, "d": 1}
    first: Counter[str] = Counter()
    second: Counter[str] = Counter()
    for key in KEYS:
        _, two, three = raffle.winners(shown, key, False)
        first[two.role] += 1
        second[three.role] += 1
    for role, tickets in {"b": 9, "c": 4, "d": 1}.items():
        assert near(first[role], tickets / 14)
    # c is second after b (9/14 * 4/5) or after d (1/14 * 4/13)
    assert near(second["c"], 9 / 14 * 4 / 5 + 1 / 14 * 4 / 13)


def test_equals_are_the_best_as_often() -> None:
    found = Counter(raffle.winners({"a": 5, "b": 5, "c": 5, "d": 1}, key, False)[0].role for key in KEYS)
    assert set(found) == {"a", "b", "c"}
    assert all(near(found[role], 1 / 3) for role in "abc")


def test_equal_monarchs_win_as_often() -> None:
    standing = Standing(dict.fromkeys(NATIONS, 80), dict.fromkeys(NATIONS, 20))
    found = Counter(scores.winning_monarch(standing.total, standing, key)[0] for key in KEYS)
    assert all(near(found[nation], 1 / 3) for nation in NATIONS)
