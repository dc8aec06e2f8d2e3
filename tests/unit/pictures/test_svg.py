"""The writer of SVG: numbers, escaping, well-formed files."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from polemos.pictures.svg import Canvas, clean, escape, number, polygon, segments

HOSTILE = (
    "<script>alert(1)</script>",
    '" onload="alert(1)',
    "' & ]]> <!-- -->",
    "\x00\x07\x1b[31m\ufffe",
    "\ud800 unpaired",
    "\u202eturned\u200b",
    "&#0;&lt;",
)


@pytest.mark.parametrize(
    ("value", "short"),
    [(0, "0"), (-0.001, "0"), (3, "3"), (3.10, "3.1"), (2.346, "2.35"), (-12.5, "-12.5"), (1e-9, "0"), (100.0, "100")],
)
def test_numbers_are_short(value: float, short: str) -> None:
    assert number(value) == short


def test_clean_drops_what_cannot_be_printed() -> None:
    assert clean("Long\tWinter\r\n\x00") == "Long Winter"
    assert clean("\ud800a\u202eb") == "a b"
    assert clean("Grüße, Łódź") == "Grüße, Łódź"


def test_escape_covers_elements_and_attributes() -> None:
    assert escape("<a href=\"x\" b='y'>&") == "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;"


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    canvas = Canvas(10, 10)
    canvas.text(text, 1, 2, 3, fill="#000")
    canvas.add("rect", aria_label=text)
    root = ElementTree.fromstring(canvas.document(text, text))
    assert {element.tag.rpartition("}")[2] for element in root.iter()} == {"svg", "title", "text", "rect"}
    assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)
    words = root.findtext("{http://www.w3.org/2000/svg}text")
    assert (words or "") == clean(text)


def test_document_carries_size_name_and_label() -> None:
    root = ElementTree.fromstring(Canvas(210, 297, "mm").document("A title", "A position"))
    assert root.attrib["width"] == "210mm"
    assert root.attrib["viewBox"] == "0 0 210 297"
    assert root.attrib["aria-label"] == "A position"
    assert root.attrib["font-family"].startswith("Roboto")
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "A title"


def test_paths() -> None:
    assert segments([((0, 0), (1, 2.5)), ((3, 3), (4, 4))]) == "M0 0L1 2.5M3 3L4 4"
    assert polygon([(0, 0), (1, 0), (1, 1)]) == "M0 0L1 0L1 1z"


def test_empty_paths_and_missing_attributes_are_left_out() -> None:
    canvas = Canvas(1, 1)
    canvas.path("")
    canvas.add("rect", fill=None, stroke_width=0.5)
    document = canvas.document("", "")
    assert "<path" not in document
    assert '<rect stroke-width="0.5"/>' in document


def test_text_can_be_turned() -> None:
    canvas = Canvas(1, 1)
    canvas.text("up", 3, 4, 2, fill="#000", upwards=True)
    assert 'transform="translate(3 4) rotate(-90)"' in canvas.document("", "")
