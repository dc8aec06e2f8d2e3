"""Options and positions from outside: what is refused says what would be right."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from polemos import registry
from polemos.kernel.errors import BadOptions, BadPosition
from polemos.kernel.match import Match
from polemos.kernel.positions import load_position, position_of, read_options

GAMES = [registry.load(name) for name in registry.names()]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def refused(game: Any, options: dict[str, Any]) -> str:
    with pytest.raises(BadOptions) as error:
        read_options(game, options)
    return error.value.why


def choices() -> list[Any]:
    """Every option that is one of a few words or numbers."""
    found = []
    for game in GAMES:
        for name, kind in get_type_hints(game.options_type).items():
            if get_origin(kind) is Literal:
                found.append(pytest.param(game, name, get_args(kind), id=f"{game.name}-{name}"))
    return found


@pytest.mark.parametrize(("game", "name", "values"), choices())
def test_an_option_of_a_few_values_lists_them(game: Any, name: str, values: tuple[object, ...]) -> None:
    strange: list[object] = [7, "nonsense", None, [], "\ud800"]
    for wrong in strange:
        said = refused(game, {name: wrong})
        assert said.startswith(f"{name} cannot be ")
        assert all(str(value) in said for value in values), said


@every_game
def test_a_number_says_its_bounds(game: Any) -> None:
    field = next(one for one in msgspec.structs.fields(game.options_type) if one.name == "turns")
    (bounds,) = [one for one in field.type.__metadata__ if one.ge is not None]
    for wrong in (-1, 10**9, "ten", 2.5, True):
        said = refused(game, {"turns": wrong})
        assert said.endswith(f" It must be a whole number from {bounds.ge} to {bounds.le}.")


@every_game
def test_an_unknown_option_lists_those_there_are(game: Any) -> None:
    said = refused(game, {"trns": 3})
    names = ", ".join(field.name for field in msgspec.structs.fields(game.options_type))
    assert said == f"There is no option 'trns' in {game.title}. Did you mean turns? The options are {names}."


@pytest.mark.needs("demons")
def test_a_text_that_may_be_much_gives_examples() -> None:
    said = refused(registry.load("demons"), {"map": 3})
    assert said.startswith("map cannot be 3. It must be a text, such as causeway, ")
    assert said.endswith(" or random.")


@pytest.mark.needs("monad")
def test_a_value_of_two_kinds_names_both() -> None:
    monad = registry.load("monad")
    assert refused(monad, {"slots": "nine"}) == (
        "slots cannot be 'nine'. It must be a whole number from 1 to 1000 or 'none'."
    )


@every_game
@pytest.mark.parametrize("text", ["", " ", "\n\t "])
def test_an_empty_text_is_not_a_position(game: Any, text: str) -> None:
    for read in (load_position, lambda game, text: Match(game, position=text)):
        with pytest.raises(BadPosition, match="empty"):
            read(game, text)


@every_game
@pytest.mark.parametrize("part", ["setting", "view"])
@pytest.mark.parametrize("half", ["\ud800", {"\ud800": 1}, ["a\udfff"]], ids=repr)
def test_half_a_character_in_a_position_is_refused(game: Any, part: str, half: object) -> None:
    """JSON of other readers can hold one half of a pair: `"\\ud800"`."""
    position = position_of(game, game.setup({}, 0))
    with pytest.raises(BadPosition):
        load_position(game, {**position, part: half})
    with pytest.raises(BadPosition):
        load_position(game, {**position, part: {**position[part], "\ud800": half}})
    for name in position[part]:
        with pytest.raises(BadPosition):
            load_position(game, {**position, part: {**position[part], name: half}})


@pytest.mark.needs("demons", "monad")
def test_a_position_with_a_wrong_value_says_what_would_be_right_there() -> None:
    game: Any = registry.load("demons")
    position = position_of(game, game.setup({}, 0))
    wrong = {**position, "view": {**position["view"], "turn": "three"}}
    with pytest.raises(BadPosition, match=r"view\.turn cannot be that\. It is a whole number\."):
        load_position(game, wrong)
    wrong = {**position, "setting": {**position["setting"], "rows": [1]}}
    with pytest.raises(BadPosition, match=r"setting\.rows\[0\] cannot be that\."):
        load_position(game, wrong)
    with pytest.raises(BadPosition, match=r"coin cannot be 'heads'\. It must be one of call, off, on\."):
        load_position(game, "map twin-gates; coin heads")
    with pytest.raises(BadPosition, match=r"cost cannot be 0\. It must be a whole number from 1 to 10000\."):
        load_position(registry.load("monad"), "size 8x8; cost 0")
