"""Deleting any game of the house breaks nothing but its own tests.

Its own are those in folders and files of its name, and those that bear the mark `needs` with its name. The test deletes
each game in a copy: its package, its entry points, its part of the client, its tests. Then everything that is left is
imported, another game is played, all shared tests are collected, and some of them run.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GAMES = sorted(path.parent.name for path in (ROOT / "src" / "polemos" / "games").glob("*/game.py"))
OWN = [
    "src/polemos/games/{}",
    "web/src/games/{}",
    "tests/unit/games/{}",
    "tests/cases/{}",
    "tests/guests/{}",
    "tests/mutants/{}.toml",
    "tests/expectations/{}*.py",
    "tests/browser/test_{}*.py",
]
# In every copy these are run. They play, file, judge and look at the house; what they try knows no game.
RUN = ["tests/unit/kernel/test_match.py", "tests/unit/kernel/test_registry.py", "tests/unit/arena/tournament/test_entr"]
RUN += ["tests/house/test_house.py::test_rooms_ask", "tests/house/test_house.py::test_every_game"]
RUN += ["tests/house/test_house.py::test_examples", "tests/house/test_house.py::test_code_cites"]
# One process does it all, so that what is slow to import is imported once.
INSIDE = """
import pkgutil, sys
import polemos, pytest
from click.testing import CliRunner
from polemos.cli.main import polemos as command

assert polemos.__file__.startswith(sys.argv[1]), polemos.__file__
for module in pkgutil.walk_packages(polemos.__path__, "polemos."):
    if not module.name.endswith("__main__"):
        __import__(module.name)

def call(*words):
    result = CliRunner().invoke(command, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output

print(call("games"))
other, seats = sys.argv[2], polemos.load(sys.argv[2]).facts.min_seats
print(call("match", other, *["random"] * seats, "--seed", "1", "--workers", "1", "-o", "turns=2"))

class Chosen:
    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if item.nodeid.startswith(tuple(sys.argv[3:]))]

