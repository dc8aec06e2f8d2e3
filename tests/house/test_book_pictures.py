"""Every book begins with pictures of real turns, drawn by tools/book-pictures, and its text shows them all."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from polemos import registry
from polemos.kernel.book import opening, pictures
from polemos.kernel.rooms import book_of

ROOT = Path(__file__).parents[2]
GAMES = sorted(path.parents[1].name for path in (ROOT / "src" / "polemos" / "games").glob("*/book/pictures.toml"))
SHOWN = ["see", "order", "end"]
MAX_BYTES = 80_000
each_game = pytest.mark.parametrize("game", GAMES)


def book(game: str) -> Path:
    return book_of(registry.load(game))


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    subprocess.run([sys.executable, ROOT / "tools" / "book-pictures", folder], check=True, timeout=300)
    return folder


@each_game
def test_the_pictures_are_those_that_the_umpire_and_the_drawing_give_today(game: str, drawn: Path) -> None:
    kept = {name: path.read_text(encoding="utf-8") for name, path in pictures(book(game)).items()}
    assert kept == {path.name: path.read_text(encoding="utf-8") for path in (drawn / game).iterdir()}, (
        "run: tools/book-pictures"
    )
    assert sorted(kept) == sorted(f"{name}{mark}.svg" for name in SHOWN for mark in ("", "-dark"))


@each_game
def test_a_book_begins_with_what_you_see_what_you_order_and_how_it_ends(game: str) -> None:
    text = opening(book(game) / "rules.md")
    found = re.findall(r"^### (.+)\n\n!\[(.+)\]\(pictures/([a-z]+)\.svg\)$", text, re.MULTILINE)
    assert [(heading, name) for heading, _, name in found] == [
        ("What you see", "see"),
        ("What you order", "order"),
        ("How it ends", "end"),
    ]
    assert all(alt.endswith(".") and len(alt) > 40 for _, alt, _ in found), "what is seen, for readers who cannot"


@each_game
def test_the_orders_in_the_text_are_those_of_the_picture(game: str) -> None:
    text = opening(book(game) / "rules.md")
    told = tomllib.loads((book(game) / "pictures.toml").read_text(encoding="utf-8"))["picture"]
    order = next(picture for picture in told if picture["name"] == "order")
    (written,) = re.findall(r"^```\n(.+?)\n```$", text, re.MULTILINE | re.DOTALL)
    assert written.splitlines() == order["orders"][order["who"]]


@each_game
def test_pictures_are_light_and_nothing_in_them_runs(game: str) -> None:
    for path in pictures(book(game)).values():
        text = path.read_text(encoding="utf-8")
        assert len(text) < MAX_BYTES
        assert not re.search(r"<script|<foreignObject|<image|\bon\w+=|href", text)
