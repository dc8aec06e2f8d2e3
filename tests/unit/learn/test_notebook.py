"""The notebook of the first steps runs from top to bottom, and shows what it says."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from polemos import registry
from polemos.batch import Batch
from polemos.kernel.capabilities.pictures import Look, text_of
from polemos.kernel.errors import BadOptions
from polemos.kernel.match import Match

pytestmark = pytest.mark.needs("demons", "monarchs")

NOTEBOOK = Path(__file__).parents[3] / "examples" / "learning" / "first-steps.ipynb"


def shown(code: str, names: dict[str, Any]) -> Any:
    """Runs a cell as a notebook does; what its last line is worth, if that is an expression."""
    *lines, last = code.splitlines()
    try:
        ending = compile(last, NOTEBOOK.name, "eval")
    except SyntaxError:
        exec(compile(code, NOTEBOOK.name, "exec"), names)
        return None
    exec(compile("\n".join(lines), NOTEBOOK.name, "exec"), names)
    return eval(ending, names)


def test_every_cell_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    pictures = []
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            value = shown("".join(cell["source"]), names)
            if any("image/svg+xml" in output.get("data", {}) for output in cell["outputs"]):
                pictures.append(value._repr_svg_())
    assert len(pictures) == 5, "the notebook is kept with its pictures"
    for picture in pictures:
        assert ET.fromstring(picture).tag.endswith("svg")
    assert "The economist has scored" in capsys.readouterr().out


def test_a_picture_of_a_match_is_what_somebody_sees() -> None:
    match = Match(registry.load("monarchs"), {"mode": "online"}, seed=3)
    assert match._repr_svg_() == match.picture("umpire") != match.picture("red")
    assert match.picture("red")._repr_svg_() == match.picture("red")
    batch = Batch("monarchs", {"mode": "online"}, 2, threads=1)
    assert batch.picture(1, "red") != batch.picture(1)
    with pytest.raises(BadOptions, match="No seat is called 'yellow'"):
        batch.picture(1, "yellow")


@pytest.mark.parametrize("name", ["demons", "minions", "monad", "monarchs"])
@pytest.mark.needs("minions", "monad")
def test_a_view_shows_itself(name: str) -> None:
    """A view that a bot has got, or that of a match: as a board in a notebook, as text where it is printed."""
    game = registry.load(name)
    match = Match(game, {}, seed=3)
    seat = match.seats[0]
    look = match.look(seat)
    assert look.view == match.view(seat)
    assert look._repr_svg_() == match.picture(seat)
    assert str(look) == text_of(game, match.setting, match.view(seat))
    assert Look(game, match.setting, match.view(seat)) == look


def test_a_view_of_a_game_without_pictures_is_a_text() -> None:
    class Plain:
        title = "Plain"

    look = Look(Plain(), None, {"turn": 3})
    assert look._repr_svg_() is None
    assert '"turn": 3' in str(look)
