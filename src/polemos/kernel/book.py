"""The rule book of a game: numbered paragraphs that events and refusals cite."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from msgspec import Struct

_HEADING = re.compile(r"^(#{2,3}) ([A-Z]?\d+(?:\.\d+)*) (.+)$")
_PICTURE = re.compile(r"^!\[([^\]]*)\]\([^)]*\)$", re.MULTILINE)


class Paragraph(Struct, frozen=True):
    number: str
    title: str
    text: str


@cache
def paragraphs(file: Path) -> dict[str, Paragraph]:
    """Chapters and paragraphs by number, in the order of the book."""
    found: dict[str, Paragraph] = {}
    number, title = "", ""
    lines: list[str] = []

    def close() -> None:
        if number:
            found[number] = Paragraph(number, title, "\n".join(lines).strip())

    for line in file.read_text(encoding="utf-8").splitlines():
        heading = _HEADING.match(line)
        if heading or line.startswith("## "):
            close()
            number, title = (heading[2], heading[3]) if heading else ("", "")
            lines = []
        else:
            lines.append(line)
    close()
    return found


@cache
def opening(file: Path) -> str:
    """What stands before the first numbered chapter, without the title: the introduction and its pictures."""
    lines: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if _HEADING.match(line):
            break
        if not line.startswith("# "):
            lines.append(line)
    return "\n".join(lines).strip()


def captioned(text: str) -> str:
    """The text for a terminal: what a picture shows stands in its place.

    >>> captioned("Look:\\n\\n![Two armies.](pictures/see.svg)")
    'Look:\\n\\n[Picture: Two armies.]'
    """
    return _PICTURE.sub(r"[Picture: \1]", text)


def pictures(folder: Path) -> dict[str, Path]:
    """The pictures of a book by the names under which its text shows them."""
    return {path.name: path for path in sorted((folder / "pictures").glob("*.svg"))}
