"""Is the house tidy? Doors, rooms, words, start-up, documents."""

from __future__ import annotations

import ast
import doctest
import importlib
import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import polemos
from polemos import registry
from polemos.kernel.book import paragraphs
from together import together

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "polemos"
GAMES = sorted(path.name for path in (SOURCE / "games").iterdir() if (path / "game.py").exists())

ROOMS = ["book/rules.md", "book/rulings.md", "data", "state.py", "rules/turn.py", "notation.py", "view.py"]
ROOMS += ["draw/__init__.py", "bots/__init__.py", "game.py"]


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    """The contracts of pyproject.toml, checked over the sources that lie under `root`."""
    script = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", script, "--no-cache"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_import_contracts_hold() -> None:
    """Layers, no game named upward, games apart, pictures see views only: see pyproject.toml."""
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


PICTURES = "Pictures see views only"
RULES = "Rules know nothing but the state and the kernel"
PLANTED = [
    ("{game}/draw/words.py", "from polemos.games.{game}.rules import turn", PICTURES),
    ("{game}/draw/facts.py", "from polemos.games.{game}.state import State", PICTURES),
    ("{game}/draw/a_new_part.py", "from polemos.games.{game}.rules.turn import *", PICTURES),
    ("{game}/draw/__init__.py", "from polemos.games.{game}.game import GAME", PICTURES),
    ("{game}/rules/turn.py", "from polemos.games.{game}.draw import words", RULES),
    ("{game}/rules/turn.py", "import polemos.games.{game}.draw.facts", RULES),
]


def test_import_contracts_are_broken_by_what_they_forbid(tmp_path: Path) -> None:
    """One forbidden import in a copy of the tree, in each room of each game: the contract about it says no."""
    copy = tmp_path / "src" / "polemos"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__", "static", "*.md", "*.map"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    assert lint_imports(tmp_path).returncode == 0
    for game, (place, line, contract) in zip(itertools.cycle(GAMES), PLANTED * 2, strict=False):
        path = copy / "games" / place.format(game=game)
        before = path.read_text(encoding="utf-8") if path.exists() else None
        path.write_text(f"{before or ''}\n{line.format(game=game)}\n", encoding="utf-8")
        result = lint_imports(tmp_path)
        assert result.returncode == 1, f"{path}: {line}\n{result.stdout}{result.stderr}"
        assert f"{contract} BROKEN" in result.stdout
        if before is None:
            path.unlink()
        else:
            path.write_text(before, encoding="utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_pictures_of_a_game_stand_in_one_room(game: str) -> None:
    """The contract about pictures names the room `draw`: nothing that draws stands beside it."""
    beside = [path.name for path in (SOURCE / "games" / game).glob("*draw*") if path.name != "draw"]
    assert not beside
    for path in (SOURCE / "games" / game).rglob("*.py"):
        if path.relative_to(SOURCE / "games" / game).parts[0] != "draw":
            drawing = re.findall(r"polemos\.pictures(?:\.(\w+)| import (\w+))", path.read_text(encoding="utf-8"))
            assert {"".join(names) for names in drawing} <= {"svg"}, path


@pytest.mark.parametrize("game", GAMES)
@together("room", ROOMS)
def test_every_game_has_the_same_rooms(game: str, room: str) -> None:
    assert (SOURCE / "games" / game / room).exists()


def test_every_game_folder_is_registered() -> None:
    assert set(GAMES) <= set(registry.names())


@together("path", sorted(p for p in SOURCE.rglob("*.py") if "games" not in p.parts))
def test_no_game_is_named_outside_its_folder(path: Path) -> None:
    """Words of a game in a docstring or help text are examples; in code they would be knowledge."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documents = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        named = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            named = node.value
        elif isinstance(node, ast.Name | ast.Attribute):
            named = node.id if isinstance(node, ast.Name) else node.attr
        assert not any(re.search(rf"\b{game}\b", named, re.IGNORECASE) for game in GAMES), f"{path}: {named!r}"


def test_a_game_package_exports_nothing_by_itself() -> None:
    for game in GAMES:
        tree = ast.parse((SOURCE / "games" / game / "__init__.py").read_text(encoding="utf-8"))
        assert all(isinstance(node, ast.Expr) for node in tree.body), game


def test_public_names_are_sorted_and_complete() -> None:
    assert (
        sorted(polemos.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name)) == polemos.__all__
    )
    assert set(polemos.__all__) == set(polemos._HOMES)
    for name in polemos.__all__:
        assert getattr(polemos, name) is not None


def test_importing_the_package_and_help_load_no_compiler() -> None:
    for code in ("import polemos", "import sys; sys.argv = ['polemos', '--help']; import polemos.cli.main"):
        script = f"{code}\nimport sys\nassert 'numba' not in sys.modules and 'numpy' not in sys.modules"
        subprocess.run([sys.executable, "-c", script], check=True)
    loaded = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "polemos", "--help"], capture_output=True, text=True, check=True
    )
    assert "numba" not in loaded.stderr
    assert "First steps" in loaded.stdout


@pytest.mark.parametrize("game", GAMES)
def test_code_cites_paragraphs_that_exist(game: str) -> None:
    """Every docstring of a rule, every event and every refusal names a paragraph of the book."""
    book = paragraphs(SOURCE / "games" / game / "book" / "rules.md")
    for path in (SOURCE / "games" / game).rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        cited = set(re.findall(r'rule="([0-9.]+)"', text))
        cited |= set(re.findall(r'"""(\d+\.\d+) ', text))
        assert not cited - set(book), f"{path}: {cited - set(book)}"


@pytest.mark.parametrize("game", GAMES)
def test_rulings_cite_paragraphs_that_exist(game: str) -> None:
    folder = SOURCE / "games" / game / "book"
    book, rulings = paragraphs(folder / "rules.md"), paragraphs(folder / "rulings.md")
    assert rulings
    for ruling in rulings.values():
        if not re.fullmatch(r"[A-Z]\d+", ruling.number):
            continue
        cited = re.search(r"^\*\*Paragraph\.\*\* (.+)$", ruling.text, re.MULTILINE)
        assert cited, f"{ruling.number} cites nothing"
        numbers = {word.strip() for word in cited[1].split(",")} - {"party", "finals"}
        assert not numbers - set(book), f"{ruling.number}: {numbers - set(book)}"


def test_nothing_reaches_outside_the_project() -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in tracked.decode().split("\0"):
        path = ROOT / name
        if path.is_file() and path.suffix in {".py", ".toml", ".md", ".lock", ".txt", ".case", ""}:
            text = path.read_text(encoding="utf-8", errors="ignore")
            assert "../" + "shared" not in text, name
            assert not re.search(r"https?://[\w.]*(pypi|pythonhosted|npmjs)\.", text), name


WITH_A_GAME = [  # modules whose examples need one
    pytest.param("polemos.__init__", marks=pytest.mark.needs("monarchs")),
    pytest.param("polemos.ladder.ladders", marks=pytest.mark.needs("demons")),
]


def with_examples() -> list[str]:
    """All other modules whose docstrings have examples."""
    found = (path for path in sorted(SOURCE.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8"))
    names = [".".join(path.relative_to(SOURCE.parent).with_suffix("").parts) for path in found]
    return [name for name in names if name not in [of.values[0] for of in WITH_A_GAME]]


@pytest.mark.parametrize("module", [*with_examples(), *WITH_A_GAME])
def test_examples_in_docstrings_run(module: str) -> None:
    result = doctest.testmod(importlib.import_module(module.removesuffix(".__init__")))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.needs("monarchs")
def test_the_readme_runs() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


def test_links_in_documents_lead_somewhere() -> None:
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        text = path.read_text(encoding="utf-8")
        for target, heading in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]+))?", text):
            if not target.startswith("http"):
                there = path.parent / target if target else path
                assert there.exists(), f"{path.name}: {target}"
                assert not heading or there.suffix != ".md" or heading in anchors(there), (
                    f"{path.name}: {target}#{heading}"
                )


