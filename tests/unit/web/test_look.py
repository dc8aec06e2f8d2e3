"""The look has one source: what the client has is what tools/look writes, and no value stands a second time."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from polemos.pictures.tokens import LOOK

ROOT = Path(__file__).parents[3]
PACKAGE, CLIENT = ROOT / "src" / "polemos", ROOT / "web"
GENERATED = ["styles/tokens.css", "ui/look.ts"]
GENERATED += [f"games/{path.parents[1].name}/glyphs.ts" for path in PACKAGE.glob("games/*/draw/glyphs.json")]
SOURCES = [PACKAGE / "pictures" / "look.json", *PACKAGE.rglob("glyphs.json")]

# Colours that may stand elsewhere, and why.
ALLOWED = {
    PACKAGE / "pictures" / "tokens.py": {"#000", "#fff"},  # black on white, for printers
    PACKAGE / "pictures" / "css.py": {"#000", "#fff"},
    CLIENT / "src" / "games" / "monarchs" / "Print.svelte": {"#000", "#fff"},
    CLIENT / "src" / "games" / "monarchs" / "desk" / "Ready.svelte": {"#fff"},  # pages as they are printed
    CLIENT / "src" / "games" / "monarchs" / "party" / "Host.svelte": {"#000", "#fff"},  # QR codes, for cameras
    # Browsers show it outside of any page, where no style sheet reaches.
    CLIENT / "public" / "mark.svg": {"#1B1E22", "#F5F2EA", "#ECE9E2", "#14171A"},
}


@pytest.mark.parametrize("name", GENERATED)
def test_what_the_client_has_is_up_to_date(tmp_path: Path, name: str) -> None:
    subprocess.run([sys.executable, ROOT / "tools" / "look", tmp_path], check=True)
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert written == {*GENERATED}
    assert (CLIENT / "src" / name).read_text(encoding="utf-8") == (tmp_path / name).read_text(encoding="utf-8"), (
        "run: tools/look"
    )


def drawn(path: Path) -> bool:
    """Pictures of rule books are drawn by tools/book-pictures, and a test draws them again."""
    return path.suffix == ".svg" and path.parts[-3:-1] == ("book", "pictures")


def texts() -> dict[Path, str]:
    """All that is written by hand in the package and the client, without the sources of the look."""
    kinds = {".py", ".css", ".html", ".svg", ".ts", ".svelte", ".js", ".toml", ".json"}
    found = {}
    for top in (PACKAGE, CLIENT / "src", CLIENT / "public", CLIENT / "index.html", CLIENT / "viewer.html"):
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            if path.suffix in kinds and "static" not in path.parts and path not in SOURCES and not drawn(path):
                found[path] = path.read_text(encoding="utf-8")
    for name in GENERATED:
        del found[CLIENT / "src" / name]
    return found


def colours(text: str) -> set[str]:
    return set(re.findall(r"#(?:[0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})\b(?!;)|#(?:[0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})(?=;)", text))


def test_no_colour_stands_elsewhere() -> None:
    found = texts()
    assert {path for path in ALLOWED if not colours(found[path])} == set(), "what is allowed is needed"
    for path, text in found.items():
        extra = colours(text) - ALLOWED.get(path, set())
        assert not extra, f"{path.relative_to(ROOT)} has {sorted(extra)}: colours stand in pictures/look.json"


def test_no_path_of_a_glyph_stands_elsewhere() -> None:
    paths = {
        path
        for source in SOURCES
        if source.name == "glyphs.json"
        for drawn in json.loads(source.read_text(encoding="utf-8")).values()
        for path, _ in drawn
    }
    assert len(paths) > 40
    for place, text in texts().items():
        joined = re.sub(r"[\"'`]\s*\+?\s*[\"'`]", "", text)  # a long path may be written in parts
        again = [path for path in paths if path in joined]
        assert not again, f"{place.relative_to(ROOT)}: {again[0]}"


def test_no_shape_of_a_seat_stands_elsewhere() -> None:
    """A corner of a shape, as it is written in Python, TypeScript or JSON: [0.86, -0.86]."""
    corners = {tuple(corner) for shape in LOOK["shapes"].values() for corner in shape["corners"]}
    distinct = {corner for corner in corners if any(abs(part) not in (0, 1) for part in corner) and 0 not in corner}
    pair = re.compile(r"[\[(]\s*(-?\d*\.?\d+)\s*,\s*(-?\d*\.?\d+)\s*[\])]")
    for path, text in texts().items():
        again = {(float(x), float(y)) for x, y in pair.findall(text)} & distinct
        assert not again, f"{path.relative_to(ROOT)}: {again}"


@pytest.mark.parametrize("table", ["SHAPES", "HATCHES"])
def test_no_table_names_shapes_or_hatchings_of_seats_elsewhere(table: str) -> None:
    words = set(LOOK["shapes"]) if table == "SHAPES" else set(LOOK["hatches"])
    given = re.compile(r"[\"']?(red|blue|green|yellow)[\"']?\s*:\s*[\"'](\w+)[\"']")
    for path, text in texts().items():
        assert not {word for _, word in given.findall(text)} & words, path.relative_to(ROOT)
