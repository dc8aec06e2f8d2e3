"""Kinds of events are listed once: in the game's `rules/events.py`. Everything else asks the chronicle."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from polemos import registry

ROOT = Path(__file__).parents[2]
SOURCE, CLIENT = ROOT / "src" / "polemos", ROOT / "web" / "src"
GAMES = sorted(path.name for path in (SOURCE / "games").iterdir() if (path / "game.py").exists())
MANY = 3  # words of kinds in one list are no accident


def words_of(game: str) -> set[str]:
    return {kind.word for kind in registry.load(game).chronicle.kinds}


def python_lists(source: str) -> Iterator[tuple[int, set[str]]]:
    """Texts that stand together in a list, tuple, set, the keys of a table, or the cases of a match."""
    for node in ast.walk(ast.parse(source)):
        parts: list[ast.expr | None] = []
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            parts = [*node.elts]
        elif isinstance(node, ast.Dict):
            parts = [*node.keys]
        elif isinstance(node, ast.Match):
            parts = [case.pattern.value for case in node.cases if isinstance(case.pattern, ast.MatchValue)]
        found = {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}
        if found:
            yield getattr(node, "lineno", 0), found


def client_lists(source: str) -> Iterator[tuple[int, set[str]]]:
    """Texts that stand together between brackets; the names before colons count as texts."""
    for found in re.finditer(r"[\[{(][^\[\](){}]*[\]})]", source):
        texts = set(re.findall(r'"([^"\n]*)"', found[0])) | set(re.findall(r"\b(\w+):\s", found[0]))
        yield source[: found.start()].count("\n") + 1, texts


def second_lists(game: str, root: Path = ROOT) -> list[str]:
    words, found = words_of(game), []
    for path in sorted((root / "src" / "polemos").rglob("*.py")):
        other = (root / "src" / "polemos" / "games") in path.parents and f"games/{game}/" not in path.as_posix()
        if other or path.as_posix().endswith(f"games/{game}/rules/events.py"):
            continue
        lists = python_lists(path.read_text(encoding="utf-8"))
        found += [
            f"{path.relative_to(root)}:{line} {texts & words}" for line, texts in lists if len(texts & words) >= MANY
        ]
    for path in sorted([*(root / "web" / "src").rglob("*.ts"), *(root / "web" / "src").rglob("*.svelte")]):
        other = (root / "web" / "src" / "games") in path.parents and f"games/{game}/" not in path.as_posix()
        if other or path.name == "wire.ts":  # made from the chronicle
            continue
        lists = client_lists(path.read_text(encoding="utf-8"))
        found += [
            f"{path.relative_to(root)}:{line} {texts & words}" for line, texts in lists if len(texts & words) >= MANY
        ]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_kinds_of_events_are_listed_once(game: str) -> None:
    assert second_lists(game) == []


@pytest.mark.needs("monarchs")
@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("src/polemos/games/monarchs/lawful.py", 'MOMENTS = ("conquered", "base held", "dropped out", "ended")\n'),
        ("src/polemos/games/monarchs/draw/words.py", 'SAYS = {"marched": 1, "taken": 2, "won": 3}\n'),
        ("src/polemos/wire/packing.py", 'LOUD = {"marched", "taken", "won"}\n'),
        ("web/src/games/monarchs/stages.ts", 'const STAGES = [["Moves", ["marched", "taken", "won"]]];\n'),
        ("web/src/games/monarchs/colours.ts", 'const OF = { won: "green", beaten: "red", taken: "grey" };\n'),
    ],
)
def test_a_second_list_is_found(tmp_path: Path, place: str, text: str) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    assert [row.split(":")[0] for row in second_lists("monarchs", tmp_path)] == [place]


@pytest.mark.parametrize("game", GAMES)
def test_only_kinds_write_into_the_log(game: str) -> None:
    rooms = [path for path in (SOURCE / "games" / game).rglob("*.py") if path.name != "events.py"]
    assert not [path.name for path in rooms if re.search(r"\bemit\(", path.read_text(encoding="utf-8"))]
