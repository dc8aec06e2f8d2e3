"""Who may see and do what in a group."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from polemos.ladder.group_rules import (
    Group,
    GroupRefusal,
    Member,
    check_dates,
    check_entry,
    check_starts,
    is_locked,
    joined,
    reads_logs,
    role_of,
    sees_inside,
)

OLGA, ANN, BEN = 1, 2, 3
GROUP = Group(
    id="g",
    name="Algorithms II",
    kind="class",
    organiser=OLGA,
    ladder=1,
    invite="k7h29",
    asks=True,
    logs="author",
    created=0.0,
    sign_up=100.0,
    lock_at=200.0,
    locked=None,
    settled=False,
    system="swiss",
    rounds=None,
    games=4,
    maps=0,
    starts=300.0,
)
MEMBER = Member(ANN, "member")


@pytest.mark.parametrize(
    ("account", "member", "role", "inside"),
    [
        (OLGA, None, "organiser", True),
        (ANN, MEMBER, "member", True),
        (ANN, replace(MEMBER, state="asked"), "asked", False),
        (ANN, replace(MEMBER, state="removed"), "stranger", False),
        (BEN, None, "stranger", False),
        (None, None, "stranger", False),
    ],
)
def test_only_members_and_the_organiser_see_the_inside(
    account: int | None, member: Member | None, role: Any, inside: bool
) -> None:
    assert role_of(GROUP, account, member) == role
    assert sees_inside(role) == inside


@pytest.mark.parametrize(
    ("asks", "before", "invited", "becomes"),
    [
        (True, None, True, "asked"),
        (True, None, False, "asked"),
        (False, None, True, "member"),
        (False, None, False, "asked"),
        (False, "removed", True, "asked"),  # the old link is not a way back
        (True, "member", False, "member"),
    ],
)
def test_joining(asks: bool, before: Any, invited: bool, becomes: str) -> None:
    group = replace(GROUP, asks=asks)
    member = None if before is None else replace(MEMBER, state=before)
    assert joined(group, ANN, member, 50.0, invited=invited) == becomes


def test_nobody_joins_after_sign_up_but_the_organiser() -> None:
    with pytest.raises(GroupRefusal, match="closed"):
        joined(GROUP, ANN, None, 100.0, invited=True)
    assert joined(GROUP, OLGA, None, 100.0, invited=False) == "member"
    assert joined(replace(GROUP, sign_up=None), ANN, None, 1e9, invited=False) == "asked"


def test_the_lock_falls_for_everybody_and_later_for_those_with_extra_time() -> None:
    late = replace(MEMBER, extra=60.0)
    assert [is_locked(GROUP, MEMBER, at) for at in (199.0, 200.0)] == [False, True]
    assert [is_locked(GROUP, late, at) for at in (259.0, 260.0)] == [False, True]
    assert not is_locked(replace(GROUP, lock_at=None), MEMBER, 1e9)
    check_entry(GROUP, late, 259.0)
    with pytest.raises(GroupRefusal, match="public ladder only"):
        check_entry(GROUP, MEMBER, 200.0)
    for member in (None, replace(MEMBER, state="asked"), replace(MEMBER, state="removed")):
        with pytest.raises(GroupRefusal, match="Only members"):
            check_entry(GROUP, member, 0.0)


@pytest.mark.parametrize(
    ("reader", "told", "reads"),
    [
        (ANN, "author", True),
        (OLGA, "author", False),
        (OLGA, "organiser", True),
        (BEN, "organiser", False),
        (None, "organiser", False),
    ],
)
def test_the_organiser_reads_a_log_only_if_its_author_was_told_when_joining(
    reader: int | None, told: Any, reads: bool
) -> None:
    for group in (GROUP, replace(GROUP, logs="organiser")):  # what it says now does not matter
        assert reads_logs(group, reader, ANN, replace(MEMBER, logs=told)) == reads


def test_dates_come_in_order() -> None:
    check_dates(100.0, 200.0, 200.0)
    check_dates(None, None, None)
    for dates, words in [
        ((201.0, 200.0, None), "Sign-up"),
        ((None, None, 300.0), "Set the date"),
        ((None, 200.0, 199.0), "before the versions"),
    ]:
        with pytest.raises(GroupRefusal, match=words):
            check_dates(*dates)


def test_a_tournament_waits_for_the_lock_and_for_extra_time() -> None:
    with pytest.raises(GroupRefusal, match="Lock the versions"):
        check_starts(GROUP, None, 300.0)
    locked = replace(GROUP, locked=200.0)
    with pytest.raises(GroupRefusal, match="extra time"):
        check_starts(locked, 260.0, 259.0)
    check_starts(locked, 260.0, 260.0)
    check_starts(replace(locked, settled=True), None, 200.0)
