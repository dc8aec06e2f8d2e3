"""The rule book of a game: numbered paragraphs that events and refusals cite."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from msgspec import Struct

_HEADING = re.compile(r"^(#{2,3}) ([A-Z]?\d+(?:\.\d+)*) (.+)$")


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
