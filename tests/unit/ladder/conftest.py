"""Both databases with the tables of this version, and a small ladder in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from polemos import registry
from polemos.cli.common import prepare
from polemos.server.store import ledger, migrate
from polemos.server.store.ledger import connect
from unit.ladder.small import Small
from unit.server.conftest import cluster as cluster
from unit.server.conftest import database as database
from unit.server.conftest import kind as kind


@pytest.fixture(scope="session", autouse=True)
def prepared() -> Iterator[None]:
    prepare(registry.load("skerries"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger, "MAX_PAUSE", 60_000)  # this machine may be busy
        yield


@pytest.fixture
def engine(tmp_path: Path, database: str | None) -> Iterator[Engine]:
    made = connect(database or f"sqlite:///{tmp_path / 'polemos.db'}")
    migrate.upgrade(made)
    yield made
    made.dispose()


@pytest.fixture
def small(engine: Engine) -> Small:
    return Small(engine)