def anchors(path: Path) -> set[str]:
    """What links to the headings of a document end with."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = (re.sub(r"\]\([^)]*\)", "", heading.lower()) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE))
    return {re.sub(r"[^\w\- ]", "", heading).strip().replace(" ", "-") for heading in headings}


def test_temporary_files_are_not_opened_twice() -> None:
    """Windows can't open one by its name while it is open: write into a temporary folder."""
    for path in SOURCE.rglob("*.py"):
        assert "NamedTemporaryFile" not in path.read_text(encoding="utf-8"), path


# ---- abilities are asked for by type

# Files that may ask whether something has an attribute, how often, and why. Reading a field whose name is computed,
# `getattr(thing, name)`, asks nothing and is free.
ASKING = {
    "games/monad/game.py": (1, "orders with and without a direction share one sentence"),
    "games/monad/orders.py": (1, "what a thread has of its own"),
    "kernel/chronicle.py": (1, "what annotations say"),
    "kernel/log.py": (1, "what a thread has of its own"),
    "kernel/record.py": (3, "what annotations say, and how arrays know their record"),
    "kernel/rule.py": (2, "what annotations say"),
}


def questions(code: str) -> int:
    """How often a module asks whether an object has an attribute."""
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    return sum(
        isinstance(call.func, ast.Name)
        and (
            call.func.id == "hasattr"
            or (call.func.id == "getattr" and (len(call.args) > 2 or isinstance(call.args[1], ast.Constant)))
        )
        for call in calls
    )


def test_rooms_ask_for_abilities_by_type() -> None:
    found = {path: questions(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
    asking = {path.relative_to(SOURCE).as_posix(): count for path, count in found.items() if count}
    assert asking == {name: count for name, (count, _) in ASKING.items() if (SOURCE / name).exists()}


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("hasattr(bot, 'told')", 1),
        ("getattr(bot, 'spent', 0.0)", 1),
        ("getattr(bot, name, None)", 1),
        ("getattr(bot, 'spent')", 1),
        ("getattr(view, field)", 0),
        ("isinstance(bot, Hosted)", 0),
        ("if hasattr(bot, 'told'):\n    x = getattr(bot, 'told', None)", 2),
    ],
)
def test_questions_are_found(code: str, count: int) -> None:
    assert questions(code) == count
