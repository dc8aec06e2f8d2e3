"""Every option of every game, with what it cannot be: the refusal lists what it can be, wherever it is asked for."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from litestar.testing import TestClient
from msgspec import inspect

from polemos import registry
from polemos.cli.main import polemos
from polemos.kernel.errors import PolemosError
from polemos.server.app import make_app
from polemos.server.settings import Settings
from polemos.wire.adjudicate import answer

ODD: tuple[Any, ...] = (None, True, 2.5, -1, 10**12, 7, [], {}, "zebra", ",,,", " ", "x\n")


def kinds(of: inspect.Type) -> list[inspect.Type]:
    while isinstance(of, inspect.Metadata):
        of = of.type
    return [kind for one in of.types for kind in kinds(one)] if isinstance(of, inspect.UnionType) else [of]


def listed(field: inspect.Field) -> set[str]:
    """What a refusal must name: all words, both bounds, all examples of a text."""
    found: set[str] = set()
    of = field.type
    if isinstance(of, inspect.Metadata) and of.extra_json_schema:
        found |= {str(example) for example in of.extra_json_schema.get("examples", ())}
    for kind in kinds(of):
        if isinstance(kind, inspect.LiteralType):
            found |= {str(value) for value in kind.values}
        if isinstance(kind, inspect.IntType):
            assert kind.ge is not None
            assert kind.le is not None
            found |= {str(kind.ge), str(kind.le)}
    return found


def options() -> list[tuple[str, str]]:
    return [
        (name, field.encode_name)
        for name in registry.names()
        for field in msgspec.structs.fields(registry.load(name).options_type)
    ]


def beside(game: str, option: str) -> dict[str, Any]:
    """What must be said too, so that the option means something."""
    if game == "monad" and option in ("size", "symmetry", "obstacles", "character"):
        return {"map": "random"}
    return {}


def field_of(game: str, option: str) -> inspect.Field:
    kind = inspect.type_info(registry.load(game).options_type)
    assert isinstance(kind, inspect.StructType)
    return next(field for field in kind.fields if field.encode_name == option)


def refusals(game: str, option: str) -> dict[str, PolemosError]:
    found = {}
    for value in ODD:
        try:
            registry.load(game).setup({option: value, **beside(game, option)}, 0)
        except PolemosError as error:
            found[repr(value)] = error
    return found


@pytest.mark.parametrize(("game", "option"), options())
def test_a_refusal_lists_what_would_be_valid(game: str, option: str) -> None:
    field, found = field_of(game, option), refusals(game, option)
    assert len(found) >= len(ODD) - 3, found
    for value, error in found.items():
        if "\\n" in value and option in ("map", "units"):
            continue  # a whole map or table as text, with faults of its own
        words = {"8x8", "64x64"} if option == "size" and "such as" not in error.why else listed(field)
        assert all(word in error.why for word in words), (value, error.why)
        assert "`" not in error.why.replace("`shuffled`", "").replace("`sorted`", ""), "the words of a program"


@pytest.mark.parametrize("game", registry.names())
def test_an_unknown_option_lists_those_there_are(game: str) -> None:
    names = [option for of, option in options() if of == game]
    with pytest.raises(PolemosError) as refused:
        registry.load(game).setup({"zebra": 1}, 0)
    assert all(name in refused.value.why for name in names)


# ---- the same words wherever it is asked for

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

ASKED = {
    "demons": ("coin", "heads"),
    "minions": ("maps", ",,,"),
    "monad": ("size", "12x12"),
    "monarchs": ("turns", 99),
    "skerries": ("seats", 99),
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with TestClient(
        make_app(Settings(folder=tmp_path_factory.mktemp("server"), exhibition=False, ladder=False))
    ) as made:
        yield made


@pytest.mark.parametrize("game", registry.names())
def test_the_refusal_is_the_same_at_the_terminal_in_requests_and_at_tables(game: str, client: Any) -> None:
    option, value = ASKED[game]
    with pytest.raises(PolemosError) as refused:
        registry.load(game).setup({option: value}, 0)
    why = refused.value.why
    said = json.loads(answer(registry.load(game), json.dumps({"setup": {option: value}}).encode()))
    assert said["error"]["why"] == why
    found = client.post("/api/tables", json={"game": game, "options": {option: value}}).json()
    assert found["why"] == why
    bots = ["random"] * registry.load(game).facts.min_seats
    for verb in (["match", game, *bots], ["tournament", game, *bots], ["play", game], ["draw", game]):
        result = CliRunner().invoke(polemos, [*verb, "-o", f"{option}={value}"])
        assert result.exit_code != 0
        assert why in f"{result.exception} {result.output}", verb
