"""The parser of rule books."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemos import registry
from polemos.kernel.book import Paragraph, captioned, opening, paragraphs, pictures
from polemos.kernel.rooms import book_of

BOOK = """# A game

Preface, without a number.

## 1 The board

All about it.

### 1.1 Hexes
There are some.

```
## 9 not seen as text of a chapter? It is: a heading is a heading
```

### 1.2 Neighbours
One.

Two.

## Appendix

No paragraph.

### R7 A ruling
**Answer.** Yes.
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    file = tmp_path / "rules.md"
    file.write_text(BOOK, encoding="utf-8")
    return file


def test_chapters_and_paragraphs_come_by_number_in_the_order_of_the_book(book: Path) -> None:
    assert list(paragraphs(book)) == ["1", "1.1", "9", "1.2", "R7"]


def test_a_paragraph_has_a_title_and_its_text_without_blank_edges(book: Path) -> None:
    found = paragraphs(book)
    assert found["1"] == Paragraph("1", "The board", "All about it.")
    assert found["1.2"] == Paragraph("1.2", "Neighbours", "One.\n\nTwo.")
    assert found["R7"] == Paragraph("R7", "A ruling", "**Answer.** Yes.")


def test_a_heading_without_a_number_ends_the_paragraph_before_it(book: Path) -> None:
    assert "No paragraph" not in "".join(paragraph.text for paragraph in paragraphs(book).values())
    assert "Preface" not in "".join(paragraph.text for paragraph in paragraphs(book).values())


def test_an_empty_book_has_no_paragraphs(tmp_path: Path) -> None:
    file = tmp_path / "empty.md"
    file.write_text("")
    assert paragraphs(file) == {}


@pytest.mark.parametrize("name", registry.names())
def test_the_books_of_all_games_have_text_in_every_paragraph(name: str) -> None:
    for number, paragraph in paragraphs(book_of(registry.load(name)) / "rules.md").items():
        assert paragraph.number == number
        assert paragraph.title
        assert paragraph.text or "." not in number


def test_the_opening_is_all_before_the_first_chapter_but_the_title(book: Path) -> None:
    assert opening(book) == "Preface, without a number."


def test_pictures_go_by_their_names(tmp_path: Path) -> None:
    assert pictures(tmp_path) == {}
    (tmp_path / "pictures").mkdir()
    for name in ("see.svg", "notes.txt"):
        (tmp_path / "pictures" / name).touch()
    assert pictures(tmp_path) == {"see.svg": tmp_path / "pictures" / "see.svg"}


def test_in_a_terminal_a_picture_is_its_caption() -> None:
    assert captioned("![Two armies.](pictures/see.svg)\nYou see ![no picture](here).") == (
        "[Picture: Two armies.]\nYou see ![no picture](here)."
    )
