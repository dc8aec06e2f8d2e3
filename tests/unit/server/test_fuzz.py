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
FEW = 6  # of those about bots and groups, most of which are for people who are signed in


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
    "/api/games/{name}/{kind}/{word}": {"get"},
    "/api/tables": {"get", "post"},
    "/api/tables/{id}": {"get"},
    "/api/tables/{id}/seats": {"post"},
    "/api/tables/{id}/crew": {"post"},
    "/api/tables/{id}/reports": {"post"},
    "/api/tables/{id}/rematch": {"post"},
    "/api/tables/{id}/dismissal": {"post"},
    "/api/tables/{id}/analysis": {"get", "post"},
    "/api/tables/{id}/frames": {"get"},
    "/api/tables/{id}/record": {"get"},
    "/api/tables/{id}/replay.jsonl.gz": {"get"},
    "/api/tables/{id}/orders.txt": {"get"},
    "/api/tables/{id}/preview.png": {"get"},
    "/health": {"get"},
    "/ready": {"get"},
    "/api/adjudicate/{name}": {"post"},
    "/api/replays": {"post"},
    "/api/search": {"get"},
}
OF_PARTIES: dict[str, set[str]] = {
    "/api/parties": {"post"},
    "/api/parties/{id}/acts": {"post"},
    "/api/parties/{id}/claim": {"post"},
    "/api/parties/{id}/links": {"get"},
    "/api/parties/{id}/links/{role}": {"post"},
    "/api/parties/{id}/maps/{number}": {"get"},
    "/api/parties/{id}/sight": {"get"},
}
OF_BOTS: dict[str, set[str]] = {
    "/api/account/deletion": {"post"},
    "/api/my/uploads": {"get", "post"},
    "/api/my/uploads/{id}": {"get", "delete"},
    "/api/my/uploads/{id}/logs/{kind}": {"get"},
    "/api/my/uploads/{id}/trial.jsonl.gz": {"get"},
    "/api/my/tokens": {"post"},
    "/api/my/tokens/{id}": {"delete"},
    "/api/my/notices": {"get", "post"},
    "/api/my/bots": {"get"},
    "/api/my/bots/{id}": {"post", "delete"},
    "/api/ladder-bots/{id}": {"get"},
    "/api/ladder-bots/{id}/preview.png": {"get"},
    "/api/ladder/games/{id}/board.svg": {"get"},
    "/api/ladder/games/{id}/analysis": {"get", "post"},
    "/api/ladder-bots/{id}/versions/{number}/source.tar.gz": {"get"},
    "/api/ladders": {"get"},
    "/api/ladders/{id}": {"get"},
    "/api/ladders/{id}/trends": {"get"},
    "/api/ladders/{id}/table.csv": {"get"},
    "/api/ladder/queue": {"get"},
    "/api/ladder/{game}/people": {"get"},
    "/api/ladder/bots/{id}/results.csv": {"get"},
    "/api/ladder/bots/{id}/results.atom": {"get"},
    "/api/ladder/games/{id}": {"get"},
    "/api/ladder/games/{id}/record": {"get"},
    "/api/ladder/games/{id}/replay.jsonl.gz": {"get"},
    "/api/ladder/games/{id}/logs/{entry}": {"get"},
    "/api/groups": {"get", "post"},
    "/api/groups/ladders": {"get"},
    "/api/groups/{id}": {"get"},
    "/api/invitations/{token}": {"get", "post"},
    "/api/groups/{id}/ask": {"post"},
    "/api/groups/{id}/acts": {"post"},
    "/api/groups/{id}/tournaments/{number}": {"get"},
    "/api/groups/{id}/tournaments/{number}/{table}": {"get"},
    "/api/groups/{id}/ladder.csv": {"get"},
    "/api/ladders/{ladder}/challenge": {"get"},
    "/api/challenges": {"post"},
    "/api/challenges/{id}": {"get"},
    "/api/ladders/{ladder}/seasons": {"get"},
    "/api/ladders/{ladder}/seasons/{number}": {"get"},
    "/api/ladders/{ladder}/seasons/{number}/table.csv": {"get"},
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
    ("path", "method"),
    [(path, method) for path, methods in (OPERATIONS | OF_BOTS | OF_PARTIES).items() for method in sorted(methods)],
)
def test_no_input_breaks_the_server(described: Any, table: str, path: str, method: str) -> None:
    operation = described[path][method]

    @settings(
        max_examples=EXAMPLES if path in OPERATIONS else FEW,
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
        for name, real in {"id": table, "name": "skerries", "game": "skerries"}.items():
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
    assert {path: set(item) for path, item in described["paths"].items()} == OPERATIONS | OF_BOTS | OF_PARTIES
    for item in described["paths"].values():
        for operation in item.values():
            assert operation["summary"]
