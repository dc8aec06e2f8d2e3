"""PNG and PDF: sizes, fonts, repeated bytes, clear errors."""

from __future__ import annotations

import re
import struct

import pytest

from polemos.kernel.errors import PolemosError
from polemos.pictures.convert import PictureError, filled_up, pdf, png
from polemos.pictures.svg import Canvas


def picture(unit: str = "", family: str | None = None) -> str:
    canvas = Canvas(210, 297, unit)
    canvas.rect(0, 0, 210, 297, fill="#fff")
    canvas.text("Skerries 123", 20, 40, 12, fill="#000")
    canvas.text("Skerries 123", 20, 80, 12, fill="#000", bold=True)
    canvas.text("RED", 20, 120, 16, fill="#000", display=True)
    document = canvas.document("A title (with <signs>)", "A position")
    return document.replace('font-family="Roboto', f'font-family="{family}, Roboto') if family else document


def size(image: bytes) -> tuple[int, int]:
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", image[16:24])
    return int(width), int(height)


def fonts(document: bytes) -> set[bytes]:
    return set(re.findall(rb"/FontName ?/[A-Z]+\+([\w-]+)", document))


def boxes(document: bytes) -> list[list[float]]:
    found = re.findall(rb"/MediaBox ?\[([^\]]*)\]", document)
    return [[float(value) for value in box.split()] for box in found]


def test_png_has_the_width_asked_for() -> None:
    assert size(png(picture())) == (210, 297)
    assert size(png(picture("mm"))) == (794, 1123)  # 96 dots to the inch
    assert size(png(picture("mm"), 1240)) == (1240, 1754)  # 150 dots to the inch


@pytest.mark.parametrize(("paper", "width", "height"), [("a4", 210, 297), ("letter", 215.9, 279.4)])
def test_pdf_has_the_size_of_the_paper(paper: str, width: float, height: float) -> None:
    found = boxes(pdf([picture("mm")], paper))
    assert len(found) == 1
    assert found[0] == pytest.approx([0, 0, width / 25.4 * 72, height / 25.4 * 72], abs=0.01)


def test_pdf_has_a_page_for_each_picture() -> None:
    assert len(boxes(pdf([picture("mm")] * 3, "a4"))) == 3


def test_same_input_same_bytes() -> None:
    assert png(picture()) == png(picture())
    assert pdf([picture("mm")], "a4") == pdf([picture("mm")], "a4")


def test_pdf_has_no_date() -> None:
    made = pdf([picture("mm")], "a4")
    assert b"CreationDate" not in made
    assert b"xmp:CreateDate" not in made


def test_pdf_text_is_text_in_the_bundled_fonts() -> None:
    made = pdf([picture("mm")], "a4")
    assert fonts(made) == {b"Roboto-Regular", b"Roboto-Bold", b"Spectral-Bold"}
    assert b"/ToUnicode" in made


@pytest.mark.parametrize("family", ["'DejaVu Sans'", "Arial", "'Liberation Sans'"])
def test_fonts_of_the_host_are_not_used(family: str) -> None:
    assert png(picture(family=family)) == png(picture())
    assert fonts(pdf([picture(family=family)], "a4")) == fonts(pdf([picture()], "a4"))


def test_png_draws_the_text() -> None:
    bare = re.sub(r"<text.*?</text>", "", picture())
    assert len(png(picture())) > len(png(bare)) + 500


def test_three_faces_look_different() -> None:
    plain = picture()
    assert png(plain.replace(' font-weight="700"', "")) != png(plain)
    assert png(re.sub(r' font-family="Spectral[^"]*"', "", plain)) != png(plain)


@pytest.mark.parametrize("bad", ["", "<svg", "no picture", "<svg></svg>", "<!DOCTYPE svg><svg/>", "\x00"])
def test_what_is_no_picture_is_refused(bad: str) -> None:
    with pytest.raises(PictureError, match=r"\.$"):
        png(bad)
    with pytest.raises(PictureError, match=r"\.$"):
        pdf([bad], "a4")


def test_pictures_without_size_are_refused() -> None:
    bad = picture().replace('width="210"', 'width="0"')
    with pytest.raises(PictureError):
        png(bad)
    with pytest.raises(PictureError):
        pdf([bad], "a4")


def test_other_refusals() -> None:
    with pytest.raises(PictureError, match="a4, letter"):
        pdf([picture()], "a5")
    with pytest.raises(PictureError, match="at least one page"):
        pdf([], "a4")
    for width in (0, -1, 1_000_000):
        with pytest.raises(PictureError, match="pixels wide"):
            png(picture(), width)
    assert issubclass(PictureError, PolemosError)


@pytest.mark.parametrize("extra", [0, 1, 79, 80, 81])
def test_a_pdf_is_filled_up_with_comments(extra: int) -> None:
    """In front of the last lines, by which a reader finds everything else: nothing moves."""
    made = pdf([picture("mm")], "a4")
    step = 1 << 18
    body, _, end = made.rpartition(b"startxref")
    body += b" " * (step - len(made) - extra)
    full = filled_up(body + b"startxref" + end)
    assert len(full) == step
    assert full.startswith(body)
    assert full.endswith(b"startxref" + end)
    filler = full[len(body) : len(full) - len(b"startxref" + end)]
    assert all(line == b"" or line.startswith(b"%") for line in filler.split(b"\n"))
    assert len(filled_up(made)) == step
    assert filled_up(full) == full
