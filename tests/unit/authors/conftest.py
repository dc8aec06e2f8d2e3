"""Both databases with the tables of this version, and patient limits: this machine may be busy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from parcels import CALM
from polemos import registry
from polemos.cli.common import prepare
from polemos.hosts.workshop import Allowed
from polemos.server.authors import desk
from polemos.server.store import ledger, migrate
from polemos.server.store.ledger import connect
from polemos.uploads.reception import Rules
from unit.server.conftest import cheap_passwords as cheap_passwords
from unit.server.conftest import cluster as cluster
from unit.server.conftest import database as database
from unit.server.conftest import kind as kind


def calm(toolchains: tuple[str, ...] = ()) -> Rules:
    return Rules(build=Allowed(seconds=300), play=CALM, toolchains=toolchains)


@pytest.fixture(scope="session", autouse=True)
def prepared() -> Iterator[None]:
    prepare(registry.load("skerries"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk, "Rules", calm)
        patch.setattr(ledger, "MAX_PAUSE", 60_000)
        yield


@pytest.fixture
def engine(tmp_path: Path, database: str | None) -> Iterator[Engine]:
    made = connect(database or f"sqlite:///{tmp_path / 'polemos.db'}")
    migrate.upgrade(made)
    yield made
    made.dispose()
