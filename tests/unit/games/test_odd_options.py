"""Options of single games that mean nothing, or nothing beside the others, are refused with what would be right."""

from __future__ import annotations

from typing import Any

import pytest

from polemos import registry
from polemos.kernel.errors import BadOptions, BadPosition


def refused(game: str, **options: Any) -> str:
    with pytest.raises(BadOptions) as error:
        registry.load(game).setup(options, 0)
    return error.value.why


OF_RANDOM_MAPS = {"size": "20x20", "symmetry": "half-turn", "obstacles": "none", "character": "mixed"}


@pytest.mark.needs("monad")
@pytest.mark.parametrize("beside", [{}, {"map": "quarry"}, {"map": ""}], ids=str)
@pytest.mark.parametrize("option", OF_RANDOM_MAPS)
def test_how_a_map_is_drawn_is_refused_where_none_is_drawn(option: str, beside: dict[str, str]) -> None:
    """Also where it is what it would be anyway: whoever says it expects another map."""
    why = refused("monad", **{option: OF_RANDOM_MAPS[option]}, **beside)
    assert option in why
    assert "map=random" in why


@pytest.mark.needs("monad")
def test_how_a_map_is_drawn_is_taken_where_one_is_drawn() -> None:
    state = registry.load("monad").setup({**OF_RANDOM_MAPS, "map": "random", "size": "12x14"}, 0)
    assert (state.width, state.height) == (12, 14)


@pytest.mark.needs("monad")
@pytest.mark.parametrize("size", ["", "20", "20x", "x", "20×20", "7x20", "20x65", "999x999"])
def test_a_size_that_cannot_be_lists_what_can(size: str) -> None:
    why = refused("monad", map="random", size=size)
    assert "8x8" in why
    assert "64x64" in why


@pytest.mark.needs("minions")
@pytest.mark.parametrize("maps", [",,,", ",", " ", " , "])
def test_maps_without_a_name_are_refused(maps: str) -> None:
    why = refused("minions", maps=maps)
    assert "River Styx" in why
    assert "random" in why


@pytest.mark.needs("demons")
@pytest.mark.parametrize("quirks", ["Q99", "Q1 Q99", "zebra", "", ",,,", "Q0"])
@pytest.mark.parametrize("rules", ["seed", "finals-2025"])
def test_unknown_quirks_are_refused_whatever_the_rules(rules: str, quirks: str) -> None:
    why = refused("demons", rules=rules, quirks=quirks)
    assert all(word in why for word in ("all", "none", "Q1", "Q12", "Q15"))


# ---- towers

SEED = ["house", "crossbow", "cannon", "minigun"]


@pytest.mark.needs("demons")
@pytest.mark.parametrize(("rules", "towers"), [("seed", SEED), ("finals-2025", [*SEED, "church"])])
@pytest.mark.parametrize(
    "line",
    ["build zebra 0,1", {"order": "build", "tower": "zebra", "x": 0, "y": 1}, "build church 0,1"],
    ids=["text", "object", "of other rules"],
)
def test_an_unknown_tower_lists_those_of_the_rules_in_force(rules: str, towers: list[str], line: object) -> None:
    game = registry.load("demons")
    sheet = game.check(game.setup({"rules": rules}, 0), "red", [line])
    if rules == "finals-2025" and line == "build church 0,1":
        assert all("tower is called" not in fault.why for fault in sheet.faults)
        return
    assert f"Towers: {', '.join(towers)}." in sheet.faults[0].why


@pytest.mark.needs("demons")
def test_a_position_with_a_tower_of_other_rules_lists_those_there_are() -> None:
    for kind in ("church", "zebra"):
        with pytest.raises(BadPosition, match=r"Towers: house, crossbow, cannon, minigun\."):
            registry.load("demons").read_position(f"map twin-gates; tower {kind} red 0,1")
