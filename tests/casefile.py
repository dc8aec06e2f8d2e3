"""Where the cases of a game lie, and the module that says what their words mean."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

from polemos.kernel.casefile import Case, Part, read_all

__all__ = ["CASES", "Case", "Part", "all_cases", "expectations", "folder"]

CASES = Path(__file__).parent / "cases"
EXAMPLES = Path(__file__).parents[1] / "examples"


def folder(game: str) -> Path:
    """Beside this file, or in the package of a game from outside."""
    own = CASES / game
    return own if own.is_dir() else EXAMPLES / game / "tests" / "cases"


def all_cases(game: str) -> list[Case]:
    """All cases of a game."""
    return read_all(folder(game))


@cache
def expectations(game: str) -> Any:
    if (CASES / game).is_dir():
        return importlib.import_module(f"expectations.{game}")
    path = EXAMPLES / game / "tests" / "case_words.py"
    spec = importlib.util.spec_from_file_location(f"expectations_of_{game}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
