"""The page about interfaces: its examples run. And who lacks the extra is told so."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from polemos import learn
from polemos.kernel.errors import MissingPart

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

PAGES = Path(__file__).parents[3] / "docs" / "reference"


@pytest.mark.parametrize("page", ["learn.md", "batches.md"])
def test_the_examples_of_the_page_run(page: str) -> None:
    """Word for word."""
    text = (PAGES / page).read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert examples
    for code in examples:
        exec(compile(code, page, "exec"), {})


def test_every_interface_has_an_example() -> None:
    text = (PAGES / "learn.md").read_text(encoding="utf-8")
    code = "".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    for name in learn.__all__:
        assert f"{name}(" in code, name


@pytest.mark.parametrize(
    ("package", "make"),
    [
        ("pettingzoo", learn.parallel_env),
        ("pettingzoo", learn.aec_env),
        ("gymnasium", learn.gym_env),
        ("pyspiel", learn.openspiel_game),
    ],
)
def test_without_the_extra_it_is_said_what_to_install(package: str, make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("polemos.learn.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPart, match=r"_\w+ needs .* pip install 'polemos\[learn\]'"):
        make("demons")
