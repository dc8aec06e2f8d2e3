"""Parts of a printed page."""

from __future__ import annotations

import re

import pytest

from polemos.pictures import blocks, faces, sheet
from polemos.pictures.sheet import PAPERS
from polemos.pictures.svg import PictureError

NAMES = [f"{letter}{row}" for letter in "GMOQWM" for row in range(1, 10)]


def texts(document: str) -> list[tuple[float, float, float, str]]:
    """x, baseline, size and words of every text."""
    found = re.findall(r'<text x="([-\d.]+)" y="([-\d.]+)" font-size="([-\d.]+)"[^>]*>([^<]*)<', document)
    return [(float(x), float(y), float(size), words) for x, y, size, words in found]


@pytest.mark.parametrize("count", [0, 1, 4, 9, 20, 24])
def test_lists_fit_their_box(count: int) -> None:
    canvas = sheet.sheet(PAPERS["a4"])
    sheet.listing(canvas, NAMES[:count], 12, 213.5, 35)
    lines = texts(canvas.document("", ""))
    assert " ".join(words for *_, words in lines).split() == NAMES[:count]
    assert all(y <= 213.5 + 15 for _, y, _, _ in lines)
    assert all(faces.width(words, size, bold=True) <= 35 for _, _, size, words in lines)


def test_endless_lists_are_cut_where_one_can_see_it() -> None:
    canvas = sheet.sheet(PAPERS["a4"])
    sheet.listing(canvas, NAMES * 4, 12, 213.5, 35)
    lines = texts(canvas.document("", ""))
    assert lines[-1][3].endswith("…")
    assert max(y for _, y, _, _ in lines) <= 213.5 + 15


def test_papers() -> None:
    assert sheet.paper_called("a4").fold == 256
    assert sheet.paper_called("letter").right == pytest.approx(203.9)
    with pytest.raises(PictureError, match="a4, letter"):
        sheet.paper_called("a5")


def test_heads_are_laid_out_alike() -> None:
    """Only the name and the shape differ between seats."""
    places = []
    for seat in ("red", "green", "blue"):
        canvas = sheet.sheet(PAPERS["a4"])
        blocks.head(canvas, PAPERS["a4"], seat, seat.upper(), "Game", ("One", "Two", "Three"), "Note")
        found = texts(canvas.document("", ""))
        assert found[0][3] == seat.upper()
        assert found[0][0] + faces.width(seat.upper(), found[0][2], display=True) < 95
        places.append([(x, y, size) for x, y, size, _ in found])
    assert places[0] == places[1] == places[2]
    assert places[0][0][2] == 16


def test_long_titles_keep_clear_of_the_note() -> None:
    canvas = sheet.sheet(PAPERS["a4"])
    blocks.head(canvas, PAPERS["a4"], "red", "RED", "Game", ("One", "Two", "Long Winter " * 50), "A note")
    x, _, size, words = texts(canvas.document("", ""))[-1]
    assert words.endswith("…")
    frame = re.search(r'<rect x="([\d.]+)"[^>]*rx', canvas.document("", ""))
    assert frame is not None
    assert x + faces.width(words, size) < float(frame[1])
