"""Both databases, and a server on each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from types import SimpleNamespace

import pytest
from argon2 import PasswordHasher

from polemos import registry
from polemos.cli.common import prepare
from unit.server import postgres
from unit.server.postgres import Postgres
from unit.server.serving import PATIENT, Person, Server, Web

Sit = Callable[..., Person]


@pytest.fixture(scope="session", autouse=True)
def prepared() -> None:
    """As `polemos serve` does: compiled rules are there before anybody plays."""
    for name in registry.names():
        prepare(registry.load(name))


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Of the same kind as always, but sooner made."""
    with pytest.MonkeyPatch.context() as patch:
        cheap = partial(PasswordHasher, time_cost=1, memory_cost=1024, parallelism=1)
        patch.setattr("polemos.server.accounts.PasswordHasher", cheap)
        yield


@pytest.fixture(scope="session", autouse=True)
def patient_database() -> Iterator[None]:
    """It gives up on whoever pauses within a transaction, and others on whoever does not renew its lease in time.

    A busy machine makes pauses. It may also take its time to answer, and to write how tables stand before a stop.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("polemos.server.store.ledger.MAX_PAUSE", 60_000)
        patch.setattr("polemos.server.cluster.membership.LEASE", 30.0)
        patch.setattr("polemos.server.routes.operators.PATIENCE", PATIENT)
        patch.setattr("polemos.server.tables.hall.STOPPING", PATIENT)
        yield


@pytest.fixture(scope="session", autouse=True)
def attentive_office() -> Iterator[None]:
    """Looks at the database as always, but sooner: every test that makes an operator waits for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("polemos.server.office.duty.LOOK", 0.2)
        yield


@pytest.fixture
def unfilled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rates and budgets do not fill up while a test goes on, however slow the machine is."""
    now = time.monotonic()
    monkeypatch.setattr("polemos.server.limits.time", SimpleNamespace(monotonic=lambda: now))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Postgres]:
    with postgres.running() as started:
        yield started


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """Every test that asks for it, directly or not, runs on both."""
    chosen: str = request.param
    return chosen


@pytest.fixture
def database(kind: str, request: pytest.FixtureRequest) -> str | None:
    """The address of a fresh database with its tables; None is SQLite in the folder of the server."""
    if kind == "sqlite":
        return None
    made: Postgres = request.getfixturevalue("cluster")
    return made.filled()


@pytest.fixture(scope="session")
def server(kind: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests that leave it as it was."""
    database = request.getfixturevalue("cluster").filled() if kind == "postgresql" else None
    with Server(tmp_path_factory.mktemp(f"server-{kind}"), database) as running:
        yield running


@pytest.fixture(scope="session")
def small_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One on SQLite alone, for what has nothing to do with the database."""
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def web(server: Server) -> Iterator[Web]:
    with Web(server.address) as client:
        yield client


@pytest.fixture
def sit(server: Server) -> Iterator[Sit]:
    """People who leave when the test is over."""
    with ExitStack() as stack:

        def make(seated: dict[str, str] | str, token: str | None = None) -> Person:
            if isinstance(seated, dict):
                return stack.enter_context(Person(server.address, seated["table"], seated["token"]))
            return stack.enter_context(Person(server.address, seated, token))

        yield make
