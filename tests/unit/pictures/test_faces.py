"""The bundled typefaces and their measures."""

from __future__ import annotations

import pytest

from polemos.pictures import faces


def test_fonts_come_with_their_licences() -> None:
    names = {path.name for path in faces.FOLDER.iterdir()}
    assert names == {
        "Roboto-Regular.ttf",
        "Roboto-Bold.ttf",
        "Spectral-Bold.ttf",
        "LICENSE-Roboto.txt",
        "LICENSE-Spectral.txt",
    }
    assert sum(path.stat().st_size for path in faces.FOLDER.iterdir()) < 1_500_000
    for name in ("Roboto", "Spectral"):
        assert "SIL Open Font License" in (faces.FOLDER / f"LICENSE-{name}.txt").read_text(encoding="utf-8")


def test_figures_are_tabular() -> None:
    for bold in (False, True):
        assert len({faces.width(figure, 10, bold=bold) for figure in "0123456789"}) == 1


def test_widths_follow_size_and_weight() -> None:
    assert faces.width("Wim", 20) == pytest.approx(2 * faces.width("Wim", 10))
    assert faces.width("i", 10) < faces.width("m", 10) < faces.width("W", 10)
    assert faces.width("Skerries", 10, bold=True) > faces.width("Skerries", 10)
    assert 5 < faces.width("0", 10) < 6


def test_shorten_keeps_what_fits() -> None:
    assert faces.shorten("Long Winter", 4, 100) == "Long Winter"
    short = faces.shorten("Long Winter " * 20, 4, 50)
    assert short.endswith("…")
    assert faces.width(short, 4) <= 50
    assert faces.shorten("Winter", 4, 0) == "…"


def test_signs_without_a_glyph_are_not_dropped() -> None:
    assert faces.shorten("冬 Winter", 4, 100) == "? Winter"
    assert faces.shorten("Łódź, Ωμέγα, Зима", 4, 100) == "Łódź, Ωμέγα, Зима"


def test_fit() -> None:
    assert faces.fit("RED", 16, 100, display=True) == 16
    size = faces.fit("SPECTATOR", 16, 50, display=True)
    assert faces.width("SPECTATOR", size, display=True) == pytest.approx(50)


def test_wrap_keeps_all_words_in_order() -> None:
    words = [f"{letter}{row}" for letter in "ABCDEFGH" for row in range(1, 4)]
    lines = faces.wrap(words, 4, 30, bold=True)
    assert " ".join(lines).split() == words
    assert len(lines) > 1
    assert all(faces.width(line, 4, bold=True) <= 30 for line in lines)
    assert faces.wrap([], 4, 30) == []
