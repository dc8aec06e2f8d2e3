"""The interface as its own description has it, fuzzed: no server error, and every refusal is said in the same way."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error

from unit.server.serving import Server, Web

EXAMPLES = 25  # of each operation


OPERATIONS: dict[str, set[str]] = {
    "/api/me": {"get"},
    "/api/accounts": {"post"},
    "/api/session": {"post", "delete"},
    "/api/notices": {"get"},
    "/api/games": {"get"},
    "/api/games/{name}": {"get"},
    "/api/games/{name}/book": {"get"},
    "/api/games/{name}/book/pictures/{picture}": {"get"},
    "/api/games/{name}/picture.svg": {"get"},
    "/api/tables": {"get", "post"},
    "/api/tables/{id}": {"get"},
    "/api/tables/{id}/seats": {"post"},
    "/api/tables/{id}/crew": {"post"},
    "/api/tables/{id}/reports": {"post"},
    "/api/tables/{id}/rematch": {"post"},
    "/api/tables/{id}/frames": {"get"},
    "/api/tables/{id}/record": {"get"},
    "/api/tables/{id}/replay.jsonl.gz": {"get"},
    "/api/tables/{id}/orders.txt": {"get"},
    "/api/tables/{id}/preview.png": {"get"},
    "/health": {"get"},
    "/ready": {"get"},
    "/api/adjudicate/{name}": {"post"},
    "/api/replays": {"post"},
}


@pytest.fixture(scope="module")
def described(small_server: Server) -> Any:
    return schemathesis.openapi.from_url(f"{small_server.address}/api/schema/openapi.json")


@pytest.fixture(scope="module")
def table(small_server: Server) -> str:
    """One that exists."""
    with Web(small_server.address) as web:
        found: str = web.open("skerries", people=["red"], bots={"blue": "random"})["table"]
        return found


@pytest.mark.parametrize(
    ("path", "method"), [(path, method) for path, methods in OPERATIONS.items() for method in sorted(methods)]
)
def test_no_input_breaks_the_server(described: Any, table: str, path: str, method: str) -> None:
    operation = described[path][method]

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=st.one_of(
            operation.as_strategy(),
            operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE),
        )
    )
    def fuzz(case: Any) -> None:
        is_well_refused(case, case.call())
        for name, real in {"id": table, "name": "skerries"}.items():
            if name in case.path_parameters:  # what is generated hardly ever exists
                case.path_parameters[name] = real
                is_well_refused(case, case.call())

    fuzz()


def is_well_refused(case: Any, answer: Any) -> None:
    case.validate_response(answer, checks=(not_a_server_error,))
    if answer.status_code >= 400 and "application/json" in str(answer.headers.get("content-type")):
        body = answer.json()
        problem = body.get("error", body)
        assert problem["word"]
        assert problem["why"]
        assert "Traceback" not in answer.text


def test_the_description_has_everything(small_server: Server) -> None:
    with Web(small_server.address) as web:
        described = web.get("/api/schema/openapi.json").json()
    assert {path: set(item) for path, item in described["paths"].items()} == OPERATIONS
    for item in described["paths"].values():
        for operation in item.values():
            assert operation["summary"]
