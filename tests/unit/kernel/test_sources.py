"""Which files rules depend on: read from the text of imports, checked against the syntax tree and against Python."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from polemos.kernel import cache, sources
from together import together

HOUSE = Path(cache.__file__).parents[1]
GAMES = sorted(path.parent for path in (HOUSE / "games").glob("*/game.py"))


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("import a.b", {"a.b"}),
        ("import a, b.c as d", {"a", "b.c"}),
        ("from a import b", {"a", "a.b"}),
        ("from a.b import (  # why (and when)\n    c,\n    d as e,\n)", {"a.b", "a.b.c", "a.b.d"}),
        ("from a import \\\n    b", {"a", "a.b"}),
        ("from a import*", {"a"}),
        ("def f():\n    from a import b", {"a", "a.b"}),
        ("if True: import a; import b", {"a", "b"}),
        ("from . import b", {"x.y", "x.y.b"}),
        ("from .a import b", {"x.y.a", "x.y.a.b"}),
        ("from ..a import b", {"x.a", "x.a.b"}),
        ("from .. import(b)", {"x", "x.b"}),
    ],
)
def test_imports_are_found_however_they_are_written(line: str, names: set[str]) -> None:
    found = {".".join(name) for name in sources.imported(f'"""Text."""\n{line}\nz = 1\n', ("x", "y"))}
    assert names <= found


@together("path", sorted(HOUSE.rglob("*.py")))
def test_no_import_of_the_house_escapes(path: Path) -> None:
    """Everything that the syntax tree knows is found in the text as well."""
    package = path.parent.relative_to(HOUSE.parent).parts
    found = sources.imported(path.read_text(encoding="utf-8"), package)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert {tuple(each.name.split(".")) for each in node.names} <= found
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert node.module is not None
            whence = tuple(node.module.split("."))
            assert {whence, *((*whence, each.name) for each in node.names if each.name != "*")} <= found


@pytest.mark.parametrize("room", GAMES, ids=lambda room: room.name)
def test_whatever_python_loads_for_the_rules_of_a_game_is_covered(room: Path) -> None:
    covered = {*sources.of_room(room, HOUSE.parent)}
    holding = [path for path in room.rglob("*.py") if "@rule" in path.read_text() or "@entry" in path.read_text()]
    names = [".".join(path.relative_to(HOUSE.parent).with_suffix("").parts) for path in holding]
    script = f"import sys, {', '.join(names)}\nfor m in list(sys.modules.values()): print(getattr(m, '__file__', ''))"
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "POLEMOS_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {Path(line) for line in run.stdout.splitlines() if line.startswith(str(HOUSE))}
    assert {*holding} <= covered
    assert {path for path in loaded if path.name != "__init__.py"} <= covered


@pytest.mark.parametrize("room", GAMES, ids=lambda room: room.name)
def test_no_picture_word_view_or_bot_of_a_game_decides_over_its_rules(room: Path) -> None:
    covered = {path.relative_to(room).parts[0] for path in sources.of_room(room, HOUSE.parent) if room in path.parents}
    assert {"rules", "state.py"} <= covered
    assert not covered & {"draw", "bots", "book", "view.py", "events.py", "notation.py", "game.py", "guests.py"}


def test_other_packages_in_a_folder_of_libraries_are_left_alone(tmp_path: Path) -> None:
    library = tmp_path / "site-packages"
    for name, text in {"war/rules.py": "import war.board, huge", "war/board.py": "", "huge.py": ""}.items():
        (library / name).parent.mkdir(parents=True, exist_ok=True)
        (library / name).write_text(text)
    found = sources.reached([library / "war" / "rules.py"], library)
    assert found == [library / "war" / "board.py", library / "war" / "rules.py"]
