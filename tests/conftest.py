"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Generator
from itertools import count
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings

from polemos import registry
from search import SEARCHING

os.environ.pop("COLUMNS", None)  # xdist tells its workers a width, which boards at the terminal would keep to

# `make test` tries the same examples everywhere and every time. `make nightly` searches freely and remembers what
# failed; what it finds becomes a case or an `@example`.
calm = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is
settings.register_profile("test", calm, derandomize=True, database=None)
settings.register_profile("search", calm)
settings.load_profile("search" if SEARCHING else "test")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A game that was deleted takes along the tests that need it, wherever they are. Long tests come first."""
    there = set(registry.names())
    needed = {item: {game for mark in item.iter_markers("needs") for game in mark.args} for item in items}
    if gone := [item for item in items if not needed[item] <= there]:
        config.hook.pytest_deselected(items=gone)
        items[:] = [item for item in items if needed[item] <= there]
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Keys of dice that nobody chose follow from the name of the test: its games are the same in every run."""
    from polemos.kernel import dice

    numbers = count()
    key = dice.new_key if SEARCHING else lambda: dice.derive(item.nodeid, next(numbers))
    with patch.object(dice, "new_key", key):
        return (yield)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """In CI a skipped test is a failure: nothing may be left out in silence."""
    skipped = terminalreporter.stats.get("skipped", [])
    if os.environ.get("CI") and skipped:
        terminalreporter.section("skipped in CI")
        for report in skipped:
            terminalreporter.write_line(str(report.nodeid))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