quietly = ["-q", "-n0", "-p", "no:randomly", "-p", "no:cacheprovider", "-W", "ignore:Module already imported"]
sys.exit(pytest.main([*quietly, "--ignore=tests/unit/games", "tests"], plugins=[Chosen()]))
"""


# ---- in a copy


class Copy:
    """The house without one game."""

    def __init__(self, folder: Path, game: str) -> None:
        self.folder = folder
        without = shutil.ignore_patterns("__pycache__", "node_modules", "static", ".*", "kept")
        for part in ("src", "tests", "examples", "web", "docs", "benchmarks"):
            shutil.copytree(ROOT / part, folder / part, ignore=without)
        shutil.copytree(
            ROOT / "tests" / "kept", folder / "tests" / "kept", ignore=shutil.ignore_patterns("__pycache__")
        )
        for file in ("pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
            shutil.copy(ROOT / file, folder)
        for pattern in OWN:
            for path in folder.glob(pattern.format(game)):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        project = (folder / "pyproject.toml").read_text("utf-8")
        project = re.sub(rf'^\w+ = "polemos\.games\.{game}\..*\n', "", project, flags=re.MULTILINE)
        (folder / "pyproject.toml").write_text(project, "utf-8")
        self._declare(tomllib.loads(project)["project"]["entry-points"])

    def _declare(self, points: dict[str, dict[str, str]]) -> None:
        """What installing the copy would declare; it is found before what is installed."""
        about = self.folder / "src" / "polemos-0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: polemos\nVersion: 0\n")
        groups = [f"[{group}]\n" + "\n".join(f"{a} = {b}" for a, b in of.items()) for group, of in points.items()]
        (about / "entry_points.txt").write_text("\n\n".join(groups))

    def run(self, code: str, *words: str) -> str:
        path = os.pathsep.join([str(self.folder / "src"), str(self.folder / "examples" / "skerries")])
        ours = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}  # not for the inner run
        result = subprocess.run(
            [sys.executable, "-c", code, *words],
            cwd=self.folder,
            env={**ours, "PYTHONPATH": path, "POLEMOS_INTERPRET": "1", "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stdout[-8000:]
        return result.stdout


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_house_stands_without(game: str, tmp_path: Path) -> None:
    other = GAMES[GAMES.index(game) - 1]
    said = Copy(tmp_path, game).run(INSIDE, str(tmp_path), other, *RUN)
    listed = re.findall(r"^([a-z]+)  [A-Z]", said, re.MULTILINE)
    assert listed == sorted({*GAMES, "skerries"} - {game})
    assert "1 game, 1 distinct" in said
    assert re.search(r"^\d+ passed", said, re.MULTILINE)
    assert list(dangling(tmp_path / "web" / "src")) == []


def dangling(client: Path) -> Iterator[str]:
    """Imports of the client that lead nowhere."""
    for path in client.rglob("*"):
        if path.suffix in {".ts", ".svelte"}:
            for target in re.findall(r"""(?:from|import)[ (]["'](\.[^"']+)["']""", path.read_text("utf-8")):
                whole = (path.parent / target.partition("?")[0]).resolve()
                tried = [whole, *(Path(f"{whole}{end}") for end in (".ts", ".svelte", ".svelte.ts", "/index.ts"))]
                if not any(one.is_file() for one in tried):
                    yield f"{path.relative_to(client)}: {target}"


# ---- by reading


def own(game: str) -> set[Path]:
    found = [path for pattern in OWN for path in ROOT.glob(pattern.format(game))]
    return {file for path in found for file in (path.rglob("*.py") if path.is_dir() else [path])}


def needs(node: ast.AST) -> set[str]:
    """The games that the mark over a function or class names, or that of a parameter or of the whole module."""
    marks: list[ast.expr] = node.decorator_list if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
    if isinstance(node, ast.Call):
        marks = [given.value for given in node.keywords if given.arg == "marks"]
    if isinstance(node, ast.Module):
        set_ = [one for one in node.body if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "pytestmark"]
        marks = [mark for one in set_ for mark in (one.value.elts if isinstance(one.value, ast.List) else [one.value])]
    calls = [mark for mark in marks if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.needs"]
    return {str(ast.literal_eval(name)) for call in calls for name in call.args}


def named(node: ast.AST) -> Iterator[tuple[str, int]]:
    """The games that this code names without needing them, and where."""
    free = needs(node)
    for child in ast.iter_child_nodes(node):
        yield from ((game, line) for game, line in named(child) if game not in free)
    word = node.value if isinstance(node, ast.Constant) else getattr(node, "module", None)
    for game in GAMES:
        if isinstance(word, str) and re.search(
            rf"^{game}$|\bgames[./]{game}\b|adjudicate/{game}\b", word, re.IGNORECASE
        ):
            yield game, getattr(node, "lineno", 0)


OWNER = {file: game for game in GAMES for file in own(game)}
NAMING = {
    "kept": "what earlier versions wrote was written by these games; without one, its files are passed over",
    "test_house.py": "exceptions are listed by file and hold for files that are there; the copy runs it",
    "test_look.py": "the same",
    "test_deletion.py": "this",
    "hands.py": "a table of all games in the C library; those that are gone are not looked up in it",
    "driver.py": "the recorded conversation is one of Monad; the test of it needs Monad",
    "batches_digest.py": "what it plays is played by test_batches_agree.py, which needs these games",
    "numbering.py": "it numbers the orders of these games for tests that need them",
    "houses.py": "a party is one of Monarchs; the tests of it need Monarchs",
    "parties.py": "the same",
    "test_packing.py": "a large match is one of Monad; the tests of it need Monad",
}


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT / "tests"))
)
def test_tests_name_no_other_game_or_say_that_they_need_it(path: Path) -> None:
    games = named(ast.parse(path.read_text("utf-8")))
    found = [f"line {line}: {game}" for game, line in games if game != OWNER.get(path)]
    assert found == [] or NAMING.keys() & set(path.parts) or path.stem in GAMES, "but for the pages of one game"
