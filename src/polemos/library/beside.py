"""The library beside a bot: its files, and how to use them in the bot's language."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Final

from polemos.library.build import build, library_of

LOOKAHEAD: Final = "lookahead.c"
_TALK: Final = Path(__file__).parent / "c" / "talk.h"
_TEXT: Final = Path(__file__).parent / "readme"


def put_beside(game: Any, language: str, folder: Path) -> None:
    """Builds the library in a bot's folder. In C, a bot that looks ahead comes with it, if the game has one."""
    library = library_of(game)
    build([game], folder)
    if has_lookahead(game, language):
        shutil.copy(library.folder / LOOKAHEAD, folder)
        shutil.copy(_TALK, folder)


def has_lookahead(game: Any, language: str) -> bool:
    return language == "c" and (library_of(game).folder / LOOKAHEAD).is_file()


def section(game: Any, language: str) -> str:
    """The part of the README about the library; the bot's placeholders are still to be filled in."""
    parts = ["all", language, *(["lookahead"] if has_lookahead(game, language) else [])]
    return "\n".join((_TEXT / f"{part}.md").read_text(encoding="utf-8") for part in parts)
